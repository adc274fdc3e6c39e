"""How well a player strikes: the spread of what the hand does about what was meant.

No measurement of a carrom player's spread was found. The three levels are the proposal of
``notes/physics.md`` 5.4, anchored at 2 degrees for a program's task (IIT Bombay), 0.29 degrees in
a poster on pool and 0.125 degrees for a pool robot; ``sim.advisor.learning`` replaces them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from enum import StrEnum

from carrom.errors import FormatError

__all__ = [
    "CASUAL",
    "CLUB",
    "IIT_BOMBAY",
    "STRONG",
    "Level",
    "Skill",
    "skill_of",
    "usual_pot",
]

REFERENCE_SPEED_MM_S = 2000.0
"""The speed at which ``angle_rad`` holds; also a common one in play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """Standard deviations about the intended stroke, all normal and independent.

    ``angle_rad`` at 2 m/s; it grows by ``angle_growth`` of itself for each further m/s (noise of
    the hand grows with the force). ``speed_share``: of the speed itself (log-normal);
    ``speed_mm_s``: besides, whatever the speed. ``place_mm``: of the striker along the line, cut
    off where the laws end. ``angle_bias_rad``, ``speed_bias``: what a player does on average.
    ``backward``: how many times wider strokes towards oneself are, made with the thumb (assumed).
    ``hardest_mm_s``: the fastest stroke to be asked of the player (a hard one is 3 to 6 m/s:
    ``notes/physics.md`` 4). ``seen_mm``: of a man's place as the camera sees it, per axis.
    ``physics``: share of the believable range of the board's parameters that counts as one
    standard deviation.
    Raises ``FormatError`` for numbers that no player has.
    """

    angle_rad: float
    speed_share: float
    place_mm: float
    angle_growth: float = 0.10
    speed_mm_s: float = 0.0
    angle_bias_rad: float = 0.0
    speed_bias: float = 0.0
    backward: float = 2.0
    hardest_mm_s: float = 6000.0
    seen_mm: float = 0.5
    physics: float = 0.15

    def __post_init__(self) -> None:
        for item in fields(self):
            number = getattr(self, item.name)
            signed = item.name in ("angle_bias_rad", "speed_bias")
            if isinstance(number, bool) or not isinstance(number, int | float):
                raise FormatError(f"skill.{item.name}", expected="a number", got=number)
            if not math.isfinite(number) or (number < 0 and not signed):
                raise FormatError(f"skill.{item.name}", expected="a number from 0 on", got=number)
        if self.angle_rad > 0.5 or self.speed_share > 1.0 or self.place_mm > 50.0:
            got = (self.angle_rad, self.speed_share, self.place_mm)
            raise FormatError("skill", expected="a spread that still is aiming", got=got)

    def angle_rad_at(self, speed_mm_s: float) -> float:
        """Standard deviation of the angle at a speed."""
        faster = (speed_mm_s - REFERENCE_SPEED_MM_S) / 1000.0
        return self.angle_rad * max(0.5, 1.0 + self.angle_growth * faster)


class Level(StrEnum):
    """Names of the three levels."""

    CASUAL = "casual"
    CLUB = "club"
    STRONG = "strong"


STRONG = Skill(angle_rad=math.radians(0.5), speed_share=0.05, place_mm=1.0)
CLUB = Skill(angle_rad=math.radians(1.0), speed_share=0.08, place_mm=1.0)
CASUAL = Skill(angle_rad=math.radians(2.5), speed_share=0.15, place_mm=2.0)

IIT_BOMBAY = Skill(
    angle_rad=math.radians(2.0),
    speed_share=0.0,
    speed_mm_s=77.0,
    place_mm=2.35,
    angle_growth=0.0,
    backward=1.0,
    hardest_mm_s=8000.0,
    seen_mm=0.0,
    physics=0.0,
)
"""The public task of IIT Bombay's CS747 (samiranrl/Carrom_rl): placement 0.5 % of the base line
(470 mm), angle 2 degrees, force 1 % of its range (here 0.3 to 8 m/s). It knows its board."""


def skill_of(name: str) -> Skill:
    """The level of that name. Raises ``FormatError``."""
    levels = {Level.CASUAL: CASUAL, Level.CLUB: CLUB, Level.STRONG: STRONG}
    try:
        return levels[Level(name)]
    except ValueError:
        raise FormatError("skill", expected=", ".join(Level), got=name) from None


def usual_pot(skill: Skill) -> float:
    """Chance that a common stroke of this player pockets, for races to finish: 0.6 at 1 degree of
    spread, an eighth more for half the spread (the order of what searches found in
    ``notes/physics.md`` 5.4)."""
    pot = 0.6 - 0.125 * math.log2(max(skill.angle_rad, 1e-3) / math.radians(1.0))
    return min(max(pot, 0.3), 0.85)
