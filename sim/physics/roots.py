"""When do two discs meet? The exact answer, as the first root of a polynomial of time.

A disc that slides on its own moves on a straight line, so a moving and a resting disc need a
quadratic in path length. Two moving ones need a quartic in time, solved on its Bernstein form over
[0, horizon]: coefficients all positive mean no root, otherwise the interval is clipped against the
convex hull of the control points. All quantities in mm, s; see ``notes/physics.md`` 3.2 and 3.3.
"""

import math

from sim.physics.kernel import inner

__all__ = ["NEVER", "first_root", "meeting_path", "meeting_time", "time_of_path"]

NEVER = 1e300
"""A time that does not come."""

_TOUCHING_MM2 = 1e-7
"""Squared distance minus squared reach below which two discs touch: a gap of about 2e-9 mm."""
_GRAZING = 1e-9
"""Cosine between the way and the line of centres below which a disc does not approach."""
_TINY_S = 1e-14


@inner
def time_of_path(path_mm: float, speed_mm_s: float, slowing_mm_s2: float) -> float:
    """The time to cover a path that ends before the stop; free of cancellation."""
    square = speed_mm_s * speed_mm_s - 2.0 * slowing_mm_s2 * path_mm
    return 2.0 * path_mm / (speed_mm_s + math.sqrt(max(square, 0.0)))


@inner
def meeting_path(dx: float, dy: float, ux: float, uy: float, reach_mm: float) -> float:
    """Path along the unit vector u until a disc at offset d from a resting one touches it.

    ``reach_mm``: sum of the radii. ``NEVER`` if it misses or moves away; 0 if it overlaps.
    """
    b = dx * ux + dy * uy
    if b >= -_GRAZING * reach_mm:
        return NEVER
    c = dx * dx + dy * dy - reach_mm * reach_mm
    square = b * b - c
    if square <= 0.0:
        return NEVER
    return max(c / (math.sqrt(square) - b), 0.0)


@inner
def meeting_time(
    dx: float,
    dy: float,
    wx: float,
    wy: float,
    cx: float,
    cy: float,
    reach_mm: float,
    horizon_s: float,
) -> float:
    """First contact in (0, horizon] of two moving discs; ``NEVER`` if none.

    d, w, c: difference of their positions, velocities and accelerations now.
    """
    g0 = dx * dx + dy * dy - reach_mm * reach_mm
    fast2 = wx * wx + wy * wy
    slow2 = cx * cx + cy * cy
    g1 = 2.0 * (dx * wx + dy * wy)
    q2 = (fast2 + dx * cx + dy * cy) * horizon_s * horizon_s
    q3 = (wx * cx + wy * cy) * horizon_s * horizon_s * horizon_s
    q4 = 0.25 * slow2 * horizon_s * horizon_s * horizon_s * horizon_s
    if g0 <= _TOUCHING_MM2:
        if g1 < -1e-6 * reach_mm:
            return 0.0
        # They part: divide out the root at 0 and look for another one.
        h1 = q2 / horizon_s
        h2 = q3 / horizon_s
        h3 = q4 / horizon_s
        h0 = max(g1, 1e-6)
        return first_root(
            h0,
            h0 + 0.25 * h1,
            h0 + 0.5 * h1 + h2 / 6.0,
            h0 + 0.75 * h1 + 0.5 * h2 + 0.25 * h3,
            h0 + h1 + h2 + h3,
            horizon_s,
        )
    q1 = g1 * horizon_s
    b1 = g0 + 0.25 * q1
    b2 = g0 + 0.5 * q1 + q2 / 6.0
    b3 = g0 + 0.75 * q1 + 0.5 * q2 + 0.25 * q3
    b4 = g0 + q1 + q2 + q3 + q4
    if b1 > 0.0 and b2 > 0.0 and b3 > 0.0 and b4 > 0.0:
        return NEVER
    return first_root(g0, b1, b2, b3, b4, horizon_s)


