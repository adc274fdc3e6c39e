"""Opens the database of a store: lock, damage, settings of SQLite, tables up to date."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, SQLAlchemyError

from api.store.damaged import is_damaged, move_aside
from api.store.schema import upgrade
from api.store.store_error import StoreError, StoreFullError
from api.store.store_lock import StoreLock

__all__ = ["Database", "store_errors"]

_BUSY_MS = 5000
_ELSEWHERE = "Choose another place with the setting store.url"


class Database:
    """A database that is ready for use. ``notices``: what a person should be told about opening it.

    ``url``: ``sqlite:///path`` or ``postgresql://…``. A SQLite file has one process at a time; a
    PostgreSQL database may serve several boards, whose matches have different ids. Raises
    ``StoreError``.
    """

    def __init__(self, url: str) -> None:
        parsed = _parsed(url)
        self.where = parsed.render_as_string(hide_password=True)
        self.path = _file_of(parsed)
        self.notices: tuple[str, ...] = ()
        self._lock: StoreLock | None = None
        if self.path is not None:
            self.where = str(self.path)
            self._prepare(self.path)
        try:
            self.engine = _engine(parsed, self.where)
            with store_errors(self.where), self.engine.begin() as connection:
                upgrade(connection, self.where)
        except BaseException:
            self.close()
            raise

    def _prepare(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            where = error.filename or str(path.parent)
            raise StoreError(where, f"cannot be made: {error.strerror}", _ELSEWHERE) from error
        self._lock = StoreLock(path)
        damage = is_damaged(path)
        if damage is not None:
            kept = move_aside(path)
            self.notices = (
                f"The matches in {path} could not be read ({damage}). They were moved to {kept}, "
                "nothing of them was changed; a new store was begun.",
            )

    def close(self) -> None:
        """Let go of file and lock. More than once does no harm."""
        engine = getattr(self, "engine", None)
        if engine is not None:
            engine.dispose()
        if self._lock is not None:
            self._lock.close()
            self._lock = None


def _parsed(url: str) -> URL:
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        raise StoreError("store.url", "an address that cannot be read", _ELSEWHERE) from None
    backend = parsed.get_backend_name()
    if backend not in ("sqlite", "postgresql"):
        expected = "expected sqlite:///path or postgresql://…"
        raise StoreError("store.url", f"{expected}, got {backend!r}")
    if backend == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise StoreError("store.url", "a SQLite store needs a file: sqlite:///path")
    if parsed.drivername == "postgresql":  # SQLAlchemy 2.0 would take another driver than 2.1
        return parsed.set(drivername="postgresql+psycopg")
    return parsed


def _file_of(url: URL) -> Path | None:
    return Path(url.database or "") if url.get_backend_name() == "sqlite" else None


def _engine(url: URL, where: str) -> Engine:
    try:
        engine = create_engine(url, pool_pre_ping=url.get_backend_name() != "sqlite")
    except ImportError as error:
        advice = "Install the extra `hall`: pip install 'carrom-umpire[hall]'"
        raise StoreError(where, f"needs a driver that is missing: {error.name}", advice) from error
    if url.get_backend_name() == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_up_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    """FULL, not NORMAL: with NORMAL a pulled plug may lose the last events (a killed process never
    does). At a few events a minute the sync is not felt."""
    connection.isolation_level = None  # or the driver begins transactions as it likes
    for pragma in (
        f"busy_timeout={_BUSY_MS}",
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Any) -> None:
    connection.exec_driver_sql("BEGIN")


@contextmanager
def store_errors(where: str) -> Iterator[None]:
    """Turns what the driver says into a ``StoreError`` that says what to do."""
    try:
        yield
    except DBAPIError as error:
        raise _told(error, where) from error
    except SQLAlchemyError as error:
        raise StoreError(where, str(error).splitlines()[0]) from error


def _told(error: DBAPIError, where: str) -> StoreError:
    cause = error.orig
    code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL or getattr(cause, "sqlstate", None) == "53100":
        return StoreFullError(where, "the disk is full", "Make room; play can then go on")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return StoreError(where, f"cannot be written: {cause}", _ELSEWHERE)
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        advice = "Start carrom again: it moves the file aside and begins a new one"
        return StoreError(where, f"damaged: {cause}", advice)
    if code == sqlite3.SQLITE_IOERR:
        return StoreError(where, f"the disk does not answer: {cause}", "Look at the disk")
    if error.connection_invalidated or isinstance(error, InterfaceError) or not code:
        return StoreError(where, _first_line(cause), "Is the database running and reachable?")
    return StoreError(where, _first_line(cause))


def _first_line(cause: object) -> str:
    lines = str(cause).strip().splitlines()
    return lines[0] if lines else type(cause).__name__
