"""All that is known of one stroke, as plain data (`docs/protocol.md`)."""

from __future__ import annotations

from typing import Any

from api.table.desk import Desk
from api.table.likely import likely_corrections
from api.table.short_outcome import short_form
from api.table.tell import call_of, doubts_of
from carrom.codec import Codec
from carrom.position import Position
from referee.match import StrokeRecord

__all__ = ["stroke_page"]

_CODEC = Codec({})


def stroke_page(desk: Desk, record: StrokeRecord, clip: bool) -> dict[str, Any]:
    """The call with its facts, doubts and likely corrections. ``clip``: pictures are kept of it."""
    standing = desk.match.state.standing
    players = {} if standing is None else dict(standing.players)
    confirmed = desk.confirmed(record.id)
    outcome = record.outcome
    return call_of(record, desk.match.laws, confirmed=confirmed, clip=clip) | {
        "outcome": short_form(outcome),
        "facts": [_CODEC.encode(event) for event in outcome.events],
        "doubts": doubts_of(record),
        "likely": likely_corrections(record, players),
        "placement": outcome.placement_mm,
        "before": _discs(outcome.before),
        "after": _discs(outcome.after),
    }


def _discs(position: Position | None) -> list[dict[str, Any]]:
    if position is None:
        return []
    return [{"kind": d.kind.value, "x": round(d.x_mm, 1), "y": round(d.y_mm, 1)} for d in position]
