"""A source read by a thread of its own: the one file of this package with threads.

Live sources: the newest frame only, lost ones are opened again. Files: every frame, and the thread
waits for whoever takes them.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from threading import Condition, Event, Thread

from carrom.errors import CarromError, SourceError, SourceTimeoutError
from vision.frames import Frame, FrameSource, SourceInfo, SourceKind
from vision.sources.backoff import Backoff
from vision.sources.frozen import FrozenWatch
from vision.sources.reader_state import ReaderCounters, ReaderState

__all__ = ["FrameReader"]

_READ_S = 1.0
_JOIN_S = 0.4
_MOST_HANGING = 3


class FrameReader:
    """A ``FrameSource`` over another one; one thread reads it, any may ``close`` it.

    ``open_source`` opens the same source each time. ``queue``: frames kept of a file. A live source
    that is silent for ``silent_s`` is closed and opened again; a thread that shows no sign of life
    for ``hang_s`` is abandoned and another one tries. ``wait``: waits for an event, or so many
    seconds; with ``clock`` it lets tests do without real time.
    """

    def __init__(
        self,
        open_source: Callable[[], FrameSource],
        *,
        live: bool,
        name: str = "source",
        queue: int = 8,
        silent_s: float = 5.0,
        hang_s: float = 15.0,
        open_s: float = 20.0,
        backoff: Backoff | None = None,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[Event, float], bool] = Event.wait,
    ) -> None:
        self.live, self.name = live, name
        self.counters = ReaderCounters()
        self.state = ReaderState.OPENING
        self.trouble = ""
        self._open_source, self._clock, self._wait = open_source, clock, wait
        self._capacity = 1 if live else max(1, queue)
        self._silent_s, self._hang_s, self._open_s = silent_s, hang_s, open_s
        self._backoff = backoff if backoff is not None else Backoff()
        self._change = Condition()
        self._frames: deque[Frame] = deque()
        self._error: BaseException | None = None
        self._info: SourceInfo | None = None
        self._timeline = _Joints()
        self._held = False
        self._hanging: list[Thread] = []
        self._worker = _Worker(self, self._clock())
        self._worker.thread.start()

    # -- the consumer's side

    @property
    def info(self) -> SourceInfo:
        """What is delivered; waits until the source is open. Raises what opening it raised."""
        until_s = time.monotonic() + self._open_s
        with self._change:
            while self._info is None:
                if self._error is not None:
                    raise self._error
                left_s = until_s - time.monotonic()
                if left_s <= 0 or self.state is ReaderState.CLOSED:
                    raise SourceTimeoutError(self.name, "is not open yet")
                self._change.wait(min(left_s, 0.5))
            return self._info

    def read(self, timeout_s: float = 3.0) -> Frame | None:
        """The newest frame not taken yet (live) or the next one (file); ``None`` at the end.

        ``SourceTimeoutError``: none came in time, or the source is lost and is being looked for.
        Whatever else the thread met is raised here.
        """
        until_s = time.monotonic() + timeout_s
        while True:
            with self._change:
                if self._frames:
                    frame = self._frames.popleft()
                    self.counters.delivered += 1
                    self._change.notify_all()
                    return frame
                if self._error is not None:
                    raise self._error
                if self.state in (ReaderState.ENDED, ReaderState.CLOSED):
                    return None
                left_s = until_s - time.monotonic()
                if left_s <= 0:
                    raise SourceTimeoutError(self.name, self.trouble or "no picture in time")
                self._change.wait(min(left_s, 0.25))
            self._look_after_thread()

    def _look_after_thread(self) -> None:
        """Leave a thread that hangs in a driver to itself and try with another."""
        worker = self._worker
        if not self.live or self._clock() - worker.alive_s < self._hang_s:
            return
        with self._change:
            if worker is not self._worker or self.state is ReaderState.CLOSED:
                return
            worker.stop.set()
            self._hanging = [one for one in self._hanging if one.is_alive()] + [worker.thread]
            self.counters.abandoned += 1
            self.counters.lost += 1
            self._lose("hangs in its driver")
            if len(self._hanging) >= _MOST_HANGING:
                why = "hangs in its driver again and again; unplug it"
                self._error = SourceError(self.name, why)
                self.state = ReaderState.FAILED
                return
            self._worker = _Worker(self, self._clock())
            self._worker.thread.start()

    def hold_picture(self) -> tuple[str, ...]:
        """Lock exposure, focus and white balance where the source can, now and whenever it is
        opened again; what cannot be locked."""
        self._held = True
        lock = getattr(self._worker.source, "lock", None)
        return tuple(lock()) if callable(lock) else ()

    def close(self) -> None:
        """Let go within a second; a thread that does not end in time is abandoned and counted."""
        with self._change:
            if self.state is ReaderState.CLOSED:
                return
            self.state = ReaderState.CLOSED
            self._frames.clear()
            worker = self._worker
            worker.stop.set()
            self._change.notify_all()
        if worker.source is not None:
            worker.source.close()
        worker.thread.join(_JOIN_S)
        if worker.thread.is_alive():
            self.counters.abandoned += 1

    # -- the thread's side: every call names the worker, those of abandoned ones have no effect

    def _lose(self, reason: str) -> None:
        self.trouble, self.state = reason, ReaderState.LOST
        self._timeline.cut(self._clock())

    def lost(self, worker: _Worker, reason: str) -> None:
        """The source gives no more frames; it will be opened again."""
        with self._change:
            if worker is self._worker and self.state is not ReaderState.CLOSED:
                self.counters.lost += self.state is not ReaderState.LOST
                self._lose(reason)
                self._change.notify_all()

    def opened(self, worker: _Worker, info: SourceInfo) -> None:
        """The source is open, perhaps again."""
        with self._change:
            if worker is not self._worker or self.state is ReaderState.CLOSED:
                return
            self.counters.reconnects += self._info is not None
            self._info = info
            self._change.notify_all()

    def put(self, worker: _Worker, frame: Frame) -> bool:
        """Hand a frame over; False when nobody wants more of this worker."""
        with self._change:
            while (
                not self.live
                and len(self._frames) >= self._capacity
                and not worker.stop.is_set()
            ):  # fmt: skip
                self._change.wait(0.25)
            if worker is not self._worker or worker.stop.is_set():
                return False
            frame = self._timeline.joined(frame, self._clock())
            if len(self._frames) >= self._capacity:
                older = self._frames.popleft()
                frame = replace(frame, rejoined=frame.rejoined or older.rejoined)
                self.counters.dropped += 1
            self._frames.append(frame)
            self.counters.frames += 1
            self.counters.damaged += frame.damaged
            self.counters.frozen += frame.frozen
            self.state, self.trouble = ReaderState.LIVE, ""
            self._backoff.reset()
            self._change.notify_all()
        return True

    def ended(self, worker: _Worker, info: SourceInfo | None, error: BaseException | None) -> None:
        """Nothing more will come: the end, or an error for the consumer."""
        with self._change:
            if worker is not self._worker or self.state is ReaderState.CLOSED:
                return
            self._info = info if info is not None else self._info
            self._error = error
            self.state = ReaderState.ENDED if error is None else ReaderState.FAILED
            self._change.notify_all()

    @property
    def seen_open(self) -> bool:
        """It has been open at least once."""
        return self._info is not None

    def open_anew(self) -> FrameSource:
        """Open the source, with its picture held if that was asked for."""
        source = self._open_source()
        lock = getattr(source, "lock", None)
        if self._held and callable(lock):
            lock()
        return source

    def rest(self, worker: _Worker) -> None:
        """Wait before the next try."""
        wait_s = self._backoff.next_s()
        worker.alive_s = self._clock() + wait_s
        self._wait(worker.stop, wait_s)

    def silent(self, since_s: float) -> bool:
        """A live source has been silent for too long."""
        return self._clock() - since_s >= self._silent_s

    def now_s(self) -> float:
        """The clock."""
        return self._clock()


class _Worker:
    """One thread's life: open, read, lose, open again."""

    def __init__(self, reader: FrameReader, now_s: float) -> None:
        self.reader = reader
        self.stop = Event()
        self.alive_s = now_s
        self.source: FrameSource | None = None
        self.thread = Thread(target=self._run, name=f"frames of {reader.name}", daemon=True)

    def _run(self) -> None:
        try:
            while not self.stop.is_set():
                self.alive_s = self.reader.now_s()
                if self._open() and self._read_all():
                    return
                if not self.stop.is_set():
                    self.reader.rest(self)
        except Exception as error:
            self.reader.ended(self, None, error)
        finally:
            self._let_go()

    def _open(self) -> bool:
        """True with an open source. Only one that has been open before is tried again."""
        try:
            self.source = self.reader.open_anew()
        except CarromError as error:
            self.reader.counters.failed_openings += 1
            if not (self.reader.live and self.reader.seen_open):
                raise
            self.reader.lost(self, str(error))
            return False
        self.reader.opened(self, self.source.info)
        return True

    def _read_all(self) -> bool:
        """True when all is over, False when the source has been lost."""
        source, reader = self.source, self.reader
        assert source is not None
        watch = FrozenWatch(source.info.kind)
        last_s = reader.now_s()
        while not self.stop.is_set():
            self.alive_s = reader.now_s()
            try:
                frame = source.read(_READ_S)
            except SourceTimeoutError as error:
                reader.counters.timeouts += 1
                if reader.live and not reader.silent(last_s):
                    continue
                return self._lost(error)
            except SourceError as error:
                return self._lost(error)
            if frame is None:
                if reader.live and source.info.kind is not SourceKind.SIMULATED:
                    return self.stop.is_set() or self._lost(SourceError(reader.name, "ended"))
                reader.ended(self, source.info, None)
                return True
            last_s = reader.now_s()
            if watch.of(frame):
                frame = replace(frame, frozen=True)
            if not reader.put(self, frame):
                return True
        return True

    def _lost(self, error: SourceError) -> bool:
        if not self.reader.live:
            raise error
        self.reader.lost(self, error.reason)
        self._let_go()
        return False

    def _let_go(self) -> None:
        source, self.source = self.source, None
        if source is not None:
            source.close()


class _Joints:
    """One count of seconds and frames over a source that was lost and found again."""

    def __init__(self) -> None:
        self._last: Frame | None = None
        self._last_at_s = 0.0
        self._shift_s, self._shift = 0.0, 0
        self._cut = False

    def cut(self, now_s: float) -> None:
        """The source was lost."""
        self._cut = self._last is not None

    def joined(self, frame: Frame, now_s: float) -> Frame:
        """The frame with its place in the whole."""
        last = self._last
        if last is not None and self._cut:
            away_s = max(now_s - self._last_at_s, 1e-3)
            if frame.t_s + self._shift_s <= last.t_s:
                self._shift_s = last.t_s + away_s - frame.t_s
            if frame.seq + self._shift <= last.seq:
                self._shift = last.seq + 1 - frame.seq
        out = replace(
            frame, t_s=frame.t_s + self._shift_s, seq=frame.seq + self._shift,
            rejoined=frame.rejoined or self._cut,
        )  # fmt: skip
        self._cut = False
        self._last, self._last_at_s = replace(out, image_bgr=out.image_bgr[:0]), now_s
        return out
