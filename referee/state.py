"""The state of a match between two strokes: what the laws need to judge the next one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from carrom.errors import ContradictionError, OutcomeError
from carrom.pieces import Counts, PieceKind
from carrom.seats import Seat, Side, opposite
from referee.laws import Laws, Ruleset
from referee.ruling import (
    Action,
    BoardReason,
    BoardRuling,
    GameRuling,
    QueenState,
    QueenStatus,
    ReturnRow,
)

__all__ = [
    "BoardResult",
    "ClockReading",
    "Clockwork",
    "Phase",
    "Standing",
    "State",
    "Team",
    "check_state",
]


class Phase(StrEnum):
    """What kind of event the match can take next."""

    PLAY = "play"
    NEEDS_HUMAN = "needs_human"
    """Janken (HK-43), or no clause covers what happened: a person decides."""
    BOARD_OVER = "board_over"
    GAME_OVER = "game_over"
    MATCH_OVER = "match_over"


class Team(StrEnum):
    """Who plays together through the whole match, whatever colour they have in a board."""

    A = "A"
    B = "B"
    C = "C"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockReading:
    """What the clocks said when the outcome was judged, in seconds; ``None``: no such clock.

    ``match_remaining_s`` is 0 once time has run out.
    """

    match_remaining_s: float | None = None
    stroke_elapsed_s: float | None = None

    def __post_init__(self) -> None:
        for name in ("match_remaining_s", "stroke_elapsed_s"):
            value = getattr(self, name)
            if value is not None and not (math.isfinite(value) and value >= 0):
                raise OutcomeError(f"{name}: expected seconds from 0 on, got {value!r}")

    @property
    def time_up(self) -> bool:
        """Time has run out (HK-41)."""
        return self.match_remaining_s is not None and self.match_remaining_s <= 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardResult:
    """A finished board, by team: colours change between boards. ``points`` is ``None`` where the
    laws state no score (HL-15)."""

    game_number: int
    board_number: int
    opener: Seat
    colours: Mapping[Team, Side]
    winner: Team | None
    points: Mapping[Team, int] | None
    reason: BoardReason
    queen: Team | None = None
    strokes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Clockwork:
    """The running clocks, in monotonic seconds; read with ``referee.clock``.

    ``running_since_t_s`` is ``None`` while the match clock stands; ``stroke_from_t_s`` is when the
    present stroke's time began.
    """

    played_s: float = 0.0
    running_since_t_s: float | None = None
    stroke_from_t_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The match around the board: who sits where, teams, games, finished boards."""

    teams: Mapping[Side, Team]
    players: Mapping[Seat, str] = field(default_factory=dict)
    game_number: int = 1
    games_won: Mapping[Team, int] = field(default_factory=dict)
    games_to_win: int = 1
    board_opener: Seat = Seat.SOUTH
    game_opener: Seat = Seat.SOUTH
    sides_changed: bool = False
    strokes_in_board: int = 0
    boards: tuple[BoardResult, ...] = ()
    winner: Team | None = None
    """The winner of the match; also ``None`` when it is over and shared (PT-14)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Everything before a stroke (rules.md F.2) and what the table still has to do.

    ``pocketed`` counts men per colour, whoever pocketed them (two sides); ``captured`` holds what
    each seat has pocketed (three players), a pending queen included. ``score`` is that of the
    finished boards, under the colour a side has in this board. ``due_back``, ``actions`` and
    ``restore_moved`` are what the last ruling asks to be done before the next stroke.
    """

    seats: Mapping[Seat, Side]
    turn: Seat
    stroke_in_turn: int = 1
    strokes_left: int = 1
    on_board: Counts
    pocketed: Counts = field(default_factory=dict)
    captured: Mapping[Side, Counts] = field(default_factory=dict)
    debts: Mapping[Side, int]
    queen: QueenState | None = None
    score: Mapping[Side, int] = field(default_factory=dict)
    board_number: int = 1
    had_pocketed: frozenset[Side] = frozenset()
    break_done: bool = True
    break_attempts: int = 0
    pending_claim: bool = False
    tee_shots_due: frozenset[Seat] = frozenset()
    first_seat: Seat = Seat.SOUTH
    final_round: bool = False
    clock: ClockReading | None = None
    skip_next: tuple[Seat, ...] = ()
    jack_spot_stack: tuple[PieceKind, ...] = ()
    phase: Phase = Phase.PLAY
    due_back: tuple[ReturnRow, ...] = ()
    actions: tuple[Action, ...] = ()
    restore_moved: bool = False
    last_board: BoardRuling | None = None
    last_game: GameRuling | None = None
    standing: Standing | None = None
    clockwork: Clockwork = field(default_factory=Clockwork)

    def side(self, seat: Seat) -> Side:
        """The side of a seat. Raises ``ContradictionError`` if nobody sits there."""
        try:
            return self.seats[seat]
        except KeyError:
            occupied = ", ".join(self.seats)
            raise ContradictionError(
                "seat", expected=f"one of {occupied}", got=seat.value
            ) from None

    @property
    def doubles(self) -> bool:
        """Four players."""
        return len(self.seats) == 4


