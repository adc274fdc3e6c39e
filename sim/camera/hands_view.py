"""The drawing canvas of a hand: a turned, finer copy of the picture in which the arm hangs down.

Arms lie in every direction; turning the canvas keeps it narrow, and its own density keeps skin
texture alike in small and large pictures. Depth is measured towards the camera in canvas pixels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sim.camera.hands_skeleton import Skeleton
from sim.camera.hands_types import Projection, Vector

__all__ = ["View", "in_front", "make_view", "trim_arm"]

_MAX_AREA = 400_000
_MAX_PART = 0.15
"""A canvas has at most this part of the picture's pixels, or the area above."""
_OVERSAMPLING = 1.25
_FINEST = 2.4
_COARSEST = 0.8
_TINY, _HUGE = 1 / 40, 40.0
"""Areas in the picture, as parts of the palm's, between which a limb is drawn."""


@dataclass(frozen=True, slots=True)
class View:
    """Picture to canvas and the canvas's directions on the board."""

    projection: Projection
    to_canvas: Vector
    """(2, 3) affine map, picture pixels to canvas pixels."""
    width: int
    height: int
    density: float
    """Canvas pixels per board millimetre at the palm."""
    origin_mm: Vector
    toward: Vector
    """(3,) unit vector to the camera."""
    right: Vector
    """(3,) board direction of canvas +x, square to `toward`."""
    down: Vector
    """(3,) board direction of canvas +y, square to `toward`."""

    def place(self, points_mm: Vector) -> Vector:
        """(..., 3) board points to (..., 2) canvas pixels."""
        flat = np.reshape(points_mm, (-1, 3))
        picture = np.asarray(self.projection.project(flat), dtype=np.float64)
        canvas = picture @ self.to_canvas[:, :2].T + self.to_canvas[:, 2]
        return canvas.reshape((*np.shape(points_mm)[:-1], 2))

    def depth(self, points_mm: Vector) -> Vector:
        """(..., 3) board points to (...,) canvas pixels nearer to the camera than the wrist."""
        towards: Vector = (np.asarray(points_mm) - self.origin_mm) @ self.toward * self.density
        return towards

    def spots(self, points_mm: Vector) -> tuple[Vector, Vector]:
        """(n, 3) board points to (n, 3) canvas x, y, depth, and (n,) local pixels a millimetre."""
        beside = points_mm + 5.0 * self.right
        placed = self.place(np.concatenate([points_mm, beside]))
        n = len(points_mm)
        scale = np.hypot(*(placed[n:] - placed[:n]).T) / 5.0
        return np.column_stack([placed[:n], self.depth(points_mm)]), scale

    def directions(self, vectors: Vector) -> Vector:
        """(..., 3) board directions in the canvas's (right, down, toward) frame."""
        turned: Vector = np.asarray(vectors) @ np.stack([self.right, self.down, self.toward], 1)
        return turned


def in_front(projection: Projection, points_mm: Vector, palm_mm: Vector) -> NDArray[np.bool_]:
    """(n,) which points the camera can see at all: not behind it, not beyond its lens.

    A camera is only known by its projection; behind it, level steps come out mirrored.
    """
    points = np.vstack([palm_mm, points_mm])
    steps = np.array([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]])
    moved = (points[:, None] + steps).reshape(-1, 3)
    picture = np.asarray(projection.project(moved), dtype=np.float64).reshape(-1, 3, 2)
    a, b = picture[:, 1] - picture[:, 0], picture[:, 2] - picture[:, 0]
    area = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    share = area[1:] / area[0]
    seen = np.isfinite(share) & (share > _TINY) & (share < _HUGE)
    return np.asarray(seen & np.isfinite(picture[1:]).all(axis=(1, 2)))


def trim_arm(projection: Projection, skeleton: Skeleton) -> Skeleton:
    """The same hand with its arm cut where it leaves the camera's field for good."""
    arm = skeleton.arm
    seen = in_front(projection, arm.points_mm, skeleton.at(np.array([0.0, 50.0, 0.0])))
    if seen.all():
        return skeleton
    keep = max(int(np.argmin(seen)), 2)
    short = replace(
        arm,
        points_mm=arm.points_mm[:keep],
        radii_mm=arm.radii_mm[:keep],
        offsets_mm=arm.offsets_mm[:keep],
        along_mm=arm.along_mm[:keep],
    )
    return replace(skeleton, arm=short)


