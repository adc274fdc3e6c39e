"""Discs that give a little: a spring and a dashpot at every contact. Offline, for opening racks.

In a pack that touches, many contacts last at the same time, and no rule for one impact after the
other can be trusted (``notes/physics.md``, 3.3). Here every contact lasts ``contact_s`` and the
forces of all add up. It is only indicative: THE CONTACT TIME IS ASSUMED (nothing is published for
carrom men; hard discs of this size take some 0.1 ms), so is a restitution that does not depend on
speed, and a linear spring is a model.

Everything else is as in ``sim.physics.surface``, but: a disc over a pocket falls as soon as it is
no faster than the capture speed, and nothing hops over the frame.
"""

import math
from dataclasses import dataclass

import numpy as np

from carrom.errors import PositionError
from sim.physics.arrays import (
    G_CORNER,
    G_HALF,
    G_POCKET_AT,
    G_POCKET_RADIUS,
    S_CAPTURE,
    S_E_DISC,
    S_E_FRAME,
    S_FRAME_FRICTION,
    S_LIP,
    S_RIM,
    ByteArray,
    FloatArray,
    Table,
)
from sim.physics.kernel import Entry, inner

__all__ = ["CONTACT_S", "SoftRun", "damping_ratio", "run_soft"]

CONTACT_S = 100e-6
"""Assumed length of a contact of two men; notes/physics.md tried 80 and 150 us."""

_STEPS_A_CONTACT = 32
"""Head-on restitutions come out within 0.007 of what is asked (tests)."""
_LEAST_RESTITUTION = 0.25
"""A spring and a dashpot that never pull cannot do less than exp(-pi / 2) = 0.21."""
_RUB_STEPS = 5.0
"""A rim that slips less than friction allows is stopped within so many steps."""
_LONGEST_STEP_S = 2e-3
_LONGEST_WAY_MM = 1.0
_MOST_SECONDS = 30.0


@dataclass(frozen=True, slots=True, eq=False)
class SoftRun:
    """How a stroke ended; new arrays. Discs as in the table, the striker last.

    ``end_mm``: (n, 2) float64, mm, board frame, where discs came to rest or fell; ``pocket``: (n,)
    int8, -1 = on the board, 0..3 = pocket SW SE NE NW; ``duration_s``; ``steps``; ``capped``: it
    was not over after ``most_s``.
    """

    end_mm: FloatArray
    pocket: ByteArray
    duration_s: float
    steps: int
    capped: bool


def run_soft(
    table: Table,
    start_mm: FloatArray,
    angle_rad: float,
    speed_mm_s: float,
    *,
    contact_s: float = CONTACT_S,
    most_s: float = _MOST_SECONDS,
) -> SoftRun:
    """Simulate one stroke from ``start_mm`` ((n, 2) float64, mm, with room for all) to rest.

    Raises ``PositionError`` for parameters that a spring and a dashpot cannot have.
    """
    least = min(float(table.surface[S_E_DISC]), float(table.surface[S_E_FRAME]))
    if least < _LEAST_RESTITUTION or not 1e-6 <= contact_s <= 1e-2:
        expected = f"restitutions of at least {_LEAST_RESTITUTION} and 1 us to 10 ms a contact"
        raise PositionError(f"soft contact: expected {expected}, got {(least, contact_s)!r}")
    xy = np.array(start_mm, dtype=np.float64)
    v = np.zeros_like(xy)
    v[-1] = speed_mm_s * math.cos(angle_rad), speed_mm_s * math.sin(angle_rad)
    pocket = np.full(table.count, -1, dtype=np.int8)
    spring = _spring(table, contact_s)
    duration_s, steps = _run_soft(
        xy,
        v,
        np.array(table.radius_mm),
        1.0 / table.mass_g,
        table.deceleration_mm_s2,
        table.geometry,
        table.surface,
        spring,
        contact_s / _STEPS_A_CONTACT,
        most_s,
        pocket,
    )
    return SoftRun(
        end_mm=xy,
        pocket=pocket,
        duration_s=duration_s,
        steps=steps,
        capped=duration_s >= most_s,
    )


def damping_ratio(restitution: float) -> float:
    """Damping ratio of a spring and a dashpot, never pulling, with this restitution.

    Inverts e = exp(-b (pi - atan2(2 b, 1 - b^2))) with b = z / sqrt(1 - z^2) by bisection
    (T. Schwager, T. Poeschel, Granular Matter 9, 2007, 465-469).
    """
    low, high = 0.0, 1.0 / math.sqrt(2.0)
    for _ in range(60):
        middle = (low + high) / 2
        b = middle / math.sqrt(1.0 - middle * middle)
        is_bouncier = math.exp(-b * (math.pi - math.atan2(2.0 * b, 1.0 - b * b))) > restitution
        low, high = (middle, high) if is_bouncier else (low, middle)
    return (low + high) / 2


