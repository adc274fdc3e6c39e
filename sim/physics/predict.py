"""What happens next to a disc: stop, frame, pocket, or contact with another disc."""

import math

from sim.physics.arrays import (
    G_CORNER,
    G_HALF,
    G_POCKET_AT,
    G_POCKET_RADIUS,
    FloatArray,
    IntArray,
)
from sim.physics.kernel import inner
from sim.physics.roots import NEVER, meeting_path, meeting_time, time_of_path
from sim.physics.state import (
    ON,
    OVER,
    OWN,
    OWN_ARC,
    OWN_LIP_IN,
    OWN_LIP_OUT,
    OWN_NONE,
    OWN_STOP,
    OWN_WALL_X,
    OWN_WALL_Y,
    PARTNER,
    RADIUS,
    SLOWING,
    SPEED,
    T0,
    T_OWN,
    T_PAIR,
    UX,
    UY,
    X,
    Y,
)

__all__ = ["predict_own", "predict_pairs"]

_SMALLEST_BEND_MM = 0.01
"""A frame corner that leaves a disc less than this to turn in counts as square for it."""


@inner
def _path_to_arc(
    x: float, y: float, ux: float, uy: float, way_mm: float, bend_mm: float, turn_mm: float
) -> float:
    """Path until a disc inside the rounded frame meets a corner arc; ``NEVER`` if not on the way.

    The region of centres is convex, so the way leaves it once: only the end has to be looked at.
    ``bend_mm``: |x| and |y| of the arc's centre; ``turn_mm``: arc radius minus disc radius.
    """
    end_x, end_y = x + ux * way_mm, y + uy * way_mm
    over_x, over_y = abs(end_x) - bend_mm, abs(end_y) - bend_mm
    if over_x <= 0.0 or over_y <= 0.0 or over_x * over_x + over_y * over_y <= turn_mm * turn_mm:
        return NEVER
    dx = x - math.copysign(bend_mm, end_x)
    dy = y - math.copysign(bend_mm, end_y)
    b = dx * ux + dy * uy
    square = b * b - (dx * dx + dy * dy - turn_mm * turn_mm)
    return max(math.sqrt(max(square, 0.0)) - b, 0.0)


@inner
def _path_to_pocket(
    x: float, y: float, ux: float, uy: float, over: int, at_mm: float, radius_mm: float
) -> tuple[float, int]:
    """Path until the centre crosses the lip of a pocket, and 8 * pocket + OWN_LIP_IN or _OUT."""
    best, code = NEVER, OWN_NONE
    for pocket in range(4):
        dx = x + (at_mm if pocket == 0 or pocket == 3 else -at_mm)
        dy = y + (at_mm if pocket < 2 else -at_mm)
        b = dx * ux + dy * uy
        if pocket == over:
            square = b * b - (dx * dx + dy * dy - radius_mm * radius_mm)
            path = max(math.sqrt(max(square, 0.0)) - b, 0.0)
            if path < best:
                best, code = path, 8 * pocket + OWN_LIP_OUT
        elif b < 0.0:
            c = dx * dx + dy * dy - radius_mm * radius_mm
            square = b * b - c
            if c <= 0.0:
                best, code = 0.0, 8 * pocket + OWN_LIP_IN
            elif square > 0.0:
                path = c / (math.sqrt(square) - b)
                if path < best:
                    best, code = path, 8 * pocket + OWN_LIP_IN
    return best, code


@inner
def predict_own(
    discs: FloatArray, marks: IntArray, i: int, now_s: float, geometry: FloatArray
) -> None:
    """Write T_OWN and OWN of disc ``i``, whose state is that of now."""
    speed = discs[i, SPEED]
    if marks[i, ON] == 0 or speed <= 0.0:
        discs[i, T_OWN] = NEVER
        marks[i, OWN] = OWN_NONE
        return
    x, y, ux, uy = discs[i, X], discs[i, Y], discs[i, UX], discs[i, UY]
    slowing, radius = discs[i, SLOWING], discs[i, RADIUS]
    limit = geometry[G_HALF] - radius
    best, code = 0.5 * speed * speed / slowing, OWN_STOP
    if ux != 0.0:
        path = (math.copysign(limit, ux) - x) / ux
        if path < best:
            best, code = path, OWN_WALL_X
    if uy != 0.0:
        path = (math.copysign(limit, uy) - y) / uy
        if path < best:
            best, code = path, OWN_WALL_Y
    turn = geometry[G_CORNER] - radius
    if turn > _SMALLEST_BEND_MM:
        path = _path_to_arc(x, y, ux, uy, best, geometry[G_HALF] - geometry[G_CORNER], turn)
        if path <= best:
            best, code = path, OWN_ARC
    path, lip = _path_to_pocket(
        x, y, ux, uy, marks[i, OVER], geometry[G_POCKET_AT], geometry[G_POCKET_RADIUS]
    )
    if path < best:
        best, code = path, lip
    marks[i, OWN] = code
    if code == OWN_STOP:
        discs[i, T_OWN] = now_s + speed / slowing
    else:
        discs[i, T_OWN] = now_s + time_of_path(max(best, 0.0), speed, slowing)


