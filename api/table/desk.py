"""Joins what the table reports with the match: the pure core of the table service.

Every change is a row for the log, so that the desk is a fold over its rows: what is not an event of
the match but must survive a crash (calls confirmed, what has been put back, a board that was
accepted as it lies) is a small event of the table.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from carrom.errors import CarromError, ContradictionError
from carrom.events import OutOfTurn
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.position import Position
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


@dataclass(frozen=True, slots=True)
class DeskRow:
    """A row for the log: ``kind`` and ``body`` as in ``api.table.event_log.Row``."""

    kind: str
    body: str


@dataclass(frozen=True, slots=True)
class Problem:
    """A stroke that was seen and could not be entered: the record must be put right first."""

    number: int
    outcome: StrokeOutcome
    reason: str


@dataclass(slots=True)
class _Memory:
    """What the rows of kind ``table`` add up to."""

    mode: str = "casual"
    confirmed: set[str] = field(default_factory=set)
    done: Counter[str] = field(default_factory=Counter)
    accepted: bool = False
    disturbed: bool = False
    title: str = ""


class Desk:
    """Takes events of the table and commands of people. Not for several threads."""

    def __init__(self, rows: Iterable[tuple[str, str]]) -> None:
        """From the rows of a log (kind, body), the first of which starts the match."""
        self.rows: list[DeskRow] = []
        self._memory = _Memory()
        self.match = self._replayed(rows)
        self.board: Position | None = None
        self.problem: Problem | None = None
        self._racked = False
        self._continued = False

    @classmethod
    def begin(cls, start: MatchStarted, *, mode: str = "casual", title: str = "") -> Desk:
        """A new match."""
        first = ("match", CODEC.dumps(start))
        return cls([first, ("table", json.dumps({"mode": mode, "title": title}))])

    def _replayed(self, rows: Iterable[tuple[str, str]]) -> Match:
        events: list[MatchEvent] = []
        marks: list[tuple[int, str]] = []
        for kind, body in rows:
            self.rows.append(DeskRow(kind, body))
            if kind == "match":
                events.append(CODEC.loads(MatchEvent, body))
            else:
                marks.append((len(events), body))
        match = Match.replay(events)
        strokes = [k for k, e in enumerate(events, 1) if isinstance(e, StrokePlayed)]
        last = strokes[-1] if strokes else 0
        for after, body in marks:
            self._remember(json.loads(body), fresh=after >= last)
        return match

    @property
    def seq(self) -> int:
        """Number of the latest row."""
        return len(self.rows)

    @property
    def mode(self) -> str:
        """``casual``: calls stand at once; ``tournament``: once the umpire has confirmed them."""
        return self._memory.mode

    @property
    def title(self) -> str:
        """What people call this match."""
        return self._memory.title

    @property
    def disturbed(self) -> bool:
        """Discs were pushed aside and not put right yet."""
        return self._memory.disturbed

    def confirmed(self, stroke_id: str) -> bool:
        """Whether a call stands."""
        return self.mode == "casual" or stroke_id in self._memory.confirmed

    def returned(self, piece: PieceKind) -> int:
        """How many of a kind have been put back since the last stroke."""
        return self._memory.done[piece.value]

    def push(self, *events: MatchEvent) -> None:
        """Enter events of the match. Raises ``MatchError``, ``ContradictionError``."""
        known = len(self.match.log)
        self.match.push(*events)
        for event in self.match.log[known:]:
            self.rows.append(DeskRow("match", CODEC.dumps(event)))
            if isinstance(event, StrokePlayed):
                self._settle()

    def note(self, **what: Any) -> None:
        """Enter something that the table must remember."""
        self.rows.append(DeskRow("table", json.dumps(what, sort_keys=True)))
        self._remember(what, fresh=True)

    def _settle(self) -> None:
        """A stroke has been entered: what was due before it is no longer."""
        self._memory.done.clear()
        self._memory.disturbed = False
        self._memory.accepted = False
        self._racked = self._continued = False
        self.problem = None

    def _remember(self, what: Mapping[str, Any], *, fresh: bool) -> None:
        memory = self._memory
        memory.mode = what.get("mode", memory.mode)
        memory.title = what.get("title", memory.title)
        if "confirmed" in what:
            memory.confirmed.add(what["confirmed"])
        if fresh and "returned" in what:
            memory.done[what["returned"]] += 1
        if fresh and "taken_off" in what and memory.done[what["taken_off"]] > 0:
            memory.done[what["taken_off"]] -= 1
        if fresh and "disturbed" in what:
            memory.disturbed = what["disturbed"]
        if fresh and "accepted" in what:
            memory.accepted = what["accepted"]

    def take(self, event: TableEvent) -> None:
        """Enter what the table reports."""
        match event:
            case StrokeSeen():
                self._stroke(event)
            case Returned():
                self.note(returned=event.disc.kind.value)
            case TakenOff():
                self.note(taken_off=event.disc.kind.value)
            case Disturbed():
                self.note(disturbed=True)
            case Restored():
                self.note(disturbed=False)
            case RestSeen():
                self.board = event.position
            case Racked():
                self.board, self._racked = event.position, True
                if self.mode == "casual":
                    self.begin_next()
            case BoardCleared():
                self.board = None

    def begin_next(self) -> bool:
        """The next board or game, if it is due and nothing is open; whether it has begun."""
        match = self.match
        if match.open_questions:
            return False
        if match.state.phase is Play.BOARD_OVER:
            self.push(NextBoard(id=match.new_id()))
        elif match.state.phase is Play.GAME_OVER:
            self.push(NextGame(id=match.new_id()))
        else:
            return False
        return True

    def _stroke(self, seen: StrokeSeen) -> None:
        outcome = seen.outcome
        if self.match.state.phase in (Play.BOARD_OVER, Play.GAME_OVER) and self.mode == "casual":
            try:
                self.begin_next()
            except CarromError as error:
                self.problem = Problem(seen.number, outcome, str(error))
                return
        outcome = self._turned(outcome)
        try:
            self.push(StrokePlayed(id=self.match.new_id(), outcome=outcome))
        except CarromError as error:
            self.problem = Problem(seen.number, outcome, str(error))
        if outcome.after is not None:
            self.board = outcome.after

    def _turned(self, outcome: StrokeOutcome) -> StrokeOutcome:
        """Who struck was seen; whose turn it was, the match knows."""
        turn = self.match.state.turn
        if outcome.seat is turn or any(isinstance(e, OutOfTurn) for e in outcome.events):
            return outcome
        return replace(outcome, events=(OutOfTurn(seat=outcome.seat), *outcome.events))

    def enter_problem(self, outcome: StrokeOutcome | None = None) -> None:
        """Try again to enter the stroke that could not be, perhaps as a person has it now."""
        problem = self.problem
        if problem is None:
            raise ContradictionError("problem", expected="a stroke that waits", got=None)
        self.push(StrokePlayed(id=self.match.new_id(), outcome=outcome or problem.outcome))

    def drop_problem(self) -> None:
        """The stroke that could not be entered never happened."""
        self.problem = None

    def carry_on(self) -> None:
        """Go on with the record although the board differs; asked again after the next stroke."""
        self._continued = True

    @property
    def in_step(self) -> bool:
        """Whether the board that was seen last is the board of the record, by counts."""
        if self._continued or self._memory.accepted or self.board is None:
            return self.problem is None
        return not self.count_differences() and self.problem is None

    def count_differences(self) -> dict[PieceKind, int]:
        """Board less record, by kind; what is still to be put back may be missing."""
        if self.board is None:
            return {}
        state = self.match.state
        if state.phase is not Play.PLAY:
            return {}
        seen: Counter[PieceKind] = Counter(
            disc.kind for disc in self.board if disc.kind is not PieceKind.STRIKER
        )
        due: Counter[PieceKind] = Counter()
        for row in state.due_back:
            due[row.piece] += row.count
        out = {}
        for kind in set(seen) | set(state.on_board):
            wanted = state.on_board.get(kind, 0)
            least = wanted - max(0, due[kind] - self.returned(kind))
            if seen[kind] > wanted:
                out[kind] = seen[kind] - wanted
            elif seen[kind] < least:
                out[kind] = seen[kind] - least
        return out


def rows_after(desk: Desk, seq: int) -> Sequence[DeskRow]:
    """The rows that came after a number."""
    return desk.rows[seq:]
