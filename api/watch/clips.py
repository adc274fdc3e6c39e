"""A video of each stroke, the overlay burnt in, written beside the work."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import cv2
import numpy as np

from api.watch.overlay import StrokeOverlay
from api.watch.ring import KeptFrame, Ring
from carrom.errors import SourceError

__all__ = ["ClipWriter", "write_clip"]

_BEFORE_S, _AFTER_S = 1.0, 1.5
_WAITING = 3
_TICKS = 90_000


class ClipWriter:
    """Writes ``stroke_001.mp4`` and so on into a folder, one after the other, by a helper thread
    that is never more than three clips behind."""

    def __init__(self, folder: Path, ring: Ring) -> None:
        self._folder, self._ring = folder, ring
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="clips")
        self._waiting: deque[Future[None]] = deque()
        self._due: deque[tuple[float, int, StrokeOverlay]] = deque()

    def stroke(self, number: int, overlay: StrokeOverlay, now_s: float) -> None:
        """Write this stroke's clip once what comes right after it has been filmed too."""
        self._due.append((max(now_s, _end_of(overlay) + _AFTER_S), number, overlay))

    def tick(self, now_s: float) -> None:
        """Time has gone on."""
        while self._due and self._due[0][0] <= now_s:
            self._write(*self._due.popleft()[1:])

    def close(self) -> None:
        """Write what is due and wait for it. Raises what writing raised."""
        while self._due:
            self._write(*self._due.popleft()[1:])
        self._pool.shutdown(wait=True)
        for done in self._waiting:
            done.result()

    def _write(self, number: int, overlay: StrokeOverlay) -> None:
        while self._waiting and (self._waiting[0].done() or len(self._waiting) >= _WAITING):
            self._waiting.popleft().result()
        begin = overlay.seen.outcome.t_start_s
        begin = overlay.seen.t_s - 5.0 if begin is None else begin
        frames = self._ring.between(begin - _BEFORE_S, _end_of(overlay) + _AFTER_S)
        if frames:
            path = self._folder / f"stroke_{number:03d}.mp4"
            self._waiting.append(self._pool.submit(write_clip, path, frames, overlay))


def _end_of(overlay: StrokeOverlay) -> float:
    end = overlay.seen.outcome.t_end_s
    return overlay.seen.t_s if end is None else end


def write_clip(path: Path, frames: Sequence[KeptFrame], overlay: StrokeOverlay) -> None:
    """H.264 that every browser plays and can start before it has it all.

    Time stamps are those of the frames. Raises ``SourceError`` if the file cannot be written.
    """
    import av
    from av.error import FFmpegError

    size = (frames[0].width_px, frames[0].height_px)
    start_s = frames[0].t_s
    try:
        with av.open(str(path), "w", options={"movflags": "+faststart"}) as out:
            track = out.add_stream("libx264", options={"preset": "veryfast", "crf": "24"})
            track.width, track.height, track.pix_fmt = *size, "yuv420p"
            track.time_base = track.codec_context.time_base = Fraction(1, _TICKS)
            for kept in frames:
                if (kept.width_px, kept.height_px) != size:
                    continue
                image = cv2.imdecode(np.frombuffer(kept.jpeg, np.uint8), cv2.IMREAD_COLOR)
                if image is None:
                    continue
                drawn = overlay.draw(image, kept.t_s, kept.scale)
                shot = av.VideoFrame.from_ndarray(drawn, format="bgr24")
                shot.pts = round((kept.t_s - start_s) * _TICKS)
                shot.time_base = Fraction(1, _TICKS)
                out.mux(track.encode(shot))
            out.mux(track.encode())
    except (FFmpegError, OSError) as error:
        why = str(getattr(error, "strerror", None) or error)
        raise SourceError(str(path), f"the clip cannot be written: {why}") from error
