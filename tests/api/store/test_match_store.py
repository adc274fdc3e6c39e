"""Matches in a database: what was stored comes back, and nothing else."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.store.match_store import MatchStore
from api.store.store_error import StoreError, StoreFullError
from api.table.event_log import MatchMeta, Row
from carrom.errors import MatchError
from carrom.outcome import StrokeOutcome
from carrom.seats import Seat
from referee.match import Match
from referee.match_events import CODEC, MatchEvent, MatchStarted
from referee.ruleset_files import load_laws

META = MatchMeta("m1", "icf", "Final", "2026-12-01T10:00:00Z", {"S": "Asha", "N": "Bö 勝"})


def row(seq: int, body: str = "{}", at: str = "2026-12-01T10:00:00Z") -> Row:
    return Row(seq=seq, kind="match", body=body, actor="camera", at=at)


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'matches.db'}"


@pytest.fixture
def store(url: str) -> Iterator[MatchStore]:
    opened = MatchStore(url)
    yield opened
    opened.close()


def test_a_match_comes_back_after_a_restart(url: str) -> None:
    """Resume is a replay of what lies on the disk, in whatever language the names are."""
    start = MatchStarted(
        id="1",
        laws=load_laws("icf"),
        players={Seat.SOUTH: "Asha", Seat.NORTH: "Bö 勝"},
        opener=Seat.SOUTH,
    )
    match = Match(start)
    for _ in range(3):
        match.play(StrokeOutcome(seat=match.state.turn, events=()))
    store = MatchStore(url)
    store.create(META)
    store.append("m1", [row(n, CODEC.dumps(event)) for n, event in enumerate(match.log, 1)])
    store.close()

    again = MatchStore(url)
    events = [CODEC.loads(MatchEvent, kept.body) for kept in again.load("m1")]
    assert Match.replay(events).state == match.state
    assert again.matches() == (META,)
    again.close()


def test_a_number_is_given_once_and_none_is_left_out(store: MatchStore) -> None:
    """Two who correct at once: the later one must see what the first did."""
    store.create(META)
    store.append("m1", [row(1), row(2)])
    for wrong in (2, 4):
        with pytest.raises(MatchError, match="expected number 3"):
            store.append("m1", [row(wrong)])
    assert [kept.seq for kept in store.load("m1")] == [1, 2]


def test_rows_are_stored_together_or_not_at_all(store: MatchStore) -> None:
    """A correction of two events that is stored by half is another correction."""
    store.create(META)
    with pytest.raises(MatchError):
        store.append("m1", [row(1), row(3)])
    assert store.load("m1") == ()


def test_the_match_played_last_comes_first(store: MatchStore) -> None:
    """Resume offers what people most likely want."""
    for name in ("a", "b"):
        store.create(MatchMeta(name, "icf", "", "2026-12-01T10:00:00Z", {}))
    store.append("a", [row(1, at="2126-12-01T12:00:00Z")])
    store.finish("b", over=True)
    assert [(meta.id, meta.over) for meta in store.matches()] == [("a", False), ("b", True)]


def test_deleting_removes_all_that_belongs_to_a_match(store: MatchStore, url: str) -> None:
    """Who asks for his match to be removed means his name too."""
    store.create(META)
    store.append("m1", [row(1)])
    store.note_delivered("hook", "m1", 1)
    store.delete("m1")
    connection = sqlite3.connect(url.removeprefix("sqlite:///"))
    counts = [
        connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        for table in ("match", "player", "event", "delivery")
    ]
    connection.close()
    assert counts == [0, 0, 0, 0]


def test_what_is_not_there_is_said(store: MatchStore) -> None:
    """A page with an old link."""
    for call in (
        lambda: store.load("x"),
        lambda: store.append("x", [row(1)]),
        lambda: store.delete("x"),
        lambda: store.finish("x", over=True),
    ):
        with pytest.raises(MatchError, match="no match 'x'"):
            call()
    store.create(META)
    with pytest.raises(MatchError, match="there already"):
        store.create(META)


def test_small_things_are_kept_and_replaced(store: MatchStore) -> None:
    """Calibrations are remembered by camera; the last one counts."""
    assert store.recall("camera") is None
    store.remember("camera", {"corners": [1.5, 2]})
    store.remember("camera", {"corners": [3]})
    assert store.recall("camera") == {"corners": [3]}


def test_deliveries_are_remembered_by_target(store: MatchStore) -> None:
    """After a restart a webhook gets what it has not had, once."""
    store.create(META)
    store.append("m1", [row(n) for n in range(1, 6)])
    assert store.delivered("hook", "m1") == 0
    store.note_delivered("hook", "m1", 2)
    store.note_delivered("hook", "m1", 3)
    assert store.delivered("hook", "m1") == 3
    assert [kept.seq for kept in store.rows_after("m1", 3, 10)] == [4, 5]
    assert [kept.seq for kept in store.rows_after("m1", 0, 2)] == [1, 2]


def test_several_threads_write_and_read(store: MatchStore) -> None:
    """The camera's thread appends while pages read."""
    store.create(META)
    numbers = iter(range(1, 41))
    lock, failures = threading.Lock(), []

    def work() -> None:
        for _ in range(10):
            try:
                with lock:
                    store.append("m1", [row(next(numbers))])
                store.load("m1")
            except (MatchError, StoreError) as error:
                failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(store.load("m1")) == 40


def test_a_full_disk_refuses_and_keeps(store: MatchStore) -> None:
    """What was refused is not half stored, and play goes on when there is room again."""
    store.create(META)
    store.append("m1", [row(1)])
    with store.engine.connect() as connection:  # the pool hands the same connection out again
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
        connection.rollback()
    with pytest.raises(StoreFullError, match="the disk is full"):
        store.append("m1", [row(2, body='"' + "x" * 100_000 + '"')])
    assert [kept.seq for kept in store.load("m1")] == [1]
    with store.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count=1000000")
        connection.rollback()
    store.append("m1", [row(2)])
    assert len(store.load("m1")) == 2
