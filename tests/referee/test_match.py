"""The log is the truth: undo, redo, corrections and late facts are replays."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carrom import events as ev
from carrom.doubts import Answer, Doubt, Question
from carrom.errors import CarromError, ContradictionError, MatchError
from carrom.evidence import DECLARED
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.seats import Seat, Side
from referee.laws import Ruleset
from referee.match import Match
from referee.match_events import (
    ClockStarted,
    DebtClaimed,
    DebtWaived,
    DoubtAnswered,
    FactsAdded,
    JankenWon,
    MatchStarted,
    NextBoard,
    NextGame,
    PlayResumed,
    PointsDemanded,
    StrokePlayed,
    TimeCalled,
)
from referee.ruleset_files import load_laws
from referee.ruling import BoardReason, Foul, GameStatus
from referee.state import Phase, Team
from tests.referee.random_play import random_outcome, seats_for

S, N, E = Seat.SOUTH, Seat.NORTH, Seat.EAST
WHITE, BLACK, QUEEN = PieceKind.WHITE, PieceKind.BLACK, PieceKind.QUEEN
STRIKER = PieceKind.STRIKER


def start(rules: str = "icf", options: dict[str, object] | None = None) -> Match:
    laws = load_laws(rules, options)
    seats = (S, E, N) if laws.ruleset.three_players else (S, N)
    players = {seat: seat.name.title() for seat in seats}
    return Match(MatchStarted(id="start", laws=laws, players=players, opener=S))


def stroke(seat: Seat, *pieces: PieceKind, extra: tuple[ev.Event, ...] = ()) -> StrokeOutcome:
    """A stroke that touches a man first and pockets these."""
    falls = tuple(ev.Pocketed(piece=piece) for piece in pieces)
    first = ev.FirstContact(piece=WHITE)
    return StrokeOutcome(seat=seat, events=(first, *falls, *extra))


def win_board(match: Match) -> None:
    """White pockets everything in one turn: queen after the first man, then the rest."""
    match.play(stroke(match.state.turn, WHITE))
    match.play(stroke(match.state.turn, QUEEN))
    for _ in range(8):
        match.play(stroke(match.state.turn, WHITE))


def random_match(rules: tuple[str, dict[str, object]], seed: int, strokes: int) -> Match:
    laws = load_laws(*rules)
    rng = random.Random(seed)
    seats = seats_for(laws, rng)
    players = {seat: seat.name.title() for seat in seats}
    match = Match(MatchStarted(id="start", laws=laws, players=players, opener=seats[0]))
    for _ in range(strokes):
        advance(match, rng)
    return match


def advance(match: Match, rng: random.Random) -> None:
    """One more event of whatever kind can come now."""
    state = match.state
    if state.phase is Phase.PLAY:
        match.play(random_outcome(state, match.laws, rng, skill=0.6, incidents=0.1))
    elif state.phase is Phase.BOARD_OVER:
        match.push(NextBoard(id=match.new_id(), opener=state.turn))
    elif state.phase is Phase.GAME_OVER:
        match.push(NextGame(id=match.new_id()))
    elif state.phase is Phase.NEEDS_HUMAN:
        match.push(PlayResumed(id=match.new_id(), seat=state.turn))


LOCAL: list[tuple[str, dict[str, object]]] = [
    *((ruleset.value, {}) for ruleset in Ruleset),
    ("hikone", {"multi_pocket_turns": "per_pack", "own_side_pockets": "forbidden"}),
    ("hikone", {"jack_one_shot": "five_back", "match_stage": "final", "allow_push": True}),
    ("gamerules", {"opponent_piece": "returned", "time_limit_min": 30}),
    ("carrom_se", {"debt_claim": "manual", "target": 13, "free_removal_min_left": {"white": 4}}),
    ("carrom_se", {"improper_stroke": "icf", "technical_fouls": "relaxed"}),
    ("point_gamerules", {"penalty_piece": "dearest", "queen_cover": False}),
    ("point_carrom_se", {"improper_stroke": "icf"}),
]
some_match = st.builds(
    random_match, st.sampled_from(LOCAL), st.integers(0, 2**32), st.integers(1, 60)
)
PROPERTY = settings(max_examples=60, deadline=None)


@PROPERTY
@given(some_match, st.integers(1, 70))
def test_undo_n_redo_n_is_identity(match: Match, depth: int) -> None:
    """Undo works to any depth, past the ends of boards and games, and redo brings all back."""
    before, frames = match.state, match.frames
    depth = min(depth, len(frames) - 1)
    for _ in range(depth):
        match.undo()
    assert match.state == frames[len(frames) - 1 - depth].after
    for _ in range(depth):
        match.redo()
    assert match.state == before
    assert match.frames == frames


@PROPERTY
@given(some_match)
def test_replay_of_the_log_gives_the_same_match(match: Match) -> None:
    """State is a pure fold: replaying the log, or its JSON, changes nothing."""
    match.undo() if len(match.frames) > 1 else None
    assert Match.replay(match.log).frames == match.frames
    assert Match.from_json_lines(match.to_json_lines()).frames == match.frames


@PROPERTY
@given(some_match, st.integers(0, 2**32))
def test_amending_in_the_middle_is_replaying_the_amended_list(match: Match, seed: int) -> None:
    """A corrected old stroke judges everything after it anew, as if it had always been so."""
    if not match.strokes:
        return
    rng = random.Random(seed)
    record = rng.choice(match.strokes)
    state = record.before
    outcome = replace(
        random_outcome(state, match.laws, rng, skill=0.5, incidents=0.1), seat=record.outcome.seat
    )
    plan = [
        replace(frame.event, outcome=outcome)
        if isinstance(frame.event, StrokePlayed) and frame.event.id == record.id
        else frame.event
        for frame in match.frames
    ]
    before = match.log
    try:
        expected = Match.replay(plan)
    except CarromError as refused:
        with pytest.raises(type(refused)):
            match.amend(record.number, outcome)
        assert match.log == before, "a refused correction leaves no trace"
    else:
        match.amend(record.number, outcome)
        assert match.state == expected.state


@PROPERTY
@given(some_match)
def test_the_same_event_twice_changes_nothing(match: Match) -> None:
    """A phone that sends again after a lost answer must not play a stroke twice."""
    log, state = match.log, match.state
    match.push(*log)
    assert match.log == log
    assert match.state == state


def test_another_event_under_a_taken_id_is_refused() -> None:
    """Two senders must not share an id by accident."""
    match = start()
    match.push(StrokePlayed(id="a", outcome=stroke(S, WHITE)))
    with pytest.raises(MatchError, match="'a'"):
        match.push(StrokePlayed(id="a", outcome=stroke(S, BLACK)))


def test_a_rejected_event_changes_nothing() -> None:
    """Ten whites cannot fall: the batch is refused whole, the good event in front of it too."""
    match = start()
    log, state = match.log, match.state
    good = StrokePlayed(id="good", outcome=stroke(S, WHITE))
    bad = StrokePlayed(id="bad", outcome=stroke(S, *[WHITE] * 10))
    with pytest.raises(ContradictionError, match="white"):
        match.push(good, bad)
    assert (match.log, match.state) == (log, state)


def test_delete_a_stroke_in_the_middle() -> None:
    """A hand over the board was taken for a stroke: without it the turn never passed."""
    match = start()
    match.play(stroke(S, WHITE))
    match.play(stroke(S))
    match.play(stroke(N, BLACK))
    match.delete(2)
    assert [record.outcome.seat for record in match.strokes] == [S, N]
    assert match.state.on_board[BLACK] == 8


def test_players_who_followed_a_wrong_call_are_not_out_of_turn() -> None:
    """Stroke 1 was called a miss, so North struck; corrected to a pocketing, North's stroke still
    stands: he did what the table was told (ICF-24 is about a player's own mistake)."""
    match = start()
    match.play(stroke(S))
    match.play(stroke(N, BLACK))
    match.amend(1, stroke(S, WHITE))
    assert match.strokes[1].ruling.foul_names == frozenset()
    assert match.state.turn is N
    assert match.state.on_board[WHITE] == 8


def test_a_stroke_by_the_wrong_seat_is_out_of_turn() -> None:
    """The camera reports who struck; only the referee knows whose turn it was (ICF-24)."""
    match = start()
    match.play(stroke(S))
    ruling = match.play(stroke(S, WHITE))
    assert Foul.OUT_OF_TURN in ruling.foul_names
    assert ruling.board.reason is BoardReason.OUT_OF_TURN


def test_late_fact_rejudges_the_stroke() -> None:
    """The umpire declares a push after two more strokes: the piece comes out, the turn was lost."""
    match = start()
    first = StrokePlayed(id="first", outcome=stroke(S, WHITE))
    match.push(first)
    match.play(stroke(S))
    push = ev.ImproperStroke(kind="push", evidence=DECLARED)
    match.push(FactsAdded(id="late", stroke="first", facts=(push,)))
    assert match.strokes[0].ruling.foul_names == {Foul.IMPROPER_STROKE}
    assert match.state.debts[Side.WHITE] == 1
    assert match.state.on_board[WHITE] == 9


def test_undo_past_the_end_of_a_board_and_back() -> None:
    """A board ended by mistake is taken back together with the next one's first stroke."""
    match = start()
    win_board(match)
    assert match.state.phase is Phase.BOARD_OVER
    assert match.state.score[Side.WHITE] == 12
    match.push(NextBoard(id="b2"))
    assert match.state.turn is N, "the break alternates (ICF-22)"
    assert match.state.score == {Side.BLACK: 12, Side.WHITE: 0}, "scores follow the players"
    match.play(stroke(N, WHITE))
    for _ in range(3):
        match.undo()
    assert match.state.phase is Phase.PLAY
    assert match.state.on_board[WHITE] == 1
    match.redo()
    assert match.state.phase is Phase.BOARD_OVER


def test_a_whole_icf_match_changes_sides_and_counts_games() -> None:
    """Best of three: 3 boards of 12 win a game; sides change between games (ICF-31)."""
    match = start()
    for game in (1, 2):
        for board in range(40):
            if match.state.phase is not Phase.BOARD_OVER and board:
                break
            if board:
                match.push(NextBoard(id=match.new_id()))
            if match.state.standing is not None and _team_on_turn(match) is Team.A:
                win_board(match)
            else:
                _give_board_away(match)
        assert match.state.phase in (Phase.GAME_OVER, Phase.MATCH_OVER)
        if game == 1:
            match.push(NextGame(id=match.new_id()))
            standing = match.state.standing
            assert standing is not None
            assert standing.players == {N: "South", S: "North"}
    standing = match.state.standing
    assert standing is not None
    assert (match.state.phase, standing.winner) == (Phase.MATCH_OVER, Team.A)
    assert standing.games_won == {Team.A: 2}


def _team_on_turn(match: Match) -> Team:
    state = match.state
    assert state.standing is not None
    return state.standing.teams[state.seats[state.turn]]


def _give_board_away(match: Match) -> None:
    """The opener leaves his seat: the board is lost by his nine men and the queen (ICF-64)."""
    seat = match.state.turn
    match.play(StrokeOutcome(seat=seat, events=(ev.LeftSeat(seat=seat, evidence=DECLARED),)))


def doubtful(seat: Seat, *answers: Answer) -> StrokeOutcome:
    doubt = Doubt(id="d", question=Question.WAS_POCKETED, answers=answers)
    return replace(stroke(seat), doubts=(doubt,))


FELL = Answer(code="yes", likelihood=0.7, events=(ev.Pocketed(piece=WHITE),))
NOT = Answer(code="no", likelihood=0.3)


def test_a_doubt_that_matters_is_asked_and_the_answer_rejudges() -> None:
    """Play goes on with the likeliest answer; the other one, given later, changes what followed."""
    match = start()
    match.push(StrokePlayed(id="q", outcome=doubtful(S, FELL, NOT)))
    (open_question,) = match.open_questions
    (question,) = open_question.ruling.questions
    turns = {a.answer: a.ruling.turn.next for a in question.alternatives}
    assert turns == {"yes": S, "no": N}
    assert match.state.turn is S, "provisionally the likelier"
    match.push(DoubtAnswered(id="a", stroke="q", doubt="d", answer="no"))
    assert not match.open_questions
    assert match.state.turn is N


def test_a_side_never_covers_the_other_sides_queen() -> None:
    """Stroke 2 was called a miss; it had pocketed the queen. North, who struck next as called,
    does not cover her: unnoticed before the next stroke she counts as covered by South (ICF-69);
    elsewhere she is back in the centre (GR-15, SE-16)."""
    for rules, by, on_board in (
        ("icf", Side.WHITE, 0),
        ("carrom_se", None, 1),
        ("gamerules", None, 1),
    ):
        match = start(rules)
        match.play(stroke(S, WHITE))
        match.play(stroke(S))
        match.play(stroke(N, BLACK))
        match.amend(2, stroke(S, QUEEN))
        assert match.state.queen is not None
        assert (match.state.queen.by, match.state.on_board[QUEEN]) == (by, on_board)


def test_a_name_of_any_letters_survives_the_log() -> None:
    """U+2028 ends a line for ``splitlines`` but not in JSON lines."""
    laws = load_laws("icf")
    players = {S: "A\u2028B", N: "C\x85\nD"}
    match = Match(MatchStarted(id="s", laws=laws, players=players, opener=S))
    assert Match.from_json_lines(match.to_json_lines()).log == match.log


def test_laws_in_a_log_are_checked() -> None:
    """A log may come from elsewhere: no negative penalties, no options of another ruleset."""
    match = start("hikone")
    text = match.to_json_lines()
    for old, new in (
        ('"options":{"type":"hikone"}', '"options":{"type":"hikone","jack_penalty_packs":-7}'),
        ('"options":{"type":"hikone"}', '"options":{"type":"icf"}'),
        ('"numbers":{', '"numbers":{"match_games":-1,'),
    ):
        assert old in text
        with pytest.raises(CarromError):
            Match.from_json_lines(text.replace(old, new))


def test_the_sender_does_not_say_whose_turn_was_called() -> None:
    """Or a stroke out of turn would hide itself."""
    match = start()
    match.push(StrokePlayed(id="x", outcome=stroke(N), called=N))
    assert Foul.OUT_OF_TURN in match.strokes[-1].ruling.foul_names


def test_no_next_board_while_a_question_is_open() -> None:
    """Its answer may decide whether the board is over at all."""
    match = start()
    for _ in range(8):
        match.play(stroke(match.state.turn, WHITE))
    match.push(StrokePlayed(id="q", outcome=doubtful(S, FELL, NOT)))
    assert match.state.phase is Phase.BOARD_OVER
    with pytest.raises(MatchError, match="'d'"):
        match.push(NextBoard(id="b"))
    match.push(DoubtAnswered(id="a", stroke="q", doubt="d", answer="no"))
    assert match.state.phase is Phase.PLAY


def test_a_due_that_is_being_placed_can_be_waived() -> None:
    """ICF-60: the opponent forgoes it; the C/m stays in the pocket."""
    match = start()
    match.play(stroke(S, WHITE, WHITE))
    match.play(stroke(S, STRIKER))
    assert match.state.on_board[WHITE] == 8
    match.push(DebtWaived(id="w", seat=S))
    assert (match.state.on_board[WHITE], match.state.due_back) == (7, ())


def test_no_other_law_knows_a_waiver() -> None:
    """Hikone debts accumulate for ever (HK-20)."""
    match = start("hikone")
    match.play(StrokeOutcome(seat=S, events=(ev.Pocketed(piece=STRIKER),)))
    with pytest.raises(MatchError, match="ICF-60"):
        match.push(DebtWaived(id="w", seat=S))


def test_points_on_demand_are_added_once() -> None:
    """ICF-81: the opponent may ask for one more point for the striker, and no second time."""
    match = start()
    for _ in range(8):
        match.play(stroke(match.state.turn, WHITE))
    match.play(stroke(S, WHITE, STRIKER))
    assert match.state.score[Side.BLACK] == 3
    match.push(ClockStarted(id="clock", t_s=1.0))
    match.push(PointsDemanded(id="more"))
    assert match.state.score[Side.BLACK] == 4
    assert match.strokes[-1].ruling.score == match.state.score
    assert match.state.clockwork.running_since_t_s == 1.0
    with pytest.raises(MatchError):
        match.push(PointsDemanded(id="again"))


def test_a_due_is_waived_in_full() -> None:
    """ICF-60: the opponent forgoes the outstanding due."""
    match = start()
    match.play(stroke(S, STRIKER))
    assert match.state.debts[Side.WHITE] == 1
    match.push(DebtWaived(id="w", seat=S))
    assert match.state.debts[Side.WHITE] == 0
    with pytest.raises(MatchError, match="owes nothing"):
        match.push(DebtWaived(id="w2", seat=S))


@pytest.mark.parametrize("claimed", [True, False])
def test_a_plikt_is_claimed_in_time_or_lapses(claimed: bool) -> None:
    """SE-25, SE-26 with ``debt_claim: manual``."""
    match = start("carrom_se", {"debt_claim": "manual"})
    match.play(stroke(S, STRIKER))
    match.play(stroke(N))
    match.play(stroke(S, WHITE))
    assert match.state.pending_claim
    if claimed:
        match.push(DebtClaimed(id="c", seat=S))
        assert match.state.on_board[WHITE] == 9
        assert match.state.due_back[-1].by == Side.BLACK
    match.play(stroke(S, WHITE))
    assert match.state.debts[Side.WHITE] == 0
    assert match.state.on_board[WHITE] == (8 if claimed else 7)


def test_no_clause_covers_it_so_the_umpire_decides() -> None:
    """GameRules says nothing about a stroke out of turn: the program does not invent a law."""
    match = start("gamerules")
    match.play(stroke(S))
    match.play(stroke(S, WHITE))
    assert match.state.phase is Phase.NEEDS_HUMAN
    with pytest.raises(MatchError, match="needs_human"):
        match.play(stroke(N))
    match.push(PlayResumed(id="go", seat=N))
    assert match.state.turn is N


def test_janken_decides_a_stuck_hikone_board() -> None:
    """HK-43: level, stuck, decided by hand; no 100 points for it (Q-HK-13)."""
    match = start("hikone")
    contact = ev.FirstContact(piece=PieceKind.RED)
    stuck = ev.Stalemate(evidence=DECLARED)
    timed = {"t_start_s": 400.0, "t_end_s": 401.0}
    match.push(ClockStarted(id="clock", t_s=0.0))
    match.play(StrokeOutcome(seat=S, events=(contact,), **timed))
    match.play(StrokeOutcome(seat=N, events=(contact, stuck), **timed))
    assert match.state.phase is Phase.NEEDS_HUMAN
    match.push(JankenWon(id="j", seat=N))
    assert match.state.phase is Phase.MATCH_OVER
    assert match.state.last_board is not None
    assert match.state.last_board.points == {Side.GREEN: 0, Side.RED: 0}


def test_time_called_decides_by_the_finished_boards() -> None:
    """GR-38: the unfinished board does not score."""
    match = start("gamerules")
    win_board(match)
    match.push(NextBoard(id="b"))
    match.play(stroke(N, WHITE))
    match.push(TimeCalled(id="time"))
    assert match.state.phase is Phase.MATCH_OVER
    assert match.state.last_game is not None
    assert match.state.last_game.status is GameStatus.OVER
    assert match.state.score == {Side.BLACK: 14, Side.WHITE: 0}


@pytest.mark.parametrize("event", [NextBoard(id="x"), NextGame(id="x"), JankenWon(id="x", seat=S)])
def test_events_out_of_place_are_refused(event: NextBoard) -> None:
    """No board begins while one is played, and nothing is decided that nobody asked."""
    match = start()
    with pytest.raises(MatchError):
        match.push(event)
    assert len(match.log) == 1


def test_nothing_to_undo_and_nothing_to_redo() -> None:
    """The start of a match cannot be taken back."""
    match = start()
    with pytest.raises(MatchError, match="undo"):
        match.undo()
    with pytest.raises(MatchError, match="redo"):
        match.redo()
