"""When to look at the discs: at full rate while something free moves, now and then at rest."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Array

__all__ = ["LookPlan"]

_AFTER_S = (0.0, 0.1, 0.2, 0.3, 0.4)
"""Looks after the last change; a rest is fused from them."""
_REST_S, _HANDS_S = 0.5, 0.1


class LookPlan:
    """Decides frame by frame. ``every``: look at every frame, whatever it costs."""

    def __init__(self, *, every: bool = False) -> None:
        self._every = every
        self._changed_s = -1e9
        self._looked_s = -1e9
        self._burst = 0

    def due(self, t_s: float, changed: Array, covered: Array) -> bool:
        """Whether to look now. ``covered``: cells that hands covered at the last look."""
        any_change = bool(changed.any())
        if any_change:
            self._changed_s, self._burst = t_s, 0
        if self._every or self._free_change(changed, covered):
            return self._look(t_s)
        if any_change:
            return t_s - self._looked_s >= _HANDS_S - 1e-6 and self._look(t_s)
        since = t_s - self._changed_s
        if self._burst < len(_AFTER_S) and since >= _AFTER_S[self._burst] - 1e-6:
            self._burst += 1
            return self._look(t_s)
        return t_s - self._looked_s >= _REST_S - 1e-6 and self._look(t_s)

    def _look(self, t_s: float) -> bool:
        self._looked_s = t_s
        return True

    @staticmethod
    def _free_change(changed: Array, covered: Array) -> bool:
        """Whether something changed away from every hand that is known."""
        if not changed.any():
            return False
        if not covered.any():
            return True
        near = cv2.dilate(covered.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        return bool((changed & ~near).any())
