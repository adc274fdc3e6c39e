"""Corrections that are likely asked for, the likeliest first: one tap each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from api.table.short_outcome import short_form
from carrom.pieces import PieceKind
from carrom.seats import Seat
from referee.match import StrokeRecord
from referee.phrases import Language

__all__ = ["likely_corrections"]

_WORDS = {
    "nothing": ("Nothing fell", "何も入らなかった", "Inget gick ner", "कुछ नहीं गिरा"),
    "striker_in": (
        "The striker fell in",
        "ストライカーが落ちた",
        "Strikern gick ner",
        "स्ट्राइकर गिरा",
    ),
    "striker_not": (
        "The striker did not fall",
        "ストライカーは落ちていない",
        "Strikern gick inte ner",
        "स्ट्राइकर नहीं गिरा",
    ),
    "fell": ("{0} fell in", "{0}が入った", "{0} gick ner", "{0} गिरा"),
    "other": ("{0} instead of {1}", "{1}ではなく{0}", "{0} i stället för {1}", "{1} की जगह {0}"),
    "not_this": ("{0} did not fall", "{0}は落ちていない", "{0} gick inte ner", "{0} नहीं गिरा"),
    "who": ("{0} struck", "打ったのは{0}", "{0} stötte", "{0} ने मारा"),
}
_KINDS = {
    PieceKind.WHITE: ("white", "白", "vit", "सफ़ेद"),
    PieceKind.BLACK: ("black", "黒", "svart", "काली"),
    PieceKind.QUEEN: ("the queen", "クイーン", "damen", "क्वीन"),
    PieceKind.RED: ("red", "赤", "röd", "लाल"),
    PieceKind.GREEN: ("green", "緑", "grön", "हरी"),
    PieceKind.JACK: ("the jack", "ジャック", "jacken", "जैक"),
}


def likely_corrections(record: StrokeRecord, seats: dict[Seat, str]) -> list[dict[str, Any]]:
    """``text`` per language and ``outcome`` in the short form. ``seats``: names of the players."""
    out: list[dict[str, Any]] = []
    for one in _corrections(record, seats):
        if all(one["outcome"] != other["outcome"] for other in out):
            out.append(one)
    return out


def _corrections(record: StrokeRecord, seats: dict[Seat, str]) -> Iterator[dict[str, Any]]:
    short = short_form(record.outcome)
    fell = short["pocketed"]
    men = [kind for kind in record.before.on_board if kind in _KINDS]
    for k, row in enumerate(fell):
        rest = fell[:k] + fell[k + 1 :]
        kind = PieceKind(row["piece"])
        yield _one("not_this", short | {"pocketed": rest}, kind)
        for other in men:
            if other is not kind and record.before.on_board.get(other, 0) > 0:
                swapped = [*fell[:k], row | {"piece": other.value}, *fell[k + 1 :]]
                yield _one("other", short | {"pocketed": swapped}, other, kind)
    if not fell:
        for kind in men:
            if record.before.on_board.get(kind, 0) > 0:
                yield _one(
                    "fell", short | {"pocketed": [{"piece": kind.value, "pocket": None}]}, kind
                )
    if len(fell) > 1:
        yield _one("nothing", short | {"pocketed": []})
    if short["striker"] == "pocketed":
        yield _one("striker_not", short | {"striker": "ok"})
    else:
        yield _one("striker_in", short | {"striker": "pocketed"})
    for seat, name in seats.items():
        if seat is not record.outcome.seat:
            yield {
                "text": _text("who", [(name or seat.value,) * 4]),
                "outcome": short | {"seat": seat.value},
            }


def _one(key: str, outcome: dict[str, Any], *kinds: PieceKind) -> dict[str, Any]:
    return {"text": _text(key, [_KINDS[kind] for kind in kinds]), "outcome": outcome}


def _text(key: str, names: list[tuple[str, ...]]) -> dict[str, str]:
    out = {}
    for k, language in enumerate(Language):
        words = _WORDS[key][k].format(*(name[k] for name in names))
        out[language.value] = words[:1].upper() + words[1:]
    return out
