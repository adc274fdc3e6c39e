"""What is to be spoken after a change: new calls whole, of a correction only what it corrected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from api.table.desk import Desk
from api.table.tell import call_of, texts
from referee.ruling import Ruling

__all__ = ["announce", "rulings_of"]


def rulings_of(desk: Desk) -> dict[str, Ruling]:
    """The rulings as they stand, by the id of their strokes."""
    return {record.id: record.ruling for record in desk.match.strokes}


def announce(
    desk: Desk, before: Mapping[str, Ruling], *, corrected: bool = False, confirmed: str = ""
) -> list[dict[str, Any]]:
    """Items for ``say``. ``before``: ``rulings_of`` before the change; ``corrected``: it was a
    correction, after which the total is said; ``confirmed``: a call that stands only now."""
    say = []
    for record in desk.match.strokes:
        if before.get(record.id) == record.ruling and record.id != confirmed:
            continue
        if not desk.confirmed(record.id):
            continue
        ruling = record.ruling
        chime = "question" if ruling.pending else "foul" if ruling.fouls else None
        call = call_of(record, desk.match.laws)["call"]
        say.append({"id": f"{record.id}.{desk.seq}", "text": call, "chime": chime})
    if not corrected:
        return say
    changed = dict(before) != rulings_of(desk)
    total = {"id": f"total.{desk.seq}", "text": texts(_total(desk)), "chime": None}
    return [*say[:1], total] if changed else []


def _total(desk: Desk) -> str:
    """Names with points: the same in every language."""
    state = desk.match.state
    standing = state.standing
    names = {} if standing is None else standing.players
    by_side: dict[Any, list[str]] = {}
    for seat, side in state.seats.items():
        by_side.setdefault(side, []).append(names.get(seat) or seat.value)
    return ", ".join(f"{' + '.join(who)} {state.score.get(s, 0)}" for s, who in by_side.items())