def _spring(table: Table, contact_s: float) -> FloatArray:
    """(3,) float64: stiffness in g/s^2 (the same everywhere), damping ratios of disc and frame."""
    disc = damping_ratio(float(table.surface[S_E_DISC]))
    frame = damping_ratio(float(table.surface[S_E_FRAME]))
    undamped = math.pi / contact_s / math.sqrt(1.0 - disc * disc)
    men = table.mass_g[:-1] if table.count > 1 else table.mass_g
    return np.array([float(np.mean(men)) / 2.0 * undamped**2, disc, frame])


@inner
def _press(
    depth: float, closing: float, slip: float, mass: float, slide: float, law: FloatArray
) -> tuple[float, float]:
    """Normal force (never pulling) and rim force of one contact.

    ``mass``: effective across the contact, ``slide``: effective along it; ``law``: stiffness,
    damping ratio, friction, 1 / time that stops a slip.
    """
    push = law[0] * depth + 2.0 * law[1] * math.sqrt(law[0] * mass) * closing
    if push <= 0.0:
        return 0.0, 0.0
    most = law[2] * push
    return push, min(max(slip * slide * law[3], -most), most)


@inner
def _pair_forces(
    i: int,
    j: int,
    xy: FloatArray,
    v: FloatArray,
    spin: FloatArray,
    radius: FloatArray,
    light: FloatArray,
    law: FloatArray,
    pull: FloatArray,
) -> float:
    """Add the accelerations of one pair to ``pull`` (ax, ay, spin); the time until it may touch."""
    dx, dy = xy[j, 0] - xy[i, 0], xy[j, 1] - xy[i, 1]
    reach = radius[i] + radius[j]
    away = math.sqrt(dx * dx + dy * dy)
    wx, wy = v[i, 0] - v[j, 0], v[i, 1] - v[j, 1]
    if away >= reach:
        speed = math.sqrt(wx * wx + wy * wy)
        return (away - reach) / speed if speed > 0.0 else math.inf
    nx, ny = dx / away, dy / away
    slip = wy * nx - wx * ny + spin[i] * radius[i] + spin[j] * radius[j]
    both = light[i] + light[j]
    closing = wx * nx + wy * ny
    push, rub = _press(reach - away, closing, slip, 1.0 / both, 1.0 / (3.0 * both), law)
    fx, fy = push * nx - rub * ny, push * ny + rub * nx
    pull[i, 0] -= light[i] * fx
    pull[i, 1] -= light[i] * fy
    pull[j, 0] += light[j] * fx
    pull[j, 1] += light[j] * fy
    pull[i, 2] -= 2.0 * rub * light[i] / radius[i]
    pull[j, 2] -= 2.0 * rub * light[j] / radius[j]
    return 0.0 if push > 0.0 else math.inf


@inner
def _wall_force(
    i: int,
    nx: float,
    ny: float,
    depth: float,
    v: FloatArray,
    spin: FloatArray,
    radius: FloatArray,
    light: FloatArray,
    law: FloatArray,
    pull: FloatArray,
) -> float:
    """As ``_pair_forces`` for the frame, whose outward normal is n."""
    if depth <= 0.0:
        speed = math.sqrt(v[i, 0] * v[i, 0] + v[i, 1] * v[i, 1])
        return -depth / speed if speed > 0.0 else math.inf
    slip = v[i, 1] * nx - v[i, 0] * ny + spin[i] * radius[i]
    mass = 1.0 / light[i]
    push, rub = _press(depth, v[i, 0] * nx + v[i, 1] * ny, slip, mass, mass / 3.0, law)
    pull[i, 0] -= light[i] * (push * nx - rub * ny)
    pull[i, 1] -= light[i] * (push * ny + rub * nx)
    pull[i, 2] -= 2.0 * rub * light[i] / radius[i]
    return 0.0 if push > 0.0 else math.inf


@inner
def _frame_forces(
    i: int,
    xy: FloatArray,
    v: FloatArray,
    spin: FloatArray,
    radius: FloatArray,
    light: FloatArray,
    geometry: FloatArray,
    law: FloatArray,
    pull: FloatArray,
) -> float:
    """All frame contacts of disc ``i``: two walls, or the round corner between them."""
    x, y = xy[i, 0], xy[i, 1]
    turn = geometry[G_CORNER] - radius[i]
    bend = geometry[G_HALF] - geometry[G_CORNER]
    dx, dy = abs(x) - bend, abs(y) - bend
    if turn > 0.0 and dx > 0.0 and dy > 0.0:
        away = math.sqrt(dx * dx + dy * dy)
        nx, ny = math.copysign(dx / away, x), math.copysign(dy / away, y)
        return _wall_force(i, nx, ny, away - turn, v, spin, radius, light, law, pull)
    limit = geometry[G_HALF] - radius[i]
    nx, ny = math.copysign(1.0, x), math.copysign(1.0, y)
    first = _wall_force(i, nx, 0.0, abs(x) - limit, v, spin, radius, light, law, pull)
    other = _wall_force(i, 0.0, ny, abs(y) - limit, v, spin, radius, light, law, pull)
    return min(first, other)


