"""Single places on an edge or a stroke along a side, to a fraction of a pixel."""

from dataclasses import dataclass

import numpy as np

from vision.arrays import Array
from vision.board_camera import BoardCamera
from vision.strips import cut_strips, side_points

__all__ = ["LinePoints", "edge_points", "stroke_points"]

_LEAST_SHARE = 0.3
"""Of the typical step that a place must show to count."""


@dataclass(frozen=True, slots=True)
class LinePoints:
    """Places seen on lines that lie ``inset_mm`` inside the edge of the surface, at ``z_mm``.

    ``px``: (n, 2) float64 picture px; ``side``: (n,) int, N E S W; ``weight``: (n,) 0 to 1.
    ``share``: (4,) of the blocks of each side that are backed by a point. ``way``: (4, 3) the
    colour direction of the step outwards, 0 where nothing was found.
    """

    px: Array
    side: Array
    weight: Array
    share: Array
    way: Array

    def joined(self, other: "LinePoints") -> "LinePoints":
        """The points of both; they are of different sides."""
        return LinePoints(
            np.concatenate([self.px, other.px]),
            np.concatenate([self.side, other.side]),
            np.concatenate([self.weight, other.weight]),
            self.share + other.share,
            self.way + other.way,
        )


def edge_points(
    image_bgr: Array,
    camera: BoardCamera,
    half_mm: float,
    *,
    z_mm: float,
    window_mm: float,
    sides: Array,
    way: Array | None = None,
    blocks: int = 32,
) -> LinePoints:
    """Places on the inner edge of the frame at a height; ``sides``: (4,) bool, which to look at.

    ``way``: (3,) the colour direction in which they must step; ``None``: whichever is clearest.
    """
    step = min(0.5, 0.35 / max(camera.px_per_mm(), 1e-3))
    t = np.arange(-window_mm - 3.0, window_mm + 3.0 + step, step)
    strips = cut_strips(image_bgr, camera, half_mm, t_mm=t, blocks=blocks, z_mm=z_mm)
    slopes = strips.slopes(_blur_mm(camera))
    frame = _Frame(strips.t_mm, strips.s_mm, camera, half_mm, z_mm)
    return _peaks(slopes, frame, window_mm, sides, way)


def stroke_points(
    image_bgr: Array,
    camera: BoardCamera,
    half_mm: float,
    *,
    inset_mm: float,
    window_mm: float,
    width_mm: float = 3.0,
    blocks: int = 32,
) -> LinePoints:
    """Places on the middle of a printed line ``inset_mm`` inside the edge of the surface."""
    step = min(0.5, 0.35 / max(camera.px_per_mm(), 1e-3))
    reach = width_mm / 2 + 0.5 * _blur_mm(camera)
    t = np.arange(-window_mm - reach - 3.0, window_mm + reach + 3.0 + step, step)
    inner = half_mm - inset_mm
    strips = cut_strips(image_bgr, camera, inner, t_mm=t, blocks=blocks, reach=0.88)
    slopes = strips.slopes(_blur_mm(camera))
    k = max(1, round(reach / step))
    ridge = np.full_like(slopes, np.nan)
    ridge[:, :, k:-k] = slopes[:, :, 2 * k :] - slopes[:, :, : -2 * k]
    everywhere = np.ones(4, dtype=bool)
    return _peaks(ridge, _Frame(t, strips.s_mm, camera, inner, 0.0), window_mm, everywhere, None)


def _blur_mm(camera: BoardCamera) -> float:
    """What to blur across: about a pixel."""
    return min(2.5, max(0.6, 0.9 / max(camera.px_per_mm(), 1e-3)))


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where the samples of strips lie."""

    t_mm: Array
    s_mm: Array
    camera: BoardCamera
    half_mm: float
    z_mm: float


def _peaks(
    values: Array, frame: _Frame, window_mm: float, sides: Array, way: Array | None
) -> LinePoints:
    near = np.abs(frame.t_mm) <= window_mm
    px, side_of, weight = [np.zeros((0, 2))], [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
    share, ways = np.zeros(4), np.zeros((4, 3))
    for side in np.flatnonzero(sides):
        block = values[side]
        seen = ~np.isnan(block[:, near, 0]).any(axis=1)
        if seen.sum() < 4:
            continue
        clearest = _way(block[seen][:, near]) if way is None else way
        along = np.nan_to_num(block @ clearest)
        place, height = _tops(along, frame.t_mm, near)
        typical = float(np.median(np.sort(height[seen])[-max(4, int(0.6 * seen.sum())) :]))
        good = seen & (height > _LEAST_SHARE * typical) & (np.abs(place) < window_mm)
        if typical < 0.4 or good.sum() < 4:
            continue
        spots = side_points(int(side), frame.s_mm[good], place[good], frame.half_mm)
        px.append(frame.camera.board_to_px(spots, frame.z_mm))
        side_of.append(np.full(int(good.sum()), side))
        weight.append(np.minimum(1.0, height[good] / typical))
        share[side], ways[side] = good.sum() / len(seen), clearest
    return LinePoints(
        np.concatenate(px), np.concatenate(side_of), np.concatenate(weight), share, ways
    )


def _way(block: Array) -> Array:
    """(3,): the colour direction in which most blocks step, of (blocks, n, 3) values."""
    size = np.linalg.norm(block, axis=-1)
    best = block[np.arange(len(block)), size.argmax(axis=1)]
    mean = np.median(best, axis=0)
    length = float(np.linalg.norm(mean))
    if length < 1e-6:
        return np.full(3, 0.57735)
    out: Array = mean / length
    return out


def _tops(along: Array, t_mm: Array, near: Array) -> tuple[Array, Array]:
    """Place and height of the highest point of each row within ``near``, by a parabola."""
    rows = np.arange(len(along))
    inside = np.where(near[None], along, -np.inf)
    k = inside.argmax(axis=1).clip(1, along.shape[1] - 2)
    low, top, high = along[rows, k - 1], along[rows, k], along[rows, k + 1]
    bow = low - 2 * top + high
    shift = np.where(bow < -1e-9, 0.5 * (low - high) / np.where(bow < -1e-9, bow, -1.0), 0.0)
    step = float(t_mm[1] - t_mm[0])
    place: Array = t_mm[k] + shift.clip(-0.5, 0.5) * step
    return place, top
