"""What following a table reports, in the order of time. ``t_s`` is when it became certain."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from carrom.seats import Seat
from vision.seen import BoardSeen

__all__ = [
    "BoardCleared",
    "BoardMoved",
    "Calibrated",
    "Disturbed",
    "HandsSeen",
    "Phase",
    "PhaseChanged",
    "Racked",
    "RestSeen",
    "Restored",
    "Returned",
    "Sight",
    "SightChanged",
    "StrikerPlaced",
    "StrokeBegun",
    "StrokeSeen",
    "TableEvent",
    "TakenOff",
]


class Phase(StrEnum):
    """What the table is busy with."""

    UNKNOWN = "unknown"  # not calibrated, or nothing seen yet
    EMPTY = "empty"
    SETTING_UP = "setting_up"
    RACKED = "racked"  # the opening layout lies complete
    WAITING = "waiting"  # at rest, no striker placed
    AIMING = "aiming"  # the striker lies on a base line
    MOVING = "moving"
    SETTLING = "settling"  # still, but not for long enough
    HANDS = "hands"
    RETURNING = "returning"  # a hand puts discs back


class Sight(StrEnum):
    """How well the table is seen."""

    GOOD = "good"
    NO_BOARD = "no_board"
    MOVED = "moved"  # board or camera; found again by itself, or calibration is asked for
    COVERED = "covered"  # half of the board or more, for long
    DARK = "dark"
    FROZEN = "frozen"
    DAMAGED = "damaged"
    LOST = "lost"  # the source


@dataclass(frozen=True, slots=True, kw_only=True)
class TableEvent:
    """Base of all."""

    name: ClassVar[str] = ""
    t_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibrated(TableEvent):
    """The board is known; ``again``: after it, or the camera, had been moved."""

    name: ClassVar[str] = "calibrated"
    board: BoardSeen
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardMoved(TableEvent):
    """The board no longer lies where it was calibrated; ``corner_mm``: how far it went, at
    least."""

    name: ClassVar[str] = "board_moved"
    corner_mm: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SightChanged(TableEvent):
    """Following the game is paused (anything but ``GOOD``) or goes on (``GOOD``)."""

    name: ClassVar[str] = "sight"
    sight: Sight
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseChanged(TableEvent):
    """A new phase; ``seat``: whose striker lies there while aiming, who struck while moving."""

    name: ClassVar[str] = "phase"
    phase: Phase
    seat: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandsSeen(TableEvent):
    """Hands came over the board (``over``) or left it."""

    name: ClassVar[str] = "hands"
    over: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RestSeen(TableEvent):
    """The board lies still and was seen whole: its position, striker included.

    ``confidence``: of the least certain disc. ``opening``: it is the opening layout.
    """

    name: ClassVar[str] = "rest"
    position: Position
    confidence: float
    opening: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StrikerPlaced(TableEvent):
    """The striker lies still where a seat strikes from; it may be adjusted again."""

    name: ClassVar[str] = "striker_placed"
    seat: Seat
    placement_mm: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class StrokeBegun(TableEvent):
    """The striker moves and no hand carries it."""

    name: ClassVar[str] = "stroke_begun"
    seat: Seat
    placement_mm: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class StrokeSeen(TableEvent):
    """A stroke is over and its facts are certain, or doubts. ``number`` counts strokes from 1."""

    name: ClassVar[str] = "stroke"
    number: int
    outcome: StrokeOutcome
    paths_mm: tuple[tuple[PieceKind, tuple[tuple[float, float, float], ...]], ...] = ()
    """Of every disc that moved: (t_s, x_mm, y_mm), for drawing only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned(TableEvent):
    """A disc was put on the board by hand. ``order``: the how-manieth since the last stroke."""

    name: ClassVar[str] = "returned"
    disc: Disc
    order: int
    seat: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenOff(TableEvent):
    """A disc was taken off the board by hand, between strokes."""

    name: ClassVar[str] = "taken_off"
    disc: Disc
    seat: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Disturbed(TableEvent):
    """Discs lie elsewhere than after the last stroke, and no stroke moved them.

    ``moved``: pairs from, to. ``seat``: whose hand was there, if that is certain.
    """

    name: ClassVar[str] = "disturbed"
    moved: tuple[tuple[Disc, Disc], ...]
    seat: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored(TableEvent):
    """What had been disturbed lies as before."""

    name: ClassVar[str] = "restored"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardCleared(TableEvent):
    """All discs were taken off by hand."""

    name: ClassVar[str] = "cleared"


@dataclass(frozen=True, slots=True, kw_only=True)
class Racked(TableEvent):
    """The opening layout lies complete on the board."""

    name: ClassVar[str] = "racked"
    position: Position
