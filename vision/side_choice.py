"""Which of the lines along a side is the edge of the playing surface.

Outwards from the wood there may come: the rim of a shadow, the edge of the surface (height 0), the
upper inner edge of the frame, the outer edge. Steps alone do not tell them apart. What does: the
upper edge lies outside the lower by the parallax of one height for all sides; the printed lines
keep one distance from all four edges; what lies inside looks like the surface; and the corners of
the network are right within millimetres.
"""

from dataclasses import dataclass, replace

import numpy as np

from vision.arrays import Array
from vision.board_camera import BoardCamera
from vision.edge_lines import Evidence
from vision.strips import OUTWARD, Strips

__all__ = ["SideChoice", "choose_sides", "parallax_mm"]

_HEIGHTS: Array = np.arange(8.0, 33.0, 1.0)
_REACH_MM = 35.0
_HALF_STEP = 1.5
_CLEAR, _CLEAR_MM = 2.5, 5.0
"""A line is found when so much stronger than texture; edges so far apart are told apart."""
_UPPER, _MARK, _LOOK = 0.6, 0.45, 0.8
"""Weights of the upper edge, of the printed line, of the look of the wood inside."""


@dataclass(frozen=True, slots=True)
class SideChoice:
    """The edges chosen. ``t_mm``, ``tilt_mm``: (4,) in the strips; ``found``: (4,) bool, backed by
    an edge of its own. ``height_mm``: of the frame; ``mark_mm``: from the edge to the clearest
    printed line. ``lead``: score over the next best reading of the same sides. ``others``: the next
    best lines of single sides, the likeliest first: side, place, tilt.
    """

    t_mm: Array
    tilt_mm: Array
    found: Array
    height_mm: float
    mark_mm: float
    score: float
    lead: float
    others: tuple[tuple[int, float, float], ...] = ()

    def with_other(self, side: int, t_mm: float, tilt_mm: float) -> "SideChoice":
        """The same but for the line of one side."""
        t, tilt, found = self.t_mm.copy(), self.tilt_mm.copy(), self.found.copy()
        t[side], tilt[side], found[side] = t_mm, tilt_mm, True
        return replace(self, t_mm=t, tilt_mm=tilt, found=found)


def parallax_mm(camera: BoardCamera, half_mm: float, height_mm: float | Array) -> Array:
    """(4, ...) mm: how far outside the surface's edge the frame's upper inner edge is seen.

    Negative where the frame hides the edge.
    """
    x, y, z = camera.position_mm
    reach = half_mm - OUTWARD @ np.array([x, y])
    height = np.asarray(height_mm, dtype=np.float64)
    out: Array = np.multiply.outer(reach, height / (z - height))
    return out


def choose_sides(
    strips: Strips,
    edges: Evidence,
    strokes: Evidence,
    camera: BoardCamera,
    half_mm: float,
    *,
    spread_mm: Array,
    height_mm: tuple[float, float],
) -> SideChoice:
    """The likeliest reading of all four sides together.

    ``spread_mm``: (4,) standard deviation of the sides as the camera has them; ``height_mm``: mean
    and standard deviation of the frame's height.
    """
    near = np.abs(edges.t_mm) <= min(_REACH_MM, 3.5 * float(spread_mm.max()))
    shifts = parallax_mm(camera, half_mm, _HEIGHTS)
    task = _Task(strips, edges, strokes, edges.t_mm[near], shifts, spread_mm, height_mm)
    first = _read(task, np.ones((4, len(edges.t_mm)), dtype=np.float32))
    return _read(task, _agreement(edges, first, parallax_mm(camera, half_mm, first.height_mm)))


@dataclass(frozen=True, slots=True)
class _Task:
    """``places``: (p,) mm where the edges may be; ``shifts``: (4, heights) parallax."""

    strips: Strips
    edges: Evidence
    strokes: Evidence
    places: Array
    shifts: Array
    spread_mm: Array
    height_mm: tuple[float, float]


def _agreement(edges: Evidence, first: SideChoice, shifts: Array) -> Array:
    """(4, n): how far each step has the colours of the edges found on the other sides."""
    steps = np.zeros((4, 3))
    for clear in np.flatnonzero(first.found & (shifts > _CLEAR_MM)):
        step = edges.colour[clear, edges.at(int(clear), float(first.t_mm[clear]))]
        steps[clear] = step / (np.linalg.norm(step) + 1e-6)
    out = np.ones(edges.strength.shape, dtype=np.float32)
    for side in range(4):
        others = steps[np.arange(4) != side].sum(axis=0)
        length = float(np.linalg.norm(others))
        if length < 1.2:
            continue
        size = np.linalg.norm(edges.colour[side], axis=-1) + 1e-6
        alike = edges.colour[side] @ (others / length) / size
        out[side] = np.clip(0.35 + 0.85 * alike, 0.15, 1.0)
    return out


def _read(task: _Task, agreement: Array) -> SideChoice:
    # A printed line lies between a sixth and a third of the way to the middle.
    marks = np.arange(45.0, 135.0, 1.0)
    tables = []
    for side in range(4):
        table = _lower_and_upper(task, side, agreement[side])
        table += _LOOK * _look(task.strips, side, task.places)[None]
        table -= 0.5 * (task.places[None] / task.spread_mm[side]) ** 2
        inner = task.places[:, None] - marks[None]
        printed = _MARK * _level(task.strokes, side, inner, 2.0)
        tables.append(table[:, :, None] + printed[None])
    total = np.sum([table.max(axis=1) for table in tables], axis=0)
    mean, spread = task.height_mm
    total -= 0.5 * (((_HEIGHTS - mean) / spread) ** 2)[:, None]
    h, m = (int(k) for k in np.unravel_index(int(total.argmax()), total.shape))
    rows = [table[h, :, m] for table in tables]
    return _choice(task, rows, h, float(marks[m]), float(total[h, m]))