def check_state(state: State, laws: Laws) -> None:
    """Raise ``ContradictionError`` if no board of this ruleset can be in this state."""
    _check_seats(state, laws)
    _check_counts(state, laws)
    holders = set(state.seats.values())
    _check_sides("debts", state.debts, holders, exact=True)
    _check_sides("score", state.score, holders, exact=False)
    _check_queen(state, laws)
    if state.turn not in state.seats:
        raise ContradictionError("turn", expected="an occupied seat", got=state.turn.value)
    for name in ("stroke_in_turn", "strokes_left", "board_number"):
        if getattr(state, name) < 1:
            raise ContradictionError(name, expected="1 or more", got=getattr(state, name))
    allowed = laws.numbers.break_attempts or 1
    if not 0 <= state.break_attempts < allowed:
        raise ContradictionError(
            "break_attempts", expected=f"0 to {allowed - 1}", got=state.break_attempts
        )
    for kind in state.jack_spot_stack:
        if kind not in laws.ruleset.pieces:
            raise ContradictionError("jack_spot_stack", expected="packs and jack", got=kind.value)
    for seat in state.skip_next:
        if seat not in state.seats:
            raise ContradictionError("skip_next", expected="occupied seats", got=seat.value)
    if laws.ruleset.hikone and state.first_seat not in state.seats:
        raise ContradictionError(
            "first_seat", expected="an occupied seat", got=state.first_seat.value
        )


def _check_seats(state: State, laws: Laws) -> None:
    seats = state.seats
    if laws.ruleset.three_players:
        expected = {seat: Side(seat.value) for seat in (Seat.SOUTH, Seat.EAST, Seat.NORTH)}
        if dict(seats) != expected:
            raise ContradictionError(
                "seats", expected="S, E and N, each its own side", got=dict(seats)
            )
        return
    colours = {Side.RED, Side.GREEN} if laws.ruleset.hikone else {Side.WHITE, Side.BLACK}
    if set(seats.values()) != colours or len(seats) not in (2, 4):
        raise ContradictionError(
            "seats", expected=f"2 or 4 seats of {' and '.join(sorted(colours))}", got=dict(seats)
        )
    for seat, side in seats.items():
        facing = seats.get(opposite(seat))
        if facing is None or (facing is side) != (len(seats) == 4):
            raise ContradictionError(
                "seats",
                expected="opponents opposite in singles, partners in doubles",
                got=dict(seats),
            )


