"""The laws in force: a ruleset's numbers and its options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from carrom.errors import LawsError
from carrom.pieces import HIKONE_SET, INDIAN_SET, Counts, PieceKind
from carrom.seats import TurnDirection
from referee.options import (
    CarromSeOptions,
    GamerulesOptions,
    HikoneOptions,
    IcfOptions,
    Options,
    PointCarromSeOptions,
    PointGamerulesOptions,
)

__all__ = ["OPTION_CLASSES", "GameNumbers", "Laws", "Ruleset"]


class Ruleset(StrEnum):
    """The six rulesets."""

    HIKONE = "hikone"
    GAMERULES = "gamerules"
    CARROM_SE = "carrom_se"
    ICF = "icf"
    POINT_GAMERULES = "point_gamerules"
    POINT_CARROM_SE = "point_carrom_se"

    @property
    def hikone(self) -> bool:
        """Played with packs and a jack."""
        return self is Ruleset.HIKONE

    @property
    def three_players(self) -> bool:
        """Point carrom: every seat plays for itself (PT-01)."""
        return self in (Ruleset.POINT_GAMERULES, Ruleset.POINT_CARROM_SE)

    @property
    def pieces(self) -> Counts:
        """The set it is played with."""
        return HIKONE_SET if self.hikone else INDIAN_SET


OPTION_CLASSES: Mapping[Ruleset, type[Options]] = {
    Ruleset.HIKONE: HikoneOptions,
    Ruleset.GAMERULES: GamerulesOptions,
    Ruleset.CARROM_SE: CarromSeOptions,
    Ruleset.ICF: IcfOptions,
    Ruleset.POINT_GAMERULES: PointGamerulesOptions,
    Ruleset.POINT_CARROM_SE: PointCarromSeOptions,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GameNumbers:
    """The numbers of a ruleset that its file may change.

    ``target_points`` and ``boards`` end a game (``None``: one board is the game).
    ``queen_cap_margin``: the queen no longer counts from ``target - margin`` on (``None``: always).
    ``stroke_limit_s`` is the time for a stroke (``None``: no stroke clock).
    """

    target_points: int | None = None
    boards: int | None = None
    man_points: Mapping[PieceKind, int]
    queen_points: int = 0
    queen_cap_margin: int | None = None
    break_attempts: int | None = None
    stroke_limit_s: float | None = None
    match_games: int = 1
    direction: TurnDirection = TurnDirection.COUNTER_CLOCKWISE
    change_sides: bool = False

    def __post_init__(self) -> None:
        counts = {
            "target_points": (self.target_points, 1),
            "boards": (self.boards, 1),
            "queen_points": (self.queen_points, 0),
            "queen_cap_margin": (self.queen_cap_margin, 0),
            "break_attempts": (self.break_attempts, 1),
            "match_games": (self.match_games, 1),
            **{f"man_points.{kind}": (value, 0) for kind, value in self.man_points.items()},
        }
        for name, (value, lowest) in counts.items():
            if value is not None and not (_is_whole(value) and lowest <= value < 100_000):
                raise LawsError(f"{name}: expected a whole number from {lowest} on, got {value!r}")
        limit_s = self.stroke_limit_s
        if limit_s is not None and not 0 < limit_s < 100_000:
            raise LawsError(f"stroke_limit_s: expected seconds above 0, got {limit_s!r}")

    @property
    def queen_cap(self) -> int | None:
        """The score from which the queen no longer counts (SE-23, ICF-27)."""
        if self.queen_cap_margin is None or self.target_points is None:
            return None
        return self.target_points - self.queen_cap_margin

    def queen_value(self, score: int) -> int:
        """What the queen is worth to a side with this score."""
        cap = self.queen_cap
        return 0 if cap is not None and score >= cap else self.queen_points


@dataclass(frozen=True, slots=True, kw_only=True)
class Laws:
    """A ruleset with its numbers and options. ``version`` counts changes of the ruleset itself."""

    ruleset: Ruleset
    version: int
    title: str
    numbers: GameNumbers
    options: Options

    def __post_init__(self) -> None:
        expected = OPTION_CLASSES[self.ruleset]
        if type(self.options) is not expected:
            raise LawsError(
                f"options of {self.ruleset.value}: expected {expected.__name__}, "
                f"got {type(self.options).__name__}"
            )


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
