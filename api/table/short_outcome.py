"""Outcomes as people enter them: few keys, everything declared (`docs/protocol.md`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, TypeVar

from carrom import events as ev
from carrom.codec import Codec
from carrom.errors import SchemaError
from carrom.evidence import DECLARED
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.seats import Pocket, Seat

__all__ = ["outcome_from", "short_form"]

E = TypeVar("E", bound=StrEnum)
_SHORT_KEYS = {"seat", "pocketed", "left", "striker", "first", "fouls"}
_STRIKER = {"pocketed", "off", "ok", None}
_CODEC = Codec({})
_FOULS: dict[str, Callable[[], ev.Event]] = {
    "touched": lambda: ev.Touched(
        piece=PieceKind.STRIKER, by=ev.TouchedBy.HAND, moved=True, evidence=DECLARED
    ),
    "striker_recalled_early": lambda: ev.StrikerRecalledEarly(evidence=DECLARED),
    "improper_stroke": lambda: ev.ImproperStroke(kind="push", evidence=DECLARED),
    "placement": lambda: ev.Placement(touches_both_lines=False, evidence=DECLARED),
}


def outcome_from(data: Mapping[str, Any], *, keep: StrokeOutcome | None = None) -> StrokeOutcome:
    """An outcome from its whole or its short form. ``keep``: of the stroke that is corrected;
    positions and times stay, and what the short form cannot say.

    Raises ``SchemaError`` (field, expected, got).
    """
    if not isinstance(data, Mapping):
        raise SchemaError("outcome", expected="an object", got=data)
    if not set(data) <= _SHORT_KEYS:
        return _CODEC.decode(StrokeOutcome, data)
    seat = _enum(Seat, data.get("seat"), "outcome.seat")
    events: list[ev.Event] = []
    first = data.get("first")
    if first == "none":
        events.append(ev.NoContact(evidence=DECLARED))
    elif first is not None:
        kind = _enum(PieceKind, first, "outcome.first")
        events.append(ev.FirstContact(piece=kind, evidence=DECLARED))
    for k, row in enumerate(data.get("pocketed", ())):
        kind = _enum(PieceKind, row.get("piece"), f"outcome.pocketed.{k}.piece")
        named = row.get("pocket")
        pocket = None if named is None else _enum(Pocket, named, f"outcome.pocketed.{k}.pocket")
        events.append(ev.Pocketed(piece=kind, pocket=pocket, evidence=DECLARED))
    for k, name in enumerate(data.get("left", ())):
        kind = _enum(PieceKind, name, f"outcome.left.{k}")
        events.append(ev.OffBoard(piece=kind, evidence=DECLARED))
    events += _striker(data.get("striker"))
    events += [_foul(name) for name in data.get("fouls", ())]
    if not any(isinstance(e, ev.Pocketed) for e in events):
        events.append(ev.NoPiecePocketed(evidence=DECLARED))
    if keep is None:
        return StrokeOutcome(seat=seat, events=tuple(events))
    return StrokeOutcome(
        seat=seat,
        events=tuple(events),
        placement_mm=keep.placement_mm,
        before=keep.before,
        after=keep.after,
        t_start_s=keep.t_start_s,
        t_end_s=keep.t_end_s,
    )


def short_form(outcome: StrokeOutcome) -> dict[str, Any]:
    """What the short form can say of an outcome."""
    pocketed, left, striker, first, fouls = [], [], "ok", None, []
    for event in outcome.events:
        match event:
            case ev.Pocketed(piece=PieceKind.STRIKER):
                striker = "pocketed"
            case ev.OffBoard(piece=PieceKind.STRIKER) | ev.OnFrame(piece=PieceKind.STRIKER):
                striker = "off"
            case ev.Pocketed():
                pocket = None if event.pocket is None else event.pocket.value
                pocketed.append({"piece": event.piece.value, "pocket": pocket})
            case ev.OffBoard() | ev.OnFrame():
                left.append(event.piece.value)
            case ev.FirstContact() if event.piece is not None:
                first = event.piece.value
            case ev.NoContact():
                first = "none"
            case ev.Touched() if event.moved:
                fouls.append("touched")
            case ev.StrikerRecalledEarly():
                fouls.append("striker_recalled_early")
            case ev.ImproperStroke():
                fouls.append("improper_stroke")
            case ev.Placement(touches_both_lines=False) | ev.Placement(on_area_line=False):
                fouls.append("placement")
    return {
        "seat": outcome.seat.value, "pocketed": pocketed, "left": left, "striker": striker,
        "first": first, "fouls": fouls,
    }  # fmt: skip


def _striker(fate: object) -> list[ev.Event]:
    if fate not in _STRIKER:
        raise SchemaError("outcome.striker", expected="pocketed, off or ok", got=fate)
    if fate == "pocketed":
        return [ev.Pocketed(piece=PieceKind.STRIKER, evidence=DECLARED)]
    if fate == "off":
        return [ev.OffBoard(piece=PieceKind.STRIKER, evidence=DECLARED)]
    return []


def _foul(name: object) -> ev.Event:
    make = _FOULS.get(str(name))
    if make is None:
        raise SchemaError("outcome.fouls", expected=", ".join(_FOULS), got=name)
    return make()


def _enum(kind: type[E], value: Any, where: str) -> E:
    try:
        return kind(value)
    except ValueError:
        names = ", ".join(str(one) for one in kind)
        raise SchemaError(where, expected=names, got=value) from None
