"""Where a frame differs from those before it, in cells of the board; cheap enough for every frame.

Light is taken out first: of the whole board by the ratio of the medians, of each place by what its
surroundings share. What is left is compared with the sensor's own noise, learned as it goes.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Array
from vision.board_camera import BoardCamera
from vision.board_crop import BoardCrop
from vision.table_view import CELLS

__all__ = ["ChangeMap"]

_CELL_PX = 10
_SIDE_PX = _CELL_PX * CELLS
_LEVEL = 128.0
"""Grey level that every channel's median is brought to."""
_LEAST_LEVELS, _NOISES = 5.0, 6.0
"""A change is larger than so many levels and so many times the noise."""
_LEAST_SHARE, _CREEP_SHARE = 0.1, 0.07
"""Of the pixels of a cell, from one frame to the next and since the last look: less is grain, and a
lamp's flicker on bright edges."""
_STIRS = 3
"""So many cells at once are motion; one or two are flicker on an edge."""
_LIGHT_LEVELS = 12.0
"""A shadow or a lamp's flicker shared by a neighbourhood; a hand differs by more."""
_LIGHT_SHARE = 0.65
"""If so much of the board changes in one frame, the light has, or the camera."""
_FLAT_LEVELS = 2.0
"""Standard deviation of a board without anything to see on it."""


class ChangeMap:
    """Compares each frame with the one before and with the last that was looked at.

    ``camera``: of the frames that will be offered; ``half_mm``: of the surface.
    """

    def __init__(self, camera: BoardCamera, half_mm: float) -> None:
        crop = BoardCrop(half_mm, _SIDE_PX)
        x, y = crop.pixels(camera)
        self._halvings = _halvings(x, y)
        share = 0.5**self._halvings
        self._maps = (
            ((x + 0.5) * share - 0.5).astype(np.float32),
            ((y + 0.5) * share - 0.5).astype(np.float32),
        )
        self._before: Array | None = None
        self._marked: Array | None = None
        self._noise = 1.5
        self.level = _LEVEL
        """Mean over the channels of the board's median level, 0 to 255, in the last frame."""
        self.flat = False
        """Whether the last frame showed one even tone."""
        self.stirs = False
        """Whether the last frame differed from the one before it."""
        self.light_changed = False
        """Whether nearly all of the board changed at once in the last frame."""

    def look(self, image_bgr: Array) -> Array:
        """(16, 16) bool: cells that differ; none at the first frame. ``image_bgr``: (h, w, 3)."""
        now = self._normalised(image_bgr)
        before, self._before = self._before, now
        self.light_changed = self.stirs = False
        if before is None:
            return np.zeros((CELLS, CELLS), dtype=np.bool_)
        off = _apart(now, before)
        changed = self._cells(off)
        self.stirs = int(changed.sum()) >= _STIRS
        self.light_changed = bool(changed.mean() > _LIGHT_SHARE)
        self._learn(off, changed)
        if self._marked is not None and self._marked is not before:
            changed |= self._cells(_apart(now, self._marked), _CREEP_SHARE)
        return changed

    def mark(self) -> None:
        """The last frame was looked at: what creeps from now on is compared with it."""
        self._marked = self._before

    def forget(self) -> None:
        """The next frame has none before it."""
        self._before = self._marked = None

    def _normalised(self, image_bgr: Array) -> Array:
        """(160, 160, 3) float32: the board at a level of 128."""
        small = image_bgr
        for _ in range(self._halvings):
            height, width = small.shape[:2]
            half = ((width + 1) // 2, (height + 1) // 2)
            small = cv2.resize(small, half, interpolation=cv2.INTER_AREA)
        board = cv2.remap(small, *self._maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        sample = board[2::4, 2::4].reshape(-1, 3)
        level = np.median(sample, axis=0)
        self.level = float(level.mean())
        self.flat = float(sample.std(axis=0).max()) < _FLAT_LEVELS
        gain = (_LEVEL / np.maximum(level, 1.0)).astype(np.float32)
        out: Array = board * gain
        return out

    def _cells(self, off: Array, least: float = _LEAST_SHARE) -> Array:
        limit = max(_LEAST_LEVELS, _NOISES * self._noise)
        over = (off > limit).astype(np.float32)
        share = cv2.resize(over, (CELLS, CELLS), interpolation=cv2.INTER_AREA)
        out: Array = share >= least - 1e-4
        return out

    def _learn(self, off: Array, changed: Array) -> None:
        """The noise of the cells that did not change; slowly, so that motion does not raise it."""
        still = ~changed
        if still.mean() > 0.3:
            sample = off[5::_CELL_PX, 5::_CELL_PX][still]
            # The largest of three channels exceeds one standard deviation in half of all pixels.
            self._noise = float(
                np.clip(0.95 * self._noise + 0.05 * float(np.median(sample)), 0.3, 6.0)
            )


def _halvings(x: Array, y: Array) -> int:
    """How often the picture is halved before it is cut: until a step is less than two px."""
    middle = _SIDE_PX // 2
    step = float(np.hypot(*(v[middle, middle + 1] - v[middle, middle] for v in (x, y))))
    return int(np.clip(np.floor(np.log2(max(step, 1.0))), 0, 4))


def _apart(now: Array, before: Array) -> Array:
    """(160, 160) float32: largest difference of the channels, without what light explains."""
    apart = now - before
    coarse = cv2.resize(apart, (CELLS, CELLS), interpolation=cv2.INTER_AREA)
    light = np.stack([cv2.medianBlur(np.ascontiguousarray(c), 5) for c in cv2.split(coarse)], -1)
    light = np.clip(light, -_LIGHT_LEVELS, _LIGHT_LEVELS)
    if np.abs(light).max() > 0.5:
        apart -= cv2.resize(light, (_SIDE_PX, _SIDE_PX), interpolation=cv2.INTER_LINEAR)
    blue, green, red = cv2.split(np.abs(apart))
    out: Array = cv2.max(cv2.max(blue, green), red)
    return out