@inner
def _meeting(discs: FloatArray, i: int, j: int, now_s: float) -> float:
    """When discs ``i`` (state of now) and ``j`` (state of its T0) meet, before their own events."""
    fast_i, fast_j = discs[i, SPEED] > 0.0, discs[j, SPEED] > 0.0
    if not fast_i and not fast_j:
        return NEVER
    reach = discs[i, RADIUS] + discs[j, RADIUS]
    xj, yj, speed_j = discs[j, X], discs[j, Y], discs[j, SPEED]
    if not fast_j:
        path = meeting_path(discs[i, X] - xj, discs[i, Y] - yj, discs[i, UX], discs[i, UY], reach)
        speed, slowing, own_s = discs[i, SPEED], discs[i, SLOWING], discs[i, T_OWN]
    else:
        dt = now_s - discs[j, T0]
        path_j = (speed_j - 0.5 * discs[j, SLOWING] * dt) * dt
        speed_j -= discs[j, SLOWING] * dt
        xj += discs[j, UX] * path_j
        yj += discs[j, UY] * path_j
        if fast_i:
            horizon = min(discs[i, T_OWN], discs[j, T_OWN]) - now_s
            if horizon <= 0.0:
                return NEVER
            slow_i, slow_j = -discs[i, SLOWING], -discs[j, SLOWING]
            # Together they cannot cover the gap: by far the most frequent answer.
            way = (discs[i, SPEED] + speed_j + 0.5 * (slow_i + slow_j) * horizon) * horizon
            dx, dy = discs[i, X] - xj, discs[i, Y] - yj
            if dx * dx + dy * dy > (way + reach) * (way + reach):
                return NEVER
            return now_s + meeting_time(
                discs[i, X] - xj,
                discs[i, Y] - yj,
                discs[i, SPEED] * discs[i, UX] - speed_j * discs[j, UX],
                discs[i, SPEED] * discs[i, UY] - speed_j * discs[j, UY],
                slow_i * discs[i, UX] - slow_j * discs[j, UX],
                slow_i * discs[i, UY] - slow_j * discs[j, UY],
                reach,
                horizon,
            )
        path = meeting_path(xj - discs[i, X], yj - discs[i, Y], discs[j, UX], discs[j, UY], reach)
        speed, slowing, own_s = speed_j, discs[j, SLOWING], discs[j, T_OWN]
    if 2.0 * slowing * path >= speed * speed:
        return NEVER
    when_s = now_s + time_of_path(path, speed, slowing)
    return when_s if when_s <= own_s else NEVER


@inner
def _least_of_row(discs: FloatArray, marks: IntArray, meets: FloatArray, j: int) -> None:
    """Find T_PAIR and PARTNER of disc ``j`` again."""
    least, partner = NEVER, -1
    for k in range(meets.shape[0]):
        if meets[j, k] < least:
            least, partner = meets[j, k], k
    discs[j, T_PAIR] = least
    marks[j, PARTNER] = partner


@inner
def predict_pairs(
    discs: FloatArray, marks: IntArray, meets: FloatArray, i: int, now_s: float
) -> None:
    """Write row and column ``i`` of ``meets``, and T_PAIR and PARTNER of everybody concerned.

    Disc ``i`` has the state of now; T_OWN of all discs is up to date.
    """
    least, partner = NEVER, -1
    for j in range(discs.shape[0]):
        if j == i:
            continue
        when_s = NEVER
        if marks[i, ON] == 1 and marks[j, ON] == 1:
            when_s = _meeting(discs, i, j, now_s)
        meets[i, j] = when_s
        meets[j, i] = when_s
        if when_s < least:
            least, partner = when_s, j
        if when_s < discs[j, T_PAIR]:
            discs[j, T_PAIR] = when_s
            marks[j, PARTNER] = i
        elif marks[j, PARTNER] == i:
            _least_of_row(discs, marks, meets, j)
    discs[i, T_PAIR] = least
    marks[i, PARTNER] = partner
