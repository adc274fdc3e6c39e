"""A match in one of the forms it can leave in."""

from __future__ import annotations

from api.exports.csv_export import csv_export
from api.exports.json_export import json_export
from api.exports.score_sheet_page import score_sheet_page
from api.exports.sol_export import sol_export
from api.table.event_log import MatchMeta
from carrom.errors import FormatError
from referee.match import Match
from referee.phrases import Language

__all__ = ["FORMS", "export", "file_name"]

FORMS = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "sol": "application/octet-stream",
    "html": "text/html; charset=utf-8",
}
"""Forms with their media types."""


def export(match: Match, meta: MatchMeta, form: str, language: str = "en") -> bytes:
    """The match as ``json`` (all that happened), ``csv`` (a line a stroke), ``sol`` (for the SoL
    tournament manager) or ``html`` (the score sheet).

    Raises ``FormatError`` for another form or language, ``MatchError`` for a match that the form
    cannot hold.
    """
    speak = Language(language)
    match form:
        case "json":
            return json_export(match, meta)
        case "csv":
            return csv_export(match, speak)
        case "sol":
            return sol_export(match, meta)
        case "html":
            return score_sheet_page(match, meta, speak)
    raise FormatError("form", expected=f"one of {', '.join(FORMS)}", got=form)


def file_name(meta: MatchMeta, form: str) -> str:
    """A name for the download that every system takes: date, players, id."""
    names = "-".join(meta.players.values())
    plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in names)
    kept = "-".join(part for part in plain.split("-") if part)[:40]
    ident = "".join(c for c in meta.id if c.isascii() and c.isalnum())[:12]
    return (
        "-".join(part for part in ("carrom", meta.started[:10], kept, ident) if part) + f".{form}"
    )
