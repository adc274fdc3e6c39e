"""How the striker was launched, read off the first stretch of its way: place, angle and speed.

Until its first contact a disc slides straight and loses speed at a constant rate. The direction is
that of the fixes about the placement; the speed is taken between two fixes and carried back over
the way that lies before them: v0^2 = v^2 + 2 a s (uniform deceleration).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, cos, hypot, inf, radians, sin, sqrt

from carrom.pieces import PieceKind
from carrom.stroke import MAX_SPEED_MM_S, Stroke
from vision.table_events import StrokeSeen

__all__ = ["LaunchSeen", "launch_seen"]

_SLOWING_MM_S2 = 1000.0
"""Powdered wood: friction 0.10 (notes/physics.md: 0.05 to 0.20, nobody has measured it)."""
_FIX_MM = 0.7
"""How far a fix of a moving striker errs across its way: 0.5 mm at rest, more in motion."""
_ACROSS_MM = 1.6
"""Further off the line than this, the striker had met something."""
_REACH_MM = 60.0
"""A shorter first stretch says little about the angle."""
_LEFT_MM = 4.0
_SURE_RAD = radians(0.6)
_SLOWER = 0.80
"""Of the speed that friction leaves between two steps, the least that is no contact."""

_Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class LaunchSeen:
    """A stroke as it was tracked. ``angle_sd_rad``: how far the angle may be off (one standard
    deviation, from the camera alone)."""

    stroke: Stroke
    angle_sd_rad: float


def launch_seen(seen: StrokeSeen) -> LaunchSeen | None:
    """The launch of a stroke that was followed, board frame; ``None`` where its first stretch was
    too short, too fast or too covered to tell."""
    path = next((p for kind, p in seen.paths_mm if kind is PieceKind.STRIKER), ())
    others = [p[0][0] for kind, p in seen.paths_mm if kind is not PieceKind.STRIKER and p]
    placement, start_s = seen.outcome.placement_mm, seen.outcome.t_start_s
    if placement is None or start_s is None:
        return None
    x0, y0 = placement
    until_s = min(others, default=inf)  # by then it had met a disc
    away = [(t, x - x0, y - y0) for t, x, y in path if start_s < t < until_s]
    leg = _first_leg([p for p in away if hypot(p[1], p[2]) > _LEFT_MM])
    if len(leg) < 2:
        return None
    angle = _angle(leg)
    sd = _FIX_MM / sqrt(sum(x * x + y * y for _, x, y in leg))
    speed = _speed(leg, angle)
    if speed is None or sd > _SURE_RAD or not 0.0 < speed <= MAX_SPEED_MM_S:
        return None
    if hypot(leg[0][1], leg[0][2]) / (leg[0][0] - start_s) > speed:
        return None  # it got to the first fix faster than that: it has met something since
    stroke = Stroke(
        seat=seen.outcome.seat, placement_mm=placement, angle_rad=angle, speed_mm_s=speed
    )
    return LaunchSeen(stroke, sd)


def _first_leg(away: Sequence[_Point]) -> list[_Point]:
    """Fixes before the first contact: on one line with the placement, ever further, and no slower
    than friction makes them. ``away``: (t, x, y) about the placement."""
    leg: list[_Point] = []
    for point in away:
        tried = [*leg, point]
        angle = _angle(tried)
        c, s = cos(angle), sin(angle)
        if any(abs(c * y - s * x) > _ACROSS_MM for _, x, y in tried):
            break
        if leg and c * point[1] + s * point[2] <= c * leg[-1][1] + s * leg[-1][2]:
            break
        if len(leg) >= 2 and _was_braked(leg[-2], leg[-1], point):
            break
        leg = tried
    if len(leg) >= 2 and hypot(leg[-1][1], leg[-1][2]) < _REACH_MM:
        return []
    return leg


def _was_braked(a: _Point, b: _Point, c: _Point) -> bool:
    """Whether a disc at a, b and c lost more between the steps than friction takes."""
    before, after = _pace(a, b), _pace(b, c)
    free = before - _SLOWING_MM_S2 * 1.5 * (c[0] - a[0]) / 2.0
    return after < _SLOWER * free


def _pace(a: _Point, b: _Point) -> float:
    return hypot(b[1] - a[1], b[2] - a[2]) / max(b[0] - a[0], 1e-3)


def _angle(leg: Sequence[_Point]) -> float:
    """Direction of the line through the placement: fixes further out count more."""
    return atan2(sum(y * hypot(x, y) for _, x, y in leg), sum(x * hypot(x, y) for _, x, y in leg))


def _speed(leg: Sequence[_Point], angle: float) -> float | None:
    """First speed, mm/s, from the longest time between two fixes of the leg."""
    first, last = leg[0], leg[-1]
    dt = last[0] - first[0]
    c, s = cos(angle), sin(angle)
    from_mm, to_mm = c * first[1] + s * first[2], c * last[1] + s * last[2]
    if dt <= 0.0 or to_mm - from_mm < 15.0:
        return None
    middle = (to_mm - from_mm) / dt  # the speed half of dt after the first fix
    at_first = middle + _SLOWING_MM_S2 * dt / 2.0
    return sqrt(at_first * at_first + 2.0 * _SLOWING_MM_S2 * max(from_mm, 0.0))
