"""The end of a board: points, totals, and whether the game is over."""

from __future__ import annotations

from collections.abc import Mapping

from carrom.pieces import PieceKind
from carrom.seats import Side
from referee.draft import Clauses, Draft
from referee.laws import GameNumbers, Ruleset
from referee.ruling import (
    BoardReason,
    BoardRuling,
    BoardStatus,
    GameRuling,
    GameStatus,
    QueenState,
    QueenStatus,
)

__all__ = ["close_board", "close_point_board", "game_after", "point_totals"]

_GAME_CLAUSES: Mapping[Ruleset, tuple[Clauses, Clauses]] = {
    Ruleset.GAMERULES: (("GR-31",), ("GR-31", "GR-32")),
    Ruleset.CARROM_SE: (("SE-22",), ("SE-22", "SE-45")),
    Ruleset.ICF: (("ICF-29",), ("ICF-29",)),
    Ruleset.POINT_GAMERULES: (("PT-08",), ("PT-08", "GR-32")),
    Ruleset.POINT_CARROM_SE: (("PT-14",), ("PT-14",)),
}
"""Clauses that end a game, and those that ask for an extra board."""


def close_board(
    draft: Draft,
    winner: Side,
    points: int,
    *,
    reason: BoardReason,
    clauses: Clauses,
    on_demand: int = 0,
) -> None:
    """Two sides: the winner scores ``points``, the loser nothing; ``on_demand`` more if he asks."""
    scored = {side: points if side is winner else 0 for side in draft.state.debts}
    _close(draft, winner, scored, reason=reason, clauses=clauses, on_demand=on_demand)


def close_point_board(draft: Draft, clauses: Clauses) -> None:
    """Three players: everybody scores what he has captured (PT-02, PT-11).

    A tie for most points in the board has no winner; only the totals matter (PT-08, PT-14).
    """
    points = point_totals(draft.captured, draft.queen, draft.laws.numbers)
    draft.board_points = points
    best = max(points.values())
    leaders = [side for side, value in points.items() if value == best]
    winner = leaders[0] if len(leaders) == 1 else None
    _close(draft, winner, points, reason=BoardReason.BOARD_CLEARED, clauses=clauses, on_demand=0)


def _close(
    draft: Draft,
    winner: Side | None,
    points: Mapping[Side, int],
    *,
    reason: BoardReason,
    clauses: Clauses,
    on_demand: int,
) -> None:
    score = {side: draft.state.score.get(side, 0) + value for side, value in points.items()}
    draft.score = score
    draft.end_board(
        BoardRuling(
            status=BoardStatus.OVER,
            winner=winner,
            points=points,
            reason=reason,
            on_demand={winner: on_demand} if on_demand and winner is not None else None,
            clauses=clauses,
        )
    )
    draft.game = game_after(draft.laws.ruleset, draft.laws.numbers, score, draft.state.board_number)


def game_after(
    ruleset: Ruleset, numbers: GameNumbers, score: Mapping[Side, int], board_number: int
) -> GameRuling:
    """The game once a board has been scored (GR-31, SE-22, ICF-29, PT-08, PT-14)."""
    ends, extra = _GAME_CLAUSES[ruleset]
    best = max(score.values())
    leaders = [side for side, total in score.items() if total == best]
    single = numbers.boards is None  # one board is the game
    reached = numbers.target_points is not None and best >= numbers.target_points
    if not single and not reached and numbers.boards is not None and board_number < numbers.boards:
        return GameRuling(status=GameStatus.ONGOING, clauses=ends)
    if len(leaders) == 1:
        return GameRuling(status=GameStatus.OVER, winner=leaders[0], clauses=ends)
    if single:
        return GameRuling(status=GameStatus.OVER, winner=None, clauses=ends)
    return GameRuling(status=GameStatus.EXTRA_BOARD, clauses=extra)


def point_totals(
    captured: Mapping[Side, Mapping[PieceKind, int]],
    queen: QueenState | None,
    numbers: GameNumbers,
) -> dict[Side, int]:
    """Points captured in this board so far; a queen that is still to be covered counts nothing."""
    totals = {}
    for side, taken in captured.items():
        value = sum(points * taken.get(kind, 0) for kind, points in numbers.man_points.items())
        if queen is not None and queen.state is QueenStatus.COVERED and queen.by is side:
            value += numbers.queen_points
        totals[side] = value
    return totals
