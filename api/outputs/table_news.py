"""From the table to its outputs: what is new in the log, and how the table stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from api.outputs.worker import Outputs

__all__ = ["TableNews", "standing_of"]

_STATE = (
    "phase",
    "turn",
    "board",
    "game",
    "score",
    "points_of",
    "games",
    "debts",
    "queen",
    "winner",
)


class TableNews:
    """Hears of every change of a table (``api.table.table_service.Listener``)."""

    def __init__(self, outputs: Outputs) -> None:
        self._outputs = outputs
        self._match: str | None = None
        self._seq = -1

    def changed(self, snapshot: Mapping[str, Any]) -> None:
        """Ring for new rows of the log; the standing is shown as it is now."""
        match = snapshot.get("match")
        ident = None if match is None else str(match["id"])
        if ident is not None and ident != self._match:
            self._outputs.watch(ident)
        elif snapshot["seq"] != self._seq:
            self._outputs.changed()
        self._match, self._seq = ident, snapshot["seq"]
        self._outputs.show(standing_of(snapshot))


def standing_of(snapshot: Mapping[str, Any]) -> dict[str, Any]:
    """What a hall wants to see of a table: who plays, how it stands, the last call, the camera."""
    match, state = snapshot.get("match"), snapshot.get("state") or {}
    calls = snapshot.get("calls") or []
    return {
        "seq": snapshot["seq"],
        "match": match,
        "state": {key: state[key] for key in _STATE if key in state},
        "call": calls[-1] if calls else None,
        "questions": len(snapshot.get("questions") or ()),
        "camera": snapshot["camera"]["state"],
    }
