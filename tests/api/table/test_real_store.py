"""The table over the real database: killed without a word, it comes back the same."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from api.store.clip_shelf import ClipShelf
from api.store.match_store import MatchStore
from api.table.table_service import TableService
from carrom.errors import MatchError
from carrom.pieces import PieceKind
from carrom.position import Disc
from tests.api.table.seen_strokes import LIVE, see, seen_stroke
from tests.api.table.tables import PLAYERS, miss, tell
from vision.frames import Frame
from vision.table_events import Returned


def test_a_killed_table_comes_back_from_its_database(tmp_path: Path) -> None:
    """State, what was put back and a mask survive; the files are those of a table never closed."""
    there, copy = tmp_path / "there", tmp_path / "copy"
    there.mkdir()
    kept = MatchStore(f"sqlite:///{there / 'matches.db'}")
    first = TableService(kept)
    first.new_match({"rules": "icf", "players": PLAYERS["icf"], "opener": "S"})
    see(first, seen_stroke(PieceKind.WHITE, PieceKind.STRIKER))
    see(first, Returned(t_s=103.0, disc=Disc(PieceKind.WHITE, 0.0, 0.0), order=1))
    tell(first, "mask", x=1.0, y=2.0, radius=3.0)
    shutil.copytree(there, copy, ignore=shutil.ignore_patterns("*lock*"))
    store = MatchStore(f"sqlite:///{copy / 'matches.db'}")
    again = TableService(store)
    mine, theirs = first.snapshot(), again.snapshot()
    for key in ("seq", "state", "match", "calls"):
        same = [{**one, "clip": False} for one in mine[key]] if key == "calls" else mine[key]
        assert theirs[key] == same, key
    assert miss(again)["seq"] == mine["seq"] + 1
    assert store.recall("masks") == [[1.0, 2.0, 3.0]]
    for one in (kept, store):
        one.close()


def test_a_clip_outlives_the_pictures_it_was_made_of(tmp_path: Path) -> None:
    """Exported once, it can be had again after a restart; what was never exported is told."""
    pytest.importorskip("av")
    store = MatchStore(f"sqlite:///{tmp_path / 'matches.db'}")
    shelf = ClipShelf(store, tmp_path / "clips", quota_bytes=10_000_000, keep_days=None)
    table = TableService(store, shelf=shelf)
    table.new_match({"rules": "icf", "players": PLAYERS["icf"], "opener": "S"})
    picture = np.full((64, 96, 3), 90, dtype=np.uint8)
    for k in range(30):
        table.take_frame(Frame(picture, 98.0 + k / 30, k), LIVE, ())
    see(table, seen_stroke(PieceKind.WHITE), t_s=99.3)
    made = table.clip(1)
    assert made.stat().st_size > 500
    again = TableService(store, shelf=shelf)
    assert again.clip(1) == made
    made.unlink()
    with pytest.raises(MatchError):
        again.clip(1)
    store.close()
