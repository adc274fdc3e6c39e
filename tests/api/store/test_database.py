"""Opening a store: who else has it, what state it is in, where it cannot be."""

from __future__ import annotations

import os
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from api.store.damaged import is_damaged, move_aside
from api.store.database import Database
from api.store.match_store import MatchStore
from api.store.schema import LATEST
from api.store.store_error import NewerStoreError, StoreError, StoreInUseError
from api.store.tables import metadata
from api.table.event_log import MatchMeta

META = MatchMeta("m1", "icf", "", "2026-12-01T10:00:00Z", {})


def test_a_second_one_is_told_who_has_the_store(tmp_path: Path) -> None:
    """Two programs on one log would number their events alike."""
    url = f"sqlite:///{tmp_path / 'a.db'}"
    first = Database(url)
    with pytest.raises(StoreInUseError, match=f"process {os.getpid()}, since 2"):
        Database(url)
    first.close()
    Database(url).close()  # the lock file is still there, and stops nobody


def test_the_migrations_make_the_tables_of_the_code(tmp_path: Path) -> None:
    """A table changed in one place only would be found by the first user who upgrades."""
    database = Database(f"sqlite:///{tmp_path / 'a.db'}")
    with database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    database.close()
    here = Path(__file__).parents[3] / "api/store/migrations"
    assert ScriptDirectory(str(here)).get_current_head() == LATEST


def test_what_was_written_is_synced(tmp_path: Path) -> None:
    """A pulled plug loses no event only with these."""
    database = Database(f"sqlite:///{tmp_path / 'a.db'}")
    with database.engine.connect() as connection:
        found = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    database.close()
    assert found == {
        "journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 5000,
    }  # fmt: skip


def test_a_newer_store_is_left_alone(tmp_path: Path) -> None:
    """Going back to an old version must not break what the new one wrote."""
    path = tmp_path / "a.db"
    Database(f"sqlite:///{path}").close()
    connection = sqlite3.connect(path)
    connection.execute("UPDATE alembic_version SET version_num='9000'")
    connection.commit()
    connection.close()
    with pytest.raises(NewerStoreError, match="tables are 9000"):
        Database(f"sqlite:///{path}")
    assert is_damaged(path) is None
    with pytest.raises(NewerStoreError):  # and the lock was let go
        Database(f"sqlite:///{path}")


@pytest.mark.parametrize("kind", ["no database", "broken inside"])
def test_a_damaged_store_is_moved_aside(tmp_path: Path, kind: str) -> None:
    """Never overwritten: somebody may still get the matches out of it."""
    path = tmp_path / "a.db"
    store = MatchStore(f"sqlite:///{path}")
    for number in range(200):
        store.remember(f"k{number}", "x" * 500)
    store.close()
    data = bytearray(path.read_bytes())
    if kind == "no database":
        data[:100] = b"This is not a database. " * 4 + b"...."
    else:
        data[3 * 4096 :] = os.urandom(len(data) - 3 * 4096)
    path.write_bytes(data)

    again = MatchStore(f"sqlite:///{path}")
    assert again.matches() == ()
    again.create(META)
    again.close()
    [kept] = [p for p in tmp_path.iterdir() if ".damaged-" in p.name and "-wal" not in p.name]
    assert kept.read_bytes() == bytes(data)
    assert str(kept) in again.notices[0]


def test_two_damaged_stores_of_one_second_are_both_kept(tmp_path: Path) -> None:
    """A name that is taken is not taken twice."""
    now = datetime(2026, 12, 1, 10, 0, 0, tzinfo=UTC)
    names = []
    for content in ("one", "two"):
        path = tmp_path / "a.db"
        path.write_text(content)
        names.append(move_aside(path, now))
    assert [p.name for p in names] == ["a.db.damaged-20261201T100000Z",
                                       "a.db.damaged-20261201T100000Z-2"]  # fmt: skip
    assert [p.read_text() for p in names] == ["one", "two"]


def test_an_empty_file_is_a_new_store(tmp_path: Path) -> None:
    """What a process leaves that was killed in its first millisecond."""
    path = tmp_path / "a.db"
    path.touch()
    store = MatchStore(f"sqlite:///{path}")
    assert (store.matches(), store.notices) == ((), ())
    store.close()


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """A read-only home: say so and say what to do, before a match has begun."""
    blocked = tmp_path / "file"
    blocked.touch()
    with pytest.raises(StoreError, match=r"store\.url"):
        Database(f"sqlite:///{blocked / 'sub' / 'a.db'}")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_named(tmp_path: Path) -> None:
    """The same by rights."""
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(StoreError, match="cannot be written"):
            Database(f"sqlite:///{tmp_path / 'a.db'}")
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("", "cannot be read"),
        ("mysql://x/y", "expected sqlite"),
        ("sqlite://", "needs a file"),
        ("sqlite:///:memory:", "needs a file"),
        ("not a url", "cannot be read"),
    ],
)
def test_an_address_that_cannot_be_meant_is_refused(url: str, said: str) -> None:
    """A typo in the settings is named, not traced back."""
    with pytest.raises(StoreError, match=said):
        Database(url)


def test_a_password_stays_out_of_messages() -> None:
    """They end up in logs and screenshots."""
    with pytest.raises(StoreError) as caught:
        Database("postgresql://me:secret-word@127.0.0.1:1/db?connect_timeout=1")
    assert "secret-word" not in str(caught.value)
