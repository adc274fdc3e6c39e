"""Canvas layers that details are painted on, and the pens that paint them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from sim.camera.hands_look import HandLook
from sim.camera.hands_shape import Shape
from sim.camera.hands_skeleton import Skeleton
from sim.camera.hands_types import FloatArray, Vector
from sim.camera.hands_view import View

__all__ = ["Canvas", "Mask", "Roi", "arc_points", "blur", "fill", "line", "roi_around", "soften"]

Mask = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]
_SHIFT = 4


@dataclass(slots=True)
class Canvas:
    """What a hand's surface is made of; arrays are (height, width) or (height, width, 3)."""

    view: View
    skeleton: Skeleton
    look: HandLook
    shape: Shape
    albedo: FloatArray
    """Display values 0..1, blue green red."""
    bump: FloatArray
    """Added to the heights, canvas pixels."""
    gloss: FloatArray
    """Strength of the mirror part, 0..1."""

    @property
    def density(self) -> float:
        """Canvas pixels per millimetre."""
        return self.view.density


@dataclass(frozen=True, slots=True)
class Roi:
    """A window of the canvas."""

    rows: slice
    columns: slice

    @property
    def box(self) -> tuple[slice, slice]:
        """For indexing."""
        return self.rows, self.columns

    @property
    def offset(self) -> Vector:
        """Canvas (x, y) of the window's corner."""
        return np.array([self.columns.start, self.rows.start], dtype=np.float64)

    @property
    def size(self) -> tuple[int, int]:
        """(rows, columns)."""
        return self.rows.stop - self.rows.start, self.columns.stop - self.columns.start


def roi_around(canvas: Canvas, points_px: Vector, pad_px: float) -> Roi | None:
    """The window that holds canvas points with a margin; None off the canvas."""
    flat = points_px.reshape(-1, 2)
    low = np.floor(flat.min(axis=0) - pad_px).astype(int)
    high = np.ceil(flat.max(axis=0) + pad_px).astype(int) + 1
    x0, y0 = max(int(low[0]), 0), max(int(low[1]), 0)
    x1, y1 = min(int(high[0]), canvas.view.width), min(int(high[1]), canvas.view.height)
    return Roi(slice(y0, y1), slice(x0, x1)) if x1 - x0 > 1 and y1 - y0 > 1 else None


def _fixed(points_px: Vector, roi: Roi) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    return np.round((points_px - roi.offset) * (1 << _SHIFT)).astype(np.int32)


def fill(mask: Mask, points_px: Vector, roi: Roi, value: int = 255) -> None:
    """A polygon of canvas points on a window's mask."""
    cv2.fillPoly(mask, [_fixed(points_px, roi)], (value,), cv2.LINE_AA, _SHIFT)


def line(mask: Mask, points_px: Vector, roi: Roi, width_px: float, value: int = 255) -> None:
    """A polyline of canvas points; lines thinner than a pixel get fainter instead."""
    thickness = max(round(width_px), 1)
    faded = int(value * min(width_px / thickness, 1.0)) if width_px < 1 else value
    points = [_fixed(points_px, roi)]
    cv2.polylines(
        mask, points, isClosed=False, color=(faded,), thickness=thickness,
        lineType=cv2.LINE_AA, shift=_SHIFT,
    )  # fmt: skip


def soften(mask: Mask, sigma_px: float) -> FloatArray:
    """A mask as 0..1 floats, blurred."""
    if sigma_px >= 0.5:
        size = 2 * math.ceil(2.6 * sigma_px) + 1
        mask = np.asarray(cv2.GaussianBlur(mask, (size, size), sigma_px), np.uint8)
    return mask.astype(np.float32) * np.float32(1 / 255)


def blur(values: FloatArray, sigma_px: float) -> FloatArray:
    """Gaussian blur; wide ones on a smaller copy."""
    rows, columns = values.shape
    step = min(int(sigma_px / 1.2), rows // 4, columns // 4)
    if step < 2:
        size = 2 * math.ceil(2.6 * sigma_px) + 1
        return np.asarray(cv2.GaussianBlur(values, (size, size), sigma_px), np.float32)
    small = (max(columns // step, 2), max(rows // step, 2))
    coarse = cv2.resize(values, small, interpolation=cv2.INTER_AREA)
    sigma = sigma_px / step
    size = 2 * math.ceil(2.6 * sigma) + 1
    coarse = cv2.GaussianBlur(coarse, (size, size), sigma)
    full = cv2.resize(coarse, (columns, rows), interpolation=cv2.INTER_LINEAR)
    return np.asarray(full, np.float32)


def arc_points(
    centre: Vector, axis: Vector, facing: Vector, radii_mm: tuple[float, float], angles: Vector
) -> Vector:
    """(n, 3) points around an axis: angle 0 towards `facing`, radii (towards it, across)."""
    up = facing - axis * float(facing @ axis)
    up /= max(float(np.linalg.norm(up)), 1e-9)
    (a, b, c), (x, y, z) = axis, up
    side = np.array([b * z - c * y, c * x - a * z, a * y - b * x])
    around: Vector = (
        centre
        + np.cos(angles)[:, None] * up * radii_mm[0]
        + np.sin(angles)[:, None] * side * radii_mm[1]
    )
    return around
