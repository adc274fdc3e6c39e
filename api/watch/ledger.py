"""What the table reports, entered into a match: lines to tell, a score that is kept. Pure.

The match begins with the first stroke: whoever makes it has the break, unless it is said who opens.
A stroke that the record cannot hold (a disc fell that had gone, it says) is told and not judged:
better no call than a wrong one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from api.table.desk import Desk
from api.watch import lines
from carrom.pieces import PieceKind
from carrom.seats import Seat
from referee.laws import Laws
from referee.match import Match, StrokeRecord
from referee.match_events import MatchStarted
from referee.phrases import Language
from referee.score_sheet import score_sheet
from referee.state import Phase as Play
from vision.table_events import (
    BoardMoved,
    Calibrated,
    Disturbed,
    HandsSeen,
    RestSeen,
    Returned,
    Sight,
    SightChanged,
    StrikerPlaced,
    StrokeBegun,
    StrokeSeen,
    TableEvent,
    TakenOff,
)

__all__ = ["Ledger"]

_MISSED = "the board and the turn are not those of the record: a stroke before it was not seen"
_NO_SIGHT = frozenset(Sight) - {Sight.GOOD, Sight.COVERED}


class Ledger:
    """Takes table events in their order; ``strokes`` and ``match`` are what came of them."""

    def __init__(
        self,
        laws: Laws,
        players: Mapping[Seat, str],
        *,
        language: Language = Language.ENGLISH,
        opener: Seat | None = None,
    ) -> None:
        self.laws, self.language = laws, language
        self._players, self._opener = dict(players), opener
        self._desk: Desk | None = None
        self._differences: dict[PieceKind, int] = {}
        self.seen: list[tuple[StrokeSeen, StrokeRecord | None, str]] = []
        self._sighted = True
        self._told = 0

    def take(self, event: TableEvent) -> list[dict[str, Any]]:
        """The lines that this event makes."""
        if isinstance(event, StrikerPlaced | StrokeBegun) and event.seat not in self._players:
            self.sit_across()
        if isinstance(event, StrokeSeen):
            return self._stroke(event)
        if self._desk is not None:
            self._desk.take(event)
        match event:
            case Calibrated():
                return [lines.calibrated_line(event.board, event.t_s, again=event.again)]
            case HandsSeen():
                return [lines.hands_line(event)]
            case Returned():
                return [lines.returned_line(event)]
            case TakenOff():
                return [lines.taken_line(event)]
            case Disturbed():
                return [lines.disturbed_line(event)]
            case BoardMoved():
                moved = {"corner_mm": round(event.corner_mm, 1)}
                return [{"type": "disturbed", "t_s": round(event.t_s, 3), "board_moved": moved}]
            case SightChanged():
                return self._sight(event)
            case RestSeen() if self._desk is not None:
                return self._compare(event.t_s)
        return []

    @property
    def match(self) -> Match | None:
        """The match, once somebody has struck."""
        return None if self._desk is None else self._desk.match

    @property
    def records(self) -> Sequence[StrokeRecord]:
        """The strokes as they are ruled now."""
        return () if self.match is None else self.match.strokes

    def sit_across(self) -> None:
        """The two players sit West and East, in this order; before the match begins."""
        names = list(self._players.values())
        if self._desk is None and len(names) == 2:
            self._players = dict(zip((Seat.WEST, Seat.EAST), names, strict=True))
            turned = {Seat.SOUTH: Seat.WEST, Seat.NORTH: Seat.EAST}
            self._opener = None if self._opener is None else turned[self._opener]

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Where somebody sits."""
        return tuple(self._players)

    def player(self, seat: Seat) -> str:
        """Who sits there."""
        return self._players.get(seat, seat.value)

    def _sight(self, event: SightChanged) -> list[dict[str, Any]]:
        sighted = event.sight not in _NO_SIGHT
        if sighted is self._sighted:
            return []
        self._sighted = sighted
        kind = "camera_back" if sighted else "camera_lost"
        row = {"type": kind, "t_s": round(event.t_s, 3), "sight": event.sight.value}
        return [{**row, "note": event.note} if event.note else row]

    def _stroke(self, seen: StrokeSeen) -> list[dict[str, Any]]:
        desk = self._desk_of(seen.outcome.seat)
        if self._missed_one(desk, seen.outcome.seat):
            return self._unjudged(seen, _MISSED)
        known = len(desk.match.strokes)
        desk.take(seen)
        records = desk.match.strokes
        if len(records) == known:
            why = "not entered" if desk.problem is None else desk.problem.reason
            desk.drop_problem()
            return self._unjudged(seen, why)
        record = records[-1]
        self.seen.append((seen, record, ""))
        out = [lines.stroke_line(seen, record, self.laws, self.language)]
        out += lines.question_lines(record, seen.t_s)
        return out + self._endings(record, seen.t_s)

    @staticmethod
    def _missed_one(desk: Desk, seat: Seat) -> bool:
        """Whether somebody not on turn strikes at a board that is not that of the record: then it
        is likelier that a stroke was not seen than that he strikes out of turn."""
        state = desk.match.state
        return state.phase is Play.PLAY and seat is not state.turn and not desk.in_step

    def _unjudged(self, seen: StrokeSeen, why: str) -> list[dict[str, Any]]:
        self.seen.append((seen, None, why))
        return [lines.problem_line(seen, why)]

    def _desk_of(self, seat: Seat) -> Desk:
        """The desk; a match begins with whoever strikes first, unless it was said who opens."""
        if self._desk is None:
            opener = self._opener or seat
            self._desk = Desk.begin(
                MatchStarted(id="start", laws=self.laws, players=self._players, opener=opener)
            )
        return self._desk

    def _compare(self, t_s: float) -> list[dict[str, Any]]:
        """Say once when the board that is seen is not that of the record."""
        assert self._desk is not None
        differences = {} if self._desk.in_step else self._desk.differences()
        if differences == self._differences:
            return []
        self._differences = differences
        if not differences:
            return []
        counts = {kind.value: count for kind, count in sorted(differences.items())}
        return [
            {
                "type": "question", "t_s": round(t_s, 3), "n": None, "question": "board_differs",
                "board_less_record": counts, "answers": [],
            }
        ]  # fmt: skip

    def _endings(self, record: StrokeRecord, t_s: float) -> list[dict[str, Any]]:
        """Board, game and match that this stroke has ended."""
        assert self.match is not None
        state, out = self.match.state, []
        if record.ruling.pending or state.phase is Play.PLAY or self._told == len(self.records):
            return []
        self._told = len(self.records)
        last = state.last_board
        if last is not None:
            winner = None if last.winner is None else last.winner.value
            reason = None if last.reason is None else last.reason.value
            points = {side.value: value for side, value in (last.points or {}).items()}
            out.append(
                {
                    "type": "board_over", "t_s": round(t_s, 3), "n": record.number,
                    "winner": winner, "reason": reason, "points": points,
                }
            )  # fmt: skip
        if state.phase in (Play.GAME_OVER, Play.MATCH_OVER):
            sheet = score_sheet(state).to_data()
            over = state.phase is Play.MATCH_OVER
            out.append(
                {"type": "game_over", "t_s": round(t_s, 3), "match_over": over, "score": sheet}
            )
        return out
