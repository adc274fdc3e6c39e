"""The last strokes as pictures: encoded once, bounded in bytes, with what was known beside each."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cv2

from carrom.errors import MatchError
from vision.arrays import Array

__all__ = ["Kept", "ReplayRing"]

_QUALITY = 80
_MOST_PX = 1280
_LEAD_S, _TAIL_S = 1.0, 0.5
_LONGEST_S = 20.0


@dataclass(frozen=True, slots=True)
class Kept:
    """A frame of a replay. ``table``: as in the protocol."""

    t_s: float
    jpeg: bytes
    table: Mapping[str, Any]
    scale: float


class ReplayRing:
    """Keeps the last seconds, and of them the strokes. ``most_bytes``: in all."""

    def __init__(self, most_bytes: int = 160_000_000, *, period_s: float = 1 / 31) -> None:
        self._most, self._period_s = most_bytes, period_s
        self._lock = threading.Lock()
        self._recent: deque[Kept] = deque()
        self._strokes: dict[int, tuple[Kept, ...]] = {}
        self._last_s = -1e9

    def offer(self, t_s: float, image_bgr: Array, table: Mapping[str, Any]) -> None:
        """Keep a frame, if the one before is old enough."""
        if t_s - self._last_s < self._period_s and t_s >= self._last_s:
            return
        self._last_s = t_s
        scale = min(1.0, _MOST_PX / max(image_bgr.shape[:2]))
        small = image_bgr
        if scale < 1.0:
            small = cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        with self._lock:
            self._recent.append(Kept(t_s, data.tobytes(), table, scale))
            while self._recent and not t_s - _LONGEST_S <= self._recent[0].t_s <= t_s:
                self._recent.popleft()

    def keep(self, number: int, start_s: float, end_s: float) -> None:
        """Keep a stroke by its number; the oldest strokes make room."""
        with self._lock:
            frames = [k for k in self._recent if start_s - _LEAD_S <= k.t_s <= end_s + _TAIL_S]
            if frames:
                self._strokes[number] = tuple(frames)
            while self._bytes() > self._most and len(self._strokes) > 1:
                del self._strokes[min(self._strokes)]

    def _bytes(self) -> int:
        kept = sum(len(k.jpeg) for frames in self._strokes.values() for k in frames)
        return kept + sum(len(k.jpeg) for k in self._recent)

    @property
    def numbers(self) -> set[int]:
        """Strokes that can be shown."""
        with self._lock:
            return set(self._strokes)

    def frames(self, number: int) -> tuple[Kept, ...]:
        """The frames of a stroke. Raises ``MatchError`` when none are kept."""
        with self._lock:
            try:
                return self._strokes[number]
            except KeyError:
                raise MatchError(f"no pictures are kept of stroke {number!r}") from None
