"""Where the log of a table is kept: append-only rows, numbered from 1 within a match.

The log is the truth (rule 5 of the design): whatever the table is, follows from it. A row is never
changed or removed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

__all__ = ["EventLog", "MatchMeta", "Row"]


@dataclass(frozen=True, slots=True)
class MatchMeta:
    """What a list of matches shows. ``started``: ISO 8601, UTC. ``over``: nothing can follow."""

    id: str
    rules: str
    title: str
    started: str
    players: Mapping[str, str]
    over: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One event. ``kind``: ``match`` (an event of ``referee.match_events``) or ``table`` (what the
    table itself must remember); ``body``: its JSON; ``actor``: who said so; ``at``: ISO 8601."""

    seq: int
    kind: str
    body: str
    actor: str
    at: str


class EventLog(Protocol):
    """Keeps matches. Safe for several threads. All methods may raise ``StoreError``."""

    def create(self, meta: MatchMeta) -> None:
        """A new match without rows."""
        ...

    def append(self, match_id: str, rows: Sequence[Row]) -> None:
        """All rows or none; on disk when this returns. Raises ``MatchError`` for a number that is
        taken: somebody else has written."""
        ...

    def load(self, match_id: str) -> tuple[Row, ...]:
        """The rows of a match in order. Raises ``MatchError`` for a match that is not there."""
        ...

    def finish(self, match_id: str, *, over: bool) -> None:
        """Note whether a match is over."""
        ...

    def matches(self) -> tuple[MatchMeta, ...]:
        """All matches, the latest first."""
        ...

    def delete(self, match_id: str) -> None:
        """Remove a match and its rows."""
        ...

    def remember(self, key: str, value: Any) -> None:
        """Keep a small piece of JSON data beside the matches (calibrations, set-up)."""
        ...

    def recall(self, key: str) -> Any:
        """What was kept, or ``None``."""
        ...
