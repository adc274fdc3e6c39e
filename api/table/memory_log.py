"""A log that lasts as long as the process: for tests, and for ``--no-store``."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from api.table.event_log import MatchMeta, Row
from carrom.errors import MatchError

__all__ = ["MemoryLog"]


class MemoryLog:
    """``EventLog`` in memory."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._metas: dict[str, MatchMeta] = {}
        self._rows: dict[str, list[Row]] = {}
        self._kept: dict[str, str] = {}

    def create(self, meta: MatchMeta) -> None:
        """A new match without rows."""
        with self._lock:
            if meta.id in self._metas:
                raise MatchError(f"match {meta.id!r} is there already")
            self._metas[meta.id], self._rows[meta.id] = meta, []

    def append(self, match_id: str, rows: Sequence[Row]) -> None:
        """All rows or none."""
        with self._lock:
            kept = self._of(match_id)
            for k, row in enumerate(rows):
                if row.seq != len(kept) + 1 + k:
                    raise MatchError(f"event {row.seq} of match {match_id!r}: number taken or gap")
            kept.extend(rows)

    def load(self, match_id: str) -> tuple[Row, ...]:
        """The rows of a match in order."""
        with self._lock:
            return tuple(self._of(match_id))

    def finish(self, match_id: str, *, over: bool) -> None:
        """Note whether a match is over."""
        with self._lock:
            self._of(match_id)
            self._metas[match_id] = replace(self._metas[match_id], over=over)

    def matches(self) -> tuple[MatchMeta, ...]:
        """All matches, the latest first."""
        with self._lock:
            return tuple(reversed(self._metas.values()))

    def delete(self, match_id: str) -> None:
        """Remove a match and its rows."""
        with self._lock:
            self._of(match_id)
            del self._metas[match_id], self._rows[match_id]

    def remember(self, key: str, value: Any) -> None:
        """Keep a small piece of JSON data."""
        with self._lock:
            self._kept[key] = json.dumps(value)

    def recall(self, key: str) -> Any:
        """What was kept, or ``None``."""
        with self._lock:
            return json.loads(self._kept[key]) if key in self._kept else None

    def _of(self, match_id: str) -> list[Row]:
        try:
            return self._rows[match_id]
        except KeyError:
            raise MatchError(f"no match {match_id!r}") from None
