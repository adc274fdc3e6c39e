"""The array type of the renderer."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Array", "bgr", "linear", "lut_linear"]

Array = NDArray[Any]
"""Any array; docstrings give shape, dtype, unit and frame."""


def linear(colour: tuple[float, float, float]) -> Array:
    """(3,) float32 BGR, linear light, of an sRGB colour."""
    rgb = np.clip(np.array(colour, dtype=np.float64), 0.0, 1.0)
    out = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return out[::-1].astype(np.float32)


def bgr(colour: tuple[float, float, float], scale: float = 1.0) -> tuple[int, int, int]:
    """8 bit BGR for OpenCV's drawing functions."""
    r, g, b = (min(255, max(0, round(255 * scale * c))) for c in colour)
    return b, g, r


def lut_linear() -> Array:
    """(256,) float32: linear light of an 8 bit sRGB value."""
    code = np.arange(256) / 255.0
    out = np.where(code <= 0.04045, code / 12.92, ((code + 0.055) / 1.055) ** 2.4)
    return out.astype(np.float32)