def _check_counts(state: State, laws: Laws) -> None:
    total = laws.ruleset.pieces
    for where, counts in (("on_board", state.on_board), ("pocketed", state.pocketed)):
        for kind, count in counts.items():
            if kind not in total:
                raise ContradictionError(
                    where, expected=f"pieces of {laws.ruleset.value}", got=kind.value
                )
            if count < 0:
                raise ContradictionError(f"{where}.{kind.value}", expected="0 or more", got=count)
    holders = {Side(seat.value) for seat in state.seats} if laws.ruleset.three_players else set()
    if set(state.captured) != holders:
        expected = f"one table for each of {', '.join(sorted(holders)) or 'nobody'}"
        raise ContradictionError("captured", expected=expected, got=sorted(state.captured))
    for side, taken in state.captured.items():
        for kind, count in taken.items():
            if kind not in total or count < 0:
                raise ContradictionError(
                    f"captured.{side.value}", expected="0 or more", got=dict(taken)
                )
    for kind, number in total.items():
        if kind in (PieceKind.QUEEN, PieceKind.JACK) and not laws.ruleset.three_players:
            if state.on_board.get(kind, 0) > 1:
                raise ContradictionError(
                    f"on_board.{kind.value}", expected="at most 1", got=state.on_board[kind]
                )
            continue
        found = state.on_board.get(kind, 0) + state.pocketed.get(kind, 0)
        found += sum(taken.get(kind, 0) for taken in state.captured.values())
        if found != number:
            raise ContradictionError(
                f"{kind.value} on the board and in pockets", expected=f"{number} in all", got=found
            )


def _check_queen(state: State, laws: Laws) -> None:
    if laws.ruleset.hikone:
        if state.on_board.get(PieceKind.JACK, 0) != 1 and state.phase is Phase.PLAY:
            raise ContradictionError(
                "on_board.jack", expected="1", got=state.on_board.get(PieceKind.JACK, 0)
            )
        return
    if state.queen is None:
        raise ContradictionError("queen", expected="a state", got=None)
    on_board = state.on_board.get(PieceKind.QUEEN, 0)
    if (on_board == 1) != (state.queen.state is QueenStatus.ON_BOARD):
        raise ContradictionError(
            "queen",
            expected=f"a state that fits {on_board} on the board",
            got=state.queen.state.value,
        )
    if (state.queen.by is None) != (state.queen.state is QueenStatus.ON_BOARD):
        raise ContradictionError(
            "queen.by", expected="a side once she is pocketed", got=state.queen.by
        )
    _check_queen_holder(state, laws, state.queen)


def _check_queen_holder(state: State, laws: Laws, queen: QueenState) -> None:
    """Who has the queen is one of the sides, and a pending queen is that of the side on turn."""
    holders = set(state.seats.values())
    if queen.by is not None and queen.by not in holders:
        raise ContradictionError(
            "queen.by", expected=f"one of {sorted(holders)}", got=queen.by.value
        )
    if queen.pending and queen.by is not state.seats.get(state.turn) and state.phase is Phase.PLAY:
        raise ContradictionError("queen.by", expected="the side on turn", got=queen.by)
    family = (Ruleset.GAMERULES, Ruleset.POINT_GAMERULES)
    ineligible = queen.state is QueenStatus.POCKETED_INELIGIBLE
    if ineligible and laws.ruleset not in family:  # GR-14 alone keeps her until the turn ends
        raise ContradictionError(
            "queen.state", expected="no such state here", got=queen.state.value
        )
    for side, taken in state.captured.items():
        if (taken.get(PieceKind.QUEEN, 0) == 1) != (queen.by is side):
            raise ContradictionError(
                f"captured.{side.value}.queen",
                expected="1 for the side that has her",
                got=dict(taken),
            )


def _check_sides(name: str, values: Mapping[Side, int], holders: set[Side], *, exact: bool) -> None:
    if (exact and set(values) != holders) or not set(values) <= holders:
        raise ContradictionError(
            name, expected=f"one number for each of {', '.join(sorted(holders))}", got=dict(values)
        )
    for side, value in values.items():
        if value < 0:
            raise ContradictionError(f"{name}.{side.value}", expected="0 or more", got=value)
