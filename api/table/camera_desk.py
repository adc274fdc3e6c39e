"""The camera of a table: which source, where its board lies, what is masked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from api.sources import choose_source
from api.table.camera_thread import CameraThread
from api.table.event_log import EventLog
from api.table.meter import Meter
from api.table.seat_finder import EVERYWHERE
from api.table.snapshot import camera_calibration
from carrom.errors import CarromError, MatchError, SchemaError
from carrom.seats import Seat
from referee.laws import Laws
from vision.frames import Frame
from vision.pipeline import LiveTable, Pipeline
from vision.seen import BoardSeen
from vision.sources.pushed import PushedFrames
from vision.table_events import Calibrated, TableEvent
from vision.watching.watcher import Mask

__all__ = ["CameraDesk", "MakesPipelines", "TakesSight"]

_SLOW_FPS = 12.0


class MakesPipelines(Protocol):
    """Makes what follows a table; slow (models are read), so never under a lock."""

    def __call__(
        self, laws: Laws, seats: tuple[Seat, ...], *, board: BoardSeen | None = None
    ) -> Pipeline:
        """A pipeline for these laws and seats, with a saved board."""
        ...


class TakesSight(Protocol):
    """Who is told what the camera sees; called from the camera's thread."""

    def take_frame(self, frame: Frame, live: LiveTable, events: tuple[TableEvent, ...]) -> None:
        """A frame and what became certain with it."""
        ...

    def take_trouble(self, state: str, reason: str) -> None:
        """The camera's state has changed."""
        ...


class CameraDesk:
    """Opens and closes; one camera at a time. Safe for several threads; its methods must not be
    called by somebody who holds a lock that ``taker`` needs."""

    def __init__(
        self,
        log: EventLog,
        taker: TakesSight,
        *,
        pipeline: MakesPipelines,
        files: bool,
        clock: Callable[[], float],
        meter: Meter | None = None,
    ) -> None:
        self._log, self._taker, self._make = log, taker, pipeline
        self._files, self._clock, self._meter = files, clock, meter
        self._turning = threading.Lock()
        self._link: _Link | None = None
        self._thread: CameraThread | None = None
        self.phone = PushedFrames()
        self.live: LiveTable | None = None
        self.source: str | None = None
        self.offset_s = 0.0
        self._frame_s: float | None = None
        self._masks = [Mask(*row) for row in log.recall("masks") or ()]

    @property
    def is_open(self) -> bool:
        """Whether a source is in use."""
        return self._link is not None

    @property
    def frame_age_s(self) -> float:
        """Since the newest frame that was followed; 0 without a camera."""
        return 0.0 if self._frame_s is None else max(0.0, self._clock() - self._frame_s)

    def open(self, source: str, laws: Laws, seats: tuple[Seat, ...]) -> None:
        """Use a source; raises ``SourceError`` for one that cannot be meant."""
        choice = choose_source(source, phone=self.phone, files=self._files)
        with self._turning:
            self._close()
            around = EVERYWHERE if len(seats) == 2 else seats
            pipeline = self._make(laws, around, board=self._saved_board(choice.shown))
            pipeline.masks = self._masks
            self.source = source
            self._link = _Link(self, choice.shown)
            self._thread = CameraThread(
                choice.reader(), pipeline, self._link, clock=self._clock, meter=self._meter
            )

    def close(self) -> None:
        """Let go of the source."""
        with self._turning:
            self._close()

    def _close(self) -> None:
        thread, self._thread, self._link = self._thread, None, None
        if thread is not None:
            thread.close()
        self.live, self.source, self.offset_s, self._frame_s = None, None, 0.0, None

    def calibrate(self, corners_px: Sequence[tuple[float, float]] | None, *, turn: int) -> None:
        """Find the board again, or take it to be at these corners, with the next frame."""
        thread = self._thread
        if thread is None:
            raise MatchError("no camera is open")
        if corners_px is not None and len(corners_px) != 4:
            raise SchemaError("corners_px", expected="four corners", got=len(corners_px))
        corners = None if corners_px is None else [(float(x), float(y)) for x, y in corners_px]
        thread.order(lambda pipeline: pipeline.calibrate(corners, turn=turn))

    def turn_by(self, quarters: int) -> None:
        """Have what lies East become South."""
        if self._thread is not None and quarters:
            self._thread.order(lambda pipeline: pipeline.turn_by(quarters))

    def mask(self, x_mm: float, y_mm: float, radius_mm: float) -> None:
        """Discs are no longer looked for there; kept for later."""
        self._masks = [*self._masks, Mask(x_mm, y_mm, radius_mm)]
        masks = self._masks
        self._log.remember("masks", [[m.x_mm, m.y_mm, m.radius_mm] for m in masks])
        if self._thread is not None:
            self._thread.order(lambda pipeline: setattr(pipeline, "masks", masks))

    def data(self) -> dict[str, Any]:
        """The key ``camera`` of the snapshot."""
        thread, live = self._thread, self.live
        if thread is None:
            empty: dict[str, Any] = {
                "state": "none",
                "source": None,
                "fps": 0.0,
                "size": None,
                "advice": [],
            }
            return empty | camera_calibration(None)
        state, info = thread.state, thread.state.info
        return {
            "state": state.state,
            "reason": state.reason,
            "source": None if info is None else {"kind": info.kind.value, "name": info.name},
            "fps": round(state.fps, 1),
            "dropped": state.dropped,
            "size": None if info is None else [info.width_px, info.height_px],
            "advice": _advice(thread, live),
            "notes": [] if info is None else list(info.notes),
        } | camera_calibration(None if live is None else live.board)

    def forward(self, link: _Link, frame: Frame, live: LiveTable, events: Any) -> None:
        """A frame of the camera that is in use goes on to the table; others are dropped."""
        for event in events:
            if isinstance(event, Calibrated):
                self._keep_board(link.shown, event.board)
        if link is self._link:
            self.live, self._frame_s = live, self._clock()
            self.offset_s = self._frame_s - frame.t_s
            self._taker.take_frame(frame, live, events)

    def trouble(self, link: _Link, state: str, reason: str) -> None:
        """Likewise the camera's state."""
        if link is self._link:
            self._taker.take_trouble(state, reason)

    def _keep_board(self, shown: str, board: BoardSeen) -> None:
        from vision.calibration_file import calibration_to_toml

        self._log.remember(f"board {shown}", calibration_to_toml(board))

    def _saved_board(self, shown: str) -> BoardSeen | None:
        from vision.calibration_file import calibration_from_toml

        kept = self._log.recall(f"board {shown}")
        try:
            return None if kept is None else calibration_from_toml(kept)
        except CarromError:
            return None  # of an older version: found again by itself


def _advice(thread: CameraThread, live: LiveTable | None) -> list[str]:
    """What would help the camera; pictures that are followed too seldom miss strokes."""
    out = [] if live is None else list(live.reasons)
    if thread.state.state == "live" and 0.0 < thread.state.fps < _SLOW_FPS:
        out.append("low_fps")
    return out


class _Link:
    """Between one camera's thread and the desk, so that a camera let go of is not heard."""

    def __init__(self, desk: CameraDesk, shown: str) -> None:
        self._desk, self.shown = desk, shown

    def take_frame(self, frame: Frame, live: LiveTable, events: tuple[TableEvent, ...]) -> None:
        self._desk.forward(self, frame, live, events)

    def take_trouble(self, state: str, reason: str) -> None:
        self._desk.trouble(self, state, reason)
