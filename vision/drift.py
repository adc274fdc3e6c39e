"""Has the camera or the board been nudged? A cheap look along the sides, at rest.

The picture along the four sides is kept as it was at calibration. A later picture is cut at the
same places; how far each side has slid across is found by correlation. Hands and discs spoil some
blocks of a side, not most.
"""

from dataclasses import dataclass

import numpy as np

from carrom.errors import PictureError
from vision.arrays import Array
from vision.board_camera import BoardCamera
from vision.seen import BoardSeen
from vision.strips import ALONG, OUTWARD, cut_strips

__all__ = ["Drift", "DriftWatch"]

_REACH_MM = 12.0
_EDGE_MM = 14.0
_BLOCKS = 12
_LEAST_BLOCKS = 8
_ALIKE = 0.55
"""Least correlation of a block with itself as it was."""


@dataclass(frozen=True, slots=True)
class Drift:
    """How the board lies against the calibration.

    ``shift_mm``: (x, y) of the middle, board frame; ``turn_rad``: about it, counter-clockwise;
    ``corner_mm``: how far the farthest corner went; ``seen``: share of the sides that could be
    compared; ``known``: False when too little was seen or it went beyond the search, then
    ``corner_mm`` is only a lower bound.
    """

    shift_mm: tuple[float, float]
    turn_rad: float
    corner_mm: float
    seen: float
    known: bool


class DriftWatch:
    """Compares later pictures with the one of the calibration.

    ``image_bgr``: (h, w, 3) uint8, the picture that was calibrated, or one at rest soon after.
    """

    def __init__(self, image_bgr: Array, board: BoardSeen) -> None:
        self._camera, self._half = board.camera, board.half_mm
        self._step = min(1.0, max(0.25, 0.5 / board.camera.px_per_mm()))
        t = np.arange(-_EDGE_MM - _REACH_MM, _EDGE_MM + _REACH_MM + self._step, self._step)
        self._t = t
        self._before = self._cut(image_bgr)

    def look(self, image_bgr: Array) -> Drift:
        """Where the board is in a later picture of the same size.

        Raises ``PictureError`` for another size.
        """
        after = self._cut(image_bgr)
        slid, alike = _slides(self._before, after, round(_REACH_MM / self._step))
        good = alike >= _ALIKE
        rows, targets = [], []
        s = np.linspace(-0.86, 0.86, 2 * _BLOCKS + 1)[1::2] * self._half
        for side, block in zip(*np.nonzero(good), strict=True):
            out, place = OUTWARD[side], OUTWARD[side] * self._half + ALONG[side] * s[block]
            rows.append([out[0], out[1], out[1] * place[0] - out[0] * place[1]])
            targets.append(slid[side, block] * self._step)
        seen = float(good.mean())
        if len(rows) < _LEAST_BLOCKS:
            return Drift((0.0, 0.0), 0.0, 0.0, seen, known=False)
        x, y, turn = _robust(np.array(rows), np.array(targets))
        reach = float(np.hypot(x, y)) + abs(turn) * self._half * 2**0.5
        sides = int((good.sum(axis=1) >= 2).sum())
        return Drift((x, y), turn, reach, seen, known=sides >= 3 and reach < 0.9 * _REACH_MM)

    def _cut(self, image_bgr: Array) -> Array:
        """(4, blocks, n, 3) float32: the strips, without their light."""
        camera: BoardCamera = self._camera
        expected = (camera.height_px, camera.width_px)
        if image_bgr.shape[:2] != expected:
            raise PictureError("picture", expected=f"{expected}", got=image_bgr.shape[:2])
        strips = cut_strips(image_bgr, camera, self._half, t_mm=self._t, blocks=_BLOCKS)
        slopes: Array = strips.slopes(max(1.0, 0.8 / camera.px_per_mm()))
        return np.nan_to_num(slopes)


def _slides(before: Array, after: Array, reach: int) -> tuple[Array, Array]:
    """(4, blocks) samples outwards by which each block slid, and its correlation there."""
    core = before[:, :, reach:-reach]
    size = np.sqrt(np.sum(core * core, axis=(2, 3)))
    scores = []
    for shift in range(2 * reach + 1):
        part = after[:, :, shift : shift + core.shape[2]]
        other = np.sqrt(np.sum(part * part, axis=(2, 3)))
        scores.append(np.sum(core * part, axis=(2, 3)) / (size * other + 1e-3))
    table = np.stack(scores, axis=-1)
    k = table.argmax(axis=-1).clip(1, 2 * reach - 1)
    low, top, high = (np.take_along_axis(table, k[..., None] + d, -1)[..., 0] for d in (-1, 0, 1))
    bow = np.minimum(low - 2 * top + high, -1e-6)
    place = k + (0.5 * (low - high) / bow).clip(-1.0, 1.0) - reach
    flat = size < 1.0
    return place, np.where(flat, 0.0, top)


def _robust(rows: Array, targets: Array) -> tuple[float, float, float]:
    """Shift and turn by reweighted least squares: x, y (mm), turn (rad)."""
    weight = np.ones(len(targets))
    found = np.zeros(3)
    for _ in range(8):
        root = np.sqrt(weight)
        found = np.linalg.lstsq(rows * root[:, None], targets * root, rcond=None)[0]
        off = rows @ found - targets
        weight = 1.0 / (1.0 + (off / 0.5) ** 2)
    return float(found[0]), float(found[1]), float(found[2])
