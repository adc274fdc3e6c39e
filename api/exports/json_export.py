"""The whole match as JSON, and back: the log itself."""

from __future__ import annotations

import json
from typing import Any

from api.table.event_log import MatchMeta
from carrom.codec import SCHEMA
from carrom.errors import SchemaError
from referee.match import Match
from referee.match_events import CODEC, MatchEvent
from referee.score_sheet import score_sheet

__all__ = ["json_export", "read_json_export"]

_META = ("id", "rules", "title", "started", "over")


def json_export(match: Match, meta: MatchMeta) -> bytes:
    """``{"carrom_match": 1, "match": {...}, "log": [event, ...], "sheet": {...}}``.

    The log is all there is to know; the sheet is there for programs that do not judge.
    """
    data = {
        "carrom_match": SCHEMA,
        "match": {
            **{name: getattr(meta, name) for name in _META},
            "players": dict(meta.players),
        },
        "log": [CODEC.encode(event) for event in match.log],
        "sheet": score_sheet(match.state).to_data(),
    }
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode("utf-8")


def read_json_export(data: bytes) -> tuple[Match, MatchMeta]:
    """What ``json_export`` wrote, judged anew. Raises ``SchemaError``, and the match's own errors
    for a log that cannot have happened."""
    try:
        tree = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise SchemaError("export", expected="JSON", got=str(error)) from error
    if not isinstance(tree, dict) or tree.get("carrom_match") != SCHEMA:
        got = tree.get("carrom_match") if isinstance(tree, dict) else tree
        raise SchemaError("export.carrom_match", expected=str(SCHEMA), got=got)
    log = tree.get("log")
    if not isinstance(log, list):
        raise SchemaError("export.log", expected="a list", got=log)
    try:
        events = [
            CODEC.decode(MatchEvent, event, f"export.log[{i}]") for i, event in enumerate(log)
        ]
    except RecursionError as error:
        raise SchemaError("export.log", expected="shallow data", got="deep nesting") from error
    return Match.replay(events), _meta(tree.get("match"))


def _meta(data: Any) -> MatchMeta:
    if not isinstance(data, dict) or not isinstance(data.get("players"), dict):
        raise SchemaError("export.match", expected="an object with players", got=data)
    texts: dict[str, str] = {}
    for name in _META[:4]:
        value = data.get(name)
        if not isinstance(value, str):
            raise SchemaError(f"export.match.{name}", expected="text", got=value)
        texts[name] = value
    players = {str(seat): str(name) for seat, name in data["players"].items()}
    return MatchMeta(**texts, players=players, over=data.get("over") is True)
