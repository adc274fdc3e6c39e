"""What a stroke leaves: the best plain pot of whoever strikes next, from geometry alone.

For every man that he may pocket, every pocket and a few places of the striker: is the way of the
man free, is the way of the striker to the ghost disc free, and how likely is the pot with this
spread of the hand? The chance of one pot is that the man's direction stays within the width of
the pocket: an error a of the striker's direction reaches the man as a d / (D cos cut), with d the
way of the striker and D the distance of the centres at contact; an error of place as
1 / (D cos cut). Banks and combinations are not looked for; a fitted curve stands for them.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from carrom.board_spec import BoardFamily, BoardSpec
from carrom.seats import Seat
from sim.advisor.judge import Verdicts
from sim.advisor.skill import Skill
from sim.physics.arrays import (
    G_HALF,
    G_POCKET_AT,
    G_POCKET_RADIUS,
    FloatArray,
    IntArray,
    Table,
)
from sim.physics.batch import Batch
from sim.physics.kernel import Entry, inner
from sim.physics.state import ON_BOARD

__all__ = ["leave_chances"]

_FLOOR, _CEILING, _OTHERS = 0.08, 0.96, 0.4
"""From the best plain pot to the best stroke: fitted to full advice on 120 random positions of one
to four men (trials 0 to 59 of club and IIT Bombay skill; build seeds)."""
_PLACES = 7
_CHUNK = 800
_TURNS = {Seat.SOUTH: 0, Seat.EAST: 1, Seat.NORTH: 2, Seat.WEST: 3}


def leave_chances(
    table: Table,
    board: BoardSpec,
    batch: Batch,
    verdicts: Verdicts,
    seat: Seat,
    skill: Skill,
    *,
    check: Callable[[], None],
) -> FloatArray:
    """(S,) float64: chance that the next player's next stroke pockets, for every row.

    Everybody is taken to be as good as the one who asks. ``seat``: who strikes now; the batch is
    in his frame. Pieces that a ruling puts back are not looked at. ``check`` is called every few
    milliseconds and may raise.
    """
    judged = verdicts.judged
    kinds = table.kinds[:-1]
    wanted = np.array([[k in j.wanted for k in kinds] for j in judged], dtype=np.bool_)
    turns = np.array([_quarter_turns(seat, j.mover) for j in judged], dtype=np.int64)
    chances = np.zeros(len(batch.pocket))
    lies_there = np.ascontiguousarray(batch.pocket[:, :-1] == ON_BOARD)
    places = _places(board)
    for low in range(0, len(chances), _CHUNK):
        check()
        part = slice(low, low + _CHUNK)
        _best_pots(
            batch.xy_mm[part],
            lies_there[part],
            verdicts.kind[part],
            wanted.reshape(len(judged), len(kinds)),
            turns,
            table.radius_mm,
            table.geometry,
            places,
            skill.angle_rad,
            skill.place_mm,
            max(skill.seen_mm, 0.3),
            chances[part],
        )
    found: FloatArray = _FLOOR + (_CEILING - _FLOOR) * chances**_OTHERS
    return found


def _quarter_turns(seat: Seat, mover: Seat | None) -> int:
    """How often the asker's frame is turned to become the next player's; -1: nobody is next."""
    return -1 if mover is None else (_TURNS[mover] - _TURNS[seat]) % 4


def _places(board: BoardSpec) -> FloatArray:
    """(7, 2), mm, any seat's frame."""
    if board.family is BoardFamily.ICF:
        y_mm = board.base_lines_y.middle_mm
        reach = board.base_line_markings.base_circle_x(board.half_mm) - 37.0
    else:
        y_mm, reach = board.area_line_y_mm, 0.8 * board.half_mm
    return np.column_stack([np.linspace(-reach, reach, _PLACES), np.full(_PLACES, y_mm)])


