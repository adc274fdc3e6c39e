"""A player's own spread, learned from strokes made after suggestions: intended against tracked.

Each of angle, speed and place has a normal-inverse-gamma prior, worth ``PRIOR_STROKES`` strokes of
the level that the player claims; ten to twenty strokes then tell more than the claim
(``notes/physics.md`` 5.4). Angles are put on the scale of 2 m/s first, because the spread grows
with the speed (``Skill.angle_rad_at``). Strokes that missed the intention altogether (another
stroke than the suggested one) are not counted: see ``is_the_suggested_one``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from carrom.errors import FormatError
from carrom.stroke import Stroke
from sim.advisor.seat_view import seat_row
from sim.advisor.skill import Skill

__all__ = ["PRIOR_STROKES", "Belief", "PlayerModel", "is_the_suggested_one"]

PRIOR_STROKES = 8.0

_OTHER_MM, _OTHER_RAD, _OTHER_SPEED = 40.0, 0.30, 1.0
"""Further off than this in place, angle or logarithm of speed, it was another stroke."""


@dataclass(frozen=True, slots=True)
class Belief:
    """Normal-inverse-gamma about one kind of error: mean ``mean`` with the weight of ``weight``
    strokes, variance inverse-gamma with shape ``shape`` and scale ``scale``."""

    mean: float
    weight: float
    shape: float
    scale: float

    @classmethod
    def of(cls, sigma: float, strokes: float = PRIOR_STROKES) -> Belief:
        """No bias and this standard deviation, worth so many strokes."""
        shape = strokes / 2.0 + 1.0
        return cls(0.0, strokes, shape, (shape - 1.0) * sigma * sigma)

    def after(self, error: float) -> Belief:
        """The belief once this error has been seen."""
        weight = self.weight + 1.0
        gap = error - self.mean
        return Belief(
            mean=self.mean + gap / weight,
            weight=weight,
            shape=self.shape + 0.5,
            scale=self.scale + 0.5 * gap * gap * self.weight / weight,
        )

    @property
    def sigma(self) -> float:
        """Root of the mean variance."""
        return math.sqrt(self.scale / (self.shape - 1.0))


@dataclass(frozen=True, slots=True)
class PlayerModel:
    """What is believed of one player. ``base``: the level he claims, for all that is not learned;
    ``strokes``: how many have been learned from."""

    base: Skill
    angle: Belief
    speed: Belief
    place: Belief
    strokes: int = 0

    @classmethod
    def of(cls, base: Skill) -> PlayerModel:
        """Before the first stroke. Raises ``FormatError`` for a level without any spread."""
        if min(base.angle_rad, base.speed_share, base.place_mm) <= 0:
            got = (base.angle_rad, base.speed_share, base.place_mm)
            raise FormatError("skill", expected="some spread to begin with", got=got)
        return cls(
            base,
            Belief.of(base.angle_rad),
            Belief.of(base.speed_share),
            Belief.of(base.place_mm),
        )

    def after(
        self, intended: Stroke, tracked: Stroke, *, placed_freely: bool = False
    ) -> PlayerModel:
        """The model once this stroke has been seen; unchanged if it was another stroke.

        ``placed_freely``: the player chose the place and aimed from there, so ``intended`` has the
        place of ``tracked`` and nothing is learned of placing."""
        if not is_the_suggested_one(intended, tracked):
            return self
        place, angle, speed = _errors(intended, tracked)
        at_speed = self.base.angle_rad_at(intended.speed_mm_s) / self.base.angle_rad
        return replace(
            self,
            angle=self.angle.after(angle / at_speed),
            speed=self.speed.after(speed),
            place=self.place if placed_freely else self.place.after(place),
            strokes=self.strokes + 1,
        )

    def after_all(self, pairs: Iterable[tuple[Stroke, Stroke]]) -> PlayerModel:
        """The model after (intended, tracked) strokes, in any order."""
        model = self
        for intended, tracked in pairs:
            model = model.after(intended, tracked)
        return model

    @property
    def skill(self) -> Skill:
        """The skill to advise this player by. Biases shrink towards 0 with the prior's weight."""
        return replace(
            self.base,
            angle_rad=min(self.angle.sigma, 0.5),
            speed_share=min(self.speed.sigma, 1.0),
            place_mm=min(self.place.sigma, 50.0),
            angle_bias_rad=self.angle.mean,
            speed_bias=self.speed.mean,
        )


def is_the_suggested_one(intended: Stroke, tracked: Stroke) -> bool:
    """Whether a tracked stroke can have been an attempt at the intended one."""
    if intended.seat is not tracked.seat:
        return False
    place, angle, speed = _errors(intended, tracked)
    return abs(place) < _OTHER_MM and abs(angle) < _OTHER_RAD and abs(speed) < _OTHER_SPEED


def _errors(intended: Stroke, tracked: Stroke) -> tuple[float, float, float]:
    """Place along the line (mm), angle (rad), logarithm of the speed: tracked less intended."""
    meant, did = seat_row(intended), seat_row(tracked)
    angle = math.remainder(float(did[2] - meant[2]), math.tau)
    return float(did[0] - meant[0]), angle, math.log(float(did[3] / meant[3]))
