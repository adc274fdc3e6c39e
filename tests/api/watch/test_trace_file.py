"""A trace is followed exactly as its source was, without pictures."""

import json
from pathlib import Path
from typing import Any

import pytest

from api.cli.watch_command import DONE, WatchOptions, run
from api.evaluation.true_views import views_of
from api.watch.ledger import Ledger
from api.watch.trace_file import TraceFollower, TraceWriter, is_trace
from carrom.boards import ICF_BOARD
from carrom.errors import SourceError
from carrom.seats import Seat
from referee.ruleset_files import load_laws
from sim.camera.films import FilmScript, film_of
from tests.api.watch.scripted import ScriptedTable
from vision.follower import Follower
from vision.table_view import TableView
from vision.trace import TraceHeader

SEATS = (Seat.SOUTH, Seat.NORTH)


@pytest.mark.slow
def test_replay_of_a_trace_is_exact(tmp_path: Path) -> None:
    """Bug reports are traces: what went wrong at the table must go wrong again, to the digit."""
    film = film_of(FilmScript(rules="icf", seed=41, strokes=2, players=2)).timeline
    path = tmp_path / "match.trace"
    ledger = Ledger(load_laws("icf"), {seat: seat.name.title() for seat in SEATS})
    follower, rows = Follower(film.board, seats=SEATS), list[dict[str, Any]]()
    table = ScriptedTable({})
    table.spec = film.board
    with TraceWriter(path, "film") as writer:
        writer.pipeline = table  # type: ignore[assignment]
        for view in views_of(film, fps=30.0, seed=41):
            writer.write(view)
            for event in follower.step(view):
                rows += ledger.take(event)
    for event in follower.finish():
        rows += ledger.take(event)
    out = tmp_path / "again.jsonl"
    assert run(str(path), WatchOptions(json=str(out))) == DONE
    again = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert again[1:-1] == json.loads(json.dumps(rows))
    assert [row["type"] for row in rows].count("stroke") == 2


def test_follower_of_a_trace_takes_no_frames() -> None:
    """It says so, instead of seeing nothing."""
    follower = TraceFollower(TraceHeader(ICF_BOARD), SEATS)
    assert follower.step_view(TableView(0.0, 0)) is not None
    assert follower.calibrated is None
    with pytest.raises(SourceError):
        follower.step(None)  # type: ignore[arg-type]


def test_other_files_are_no_traces(tmp_path: Path) -> None:
    """A video is told from a trace by its first bytes, a missing file by nothing."""
    other = tmp_path / "a.jsonl"
    other.write_text('{"type": "film"}\n')
    assert not is_trace(other)
    assert not is_trace(tmp_path / "missing")
    assert not is_trace(tmp_path)
