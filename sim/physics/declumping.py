"""Making a seen or sketched position one that rigid discs can have, and refusing what is none.

Repaired (moved by the least that makes room, every gap at least 10 um):

- discs that overlap by at most half a disc (the smaller radius), as positions seen by a camera do;
- discs that reach over the frame by at most half a disc;
- discs whose centre is over a pocket by at most 3 mm: they lie on the lip.

Anything worse is a ``PositionError`` that names the discs: no two discs can be meant to lie there.
The striker of a stroke stays where it was put, the men make room, unless they have none.
"""

import math

import numpy as np
from numpy.typing import NDArray

from carrom.board_spec import BoardSpec
from carrom.errors import PositionError
from carrom.position import Position, PositionProblem
from sim.physics.arrays import (
    G_CORNER,
    G_HALF,
    G_POCKET_AT,
    G_POCKET_RADIUS,
    FloatArray,
    Table,
    geometry_vector,
    position_of,
)
from sim.physics.kernel import Entry, inner

__all__ = [
    "GAP_MM",
    "check_counts",
    "check_places",
    "declump",
    "jittered",
    "make_room",
    "scatter_men",
]

GAP_MM = 0.010
"""The least gap after a repair. Gaps of this size do not change what a stroke does."""

_TOUCHING_MM = 1e-7
"""Discs that overlap by no more are resting contacts, which the engine takes as they are."""
_LIP_MM = 3.0
_MOST_ROUNDS = 5000
_MISCOUNTED = ~(PositionProblem.OVERLAP | PositionProblem.OUTSIDE | PositionProblem.IN_POCKET)


def check_counts(position: Position, board: BoardSpec) -> None:
    """Refuse more discs than the set has, two strikers, and pieces of the other game."""
    for fault in position.faults(board):
        if fault.problem & _MISCOUNTED:
            name = (fault.problem.name or "").lower()
            raise PositionError(f"position: expected the discs of {board.name!r}, got {name}")


def check_places(table: Table, xy_mm: FloatArray) -> None:
    """Refuse places beyond repair. ``xy_mm``: (n, 2) float64, mm, board frame, as ``table.kinds``.

    Raises ``PositionError`` (disc, expected, got).
    """
    if not np.isfinite(xy_mm).all():
        raise PositionError("position: expected finite coordinates, got NaN or infinity")
    geometry, radii = table.geometry, table.radius_mm
    for disc, (x_mm, y_mm) in enumerate(xy_mm.tolist()):
        name = f"disc {disc} ({table.kinds[disc].value})"
        if max(abs(x_mm), abs(y_mm)) > geometry[G_HALF]:
            raise PositionError(f"{name}: expected a place on the board, got {(x_mm, y_mm)!r}")
        at_mm = geometry[G_POCKET_AT]
        lip_mm = geometry[G_POCKET_RADIUS] - math.hypot(abs(x_mm) - at_mm, abs(y_mm) - at_mm)
        if lip_mm > _LIP_MM:
            raise PositionError(f"{name}: expected no disc in a pocket, got {(x_mm, y_mm)!r}")
    for i in range(len(xy_mm)):
        for j in range(i):
            away_mm = math.hypot(*(xy_mm[i] - xy_mm[j]))
            if away_mm < radii[i] + radii[j] - min(radii[i], radii[j]):
                raise PositionError(
                    f"discs {j} and {i} ({table.kinds[j].value}, {table.kinds[i].value}): "
                    f"expected at most half a disc of overlap, got centres {away_mm:.3g} mm apart"
                )


def make_room(table: Table, xy_mm: FloatArray) -> FloatArray:
    """Checked places with room for every disc: (n, 2) float64, mm, board frame; a new array.

    Raises ``PositionError`` for places beyond repair and for boards too full to repair.
    """
    check_places(table, xy_mm)
    places = np.array(xy_mm, dtype=np.float64)
    for pinned in (table.count - 1, -1):
        if _separate_one(places, table.radius_mm, table.geometry, pinned):
            return places
        places = np.array(xy_mm, dtype=np.float64)
    raise PositionError("position: expected room for all discs, got too many on one spot")


