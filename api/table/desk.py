"""Joins what the table reports with the match: the pure core of the table service.

Every change is a row for the log, so that the desk is a fold over its rows: what is not an event of
the match but must survive a crash (calls confirmed, what has been put back, a stroke that waits for
a person) is a small event of the table, a *note*.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from api.table.board_check import count_differences
from api.table.problem import Problem
from api.table.since_stroke import SinceStroke
from carrom import events as ev
from carrom.errors import CarromError, ContradictionError, MatchError
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.position import Position
from carrom.seats import Seat
from referee.match import Match
from referee.match_events import (
    CODEC,
    MatchEvent,
    MatchStarted,
    NextBoard,
    NextGame,
    StrokePlayed,
)
from referee.state import Phase as Play
from vision.table_events import (
    BoardCleared,
    Disturbed,
    Racked,
    Restored,
    RestSeen,
    Returned,
    StrokeSeen,
    TableEvent,
    TakenOff,
)

__all__ = ["Desk", "DeskRow", "Problem"]

_LATE_S = 30.0
"""A stroke entered by hand so long after its end may still be the one that was seen."""
_SOON_S = 15.0
"""So soon after a stroke was seen, the same one entered by hand may be the same."""
_BEGINS = (StrokePlayed, NextBoard, NextGame, MatchStarted)


@dataclass(frozen=True, slots=True)
class DeskRow:
    """A row for the log: ``kind`` and ``body`` as in ``api.table.event_log.Row``."""

    kind: str
    body: str


@dataclass(slots=True)
class _Notes:
    """What the rows of kind ``table`` add up to; ``since``: by the event that it came after."""

    mode: str = "casual"
    title: str = ""
    confirmed: set[str] = field(default_factory=set)
    since: dict[str, SinceStroke] = field(default_factory=dict)
    problem: Problem | None = None

    def take(self, note: Mapping[str, Any]) -> None:
        self.mode = note.get("mode", self.mode)
        self.title = note.get("title", self.title)
        if "confirmed" in note:
            self.confirmed.add(note["confirmed"])
        if "problem" in note:
            data = note["problem"]
            self.problem = None if data is None else Problem.from_data(data)
        if "of" in note:
            self.since.setdefault(note["of"], SinceStroke()).take(note)


class Desk:
    """Takes events of the table and commands of people. Not for several threads.

    ``board``: as it was seen last; ``reference``: as it was when it last agreed with the record.
    Both are unknown after a restart, until the camera has looked.
    """

    def __init__(self, rows: Iterable[tuple[str, str]]) -> None:
        """From the rows of a log (kind, body), the first of which starts the match."""
        self.rows: list[DeskRow] = []
        self._notes = _Notes()
        self.match = self._replayed(rows)
        self.board: Position | None = None
        self.reference: Position | None = None
        self.racked = False
        self._by_hand: tuple[str, float] | None = None
        self._seen: tuple[str, float] | None = None
        self._asked: str | None = None

    @classmethod
    def begin(cls, start: MatchStarted, *, mode: str = "casual", title: str = "") -> Desk:
        """A new match."""
        first = ("match", CODEC.dumps(start))
        return cls([first, ("table", json.dumps({"mode": mode, "title": title}))])

    def _replayed(self, rows: Iterable[tuple[str, str]]) -> Match:
        events: list[MatchEvent] = []
        for kind, body in rows:
            self.rows.append(DeskRow(kind, body))
            if kind == "match":
                events.append(CODEC.loads(MatchEvent, body))
                if isinstance(events[-1], StrokePlayed):
                    self._notes.problem = None
            else:
                self._notes.take(json.loads(body))
        return Match.replay(events)

    def as_of(self, seq: int) -> Desk:
        """A desk of its own with the first rows of this one, and what this one sees."""
        other = Desk((row.kind, row.body) for row in self.rows[:seq])
        other.board, other.reference, other.racked = self.board, self.reference, self.racked
        other._by_hand, other._seen, other._asked = self._by_hand, self._seen, self._asked
        return other

    @property
    def seq(self) -> int:
        """Number of the latest row."""
        return len(self.rows)

    def changed_since(self, seq: int) -> bool:
        """Whether something that matters to people came after a row: notes of hands do not."""
        return any(row.kind == "match" or '"problem"' in row.body for row in self.rows[seq:])

    @property
    def mode(self) -> str:
        """``casual``: calls stand at once; ``tournament``: once the umpire has confirmed them."""
        return self._notes.mode

    @property
    def title(self) -> str:
        """What people call this match."""
        return self._notes.title

    @property
    def problem(self) -> Problem | None:
        """The stroke that was seen and waits for a person."""
        return self._notes.problem

    @property
    def since(self) -> SinceStroke:
        """What has happened on the board since the last stroke in force."""
        return self._notes.since.get(self._of, SinceStroke())

    @property
    def _of(self) -> str:
        frames = self.match.frames
        return next(f.event.id for f in reversed(frames) if isinstance(f.event, _BEGINS))

    @property
    def disturbed(self) -> bool:
        """Discs were pushed aside and not put right yet."""
        return bool(self.since.moved) and self.match.state.phase is Play.PLAY

    def confirmed(self, stroke_id: str) -> bool:
        """Whether a call stands."""
        return self.mode == "casual" or stroke_id in self._notes.confirmed

    def returned(self, piece: PieceKind) -> int:
        """How many of a kind have been put back since the last stroke."""
        return self.since.count(piece)

    def push(self, *events: MatchEvent) -> None:
        """Enter events of the match. Raises ``MatchError``, ``ContradictionError``."""
        known = len(self.match.log)
        self.match.push(*events)
        for event in self.match.log[known:]:
            self.rows.append(DeskRow("match", CODEC.dumps(event)))
            if isinstance(event, StrokePlayed):
                self.racked, self._notes.problem = False, None

    def note(self, **what: Any) -> None:
        """Enter something that the table must remember."""
        body = json.dumps(what, sort_keys=True)
        self.rows.append(DeskRow("table", body))
        self._notes.take(json.loads(body))

    def take(self, event: TableEvent) -> None:
        """Enter what the table reports."""
        match event:
            case StrokeSeen():
                self._stroke(event)
            case RestSeen():
                self._look(event.position)
            case Racked():
                self.board, self.racked = event.position, True
                if self.mode == "casual":
                    self.begin_next()
                self._look(event.position)
            case BoardCleared():
                self.board = None
            case _ if self.match.state.phase is Play.PLAY:
                self._hands(event)

    def _hands(self, event: TableEvent) -> None:
        """What hands did, as far as something is to be done."""
        due = bool(self.match.state.due_back)
        match event:
            case Returned() if due:
                seat = None if event.seat is None else event.seat.value
                at = [round(event.disc.x_mm, 1), round(event.disc.y_mm, 1)]
                self.note(of=self._of, returned=event.disc.kind.value, at=at, seat=seat)
            case TakenOff() if due:
                at = [round(event.disc.x_mm, 1), round(event.disc.y_mm, 1)]
                self.note(of=self._of, taken_off=event.disc.kind.value, at=at)
            case Disturbed():
                moved = [
                    [a.kind.value, *(round(v, 1) for v in (a.x_mm, a.y_mm, b.x_mm, b.y_mm))]
                    for a, b in event.moved
                ]
                self.note(of=self._of, disturbed=moved)
            case Restored() if self.since.moved:
                self.note(of=self._of, disturbed=[])

    def _look(self, board: Position) -> None:
        self.board = board
        if not self.differences():
            self.reference = board

    def begin_next(self, opener: Seat | None = None) -> bool:
        """The next board or game, if it is due and nothing is open; whether it has begun.

        ``opener``: who has the break if the laws leave it to a toss (ICF-29).
        """
        kinds = {Play.BOARD_OVER: NextBoard, Play.GAME_OVER: NextGame}
        kind = kinds.get(self.match.state.phase)
        if kind is None or self.match.open_questions:
            return False
        try:
            self.push(kind(id=self.match.new_id()))
        except MatchError:
            if opener is None:
                return False
            self.push(kind(id=self.match.new_id(), opener=opener))
        return True

    def _stroke(self, seen: StrokeSeen) -> None:
        outcome = seen.outcome
        if self._entered_already(outcome):
            reason = "a stroke was entered by hand at the same time: the same one, or another?"
            self.wait(Problem(seen.number, outcome, reason, "entered_by_hand"))
        else:
            self._enter_seen(seen)
        if outcome.after is not None:
            self._look(outcome.after)

    def _enter_seen(self, seen: StrokeSeen) -> None:
        outcome = seen.outcome
        over = self.match.state.phase in (Play.BOARD_OVER, Play.GAME_OVER)
        try:
            if over and self.mode == "casual":
                self.begin_next(outcome.seat)
            outcome = self.with_turn(outcome)
            event = StrokePlayed(id=self.match.new_id(), outcome=outcome)
            self.push(event)
            if outcome.t_end_s is not None:
                self._seen = (event.id, outcome.t_end_s)
        except CarromError as error:
            self.wait(Problem(seen.number, outcome, str(error)))

    def _entered_already(self, outcome: StrokeOutcome) -> bool:
        """Whether a person has entered a stroke since this one began, and it stands last."""
        if self._by_hand is None or outcome.t_start_s is None or self._of != self._by_hand[0]:
            return False
        end_s = outcome.t_start_s if outcome.t_end_s is None else outcome.t_end_s
        entered_s = self._by_hand[1]
        return outcome.t_start_s < entered_s < end_s + _LATE_S

    def seen_already(self, outcome: StrokeOutcome, now_s: float) -> bool:
        """Whether a stroke entered by hand may be the one that was seen a moment ago. True once:
        whoever says it again means it."""
        last = self._of
        if self._seen is None or self._seen[0] != last or self._asked == last:
            return False
        record = self.match.strokes[-1]
        same = record.outcome.seat is outcome.seat and _fell(record.outcome) == _fell(outcome)
        if not same or not 0.0 <= now_s - self._seen[1] < _SOON_S:
            return False
        self._asked = last
        return True

    def enter_by_hand(self, outcome: StrokeOutcome, now_s: float) -> None:
        """A stroke as a person has it. If one that was seen waits, it is that one."""
        outcome, waiting = self.with_turn(outcome), self.problem
        if waiting is not None:
            seen = waiting.outcome
            outcome = replace(
                outcome, placement_mm=seen.placement_mm, before=seen.before, after=seen.after,
                t_start_s=seen.t_start_s, t_end_s=seen.t_end_s,
            )  # fmt: skip
        event = StrokePlayed(id=self.match.new_id(), outcome=outcome)
        self.push(event)
        self._by_hand = None if waiting is not None else (event.id, now_s)

    def with_turn(self, outcome: StrokeOutcome) -> StrokeOutcome:
        """Who struck was seen; whose turn it was, the match knows."""
        turn = self.match.state.turn
        if outcome.seat is turn or any(isinstance(e, ev.OutOfTurn) for e in outcome.events):
            return outcome
        return replace(outcome, events=(ev.OutOfTurn(seat=outcome.seat), *outcome.events))

    def wait(self, problem: Problem) -> None:
        """A stroke that a person must look at."""
        self.note(problem=problem.to_data())

    def hold(self, problem: Problem) -> None:
        """Likewise, when the log cannot be written: it waits only as long as this desk lives."""
        self._notes.problem = problem

    def drop_problem(self) -> None:
        """The stroke that waits never happened, or was entered by hand."""
        if self.problem is None:
            raise ContradictionError("problem", expected="a stroke that waits", got=None)
        self.note(problem=None)

    def carry_on(self) -> None:
        """Go on with the record although the board differs; asked again after the next stroke."""
        self.note(of=self._of, continued=True)

    @property
    def in_step(self) -> bool:
        """Whether the board that was seen last is the board of the record, by counts."""
        return self.problem is None and (self.since.continued or not self.differences())

    def differences(self) -> dict[PieceKind, int]:
        """Board less record, by kind; empty when no board has been seen."""
        state = self.match.state
        if self.board is None or state.phase is not Play.PLAY:
            return {}
        since = self.since
        returned = {row.piece: since.count(row.piece) for row in state.due_back}
        return count_differences(self.board, state, returned)


def _fell(outcome: StrokeOutcome) -> list[str]:
    return sorted(e.piece.value for e in outcome.events if isinstance(e, ev.Pocketed))
