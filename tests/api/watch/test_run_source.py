"""Live sources: what is told when they are lost, found, or end."""

import threading
from typing import Any

import pytest

from api.sources import SourceChoice
from api.watch import run_source
from api.watch.analysis import Analysis
from api.watch.ledger import Ledger
from api.watch.run_source import run_live
from carrom.boards import ICF_BOARD
from carrom.errors import SourceError
from carrom.seats import Seat
from referee.ruleset_files import load_laws
from tests.api.watch.scripted import ScriptedTable, board_seen, stroke
from vision.frames import Frame, FrameSource, SourceInfo, SourceKind

NAMES = {Seat.SOUTH: "Asha", Seat.NORTH: "Bo"}


class Camera:
    """Gives some frames, then its error, or the end."""

    def __init__(self, frames: list[Frame], kind: SourceKind, error: Exception | None) -> None:
        self.info = SourceInfo(kind, "usb:one", "one", 64, 48, live=True)
        self.frames, self.error = frames, error
        self.gone = threading.Event()

    def read(self, timeout_s: float = 3.0) -> Frame | None:
        self.gone.wait(0.01)  # so that the consumer is not overtaken
        if self.frames:
            return self.frames.pop(0)
        if self.error is not None:
            raise self.error
        return None

    def close(self) -> None:
        self.gone.set()


def _frame(k: int) -> Frame:
    import numpy as np

    return Frame(np.full((48, 64, 3), k, np.uint8), k * 0.1, k)


def test_lost_and_found_is_told_and_the_score_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unplugged in the middle of a match: it is said, nothing is lost, the match goes on."""
    monkeypatch.setattr(run_source, "_READ_S", 0.02)
    unplugged = SourceError("one", "unplugged")
    cameras: list[FrameSource] = [
        Camera([_frame(k) for k in range(4)], SourceKind.USB, unplugged),
        Camera([_frame(k) for k in range(4, 9)], SourceKind.SIMULATED, None),
    ]
    rows: list[dict[str, Any]] = []
    table = ScriptedTable({}, board=board_seen())
    ledger = Ledger(load_laws("icf"), NAMES)
    ledger.take(stroke(1, Seat.SOUTH))
    analysis = Analysis(table, ledger, ICF_BOARD, rows.append)
    choice = SourceChoice("usb:one", live=True, open=lambda: cameras.pop(0))
    info = run_live(choice, analysis, rows.append)
    names = [row["type"] for row in rows]
    assert names[0] == "source"
    assert names.index("camera_lost") < names.index("camera_back")
    assert "unplugged" in next(row["note"] for row in rows if row["type"] == "camera_lost")
    assert info.kind is SourceKind.SIMULATED
    assert analysis.pace.reconnects == 1
    assert table.finished == 1
    assert len(ledger.records) == 1


def test_camera_that_was_never_there() -> None:
    """An error at once, not an endless wait."""

    def missing() -> FrameSource:
        raise SourceError("usb:9", "not plugged in")

    analysis = Analysis(ScriptedTable({}), Ledger(load_laws("icf"), NAMES), ICF_BOARD, print)
    with pytest.raises(SourceError, match="not plugged in"):
        run_live(SourceChoice("usb:9", live=True, open=missing), analysis, print)
