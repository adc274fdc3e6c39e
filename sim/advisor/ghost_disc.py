"""Strokes from geometry: the striker where the ghost disc lies, straight or over a frame.

The ghost disc is where the striker must be at contact for the man to leave towards its aim. Rim
friction turns the man towards the way of the striker by tan t = min(mu, tan cut / (3 (1 + e)))
(``notes/physics.md`` 3.4), so the ghost is turned the other way by as much. Frames give back the
share e of the normal speed and take up to mu (1 + e) of it from the tangential one, or a third of
that if the disc grips: ``aim_over_frame`` solves both cases. What is left out (spin from an earlier
contact, a frame after a frame) the simulation that follows puts right.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from carrom.board_spec import BoardSpec
from carrom.pieces import PieceKind
from sim.physics.arrays import G_POCKET_AT, FloatArray, Table
from sim.physics.surface import SurfaceParams

__all__ = ["ghost_strokes"]

_LEAST_CUT = 0.22
"""Cosine of the widest cut tried (77 degrees)."""
_ARRIVES_MM_S = 350.0
_SPEEDS = (1.0, 1.6, 2.6)
"""Times the speed that just carries the man home."""
_SLOWEST_MM_S, _FASTEST_MM_S = 500.0, 6500.0
_SIDES = ((0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0))
"""Frames as (axis of the normal, sign): E, W, N, S."""


@dataclass(frozen=True, slots=True, eq=False)
class _Aims:
    """Ways for men: ``man`` (a,) index, ``way`` (a, 2) unit direction, ``far_mm`` (a,) to go."""

    man: NDArray[np.int64]
    way: FloatArray
    far_mm: FloatArray


def ghost_strokes(
    table: Table,
    board: BoardSpec,
    surface: SurfaceParams,
    wanted: NDArray[np.bool_],
    places_mm: FloatArray,
) -> FloatArray:
    """(g, 4) float64: x_mm, y_mm, angle_rad, speed_mm_s in the seat's frame.

    ``wanted``: (m,) bool, men worth pocketing; ``places_mm``: (k, 2) places of the striker. Ways
    that another man blocks are left out.
    """
    if not wanted.any() or not len(places_mm):
        return np.empty((0, 4))
    found = []
    for man_banks in (False, True):
        aims = _aims(table, surface, wanted, over_frame=man_banks)
        for side in (None, *_SIDES):
            if man_banks and side is not None:
                continue  # two banks in one stroke are for the sweep
            found.append(_strokes(table, board, surface, aims, places_mm, side))
    return np.concatenate(found)


def _aims(
    table: Table, surface: SurfaceParams, wanted: NDArray[np.bool_], *, over_frame: bool
) -> _Aims:
    """Every wanted man to every pocket whose way is free."""
    men = table.men_mm
    at = float(table.geometry[G_POCKET_AT])
    pockets = np.array([(-at, -at), (at, -at), (at, at), (-at, at)])
    index = np.repeat(np.flatnonzero(wanted), 4)
    goal = np.tile(pockets, (int(wanted.sum()), 1))
    start = men[index]
    radius = table.radius_mm[index]
    if not over_frame:
        free = _is_free(start, goal, radius, table, index)
        way = goal - start
        far = np.linalg.norm(way, axis=1)
        keep = free & (far > 1.0)
        return _Aims(index[keep], way[keep] / far[keep, None], far[keep])
    parts = []
    for side in _SIDES:
        turn, fine = aim_over_frame(start, goal, radius, side, table, surface)
        fine &= _is_free(start, turn, radius, table, index)
        fine &= _is_free(turn, goal, radius, table, index)
        way = turn - start
        near = np.linalg.norm(way, axis=1)
        fine &= near > 5.0
        far = near + 1.4 * np.linalg.norm(goal - turn, axis=1)
        parts.append((index[fine], way[fine] / near[fine, None], far[fine]))
    return _Aims(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def aim_over_frame(
    start: FloatArray,
    goal: FloatArray,
    radius: FloatArray | float,
    side: tuple[int, float],
    table: Table,
    surface: SurfaceParams,
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Where a disc must meet a frame to go from ``start`` to ``goal``: (a, 2) and (a,) possible.

    With T the tangent of the way in (along over across the frame), the way out has
    (T - mu (1 + e)) / e while it slides and (2 T / 3) / e when it grips.
    """
    axis, sign = side
    wall = sign * (table.geometry[0] - radius)
    near = np.abs(wall - start[:, axis])
    far = np.abs(wall - goal[:, axis])
    along = goal[:, 1 - axis] - start[:, 1 - axis]
    e = max(surface.restitution_frame, 0.05)
    grip = surface.frame_friction * (1.0 + e)
    tangent = (np.abs(along) + far * grip / e) / (near + far / e)
    tangent = np.where(tangent < 3.0 * grip, np.abs(along) / (near + far * 2 / (3 * e)), tangent)
    turn = np.empty_like(start)
    turn[:, axis] = wall
    turn[:, 1 - axis] = start[:, 1 - axis] + np.sign(along) * tangent * near
    limit = table.geometry[0] - 60.0
    possible = (near > 3.0) & (far > 40.0) & (np.abs(turn[:, 1 - axis]) < limit)
    return turn, np.asarray(possible)


