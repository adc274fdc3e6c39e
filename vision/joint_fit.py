"""All edges, lines and corners of a board fitted at once by one camera."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.arrays import Array
from vision.board_camera import BoardCamera
from vision.edge_points import LinePoints
from vision.pose import LENS_UNKNOWNS, lens_prior, moved, solve, square
from vision.strips import OUTWARD

__all__ = ["JointFit", "Sight", "fit_camera"]

_EDGE_MM, _UPPER_MM, _PRINT_MM = 0.5, 0.8, 0.6
"""Standard deviations of points on the surface's edge, the frame's edge, the printed lines."""
_SHIFT_MM = 0.8
"""How far off the middle of the board a print usually is."""
_LOOSE_SIGMAS = 2.0


@dataclass(frozen=True, slots=True)
class Sight:
    """What was seen. ``corners_px``: (4, 2) of the network or of a hand, with ``corner_spread_mm``
    (4,), infinite for corners that were not seen. ``height_mm``: mean and standard deviation.
    ``insets_mm``: of the printed lines in ``strokes``.
    """

    lower: LinePoints
    upper: LinePoints
    strokes: tuple[LinePoints, ...]
    insets_mm: tuple[float, ...]
    corners_px: Array
    corner_spread_mm: Array
    height_mm: tuple[float, float]


@dataclass(frozen=True, slots=True)
class JointFit:
    """The camera found; ``residual_mm``: robust root mean square of all points used.

    ``corner_spread_mm``: (4,) standard deviation of the corners by the fit's own covariance;
    ``distance_spread``: of the camera's distance, as a share of it.
    """

    camera: BoardCamera
    height_mm: float
    insets_mm: tuple[float, ...]
    residual_mm: float
    corner_spread_mm: Array
    distance_spread: float


def fit_camera(start: BoardCamera, half_mm: float, sight: Sight, *, rounds: int = 8) -> JointFit:
    """Least squares over turn, place, lens, frame height, insets and shift of the print."""
    insets = np.array(sight.insets_mm, dtype=np.float64)
    first = np.concatenate([np.zeros(LENS_UNKNOWNS + 2), [sight.height_mm[0]], insets])

    def split(x: Array) -> tuple[BoardCamera, Array, float, Array]:
        n = LENS_UNKNOWNS
        return moved(start, x[:n]), x[n : n + 2], float(x[n + 2]), x[n + 3 :]

    def residuals(x: Array) -> Array:
        camera, shift, height, inset = split(x)
        parts = [
            _away(camera, sight.lower, half_mm, 0.0) / _EDGE_MM,
            _away(camera, sight.upper, half_mm, height) / _UPPER_MM,
        ]
        for points, depth in zip(sight.strokes, inset, strict=True):
            parts.append(_away(camera, points, half_mm - depth, 0.0, shift) / _PRINT_MM)
        parts.append(_corner_part(camera, half_mm, sight))
        height_part = (height - sight.height_mm[0]) / sight.height_mm[1]
        parts += [shift / _SHIFT_MM, np.array([height_part]), lens_prior(camera)]
        return np.concatenate(parts)

    pulls = np.concatenate(
        [sight.lower.weight, sight.upper.weight, *(points.weight for points in sight.strokes)]
    )

    def weights(r: Array) -> Array:
        out = np.ones_like(r)
        counted = np.abs(r[: len(pulls)]) / _LOOSE_SIGMAS
        # Neighbouring points share their errors: a side counts as a few independent ones.
        out[: len(pulls)] = 0.35 * pulls / (1.0 + counted * counted)
        return out

    found = solve(residuals, first, rounds=rounds, weights=weights)
    camera, _, height, inset = split(found.unknowns)
    scale = np.repeat(
        [_EDGE_MM, _UPPER_MM, *([_PRINT_MM] * len(sight.strokes))],
        [len(sight.lower.px), len(sight.upper.px), *(len(p.px) for p in sight.strokes)],
    )
    used = found.residuals[: len(pulls)]
    w = weights(found.residuals)[: len(pulls)]
    inlier = np.abs(used) < 4.0
    w = w * inlier
    rms = float(np.sqrt(np.sum(w * (used * scale) ** 2) / max(float(w.sum()), 1e-9)))
    corner, distance = _spreads(camera, half_mm, found.covariance)
    return JointFit(camera, height, tuple(map(float, inset)), rms, corner, distance)


def _away(
    camera: BoardCamera,
    points: LinePoints,
    half_mm: float,
    z_mm: float,
    shift: Sequence[float] | Array = (0.0, 0.0),
) -> Array:
    """(n,) mm: how far outside its line each point lies on the plane of the line."""
    if len(points.px) == 0:
        return np.zeros(0)
    out = OUTWARD[points.side]
    spots = camera.px_to_board(points.px, z_mm) - np.asarray(shift)
    away: Array = np.clip(np.sum(spots * out, axis=1) - half_mm, -200.0, 200.0)
    return away


def _corner_part(camera: BoardCamera, half_mm: float, sight: Sight) -> Array:
    known = np.isfinite(sight.corner_spread_mm)
    spots = camera.px_to_board(sight.corners_px[known])
    away = (spots - square(half_mm)[known]) / sight.corner_spread_mm[known, None]
    return np.clip(away, -30.0, 30.0).ravel()


def _spreads(camera: BoardCamera, half_mm: float, covariance: Array) -> tuple[Array, float]:
    """Standard deviations of the corners (mm) and of the distance (share of it)."""
    places, n = square(half_mm), LENS_UNKNOWNS
    px = camera.board_to_px(places)
    slopes = np.zeros((4, 2, n))
    for k in range(n):
        change = np.zeros(n)
        change[k] = 1e-5
        slopes[:, :, k] = (moved(camera, change).px_to_board(px) - places) / 1e-5
    cov = covariance[:n, :n]
    variance = np.einsum("cik,kl,cil->c", slopes, cov, slopes)
    away = float(np.sqrt(max(cov[5, 5], 0.0)) / max(camera.position_mm[2], 1.0))
    return np.sqrt(np.maximum(variance, 0.0)), away
