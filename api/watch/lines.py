"""The lines of ``carrom watch --json``: plain data, one object a line, each with ``type``, ``t_s``.

`docs/watch.md` lists the keys; new ones may be added.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

from carrom.doubts import Doubt
from carrom.events import Event
from carrom.notation import format_position
from carrom.position import Disc, Position
from referee.explain import explain
from referee.laws import Laws
from referee.match import StrokeRecord
from referee.phrases import Language
from referee.ruling import Ruling
from vision.frames import SourceInfo
from vision.seen import BoardSeen
from vision.table_events import Disturbed, HandsSeen, Returned, StrokeSeen, TakenOff

__all__ = [
    "calibrated_line",
    "disturbed_line",
    "hands_line",
    "problem_line",
    "question_lines",
    "returned_line",
    "source_line",
    "stroke_line",
    "taken_line",
]

Line = dict[str, Any]


def source_line(info: SourceInfo, t_s: float = 0.0) -> Line:
    """What is looked at."""
    return {
        "type": "source", "t_s": t_s, "kind": info.kind.value, "name": info.name,
        "width_px": info.width_px, "height_px": info.height_px, "live": info.live,
        "fps": info.fps, "duration_s": info.duration_s, "notes": list(info.notes),
    }  # fmt: skip


def calibrated_line(board: BoardSeen, t_s: float, *, again: bool) -> Line:
    """Where the board lies."""
    return {
        "type": "calibrated", "t_s": _s(t_s), "board": board.family.value, "again": again,
        "corners_px": [[round(x, 2), round(y, 2)] for x, y in board.corners_px],
        "half_mm": round(board.half_mm, 2), "confidence": round(board.confidence, 3),
        "residual_mm": round(board.residual_mm, 3), "warnings": list(board.warnings),
    }  # fmt: skip


def stroke_line(seen: StrokeSeen, record: StrokeRecord, laws: Laws, language: Language) -> Line:
    """A stroke with its ruling; ``text``: the call, ``reasons``: why, in ``language``."""
    outcome = record.outcome
    return {
        "type": "stroke", "t_s": _s(seen.t_s), "n": record.number, "seat": outcome.seat.value,
        "t_start_s": _s(outcome.t_start_s), "t_end_s": _s(outcome.t_end_s),
        "placement_mm": _xy(outcome.placement_mm),
        "events": [_event(event) for event in outcome.events],
        "before": _position(outcome.before), "after": _position(outcome.after),
        "doubts": [_doubt(doubt) for doubt in outcome.doubts],
        "ruling": _ruling(record, laws, language),
    }  # fmt: skip


def problem_line(seen: StrokeSeen, why: str) -> Line:
    """A stroke that the record of the match has no room for: it is told and not judged."""
    outcome = seen.outcome
    return {
        "type": "stroke", "t_s": _s(seen.t_s), "n": None, "seat": outcome.seat.value,
        "t_start_s": _s(outcome.t_start_s), "t_end_s": _s(outcome.t_end_s),
        "placement_mm": _xy(outcome.placement_mm),
        "events": [_event(event) for event in outcome.events],
        "before": _position(outcome.before), "after": _position(outcome.after),
        "doubts": [_doubt(doubt) for doubt in outcome.doubts],
        "ruling": None, "problem": why,
    }  # fmt: skip


def question_lines(record: StrokeRecord, t_s: float) -> list[Line]:
    """What has to be asked about a stroke."""
    return [
        {"type": "question", "t_s": _s(t_s), "n": record.number, **_doubt(doubt)}
        for doubt in record.outcome.doubts
        if doubt.id in {question.doubt for question in record.ruling.questions}
    ]


def hands_line(event: HandsSeen) -> Line:
    """Hands came or went."""
    return {"type": "hands", "t_s": _s(event.t_s), "over": event.over}


def returned_line(event: Returned) -> Line:
    """A disc was put back."""
    seat = None if event.seat is None else event.seat.value
    disc = _disc(event.disc)
    return {"type": "returned", "t_s": _s(event.t_s), **disc, "order": event.order, "seat": seat}


def taken_line(event: TakenOff) -> Line:
    """A disc was taken off by hand."""
    seat = None if event.seat is None else event.seat.value
    return {"type": "disturbed", "t_s": _s(event.t_s), "taken": _disc(event.disc), "seat": seat}


def disturbed_line(event: Disturbed) -> Line:
    """Discs lie elsewhere, and no stroke moved them."""
    moved = [{"from": _disc(old), "to": _disc(new)} for old, new in event.moved]
    seat = None if event.seat is None else event.seat.value
    return {"type": "disturbed", "t_s": _s(event.t_s), "moved": moved, "seat": seat}


def _s(t_s: float | None) -> float | None:
    return None if t_s is None else round(t_s, 3)


def _xy(point: Iterable[float] | None) -> list[float] | None:
    return None if point is None else [round(v, 1) for v in point]


def _position(position: Position | None) -> str | None:
    return None if position is None else format_position(position)


def _disc(disc: Disc) -> Line:
    return {"piece": disc.kind.value, "x_mm": round(disc.x_mm, 1), "y_mm": round(disc.y_mm, 1)}


def _event(event: Event) -> Line:
    """Every fact of an event that has one, its evidence as a word."""
    out: Line = {"type": event.name, "evidence": event.evidence.source.value}
    if event.evidence.t_start_s is not None:
        out["t_s"] = _s(event.evidence.t_start_s)
    for item in dataclasses.fields(event):
        value = getattr(event, item.name)
        if item.name != "evidence" and value is not None:
            out[item.name] = getattr(value, "value", value)
    return out


def _doubt(doubt: Doubt) -> Line:
    answers = [{"code": a.code, "likelihood": round(a.likelihood, 3)} for a in doubt.ranked]
    return {"id": doubt.id, "question": doubt.question.value, "answers": answers}


def _ruling(record: StrokeRecord, laws: Laws, language: Language) -> Line:
    ruling: Ruling = record.ruling
    said = explain(ruling, language, laws, state=record.before)
    return {
        "fouls": [
            {"foul": c.foul.value, "seat": c.seat.value, "clauses": list(c.clauses)}
            for c in ruling.fouls
        ],
        "returns": [
            {
                "piece": row.piece.value, "count": row.count, "to": row.to.value, "by": str(row.by),
                "reason": row.reason.value,
            }
            for row in ruling.returns
        ],
        "debts": {side.value: count for side, count in ruling.debts.items()},
        "next": None if ruling.turn.next is None else ruling.turn.next.value,
        "board": ruling.board.status.value,
        "clauses": list(ruling.clauses),
        "text": said.call,
        "reasons": list(said.reasons),
        "pending": ruling.pending,
    }  # fmt: skip
