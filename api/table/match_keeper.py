"""The match of a table and its log: what the desk changes is written before anybody hears of it."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from api.table.desk import Desk
from api.table.event_log import EventLog, MatchMeta, Row
from carrom.errors import CarromError, MatchError, SchemaError
from carrom.seats import Seat
from referee.match import StrokeRecord
from referee.match_events import MatchStarted
from referee.ruleset_files import load_laws
from referee.state import Phase as Play

__all__ = ["MatchKeeper"]


class MatchKeeper:
    """Holds at most one match. Not for several threads. The last match that is not over is taken
    up again at the start."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self.desk: Desk | None = None
        self.meta: MatchMeta | None = None
        open_ones = [meta for meta in log.matches() if not meta.over]
        if open_ones:
            try:
                self.resume(open_ones[0].id)
            except CarromError:
                return  # unreadable: it stays stored as it is, and resuming it says why

    @property
    def seq(self) -> int:
        """Number of the latest event; 0 without a match."""
        return 0 if self.desk is None else self.desk.seq

    def playing(self) -> Desk:
        """The desk. Raises ``MatchError`` when no match is played."""
        if self.desk is None:
            raise MatchError("no match is being played: begin one, or resume one")
        return self.desk

    def record(self, number: int) -> StrokeRecord:
        """A stroke by its number from 1. Raises ``MatchError``."""
        strokes = self.playing().match.strokes
        if not 1 <= number <= len(strokes):
            raise MatchError(f"no stroke {number!r}; the match has {len(strokes)}")
        return strokes[number - 1]

    def begin(self, data: Mapping[str, Any]) -> str:
        """A new match; its id. Raises ``SchemaError`` for what cannot be meant."""
        start, mode, title = _start_of(data)
        desk = Desk.begin(start, mode=mode, title=title)
        players = {seat.value: name for seat, name in start.players.items()}
        meta = MatchMeta(uuid.uuid4().hex[:12], start.laws.ruleset.value, title, _utc(), players)
        self._log.create(meta)
        rows = [Row(k, r.kind, r.body, "table", _utc()) for k, r in enumerate(desk.rows, 1)]
        self._log.append(meta.id, rows)
        self.desk, self.meta = desk, meta
        return meta.id

    def resume(self, match_id: str) -> None:
        """Make a stored match the present one; the one before is as it was."""
        rows, meta = self._log.load(match_id), self.meta_of(match_id)
        self.desk, self.meta = Desk((row.kind, row.body) for row in rows), meta

    def delete(self, match_id: str) -> None:
        """Remove a stored match; the present one only while nothing has been played."""
        if self.meta is not None and self.meta.id == match_id:
            if self.desk is not None and self.desk.match.strokes:
                raise MatchError("this match is being played; begin or resume another first")
            self.desk, self.meta = None, None
        self._log.delete(match_id)

    def meta_of(self, match_id: str) -> MatchMeta:
        """What is known of a stored match. Raises ``MatchError``."""
        for meta in self._log.matches():
            if meta.id == match_id:
                return meta
        raise MatchError(f"no match {match_id!r}")

    def change(self, change: Callable[[Desk], None], actor: str) -> None:
        """Change the desk, then the log; if either refuses, both are as they were."""
        desk, meta = self.playing(), self.meta
        assert meta is not None
        known = desk.seq
        try:
            change(desk)
            at = _utc()
            rows = [
                Row(known + 1 + k, row.kind, row.body, actor, at)
                for k, row in enumerate(desk.rows[known:])
            ]
            if rows:
                self._log.append(meta.id, rows)
        except CarromError:
            if desk.seq > known:
                self.desk = desk.as_of(known)
            raise
        over = desk.match.state.phase is Play.MATCH_OVER
        if over != meta.over:
            self._log.finish(meta.id, over=over)
            self.meta = replace(meta, over=over)

    def list(self) -> list[dict[str, Any]]:
        """All stored matches, the latest first."""
        return [
            {
                "id": m.id, "rules": m.rules, "title": m.title, "started": m.started,
                "players": dict(m.players), "over": m.over,
                "current": self.meta is not None and m.id == self.meta.id,
            }
            for m in self._log.matches()
        ]  # fmt: skip

    def export(self, match_id: str, form: str) -> bytes:
        """A match as ``json``, ``csv``, ``sol`` or ``html``."""
        from api.exports.export import export

        rows, meta = self._log.load(match_id), self.meta_of(match_id)
        return export(Desk((row.kind, row.body) for row in rows).match, meta, form)


def _start_of(data: Mapping[str, Any]) -> tuple[MatchStarted, str, str]:
    rules, options = data.get("rules"), data.get("options") or {}
    if not isinstance(rules, str) or not isinstance(options, Mapping):
        raise SchemaError("rules", expected="the name of a ruleset", got=rules)
    laws = load_laws(rules, dict(options))
    players = data.get("players")
    if not isinstance(players, Mapping) or not players:
        raise SchemaError("players", expected="names by seat", got=players)
    named = {_seat("players", seat): str(name) for seat, name in players.items()}
    opener = _seat("opener", data.get("opener", next(iter(players))))
    mode = data.get("mode", "casual")
    if mode not in ("casual", "tournament"):
        raise SchemaError("mode", expected="casual or tournament", got=mode)
    start = MatchStarted(id="start", laws=laws, players=named, opener=opener)
    return start, mode, str(data.get("title") or "")


def _seat(field: str, value: Any) -> Seat:
    try:
        return Seat(value)
    except ValueError:
        raise SchemaError(field, expected="seats S, W, N, E", got=value) from None


def _utc() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
