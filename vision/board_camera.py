"""The camera as calibrated: board millimetres to picture pixels and back, at any height.

World frame: the board frame with z up, playing surface at z = 0, mm. Picture frame: x to the
right, y down, px, (0, 0) the middle of the first pixel. The lens follows the division model
(Fitzgibbon 2001): an ideal image point at distance r_u from the axis (in focal lengths) is seen at
r_d with r_u = r_d / (1 - d r_d^2); d > 0 is barrel distortion. Both directions are exact.
"""

from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np

from vision.arrays import Array

__all__ = ["BoardCamera"]


@dataclass(frozen=True)
class BoardCamera:
    """Where the camera stands, how it is turned, and its lens.

    ``rotation``: rows are right, down and forward of the camera in the world frame (nine numbers,
    row by row). ``middle_px``: where the optical axis meets the picture.
    """

    width_px: int
    height_px: int
    focal_px: float
    middle_px: tuple[float, float]
    distortion: float
    position_mm: tuple[float, float, float]
    rotation: tuple[float, ...]

    @cached_property
    def axes(self) -> Array:
        """(3, 3) float64: right, down and forward of the camera in the world frame, as rows."""
        return np.array(self.rotation, dtype=np.float64).reshape(3, 3)

    @property
    def tilt_rad(self) -> float:
        """Angle between the optical axis and straight down."""
        x, y, z = self.axes[2]
        return float(np.arctan2(np.hypot(x, y), -z))

    def mm_to_px(self, points_mm: Array) -> Array:
        """(..., 3) mm, world frame, to (..., 2) float64 px; behind the camera: nan."""
        p = (np.asarray(points_mm, dtype=np.float64) - self.position_mm) @ self.axes.T
        with np.errstate(invalid="ignore", divide="ignore"):
            flat = p[..., :2] / np.where(p[..., 2:] > 1e-6, p[..., 2:], np.nan)
        r2 = np.sum(flat * flat, axis=-1)
        bend = 2.0 / (1.0 + np.sqrt(np.maximum(1.0 + 4.0 * self.distortion * r2, 0.0)))
        out: Array = flat * (bend[..., None] * self.focal_px) + np.array(self.middle_px)
        return out

    def board_to_px(self, points_mm: Array, z_mm: float = 0.0) -> Array:
        """(..., 2) mm at one height above the surface to (..., 2) float64 px."""
        flat = np.asarray(points_mm, dtype=np.float64)
        return self.mm_to_px(np.concatenate([flat, np.full((*flat.shape[:-1], 1), z_mm)], axis=-1))

    def px_to_board(self, points_px: Array, z_mm: float = 0.0) -> Array:
        """(..., 2) px to (..., 2) float64 mm where the rays meet the plane at ``z_mm``.

        Rays that never get down there are taken 50 m away.
        """
        bent = (np.asarray(points_px, dtype=np.float64) - self.middle_px) / self.focal_px
        rest = 1.0 - self.distortion * np.sum(bent * bent, axis=-1, keepdims=True)
        rays = bent / np.maximum(rest, 1e-3) @ self.axes[:2] + self.axes[2]
        drop = z_mm - self.position_mm[2]
        steep = np.minimum(rays[..., 2:], drop / 50_000.0) if drop < 0 else rays[..., 2:]
        out: Array = np.array(self.position_mm[:2]) + rays[..., :2] * (drop / steep)
        return out

    def px_per_mm(self, x_mm: float = 0.0, y_mm: float = 0.0) -> float:
        """Scale of the picture at a point of the surface (square root of the area ratio)."""
        step = np.array([[x_mm, y_mm], [x_mm + 1.0, y_mm], [x_mm, y_mm + 1.0]])
        origin, right, up = self.board_to_px(step)
        a, b = right - origin, up - origin
        return sqrt(abs(float(a[0] * b[1] - a[1] * b[0])))

    def foot_of(self, x_mm: float, y_mm: float, *, z_mm: float, to_z_mm: float = 0.0) -> Array:
        """(2,) mm: a point seen as if at (x, y) on the plane ``to_z_mm`` but lying at ``z_mm``.

        The ray through (x, y, ``to_z_mm``) is cut at ``z_mm``: exact parallax of a disc's top face.
        """
        seen = np.array([x_mm, y_mm])
        eye = np.array(self.position_mm)
        share = (eye[2] - z_mm) / (eye[2] - to_z_mm)
        out: Array = eye[:2] + (seen - eye[:2]) * share
        return out
