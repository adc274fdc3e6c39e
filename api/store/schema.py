"""Brings a database to the tables of this version; refuses one that is ahead of it."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from api.store.store_error import NewerStoreError

__all__ = ["LATEST", "upgrade"]

LATEST = "0001"
"""The last file in ``migrations/versions``. Raised with each new one."""


def upgrade(connection: Connection, where: str) -> bool:
    """Apply what is missing; whether anything was. Raises ``NewerStoreError``."""
    found = _version(connection)
    if found == LATEST:
        return False
    if found is not None and found > LATEST:
        raise NewerStoreError(
            where,
            f"made by a newer version of carrom (its tables are {found}, this one knows {LATEST})",
            "Install that version, or choose another place with the setting store.url",
        )
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    return True


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    row = connection.execute(text("SELECT version_num FROM alembic_version")).first()
    return None if row is None else str(row[0])
