"""Clips: the newest stay, and nobody else's file is touched."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from api.store.clip_shelf import ClipShelf
from api.store.match_store import MatchStore
from api.store.store_error import StoreFullError
from api.table.event_log import MatchMeta

NOW = datetime(2026, 12, 1, 10, 0, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[MatchStore]:
    opened = MatchStore(f"sqlite:///{tmp_path / 'a.db'}")
    opened.create(MatchMeta("m1", "icf", "", "2026-12-01T10:00:00Z", {}))
    yield opened
    opened.close()


def put(shelf: ClipShelf, stroke: str, size: int, at: datetime = NOW) -> Path:
    path = shelf.room()
    path.write_bytes(b"x" * size)
    shelf.add("m1", stroke, path, at)
    return path


def test_the_oldest_go_when_the_quota_is_passed(store: MatchStore, tmp_path: Path) -> None:
    """A season of matches must not fill the disk of a club."""
    shelf = ClipShelf(store, tmp_path / "clips", quota_bytes=250, keep_days=None)
    for n in range(4):
        put(shelf, str(n), 100, NOW + timedelta(minutes=n))
    assert [shelf.find("m1", str(n)) is not None for n in range(4)] == [False, False, True, True]
    assert len(list(shelf.folder.iterdir())) == 2


def test_old_clips_go(store: MatchStore, tmp_path: Path) -> None:
    """Hands and voices of guests are kept as long as was agreed."""
    shelf = ClipShelf(store, tmp_path / "clips", quota_bytes=10_000, keep_days=30)
    put(shelf, "old", 100, NOW)
    put(shelf, "new", 100, NOW + timedelta(days=31))
    assert shelf.find("m1", "old") is None
    assert shelf.find("m1", "new") is not None


def test_clips_go_with_their_match_and_others_files_stay(store: MatchStore, tmp_path: Path) -> None:
    """The folder may be one that somebody uses for other things too."""
    shelf = ClipShelf(store, tmp_path / "clips", quota_bytes=10_000, keep_days=None)
    clip = put(shelf, "1", 100)
    writing = shelf.room()
    writing.write_bytes(b"half")
    own = shelf.folder / "holiday.mp4"
    own.write_bytes(b"mine")
    os.utime(clip, (0, 0))
    store.delete("m1")
    assert shelf.sweep(NOW) == 1
    assert (clip.exists(), writing.exists(), own.exists()) == (False, True, True)


def test_a_second_clip_of_a_stroke_replaces_the_first(store: MatchStore, tmp_path: Path) -> None:
    """A correction is filmed anew with its overlay."""
    shelf = ClipShelf(store, tmp_path / "clips", quota_bytes=10_000, keep_days=None)
    put(shelf, "1", 100)
    second = put(shelf, "1", 50)
    assert shelf.find("m1", "1") == second


def test_no_clip_is_written_on_a_nearly_full_disk(
    store: MatchStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log of the match needs the room more."""
    import shutil

    usage = shutil.disk_usage(tmp_path)._replace(free=10 * 1024**2)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage)
    shelf = ClipShelf(store, tmp_path / "clips", quota_bytes=10_000, keep_days=None)
    with pytest.raises(StoreFullError, match="10 MiB free"):
        shelf.room()
