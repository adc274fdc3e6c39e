"""What is delivered, to whom, and what may go wrong. The log itself is the outbox."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from api.table.event_log import Row
from carrom.errors import CarromError

__all__ = ["DeliveryError", "Message", "Outbox", "Session", "Target", "message_of"]


class DeliveryError(CarromError):
    """Something did not arrive. ``again``: it may later; else this message never will."""

    def __init__(self, target: str, reason: str, *, again: bool) -> None:
        self.target, self.reason, self.again = target, reason, again
        super().__init__(f"{target}: {reason}")


@dataclass(frozen=True, slots=True)
class Message:
    """One event of the log. ``id``: always the same for the same event, so that whoever gets it
    twice can tell; ``data``: JSON."""

    id: str
    data: bytes


def message_of(match_id: str, row: Row, more: Mapping[str, Any] | None = None) -> Message:
    """The message of a row; ``more``: what the service adds (the call, the score)."""
    ident = f"{match_id}/{row.seq}"
    data = {
        "carrom_event": 1, "id": ident, "match": match_id, "seq": row.seq, "kind": row.kind,
        "at": row.at, "actor": row.actor, "body": json.loads(row.body), **(more or {}),
    }  # fmt: skip
    return Message(ident, json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode())


class Outbox(Protocol):
    """What has been written, and how much of it has arrived (``api.store.match_store``)."""

    def rows_after(self, match_id: str, seq: int, most: int) -> tuple[Row, ...]:
        """The rows behind a number."""
        ...

    def delivered(self, target: str, match_id: str) -> int:
        """The number of the last row that has arrived."""
        ...

    def note_delivered(self, target: str, match_id: str, seq: int) -> None:
        """Rows up to here have arrived."""
        ...


class Session(Protocol):
    """An open line to a target. All methods raise ``DeliveryError``."""

    async def send(self, message: Message) -> None:
        """Deliver one message; it has arrived when this returns."""
        ...

    async def show(self, state: bytes) -> None:
        """The state of the table now, in place of the last one."""
        ...

    async def lost(self) -> None:
        """Waits while the line holds; raises when it is gone."""
        ...


class Target(Protocol):
    """Who is told. ``name``: the same after a restart, without a password."""

    @property
    def name(self) -> str:
        """For the log, and for what has arrived."""
        ...

    def session(self) -> AbstractAsyncContextManager[Session]:
        """Opens a line; raises ``DeliveryError``."""
        ...
