"""Rays against upright, leaning and standing cylinders: what a camera sees of a disc.

Per pixel and exact: a ray runs through the slab between the planes of the two faces along a
straight stretch; the cylinder is hit where that stretch comes within the radius of the axis.
"""

from dataclasses import dataclass

import numpy as np

from sim.camera.arrays import Array
from sim.camera.view import View
from sim.camera.window import Window

__all__ = ["Body", "Cast", "cast", "window_of"]


@dataclass(frozen=True, slots=True)
class Body:
    """A cylinder: foot (centre of the lower face, mm), axes as rows (two across, one along)."""

    foot_mm: Array
    axes: Array
    radius_mm: float
    height_mm: float

    @classmethod
    def lying(
        cls,
        foot_mm: tuple[float, float, float],
        radius_mm: float,
        height_mm: float,
        *,
        lean_rad: float = 0.0,
        towards_rad: float = 0.0,
        spin_rad: float = 0.0,
    ) -> "Body":
        """A body whose axis is ``lean_rad`` off the vertical."""
        ca, sa = np.cos(towards_rad), np.sin(towards_rad)
        cl, sl = np.cos(lean_rad), np.sin(lean_rad)
        along = np.array([sl * ca, sl * sa, cl])
        down = np.array([cl * ca, cl * sa, -sl])
        across = np.array([-sa, ca, 0.0])
        turn = spin_rad - towards_rad
        c, s = np.cos(turn), np.sin(turn)
        axes = np.stack([c * down + s * across, c * across - s * down, along])
        return cls(np.array(foot_mm, dtype=np.float64), axes, radius_mm, height_mm)

    def rim(self, share: float, count: int = 32) -> Array:
        """(count, 3) mm: points of the rim at a share of the height."""
        t = np.arange(count) * (2 * np.pi / count)
        ring = np.stack([np.cos(t), np.sin(t)], axis=1) * self.radius_mm
        out: Array = self.foot_mm + ring @ self.axes[:2] + self.axes[2] * (share * self.height_mm)
        return out

    @property
    def top_mm(self) -> Array:
        """(3,) mm: the centre of the upper face."""
        out: Array = self.foot_mm + self.axes[2] * self.height_mm
        return out


@dataclass(frozen=True, slots=True)
class Cast:
    """A body seen by a camera. All arrays (h, w) float32 over ``window``.

    ``cover``: of the whole body, 0 to 1; ``face``: of its visible face; ``x``, ``y``: place on that
    face in radii; ``side_x``, ``side_y``: outward normal of the side; ``down``: 0 at the visible
    face to 1; ``depth_mm``: along the optical axis; ``lower``: the face seen is the lower one.
    """

    window: Window
    cover: Array
    face: Array
    x: Array
    y: Array
    side_x: Array
    side_y: Array
    down: Array
    depth_mm: Array
    lower: bool


def window_of(view: View, body: Body, margin_px: float = 2.0) -> Window:
    """The part of the picture that may show the body."""
    points = np.concatenate([body.rim(0.0, 16), body.rim(1.0, 16)])
    px = view.camera.mm_to_px(points)
    if not np.isfinite(px).all():
        return Window(0, 0, 0, 0)
    bulge = 1.0 + 0.02 * float(np.ptp(px, axis=0).max())
    return Window.around(px, margin_px + bulge, view.shape)


def cast(view: View, body: Body, window: Window, row_shift_mm: Array | None = None) -> Cast:
    """See a body through a window. ``row_shift_mm``: (h, 3), how far it is on in each row."""
    matrix = (body.axes @ view.camera.axes.T).astype(np.float32)
    rays = view.rays[window.slices]
    d = [m[0] * rays[..., 0] + m[1] * rays[..., 1] + m[2] for m in matrix]
    start = np.array(view.camera.position_mm) - body.foot_mm
    if row_shift_mm is None:
        o: list[Array] = [np.asarray(v, dtype=np.float32) for v in body.axes @ start]
    else:
        shifted = (start - row_shift_mm) @ body.axes.T
        o = [shifted[:, k : k + 1].astype(np.float32) for k in range(3)]
    steep = np.where(np.abs(d[2]) < 1e-5, np.float32(-1e-5), d[2])
    t_low, t_high = -o[2] / steep, (np.float32(body.height_mm) - o[2]) / steep
    lower = bool(np.mean(t_low) < np.mean(t_high))
    t_in = np.maximum(np.minimum(t_low, t_high), 0)
    t_out = np.maximum(np.maximum(t_low, t_high), 0)
    return _cast(body, window, o, d, t_in, t_out, lower=lower)


def _cast(
    body: Body,
    window: Window,
    o: list[Array],
    d: list[Array],
    t_in: Array,
    t_out: Array,
    *,
    lower: bool,
) -> Cast:
    radius = np.float32(body.radius_mm)
    ax, ay = o[0] + t_in * d[0], o[1] + t_in * d[1]
    stretch = t_out - t_in
    dx, dy = stretch * d[0], stretch * d[1]
    long2 = dx * dx + dy * dy + np.float32(1e-9)
    along = ax * dx + ay * dy
    near = np.clip(-along / long2, 0, 1)
    distance = np.hypot(ax + near * dx, ay + near * dy)
    rho = np.hypot(ax, ay)
    inside = rho * rho - radius * radius
    root = np.sqrt(np.maximum(along * along - long2 * inside, 0))
    down = np.clip((-along - root) / long2, 0, 1)
    face = _cover(radius - rho)
    cover = np.maximum(_cover(radius - distance), face)
    sx, sy = (ax + down * dx) / radius, (ay + down * dy) / radius
    depth = t_in + np.where(face > 0.5, np.float32(0), down) * stretch
    return Cast(window, cover, face, ax / radius, ay / radius, sx, sy, down, depth, lower)


def _cover(inside_mm: Array) -> Array:
    """Share of each pixel that is inside, from a signed distance (> 0 inside) in mm."""
    if min(inside_mm.shape) < 2:
        return (inside_mm > 0).astype(np.float32)
    gy, gx = np.gradient(inside_mm)
    out: Array = np.clip(0.5 + inside_mm / (np.hypot(gx, gy) + np.float32(1e-6)), 0, 1)
    return out
