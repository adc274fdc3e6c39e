"""A picture that has stopped: exactly the same frame again, for longer than noise allows."""

from __future__ import annotations

import numpy as np

from vision.arrays import Array
from vision.frames import Frame, SourceKind

__all__ = ["FrozenWatch"]

_PATIENCE_S = {SourceKind.USB: 3.0, SourceKind.PUSHED: 3.0, SourceKind.STREAM: 10.0}
"""A strong video codec repeats a still scene exactly until its next key frame."""


class FrozenWatch:
    """``of``: True for a frame that has been the same for too long.

    Only what comes from a sensor is watched: files, pictures and simulated cameras may stand still.
    """

    def __init__(self, kind: SourceKind) -> None:
        self._patience_s = _PATIENCE_S.get(kind)
        self._last: Array | None = None
        self._since_s = 0.0

    def of(self, frame: Frame) -> bool:
        """Take the next frame."""
        if self._patience_s is None:
            return False
        last, self._last = self._last, frame.image_bgr
        if last is None or not _same(last, frame.image_bgr):
            self._since_s = frame.t_s
            return False
        return frame.t_s - self._since_s >= self._patience_s


def _same(one: Array, other: Array) -> bool:
    """A coarse sample tells nearly all apart, at no cost."""
    if one.shape != other.shape or not np.array_equal(one[::37, ::41], other[::37, ::41]):
        return False
    return bool(np.array_equal(one, other))
