"""A match: an append-only log, and the state that follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from carrom.errors import CarromError, MatchError
from carrom.events import OutOfTurn
from carrom.outcome import StrokeOutcome
from referee import between, clock
from referee.adjudicate import adjudicate
from referee.apply import apply
from referee.laws import Laws
from referee.match_events import (
    CODEC,
    ClockStarted,
    ClockStopped,
    DebtClaimed,
    DebtWaived,
    DoubtAnswered,
    FactsAdded,
    JankenWon,
    MatchEvent,
    MatchStarted,
    NextBoard,
    NextGame,
    PlayResumed,
    PointsDemanded,
    Redone,
    StrokeAmended,
    StrokeDeleted,
    StrokePlayed,
    TimeCalled,
    Undone,
)
from referee.plan import in_force, plan_of
from referee.ruling import Ruling
from referee.setup import next_board, next_game, start_match
from referee.state import State

__all__ = ["Frame", "Match", "StrokeRecord"]

_REWRITES = (Undone, Redone, FactsAdded, DoubtAnswered, StrokeAmended, StrokeDeleted)
"""Events that change what earlier events mean, so that the plan is made anew."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One event of the plan with the state before and after it, and its ruling if it has one."""

    event: MatchEvent
    before: State
    after: State
    ruling: Ruling | None = None


@dataclass(frozen=True, slots=True)
class StrokeRecord:
    """A stroke (or incident) as it now stands: number from 1, outcome with all corrections."""

    number: int
    id: str
    outcome: StrokeOutcome
    before: State
    ruling: Ruling


