"""What can happen in one stroke, or between two: one small class per kind of event.

The names and keys are those of the scenario format (rules.md F.3). Events are facts: none of them
says that anything is a foul. The order of events matters for contacts only (F.3).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from carrom.errors import OutcomeError
from carrom.evidence import OBSERVED, Evidence
from carrom.pieces import PieceKind
from carrom.seats import Pocket, Seat

__all__ = [
    "EVENT_CLASSES",
    "BaseCircle",
    "BeforePlayCall",
    "BouncedBack",
    "Contact",
    "DebtNotClaimed",
    "Event",
    "FellDuringLift",
    "FellDuringReplacement",
    "FellInOnRemoval",
    "FirstContact",
    "FramePart",
    "ImproperStroke",
    "JackToppledDuringStacking",
    "LeftSeat",
    "Misfire",
    "NoContact",
    "NoPiecePocketed",
    "OffBoard",
    "OnFrame",
    "OptionRemoval",
    "OutOfTurn",
    "PenaltyPieceChosen",
    "Placement",
    "Pocketed",
    "RestingOnStriker",
    "SimultaneousBreak",
    "Stalemate",
    "Standing",
    "StrikerNudged",
    "StrikerOnPiece",
    "StrikerRecalledEarly",
    "TimeExceeded",
    "Touched",
    "TouchedBy",
    "Violation",
    "Zone",
]


class Zone(StrEnum):
    """Where a piece lay before the stroke, seen from the shooter's own area line (HK-35..37)."""

    OUTSIDE = "outside"
    ON_LINE = "on_own_area_line"
    INSIDE = "inside_own_area"


class FramePart(StrEnum):
    """Which part of the frame, seen from the shooter (HK-36)."""

    FRONT = "front"
    SIDE_OUTSIDE = "side_outside"
    SIDE_INSIDE = "side_inside"
    OWN_BACK = "own_back"


class TouchedBy(StrEnum):
    """What moved a piece."""

    HAND = "hand"
    BODY = "body"
    CLOTHING = "clothing"


