"""The last seconds of a source as small JPEGs, so that memory stays flat however long it runs."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import cv2

from vision.arrays import Array
from vision.frames import Frame

__all__ = ["KeptFrame", "Ring"]


@dataclass(frozen=True, slots=True)
class KeptFrame:
    """``scale``: its pixels over those of the frame it was."""

    t_s: float
    jpeg: bytes
    width_px: int
    height_px: int
    scale: float


class Ring:
    """Keeps ``seconds`` of frames, none wider than ``width_px``, at most ``most_fps`` a second."""

    def __init__(
        self, *, seconds: float = 15.0, width_px: int = 1280, quality: int = 80,
        most_fps: float = 31.0,
    ) -> None:  # fmt: skip
        self._seconds, self._width = seconds, width_px
        self._quality, self._step_s = quality, 0.9 / most_fps
        self._frames: deque[KeptFrame] = deque()

    def put(self, frame: Frame) -> None:
        """Keep a frame; let go of those that are too old."""
        if self._frames and frame.t_s - self._frames[-1].t_s < self._step_s:
            return
        image, scale = _small(frame.image_bgr, self._width)
        done, data = cv2.imencode(".jpg", image, [int(cv2.IMWRITE_JPEG_QUALITY), self._quality])
        if done:
            height, width = image.shape[:2]
            self._frames.append(KeptFrame(frame.t_s, data.tobytes(), width, height, scale))
        while self._frames and self._frames[0].t_s < frame.t_s - self._seconds:
            self._frames.popleft()

    def between(self, t0_s: float, t1_s: float) -> list[KeptFrame]:
        """The frames of a stretch of time, as far as they are kept."""
        return [frame for frame in self._frames if t0_s <= frame.t_s <= t1_s]

    def nearest(self, t_s: float) -> KeptFrame | None:
        """The frame nearest to a time."""
        return min(self._frames, key=lambda frame: abs(frame.t_s - t_s), default=None)

    @property
    def size_bytes(self) -> int:
        """What the pictures take."""
        return sum(len(frame.jpeg) for frame in self._frames)


def _small(image: Array, width_px: int) -> tuple[Array, float]:
    """The picture with even sides, at most so wide, and how much smaller it is."""
    height, width = image.shape[:2]
    share = min(1.0, width_px / width)
    size = (max(2, round(width * share) // 2 * 2), max(2, round(height * share) // 2 * 2))
    if size == (width, height):
        return image, 1.0
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA), size[0] / width
