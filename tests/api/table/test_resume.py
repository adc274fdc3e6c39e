"""The log is the truth: killed at any moment, the table comes back to the same state."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api.table.event_log import MatchMeta, Row
from api.table.memory_log import MemoryLog
from api.table.table_service import TableService
from carrom.errors import CarromError
from tests.api.table.tables import begin, tell


def _random_command(table: TableService, rng: random.Random) -> None:
    """Something that a person might do; what the laws refuse changes nothing."""
    shown = table.snapshot()
    turn = shown["state"]["turn"]
    number = len(shown["calls"])
    kinds = [kind for kind, left in shown["state"]["on_board"].items() if left]
    fell = [{"piece": rng.choice(kinds), "pocket": "NE"}] if kinds and rng.random() < 0.6 else []
    striker = "pocketed" if rng.random() < 0.15 else "ok"
    outcome = {"seat": turn, "pocketed": fell, "striker": striker}
    options = [
        ("stroke", {"outcome": outcome}),
        ("stroke", {"outcome": outcome}),
        ("undo", {}),
        ("redo", {}),
        ("amend", {"stroke": rng.randint(1, max(1, number)), "outcome": outcome}),
        ("delete", {"stroke": rng.randint(1, max(1, number))}),
        ("next_board", {}),
        ("mode", {"mode": rng.choice(["casual", "tournament"])}),
        ("clock", {"run": rng.random() < 0.5}),
    ]
    do, more = rng.choice(options)
    try:
        tell(table, do, **more)
    except CarromError:
        return


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["icf", "hikone", "point_gamerules"]))
def test_any_play_is_the_same_after_a_restart(seed: int, rules: str) -> None:
    """Two tables over one log are the same table: state, calls, mode, what may be undone."""
    log, rng = MemoryLog(), random.Random(seed)
    table = begin(rules, log=log)
    for _ in range(25):
        _random_command(table, rng)
    again = TableService(log)
    mine, theirs = table.snapshot(), again.snapshot()
    for key in ("seq", "state", "match", "calls", "questions", "undo", "redo"):
        assert mine[key] == theirs[key], key


def test_every_prefix_of_a_log_is_a_table() -> None:
    """A crash may come between any two rows."""
    log, rng = MemoryLog(), random.Random(4)
    table = begin("icf", log=log)
    for _ in range(30):
        _random_command(table, rng)
    match_id = table.snapshot()["match"]["id"]
    rows = log.load(match_id)
    meta = log.matches()[0]
    for length in range(1, len(rows) + 1):
        part = MemoryLog()
        part.create(meta)
        part.append(match_id, rows[:length])
        assert TableService(part).snapshot()["seq"] == length


def test_a_log_that_cannot_be_written_leaves_the_table_as_it_was() -> None:
    """Disk full: the stroke is refused, nothing that was kept is lost, and later ones count."""

    class FullLog(MemoryLog):
        full = False

        def append(self, match_id: str, rows) -> None:  # type: ignore[no-untyped-def]
            if self.full:
                raise CarromError("disk full")
            super().append(match_id, rows)

    log = FullLog()
    table = begin(log=log)
    before = table.snapshot()
    log.full = True
    outcome = {"seat": "S", "pocketed": []}
    with pytest.raises(CarromError, match="disk full"):
        tell(table, "stroke", outcome=outcome)
    assert table.snapshot()["state"] == before["state"]
    log.full = False
    assert tell(table, "stroke", outcome=outcome)["seq"] == before["seq"] + 1


def test_a_match_that_cannot_be_read_does_not_stop_the_table() -> None:
    """A damaged log is told when somebody asks for that match; others can be played."""
    log = MemoryLog()
    log.create(MatchMeta("bad", "icf", "", "2026-12-01T10:00:00Z", {"S": "Asha", "N": "Bo"}))
    log.append("bad", [Row(1, "match", '{"torn": ', "table", "2026-12-01T10:00:00Z")])
    table = TableService(log)
    assert table.snapshot()["match"] is None
    with pytest.raises(CarromError):
        table.resume_match("bad")
    table.new_match({"rules": "icf", "players": {"S": "Asha", "N": "Bo"}})
    assert table.snapshot()["match"]["rules"] == "icf"
