"""The kernel of the witness (``sim.physics.witness``): fixed steps, impacts put back in time.

``discs``: (n, 8) float64, columns ``W_*``; ``marks``: (n, 3) int64: on the board, moving, number of
the pocket under the centre (-1 = none). ``log``: (rows, 6) float64: time, kind (``K_*``), disc,
other (disc, side or pocket), x, y. mm, s, g, board frame; the last disc is the striker.
"""

import math

import numpy as np

from sim.physics.arrays import (
    G_CORNER,
    G_HALF,
    G_POCKET_AT,
    G_POCKET_RADIUS,
    S_CAPTURE,
    S_E_DISC,
    S_E_FRAME,
    S_FRAME_FRICTION,
    S_LEAVE,
    S_LIP,
    S_RIM,
    S_V_CUT,
    S_V_SEP,
    FloatArray,
    IntArray,
)
from sim.physics.kernel import Entry, inner
from sim.physics.state import OFF_BOARD, ON_BOARD

__all__ = ["run_steps"]

W_X, W_Y, W_VX, W_VY, W_SPIN, W_RADIUS, W_LIGHT, W_SLOWING = range(8)
W_COLUMNS = 8
_ON, _MOVES, _OVER = range(3)
(
    K_CONTACT,
    K_FRAME,
    K_LIP_IN,
    K_LIP_OUT,
    K_POCKETED,
    K_OFF,
    K_STOPPED,
) = range(7)
_PASSES = 8
"""How often the pairs are gone through in a step: a push may travel through so many discs."""
_ARC_SLOPE = 0.02
"""The engine's rule for sliding along a round corner (``sim.physics.resolve``)."""
_SMALLEST_BEND_MM = 0.01


@inner
def _note(
    log: FloatArray, rows: int, now_s: float, kind: int, i: int, other: int, discs: FloatArray
) -> int:
    """Append an event; the number of events so far."""
    if rows < log.shape[0]:
        log[rows, 0], log[rows, 1], log[rows, 2], log[rows, 3] = now_s, kind, i, other
        log[rows, 4], log[rows, 5] = discs[i, W_X], discs[i, W_Y]
    return rows + 1


@inner
def _shift(discs: FloatArray, i: int, time_s: float) -> None:
    discs[i, W_X] += discs[i, W_VX] * time_s
    discs[i, W_Y] += discs[i, W_VY] * time_s


@inner
def _speed(discs: FloatArray, i: int) -> float:
    return math.sqrt(discs[i, W_VX] * discs[i, W_VX] + discs[i, W_VY] * discs[i, W_VY])


@inner
def _remove(discs: FloatArray, marks: IntArray, i: int) -> None:
    marks[i, _ON], marks[i, _MOVES] = 0, 0
    discs[i, W_VX], discs[i, W_VY], discs[i, W_SPIN] = 0.0, 0.0, 0.0


@inner
def _slide(discs: FloatArray, marks: IntArray, i: int, dt: float) -> None:
    """Disc ``i`` slides for one step, or to its stop within it."""
    speed, loss = _speed(discs, i), discs[i, W_SLOWING] * dt
    if speed > loss:
        share = 1.0 - loss / speed
        _shift(discs, i, dt * 0.5 * (1.0 + share))
        discs[i, W_VX] *= share
        discs[i, W_VY] *= share
        return
    _shift(discs, i, 0.5 * speed / discs[i, W_SLOWING])
    discs[i, W_VX], discs[i, W_VY], discs[i, W_SPIN] = 0.0, 0.0, 0.0
    marks[i, _MOVES] = 0