class Match:
    """Holds the log. Every change is an event; a rejected event changes nothing.

    Not safe for several threads at once: one owner pushes, others read what it hands out (states,
    rulings and records are immutable).
    """

    def __init__(self, start: MatchStarted) -> None:
        self._log: list[MatchEvent] = []
        self._ids: dict[str, MatchEvent] = {}
        self._frames: list[Frame] = []
        self._laws = start.laws
        self.push(start)

    @classmethod
    def replay(cls, events: Iterable[MatchEvent]) -> Match:
        """The match that a log describes. Raises ``MatchError`` if the log is not one."""
        source: Iterator[MatchEvent] = iter(events)
        first = next(source, None)
        if not isinstance(first, MatchStarted):
            raise MatchError(f"a log begins with match_started, got {first!r}")
        match = cls(first)
        match._push(source, trusted=True)
        return match

    @property
    def laws(self) -> Laws:
        """The laws in force."""
        return self._laws

    @property
    def log(self) -> tuple[MatchEvent, ...]:
        """Everything that ever happened to this match, in order."""
        return tuple(self._log)

    @property
    def state(self) -> State:
        """The present state; provisional while ``open_questions`` is not empty."""
        return self._frames[-1].after

    @property
    def frames(self) -> tuple[Frame, ...]:
        """Every event in force, with the state before and after it."""
        return tuple(self._frames)

    @property
    def strokes(self) -> tuple[StrokeRecord, ...]:
        """Every stroke in force with its ruling, numbered from 1."""
        records: list[StrokeRecord] = []
        for frame in self._frames:
            if frame.ruling is None:
                continue
            if isinstance(frame.event, StrokePlayed):
                event = frame.event
                number = len(records) + 1
                records.append(
                    StrokeRecord(number, event.id, event.outcome, frame.before, frame.ruling)
                )
            else:  # points on demand complete the ruling that ended the board
                records[-1] = replace(records[-1], ruling=frame.ruling)
        return tuple(records)

    @property
    def open_questions(self) -> tuple[StrokeRecord, ...]:
        """The strokes whose ruling is pending."""
        return tuple(record for record in self.strokes if record.ruling.pending)

    def push(self, *events: MatchEvent) -> None:
        """Append events, all or none. An event already in the log changes nothing.

        Raises ``MatchError`` for an event that does not fit, or for one with an id that another
        event has; ``ContradictionError`` for facts that cannot have happened. The match is then as
        it was.
        """
        self._push(events, trusted=False)

    def _push(self, events: Iterable[MatchEvent], *, trusted: bool) -> None:
        """``trusted``: events of an own log, which know whose turn the table was told it was."""
        log, ids = list(self._log), dict(self._ids)
        frames = self._frames
        for event in events:
            known = ids.get(event.id)
            if known is not None:
                if _same(known, event):
                    continue
                raise MatchError(f"event id {event.id!r} is taken by another event: {known.name}")
            stored = event if trusted else self._stored(event, frames)
            log.append(stored)
            ids[event.id] = stored
            frames = self._fold(log, frames, stored)
        self._log, self._ids, self._frames = log, ids, frames

    def push_from_log(self, *events: MatchEvent) -> None:
        """As ``push``, for events that another log recorded: they know whose turn was called."""
        self._push(events, trusted=True)

    def play(self, outcome: StrokeOutcome) -> Ruling:
        """Push an outcome with a fresh id; its ruling."""
        event = StrokePlayed(id=self.new_id(), outcome=outcome)
        self.push(event)
        ruling = self._frames[-1].ruling
        assert ruling is not None
        return ruling

    def undo(self) -> None:
        """Take back the latest event in force, however far back. Raises ``MatchError`` if only the
        start is left."""
        self.push(Undone(id=self.new_id()))

    def redo(self) -> None:
        """Put the event undone last back in force. Raises ``MatchError`` if there is none."""
        self.push(Redone(id=self.new_id()))

    def amend(self, number: int, outcome: StrokeOutcome) -> None:
        """Replace the outcome of stroke ``number`` and judge everything after it anew."""
        self.push(StrokeAmended(id=self.new_id(), stroke=self._stroke_id(number), outcome=outcome))

    def delete(self, number: int) -> None:
        """Take stroke ``number`` out and judge everything after it anew."""
        self.push(StrokeDeleted(id=self.new_id(), stroke=self._stroke_id(number)))

    def new_id(self) -> str:
        """An id that no event of this match has."""
        number = len(self._log) + 1
        while str(number) in self._ids:
            number += 1
        return str(number)

    def to_json_lines(self) -> str:
        """The log, one event a line; ``from_json_lines`` reads it back."""
        return "".join(CODEC.dumps(event) + "\n" for event in self._log)

    @classmethod
    def from_json_lines(cls, text: str) -> Match:
        """The match whose log was written by ``to_json_lines``. Raises ``SchemaError``."""
        return cls.replay(CODEC.loads(MatchEvent, line) for line in text.split("\n") if line)

    def _stroke_id(self, number: int) -> str:
        strokes = self.strokes
        if not 1 <= number <= len(strokes):
            raise MatchError(f"no stroke {number!r}; the match has {len(strokes)}")
        return strokes[number - 1].id

    def _stored(self, event: MatchEvent, frames: list[Frame]) -> MatchEvent:
        """A stroke is stored with whose turn the table was told it was; its sender cannot say."""
        if isinstance(event, StrokePlayed) and frames:
            return replace(event, called=frames[-1].after.turn)
        return event

    def _fold(self, log: list[MatchEvent], frames: list[Frame], stored: MatchEvent) -> list[Frame]:
        if not isinstance(stored, _REWRITES):  # one more event at the end
            return [*frames, self._frame(stored, frames)]
        plan = plan_of(in_force(log))
        pairs = zip(plan, frames, strict=False)
        changed = (i for i, (new, old) in enumerate(pairs) if new != old.event)
        kept = next(changed, min(len(plan), len(frames)))
        folded = frames[:kept]
        for event in plan[kept:]:
            folded.append(self._frame(event, folded))
        return folded

    def _frame(self, event: MatchEvent, frames: list[Frame]) -> Frame:
        if isinstance(event, MatchStarted):
            if frames:
                raise MatchError("the match has already started")
            state = start_match(event.laws, event.players, event.opener)
            return Frame(event, state, state)
        before = frames[-1].after
        if isinstance(event, NextBoard | NextGame):
            _refuse_open_questions(frames)
        try:
            if isinstance(event, StrokePlayed):
                return self._stroke(event, before)
            if isinstance(event, PointsDemanded):
                return self._demand(event, frames)
            return Frame(event, before, self._decide(event, before))
        except CarromError as error:
            error.add_note(f"event {event.id!r} ({event.name}) of the match")
            raise

    def _stroke(self, event: StrokePlayed, before: State) -> Frame:
        outcome = event.outcome
        if event.called is outcome.seat and before.turn is not outcome.seat:
            before = between.follow_call(before, outcome.seat, self._laws)
        if before.turn is outcome.seat:  # a declared out of turn that a correction has settled
            kept = tuple(e for e in outcome.events if not isinstance(e, OutOfTurn))
            outcome = replace(outcome, events=kept) if len(kept) < len(outcome.events) else outcome
        if outcome.t_end_s is not None:
            before = replace(before, clock=clock.read_clock(before, self._laws, outcome.t_end_s))
        ruling = adjudicate(before, outcome, self._laws)
        after = apply(before, ruling, provisional=True)
        if outcome.t_end_s is not None:
            after = replace(clock.restart_stroke(after, outcome.t_end_s), clock=None)
        return Frame(event, before, after, ruling)

    def _demand(self, event: PointsDemanded, frames: list[Frame]) -> Frame:
        between_frames = (ClockStarted, ClockStopped)
        played = [frame for frame in frames if not isinstance(frame.event, between_frames)]
        ending = played[-1]
        if ending.ruling is None:
            raise MatchError("points are demanded right after the board has ended")
        ruling = between.demanded(ending.ruling, self._laws, ending.before.board_number)
        after = replace(apply(ending.before, ruling), clockwork=frames[-1].after.clockwork)
        return Frame(event, ending.before, after, ruling)

    def _decide(self, event: MatchEvent, state: State) -> State:
        match event:
            case NextBoard():
                return next_board(
                    state, self._laws, opener=event.opener, change_sides=event.change_sides
                )
            case NextGame():
                return next_game(
                    state, self._laws, opener=event.opener, change_sides=event.change_sides
                )
            case DebtWaived():
                return between.waive_debt(state, event.seat, self._laws)
            case DebtClaimed():
                return between.claim_debt(state, event.seat)
            case JankenWon():
                return between.win_janken(state, event.seat)
            case PlayResumed():
                return between.resume_play(state, event.seat)
            case ClockStarted():
                return clock.start_clock(state, event.t_s)
            case ClockStopped():
                return clock.stop_clock(state, event.t_s)
            case TimeCalled():
                return between.time_called(state, self._laws)
        raise MatchError(f"not an event of a match: {event!r}")


def _refuse_open_questions(frames: list[Frame]) -> None:
    """Whether a board has ended must be certain before the next begins; an answer could otherwise
    not be given any more."""
    pending = [frame for frame in frames if frame.ruling is not None and frame.ruling.pending]
    if pending:
        asked = [
            q.doubt for frame in pending for q in (frame.ruling.questions if frame.ruling else ())
        ]
        raise MatchError(f"answer first: open questions {asked!r}")


def _same(known: MatchEvent, event: MatchEvent) -> bool:
    """The same event again; the log knows whose turn it was, the sender may not."""
    if isinstance(known, StrokePlayed) and isinstance(event, StrokePlayed):
        return known == event or known == replace(event, called=known.called)
    return known == event
