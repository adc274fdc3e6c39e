"""Where a frame differs from the one before, in cells of the board; cheap enough for every frame.

Light is taken out first: of the whole picture by the ratio of the medians, of each place by its
surroundings. What is left is compared with the sensor's own noise, which is learned as it goes.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Array
from vision.board_camera import BoardCamera
from vision.board_crop import BoardCrop
from vision.table_view import CELLS

__all__ = ["ChangeMap"]

_SIDE_PX = 10 * CELLS
_SHRUNK_PX = 640
_LEAST_LEVELS = 5.0
_NOISES = 6.0
_LEAST_SHARE = 0.03
"""Of the pixels of a cell."""
_SPREAD_PX = 21
_LIGHT_SHARE = 0.8
"""If so much of the board changes in one frame, the light has."""


class ChangeMap:
    """Compares each frame with the one before. ``camera``: of frames as they are offered."""

    def __init__(self, camera: BoardCamera, half_mm: float) -> None:
        self._shrink = min(1.0, _SHRUNK_PX / max(camera.width_px, camera.height_px))
        crop = BoardCrop(half_mm, _SIDE_PX)
        x, y = crop.maps(camera)
        self._maps = (
            ((x + 0.5) * np.float32(self._shrink) - np.float32(0.5)).astype(np.float32),
            ((y + 0.5) * np.float32(self._shrink) - np.float32(0.5)).astype(np.float32),
        )
        self._before: Array | None = None
        self._noise = 2.0
        self.level = 128.0
        """Median grey level of the board in the last frame."""
        self.light_changed = False
        """Whether all of the board changed at once in the last frame."""

    def look(self, image_bgr: Array) -> Array:
        """(16, 16) bool: cells that differ from the frame before; none at the first."""
        small = image_bgr
        if self._shrink < 1.0:
            small = cv2.resize(
                image_bgr, None, fx=self._shrink, fy=self._shrink, interpolation=cv2.INTER_AREA
            )
        board = cv2.remap(small, *self._maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        grey = board.astype(np.float32)
        level = np.maximum(np.median(grey.reshape(-1, 3), axis=0), 1.0)
        self.level = float(level.mean())
        flat = grey * (128.0 / level).astype(np.float32)
        before, self._before = self._before, flat
        self.light_changed = False
        if before is None:
            return np.zeros((CELLS, CELLS), dtype=np.bool_)
        apart = flat - before
        apart -= cv2.blur(apart, (_SPREAD_PX, _SPREAD_PX)) * self._even(apart)
        off = np.abs(apart).max(axis=2)
        limit = max(_LEAST_LEVELS, _NOISES * self._noise)
        hit = (off > limit).reshape(CELLS, 10, CELLS, 10).mean(axis=(1, 3))
        changed: Array = hit >= _LEAST_SHARE
        self.light_changed = bool(changed.mean() > _LIGHT_SHARE)
        self._learn(off, changed)
        return changed

    @staticmethod
    def _even(apart: Array) -> float:
        """How much of a difference is light: 1 if most of the board shares it."""
        return 1.0 if float(np.median(np.abs(apart))) > 2.5 else 0.0

    def _learn(self, off: Array, changed: Array) -> None:
        """The noise of the cells that did not change; slowly, so that motion does not raise it."""
        still = ~np.repeat(np.repeat(changed, 10, axis=0), 10, axis=1)
        if still.mean() > 0.3:
            now = float(np.median(off[still])) / 0.85
            self._noise = float(np.clip(0.95 * self._noise + 0.05 * now, 0.4, 6.0))
