"""A pinhole camera with lens distortion: board millimetres to picture pixels and back.

World frame: the board frame with z up, playing surface at z = 0, mm. Picture frame: x to the
right, y down, px, (0, 0) the middle of the first pixel. The lens follows the division model: an
ideal image point at distance r_u from the axis (in focal lengths) is seen at r_d with
r_u = r_d / (1 - d r_d^2), where d is ``distortion`` (> 0: barrel). Both directions are exact and
no angle below 90 degrees folds over, as polynomials do.
"""

from dataclasses import dataclass, field
from math import atan, cos, hypot, isfinite, sin, sqrt, tan

import numpy as np

from carrom.errors import SceneError
from sim.camera.arrays import Array

__all__ = ["Camera"]

_SMALLEST_PX, _LARGEST_PX = 32, 8192


@dataclass(frozen=True, slots=True)
class Camera:
    """Where a camera stands, where it looks, and its lens.

    ``roll_rad`` turns the camera about its axis; at 0 the board's x runs to the right.
    ``centre_px`` is where the axis meets the picture; ``None``: its middle.
    """

    width_px: int
    height_px: int
    focal_px: float
    position_mm: tuple[float, float, float]
    look_at_mm: tuple[float, float] = (0.0, 0.0)
    roll_rad: float = 0.0
    distortion: float = 0.0
    centre_px: tuple[float, float] | None = None
    axes: Array = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name in ("width_px", "height_px"):
            size = getattr(self, name)
            if not isinstance(size, int) or not _SMALLEST_PX <= size <= _LARGEST_PX:
                expected = f"{_SMALLEST_PX} to {_LARGEST_PX}"
                raise SceneError(f"camera.{name}", expected=expected, got=size)
        if not (isfinite(self.focal_px) and self.focal_px > 0):
            raise SceneError("camera.focal_px", expected="more than 0", got=self.focal_px)
        if not all(map(isfinite, (*self.position_mm, *self.look_at_mm, self.roll_rad))):
            raise SceneError("camera.position_mm", expected="finite numbers", got=self)
        if self.position_mm[2] <= 0:
            raise SceneError("camera.position_mm", expected="above z = 0", got=self.position_mm)
        if not -0.2 <= self.distortion <= 1.0:
            raise SceneError("camera.distortion", expected="-0.2 to 1", got=self.distortion)
        object.__setattr__(self, "axes", self._axes())

    @classmethod
    def over(
        cls,
        *,
        size_px: tuple[int, int] = (1280, 720),
        view_rad: float = 1.2,
        distance_mm: float = 1200.0,
        tilt_rad: float = 0.0,
        tilt_towards_rad: float = -1.5708,
        roll_rad: float = 0.0,
        distortion: float = 0.0,
        look_at_mm: tuple[float, float] = (0.0, 0.0),
    ) -> "Camera":
        """A camera ``distance_mm`` from ``look_at_mm``, tilted by standing off in one direction.

        ``view_rad`` is the horizontal angle of view, the distortion included.
        """
        out_mm = distance_mm * sin(tilt_rad)
        x_mm = look_at_mm[0] + out_mm * cos(tilt_towards_rad)
        y_mm = look_at_mm[1] + out_mm * sin(tilt_towards_rad)
        focal_px = _focal_px(size_px[0] / 2, view_rad, distortion)
        position_mm = (x_mm, y_mm, distance_mm * cos(tilt_rad))
        return cls(*size_px, focal_px, position_mm, look_at_mm, roll_rad, distortion=distortion)

    def _axes(self) -> Array:
        """(3, 3) float64: right, down and forward of the camera in the world frame, as rows."""
        here = np.array(self.position_mm, dtype=np.float64)
        forward = np.array([*self.look_at_mm, 0.0]) - here
        forward /= np.linalg.norm(forward)
        right = np.array([1.0, 0.0, 0.0]) - forward[0] * forward
        length = float(np.linalg.norm(right))
        if length < 1e-6:
            raise SceneError("camera.look_at_mm", expected="not along the x axis", got=self)
        right /= length
        down = np.cross(forward, right)
        c, s = cos(self.roll_rad), sin(self.roll_rad)
        return np.stack([c * right + s * down, c * down - s * right, forward])

    @property
    def middle_px(self) -> tuple[float, float]:
        """Where the optical axis meets the picture."""
        if self.centre_px is not None:
            return self.centre_px
        return (self.width_px - 1) / 2, (self.height_px - 1) / 2

    @property
    def horizontal_view_rad(self) -> float:
        """The horizontal angle of view through the middle, the distortion included."""
        r = self.width_px / 2 / self.focal_px
        return 2 * atan(r / max(1e-9, 1 - self.distortion * r * r))

    @property
    def tilt_rad(self) -> float:
        """Angle between the optical axis and straight down."""
        x, y, z = self.axes[2]
        return float(np.arctan2(hypot(x, y), -z))

    def mm_to_px(self, points_mm: Array) -> Array:
        """(..., 3) mm, world frame, to (..., 2) float64 px; behind the camera: nan."""
        p = (np.asarray(points_mm, dtype=np.float64) - self.position_mm) @ self.axes.T
        with np.errstate(invalid="ignore", divide="ignore"):
            flat = p[..., :2] / np.where(p[..., 2:] > 1e-6, p[..., 2:], np.nan)
        scale = self._bend(np.sum(flat * flat, axis=-1))
        out: Array = flat * (scale[..., None] * self.focal_px) + np.array(self.middle_px)
        return out

    def project(self, points_mm: Array) -> Array:
        """As ``mm_to_px``, under the name that hands ask for; behind the camera: far away."""
        return np.nan_to_num(self.mm_to_px(points_mm), nan=-1e5)

    def board_to_px(self, points_mm: Array, z_mm: float = 0.0) -> Array:
        """(..., 2) mm at one height to (..., 2) float64 px."""
        flat = np.asarray(points_mm, dtype=np.float64)
        return self.mm_to_px(np.concatenate([flat, np.full((*flat.shape[:-1], 1), z_mm)], axis=-1))

    def px_to_rays(self, points_px: Array) -> Array:
        """(..., 2) px to (..., 3) float64: world directions, 1 long along the optical axis."""
        bent = (np.asarray(points_px, dtype=np.float64) - self.middle_px) / self.focal_px
        rest = 1.0 - self.distortion * np.sum(bent * bent, axis=-1, keepdims=True)
        flat = bent / np.maximum(rest, 1e-3)
        out: Array = flat @ self.axes[:2] + self.axes[2]
        return out

    def px_to_board(self, points_px: Array, z_mm: float = 0.0) -> Array:
        """(..., 2) px to (..., 2) float64 mm where the rays meet the plane at ``z_mm``.

        Rays that never get down there are taken 50 m away.
        """
        rays = self.px_to_rays(points_px)
        drop = z_mm - self.position_mm[2]
        steep = np.minimum(rays[..., 2:], drop / 50_000.0) if drop < 0 else rays[..., 2:]
        return np.array(self.position_mm[:2]) + rays[..., :2] * (drop / steep)

    def _bend(self, r2: Array) -> Array:
        """r_d / r_u for squared ideal distances."""
        d = self.distortion
        if d == 0.0:
            return np.ones_like(r2)
        root = np.sqrt(np.maximum(1.0 + 4.0 * d * r2, 0.0))
        return 2.0 / (1.0 + root)

    def px_per_mm(self, x_mm: float = 0.0, y_mm: float = 0.0) -> float:
        """Scale of the picture at a point of the surface (square root of the area ratio)."""
        step = np.array([[x_mm, y_mm], [x_mm + 1.0, y_mm], [x_mm, y_mm + 1.0]])
        origin, right, up = self.board_to_px(step)
        a, b = right - origin, up - origin
        return sqrt(abs(float(a[0] * b[1] - a[1] * b[0])))


def _focal_px(half_px: float, view_rad: float, distortion: float) -> float:
    """The focal length for which ``half_px`` from the axis is seen at half the angle of view."""
    wide = tan(view_rad / 2)
    bent = wide if distortion == 0 else 2 * wide / (1 + sqrt(1 + 4 * distortion * wide * wide))
    return half_px / bent
