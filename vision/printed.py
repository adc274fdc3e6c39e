"""Print that looks like a disc: base circles come eight times, rosettes and nets lie flat."""

import cv2
import numpy as np

from carrom.board_spec import BoardFamily
from vision.arrays import Array
from vision.board_crop import BoardCrop

__all__ = ["twins_of"]

_MIDDLE_MM = {BoardFamily.ICF: 95.0, BoardFamily.HIKONE: 150.0}
"""Nearer to the centre opening layouts are as symmetric as print is: nothing can be said there."""
_SEVEN = np.array(
    [
        [[0, -1], [1, 0]],
        [[-1, 0], [0, -1]],
        [[0, 1], [-1, 0]],
        [[1, 0], [0, -1]],
        [[-1, 0], [0, 1]],
        [[0, 1], [1, 0]],
        [[0, -1], [-1, 0]],
    ]
)
"""The other seven turns and mirror images of a square board."""


def twins_of(picture: Array, crop: BoardCrop, discs: Array, family: BoardFamily) -> Array:
    """(n,) 0 to 1: how far the seven other places of the board's symmetry look like a disc's.

    ``picture``: (size, size, 3) uint8 crop; ``discs``: (n, 3) mm, circles as seen on the plane of
    the surface. High for base circles and arrows, low for discs on wood; a red disc on a red base
    circle is high too: evidence, no verdict.
    """
    discs = np.asarray(discs, dtype=np.float64).reshape(-1, 3)
    if len(discs) == 0:
        return np.zeros(0)
    side = max(3, round(float(np.median(discs[:, 2])) * crop.px_per_mm * 0.9))
    smooth = cv2.blur(picture, (side, side)).astype(np.float32)
    around = cv2.blur(picture, (side * 5, side * 5)).astype(np.float32)
    others = np.einsum("kij,nj->nki", _SEVEN, discs[:, :2])
    own = _at(smooth, crop, discs[:, None, :2])
    apart = np.linalg.norm(own - _at(around, crop, discs[:, None, :2]), axis=-1)[:, 0]
    unlike = np.linalg.norm(_at(smooth, crop, others) - own, axis=-1)
    alike = np.clip(1.0 - unlike / (0.5 * apart + 10.0)[:, None], 0.0, 1.0)
    out = np.sort(alike, axis=1)[:, 2:5].mean(axis=1) * np.clip(apart / 20.0, 0.0, 1.0)
    far = np.hypot(discs[:, 0], discs[:, 1]) > _MIDDLE_MM[family]
    return np.asarray(np.where(far, out, 0.0))


def _at(picture: Array, crop: BoardCrop, points_mm: Array) -> Array:
    """(n, k, 3) colours at (n, k, 2) mm."""
    px = crop.mm_to_crop(points_mm)
    x, y = (np.ascontiguousarray(px[..., k], dtype=np.float32) for k in (0, 1))
    return cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