def _is_free(
    start: FloatArray,
    goal: FloatArray,
    radius: FloatArray | float,
    table: Table,
    skip: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """(a,) bool: discs get from ``start`` to ``goal`` (a, 2) without touching men but ``skip``."""
    way = goal - start
    length = np.linalg.norm(way, axis=1)
    unit = way / np.maximum(length, 1e-9)[:, None]
    from_start = table.men_mm[None] - start[:, None]
    along = np.clip(np.einsum("amk,ak->am", from_start, unit), 0.0, length[:, None])
    off = from_start - along[..., None] * unit[:, None]
    reach = np.broadcast_to(np.asarray(radius), length.shape)[:, None] + table.radius_mm[:-1]
    hit = np.einsum("amk,amk->am", off, off) < (reach - 0.3) ** 2
    hit[np.arange(len(skip)), skip] = False
    return np.asarray(~hit.any(axis=1))


def _strokes(
    table: Table,
    board: BoardSpec,
    surface: SurfaceParams,
    aims: _Aims,
    places_mm: FloatArray,
    side: tuple[int, float] | None,
) -> FloatArray:
    """Strokes of every place at every aim, directly or over one frame."""
    count, places = len(aims.man), len(places_mm)
    if not count:
        return np.empty((0, 4))
    man = np.repeat(aims.man, places)
    way = np.repeat(aims.way, places, axis=0)
    far = np.repeat(aims.far_mm, places)
    start = np.tile(places_mm, (count, 1))
    striker = board.radii_mm[PieceKind.STRIKER]
    gap = striker + table.radius_mm[man]
    line, fine = way, np.ones(len(man), dtype=np.bool_)
    for _ in range(3):
        ghost = table.men_mm[man] - gap[:, None] * line
        if side is None:
            last = start
        else:
            last, fine = aim_over_frame(start, ghost, striker, side, table, surface)
        coming = ghost - last
        path = np.linalg.norm(coming, axis=1)
        coming /= np.maximum(path, 1e-9)[:, None]
        line = _against_throw(way, coming, surface)
    cut = np.einsum("ak,ak->a", coming, line)
    limit = board.half_mm - striker
    fine &= (cut > _LEAST_CUT) & (np.abs(ghost).max(axis=1) <= limit) & (path > 3.0)
    keep = np.flatnonzero(fine)
    fine[keep] &= _is_free(last[keep], ghost[keep], striker, table, man[keep])
    total = path
    if side is not None:
        keep = np.flatnonzero(fine)
        fine[keep] &= _is_free(start[keep], last[keep], striker, table, man[keep])
        total = path + 1.6 * np.linalg.norm(last - start, axis=1)
    goal = ghost if side is None else last
    first = goal - start
    angle = np.arctan2(first[:, 1], first[:, 0])
    speed = _speed(table, surface, far, total, cut)
    rows = np.column_stack([start, angle, speed])[fine]
    return _at_speeds(rows)


def _against_throw(way: FloatArray, coming: FloatArray, surface: SurfaceParams) -> FloatArray:
    """The line of centres (a, 2) for which the man leaves along ``way`` in spite of the rim."""
    cut = np.clip(np.einsum("ak,ak->a", coming, way), -1.0, 1.0)
    cross = way[:, 0] * coming[:, 1] - way[:, 1] * coming[:, 0]
    slope = np.abs(cross) / np.maximum(cut, 1e-3)
    e = surface.restitution_disc
    throw = np.arctan(np.minimum(surface.rim_friction, slope / (3.0 * (1.0 + e))))
    turn = -np.sign(cross) * throw
    c, s = np.cos(turn), np.sin(turn)
    return np.column_stack([c * way[:, 0] - s * way[:, 1], s * way[:, 0] + c * way[:, 1]])


def _speed(
    table: Table,
    surface: SurfaceParams,
    far_mm: FloatArray,
    path_mm: FloatArray,
    cut: FloatArray,
) -> FloatArray:
    """The speed that brings the man to its aim with a little to spare."""
    slowing = surface.friction_men * surface.gravity_mm_s2
    man = np.sqrt(2.0 * slowing * far_mm + _ARRIVES_MM_S**2)
    masses = float(table.mass_g[-1]), float(table.mass_g[0])
    passed = (1.0 + surface.restitution_disc) * masses[0] / (masses[0] + masses[1])
    at_ghost = man / (passed * np.maximum(cut, 0.05))
    return np.asarray(np.sqrt(at_ghost**2 + 2.0 * slowing * path_mm))


def _at_speeds(rows: FloatArray) -> FloatArray:
    found = []
    for times in _SPEEDS:
        faster = rows.copy()
        faster[:, 3] = np.maximum(rows[:, 3] * times, _SLOWEST_MM_S)
        found.append(faster[faster[:, 3] <= _FASTEST_MM_S])
    return np.concatenate(found)
