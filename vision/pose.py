"""A camera from the corners of a square of known size, and least squares for everything else.

The pose has six unknowns (a turn and a place), the lens two (focal length, distortion). Four
corners fix the first six; a square seen under perspective says something about the focal length,
seen from straight above nothing, so the lens always carries a prior: what cameras have.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import cos, exp, log, sin, sqrt

import numpy as np

from carrom.errors import CalibrationError
from vision.arrays import Array
from vision.board_camera import BoardCamera

__all__ = [
    "LENS_UNKNOWNS",
    "Solution",
    "bend_of",
    "camera_from_corners",
    "lens_prior",
    "moved",
    "order_as_seen",
    "resized",
    "solve",
    "square",
]

LENS_UNKNOWNS = 8
"""Three of the turn (rad), three of the place (mm), log of the focal length, distortion."""

_FOCAL_OF_LONG_SIDE, _FOCAL_SPREAD = 0.72, 0.32
"""Prior of the focal length: 0.72 long sides, a third more or less (50 to 105 degrees of view)."""
_BARREL_SPREAD = 0.05


@dataclass(frozen=True, slots=True)
class Solution:
    """What ``solve`` found: the unknowns, their (n, n) covariance, the last residuals."""

    unknowns: Array
    covariance: Array
    residuals: Array


def square(half_mm: float) -> Array:
    """(4, 2) float64 mm, board frame: corners NW NE SE SW."""
    out: Array = half_mm * np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])
    return out


def order_as_seen(corners_px: Array) -> Array:
    """(4,) int: indices that put (4, 2) px in the order NW NE SE SW of the picture."""
    corners = np.asarray(corners_px, dtype=np.float64)
    away = corners - corners.mean(axis=0)
    ring = np.argsort(np.arctan2(away[:, 1], away[:, 0]), kind="stable")
    first = int(np.argmin(corners[ring].sum(axis=1)))
    return np.roll(ring, -first)


def _typical_barrel(focal_of_side: float) -> float:
    """The distortion to expect of a lens: wide ones bend, long ones hardly.

    ``focal_of_side``: focal length over the long side of the picture.
    """
    return 0.01 + 0.11 / (1.0 + exp((focal_of_side - 0.70) / 0.05))


def bend_of(camera: BoardCamera) -> float:
    """Its distortion for a focal length of one long side of the picture: how lines bow."""
    share = camera.focal_px / max(camera.width_px, camera.height_px)
    return camera.distortion / share**2


def lens_prior(camera: BoardCamera) -> Array:
    """(2,) residuals of the lens against what cameras have, in standard deviations."""
    share = camera.focal_px / max(camera.width_px, camera.height_px)
    return np.array(
        [
            log(share / _FOCAL_OF_LONG_SIDE) / _FOCAL_SPREAD,
            (camera.distortion - _typical_barrel(share)) / _BARREL_SPREAD,
        ]
    )


def moved(camera: BoardCamera, change: Sequence[float] | Array) -> BoardCamera:
    """The camera after a change of the ``LENS_UNKNOWNS``."""
    turn = _turn(np.asarray(change[:3], dtype=np.float64)) @ camera.axes
    place = np.asarray(camera.position_mm) + np.asarray(change[3:6], dtype=np.float64)
    return BoardCamera(
        camera.width_px,
        camera.height_px,
        camera.focal_px * exp(min(2.0, max(-2.0, float(change[6])))),
        camera.middle_px,
        camera.distortion + float(change[7]),
        (float(place[0]), float(place[1]), float(place[2])),
        tuple(float(v) for v in turn.ravel()),
    )


def resized(camera: BoardCamera, width_px: int, height_px: int) -> BoardCamera:
    """The same camera for the same picture at another size."""
    across, down = width_px / camera.width_px, height_px / camera.height_px
    middle = (
        (camera.middle_px[0] + 0.5) * across - 0.5,
        (camera.middle_px[1] + 0.5) * down - 0.5,
    )
    return BoardCamera(
        width_px,
        height_px,
        camera.focal_px * sqrt(across * down),
        middle,
        camera.distortion,
        camera.position_mm,
        camera.rotation,
    )


def camera_from_corners(
    corners_px: Array,
    half_mm: float,
    *,
    size_px: tuple[int, int],
    bend: float | None = None,
    spread_mm: float | Array = 4.0,
    rounds: int = 12,
) -> BoardCamera:
    """The likeliest camera that sees the corners of the surface where they are.

    ``corners_px``: (4, 2) px, NW NE SE SW of the board. ``size_px``: width and height of the
    picture. ``bend``: the distortion for a focal length of one long side of the picture, which is
    what straight lines tell; ``None``: left to the prior. ``spread_mm``: standard deviation of the
    corners, infinite for those that were not seen (a single one may be anywhere): then the camera
    is taken to stand roughly overhead. Raises ``CalibrationError`` for corners that no camera can
    see so (mirrored, in one line, not finite).
    """
    corners = np.asarray(corners_px, dtype=np.float64)
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise CalibrationError(f"corners: expected four finite points, got {corners_px!r}")
    places = square(half_mm)
    spread = np.broadcast_to(np.asarray(spread_mm, dtype=np.float64), (4,))
    counted = np.isfinite(spread)
    if counted.sum() == 3:
        lost = int(np.argmin(counted))
        corners = corners.copy()
        corners[lost] = corners[lost - 1] + corners[(lost + 1) % 4] - corners[(lost + 2) % 4]
    start = _start(corners, half_mm, size_px, bend)
    tilt_spread = 0.9 if (spread < 10.0).all() else 0.25

    def residuals(change: Array) -> Array:
        camera = moved(start, change)
        away = (camera.px_to_board(corners[counted]) - places[counted]) / spread[counted, None]
        tilt = camera.axes[2, :2] / tilt_spread
        lens = lens_prior(camera)
        fixed = [] if bend is None else [(bend_of(camera) - bend) * 1e3]
        return np.concatenate([np.clip(away.ravel(), -1e4, 1e4), tilt, lens, fixed])

    found = solve(residuals, np.zeros(LENS_UNKNOWNS), rounds=rounds)
    camera = moved(start, found.unknowns)
    if not (camera.position_mm[2] > 0 and np.isfinite(found.residuals).all()):
        raise CalibrationError(f"corners: expected a square seen from above, got {corners_px!r}")
    return camera


def solve(
    residuals: Callable[[Array], Array],
    start: Array,
    *,
    rounds: int = 20,
    weights: Callable[[Array], Array] | None = None,
) -> Solution:
    """Levenberg-Marquardt with a numeric Jacobian; ``weights`` of residuals make it robust."""
    x = np.array(start, dtype=np.float64)
    damp, steps = 1e-3, np.full(len(x), 1e-6)
    now = residuals(x)
    matrix = np.eye(len(x))
    for _ in range(rounds):
        w = np.ones_like(now) if weights is None else weights(now)
        slopes = _slopes(residuals, x, now, steps)
        matrix = (slopes * w[:, None]).T @ slopes
        pull = slopes.T @ (w * now)
        cost = float(np.sum(w * now * now))
        better = False
        for _ in range(6):
            step = np.linalg.solve(matrix + damp * np.diag(np.diag(matrix) + 1e-9), -pull)
            trial = residuals(x + step)
            if np.isfinite(trial).all() and float(np.sum(w * trial * trial)) < cost:
                better = True
                break
            damp *= 8.0
        if not better:
            break
        gain = cost - float(np.sum(w * trial * trial))
        x, now, damp = x + step, trial, max(damp / 10.0, 1e-9)
        if gain < 1e-6 * cost + 1e-9:
            break
    return Solution(x, np.linalg.pinv(matrix), now)


def _slopes(residuals: Callable[[Array], Array], x: Array, now: Array, steps: Array) -> Array:
    """(m, n) float64: the Jacobian by forward differences."""
    out = np.empty((len(now), len(x)))
    for k, step in enumerate(steps):
        there = x.copy()
        there[k] += step
        out[:, k] = (residuals(there) - now) / step
    return out


def _turn(vector: Array) -> Array:
    """(3, 3): the rotation about a vector by its length (Rodrigues)."""
    angle = float(np.linalg.norm(vector))
    if angle < 1e-12:
        a, b, c = vector
        return np.array([[1.0, -c, b], [c, 1.0, -a], [-b, a, 1.0]])
    a, b, c = vector / angle
    cross = np.array([[0.0, -c, b], [c, 0.0, -a], [-b, a, 0.0]])
    out: Array = np.eye(3) + sin(angle) * cross + (1 - cos(angle)) * cross @ cross
    return out


def _start(
    corners: Array, half_mm: float, size_px: tuple[int, int], bend: float | None
) -> BoardCamera:
    """A camera from the homography of the four corners, for a typical focal length."""
    share = _FOCAL_OF_LONG_SIDE if bend is None or bend < 0.15 else 0.55
    focal = share * max(size_px)
    distortion = 0.03 if bend is None else bend * share**2
    middle = ((size_px[0] - 1) / 2, (size_px[1] - 1) / 2)
    bent = (corners - middle) / focal
    rest = 1.0 - distortion * np.sum(bent * bent, axis=1, keepdims=True)
    flat = bent / np.maximum(rest, 0.1)
    matrix = _homography(square(half_mm) / half_mm, flat)
    if matrix[2, 2] < 0:
        matrix = -matrix
    first, second, shift = matrix.T
    scale = (np.linalg.norm(first) + np.linalg.norm(second)) / 2
    area = _cross(flat[1] - flat[0], flat[3] - flat[0])
    if not scale > 1e-9 or area < 1e-6:
        raise CalibrationError(f"corners: expected them clockwise in the picture, got {corners!r}")
    raw = np.stack([first, second, np.cross(first, second) / scale], axis=1) / scale
    u, _, v = np.linalg.svd(raw)
    axes = u @ np.diag([1.0, 1.0, np.linalg.det(u @ v)]) @ v
    place = -axes.T @ (shift / scale) * half_mm
    return BoardCamera(
        size_px[0],
        size_px[1],
        focal,
        middle,
        distortion,
        (float(place[0]), float(place[1]), float(place[2])),
        tuple(float(value) for value in axes.ravel()),
    )


def _cross(a: Array, b: Array) -> float:
    return float(a[0] * b[1] - a[1] * b[0])


def _homography(points: Array, images: Array) -> Array:
    """(3, 3) float64: the projective map of four points to four points."""
    rows = []
    for (x, y), (u, v) in zip(points, images, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y, -u])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y, -v])
    out: Array = np.linalg.svd(np.array(rows))[2][-1].reshape(3, 3)
    return out