def declump(position: Position, board: BoardSpec) -> Position:
    """The position with room for every disc; equal to the given one if it needs no repair.

    Raises ``PositionError`` for wrong counts or places beyond repair.
    """
    check_counts(position, board)
    kinds = tuple(disc.kind for disc in position)
    xy_mm = np.array([(disc.x_mm, disc.y_mm) for disc in position]).reshape(len(kinds), 2)
    n = len(kinds)
    table = Table(
        kinds=kinds,
        men_mm=xy_mm,
        radius_mm=np.array([board.radii_mm[kind] for kind in kinds]),
        mass_g=np.ones(n),
        friction_class=np.zeros(n, dtype=np.int64),
        geometry=geometry_vector(board),
        surface=np.zeros(0),
    )
    check_places(table, xy_mm)
    places = xy_mm.copy()
    if not _separate_one(places, table.radius_mm, table.geometry, -1):
        raise PositionError("position: expected room for all discs, got too many on one spot")
    return position if np.array_equal(places, xy_mm) else position_of(kinds, places)


def jittered(
    position: Position, board: BoardSpec, sigma_mm: float, rng: np.random.Generator
) -> Position:
    """The position with normal noise of ``sigma_mm`` on each axis and room for every disc.

    For one opening rack: real packs have gaps of 0.02-0.3 mm, and in an exact one the order of the
    discs decides who is struck first. Raises ``PositionError`` as ``declump`` does.
    """
    _check_sigma(sigma_mm)
    noise = rng.normal(0.0, sigma_mm, (len(position), 2))
    xy_mm = np.array([(disc.x_mm, disc.y_mm) for disc in position]).reshape(len(position), 2)
    kinds = tuple(disc.kind for disc in position)
    return declump(position_of(kinds, xy_mm + noise), board)


def _check_sigma(sigma_mm: float) -> None:
    if not (math.isfinite(sigma_mm) and 0.0 <= sigma_mm <= 100.0):
        raise PositionError(f"sigma_mm: expected 0 to 100, got {sigma_mm!r}")


def scatter_men(
    table: Table, strokes: FloatArray, sigma_mm: float, rng: np.random.Generator
) -> FloatArray:
    """Men with normal noise of ``sigma_mm`` on each axis, one layout a stroke, room made for all.

    ``strokes``: (S, 4) float64 as in ``simulate_batch``: the striker is not moved. Returns a new
    (S, n - 1, 2) float64 array, mm, board frame. Zero noise only makes room. Where no room can be
    made the men stay at ``table.men_mm``. See ``jittered`` for opening racks.
    """
    _check_sigma(sigma_mm)
    count, men = len(strokes), len(table.men_mm)
    places = np.empty((count, men + 1, 2))
    places[:, :men] = table.men_mm + rng.normal(0.0, sigma_mm, (count, men, 2))
    places[:, men] = strokes[:, :2]
    made = np.zeros(count, dtype=np.bool_)
    _separate_many(places, table.radius_mm, table.geometry, made)
    places[~made, :men] = table.men_mm
    return np.ascontiguousarray(places[:, :men])


@inner
def _is_apart(places: FloatArray, radii: FloatArray, geometry: FloatArray) -> bool:
    """Whether nothing overlaps, reaches over the frame or lies over a pocket."""
    for i in range(places.shape[0]):
        x, y = places[i, 0], places[i, 1]
        fx, fy = _inside_frame(x, y, radii[i], geometry)
        if abs(fx - x) > _TOUCHING_MM or abs(fy - y) > _TOUCHING_MM:
            return False
        px, py = _beside_pocket(x, y, geometry)
        if px != x or py != y:
            return False
        for j in range(i):
            dx, dy = x - places[j, 0], y - places[j, 1]
            least = radii[i] + radii[j] - _TOUCHING_MM
            if dx * dx + dy * dy < least * least:
                return False
    return True


