"""From rough corners to a camera that fits the board's edges and lines to a fraction of a mm.

Find how lines bow (the lens), choose the edges of the surface among all lines along the sides, then
fit everything at once, with ever narrower windows.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from carrom.board_spec import BoardFamily
from vision.arrays import Array
from vision.board_camera import BoardCamera
from vision.edge_lines import edge_evidence, energy, stroke_evidence
from vision.edge_points import LinePoints, edge_points, stroke_points
from vision.joint_fit import JointFit, Sight, fit_camera
from vision.pose import bend_of, camera_from_corners, resized, square
from vision.side_choice import SideChoice, choose_sides, parallax_mm
from vision.strips import ALONG, OUTWARD, cut_strips

__all__ = ["Refined", "refine"]

_BENDS: Array = np.array([-0.1, -0.04, 0.0, 0.04, 0.09, 0.15, 0.22, 0.3, 0.4, 0.52, 0.66, 0.8])
_FINEST_PX_PER_MM = 2.0
_UNSEEN_MM = 25.0
"""How far off a corner may be that was worked out from the others."""
_HEIGHTS = {BoardFamily.ICF: (21.0, 4.0), BoardFamily.HIKONE: (19.0, 6.0)}
"""Height of a frame, mm: mean and standard deviation (``carrom.boards``, home boards)."""
_POOR_MM, _TRIES, _CLEARLY = 0.3, 4, 0.03
"""A fit of a larger residual may have taken a wrong line: so many others are tried, and one is
taken that costs less by so much."""
_WINDOWS = ((3.0, 5), (1.8, 5), (1.2, 8))
"""Reach of the search for points, mm, and rounds of the fit after it."""


@dataclass(frozen=True, slots=True)
class Refined:
    """A calibrated camera of the full picture and how well the picture backs it.

    ``choice``: the reading of the sides; ``support``: (4,) share of each side (N E S W) that was
    seen; ``printed``: (4,) share of the printed line along each side.
    """

    camera: BoardCamera
    fit: JointFit
    choice: SideChoice
    support: Array
    printed: Array


def refine(
    image_bgr: Array,
    corners_px: Array,
    family: BoardFamily,
    half_mm: float,
    *,
    spread_mm: Array,
) -> Refined:
    """The camera behind a picture whose corners are known roughly.

    ``image_bgr``: (h, w, 3) uint8. ``corners_px``: (4, 2) px, NW NE SE SW; ``spread_mm``: (4,)
    their standard deviations, infinite for what was not seen (such a corner is not looked at).
    Raises ``CalibrationError`` when no camera can see the corners so.
    """
    image, scale = _reduced(image_bgr, corners_px, half_mm)
    corners = (np.asarray(corners_px, dtype=np.float64) + 0.5) * scale - 0.5
    camera = _unbent(image, corners, half_mm, spread_mm)
    usual = _HEIGHTS[family]
    choice = _chosen(image, camera, half_mm, _side_spread(spread_mm, _UNSEEN_MM), usual)
    if not np.isfinite(spread_mm).all():
        camera = _through(camera, choice, half_mm)
        choice = _chosen(image, camera, half_mm, _side_spread(spread_mm, 10.0), usual)
    task = _Task(image, half_mm, corners, spread_mm, usual)
    best = _best_fit(task, camera, choice)
    full = resized(best.fit.camera, image_bgr.shape[1], image_bgr.shape[0])
    return Refined(full, best.fit, best.choice, best.support, best.printed)


@dataclass(frozen=True, slots=True)
class _Task:
    """What is to be fitted: the picture, and the corners as the network or a hand has them."""

    image: Array
    half_mm: float
    corners_px: Array
    spread_mm: Array
    usual: tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Fit:
    """A choice of lines fitted; ``cost``: low for a small residual, corners that stay, and sides
    that are seen."""

    choice: SideChoice
    fit: JointFit
    support: Array
    printed: Array
    cost: float


def _best_fit(task: _Task, camera: BoardCamera, choice: SideChoice) -> _Fit:
    """The fit of the chosen lines; where it is poor, of the choice with one other line."""
    best = _fit(task, camera, choice)
    for other in choice.others[:_TRIES]:
        if best.fit.residual_mm < _POOR_MM or (best.support > 0.5).sum() < 3:
            break
        trial = _fit(task, camera, choice.with_other(*other))
        if trial.cost < best.cost - _CLEARLY:
            best = trial
    return best


def _fit(task: _Task, camera: BoardCamera, choice: SideChoice) -> _Fit:
    start = _through(camera, choice, task.half_mm)
    fit, support, printed = _fitted(task, start, choice)
    off = fit.camera.px_to_board(task.corners_px) - square(task.half_mm)
    far = np.minimum(np.linalg.norm(off, axis=1) / task.spread_mm, 4.0)
    unseen = 4.0 - float(support.sum()) + 0.5 * (4.0 - float(printed.sum()))
    cost = fit.residual_mm + 0.01 * float(far @ far) + 0.1 * unseen
    return _Fit(choice, fit, support, printed, cost)


def _reduced(image_bgr: Array, corners_px: Array, half_mm: float) -> tuple[Array, float]:
    """The picture made no finer than needed, and its scale."""
    ring = np.asarray(corners_px, dtype=np.float64)
    side_px = float(np.max(np.linalg.norm(ring - np.roll(ring, 1, axis=0), axis=1)))
    scale = min(1.0, _FINEST_PX_PER_MM * 2 * half_mm / max(side_px, 1.0))
    if scale > 0.9:
        return image_bgr, 1.0
    height, width = image_bgr.shape[:2]
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    return cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA), size[0] / width


def _side_spread(spread_mm: Array, unseen_mm: float) -> Array:
    """(4,) mm: how far off the sides N E S W may be, by the corners at their ends."""
    known = np.where(np.isfinite(spread_mm), np.minimum(spread_mm, unseen_mm), unseen_mm)
    out: Array = 0.8 * np.sqrt((known**2 + np.roll(known, -1) ** 2) / 2)
    return out


def _unbent(image: Array, corners: Array, half_mm: float, spread_mm: Array) -> BoardCamera:
    """The camera through the corners whose lens makes the board's lines straightest."""
    t = np.arange(-150.0, 41.0, 1.0)
    tilts = np.arange(-10.0, 10.1, 1.0)
    size = (image.shape[1], image.shape[0])

    def camera_of(bend: float, rounds: int) -> BoardCamera:
        return camera_from_corners(
            corners, half_mm, size_px=size, bend=bend, spread_mm=spread_mm, rounds=rounds
        )

    sharp = []
    for bend in _BENDS:
        strips = cut_strips(image, camera_of(float(bend), 5), half_mm, t_mm=t, blocks=12)
        sharp.append(energy(strips, half_mm, tilts_mm=tilts))
    k = int(np.argmax(sharp))
    best = float(_BENDS[k])
    if 0 < k < len(_BENDS) - 1:
        a, b, _ = np.polyfit(_BENDS[k - 1 : k + 2], sharp[k - 1 : k + 2], 2)
        best = float(np.clip(-b / (2 * a), _BENDS[k - 1], _BENDS[k + 1])) if a < 0 else best
    return camera_of(best, 12)


