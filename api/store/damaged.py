"""A database file that cannot be read is moved aside with its date, never overwritten."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

from api.store.store_error import StoreError

__all__ = ["is_damaged", "move_aside"]

_SIDE_FILES = ("", "-wal", "-shm")
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def is_damaged(path: Path) -> str | None:
    """What is wrong with a SQLite file, ``None`` if nothing is or there is none yet.

    Raises ``StoreError`` where it cannot be looked at for another reason.
    """
    if not path.exists() or path.stat().st_size == 0:
        return None
    try:
        connection = sqlite3.connect(path, timeout=5.0)
        try:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()
        finally:
            connection.close()
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF in _DAMAGE:
            return str(error)
        raise StoreError(str(path), str(error)) from error
    text = str(found[0]) if found else "no answer"
    return None if text == "ok" else text.splitlines()[0]


def move_aside(path: Path, now: datetime | None = None) -> Path:
    """Give a damaged file and what belongs to it another name; the new name of the file itself.

    Raises ``StoreError`` if it cannot be moved: then nothing is written in its place.
    """
    stamp = (now or datetime.now(UTC)).strftime("%Y%m%dT%H%M%SZ")
    target = path.with_name(f"{path.name}.damaged-{stamp}")
    number = 1
    while any(Path(f"{target}{side}").exists() for side in _SIDE_FILES):
        number += 1
        target = path.with_name(f"{path.name}.damaged-{stamp}-{number}")
    try:
        for side in reversed(_SIDE_FILES):
            part = Path(f"{path}{side}")
            if part.exists():
                part.rename(f"{target}{side}")
    except OSError as error:
        raise StoreError(str(path), f"damaged, and cannot be moved: {error.strerror}") from error
    return target
