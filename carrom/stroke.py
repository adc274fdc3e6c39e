"""What a player means to do: where the striker lies, which way it goes and how fast."""

import math
from dataclasses import dataclass

from carrom.errors import PositionError
from carrom.position import COORDINATE_LIMIT_MM
from carrom.seats import Seat

__all__ = ["MAX_SPEED_MM_S", "Stroke"]

MAX_SPEED_MM_S = 12_000.0
"""Fastest launch that we take for meant. No speed is published; the rule that a striker must make
3.5 runs of the board asks 2.1 to 7.8 m/s (notes/physics.md, section 4). Half as much again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stroke:
    """One intended launch of the striker.

    ``placement_mm``: its centre (x, y) in the board frame; ``angle_rad``: the direction of its
    first motion in the board frame, 0 = +x, counter-clockwise, any finite number; ``speed_mm_s``:
    its first speed, more than 0 and at most ``MAX_SPEED_MM_S``. Whether the laws allow the
    placement is the referee's question. Raises ``PositionError`` (field, expected, got).
    """

    seat: Seat
    placement_mm: tuple[float, float]
    angle_rad: float
    speed_mm_s: float

    def __post_init__(self) -> None:
        if not isinstance(self.seat, Seat):
            raise _error("seat", "a Seat", self.seat)
        placement = self.placement_mm
        if not isinstance(placement, tuple) or len(placement) != 2:
            raise _error("placement_mm", "(x, y)", placement)
        if not all(_is_within(number, COORDINATE_LIMIT_MM) for number in placement):
            raise _error("placement_mm", f"two numbers within {COORDINATE_LIMIT_MM}", placement)
        if not _is_within(self.angle_rad, math.inf):
            raise _error("angle_rad", "a finite number", self.angle_rad)
        if not _is_within(self.speed_mm_s, MAX_SPEED_MM_S) or self.speed_mm_s <= 0:
            raise _error("speed_mm_s", f"more than 0, at most {MAX_SPEED_MM_S}", self.speed_mm_s)

    @property
    def velocity_mm_s(self) -> tuple[float, float]:
        """First velocity (x, y) in the board frame."""
        speed = self.speed_mm_s
        return speed * math.cos(self.angle_rad), speed * math.sin(self.angle_rad)


def _is_within(number: object, limit: float) -> bool:
    if isinstance(number, bool) or not isinstance(number, int | float):
        return False
    return math.isfinite(number) and abs(number) <= limit


def _error(field: str, expected: str, got: object) -> PositionError:
    return PositionError(f"{field}: expected {expected}, got {got!r}")
