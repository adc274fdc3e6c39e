"""Short matches for the tests of what leaves the program."""

from __future__ import annotations

from api.table.event_log import MatchMeta
from carrom import events as ev
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.seats import Seat
from referee.match import Match
from referee.match_events import MatchStarted, NextBoard
from referee.ruleset_files import load_laws
from referee.state import Phase

__all__ = ["meta_of", "play_boards", "start"]

NAMES = ("Asha Rao", "Björn & <Ek>", "勝")


def start(rules: str) -> Match:
    """A match of two or three before its first stroke."""
    laws = load_laws(rules)
    seats = (Seat.SOUTH, Seat.NORTH)
    if laws.ruleset.three_players:
        seats = (Seat.SOUTH, Seat.EAST, Seat.NORTH)  # type: ignore[assignment]
    players = dict(zip(seats, NAMES, strict=False))
    return Match(MatchStarted(id="1", laws=laws, players=players, opener=Seat.SOUTH))


def play_boards(match: Match, boards: int, *, foul_first: bool = False) -> Match:
    """The opener clears so many boards without a miss, the queen before his last man."""
    if foul_first:
        match.play(_stroke(match, PieceKind.STRIKER))
        match.play(_stroke(match))
    for number in range(boards):
        if match.state.phase in (Phase.GAME_OVER, Phase.MATCH_OVER):
            break
        if number:
            match.push(NextBoard(id=match.new_id()))
        while match.state.phase is Phase.PLAY:
            match.play(_stroke(match, _next_piece(match)))
    return match


def meta_of(match: Match, **changes: object) -> MatchMeta:
    """What a list of matches would say of it."""
    first = match.log[0]
    assert isinstance(first, MatchStarted)
    values = {
        "id": "m-1", "rules": first.laws.ruleset.value, "title": "", "over": False,
        "started": "2026-12-01T10:00:00Z",
        "players": {seat.value: name for seat, name in first.players.items()}, **changes,
    }  # fmt: skip
    return MatchMeta(**values)  # type: ignore[arg-type]


def _stroke(match: Match, *pieces: PieceKind) -> StrokeOutcome:
    kind = PieceKind.RED if match.laws.ruleset.hikone else PieceKind.WHITE
    events = [ev.FirstContact(piece=kind), *(ev.Pocketed(piece=piece) for piece in pieces)]
    return StrokeOutcome(seat=match.state.turn, events=tuple(events), t_start_s=1.0, t_end_s=2.5)


def _next_piece(match: Match) -> PieceKind:
    state = match.state
    if state.captured:
        men = [PieceKind.WHITE, PieceKind.BLACK]
    else:
        men = [state.seats[state.turn].piece]
    own = [kind for kind in men for _ in range(state.on_board[kind])]
    special = PieceKind.JACK if PieceKind.JACK in state.on_board else PieceKind.QUEEN
    wanted = len(own) == 0 if special is PieceKind.JACK else len(own) <= 2
    return special if state.on_board.get(special, 0) and wanted else own[0]
