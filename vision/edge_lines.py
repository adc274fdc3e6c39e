"""How strongly straight edges and strokes run along the sides of a board, place by place.

A line that is straight on the board may still lie a little turned in a strip, as the camera is not
known well yet: every place is tried under several tilts, and the blocks of the strip vote.
"""

from dataclasses import dataclass

import numpy as np

from vision.arrays import Array
from vision.strips import Strips

__all__ = ["Evidence", "edge_evidence", "energy", "stroke_evidence"]

_LEAST_SEEN = 0.25
"""Share of the blocks that must lie in the picture."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Votes for a line at every place across the sides.

    ``strength``: (4, n) float32, mean step of the blocks (levels per mm for edges, levels for
    strokes), 0 where too little is seen; ``tilt_mm``: (4, n) the best tilt, mm over half a side;
    ``colour``: (4, n, 3) the mean step. ``seen``: (4, n) share of the blocks in the picture.
    ``noise``: (4,) what texture alone reaches.
    """

    t_mm: Array
    strength: Array
    tilt_mm: Array
    colour: Array
    seen: Array
    noise: Array

    def at(self, side: int, t_mm: float) -> int:
        """The nearest index of a place."""
        return int(np.argmin(np.abs(self.t_mm - t_mm)))


def edge_evidence(
    strips: Strips, half_mm: float, *, tilts_mm: Array, blur_mm: float = 1.0
) -> Evidence:
    """Evidence of steps from one colour to another."""
    return _votes(strips, strips.slopes(blur_mm), half_mm, tilts_mm)


def stroke_evidence(
    strips: Strips, half_mm: float, *, tilts_mm: Array, blur_mm: float = 1.5
) -> Evidence:
    """Evidence of strokes, darker or lighter than what lies beside them."""
    steps = strips.slopes(blur_mm)
    reach = max(1, round(blur_mm / strips.step_mm))
    ridge = np.full_like(steps, np.nan)
    ridge[:, :, reach:-reach] = (steps[:, :, 2 * reach :] - steps[:, :, : -2 * reach]) * blur_mm
    return _votes(strips, ridge, half_mm, tilts_mm)


def energy(strips: Strips, half_mm: float, *, tilts_mm: Array) -> float:
    """How sharp the strips are when averaged along the sides: largest where lines are straight."""
    slopes = np.clip(np.nan_to_num(strips.slopes(1.0)), -25.0, 25.0)
    best = np.zeros(4)
    for tilt in tilts_mm:
        mean = _shifted(slopes, strips, half_mm, float(tilt)).mean(axis=1)
        best = np.maximum(best, np.sum(mean * mean, axis=(1, 2)))
    return float(best.sum())


def _shifted(values: Array, strips: Strips, half_mm: float, tilt_mm: float) -> Array:
    """(4, blocks, n, 3): each block moved so that a line of that tilt becomes level."""
    count = values.shape[2]
    shift = np.round(tilt_mm * strips.s_mm / half_mm / strips.step_mm).astype(np.int64)
    index = (np.arange(count)[None] + shift[:, None]).clip(0, count - 1)
    out: Array = values[:, np.arange(len(shift))[:, None], index]
    return out


def _votes(strips: Strips, values: Array, half_mm: float, tilts_mm: Array) -> Evidence:
    shape = (4, values.shape[2])
    strength = np.zeros(shape, dtype=np.float32)
    tilts = np.zeros(shape, dtype=np.float32)
    colour = np.zeros((*shape, 3), dtype=np.float32)
    known = ~np.isnan(values[..., 0])
    seen = known.mean(axis=1)
    filled = np.nan_to_num(values)
    for tilt in tilts_mm:
        moved = _shifted(filled, strips, half_mm, float(tilt))
        count = np.maximum(seen * len(strips.s_mm), 1.0)[..., None]
        mean = moved.sum(axis=1) / count
        way = mean / (np.linalg.norm(mean, axis=-1, keepdims=True) + 1e-6)
        along = np.sum(moved * way[:, None], axis=-1)
        # A hand or a disc may step much harder than the line: no block counts for more than thrice.
        cap = 3.0 * np.maximum(np.median(along, axis=1), 0.15)
        votes = np.clip(along, -cap[:, None], cap[:, None]).sum(axis=1) / count[..., 0]
        better = votes > strength
        strength[better] = votes[better]
        tilts[better] = tilt
        colour[better] = mean[better]
    strength[seen < _LEAST_SEEN] = 0.0
    strength *= np.minimum(1.0, seen * 1.5).astype(np.float32)
    noise = np.maximum(np.median(strength, axis=1), 0.05)
    return Evidence(strips.t_mm, strength, tilts, colour, seen, noise)
