"""What goes into a match's log. The log is the truth; the state is a fold over it.

Every event has an ``id`` of its own, so that the same event can safely arrive twice. Events about
an earlier stroke name it by its id. Nothing in the log is ever changed or removed: undo, correction
and late facts are events too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from carrom.codec import Codec
from carrom.errors import OutcomeError
from carrom.events import Event
from carrom.outcome import StrokeOutcome
from carrom.seats import Seat
from referee.laws import OPTION_CLASSES, Laws
from referee.options import Options

__all__ = [
    "CODEC",
    "MATCH_EVENT_CLASSES",
    "ClockStarted",
    "ClockStopped",
    "DebtClaimed",
    "DebtWaived",
    "DoubtAnswered",
    "FactsAdded",
    "JankenWon",
    "MatchEvent",
    "MatchStarted",
    "NextBoard",
    "NextGame",
    "PlayResumed",
    "PointsDemanded",
    "Redone",
    "StrokeAmended",
    "StrokeDeleted",
    "StrokePlayed",
    "TimeCalled",
    "Undone",
]


def _check_time(t_s: float) -> None:
    if not math.isfinite(t_s):
        raise OutcomeError(f"t_s: expected finite seconds, got {t_s!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchEvent:
    """Base of all events of a match."""

    name: ClassVar[str] = ""
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchStarted(MatchEvent):
    """The first event: the whole laws in force, who sits where, who opens."""

    name: ClassVar[str] = "match_started"
    laws: Laws
    players: Mapping[Seat, str]
    opener: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class StrokePlayed(MatchEvent):
    """One outcome: a stroke, or an incident between strokes (a technical foul, time exceeded).

    ``called``: whose turn the table was told when it happened. A stroke by another seat is out of
    turn; one by this seat never is, even if a later correction shows the call to have been wrong.
    """

    name: ClassVar[str] = "stroke"
    outcome: StrokeOutcome
    called: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsAdded(MatchEvent):
    """Facts about an earlier stroke that arrived later (a declared improper stroke, say)."""

    name: ClassVar[str] = "facts_added"
    stroke: str
    facts: tuple[Event, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubtAnswered(MatchEvent):
    """A person answered a question about a stroke."""

    name: ClassVar[str] = "doubt_answered"
    stroke: str
    doubt: str
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StrokeAmended(MatchEvent):
    """A corrected outcome replaces that of an earlier stroke; what followed is judged anew."""

    name: ClassVar[str] = "stroke_amended"
    stroke: str
    outcome: StrokeOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class StrokeDeleted(MatchEvent):
    """An earlier stroke never happened; what followed is judged anew."""

    name: ClassVar[str] = "stroke_deleted"
    stroke: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DebtWaived(MatchEvent):
    """What is owed by the side at this seat is waived in full, never in part (ICF-60)."""

    name: ClassVar[str] = "debt_waived"
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class DebtClaimed(MatchEvent):
    """The plikt owed by the side at this seat is claimed in time (SE-25, SE-26)."""

    name: ClassVar[str] = "debt_claimed"
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsDemanded(MatchEvent):
    """The winner of the board just finished asks for the points on demand (ICF-75..95)."""

    name: ClassVar[str] = "points_demanded"


@dataclass(frozen=True, slots=True, kw_only=True)
class JankenWon(MatchEvent):
    """A stuck, level board is decided by janken for the side at this seat (HK-43)."""

    name: ClassVar[str] = "janken_won"
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayResumed(MatchEvent):
    """The umpire has decided what no clause covers: this seat strikes next."""

    name: ClassVar[str] = "play_resumed"
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class NextBoard(MatchEvent):
    """The next board of the game begins. ``opener``: only if not by rotation (a toss)."""

    name: ClassVar[str] = "next_board"
    opener: Seat | None = None
    change_sides: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NextGame(MatchEvent):
    """The next game of the match begins."""

    name: ClassVar[str] = "next_game"
    opener: Seat | None = None
    change_sides: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockStarted(MatchEvent):
    """The match clock runs from here (monotonic seconds)."""

    name: ClassVar[str] = "clock_started"
    t_s: float

    def __post_init__(self) -> None:
        _check_time(self.t_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockStopped(MatchEvent):
    """The match clock stands from here."""

    name: ClassVar[str] = "clock_stopped"
    t_s: float

    def __post_init__(self) -> None:
        _check_time(self.t_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeCalled(MatchEvent):
    """The agreed time is up: the unfinished board does not score, the game is decided (GR-38)."""

    name: ClassVar[str] = "time_called"


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone(MatchEvent):
    """The latest event that is still in force is not."""

    name: ClassVar[str] = "undone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Redone(MatchEvent):
    """The event undone last is in force again."""

    name: ClassVar[str] = "redone"


MATCH_EVENT_CLASSES: dict[str, type[MatchEvent]] = {
    cls.name: cls
    for cls in (
        MatchStarted,
        StrokePlayed,
        FactsAdded,
        DoubtAnswered,
        StrokeAmended,
        StrokeDeleted,
        DebtWaived,
        DebtClaimed,
        PointsDemanded,
        JankenWon,
        PlayResumed,
        NextBoard,
        NextGame,
        ClockStarted,
        ClockStopped,
        TimeCalled,
        Undone,
        Redone,
    )
}
"""Every class of match event by its name in JSON."""

CODEC = Codec(
    {
        MatchEvent: MATCH_EVENT_CLASSES,
        Options: {ruleset.value: cls for ruleset, cls in OPTION_CLASSES.items()},
    }
)
"""Reads and writes rulings, states and match events as JSON."""
