"""The camera of a table: opened, let go of, broken; nobody waits for it and nothing is lost."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from api.table.memory_log import MemoryLog
from api.table.table_service import TableService
from carrom.errors import CarromError, MatchError, SourceError
from carrom.pieces import PieceKind
from tests.api.table.seen_strokes import LIVE, see, seen_stroke
from tests.api.table.tables import begin, tell
from vision.table_events import TableEvent


class _Following:
    """A pipeline that reports one stroke with its third frame."""

    def __init__(self) -> None:
        self.masks: list[Any] = []
        self.live, self.count = LIVE, 0

    def step(self, frame: Any) -> tuple[TableEvent, ...]:
        self.count += 1
        if self.count != 3:
            return ()
        stroke = seen_stroke(PieceKind.WHITE, start_s=frame.t_s, end_s=frame.t_s)
        return (stroke,)

    def finish(self) -> tuple[TableEvent, ...]:
        return ()

    def calibrate(self, corners_px: Any = None, *, turn: int = 0) -> None:
        self.count = -1000


def _table(log: MemoryLog | None = None) -> TableService:
    def made(laws: Any, seats: Any, *, board: Any = None) -> Any:
        return _Following()

    table = TableService(log or MemoryLog(), pipeline=made, files=True)
    table.new_match({"rules": "icf", "players": {"S": "Asha", "N": "Bo"}})
    return table


@pytest.fixture
def pictures(tmp_path: Any) -> str:
    """A folder of small pictures, as a camera."""
    import cv2
    import numpy as np

    for k in range(5):
        cv2.imwrite(str(tmp_path / f"{k}.png"), np.full((48, 64, 3), 40 * k, dtype=np.uint8))
    return str(tmp_path)


def _wait(table: TableService, done: Any) -> dict[str, Any]:
    viewer = table.subscribe()
    for _ in range(200):
        shown = table.snapshot()
        if done(shown):
            return shown
        viewer.next(0.05)
    raise AssertionError(table.snapshot()["camera"])


def test_frames_become_calls_with_a_replay(pictures: str) -> None:
    """From a source to a call, a spoken word, and the pictures of that stroke."""
    table = _table()
    viewer = table.subscribe()
    table.open_camera(pictures)
    shown = _wait(table, lambda one: one["camera"]["state"] == "ended")
    assert [call["n"] for call in shown["calls"]] == [1]
    assert shown["calls"][0]["clip"]
    assert table.replay(1)["frames"]
    assert table.replay_jpeg(1, 0)[:2] == b"\xff\xd8"
    item = viewer.next(0.1)
    assert item is not None
    assert item.say[-1]["text"]["en"]
    table.close()


def test_letting_go_leaves_manual_play_in_step(pictures: str) -> None:
    """What a camera saw before it was unplugged is not held against what people enter."""
    table = _table()
    table.open_camera(pictures)
    _wait(table, lambda one: one["camera"]["state"] == "ended")
    table.close_camera()
    shown = tell(table, "stroke", outcome={"seat": "S", "pocketed": [{"piece": "white"}]})
    assert shown["snapshot"]["table"]["in_step"]
    assert shown["snapshot"]["camera"]["state"] == "none"
    table.close()


def test_a_source_that_cannot_be_meant_changes_nothing() -> None:
    """A mistyped camera is said; the table goes on."""
    table = _table()
    with pytest.raises(SourceError):
        table.open_camera("no such file.mp4")
    with pytest.raises(MatchError):
        table.calibrate()
    assert table.snapshot()["camera"]["state"] == "none"


def test_many_threads_open_and_close_without_a_lock(pictures: str) -> None:
    """Two phones press the same button; nothing hangs, and one camera is left at most."""
    table = _table()

    def press(k: int) -> None:
        if k % 2:
            table.open_camera(pictures)
        else:
            table.close_camera()

    threads = [threading.Thread(target=press, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10.0)
    assert not any(thread.is_alive() for thread in threads)
    table.close()


def test_a_stroke_that_cannot_be_kept_waits_for_a_person() -> None:
    """Disk full while the camera watches: no call that a restart would forget, no lost stroke."""

    class FullLog(MemoryLog):
        full = False

        def append(self, match_id: str, rows: Any) -> None:
            if self.full:
                raise CarromError("disk full")
            super().append(match_id, rows)

    log = FullLog()
    table = begin(log=log)
    log.full = True
    see(table, seen_stroke(PieceKind.WHITE))
    shown = table.snapshot()
    assert shown["calls"] == []
    assert shown["problem"]["code"] == "not_kept"
    log.full = False
    outcome = shown["problem"]["outcome"]
    assert len(tell(table, "stroke", outcome=outcome)["snapshot"]["calls"]) == 1
    assert TableService(log).snapshot()["state"] == table.snapshot()["state"]


def test_a_correction_speaks_of_what_it_corrected_and_the_total() -> None:
    """Not the whole match again (speech after corrections, users.md)."""
    table = begin()
    for _ in range(3):
        tell(table, "stroke", outcome={"seat": "S", "pocketed": [{"piece": "white"}]})
    viewer = table.subscribe()
    tell(table, "amend", stroke=1, outcome={"seat": "S", "pocketed": []})
    item = viewer.next(0.1)
    assert item is not None
    assert [one["id"].split(".")[0] for one in item.say][1:] == ["total"]
    assert item.say[-1]["text"]["ja"] == "Asha 0, Bo 0"
