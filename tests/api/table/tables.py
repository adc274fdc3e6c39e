"""Tables without a camera for the tests of the table service."""

from __future__ import annotations

from typing import Any

from api.table.memory_log import MemoryLog
from api.table.table_service import TableService

__all__ = ["PLAYERS", "begin", "miss", "tell"]

PLAYERS = {
    "icf": {"S": "Asha", "N": "Bo"},
    "gamerules": {"S": "Asha", "N": "Bo"},
    "carrom_se": {"S": "Asha", "N": "Bo"},
    "hikone": {"S": "Asha", "N": "Bo"},
    "point_gamerules": {"S": "Asha", "E": "Bo", "N": "Cy"},
    "point_carrom_se": {"S": "Asha", "E": "Bo", "N": "Cy"},
}


class Clock:
    """Seconds that a test sets."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def begin(rules: str = "icf", *, log: MemoryLog | None = None, **more: Any) -> TableService:
    """A table with a fresh match."""
    table = TableService(log if log is not None else MemoryLog(), clock=Clock())
    table.new_match({"rules": rules, "players": PLAYERS[rules], "opener": "S", **more})
    return table


def tell(table: TableService, do: str, **more: Any) -> dict[str, Any]:
    """A command by somebody who knows the latest event."""
    data = {"seq": table.snapshot()["seq"], **more, "do": do}
    return table.command(data, actor="test")


def miss(table: TableService, **more: Any) -> dict[str, Any]:
    """The seat on turn strikes and nothing falls."""
    seat = table.snapshot()["state"]["turn"]
    first = "red" if table.snapshot()["match"]["board"] == "hikone" else "white"
    outcome = {"seat": seat, "pocketed": [], "striker": "ok", "first": first} | more
    return tell(table, "stroke", outcome=outcome)