@inner
def _hull_zero(b0: float, b1: float, b2: float, b3: float, b4: float) -> float:
    """Where the lower hull of the control points (at 0, 1/4 .. 1; b0 > 0) first reaches zero.

    Every pair of a positive point and a later negative one counts: looking from the first point
    alone finds contacts late.
    """
    x = 2.0
    if b1 <= 0.0:
        x = 0.25 * b0 / (b0 - b1)
    if b2 <= 0.0:
        x = min(x, 0.5 * b0 / (b0 - b2))
        if b1 > 0.0:
            x = min(x, 0.25 + 0.25 * b1 / (b1 - b2))
    if b3 <= 0.0:
        x = min(x, 0.75 * b0 / (b0 - b3))
        if b1 > 0.0:
            x = min(x, 0.25 + 0.5 * b1 / (b1 - b3))
        if b2 > 0.0:
            x = min(x, 0.5 + 0.25 * b2 / (b2 - b3))
    if b4 <= 0.0:
        x = min(x, b0 / (b0 - b4))
        if b1 > 0.0:
            x = min(x, 0.25 + 0.75 * b1 / (b1 - b4))
        if b2 > 0.0:
            x = min(x, 0.5 + 0.5 * b2 / (b2 - b4))
        if b3 > 0.0:
            x = min(x, 0.75 + 0.25 * b3 / (b3 - b4))
    return x


@inner
def _right_part(
    x: float, b0: float, b1: float, b2: float, b3: float, b4: float
) -> tuple[float, float, float, float, float]:
    """De Casteljau: the control points of the part [x, 1]."""
    z = 1.0 - x
    c0, c1, c2, c3 = z * b0 + x * b1, z * b1 + x * b2, z * b2 + x * b3, z * b3 + x * b4
    d0, d1, d2 = z * c0 + x * c1, z * c1 + x * c2, z * c2 + x * c3
    e0, e1 = z * d0 + x * d1, z * d1 + x * d2
    return z * e0 + x * e1, e1, d2, c3, b4


@inner
def _left_half(
    b0: float, b1: float, b2: float, b3: float, b4: float
) -> tuple[float, float, float, float, float]:
    """De Casteljau: the control points of the part [0, 1/2]."""
    c0, c1, c2, c3 = 0.5 * (b0 + b1), 0.5 * (b1 + b2), 0.5 * (b2 + b3), 0.5 * (b3 + b4)
    d0, d1, d2 = 0.5 * (c0 + c1), 0.5 * (c1 + c2), 0.5 * (c2 + c3)
    e0, e1 = 0.5 * (d0 + d1), 0.5 * (d1 + d2)
    return b0, c0, d0, e0, 0.5 * (e0 + e1)


@inner
def first_root(a0: float, a1: float, a2: float, a3: float, a4: float, horizon_s: float) -> float:
    """Smallest root in [0, horizon] of a quartic given by its Bernstein coefficients, a0 > 0.

    One-sided clipping. A clip that gains little halves the interval (a near miss creeps for ever
    otherwise); once an interval is free of roots the rest is cut from the original again.
    """
    low, high = 0.0, 1.0
    b0, b1, b2, b3, b4 = a0, a1, a2, a3, a4
    for _ in range(400):
        if b1 > 0.0 and b2 > 0.0 and b3 > 0.0 and b4 > 0.0:
            if high >= 1.0:
                return NEVER
            b0, b1, b2, b3, b4 = _right_part(high, a0, a1, a2, a3, a4)
            low, high = high, 1.0
            if b0 <= 0.0:
                return low * horizon_s
            continue
        x = _hull_zero(b0, b1, b2, b3, b4)
        width = high - low
        low += width * x
        if width * x * horizon_s < _TINY_S or width * horizon_s < 10.0 * _TINY_S:
            return low * horizon_s
        b0, b1, b2, b3, b4 = _right_part(x, b0, b1, b2, b3, b4)
        if b0 <= 0.0:
            return low * horizon_s
        if x < 0.125:
            b0, b1, b2, b3, b4 = _left_half(b0, b1, b2, b3, b4)
            high = low + 0.5 * (high - low)
    return low * horizon_s