@inner
def _collide(discs: FloatArray, i: int, j: int, dt: float, surface: FloatArray) -> bool:
    """Answer the contact of an overlapping, approaching pair; false if it is none."""
    dx, dy = discs[j, W_X] - discs[i, W_X], discs[j, W_Y] - discs[i, W_Y]
    reach = discs[i, W_RADIUS] + discs[j, W_RADIUS]
    deep = dx * dx + dy * dy - reach * reach
    wx, wy = discs[i, W_VX] - discs[j, W_VX], discs[i, W_VY] - discs[j, W_VY]
    b = dx * wx + dy * wy
    if deep >= 0.0 or b <= 0.0:
        return False
    w2 = wx * wx + wy * wy
    back = min((math.sqrt(b * b - w2 * deep) - b) / w2, dt)
    _shift(discs, i, -back)
    _shift(discs, j, -back)
    dx, dy = discs[j, W_X] - discs[i, W_X], discs[j, W_Y] - discs[i, W_Y]
    away = math.sqrt(dx * dx + dy * dy)
    nx, ny = dx / away, dy / away
    closing = max(wx * nx + wy * ny, 0.0)
    parting = surface[S_E_DISC] * closing if closing > surface[S_V_CUT] else 0.0
    both = discs[i, W_LIGHT] + discs[j, W_LIGHT]
    normal = (closing + max(parting, surface[S_V_SEP])) / both
    # Along the tangent (-ny, nx): what would stop the slip of the rims, as far as friction goes.
    slip = wy * nx - wx * ny
    slip += discs[i, W_SPIN] * discs[i, W_RADIUS] + discs[j, W_SPIN] * discs[j, W_RADIUS]
    tangent = slip / (3.0 * both)
    most = surface[S_RIM] * normal
    tangent = min(max(tangent, -most), most)
    px, py = normal * nx - tangent * ny, normal * ny + tangent * nx
    discs[i, W_VX] -= px * discs[i, W_LIGHT]
    discs[i, W_VY] -= py * discs[i, W_LIGHT]
    discs[j, W_VX] += px * discs[j, W_LIGHT]
    discs[j, W_VY] += py * discs[j, W_LIGHT]
    discs[i, W_SPIN] -= 2.0 * tangent * discs[i, W_LIGHT] / discs[i, W_RADIUS]
    discs[j, W_SPIN] -= 2.0 * tangent * discs[j, W_LIGHT] / discs[j, W_RADIUS]
    _shift(discs, i, back)
    _shift(discs, j, back)
    return True


@inner
def _wall(discs: FloatArray, i: int, geometry: FloatArray) -> tuple[float, float, float, bool]:
    """The outward normal where disc ``i`` runs into the frame, and how long ago (-1 = it does not);
    whether it is a round corner."""
    x, y, vx, vy = discs[i, W_X], discs[i, W_Y], discs[i, W_VX], discs[i, W_VY]
    turn = geometry[G_CORNER] - discs[i, W_RADIUS]
    bend = geometry[G_HALF] - geometry[G_CORNER]
    if turn > _SMALLEST_BEND_MM and abs(x) > bend and abs(y) > bend:
        qx, qy = x - math.copysign(bend, x), y - math.copysign(bend, y)
        beyond, b = qx * qx + qy * qy - turn * turn, qx * vx + qy * vy
        if beyond <= 0.0 or b <= 0.0:
            return 0.0, 0.0, -1.0, True
        square = max(b * b - (vx * vx + vy * vy) * beyond, 0.0)
        back = beyond / (b + math.sqrt(square))
        qx -= vx * back
        qy -= vy * back
        away = math.sqrt(qx * qx + qy * qy)
        return qx / away, qy / away, back, True
    limit = geometry[G_HALF] - discs[i, W_RADIUS]
    if abs(x) > limit and x * vx > 0.0:
        return math.copysign(1.0, x), 0.0, (abs(x) - limit) / abs(vx), False
    if abs(y) > limit and y * vy > 0.0:
        return 0.0, math.copysign(1.0, y), (abs(y) - limit) / abs(vy), False
    return 0.0, 0.0, -1.0, False


