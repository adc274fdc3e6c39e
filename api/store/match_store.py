"""The log of matches in a database: ``api.table.event_log.EventLog``."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Engine, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from api.store.database import Database, store_errors
from api.store.tables import (
    delivery_table,
    event_table,
    kept_table,
    match_table,
    player_table,
)
from api.table.event_log import MatchMeta, Row
from carrom.errors import MatchError

__all__ = ["MatchStore"]


class MatchStore:
    """Keeps matches in a database. Safe for several threads; one writes at a time.

    What ``append`` has returned from is on the disk: it outlives the process and the power. All
    methods raise ``StoreError`` when the database fails; nothing is half done then.
    """

    def __init__(self, url: str) -> None:
        self._database = Database(url)
        self._writing = threading.Lock()
        self.where = self._database.where
        self.notices = self._database.notices

    @property
    def engine(self) -> Engine:
        """Where the rows lie, for whoever keeps what belongs to them."""
        return self._database.engine

    def close(self) -> None:
        """Let go of the database and its lock."""
        with self._writing:
            self._database.close()

    def create(self, meta: MatchMeta) -> None:
        """A new match without rows. Raises ``MatchError`` for an id that is taken."""
        with self.write() as connection:
            try:
                connection.execute(
                    insert(match_table).values(
                        id=meta.id,
                        started=meta.started,
                        changed=_now(),
                        rules=meta.rules,
                        title=meta.title,
                        over=meta.over,
                    )
                )
            except IntegrityError:
                raise MatchError(f"match {meta.id!r} is there already") from None
            if meta.players:
                connection.execute(
                    insert(player_table),
                    [
                        {"match_id": meta.id, "seat": str(seat), "name": name}
                        for seat, name in meta.players.items()
                    ],
                )

    def append(self, match_id: str, rows: Sequence[Row]) -> None:
        """All rows or none; on disk when this returns.

        Raises ``MatchError`` for a match that is not there, a number that is taken or a gap.
        """
        if not rows:
            return
        with self.write() as connection:
            _check_match(connection, match_id)
            last = _last_seq(connection, match_id)
            for expected, row in enumerate(rows, last + 1):
                if row.seq != expected:
                    raise MatchError(
                        f"event {row.seq} of match {match_id!r}: expected number {expected}"
                    )
            try:
                connection.execute(
                    insert(event_table),
                    [
                        {"match_id": match_id, "seq": row.seq, "kind": row.kind, "at": row.at,
                         "body": row.body, "actor": row.actor}
                        for row in rows
                    ],
                )  # fmt: skip
            except IntegrityError:  # another process wrote to the same PostgreSQL
                raise MatchError(f"event {last + 1} of match {match_id!r}: number taken") from None
            changed = update(match_table).where(match_table.c.id == match_id)
            connection.execute(changed.values(changed=rows[-1].at))

    def load(self, match_id: str) -> tuple[Row, ...]:
        """The rows of a match in order. Raises ``MatchError`` for a match that is not there."""
        with store_errors(self.where), self.engine.connect() as connection:
            _check_match(connection, match_id)
            return _rows(connection, match_id, after=0, most=None)

    def rows_after(self, match_id: str, seq: int, most: int) -> tuple[Row, ...]:
        """The rows behind number ``seq``, at most so many; none for a match that is not there."""
        with store_errors(self.where), self.engine.connect() as connection:
            return _rows(connection, match_id, after=seq, most=most)

    def finish(self, match_id: str, *, over: bool) -> None:
        """Note whether a match is over."""
        with self.write() as connection:
            _check_match(connection, match_id)
            changed = update(match_table).where(match_table.c.id == match_id)
            connection.execute(changed.values(over=over))

    def matches(self) -> tuple[MatchMeta, ...]:
        """All matches, the one that was played last first."""
        by_change = select(match_table).order_by(match_table.c.changed.desc(), match_table.c.id)
        with store_errors(self.where), self.engine.connect() as connection:
            players: dict[str, dict[str, str]] = {}
            for row in connection.execute(select(player_table)):
                players.setdefault(row.match_id, {})[row.seat] = row.name
            return tuple(
                MatchMeta(
                    id=row.id,
                    rules=row.rules,
                    title=row.title,
                    started=row.started,
                    players=players.get(row.id, {}),
                    over=row.over,
                )
                for row in connection.execute(by_change)
            )

    def delete(self, match_id: str) -> None:
        """Remove a match and all that belongs to it. Raises ``MatchError`` if it is not there."""
        with self.write() as connection:
            _check_match(connection, match_id)
            connection.execute(delete(match_table).where(match_table.c.id == match_id))

    def remember(self, key: str, value: Any) -> None:
        """Keep a small piece of JSON data beside the matches, in the place of what was there."""
        body = json.dumps(value, ensure_ascii=False, allow_nan=False)
        with self.write() as connection:
            connection.execute(delete(kept_table).where(kept_table.c.key == key))
            connection.execute(insert(kept_table).values(key=key, at=_now(), body=body))

    def recall(self, key: str) -> Any:
        """What was kept, or ``None``."""
        kept = select(kept_table.c.body).where(kept_table.c.key == key)
        with store_errors(self.where), self.engine.connect() as connection:
            row = connection.execute(kept).first()
        return None if row is None else json.loads(row.body)

    def delivered(self, target: str, match_id: str) -> int:
        """The number of the last event that arrived at a target; 0 if none has."""
        known = select(delivery_table.c.seq).where(
            delivery_table.c.target == target, delivery_table.c.match_id == match_id
        )
        with store_errors(self.where), self.engine.connect() as connection:
            row = connection.execute(known).first()
        return 0 if row is None else int(row.seq)

    def note_delivered(self, target: str, match_id: str, seq: int) -> None:
        """Events up to ``seq`` have arrived. Forgotten with the match."""
        here = (delivery_table.c.target == target) & (delivery_table.c.match_id == match_id)
        with self.write() as connection:
            done = connection.execute(update(delivery_table).where(here).values(seq=seq))
            if done.rowcount == 0:
                row = {"target": target, "match_id": match_id, "seq": seq}
                connection.execute(insert(delivery_table).values(row))

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction, one thread at a time. For what belongs to the matches."""
        with (
            self._writing,
            store_errors(self.where),
            self._database.engine.begin() as connection,
        ):
            yield connection


def _rows(
    connection: Connection, match_id: str, *, after: int, most: int | None
) -> tuple[Row, ...]:
    wanted = (
        select(event_table)
        .where(event_table.c.match_id == match_id, event_table.c.seq > after)
        .order_by(event_table.c.seq)
        .limit(most)
    )
    return tuple(
        Row(seq=row.seq, kind=row.kind, body=row.body, actor=row.actor, at=row.at)
        for row in connection.execute(wanted)
    )


def _last_seq(connection: Connection, match_id: str) -> int:
    last = select(func.max(event_table.c.seq)).where(event_table.c.match_id == match_id)
    return connection.execute(last).scalar() or 0


def _check_match(connection: Connection, match_id: str) -> None:
    there = select(match_table.c.id).where(match_table.c.id == match_id)
    if connection.execute(there).first() is None:
        raise MatchError(f"no match {match_id!r}")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