class BaseCircle(StrEnum):
    """How the striker lay on a base circle (GR-07, SE-05)."""

    NONE = "none"
    COVERED = "covered"
    PARTIAL = "partial"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Base of all events. ``evidence`` says how it is known."""

    name: ClassVar[str] = ""
    evidence: Evidence = OBSERVED


@dataclass(frozen=True, slots=True, kw_only=True)
class _PieceEvent(Event):
    """An event about one disc. The striker counts as a disc here."""

    piece: PieceKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact(Event):
    """The striker touched a piece or a part of the frame: exactly one of the two is given.

    ``zone`` matters in Hikone doubles only. ``vertical_projection_only``: the piece overlaps the
    area line only as seen from straight above (HK-37).
    """

    name: ClassVar[str] = "contact"
    piece: PieceKind | None = None
    frame: FramePart | None = None
    zone: Zone | None = None
    vertical_projection_only: bool = False

    def __post_init__(self) -> None:
        if (self.piece is None) == (self.frame is None):
            raise OutcomeError(
                f"{self.name}: expected a piece or a frame part, "
                f"got {self.piece!r} and {self.frame!r}"
            )
        if self.piece is PieceKind.STRIKER:
            raise OutcomeError(f"{self.name}: the striker cannot touch itself")


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstContact(Contact):
    """What the striker touched first."""

    name: ClassVar[str] = "first_contact"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoContact(Event):
    """The striker touched no piece (break attempt: GR-06, SE-11, ICF-18)."""

    name: ClassVar[str] = "no_contact"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoPiecePocketed(Event):
    """Nothing fell. Redundant, but it says that somebody looked."""

    name: ClassVar[str] = "no_piece_pocketed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pocketed(_PieceEvent):
    """A disc left the surface through a pocket and stayed there (rules.md B.4)."""

    name: ClassVar[str] = "pocketed"
    pocket: Pocket | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OffBoard(_PieceEvent):
    """A disc left the board over the frame."""

    name: ClassVar[str] = "off_board"


@dataclass(frozen=True, slots=True, kw_only=True)
class OnFrame(_PieceEvent):
    """A disc at rest on top of the frame: off the board (HK-31)."""

    name: ClassVar[str] = "on_frame"


@dataclass(frozen=True, slots=True, kw_only=True)
class BouncedBack(_PieceEvent):
    """A disc went into a pocket and came back: not pocketed (HK-16)."""

    name: ClassVar[str] = "bounced_back"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing(_PieceEvent):
    """A disc on its edge, tilted, or on another piece (HK-31, GR-26, SE-35, ICF-40/41)."""

    name: ClassVar[str] = "standing"


@dataclass(frozen=True, slots=True, kw_only=True)
class RestingOnStriker(_PieceEvent):
    """A piece at rest on the striker (HK-32, SE-36, ICF-43)."""

    name: ClassVar[str] = "resting_on_striker"
    at_pocket_lip: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StrikerOnPiece(_PieceEvent):
    """The striker at rest on a piece (ICF-42)."""

    name: ClassVar[str] = "striker_on_piece"
    at_pocket_lip: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FellInOnRemoval(_PieceEvent):
    """Fell in while the striker was removed: pocketed by the stroke (ICF-42, ICF-43)."""

    name: ClassVar[str] = "fell_in_on_removal"


@dataclass(frozen=True, slots=True, kw_only=True)
class FellDuringLift(_PieceEvent):
    """Hikone: fell in while the shooter lifted and lowered it: in, not by the stroke (HK-32)."""

    name: ClassVar[str] = "fell_during_lift"


@dataclass(frozen=True, slots=True, kw_only=True)
class FellDuringReplacement(_PieceEvent):
    """Hikone: fell in while pieces were put back (HK-30): in, but not by the stroke."""

    name: ClassVar[str] = "fell_during_replacement"


@dataclass(frozen=True, slots=True, kw_only=True)
class JackToppledDuringStacking(Event):
    """The jack fell off the stack while it was built (HK-26)."""

    name: ClassVar[str] = "jack_toppled_during_stacking"


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched(_PieceEvent):
    """The shooter's hand, body or clothing touched a piece; a foul only if it moved.

    ``before_stroke``: outside a stroke (before it, or between two).
    """

    name: ClassVar[str] = "touched"
    by: TouchedBy
    moved: bool
    before_stroke: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StrikerRecalledEarly(Event):
    """The striker was picked up before it was at rest (HK-33)."""

    name: ClassVar[str] = "striker_recalled_early"


@dataclass(frozen=True, slots=True, kw_only=True)
class StrikerNudged(Event):
    """The striker moved slightly without a proper stroke (HK-10)."""

    name: ClassVar[str] = "striker_nudged"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImproperStroke(Event):
    """A rule of striking was broken; ``kind`` is one of the ruleset's words (rules.md F.7)."""

    name: ClassVar[str] = "improper_stroke"
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement(Event):
    """How the striker lay before launch. ``None`` means: nothing wrong was seen."""

    name: ClassVar[str] = "placement"
    tee_spot_blocked: bool | None = None
    touches_tee_outline: bool | None = None
    on_area_line: bool | None = None
    zone: Zone | None = None
    base_circle: BaseCircle | None = None
    touches_both_lines: bool | None = None
    touches_diagonal: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Misfire(Event):
    """A stroke that went wrong at once (SE-12)."""

    name: ClassVar[str] = "misfire"
    striker_on_both_lines: bool
    hit_piece: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OutOfTurn(Event):
    """This seat struck although it was another's turn."""

    name: ClassVar[str] = "out_of_turn"
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation(Event):
    """A law broken outside a stroke by this seat; ``kind`` is a free word (ICF-36, SE-33)."""

    name: ClassVar[str] = "violation"
    seat: Seat
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftSeat(Event):
    """A player left his seat during the board (ICF-64, SE-33)."""

    name: ClassVar[str] = "left_seat"
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class BeforePlayCall(Event):
    """The break was made before the umpire said "Play" (ICF-20)."""

    name: ClassVar[str] = "before_play_call"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeExceeded(Event):
    """No stroke was made in time (HK-40, SE-10, ICF-23)."""

    name: ClassVar[str] = "time_exceeded"
    limit_s: float
    elapsed_s: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elapsed_s) and self.elapsed_s > self.limit_s >= 0):
            raise OutcomeError(
                f"time_exceeded: expected elapsed_s above limit_s {self.limit_s!r}, "
                f"got {self.elapsed_s!r}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class DebtNotClaimed(Event):
    """An owed plikt was not claimed before this stroke (SE-26)."""

    name: ClassVar[str] = "debt_not_claimed"


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionRemoval(_PieceEvent):
    """An own puck taken off the board by the beginners' option (SB-03)."""

    name: ClassVar[str] = "option_removal"


@dataclass(frozen=True, slots=True, kw_only=True)
class SimultaneousBreak(Event):
    """All players broke together (HL-01): what fell belongs to nobody's stroke."""

    name: ClassVar[str] = "simultaneous_break"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stalemate(Event):
    """The umpire declares the position stuck (HK-43). Declared only; no scenario event."""

    name: ClassVar[str] = "stalemate"


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyPieceChosen(_PieceEvent):
    """Three players with ``penalty_piece: offender_choice`` (PT-06): the piece he gives back."""

    name: ClassVar[str] = "penalty_piece_chosen"


EVENT_CLASSES: dict[str, type[Event]] = {
    cls.name: cls
    for cls in (
        FirstContact,
        Contact,
        NoContact,
        NoPiecePocketed,
        Pocketed,
        OffBoard,
        OnFrame,
        BouncedBack,
        Standing,
        RestingOnStriker,
        StrikerOnPiece,
        FellInOnRemoval,
        FellDuringLift,
        FellDuringReplacement,
        JackToppledDuringStacking,
        Touched,
        StrikerRecalledEarly,
        StrikerNudged,
        ImproperStroke,
        Placement,
        Misfire,
        OutOfTurn,
        Violation,
        LeftSeat,
        BeforePlayCall,
        TimeExceeded,
        DebtNotClaimed,
        OptionRemoval,
        SimultaneousBreak,
        Stalemate,
        PenaltyPieceChosen,
    )
}
"""Every event class by its name in JSON, YAML and transcripts."""
