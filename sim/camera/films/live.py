"""A film as a camera would deliver it: frame after frame, until it ends or is closed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Event
from types import TracebackType

from carrom.errors import SchemaError
from sim.camera.arrays import Array
from sim.camera.films.film import Film, frame_times
from sim.camera.films.studio import Studio
from sim.camera.films.timeline import Timeline

__all__ = ["LiveFilm", "LiveFrame"]


@dataclass(frozen=True, slots=True)
class LiveFrame:
    """``t_s``: film seconds; ``image_bgr``: (h, w, 3) uint8, the caller's own."""

    t_s: float
    image_bgr: Array


class LiveFilm:
    """The frames of a match in their order, drawn one by one when they are asked for.

    ``fps``: frames a second of film time; ``start_s``: film seconds to begin at. ``real_time``:
    no frame is handed out before its time has come; a frame that is late comes at once, none is
    dropped. One thread iterates; any thread may ``close``. Raises ``SchemaError`` for times that
    cannot be meant.
    """

    def __init__(
        self,
        timeline: Timeline,
        studio: Studio,
        *,
        fps: float = 30.0,
        start_s: float = 0.0,
        real_time: bool = False,
    ) -> None:
        if not 0.1 <= fps <= 1000.0:
            raise SchemaError("fps", expected="0.1 to 1000", got=fps)
        if not 0.0 <= start_s <= timeline.duration_s:
            raise SchemaError("start_s", expected=f"0 to {timeline.duration_s:.3f}", got=start_s)
        self._film = Film(timeline, studio)
        self._start_s, self._real_time = start_s, real_time
        self._times = enumerate(frame_times(timeline.duration_s - start_s, fps=fps))
        self._begun_s: float | None = None
        self._closed = Event()
        self.fps = fps
        camera = studio.scene.camera
        self.size_px = (camera.width_px, camera.height_px)

    def __iter__(self) -> Iterator[LiveFrame]:
        return self

    def __next__(self) -> LiveFrame:
        if self._closed.is_set():
            raise StopIteration
        index, after_s = next(self._times)
        t_s = self._start_s + after_s
        image = self._film.frame(t_s, index, want_truth=False).image_bgr
        if self._real_time:
            self._wait_for(after_s)
        if self._closed.is_set():
            raise StopIteration
        return LiveFrame(t_s, image)

    def _wait_for(self, after_s: float) -> None:
        """Until ``after_s`` seconds have passed since the first frame, or ``close``."""
        now = time.monotonic()
        if self._begun_s is None:
            self._begun_s = now - after_s
        self._closed.wait(max(0.0, self._begun_s + after_s - now))

    @property
    def closed(self) -> bool:
        """True once ``close`` has been called."""
        return self._closed.is_set()

    def close(self) -> None:
        """End the iteration: no frame is handed out after this, and no wait goes on. Safe from any
        thread, and more than once."""
        self._closed.set()

    def __enter__(self) -> LiveFilm:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
