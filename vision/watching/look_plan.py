"""When to look at the discs: in step with whatever moves freely, now and then at rest."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Array

__all__ = ["LookPlan"]

_AFTER_S = (0.0, 0.1, 0.2, 0.3, 0.4)
"""Looks after the last change; a rest is fused from them."""
_REST_S, _HANDS_S, _STIRS_S, _MOVES_S = 0.5, 0.1, 0.06, 0.03
"""Least time between looks: at rest, while known hands move, while something else stirs that may be
a hand, while discs move."""
_MOTION_S = 0.3
"""After a free change what moves next to hands counts as free too: a break goes on under them."""
_REACH, _CLOSE = 2, 1
"""Cells from a hand within which a change is the hand's own; in motion."""


class LookPlan:
    """Decides frame by frame. ``every``: look at every frame, whatever it costs."""

    def __init__(self, *, every: bool = False) -> None:
        self._every = every
        self._changed_s: float | None = None
        self._looked_s = self._free_s = self._moved_s = -1e9
        self._burst = 0

    def due(self, t_s: float, changed: Array, covered: Array) -> bool:
        """Whether to look now. ``covered``: cells that hands covered at the last look."""
        stirs = bool(changed.any())
        if stirs or self._changed_s is None:
            self._changed_s, self._burst = t_s, 0
        if self._every:
            return self._look(t_s)
        since_look = t_s - self._looked_s + 1e-6
        if stirs:
            reach = _CLOSE if t_s - self._free_s < _MOTION_S else _REACH
            if _free(changed, covered, reach):
                self._free_s = t_s
                moves = t_s - self._moved_s < _MOTION_S
                return since_look >= (_MOVES_S if moves else _STIRS_S) and self._look(t_s)
            return since_look >= _HANDS_S and self._look(t_s)
        since = t_s - self._changed_s + 1e-6
        if self._burst < len(_AFTER_S) and since >= _AFTER_S[self._burst]:
            while self._burst < len(_AFTER_S) and since >= _AFTER_S[self._burst]:
                self._burst += 1
            return self._look(t_s)
        return since_look >= _REST_S and self._look(t_s)

    def saw_motion(self, t_s: float) -> None:
        """The look at ``t_s`` found discs elsewhere than the look before."""
        self._moved_s = t_s

    def _look(self, t_s: float) -> bool:
        self._looked_s = t_s
        return True


def _free(changed: Array, covered: Array, reach: int) -> bool:
    """Whether something changed farther than ``reach`` cells from every hand that is known."""
    if not covered.any():
        return True
    side = 2 * reach + 1
    near = cv2.dilate(covered.astype(np.uint8), np.ones((side, side), np.uint8)) > 0
    return bool((changed & ~near).any())
