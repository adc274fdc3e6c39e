"""A ruling in the words and keys of the scenario format (rules.md F.5, F.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carrom.pieces import PieceKind
from referee.laws import Laws
from referee.ruling import (
    BoardRuling,
    BoardStatus,
    GameRuling,
    GameStatus,
    QueenState,
    ReturnRow,
    Ruling,
)
from referee.state import State

__all__ = ["EXPECTED_KEYS", "view"]

EXPECTED_KEYS = (
    "fouls",
    "notices",
    "returns",
    "debts",
    "turn",
    "board",
    "queen",
    "after",
    "score",
    "game",
    "board_points",
    "restore_moved",
    "skip_next",
    "final_round",
    "strokes_left",
    "break_attempts",
    "break_done",
    "strokes_granted",
    "next_placement",
    "stack_bottom_to_top",
    "free_removal_allowed",
    "actions",
)


def view(state: State, ruling: Ruling, laws: Laws) -> dict[str, Any]:
    """Every key that a scenario's ``expected`` may hold, as plain data."""
    placement = ruling.next_placement
    return {
        "fouls": [call.foul.value for call in ruling.fouls],
        "notices": [notice.value for notice in ruling.notices],
        "returns": [_row(row) for row in ruling.returns],
        "debts": _by_side(ruling.debts),
        "turn": {
            "continues": ruling.turn.continues,
            "next": None if ruling.turn.next is None else ruling.turn.next.value,
        },
        "board": _board(ruling.board),
        "queen": _queen(ruling.queen),
        "after": _after(ruling, laws),
        "score": _by_side(ruling.score),
        "game": _game(ruling.game),
        "board_points": None if ruling.board_points is None else _by_side(ruling.board_points),
        "restore_moved": ruling.restore_moved,
        "skip_next": [seat.value for seat in ruling.skip_next],
        "final_round": ruling.final_round,
        "strokes_left": ruling.strokes_left,
        "break_attempts": ruling.break_attempts,
        "break_done": ruling.break_done,
        "strokes_granted": ruling.strokes_granted,
        "next_placement": None if placement is None else placement.value,
        "stack_bottom_to_top": [kind.value for kind in ruling.stack_bottom_to_top],
        "free_removal_allowed": ruling.free_removal_allowed,
        "actions": [
            {"action": todo.action, "piece": todo.piece.value, "where": todo.where}
            for todo in ruling.actions
        ],
    }


def _by_side(values: Mapping[Any, int]) -> dict[str, int]:
    return {str(side): value for side, value in values.items()}


def _row(row: ReturnRow) -> dict[str, Any]:
    return {
        "piece": row.piece.value,
        "count": row.count,
        "to": row.to.value,
        "by": str(row.by),
        "from": row.source.value,
        "reason": row.reason.value,
    }


def _board(board: BoardRuling) -> dict[str, Any]:
    out: dict[str, Any] = {"status": board.status.value}
    if board.status is BoardStatus.ONGOING:
        return out
    assert board.reason is not None
    if board.status is BoardStatus.OVER:
        out["winner"] = None if board.winner is None else board.winner.value
        out["points"] = None if board.points is None else _by_side(board.points)
    out["reason"] = board.reason.value
    if board.on_demand:
        out["on_demand"] = _by_side(board.on_demand)
    return out


def _queen(queen: QueenState | None) -> dict[str, Any] | None:
    if queen is None:
        return None
    return {"state": queen.state.value, "by": None if queen.by is None else queen.by.value}


def _game(game: GameRuling | None) -> dict[str, Any] | None:
    if game is None:
        return None
    out: dict[str, Any] = {"status": game.status.value}
    if game.status is GameStatus.OVER:
        out["winner"] = None if game.winner is None else game.winner.value
    return out


def _after(ruling: Ruling, laws: Laws) -> dict[str, Any]:
    kinds = laws.ruleset.pieces
    on_board = {kind.value: ruling.on_board.get(kind, 0) for kind in kinds}
    if laws.ruleset.three_players:
        captured = {
            side.value: {kind.value: taken.get(kind, 0) for kind in kinds}
            for side, taken in ruling.captured.items()
        }
        return {"on_board": on_board, "captured": captured}
    men = [kind for kind in kinds if kind not in (PieceKind.QUEEN, PieceKind.JACK)]
    pocketed = {kind.value: ruling.pocketed.get(kind, 0) for kind in men}
    return {"on_board": on_board, "pocketed": pocketed}
