"""A decoded video frame as the eyes want it: BGR, 8 bit, upright, ordinary brightness."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Array

if TYPE_CHECKING:
    import av

__all__ = ["MAX_FRAME_PIXELS", "picture_of"]

MAX_FRAME_PIXELS = 8192 * 4608
"""Larger frames are refused: no camera over a board makes them."""

_PQ = 16
"""``color_trc`` of SMPTE ST 2084 (ISO/IEC 23091-2, transfer characteristics)."""

_WHITE_NITS = 203.0
"""Diffuse white of HDR programmes (ITU-R BT.2408)."""

_TURNS = {
    90: cv2.ROTATE_90_COUNTERCLOCKWISE,
    180: cv2.ROTATE_180,
    270: cv2.ROTATE_90_CLOCKWISE,
}


def picture_of(frame: av.VideoFrame) -> Array:
    """(h, w, 3) uint8 BGR, turned as the file's rotation flag says, nobody else's.

    Any pixel format is converted; HLG is shown as it is, which it was made for; PQ is tone-mapped.
    """
    image: NDArray[np.uint8] = np.ascontiguousarray(frame.to_ndarray(format="bgr24"), np.uint8)
    if int(getattr(frame, "color_trc", 0) or 0) == _PQ:
        image = cv2.LUT(image, _pq_levels()).astype(np.uint8, copy=False)
    turn = _TURNS.get(round(frame.rotation / 90.0) * 90 % 360)
    return image if turn is None else cv2.rotate(image, turn)


@cache
def _pq_levels() -> NDArray[np.uint8]:
    """(256,) uint8: levels of a PQ picture as those of an sRGB one.

    EOTF of SMPTE ST 2084; diffuse white becomes 0.8, highlights roll off above it.
    """
    code = np.linspace(0.0, 1.0, 256)
    m1, m2, c1, c2, c3 = 0.1593017578125, 78.84375, 0.8359375, 18.8515625, 18.6875
    root = code ** (1.0 / m2)
    nits = 10_000.0 * (np.maximum(root - c1, 0.0) / (c2 - c3 * root)) ** (1.0 / m1)
    light = nits / _WHITE_NITS
    knee = 0.6
    shown = np.where(light < knee, light, knee + (1 - knee) * np.tanh((light - knee) / (1 - knee)))
    srgb = np.where(shown <= 0.0031308, 12.92 * shown, 1.055 * shown ** (1 / 2.4) - 0.055)
    return np.clip(np.round(255.0 * srgb), 0, 255).astype(np.uint8)
