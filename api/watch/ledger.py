"""What the table reports, entered into a match: lines to tell, a score that is kept. Pure.

The match begins with the first stroke: whoever makes it has the break. A stroke that the record
cannot hold (a disc fell that the record says had gone) is told and not judged: better no call than a
wrong one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from api.watch import lines
from carrom.errors import CarromError
from carrom.seats import Seat
from referee.laws import Laws
from referee.match import Match, StrokeRecord
from referee.match_events import MatchStarted, NextBoard, NextGame
from referee.phrases import Language
from referee.score_sheet import score_sheet
from referee.state import Phase as Play
from vision.table_events import (
    BoardMoved,
    Calibrated,
    Disturbed,
    HandsSeen,
    Racked,
    Returned,
    Sight,
    SightChanged,
    StrokeSeen,
    TableEvent,
    TakenOff,
)

__all__ = ["Ledger"]

_NO_SIGHT = frozenset({Sight.LOST, Sight.NO_BOARD, Sight.MOVED, Sight.FROZEN, Sight.DARK})


class Ledger:
    """Takes table events in their order; ``strokes`` and ``match`` are what came of them."""

    def __init__(
        self,
        laws: Laws,
        players: Mapping[Seat, str],
        *,
        language: Language = Language.ENGLISH,
    ) -> None:
        self.laws, self.language = laws, language
        self._players = dict(players)
        self.match: Match | None = None
        self.seen: list[tuple[StrokeSeen, StrokeRecord | None, str]] = []
        self._sighted = True

    def take(self, event: TableEvent) -> list[dict[str, Any]]:
        """The lines that this event makes."""
        match event:
            case StrokeSeen():
                return self._stroke(event)
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
            case Racked():
                self._begin_next()
        return []

    @property
    def records(self) -> Sequence[StrokeRecord]:
        """The strokes as they are ruled now."""
        return () if self.match is None else self.match.strokes

    def _sight(self, event: SightChanged) -> list[dict[str, Any]]:
        sighted = event.sight not in _NO_SIGHT
        if sighted is self._sighted and event.sight is not Sight.DAMAGED:
            return []
        self._sighted = sighted
        kind = "camera_back" if sighted else "camera_lost"
        row = {"type": kind, "t_s": round(event.t_s, 3), "sight": event.sight.value}
        return [{**row, "note": event.note} if event.note else row]

    def _stroke(self, seen: StrokeSeen) -> list[dict[str, Any]]:
        try:
            if self.match is None:
                start = MatchStarted(
                    id="start", laws=self.laws, players=self._players, opener=seen.outcome.seat
                )
                self.match = Match(start)
            self._begin_next()
            over = self.match.state.phase is not Play.PLAY
            self.match.play(seen.outcome)
        except CarromError as error:
            self.seen.append((seen, None, str(error)))
            return [lines.problem_line(seen, str(error))]
        record = self.match.strokes[-1]
        self.seen.append((seen, record, ""))
        out = [lines.stroke_line(seen, record, self.laws, self.language)]
        out += lines.question_lines(record, seen.t_s)
        if not over:
            out += self._endings(record, seen.t_s)
        return out

    def _endings(self, record: StrokeRecord, t_s: float) -> list[dict[str, Any]]:
        """Board, game and match that this stroke has ended."""
        assert self.match is not None
        state, out = self.match.state, []
        if record.ruling.pending or state.phase is Play.PLAY:
            return []
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

    def _begin_next(self) -> None:
        """After a board or a game, the next one, once it is racked or struck at."""
        match = self.match
        if match is None or match.open_questions:
            return
        if match.state.phase is Play.BOARD_OVER:
            match.push(NextBoard(id=match.new_id()))
        elif match.state.phase is Play.GAME_OVER:
            match.push(NextGame(id=match.new_id()))
