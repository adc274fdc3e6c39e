"""What the table must do next: part of every state, derived and never stored."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from carrom.seats import Seat, Side
from referee.clock import stroke_limit_s
from referee.laws import Laws
from referee.ruling import Action, BoardReason, GameStatus, QueenStatus, ReturnRow
from referee.state import ClockReading, Phase, State

__all__ = ["Decision", "StrikeFrom", "Task", "next_task"]


class StrikeFrom(StrEnum):
    """Where the next striker is placed."""

    TEE_SPOT = "tee_spot"  # HK-05
    AREA_LINE = "area_line"  # HK-07
    BASE_LINES = "base_lines"  # GR-07, SE-05


class Decision(StrEnum):
    """What a person has to decide before play goes on."""

    JANKEN = "janken"
    UMPIRE = "umpire"
    NEXT_BOARD = "next_board"
    TOSS_FOR_EXTRA_BOARD = "toss_for_extra_board"
    NEXT_GAME = "next_game"
    MATCH_IS_OVER = "match_is_over"


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """First ``restore_moved``, then ``returns`` in their order, then ``actions``; then either
    ``striker`` strikes or a person takes the ``decision``."""

    restore_moved: bool = False
    returns: tuple[ReturnRow, ...] = ()
    actions: tuple[Action, ...] = ()
    striker: Seat | None = None
    strike_from: StrikeFrom | None = None
    break_attempt: int | None = None
    """1 to 3 while the break is still to be made (GR-06, SE-11, ICF-18)."""
    must_cover: bool = False
    stroke_limit_s: float | None = None
    clock: ClockReading | None = None
    claimable: Side | None = None
    """The side whose plikt can be claimed before the next stroke (SE-26)."""
    points_on_demand: tuple[tuple[Side, int], ...] = ()
    decision: Decision | None = None


def next_task(state: State, laws: Laws, clock: ClockReading | None = None) -> Task:
    """What must be done now. ``clock``: what ``read_clock`` says at this moment, if one runs."""
    todo = Task(
        restore_moved=state.restore_moved,
        returns=state.due_back,
        actions=state.actions,
        points_on_demand=_on_demand(state),
        decision=_decision(state),
    )
    if todo.decision is not None:
        return todo
    side = state.seats[state.turn]
    uncovered = state.queen is not None and state.queen.state is QueenStatus.POCKETED_UNCOVERED
    return Task(
        restore_moved=todo.restore_moved,
        returns=todo.returns,
        actions=todo.actions,
        striker=state.turn,
        strike_from=_strike_from(state, laws),
        break_attempt=None if state.break_done else state.break_attempts + 1,
        must_cover=uncovered,
        stroke_limit_s=stroke_limit_s(state, laws, clock),
        clock=clock,
        claimable=side if state.pending_claim else None,
    )


def _strike_from(state: State, laws: Laws) -> StrikeFrom:
    if not laws.ruleset.hikone:
        return StrikeFrom.BASE_LINES
    return StrikeFrom.TEE_SPOT if state.turn in state.tee_shots_due else StrikeFrom.AREA_LINE


def _on_demand(state: State) -> tuple[tuple[Side, int], ...]:
    board = state.last_board
    return () if board is None or not board.on_demand else tuple(board.on_demand.items())


def _decision(state: State) -> Decision | None:
    if state.phase is Phase.PLAY:
        return None
    if state.phase is Phase.NEEDS_HUMAN:
        janken = state.last_board is not None and state.last_board.reason is BoardReason.JANKEN
        return Decision.JANKEN if janken else Decision.UMPIRE
    if state.phase is Phase.BOARD_OVER:
        extra = state.last_game is not None and state.last_game.status is GameStatus.EXTRA_BOARD
        return Decision.TOSS_FOR_EXTRA_BOARD if extra else Decision.NEXT_BOARD
    return Decision.NEXT_GAME if state.phase is Phase.GAME_OVER else Decision.MATCH_IS_OVER