@inner
def _is_free(
    x: float,
    y: float,
    ux: float,
    uy: float,
    length: float,
    radius: float,
    places: FloatArray,
    on: NDArray[np.bool_],
    radii: FloatArray,
    skip: int,
) -> bool:
    """Whether a disc gets from (x, y) along (ux, uy) without touching a man but ``skip``."""
    for j in range(on.shape[0]):
        if j == skip or not on[j]:
            continue
        dx, dy = places[j, 0] - x, places[j, 1] - y
        along = min(max(dx * ux + dy * uy, 0.0), length)
        ex, ey = dx - along * ux, dy - along * uy
        reach = radius + radii[j]
        if ex * ex + ey * ey < reach * reach:
            return False
    return True


@inner
def _turned(x: float, y: float, turns: int) -> tuple[float, float]:
    """Board turned so that the next player sits at South."""
    if turns == 1:
        return y, -x
    if turns == 2:
        return -x, -y
    if turns == 3:
        return -y, x
    return x, y


@inner
def _best_pot(
    places: FloatArray,
    on: NDArray[np.bool_],
    want: NDArray[np.bool_],
    radii: FloatArray,
    geometry: FloatArray,
    spots: FloatArray,
    sigma: float,
    place: float,
    seen: float,
) -> float:
    """The best chance of a plain pot in one layout, in the next player's frame."""
    best = 0.0
    striker = radii[radii.shape[0] - 1]
    limit = geometry[G_HALF] - striker
    for i in range(on.shape[0]):
        if not on[i] or not want[i]:
            continue
        x, y = places[i, 0], places[i, 1]
        gap = striker + radii[i]
        for corner in range(4):
            px = geometry[G_POCKET_AT] * (1.0 if corner in (1, 2) else -1.0)
            py = geometry[G_POCKET_AT] * (1.0 if corner > 1 else -1.0)
            far = math.sqrt((px - x) ** 2 + (py - y) ** 2)
            if far < 1.0:
                continue
            wx, wy = (px - x) / far, (py - y) / far
            gx, gy = x - gap * wx, y - gap * wy
            if abs(gx) > limit or abs(gy) > limit:
                continue
            width = min(geometry[G_POCKET_RADIUS] / far, 1.2)
            if not _is_free(x, y, wx, wy, far, radii[i], places, on, radii, i):
                continue
            for k in range(spots.shape[0]):
                vx, vy = gx - spots[k, 0], gy - spots[k, 1]
                way = math.sqrt(vx * vx + vy * vy)
                if vy < 10.0 or vx * wx + vy * wy < 0.25 * way:
                    continue
                off = math.sqrt((sigma * way) ** 2 + (place * vy / way) ** 2 + seen * seen)
                chance = math.erf(width * gap * (vx * wx + vy * wy) / way / (1.4142 * off))
                if chance <= best:
                    continue
                ux, uy, sx, sy = vx / way, vy / way, spots[k, 0], spots[k, 1]
                if _is_free(sx, sy, ux, uy, way, striker, places, on, radii, i):
                    best = chance
    return best


def _best_pots_kernel(
    xy: FloatArray,
    on: NDArray[np.bool_],
    kind: IntArray,
    wanted: NDArray[np.bool_],
    turns: IntArray,
    radii: FloatArray,
    geometry: FloatArray,
    spots: FloatArray,
    sigma: float,
    place: float,
    seen: float,
    chances: FloatArray,
) -> None:
    places = np.empty((on.shape[1], 2))
    for s in range(xy.shape[0]):
        turn = turns[kind[s]]
        if turn < 0:
            chances[s] = 0.0
            continue
        for i in range(on.shape[1]):
            places[i, 0], places[i, 1] = _turned(xy[s, i, 0], xy[s, i, 1], turn)
        chances[s] = _best_pot(
            places, on[s], wanted[kind[s]], radii, geometry, spots, sigma, place, seen
        )


_best_pots = Entry(_best_pots_kernel)
