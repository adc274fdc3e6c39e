"""What the table must do next is part of the state."""

from __future__ import annotations

from carrom import events as ev
from carrom.evidence import DECLARED
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.seats import Seat, Side
from referee.match import Match
from referee.match_events import MatchStarted
from referee.ruleset_files import load_laws
from referee.ruling import Place
from referee.task import Decision, StrikeFrom, next_task

S, N = Seat.SOUTH, Seat.NORTH
WHITE, STRIKER = PieceKind.WHITE, PieceKind.STRIKER


def start(rules: str, **options: object) -> Match:
    laws = load_laws(rules, options)
    return Match(MatchStarted(id="s", laws=laws, players={S: "A", N: "B"}, opener=S))


def play(match: Match, *events: ev.Event) -> None:
    match.play(StrokeOutcome(seat=match.state.turn, events=events))


def test_break_attempts_are_counted_for_the_players() -> None:
    """ICF-18: three chances, then the other has three."""
    match = start("icf")
    seen = []
    for _ in range(4):
        task = next_task(match.state, match.laws)
        seen.append((task.striker, task.break_attempt))
        play(match, ev.NoContact())
    assert seen == [(S, 1), (S, 2), (S, 3), (N, 1)]


def test_pieces_due_back_in_order_with_who_places_them() -> None:
    """ICF-46: the void piece and the due, both placed by the opponent, before the next stroke."""
    match = start("icf")
    play(match, ev.FirstContact(piece=WHITE), ev.Pocketed(piece=WHITE))
    hit = ev.FirstContact(piece=WHITE)
    play(match, hit, ev.Pocketed(piece=WHITE), ev.Pocketed(piece=STRIKER))
    task = next_task(match.state, match.laws)
    rows = [(row.piece, row.count, row.to, row.by) for row in task.returns]
    assert rows == [(WHITE, 1, Place.OUTER_CIRCLE, Side.BLACK)] * 2
    assert (task.striker, task.strike_from) == (S, StrikeFrom.BASE_LINES)
    assert task.stroke_limit_s == 15.0


def test_the_queen_must_be_covered() -> None:
    """The page reminds the player."""
    match = start("icf")
    hit = ev.FirstContact(piece=WHITE)
    play(match, hit, ev.Pocketed(piece=WHITE))
    play(match, hit, ev.Pocketed(piece=PieceKind.QUEEN))
    assert next_task(match.state, match.laws).must_cover


def test_tee_shot_then_area_line() -> None:
    """HK-05, HK-07."""
    match = start("hikone")
    red = PieceKind.RED
    assert next_task(match.state, match.laws).strike_from is StrikeFrom.TEE_SPOT
    play(match, ev.FirstContact(piece=red), ev.Pocketed(piece=red))
    assert next_task(match.state, match.laws).strike_from is StrikeFrom.AREA_LINE


def test_moved_pieces_are_restored_before_anything_else() -> None:
    """HK-48."""
    match = start("hikone")
    hand = ev.Touched(by=ev.TouchedBy.HAND, piece=PieceKind.RED, moved=True)
    play(match, hand, ev.FirstContact(piece=PieceKind.RED))
    task = next_task(match.state, match.laws)
    assert task.restore_moved
    assert task.striker is N


def test_a_claimable_plikt_is_shown() -> None:
    """SE-26: the opponent must say it before the next stroke."""
    match = start("carrom_se", debt_claim="manual")
    hit = ev.FirstContact(piece=WHITE)
    play(match, hit, ev.Pocketed(piece=STRIKER))
    play(match, hit)
    play(match, hit, ev.Pocketed(piece=WHITE))
    assert next_task(match.state, match.laws).claimable is Side.WHITE


def test_a_finished_board_asks_for_the_next_and_offers_points_on_demand() -> None:
    """ICF-81."""
    match = start("icf")
    hit = ev.FirstContact(piece=WHITE)
    for _ in range(8):
        play(match, hit, ev.Pocketed(piece=WHITE))
    play(match, hit, ev.Pocketed(piece=WHITE), ev.Pocketed(piece=STRIKER))
    task = next_task(match.state, match.laws)
    assert task.decision is Decision.NEXT_BOARD
    assert task.points_on_demand == ((Side.BLACK, 1),)
    assert task.striker is None


def test_what_no_law_covers_goes_to_the_umpire() -> None:
    """GameRules: out of turn."""
    match = start("gamerules")
    play(match, ev.FirstContact(piece=WHITE))
    match.play(StrokeOutcome(seat=S, events=(ev.FirstContact(piece=WHITE),)))
    assert next_task(match.state, match.laws).decision is Decision.UMPIRE


def test_leaving_the_seat_ends_the_board() -> None:
    """ICF-64, then the next board is asked for."""
    match = start("icf")
    play(match, ev.LeftSeat(seat=S, evidence=DECLARED))
    assert next_task(match.state, match.laws).decision is Decision.NEXT_BOARD
