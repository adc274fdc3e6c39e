"""From the log of a match to what is in force: undo and redo, corrections, late facts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from carrom.errors import MatchError
from carrom.events import PenaltyPieceChosen
from carrom.evidence import DECLARED
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from referee.doubts import PENALTY_PIECE
from referee.match_events import (
    DoubtAnswered,
    FactsAdded,
    MatchEvent,
    Redone,
    StrokeAmended,
    StrokeDeleted,
    StrokePlayed,
    Undone,
)

__all__ = ["in_force", "plan_of"]


def in_force(log: Iterable[MatchEvent]) -> list[MatchEvent]:
    """The events that undo and redo leave in force, in order. Raises ``MatchError``."""
    active: list[MatchEvent] = []
    undone: list[MatchEvent] = []
    for event in log:
        if isinstance(event, Undone):
            if len(active) <= 1:  # the start of the match stays
                raise MatchError("nothing to undo")
            undone.append(active.pop())
        elif isinstance(event, Redone):
            if not undone:
                raise MatchError("nothing to redo")
            active.append(undone.pop())
        else:
            active.append(event)
            undone.clear()
    return active


def plan_of(active: Iterable[MatchEvent]) -> list[MatchEvent]:
    """What the state is folded from: every correction worked into the stroke it is about.

    Raises ``MatchError`` for a correction of a stroke that is not there.
    """
    plan: list[MatchEvent | None] = []
    where: dict[str, int] = {}
    for event in active:
        if isinstance(event, FactsAdded | DoubtAnswered | StrokeAmended | StrokeDeleted):
            index = where.get(event.stroke)
            stroke = None if index is None else plan[index]
            if index is None or not isinstance(stroke, StrokePlayed):
                raise MatchError(f"{event.name}: no such stroke {event.stroke!r}")
            plan[index] = _corrected(stroke, event)
        else:
            if isinstance(event, StrokePlayed):
                where[event.id] = len(plan)
            plan.append(event)
    return [event for event in plan if event is not None]


def _corrected(stroke: StrokePlayed, event: MatchEvent) -> StrokePlayed | None:
    outcome = stroke.outcome
    if isinstance(event, StrokeDeleted):
        return None
    if isinstance(event, StrokeAmended):
        return replace(stroke, outcome=event.outcome)
    if isinstance(event, FactsAdded):
        return replace(stroke, outcome=replace(outcome, events=(*outcome.events, *event.facts)))
    assert isinstance(event, DoubtAnswered)
    if event.doubt == PENALTY_PIECE:  # the laws' own question: no doubt of the outcome
        return replace(stroke, outcome=_choose(outcome, event.answer))
    return replace(stroke, outcome=outcome.resolve({event.doubt: event.answer}))


def _choose(outcome: StrokeOutcome, answer: str) -> StrokeOutcome:
    """The offender's choice of the piece he gives back (PT-06)."""
    if answer not in (PieceKind.WHITE, PieceKind.BLACK):
        raise MatchError(f"{PENALTY_PIECE}: expected white or black, got {answer!r}")
    chosen = PenaltyPieceChosen(piece=PieceKind(answer), evidence=DECLARED)
    return replace(outcome, events=(*outcome.events, chosen))