def _choice(task: _Task, rows: list[Array], h: int, mark_mm: float, score: float) -> SideChoice:
    """The best place of each side; ``rows``: (p,) score of every place, for each side."""
    edges, places = task.edges, task.places
    t, tilt, found, leads = np.zeros(4), np.zeros(4), np.zeros(4, dtype=bool), []
    others: list[tuple[float, int, float, float]] = []
    for side, row in enumerate(rows):
        pick = int(row.argmax())
        t[side] = places[pick]
        shift = min(0.0, float(task.shifts[side, h]))
        k = _best_near(edges, side, t[side] + shift, 1.0)
        tilt[side] = edges.tilt_mm[side, k]
        found[side] = edges.strength[side, k] > _CLEAR * edges.noise[side]
        if shift == 0.0 and found[side]:
            t[side] = edges.t_mm[k]
        other = np.abs(places - places[pick]) > _HALF_STEP + 1.0
        leads.append(float(row[pick] - row[other].max()) if other.any() else 0.0)
        others += _others(task, side, row, pick, shift)
    others.sort()
    rest = tuple((side, place, turn) for _, side, place, turn in others)
    return SideChoice(t, tilt, found, float(_HEIGHTS[h]), mark_mm, score, min(leads), rest)


def _others(
    task: _Task, side: int, row: Array, pick: int, shift_mm: float
) -> list[tuple[float, int, float, float]]:
    """The two next best lines of a side: what their score lacks, side, place, tilt."""
    out, places = [], task.places
    free = np.abs(places - places[pick]) > _HALF_STEP
    for _ in range(2):
        if not free.any():
            break
        k = int(np.where(free, row, -np.inf).argmax())
        free &= np.abs(places - places[k]) > _HALF_STEP
        near = _best_near(task.edges, side, float(places[k]) + shift_mm, 1.0)
        tilt = float(task.edges.tilt_mm[side, near])
        out.append((float(row[pick] - row[k]), side, float(places[k]), tilt))
    return out


def _best_near(evidence: Evidence, side: int, t_mm: float, reach_mm: float) -> int:
    """Index of the strongest place within reach."""
    strength = np.where(np.abs(evidence.t_mm - t_mm) <= reach_mm, evidence.strength[side], -1.0)
    return int(strength.argmax())


def _level(
    evidence: Evidence, side: int, t_mm: Array, reach_mm: float, agreement: Array | None = None
) -> Array:
    """Strength at places (the best within reach) on a scale where noise is about 0.7."""
    step = float(evidence.t_mm[1] - evidence.t_mm[0])
    wide = max(1, round(reach_mm / step))
    strength = evidence.strength[side]
    if agreement is not None:
        strength = strength * agreement
    best = strength.copy()
    for shift in range(-wide, wide + 1):
        best = np.maximum(best, np.roll(strength, shift))
    index = np.round((t_mm - evidence.t_mm[0]) / step).astype(np.int64)
    inside = (index >= wide) & (index < len(strength) - wide)
    value = np.where(inside, best[index.clip(0, len(strength) - 1)], 0.0)
    out: Array = np.log1p(value / evidence.noise[side])
    return out


def _lower_and_upper(task: _Task, side: int, agreement: Array) -> Array:
    """(heights, places): how well the two edges of the frame's inner side are backed."""
    shifts = task.shifts[side][:, None]
    lower = _level(task.edges, side, task.places, 0.0, agreement)
    upper = _level(task.edges, side, task.places[None] + shifts, _HALF_STEP)
    out: Array = np.where(shifts < 0, 1.3 * upper, lower[None] + _UPPER * upper)
    return out


def _look(strips: Strips, side: int, places: Array) -> Array:
    """(places,): minus how unlike the surface it looks just inside, plus how unlike just outside.

    A shadow keeps the hue: lightness counts for less.
    """
    t, colour = strips.t_mm, strips.colour[side]
    with np.errstate(all="ignore"):
        light = np.log(np.nan_to_num(colour, nan=1.0) + 8.0)
    wood = np.median(light[:, (t > -45) & (t < -16)].reshape(-1, 3), axis=0)
    away = light - wood
    grey = away.mean(axis=-1, keepdims=True)
    unlike = np.median(0.35 * np.abs(grey[..., 0]) + np.abs(away - grey).sum(axis=-1), axis=0)
    total = np.concatenate([[0.0], np.cumsum(unlike)])
    step = float(t[1] - t[0])

    def mean(low_mm: float, high_mm: float) -> Array:
        first = np.round((places + low_mm - t[0]) / step).astype(np.int64).clip(0, len(t) - 1)
        last = np.round((places + high_mm - t[0]) / step).astype(np.int64).clip(1, len(t))
        out: Array = (total[last] - total[first]) / np.maximum(last - first, 1)
        return out

    inside = np.minimum(mean(-8.0, -1.0), 1.0)
    outside = np.minimum(mean(0.5, 4.0), 1.0)
    return 2.0 * (outside - inside)