def make_view(
    projection: Projection, skeleton: Skeleton, image_size: tuple[int, int], ease_mm: float
) -> View | None:
    """A canvas around the visible part of the hand; None when it is outside the picture.

    `image_size` is (width, height) in pixels; `ease_mm` is how far a sleeve stands off the arm.
    """
    palm = skeleton.at(np.array([0.0, 50.0, 0.0]))
    jacobian = _jacobian(projection, palm)
    cross = np.cross(jacobian[0], jacobian[1])
    area = float(np.linalg.norm(cross))
    toward = cross / area * (1.0 if cross[2] > 0 else -1.0)
    scale = math.sqrt(area)
    balls, radii = _hull(skeleton, ease_mm)
    picture = np.asarray(projection.project(balls), dtype=np.float64)
    turn = _turn(projection, skeleton)
    factor = float(np.clip(_OVERSAMPLING * scale, _COARSEST, _FINEST)) / scale
    bounds = _bounds(picture, radii * scale * 1.25 + 3, turn, image_size)
    if bounds is None:
        return None
    low, high = bounds
    most = max(_MAX_AREA, _MAX_PART * image_size[0] * image_size[1])
    factor = min(factor, math.sqrt(most / max(float(np.prod(high - low)), 1.0)))
    affine = np.column_stack([turn * factor, -low * factor])
    steps = np.linalg.pinv(jacobian) @ turn.T
    right = steps[:, 0] / np.linalg.norm(steps[:, 0])
    down = steps[:, 1] - right * float(steps[:, 1] @ right)
    return View(
        projection=projection,
        to_canvas=affine,
        width=max(math.ceil((high[0] - low[0]) * factor), 4),
        height=max(math.ceil((high[1] - low[1]) * factor), 4),
        density=scale * factor,
        origin_mm=skeleton.wrist_mm,
        toward=toward,
        right=right,
        down=down / np.linalg.norm(down),
    )


def _jacobian(projection: Projection, point_mm: Vector) -> Vector:
    """(2, 3) pixels per millimetre at a point."""
    step = np.eye(3) * 2.0
    ends = np.asarray(projection.project(np.vstack([point_mm + step, point_mm - step])))
    return np.asarray((ends[:3] - ends[3:]).T / 4.0, dtype=np.float64)


def _hull(skeleton: Skeleton, ease_mm: float) -> tuple[Vector, Vector]:
    """Spheres that hold the whole hand, arm and sleeve: (n, 3) centres and (n,) radii, mm."""
    arm = skeleton.arm
    fine = np.arange(0, arm.along_mm[-1], 20.0)
    balls = np.stack([np.interp(fine, arm.along_mm, arm.points_mm[:, k]) for k in range(3)], 1)
    thick = np.interp(fine, arm.along_mm, arm.radii_mm + arm.offsets_mm) + ease_mm + 5.0
    hand = skeleton.joints_mm.reshape(-1, 3)
    return np.vstack([hand, balls]), np.concatenate([skeleton.radii_mm.ravel() + 3.0, thick])


def _turn(projection: Projection, skeleton: Skeleton) -> Vector:
    """(2, 2) rotation of picture directions that sends the forearm straight down."""
    ends = np.stack(
        [
            skeleton.at(np.array([0.0, 60.0, 0.0])),
            skeleton.arm.points_mm[min(4, len(skeleton.arm.points_mm) - 1)],
        ]
    )
    picture = np.asarray(projection.project(ends), dtype=np.float64)
    x, y = picture[1] - picture[0]
    length = max(math.hypot(x, y), 1e-6)
    sin, cos = x / length, y / length
    return np.array([[cos, -sin], [sin, cos]])


def _bounds(
    picture: Vector, reach_px: Vector, turn: Vector, image_size: tuple[int, int]
) -> tuple[Vector, Vector] | None:
    """Corners of the turned box around what can be seen, in turned picture pixels."""
    width, height = image_size
    size = np.array([width, height], dtype=np.float64)
    near = np.all((picture > -reach_px[:, None]) & (picture < size + reach_px[:, None]), axis=1)
    if not near.any():
        return None
    turned = picture[near] @ turn.T
    reach = reach_px[near][:, None]
    low, high = (turned - reach).min(axis=0), (turned + reach).max(axis=0)
    corners = np.array([[0, 0], [width, 0], [0, height], [width, height]]) @ turn.T
    low = np.maximum(low, corners.min(axis=0) - 4)
    high = np.minimum(high, corners.max(axis=0) + 4)
    return (low, high) if bool(np.all(high - low > 1)) else None