@inner
def _slide(
    i: int,
    dt: float,
    xy: FloatArray,
    v: FloatArray,
    spin: FloatArray,
    slowing: float,
    pull: FloatArray,
) -> bool:
    """Push, slow down and move disc ``i`` for one step; whether it still moves."""
    vx, vy = v[i, 0] + pull[i, 0] * dt, v[i, 1] + pull[i, 1] * dt
    speed = math.sqrt(vx * vx + vy * vy)
    if speed <= slowing * dt:
        v[i, 0], v[i, 1] = 0.0, 0.0
        spin[i] = 0.0
        return False
    spin[i] += pull[i, 2] * dt
    share = 1.0 - slowing * dt / speed
    v[i, 0], v[i, 1] = vx * share, vy * share
    # The semi-implicit step of a spring; a free slide (no push) keeps its exact path.
    is_free = pull[i, 0] == 0.0 and pull[i, 1] == 0.0
    mean = 0.5 * (1.0 + share) if is_free else share
    xy[i, 0] += vx * mean * dt
    xy[i, 1] += vy * mean * dt
    return True


@inner
def _holes(
    i: int,
    xy: FloatArray,
    v: FloatArray,
    over: ByteArray,
    pocket: ByteArray,
    geometry: FloatArray,
    surface: FloatArray,
) -> None:
    """Let disc ``i`` fall, fly over a pocket or come out of it."""
    at, lip = geometry[G_POCKET_AT], geometry[G_POCKET_RADIUS]
    dx, dy = abs(xy[i, 0]) - at, abs(xy[i, 1]) - at
    is_over = dx * dx + dy * dy < lip * lip
    if is_over:
        over[i] = 1
        if v[i, 0] ** 2 + v[i, 1] ** 2 <= surface[S_CAPTURE] ** 2:
            east = xy[i, 0] > 0.0
            north = xy[i, 1] > 0.0
            pocket[i] = (2 if east else 3) if north else (1 if east else 0)
            v[i, 0], v[i, 1] = 0.0, 0.0
    elif over[i] == 1:
        over[i] = 0
        v[i, 0] *= surface[S_LIP]
        v[i, 1] *= surface[S_LIP]


def _run_kernel(
    xy: FloatArray,
    v: FloatArray,
    radius: FloatArray,
    light: FloatArray,
    slowing: FloatArray,
    geometry: FloatArray,
    surface: FloatArray,
    spring: FloatArray,
    least_dt: float,
    most_s: float,
    pocket: ByteArray,
) -> tuple[float, int]:
    """Run to rest. Writes ``xy``, ``v``, ``pocket``; returns the time and the number of steps.

    Steps are ``least_dt`` while anything touches, else as long as nothing can touch meanwhile.
    """
    n = xy.shape[0]
    spin, pull, over = np.zeros(n), np.zeros((n, 3)), np.zeros(n, np.int8)
    disc_law = np.array([spring[0], spring[1], surface[S_RIM], 1.0 / (_RUB_STEPS * least_dt)])
    wall_law = disc_law.copy()
    wall_law[1], wall_law[2] = spring[2], surface[S_FRAME_FRICTION]
    now_s, steps, is_moving = 0.0, 0, True
    while is_moving and now_s < most_s:
        pull[:] = 0.0
        room_s, fastest = _LONGEST_STEP_S, 1e-9
        for i in range(n):
            if pocket[i] >= 0:
                continue
            fastest = max(fastest, v[i, 0] ** 2 + v[i, 1] ** 2)
            free_s = _frame_forces(i, xy, v, spin, radius, light, geometry, wall_law, pull)
            room_s = min(room_s, free_s)
            for j in range(i):
                if pocket[j] < 0:
                    free_s = _pair_forces(j, i, xy, v, spin, radius, light, disc_law, pull)
                    room_s = min(room_s, free_s)
        dt = max(least_dt, min(0.5 * room_s, _LONGEST_WAY_MM / math.sqrt(fastest)))
        is_moving = False
        for i in range(n):
            if pocket[i] < 0 and _slide(i, dt, xy, v, spin, slowing[i], pull):
                is_moving = True
                _holes(i, xy, v, over, pocket, geometry, surface)
        now_s += dt
        steps += 1
    return now_s, steps


_run_soft = Entry(_run_kernel)
