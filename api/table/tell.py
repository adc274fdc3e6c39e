"""Calls and questions in every language, as the snapshot holds them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from carrom.doubts import Doubt
from referee.explain import explain
from referee.laws import Laws
from referee.match import StrokeRecord
from referee.phrases import Language

__all__ = ["call_of", "doubts_of", "texts"]


class _Told:
    """A record as a key: the same stroke under the same ruling is told once."""

    def __init__(self, record: StrokeRecord, laws: Laws) -> None:
        self.record, self.laws = record, laws

    def __hash__(self) -> int:
        return hash((self.record.id, id(self.record.ruling)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Told) and self.record.ruling is other.record.ruling


@lru_cache(maxsize=256)
def _told(key: _Told) -> tuple[dict[str, str], dict[str, list[str]]]:
    call, reasons = {}, {}
    for language in Language:
        told = explain(key.record.ruling, language, key.laws, state=key.record.before)
        call[language.value], reasons[language.value] = told.call, list(told.reasons)
    return call, reasons


def call_of(record: StrokeRecord, laws: Laws, **more: Any) -> dict[str, Any]:
    """One call; ``more``: what the desk knows (confirmed, clip, amended)."""
    call, reasons = _told(_Told(record, laws))
    ruling = record.ruling
    return {
        "n": record.number,
        "id": record.id,
        "seat": record.outcome.seat.value,
        "t_s": record.outcome.t_end_s,
        "fouls": [one.foul.value for one in ruling.fouls],
        "provisional": bool(ruling.pending),
        "call": call,
        "reasons": reasons,
        "clauses": list(ruling.clauses),
        **more,
    }


def doubts_of(record: StrokeRecord) -> list[dict[str, Any]]:
    """The open questions of a stroke, their answers the likeliest first."""
    return [_question(record, doubt) for doubt in record.outcome.doubts]


def _question(record: StrokeRecord, doubt: Doubt) -> dict[str, Any]:
    return {
        "id": f"{record.id}/{doubt.id}",
        "stroke": record.number,
        "doubt": doubt.id,
        "question": doubt.question.value,
        "answers": [
            {
                "code": answer.code,
                "likelihood": answer.likelihood,
                "events": [
                    {"type": e.name, "piece": getattr(e, "piece", None)} for e in answer.events
                ],
            }
            for answer in doubt.ranked
        ],
    }


def texts(english: str) -> dict[str, str]:
    """A text that is the same everywhere (names, numbers)."""
    return dict.fromkeys((language.value for language in Language), english)
