"""Every stroke as a line of CSV, for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable

from carrom.events import OffBoard, Pocketed
from referee.explain import explain
from referee.match import Match, StrokeRecord
from referee.phrases import Language
from referee.ruling import BoardStatus
from referee.state import State

__all__ = ["COLUMNS", "csv_export", "safe_cell"]

COLUMNS = (
    "stroke", "game", "board", "seat", "player", "side", "t_start_s", "t_end_s",
    "striker_x_mm", "striker_y_mm", "pocketed", "off_board", "fouls", "returned", "owes",
    "next", "board_over", "board_winner", "points", "score", "clauses", "pending", "call",
)  # fmt: skip
_RISKY = ("=", "+", "-", "@", "\t", "\r")


def safe_cell(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_RISKY) else text


def csv_export(match: Match, language: Language) -> bytes:
    """UTF-8 with the mark that Excel needs, lines end with CR LF. The call is in ``language``."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for record in match.strokes:
        writer.writerow(_row(record, match, language))
    return b"\xef\xbb\xbf" + out.getvalue().encode("utf-8")


def _row(record: StrokeRecord, match: Match, language: Language) -> list[str | int | float]:
    outcome, before, ruling = record.outcome, record.before, record.ruling
    standing = before.standing
    place = outcome.placement_mm
    next_seat = ruling.turn.next
    said = explain(ruling, language, match.laws, state=before)
    cells: list[str | int | float] = [
        record.number,
        1 if standing is None else standing.game_number,
        before.board_number,
        outcome.seat.value,
        "" if standing is None else standing.players.get(outcome.seat, ""),
        before.side(outcome.seat).value,
        _number(outcome.t_start_s),
        _number(outcome.t_end_s),
        *(("", "") if place is None else (round(place[0], 2), round(place[1], 2))),
        _listed(e.piece.value for e in outcome.events if isinstance(e, Pocketed)),
        _listed(e.piece.value for e in outcome.events if isinstance(e, OffBoard)),
        _listed(call.foul.value for call in ruling.fouls),
        " ".join(f"{row.count} {row.piece.value}" for row in ruling.returns),
        " ".join(f"{change.side.value}{change.change:+d}" for change in ruling.debt_changes),
        "" if next_seat is None else next_seat.value,
        *_board_cells(record, before),
        " ".join(ruling.clauses),
        "yes" if ruling.pending else "",
        said.call,
    ]
    return [safe_cell(cell) if isinstance(cell, str) else cell for cell in cells]


def _board_cells(record: StrokeRecord, before: State) -> tuple[str, str, str, str]:
    board = record.ruling.board
    if board.status is BoardStatus.ONGOING:
        return "", "", "", ""
    points = board.points or {}
    total = {side: before.score.get(side, 0) + points.get(side, 0) for side in before.debts}
    return (
        board.status.value if board.reason is None else board.reason.value,
        "" if board.winner is None else board.winner.value,
        " ".join(f"{side.value} {value}" for side, value in points.items()),
        " ".join(f"{side.value} {value}" for side, value in total.items()),
    )


def _number(seconds: float | None) -> str | float:
    return "" if seconds is None else round(seconds, 3)


def _listed(names: Iterable[str]) -> str:
    return " ".join(f"{n} {name}" if n > 1 else name for name, n in Counter(names).items())
