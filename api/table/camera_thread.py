"""The thread that owns a camera: frames to the pipeline, events to the table, watch over both."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from api.table.meter import Meter, NoMeter
from carrom.errors import CarromError, SourceError, SourceTimeoutError
from vision.frames import Frame, SourceInfo
from vision.pipeline import LiveTable, Pipeline
from vision.sources.reader import FrameReader
from vision.table_events import Sight, SightChanged, TableEvent

__all__ = ["CameraState", "CameraThread", "TakesFrames"]

_STALE_S = 2.0
_READ_S = 0.5


class TakesFrames(Protocol):
    """Who is told what the camera sees; called from the camera's thread."""

    def take_frame(self, frame: Frame, live: LiveTable, events: tuple[TableEvent, ...]) -> None:
        """A frame and what became certain with it."""
        ...

    def take_trouble(self, state: str, reason: str) -> None:
        """The camera's state has changed (``CameraState.state``)."""
        ...


@dataclass(slots=True)
class CameraState:
    """``state``: opening, live, stale, lost, ended; ``fps``: frames a second that were followed;
    ``dropped``: frames that came too fast."""

    state: str = "opening"
    info: SourceInfo | None = None
    reason: str = ""
    fps: float = 0.0
    dropped: int = 0


class CameraThread:
    """Follows one source until it ends or is closed."""

    def __init__(
        self,
        reader: FrameReader,
        pipeline: Pipeline,
        taker: TakesFrames,
        *,
        clock: Callable[[], float] = time.monotonic,
        meter: Meter | None = None,
    ) -> None:
        self.pipeline, self.state = pipeline, CameraState()
        self._meter = meter or NoMeter()
        self._reader, self._taker, self._clock = reader, taker, clock
        self._closing = threading.Event()
        self._orders: deque[Callable[[Pipeline], None]] = deque()
        self._times: deque[float] = deque(maxlen=60)
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    def order(self, what: Callable[[Pipeline], None]) -> None:
        """Have something done to the pipeline, between two frames."""
        self._orders.append(what)

    def close(self) -> None:
        """Let go of the source; waits at most two seconds."""
        self._closing.set()
        self._reader.close()
        if threading.current_thread() is not self._thread:
            self._thread.join(2.0)

    def _run(self) -> None:
        try:
            self._follow()
        except CarromError as error:
            self._become("lost", str(error))
        except Exception as error:  # the loop that owns the thread: nothing may kill the table
            self._become("lost", f"{type(error).__name__}: {error}")

    def _follow(self) -> None:
        heard_s, last_seq = self._clock(), -1
        while not self._closing.is_set():
            try:
                frame = self._reader.read(_READ_S)
            except SourceTimeoutError as error:
                if self._clock() - heard_s > _STALE_S:
                    self._become(
                        "stale" if self.state.state == "live" else self.state.state, str(error)
                    )
                continue
            except SourceError as error:
                self._become("lost", str(error))
                return
            if frame is None:
                for_end = self.pipeline.finish()
                if for_end and not self._closing.is_set():
                    self._end(for_end)
                self._become("ended", "")
                return
            heard_s = self._clock()
            if self.state.info is None:
                self.state.info = self._reader.info
            left_out = max(0, frame.seq - last_seq - 1) if last_seq >= 0 else 0
            self.state.dropped += left_out
            last_seq = frame.seq
            self._meter.frame_in(1 + left_out)
            self._meter.dropped(left_out)
            self._take(frame)

    def _take(self, frame: Frame) -> None:
        while self._orders:
            self._orders.popleft()(self.pipeline)
        begun_s = time.perf_counter()
        events = self.pipeline.step(frame)
        followed_s = time.perf_counter()
        self._meter.frame_out()
        self._meter.stage("follow", followed_s - begun_s)
        if self.state.state in ("stale", "lost") or frame.rejoined:
            self._meter.reconnected()
            events = (SightChanged(t_s=frame.t_s, sight=Sight.GOOD, note="camera back"), *events)
        self._times.append(self._clock())
        span = self._times[-1] - self._times[0]
        self.state.fps = (len(self._times) - 1) / span if span > 0 else 0.0
        self._become("live", "")
        self._last = frame
        self._taker.take_frame(frame, self.pipeline.live, events)
        self._meter.stage("publish", time.perf_counter() - followed_s)

    def _end(self, events: tuple[TableEvent, ...]) -> None:
        self._taker.take_frame(self._last, self.pipeline.live, events)

    def _become(self, state: str, reason: str) -> None:
        if (state, reason) != (self.state.state, self.state.reason):
            self.state.state, self.state.reason = state, reason
            if not self._closing.is_set():
                self._taker.take_trouble(state, reason)
