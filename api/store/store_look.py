"""Looks at a store without changing it, for `carrom doctor`."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from api.store.damaged import is_damaged
from api.store.schema import LATEST
from api.store.store_error import NewerStoreError, StoreError
from api.store.store_lock import StoreLock

__all__ = ["look_at_store"]


def look_at_store(url: str) -> str:
    """What there is, in words. Raises ``StoreError`` and its kinds."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        raise StoreError("store.url", "an address that cannot be read") from None
    if parsed.get_backend_name() == "sqlite":
        return _sqlite(Path(parsed.database or ""))
    from api.store.match_store import MatchStore

    store = MatchStore(url)  # nothing less tells whether a server would let us in
    try:
        return f"{store.where}: {len(store.matches())} matches"
    finally:
        store.close()


def _sqlite(path: Path) -> str:
    if not path.exists():
        return f"{path}: will be made"
    StoreLock(path).close()
    damage = is_damaged(path)
    if damage is not None:
        raise StoreError(str(path), f"damaged: {damage}")
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        version = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        count = connection.execute("SELECT count(*) FROM match").fetchone()[0]
    except sqlite3.OperationalError:
        return f"{path}: empty"
    finally:
        connection.close()
    if version is not None and version[0] > LATEST:
        raise NewerStoreError(str(path), f"its tables are {version[0]}, this version has {LATEST}")
    return f"{path}: {count} matches"