@inner
def _bounce(
    discs: FloatArray, i: int, nx: float, ny: float, surface: FloatArray, is_round: bool
) -> None:
    """The answer of a wall with outward normal n to disc ``i``."""
    vx, vy = discs[i, W_VX], discs[i, W_VY]
    into, along = max(vx * nx + vy * ny, 0.0), vy * nx - vx * ny
    e = surface[S_E_FRAME] if into > surface[S_V_CUT] else 0.0
    most = surface[S_FRAME_FRICTION] * (1.0 + e) * into
    rub = (along + discs[i, W_SPIN] * discs[i, W_RADIUS]) / 3.0
    rub = min(max(rub, -most), most)
    discs[i, W_SPIN] -= 2.0 * rub / discs[i, W_RADIUS]
    along -= rub
    out = e * into
    if is_round and out < _ARC_SLOPE * abs(along):
        total = along * along + out * out
        out = _ARC_SLOPE * abs(along)
        along = math.copysign(math.sqrt(total - out * out), along)
    discs[i, W_VX] = -out * nx - along * ny
    discs[i, W_VY] = -out * ny + along * nx


@inner
def _hole_under(discs: FloatArray, i: int, geometry: FloatArray) -> int:
    """Number of the pocket that the centre of disc ``i`` is over, -1 = none."""
    x, y = discs[i, W_X], discs[i, W_Y]
    dx, dy = abs(x) - geometry[G_POCKET_AT], abs(y) - geometry[G_POCKET_AT]
    if dx * dx + dy * dy >= geometry[G_POCKET_RADIUS] * geometry[G_POCKET_RADIUS]:
        return -1
    if y < 0.0:
        return 0 if x < 0.0 else 1
    return 3 if x < 0.0 else 2


@inner
def _fall_if_slow(
    discs: FloatArray,
    marks: IntArray,
    i: int,
    surface: FloatArray,
    log: FloatArray,
    rows: int,
    now_s: float,
) -> int:
    """After an impact, a stop or the lip: over a hole and slow enough means gone."""
    if marks[i, _OVER] < 0 or _speed(discs, i) > surface[S_CAPTURE]:
        return rows
    rows = _note(log, rows, now_s, K_POCKETED, i, marks[i, _OVER], discs)
    _remove(discs, marks, i)
    return rows


@inner
def _meet_pairs(
    discs: FloatArray,
    marks: IntArray,
    surface: FloatArray,
    log: FloatArray,
    rows: int,
    now_s: float,
    dt: float,
) -> int:
    n = discs.shape[0]
    for _ in range(_PASSES):
        found = False
        for i in range(n):
            for j in range(i + 1, n):
                if marks[i, _ON] * marks[j, _ON] == 0 or marks[i, _MOVES] + marks[j, _MOVES] == 0:
                    continue
                if abs(discs[i, W_X] - discs[j, W_X]) > discs[i, W_RADIUS] + discs[j, W_RADIUS]:
                    continue
                if _collide(discs, i, j, dt, surface):
                    found = True
                    marks[i, _MOVES], marks[j, _MOVES] = 1, 1
                    rows = _note(log, rows, now_s, K_CONTACT, i, j, discs)
                    rows = _fall_if_slow(discs, marks, i, surface, log, rows, now_s)
                    rows = _fall_if_slow(discs, marks, j, surface, log, rows, now_s)
        if not found:
            break
    return rows


@inner
def _quiet_time(discs: FloatArray, marks: IntArray) -> float:
    """A time in which no two discs can meet: speeds only fall, but for impacts."""
    quiet_s = math.inf
    for i in range(discs.shape[0]):
        for j in range(i):
            if marks[i, _ON] * marks[j, _ON] == 0 or marks[i, _MOVES] + marks[j, _MOVES] == 0:
                continue
            dx, dy = discs[i, W_X] - discs[j, W_X], discs[i, W_Y] - discs[j, W_Y]
            gap = math.sqrt(dx * dx + dy * dy) - discs[i, W_RADIUS] - discs[j, W_RADIUS]
            quiet_s = min(quiet_s, gap / (_speed(discs, i) + _speed(discs, j)))
    return quiet_s


