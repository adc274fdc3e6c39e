"""A square texture lying on the board: where its pixels are, and drawing on it in millimetres."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from sim.camera.arrays import Array

__all__ = ["Plane"]

_SHIFT = 4


@dataclass(frozen=True, slots=True)
class Plane:
    """A square of half side ``half_mm`` about the middle of the board, north up."""

    half_mm: float
    px_per_mm: float

    @property
    def size_px(self) -> int:
        """Pixels along a side."""
        return round(2 * self.half_mm * self.px_per_mm)

    def mm_to_px(self, points_mm: Array) -> Array:
        """(..., 2) mm, board frame, to (..., 2) texture px; (0, 0) is the middle of a pixel."""
        points = np.asarray(points_mm, dtype=np.float64)
        out = np.empty_like(points)
        out[..., 0] = (points[..., 0] + self.half_mm) * self.px_per_mm - 0.5
        out[..., 1] = (self.half_mm - points[..., 1]) * self.px_per_mm - 0.5
        return out

    def fixed(self, points_mm: Array) -> Array:
        """(n, 2) int32 with four fractional bits, as OpenCV's drawing functions take them."""
        return np.round(self.mm_to_px(points_mm) * (1 << _SHIFT)).astype(np.int32)

    def width_px(self, width_mm: float) -> int:
        """The nearest whole line width, at least one."""
        return max(1, round(width_mm * self.px_per_mm))

    def line(
        self, image: Array, points_mm: Array, colour: Sequence[float], width_mm: float
    ) -> None:
        """A stroke through points."""
        cv2.polylines(
            image,
            [self.fixed(points_mm)],
            isClosed=False,
            color=colour,
            thickness=self.width_px(width_mm),
            lineType=cv2.LINE_AA,
            shift=_SHIFT,
        )

    def fill(self, image: Array, points_mm: Array, colour: Sequence[float]) -> None:
        """A filled polygon."""
        cv2.fillPoly(image, [self.fixed(points_mm)], colour, cv2.LINE_AA, _SHIFT)

    def circle(
        self,
        image: Array,
        centre_mm: tuple[float, float],
        radius_mm: float,
        colour: Sequence[float],
        width_mm: float | None = None,
    ) -> None:
        """A filled circle, or an outline whose outer edge has the radius."""
        x, y = self.fixed(np.array([centre_mm]))[0]
        inner_mm = 0.0 if width_mm is None else width_mm / 2
        radius = max(1, round((radius_mm - inner_mm) * self.px_per_mm * (1 << _SHIFT)))
        thickness = -1 if width_mm is None else self.width_px(width_mm)
        centre = (int(x), int(y))
        cv2.circle(image, centre, radius, colour, thickness, cv2.LINE_AA, _SHIFT)
