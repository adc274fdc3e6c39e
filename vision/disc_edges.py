"""Sub-pixel circles: the rims of discs fitted in board millimetres on the full picture.

Rays run outwards from each disc in the plane of its upper face, projected into the picture by the
calibrated camera, so tilt, lens and parallax are exact. A disc shows two edges: the rim of its
face, a circle on that plane, and, towards the foot of the camera, the far end of its side wall,
which is the lower rim seen through the same plane. Both are modelled, so the wall does not drag
the centre: every edge found pulls at the nearer of the two, the more the better it agrees.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Array
from vision.board_camera import BoardCamera

__all__ = ["Discs3d", "Rims", "fit_rims"]

_ANGLES, _STEPS, _KNOTS = 48, 33, 4
_INNER, _OUTER = 0.7, 1.35
"""Where the rays begin and end, in radii; the steps are a multiple of the knots, and one."""
_PEAKS = 3
"""Edges kept of a ray."""
_WINDOWS_MM = (3.5, 3.0, 2.5, 2.0, 1.6, 1.3, 1.0, 0.75)
"""Standard deviation of the window around the model in each round: wide, then narrow."""

_JOINT_ROUND, _JOINT_SLACK_MM = 5, 0.25
"""When the discs of a group take one radius, and how far each may still be from it."""


@dataclass(frozen=True, slots=True)
class Discs3d:
    """Discs supposed to lie level; all arrays (n,) float64, mm, board frame.

    ``x``, ``y``: middle; ``radius``; ``top``, ``base``: heights of the two faces.
    ``slack``: how far (standard deviation) the radius may be from ``radius``. ``group``: int, discs
    of one group have one radius, found together; -1: a radius of its own.
    """

    x: Array
    y: Array
    radius: Array
    top: Array
    base: Array
    slack: Array
    group: Array

    def __len__(self) -> int:
        return len(self.x)


@dataclass(frozen=True, slots=True)
class Rims:
    """Fitted discs; arrays (n,) float64.

    ``x``, ``y``, ``radius``: mm. ``support``: share of the rim where an edge lies on the model.
    ``contrast``: median height of those edges (8 bit levels over about 1 mm), ``noise``: of edges
    elsewhere. ``rms``: of the edges used, mm. ``moved``: from the start, mm. ``seen``: (n, angles)
    bool, the rim directions (0 = +x, counter-clockwise) with an edge.
    """

    x: Array
    y: Array
    radius: Array
    support: Array
    contrast: Array
    noise: Array
    rms: Array
    moved: Array
    seen: Array


def fit_rims(image_bgr: Array, camera: BoardCamera, discs: Discs3d) -> Rims:
    """The circles that fit best near where the discs are supposed to be.

    ``image_bgr``: (h, w, 3) uint8. Nothing is refused here: judge by ``support`` and ``moved``.
    """
    if len(discs) == 0:
        none = np.zeros(0)
        return Rims(*(none,) * 8, np.zeros((0, _ANGLES), dtype=bool))
    angles = np.arange(_ANGLES) * (2 * np.pi / _ANGLES)
    ways = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    rho = np.linspace(_INNER, _OUTER, _STEPS) * discs.radius[:, None]
    profiles = _profiles(image_bgr, camera, discs, ways, rho)
    place, height = _peaks(_steepness(profiles), rho)
    fit = _Fit(camera, discs, ways)
    for turn, window in enumerate(_WINDOWS_MM):
        if turn == _JOINT_ROUND:
            fit.join_radii()
        fit.step(place, height, window)
    return fit.result(place, height)


def _profiles(
    image_bgr: Array, camera: BoardCamera, discs: Discs3d, ways: Array, rho: Array
) -> Array:
    """(n, angles, steps, 3) float32: colours along the rays, smoothed to the picture's pixels."""
    # A ray of a centimetre is all but straight in the picture: a few knots are projected.
    knots = rho[:, :: (_STEPS - 1) // _KNOTS]
    points = np.empty((len(discs), _ANGLES, knots.shape[1], 3))
    points[..., 0] = discs.x[:, None, None] + ways[:, 0, None] * knots[:, None, :]
    points[..., 1] = discs.y[:, None, None] + ways[:, 1, None] * knots[:, None, :]
    points[..., 2] = discs.top[:, None, None]
    px = np.nan_to_num(camera.mm_to_px(points), nan=-1e4)
    rows = _between(px.reshape(-1, knots.shape[1], 2)).astype(np.float32)
    step_mm = float(np.median(rho[:, 1] - rho[:, 0]))
    step_px = float(np.median(np.hypot(*np.diff(rows, axis=1).reshape(-1, 2).T)))
    colours = cv2.remap(
        image_bgr,
        np.ascontiguousarray(rows[..., 0]),
        np.ascontiguousarray(rows[..., 1]),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    ).astype(np.float32)
    sigma = max(0.5 / max(step_px, 1e-3), 0.35 / step_mm)
    return _blur(colours, sigma).reshape(len(discs), _ANGLES, _STEPS, 3)


def _between(knots: Array) -> Array:
    """(rows, steps, 2) px on straight lines between (rows, knots, 2) px."""
    count = (knots.shape[1] - 1) * ((_STEPS - 1) // _KNOTS) + 1
    at = np.linspace(0.0, knots.shape[1] - 1.0, count)
    low = np.minimum(at.astype(np.int64), knots.shape[1] - 2)
    share = (at - low)[:, None]
    out: Array = knots[:, low] * (1 - share) + knots[:, low + 1] * share
    return out


def _blur(rows: Array, sigma: float) -> Array:
    """Each row on its own."""
    half = max(1, int(np.ceil(2.5 * sigma)))
    kernel = cv2.getGaussianKernel(2 * half + 1, sigma)
    return cv2.sepFilter2D(rows, -1, kernel, np.ones((1, 1)), borderType=cv2.BORDER_REPLICATE)


def _steepness(profiles: Array) -> Array:
    """(n, angles, steps - 1) float32: how fast the colour changes outwards, 8 bit levels a step."""
    out: Array = np.linalg.norm(np.diff(profiles, axis=2), axis=-1)
    return out


def _peaks(edges: Array, rho: Array) -> tuple[Array, Array]:
    """The strongest edges of each ray: (peaks, n, angles) places, mm from the middle, heights."""
    inner = edges[..., 1:-1]
    before, after = edges[..., :-2], edges[..., 2:]
    top = (inner >= before) & (inner > after)
    strong = np.where(top, inner, 0.0)
    best = np.argpartition(-strong, _PEAKS - 1, axis=-1)[..., :_PEAKS]
    height = np.take_along_axis(strong, best, axis=-1)
    a = np.take_along_axis(before, best, axis=-1)
    c = np.take_along_axis(after, best, axis=-1)
    bend = np.minimum(a - 2 * height + c, -1e-6)
    shift = np.clip(0.5 * (a - c) / bend, -0.5, 0.5)
    step = (rho[:, 1] - rho[:, 0])[:, None, None]
    place = rho[:, 0][:, None, None] + (best + 1.5 + shift) * step
    # Peaks first: numpy is slow at sums over a last axis of three.
    first = (np.ascontiguousarray(np.moveaxis(each, -1, 0)) for each in (place, height))
    return next(first), next(first)


class _Fit:
    """Middle and radius of all discs at once, by reweighted least squares."""

    def __init__(self, camera: BoardCamera, discs: Discs3d, ways: Array) -> None:
        self._discs, self._ways = discs, ways
        self._eye = np.array(camera.position_mm)
        self._radius, self._slack = discs.radius.copy(), discs.slack.copy()
        self._at = np.stack([np.zeros(len(discs)), np.zeros(len(discs)), discs.radius], axis=-1)
        """(n, 3): how far the middle has moved, and the radius."""

    def _model(self) -> tuple[Array, Array]:
        """(n, angles) mm from the *start*: rim of the face, end of the wall (or far out)."""
        dx, dy, radius = self._at.T
        shift = dx[:, None] * self._ways[:, 0] + dy[:, None] * self._ways[:, 1]
        across = dy[:, None] * self._ways[:, 0] - dx[:, None] * self._ways[:, 1]
        face = shift + np.sqrt(np.maximum(radius[:, None] ** 2 - across**2, 1e-3))
        share = (self._eye[2] - self._discs.top) / (self._eye[2] - self._discs.base)
        foot = self._eye[:2] - np.stack([self._discs.x + dx, self._discs.y + dy], axis=-1)
        low = foot * (1 - share)[:, None] + np.stack([dx, dy], axis=-1)
        shift = low @ self._ways.T
        across = low[:, 1:] * self._ways[:, 0] - low[:, :1] * self._ways[:, 1]
        wall = shift + np.sqrt(np.maximum((share * radius)[:, None] ** 2 - across**2, 1e-3))
        return face, np.where(wall > face + 0.4, wall, 1e3)

    def _residuals(self, place: Array) -> Array:
        """(peaks, n, angles): mm from the nearer of the two edges."""
        face, wall = self._model()
        to_face = place - face
        to_wall = place - wall
        return np.where(np.abs(to_wall) < np.abs(to_face), to_wall, to_face)

    @staticmethod
    def _level(height: Array) -> Array:
        """(n, 1): how high the edges of a disc are."""
        out: Array = np.median(height.max(axis=0), axis=-1)[:, None] + 1e-3
        return out

    def step(self, place: Array, height: Array, window: float) -> None:
        """One round."""
        rest = self._residuals(place)
        level = self._level(height)
        weight = height / (height + 0.5 * level) * np.exp(-0.5 * (rest / window) ** 2)
        ways = np.concatenate([self._ways, np.ones((_ANGLES, 1))], axis=1)
        pull = weight.sum(axis=0)
        normal = np.einsum("na,ai,aj->nij", pull, ways, ways)
        right = np.einsum("na,ai->ni", (weight * rest).sum(axis=0), ways)
        # The start is a weak prior of the middle, the set's radius a stronger one.
        stiff = 0.7**2 / np.stack([np.full(len(pull), 9.0)] * 2 + [self._slack**2], axis=-1)
        index = np.arange(3)
        normal[:, index, index] += stiff * 8.0 + 1e-6
        aim = np.stack([0 * self._discs.x, 0 * self._discs.x, self._radius], axis=-1)
        right += stiff * 8.0 * (aim - self._at)
        self._at = self._at + np.linalg.solve(normal, right[..., None])[..., 0]

    def join_radii(self) -> None:
        """One radius for each group, of at least three discs: the median of what they have now."""
        for group in np.unique(self._discs.group[self._discs.group >= 0]):
            rows = np.flatnonzero(self._discs.group == group)
            if len(rows) >= 3:
                self._radius[rows] = np.median(self._at[rows, 2])
                self._slack[rows] = _JOINT_SLACK_MM

    def result(self, place: Array, height: Array) -> Rims:
        """What came out."""
        rest = np.abs(self._residuals(place))
        on = rest < 1.2
        best = np.where(on, height, 0.0).max(axis=0)
        noise = np.median(np.where(on, 0.0, height).max(axis=0), axis=-1)
        strongest = np.quantile(best, 0.7, axis=-1)
        seen = best > np.maximum(0.3 * strongest[:, None], 1.0)
        support = seen.mean(axis=-1)
        used = on & seen
        count = np.maximum(used.sum(axis=(0, 2)), 1)
        rms = np.sqrt((np.where(used, rest, 0.0) ** 2).sum(axis=(0, 2)) / count)
        dx, dy, radius = self._at.T
        return Rims(
            self._discs.x + dx,
            self._discs.y + dy,
            radius,
            support,
            np.where(seen, best, 0.0).sum(axis=-1) / np.maximum(seen.sum(axis=-1), 1),
            noise,
            rms,
            np.hypot(dx, dy),
            seen,
        )