@inner
def _inside_frame(x: float, y: float, radius: float, geometry: FloatArray) -> tuple[float, float]:
    """The nearest centre that keeps a disc inside the (rounded) frame."""
    limit = geometry[G_HALF] - radius
    x, y = min(max(x, -limit), limit), min(max(y, -limit), limit)
    turn = geometry[G_CORNER] - radius
    bend = geometry[G_HALF] - geometry[G_CORNER]
    dx, dy = abs(x) - bend, abs(y) - bend
    if turn > 0.0 and dx > 0.0 and dy > 0.0:
        away = math.sqrt(dx * dx + dy * dy)
        if away > turn:
            x = math.copysign(bend + dx * turn / away, x)
            y = math.copysign(bend + dy * turn / away, y)
    return x, y


@inner
def _beside_pocket(x: float, y: float, geometry: FloatArray) -> tuple[float, float]:
    """The nearest centre that is over no pocket, on the side of the board's centre."""
    at = geometry[G_POCKET_AT]
    dx, dy = abs(x) - at, abs(y) - at
    away = math.sqrt(dx * dx + dy * dy)
    lip = geometry[G_POCKET_RADIUS]
    if away >= lip:
        return x, y
    if away < 1e-6 or dx + dy > 0.0:
        dx, dy, away = -1.0, -1.0, math.sqrt(2.0)
    step = (lip + 1e-6) / away
    return math.copysign(at + dx * step, x), math.copysign(at + dy * step, y)


@inner
def _push_pairs(places: FloatArray, radii: FloatArray, pinned: int) -> bool:
    """Push every overlapping pair just apart; whether any was closer than ``GAP_MM``."""
    found = False
    for i in range(places.shape[0]):
        for j in range(i):
            dx, dy = places[i, 0] - places[j, 0], places[i, 1] - places[j, 1]
            reach = radii[i] + radii[j]
            square = dx * dx + dy * dy
            if square >= (reach + GAP_MM) * (reach + GAP_MM):
                continue
            found = True
            away = math.sqrt(square)
            if away < 1e-9:
                dx, dy, away = math.cos(2.4 * i), math.sin(2.4 * i), 1.0
                part = reach + 1.2 * GAP_MM
            else:
                part = reach + 1.2 * GAP_MM - away
            share = 0.0 if i == pinned else (1.0 if j == pinned else 0.5)
            places[i, 0] += dx / away * part * share
            places[i, 1] += dy / away * part * share
            places[j, 0] -= dx / away * part * (1.0 - share)
            places[j, 1] -= dy / away * part * (1.0 - share)
    return found


@inner
def _separate(places: FloatArray, radii: FloatArray, geometry: FloatArray, pinned: int) -> bool:
    """Move discs apart in place until there is room; false if there is none."""
    if _is_apart(places, radii, geometry):
        return True
    for _ in range(_MOST_ROUNDS):
        found = _push_pairs(places, radii, pinned)
        for i in range(places.shape[0]):
            if i == pinned:
                continue
            x, y = _beside_pocket(places[i, 0], places[i, 1], geometry)
            places[i, 0], places[i, 1] = _inside_frame(x, y, radii[i], geometry)
        if not found and _is_apart(places, radii, geometry):
            return True
    return False


def _separate_one_kernel(
    places: FloatArray, radii: FloatArray, geometry: FloatArray, pinned: int
) -> bool:
    return _separate(places, radii, geometry, pinned)


def _separate_many_kernel(
    places: FloatArray, radii: FloatArray, geometry: FloatArray, made: NDArray[np.bool_]
) -> None:
    for q in range(places.shape[0]):
        made[q] = _separate(places[q], radii, geometry, radii.shape[0] - 1)


_separate_one = Entry(_separate_one_kernel)
_separate_many = Entry(_separate_many_kernel)
