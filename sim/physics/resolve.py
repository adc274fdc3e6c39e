"""What an event does to the discs: impulses at contacts, the frame's answer, pockets."""

import math

from sim.physics.arrays import (
    G_CORNER,
    G_HALF,
    G_SIDE_LINE,
    S_CAPTURE,
    S_E_DISC,
    S_E_FRAME,
    S_FRAME_FRICTION,
    S_LEAVE,
    S_RIM,
    S_V_CUT,
    S_V_SEP,
    FloatArray,
    IntArray,
)
from sim.physics.kernel import inner
from sim.physics.state import (
    LIGHTNESS,
    ON,
    OVER,
    OWN_WALL_X,
    OWN_WALL_Y,
    RADIUS,
    SLOWING,
    SPEED,
    SPIN,
    T0,
    UX,
    UY,
    X,
    Y,
)

__all__ = ["advance", "frame_region", "meet_frame", "resolve_contact", "stays_over", "take_off"]

_AT_REST_MM_S = 1e-6
_LEAST_ARC_SLOPE = 0.02
"""A disc that slides along a round corner leaves it again with at least this normal share of its
speed (which it keeps): some forty small hops instead of endlessly many."""


@inner
def advance(discs: FloatArray, i: int, now_s: float) -> None:
    """Bring disc ``i`` to ``now_s`` along its straight line."""
    speed = discs[i, SPEED]
    if speed > 0.0:
        dt = now_s - discs[i, T0]
        path = (speed - 0.5 * discs[i, SLOWING] * dt) * dt
        discs[i, X] += discs[i, UX] * path
        discs[i, Y] += discs[i, UY] * path
        discs[i, SPEED] = max(speed - discs[i, SLOWING] * dt, 0.0)
    discs[i, T0] = now_s


@inner
def _set_velocity(discs: FloatArray, i: int, vx: float, vy: float) -> None:
    speed = math.sqrt(vx * vx + vy * vy)
    if speed < _AT_REST_MM_S:
        discs[i, SPEED] = 0.0
        discs[i, SPIN] = 0.0
    else:
        discs[i, SPEED] = speed
        discs[i, UX] = vx / speed
        discs[i, UY] = vy / speed


@inner
def resolve_contact(discs: FloatArray, i: int, j: int, surface: FloatArray) -> None:
    """Two touching discs exchange a normal impulse and a rim impulse of at most mu_c times it."""
    nx, ny = discs[j, X] - discs[i, X], discs[j, Y] - discs[i, Y]
    distance = math.sqrt(nx * nx + ny * ny)
    if distance == 0.0:  # only callers' own men_mm can lie on one spot
        nx, distance = 1.0, 1.0
    nx /= distance
    ny /= distance
    vxi, vyi = discs[i, SPEED] * discs[i, UX], discs[i, SPEED] * discs[i, UY]
    vxj, vyj = discs[j, SPEED] * discs[j, UX], discs[j, SPEED] * discs[j, UY]
    wx, wy = vxi - vxj, vyi - vyj
    approach = max(wx * nx + wy * ny, 0.0)
    apart = surface[S_E_DISC] * approach if approach > surface[S_V_CUT] else 0.0
    apart = max(apart, surface[S_V_SEP])
    light_i, light_j = discs[i, LIGHTNESS], discs[j, LIGHTNESS]
    push = (approach + apart) / (light_i + light_j)
    rim_i, rim_j = discs[i, SPIN] * discs[i, RADIUS], discs[j, SPIN] * discs[j, RADIUS]
    slip = wy * nx - wx * ny + rim_i + rim_j
    most = surface[S_RIM] * push
    rub = min(max(slip / (3.0 * (light_i + light_j)), -most), most)
    # Impulse on i: -push along n, -rub along (-ny, nx); on j the opposite.
    ix, iy = push * nx - rub * ny, push * ny + rub * nx
    discs[i, SPIN] -= 2.0 * rub * light_i / discs[i, RADIUS]
    discs[j, SPIN] -= 2.0 * rub * light_j / discs[j, RADIUS]
    _set_velocity(discs, i, vxi - light_i * ix, vyi - light_i * iy)
    _set_velocity(discs, j, vxj + light_j * ix, vyj + light_j * iy)


