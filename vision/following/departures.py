"""How a disc that is gone has left the board: a pocket, over the frame, a hand, or who knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import hypot

from carrom.board_spec import BoardSpec
from carrom.seats import Pocket
from vision.following.track import DECELERATION_MM_S2, Fix
from vision.seen import Place

__all__ = ["Departure", "How", "departure_of"]

_AT_MOUTH_MM = 45.0
"""From the rim of a pocket; who was last seen so near it and is gone fell in."""
_HEADING_MM = 25.0
"""How far beside the pocket's middle a heading may pass and still be one into it."""
_SURE, _ASK = 0.9, 0.55
_SPEED_MM_S = 80.0


class How(StrEnum):
    """Ways to leave."""

    POCKETED = "pocketed"
    OFF_BOARD = "off_board"
    ON_FRAME = "on_frame"
    BY_HAND = "by_hand"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Departure:
    """``chances``: of every way, the likeliest first, with its pocket; they add up to 1 at most."""

    how: How
    pocket: Pocket | None
    sure: float
    chances: tuple[tuple[How, Pocket | None, float], ...]


def departure_of(
    spec: BoardSpec,
    radius_mm: float,
    path: Sequence[Fix],
    *,
    hand_there: bool,
    netted: Mapping[Pocket, bool],
    on_frame: bool,
) -> Departure:
    """Judge by the end of a disc's path (at least its place at rest).

    ``hand_there``: a hand covered its last place when it was missed. ``netted``: pockets in whose
    net a disc like it has appeared. ``on_frame``: one like it lies on the frame.
    """
    weights: dict[tuple[How, Pocket | None], float] = {}
    for name, centre in spec.pocket_centres.items():
        score = _pocket_score(spec, path, (centre.x_mm, centre.y_mm))
        if netted.get(name):
            score = max(score, 0.0) + 6.0
        weights[How.POCKETED, name] = score
    weights[How.ON_FRAME, None] = 8.0 if on_frame else 0.01
    into = max(weight for (how, _), weight in weights.items() if how is How.POCKETED)
    over = _over_frame_score(spec, radius_mm, path)
    weights[How.OFF_BOARD, None] = min(over, 0.15) if into >= 3.0 else over
    if on_frame:
        weights[How.OFF_BOARD, None] = 0.05
    weights[How.BY_HAND, None] = 2.5 if hand_there and _slow(path) else 0.3 if hand_there else 0.01
    weights[How.UNKNOWN, None] = 0.08
    total = sum(weights.values())
    ranked = sorted(
        ((how, pocket, weight / total) for (how, pocket), weight in weights.items()),
        key=lambda row: (-row[2], row[0], row[1] or ""),
    )
    how, pocket, sure = ranked[0]
    return Departure(how, pocket, sure, tuple(ranked))


def _velocity(path: Sequence[Fix]) -> tuple[float, float]:
    """mm/s over the last fixes that are apart in time."""
    if len(path) < 2:
        return 0.0, 0.0
    a, b = path[-2], path[-1]
    dt = max(b.t_s - a.t_s, 1e-3)
    return (b.x_mm - a.x_mm) / dt, (b.y_mm - a.y_mm) / dt


def _slow(path: Sequence[Fix]) -> bool:
    return hypot(*_velocity(path)) < _SPEED_MM_S


def _pocket_score(spec: BoardSpec, path: Sequence[Fix], centre: tuple[float, float]) -> float:
    last = path[-1]
    dx, dy = centre[0] - last.x_mm, centre[1] - last.y_mm
    away = hypot(dx, dy)
    radius = spec.pocket_radius_mm
    if last.place is Place.POCKET and away < 2.5 * radius:
        return 8.0
    if away < radius:
        return 6.0
    vx, vy = _velocity(path)
    speed = hypot(vx, vy)
    near = max(0.0, 1.0 - (away - radius) / _AT_MOUTH_MM)
    if speed < _SPEED_MM_S:
        return 3.0 * near if last.place is Place.HANGING or near > 0.5 else 1.0 * near
    along = (dx * vx + dy * vy) / speed
    beside = abs(dx * vy - dy * vx) / speed
    reach = speed * speed / (2 * DECELERATION_MM_S2) + 40.0
    if along <= 0 or along > reach + radius:
        return near
    heading = max(0.0, 1.0 - max(0.0, beside - _HEADING_MM) / (60.0 + 0.25 * along))
    return near + 4.0 * heading


def _over_frame_score(spec: BoardSpec, radius_mm: float, path: Sequence[Fix]) -> float:
    """High where a path heads over the frame with speed, away from pockets."""
    last = path[-1]
    half = spec.half_mm
    away = min(hypot(c.x_mm - last.x_mm, c.y_mm - last.y_mm) for c in spec.pocket_centres.values())
    if last.place is Place.POCKET or away < spec.pocket_radius_mm:
        return 0.05
    if last.place is Place.OFF_BOARD or max(abs(last.x_mm), abs(last.y_mm)) > half + 5.0:
        return 6.0
    vx, vy = _velocity(path)
    speed = hypot(vx, vy)
    if speed < 600.0:
        return 0.02
    room = [
        (half - radius_mm - sign * at) / (sign * v)
        for at, v in ((last.x_mm, vx), (last.y_mm, vy))
        for sign in (1.0, -1.0)
        if sign * v > 1.0
    ]
    return 1.2 if room and min(room) < 0.12 else 0.1