def _chosen(
    image: Array, camera: BoardCamera, half_mm: float, spread_mm: Array, usual: tuple[float, float]
) -> SideChoice:
    t = np.arange(-160.0, 60.0, 0.5)
    strips = cut_strips(image, camera, half_mm, t_mm=t, blocks=16)
    reach = min(24.0, max(5.0, 2.2 * float(spread_mm.max())))
    tilts = np.arange(-reach, reach + 0.1, 1.0)
    blur = min(2.0, max(0.8, 0.8 / camera.px_per_mm()))
    edges = edge_evidence(strips, half_mm, tilts_mm=tilts, blur_mm=blur)
    strokes = stroke_evidence(strips, half_mm, tilts_mm=tilts, blur_mm=max(1.5, blur))
    return choose_sides(
        strips, edges, strokes, camera, half_mm, spread_mm=spread_mm, height_mm=usual
    )


def _through(camera: BoardCamera, choice: SideChoice, half_mm: float) -> BoardCamera:
    """The camera turned and moved so that the chosen lines are the sides of the surface."""
    lines = []
    for side in range(4):
        ends = [
            OUTWARD[side] * (half_mm + choice.t_mm[side] + way * choice.tilt_mm[side])
            + ALONG[side] * half_mm * way
            for way in (-1.0, 1.0)
        ]
        lines.append(np.cross([*ends[0], 1.0], [*ends[1], 1.0]))
    corners = []
    for a, b in ((3, 0), (0, 1), (1, 2), (2, 3)):
        x, y, w = np.cross(lines[a], lines[b])
        corners.append((x / w, y / w))
    backed = choice.found & np.roll(choice.found, 1)
    return camera_from_corners(
        camera.board_to_px(np.array(corners)),
        half_mm,
        size_px=(camera.width_px, camera.height_px),
        bend=bend_of(camera),
        spread_mm=np.where(backed, 1.0, 6.0),
    )


def _fitted(task: _Task, camera: BoardCamera, choice: SideChoice) -> tuple[JointFit, Array, Array]:
    """Rounds of looking for points and fitting, each with a narrower window."""
    image, half_mm = task.image, task.half_mm
    insets, height, support = [choice.mark_mm], choice.height_mm, np.zeros(4)
    for window, rounds in _WINDOWS:
        shift = parallax_mm(camera, half_mm, height)
        # Edges closer together than the blur are one: then only the lower counts.
        apart = (shift < 0) | (shift > 3.0 / max(camera.px_per_mm(), 0.3))
        lower = _lower_points(image, camera, half_mm, window, choice.found & (shift > 0), apart)
        upper = edge_points(
            image, camera, half_mm, z_mm=height, window_mm=window, sides=choice.found & apart
        )
        strokes = tuple(
            stroke_points(image, camera, half_mm, inset_mm=inset, window_mm=window + 1.0)
            for inset in insets
        )
        spread = np.maximum(task.spread_mm, 4.0)
        sight = Sight(lower, upper, strokes, tuple(insets), task.corners_px, spread, task.usual)
        fit = fit_camera(camera, half_mm, sight, rounds=rounds)
        camera, height, insets = fit.camera, fit.height_mm, list(fit.insets_mm)
        support = np.where(shift > 0, lower.share, upper.share)
    return fit, support, strokes[0].share


def _lower_points(
    image: Array, camera: BoardCamera, half_mm: float, window_mm: float, sides: Array, apart: Array
) -> LinePoints:
    """Points on the edge of the surface.

    Where the frame's upper edge is seen close beside it, only a step of the colours that the other
    sides show is the edge of the surface.
    """
    clear = edge_points(image, camera, half_mm, z_mm=0.0, window_mm=window_mm, sides=sides & apart)
    way = clear.way.sum(axis=0)
    length = float(np.linalg.norm(way))
    close = edge_points(
        image,
        camera,
        half_mm,
        z_mm=0.0,
        window_mm=window_mm,
        sides=sides & ~apart,
        way=way / length if length > 0.7 else None,
    )
    return clear.joined(close)