@inner
def _place_on_frame(
    discs: FloatArray, i: int, own: int, geometry: FloatArray
) -> tuple[float, float]:
    """Put disc ``i`` exactly on the frame that it meets; the outward normal there."""
    limit = geometry[G_HALF] - discs[i, RADIUS]
    if own == OWN_WALL_X:
        sign = math.copysign(1.0, discs[i, UX])
        discs[i, X] = sign * limit
        return sign, 0.0
    if own == OWN_WALL_Y:
        sign = math.copysign(1.0, discs[i, UY])
        discs[i, Y] = sign * limit
        return 0.0, sign
    bend = geometry[G_HALF] - geometry[G_CORNER]
    turn = geometry[G_CORNER] - discs[i, RADIUS]
    at_x, at_y = math.copysign(bend, discs[i, X]), math.copysign(bend, discs[i, Y])
    nx, ny = discs[i, X] - at_x, discs[i, Y] - at_y
    distance = math.sqrt(nx * nx + ny * ny)
    nx /= distance
    ny /= distance
    discs[i, X] = at_x + turn * nx
    discs[i, Y] = at_y + turn * ny
    return nx, ny


@inner
def meet_frame(
    discs: FloatArray, i: int, own: int, geometry: FloatArray, surface: FloatArray
) -> bool:
    """Disc ``i`` meets the frame; false if it is so fast that it hops over (nothing is changed)."""
    nx, ny = _place_on_frame(discs, i, own, geometry)
    vx, vy = discs[i, SPEED] * discs[i, UX], discs[i, SPEED] * discs[i, UY]
    into = max(vx * nx + vy * ny, 0.0)
    if into > surface[S_LEAVE]:
        return False
    bounce = surface[S_E_FRAME] if into > surface[S_V_CUT] else 0.0
    along = vy * nx - vx * ny
    slip = along + discs[i, SPIN] * discs[i, RADIUS]
    most = surface[S_FRAME_FRICTION] * (1.0 + bounce) * into
    rub = min(max(slip / 3.0, -most), most)
    discs[i, SPIN] -= 2.0 * rub / discs[i, RADIUS]
    along -= rub
    back = bounce * into
    if own != OWN_WALL_X and own != OWN_WALL_Y:
        floor = _LEAST_ARC_SLOPE * abs(along)
        if back < floor:
            kept = math.sqrt(along * along + back * back - floor * floor)
            along = math.copysign(kept, along)
            back = floor
    _set_velocity(discs, i, -back * nx - along * ny, -back * ny + along * nx)
    return True


@inner
def stays_over(discs: FloatArray, marks: IntArray, i: int, surface: FloatArray) -> bool:
    """Whether a disc over a pocket is too fast to fall now (true for one that is over none)."""
    return bool(marks[i, OVER] < 0 or discs[i, SPEED] > surface[S_CAPTURE])


@inner
def take_off(discs: FloatArray, marks: IntArray, i: int) -> None:
    """Disc ``i`` is on the board no more; it stays where it was, at rest."""
    marks[i, ON] = 0
    discs[i, SPEED] = 0.0
    discs[i, SPIN] = 0.0


@inner
def frame_region(x: float, y: float, geometry: FloatArray) -> int:
    """3 * side + band of a disc that touches the frame at (x, y).

    Sides S, E, N, W. Bands along the side (coordinate x on S and N, y on E and W): 0 below minus
    the side line's distance from the centre, 2 above plus it, 1 between.
    """
    if abs(y) > abs(x):
        side, along = (0 if y < 0.0 else 2), x
    else:
        side, along = (1 if x > 0.0 else 3), y
    line = geometry[G_SIDE_LINE]
    band = 0 if along < -line else (2 if along > line else 1)
    return 3 * side + band
