"""What a correction would change: everything after it is judged anew before it is accepted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from api.table.commands import run_command
from api.table.desk import Desk
from api.table.tell import call_of

__all__ = ["difference_of", "differences"]


def difference_of(desk: Desk, data: Mapping[str, Any], now_s: float) -> list[dict[str, Any]]:
    """The rows that a command would change; the desk stays as it is. Raises as the command does."""
    other = desk.as_of(desk.seq)
    run_command(other, data, now_s)
    return differences(desk, other)


def differences(desk: Desk, other: Desk) -> list[dict[str, Any]]:
    """Calls by number, then score, dues, discs on the board and turn, where they differ."""
    laws = desk.match.laws
    was = {record.id: call_of(record, laws) for record in desk.match.strokes}
    now = {record.id: call_of(record, laws) for record in other.match.strokes}
    out: list[dict[str, Any]] = []
    for stroke in dict.fromkeys([*was, *now]):
        before, after = was.get(stroke), now.get(stroke)
        if before is None or after is None or before["call"] != after["call"]:
            out.append(
                {
                    "n": (before or after or {})["n"],
                    "before": None if before is None else {"call": before["call"]},
                    "after": None if after is None else {"call": after["call"]},
                }
            )
    for name, mine, theirs in (
        ("score", _score(desk), _score(other)),
        ("debts", _debts(desk), _debts(other)),
        ("on_board", _on_board(desk), _on_board(other)),
        ("turn", desk.match.state.turn.value, other.match.state.turn.value),
    ):
        if mine != theirs:
            out.append({"what": name, "before": mine, "after": theirs})
    return out


def _score(desk: Desk) -> dict[str, int]:
    return {side.value: points for side, points in desk.match.state.score.items()}


def _on_board(desk: Desk) -> dict[str, int]:
    return {kind.value: count for kind, count in desk.match.state.on_board.items()}


def _debts(desk: Desk) -> dict[str, int]:
    return {side.value: count for side, count in desk.match.state.debts.items()}
