"""Advice as data: numbers, names and places. Sentences are made by ``sim.advisor.wording``."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from carrom.board_marks import Point
from carrom.pieces import PieceKind
from carrom.seats import Pocket, Seat
from carrom.stroke import Stroke

__all__ = [
    "Advice",
    "Aim",
    "Chance",
    "Fall",
    "FrameSide",
    "Fullness",
    "Hardness",
    "Leave",
    "PathLeg",
    "Refusal",
    "ShotKind",
    "Stage",
    "Step",
    "Suggestion",
]


class ShotKind(StrEnum):
    """How the piece gets to the pocket."""

    DIRECT = "direct"
    CUT = "cut"
    BANK = "bank"
    """The striker meets a frame first."""
    DOUBLE = "double"
    """The piece meets a frame on its way."""
    COMBINATION = "combination"
    """Another piece drives it."""
    FOLLOW = "follow"
    """The striker goes on from its first piece to this one."""
    BREAK = "break"
    SAFE = "safe"
    """Not to pocket: to leave the opponent little."""


class Hardness(StrEnum):
    """How hard, in words; see ``of`` for the speeds."""

    VERY_SOFT = "very_soft"
    SOFT = "soft"
    MEDIUM = "medium"
    HARD = "hard"
    VERY_HARD = "very_hard"

    @classmethod
    def of(cls, speed_mm_s: float) -> Hardness:
        """The word for a speed: below 0.8, 1.4, 2.4 and 3.8 m/s, and above."""
        limits = ((800.0, cls.VERY_SOFT), (1400.0, cls.SOFT), (2400.0, cls.MEDIUM))
        for limit, word in limits:
            if speed_mm_s < limit:
                return word
        return cls.HARD if speed_mm_s < 3800.0 else cls.VERY_HARD


class Fullness(StrEnum):
    """Which part of the piece the striker meets, as the player sees it."""

    LEFT_EDGE = "left_edge"
    LEFT = "left"
    FULL = "full"
    RIGHT = "right"
    RIGHT_EDGE = "right_edge"


class FrameSide(StrEnum):
    """A side of the frame, as the player sees it."""

    FAR = "far"
    LEFT = "left"
    RIGHT = "right"
    OWN = "own"


class Refusal(StrEnum):
    """Why there is no suggestion."""

    NO_PLACE = "no_place"
    """Every legal place of the striker is blocked."""
    NOTHING_TO_STRIKE = "nothing_to_strike"
    NOT_AT_REST = "not_at_rest"
    NOT_IN_PLAY = "not_in_play"
    """No stroke is due: the board is over, or a person has to decide something."""
    NO_STROKE = "no_stroke"
    """No stroke that the laws allow reaches a piece."""


class Stage(StrEnum):
    """How far the thinking has got."""

    FIRST = "first"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class Chance:
    """A probability measured on ``samples`` fresh strokes, with its standard error."""

    value: float
    error: float
    samples: int

    @classmethod
    def counted(cls, hits: int, samples: int) -> Chance:
        """From counts; the error by Agresti and Coull, so that 0 of n is not called certain."""
        wide = (hits + 2.0) / (samples + 4.0)
        return cls(hits / samples, (wide * (1.0 - wide) / (samples + 4.0)) ** 0.5, samples)


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """What the striker is meant to meet first: a piece and where on it, or a side of the frame.

    ``point_mm``: the middle of the piece, or the point of the frame; board frame.
    ``along_mm``: for a frame, how far right of its middle, as the player sees it.
    """

    piece: PieceKind | None = None
    fullness: Fullness | None = None
    frame: FrameSide | None = None
    along_mm: float = 0.0
    point_mm: Point


@dataclass(frozen=True, slots=True)
class PathLeg:
    """The way of one disc, board frame, mm; never beyond the third contact of the stroke."""

    piece: PieceKind
    points_mm: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Fall:
    """How often a piece falls, as index into the position's discs; ``pocket``: mostly there."""

    disc: int
    piece: PieceKind
    pocket: Pocket
    chance: float


@dataclass(frozen=True, slots=True)
class Leave:
    """Chance that the next stroke pockets, by plain geometry: the player's own next one after a
    success, the opponent's after the turn has passed; ``None``: that never happened."""

    own: float | None
    opponent: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """One stroke to try.

    ``chance``: that the player strikes again without a foul or wins the board; of a safe stroke,
    that it is no foul; of a break, that an own piece falls. ``foul``: that the stroke is a foul.
    ``value``: what it is worth on average, -1 lost to 1 won, for comparing only.
    ``along_mm``: the striker right of the middle of the player's own line. ``target``: the piece
    meant, as index into the position's discs, and ``pocket`` where it mostly goes.
    ``path``: what is likely up to the third contact; ``ends_mm``: where the target came to lie or
    fell in some samples; ``falls``: everything that falls in at least one of twenty strokes.
    """

    stroke: Stroke
    kind: ShotKind
    along_mm: float
    hardness: Hardness
    aim: Aim | None
    target: int | None
    target_piece: PieceKind | None
    pocket: Pocket | None
    chance: Chance
    foul: Chance
    value: float
    leave: Leave
    falls: tuple[Fall, ...] = ()
    path: tuple[PathLeg, ...] = ()
    ends_mm: tuple[Point, ...] = ()
    cut_rad: float | None = None
    from_book: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the thinking: how many seconds it took and how many strokes it simulated."""

    name: str
    seconds: float
    strokes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What to try, best first, with at most one safe stroke besides; or why there is nothing.

    ``steps``: what the thinking has cost so far; ``adjudications``: questions to the referee.
    """

    seat: Seat
    stage: Stage
    suggestions: tuple[Suggestion, ...] = ()
    safe: Suggestion | None = None
    refusal: Refusal | None = None
    steps: tuple[Step, ...] = ()
    adjudications: int = 0

    @property
    def all(self) -> tuple[Suggestion, ...]:
        """Attacks and the safe stroke."""
        return self.suggestions if self.safe is None else (*self.suggestions, self.safe)

    @property
    def best(self) -> Suggestion | None:
        """What a program would play: the first attack, or the safe stroke if it is worth more."""
        if not self.suggestions:
            return self.safe
        first = self.suggestions[0]
        return first if self.safe is None or self.safe.value <= first.value else self.safe