@inner
def _meet_frame(
    discs: FloatArray,
    marks: IntArray,
    i: int,
    geometry: FloatArray,
    surface: FloatArray,
    log: FloatArray,
    rows: int,
    now_s: float,
    dt: float,
) -> int:
    for _ in range(2):  # a corner has two walls
        nx, ny, back, is_round = _wall(discs, i, geometry)
        if back < 0.0:
            break
        back = min(back, dt)
        _shift(discs, i, -back)
        side = (2 if ny > 0.0 else 0) if abs(ny) > abs(nx) else (1 if nx > 0.0 else 3)
        rows = _note(log, rows, now_s, K_FRAME, i, side, discs)
        if discs[i, W_VX] * nx + discs[i, W_VY] * ny > surface[S_LEAVE]:
            rows = _note(log, rows, now_s, K_OFF, i, OFF_BOARD, discs)
            _remove(discs, marks, i)
            break
        _bounce(discs, i, nx, ny, surface, is_round)
        _shift(discs, i, back)
        rows = _fall_if_slow(discs, marks, i, surface, log, rows, now_s)
        if marks[i, _ON] == 0:
            break
    return rows


@inner
def _cross_lip(
    discs: FloatArray,
    marks: IntArray,
    i: int,
    geometry: FloatArray,
    surface: FloatArray,
    log: FloatArray,
    rows: int,
    now_s: float,
) -> int:
    hole, over = _hole_under(discs, i, geometry), marks[i, _OVER]
    if hole == over:
        return rows
    marks[i, _OVER] = hole
    if hole < 0:
        discs[i, W_VX] *= surface[S_LIP]
        discs[i, W_VY] *= surface[S_LIP]
        return _note(log, rows, now_s, K_LIP_OUT, i, over, discs)
    if _speed(discs, i) > surface[S_CAPTURE]:
        return _note(log, rows, now_s, K_LIP_IN, i, hole, discs)
    return _fall_if_slow(discs, marks, i, surface, log, rows, now_s)


def _run_steps(
    discs: FloatArray,
    geometry: FloatArray,
    surface: FloatArray,
    log: FloatArray,
    dt: float,
    most_s: float,
) -> tuple[float, int]:
    """Run to rest; the time it took and the number of events (the log may hold fewer)."""
    n = discs.shape[0]
    marks = np.ones((n, 3), np.int64)
    marks[:, _OVER] = ON_BOARD
    for i in range(n):
        marks[i, _MOVES] = 1 if _speed(discs, i) > 0.0 else 0
    rows, step, is_moving = 0, 0, True
    quiet_until_s = 0.0
    while is_moving and step * dt < most_s:
        step += 1
        now_s = step * dt
        for i in range(n):
            if marks[i, _MOVES] == 1:
                _slide(discs, marks, i, dt)
                if marks[i, _MOVES] == 0:
                    rows = _note(log, rows, now_s, K_STOPPED, i, -1, discs)
                    rows = _fall_if_slow(discs, marks, i, surface, log, rows, now_s)
        if now_s >= quiet_until_s:
            rows = _meet_pairs(discs, marks, surface, log, rows, now_s, dt)
            quiet_until_s = now_s + 0.9 * _quiet_time(discs, marks)
        is_moving = False
        for i in range(n):
            if marks[i, _MOVES] == 1:
                events = rows
                rows = _meet_frame(discs, marks, i, geometry, surface, log, rows, now_s, dt)
                if rows > events:  # its spin may have made it faster
                    quiet_until_s = 0.0
            if marks[i, _MOVES] == 1:
                rows = _cross_lip(discs, marks, i, geometry, surface, log, rows, now_s)
            if marks[i, _MOVES] == 1:
                is_moving = True
    return step * dt, rows


run_steps = Entry(_run_steps)
