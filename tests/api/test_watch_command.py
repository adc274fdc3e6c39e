"""``carrom watch``: exit codes, lines, what is written, bad input."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from api.cli import watch_command
from api.cli.watch_command import DONE, NO_BOARD, NO_SOURCE, WatchOptions, run
from api.watch.trace_file import TraceWriter, is_trace
from carrom.errors import CarromError, TraceError
from carrom.seats import Seat
from tests.api.watch.scripted import ScriptedTable, W, board_seen, stroke
from tests.vision.sources.clips import clip
from vision.table_events import StrikerPlaced, TableEvent
from vision.table_view import TableView


def _use(monkeypatch: pytest.MonkeyPatch, table_of: Any) -> list[ScriptedTable]:
    """Tables of our own in place of the networks; all that were made."""
    made: list[ScriptedTable] = []

    def pipeline_for(*_: object, **given: Any) -> ScriptedTable:
        table: ScriptedTable = table_of()
        made.append(table)
        return table

    monkeypatch.setattr(watch_command, "pipeline_for", pipeline_for)
    return made


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


SCRIPT: dict[int, Sequence[TableEvent]] = {
    5: [StrikerPlaced(t_s=0.2, seat=Seat.SOUTH, placement_mm=(0.0, -251.0))],
    80: [stroke(1, Seat.SOUTH, W)],
    110: [stroke(2, Seat.SOUTH)],
}


def test_recording(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every frame from the first, in order, each line with its time, clips and report beside."""
    made = _use(monkeypatch, lambda: ScriptedTable(SCRIPT, board=board_seen()))
    video = clip(tmp_path / "match.mp4", frames=130)
    out = tmp_path / "out.jsonl"
    asked = WatchOptions(
        json=str(out), clips=tmp_path / "clips", report=tmp_path / "r.html", names=("Asha", "Bo")
    )
    assert run(str(video), asked) == DONE
    rows = _lines(out)
    assert [row["type"] for row in rows] == ["source", "calibrated", "stroke", "stroke", "summary"]
    assert all("t_s" in row for row in rows)
    assert len(made) == 2
    assert made[0].seqs == list(range(6))
    assert made[1].seqs == list(range(130))
    assert made[1].finished == 1
    assert sorted(path.name for path in (tmp_path / "clips").iterdir()) == [
        "stroke_001.mp4", "stroke_002.mp4",
    ]  # fmt: skip
    page = (tmp_path / "r.html").read_text("utf-8")
    assert page.count("data:image/jpeg") == 4
    said = capsys.readouterr().out
    assert "Asha" in said
    assert "2 strokes" in said
    assert "times real time" in said


def test_two_players_may_sit_east_and_west(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody says how the camera hangs: the first striker shows where the players sit."""
    placed = StrikerPlaced(t_s=0.1, seat=Seat.EAST, placement_mm=(251.0, 0.0))
    script = {2: [placed], 60: [stroke(1, Seat.EAST, W)]}
    _use(monkeypatch, lambda: ScriptedTable(script, board=board_seen()))
    out = tmp_path / "out.jsonl"
    video = clip(tmp_path / "a.mp4", frames=90)
    assert run(str(video), WatchOptions(json=str(out), names=("Asha", "Bo"))) == DONE
    (row,) = [row for row in _lines(out) if row["type"] == "stroke"]
    assert (row["seat"], row["ruling"]["fouls"], row["ruling"]["next"]) == ("E", [], "E")
    assert _lines(out)[-1]["sheet"]["teams"] == {"A": "Bo", "B": "Asha"}


def test_json_on_standard_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With ``--json -`` nothing but JSON stands there."""
    _use(monkeypatch, lambda: ScriptedTable({}, board=board_seen()))
    assert run(str(clip(tmp_path / "a.mp4", frames=3)), WatchOptions(json="-")) == DONE
    captured = capsys.readouterr()
    assert [json.loads(line)["type"] for line in captured.out.splitlines()][-1] == "summary"
    assert "0 strokes" in captured.err


def test_no_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A video of something else ends with its own code and a way out."""
    _use(monkeypatch, lambda: ScriptedTable({}))
    assert run(str(clip(tmp_path / "cat.mp4", frames=3)), WatchOptions()) == NO_BOARD
    assert "--corners" in capsys.readouterr().err


def test_cannot_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Missing, broken and refused sources: code 2 and a message that names them."""
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"nothing" * 100)
    for source in (str(tmp_path / "missing.mp4"), str(broken), "file:///etc/passwd", "phone"):
        assert run(source, WatchOptions()) == NO_SOURCE
        assert "error:" in capsys.readouterr().err


def test_cut_off_recording_is_done_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was filmed counts; the last line says that there should be more."""
    _use(monkeypatch, lambda: ScriptedTable({}, board=board_seen()))
    video = clip(tmp_path / "a.mkv", frames=90)
    video.write_bytes(video.read_bytes()[: video.stat().st_size // 2])
    out = tmp_path / "out.jsonl"
    assert run(str(video), WatchOptions(json=str(out))) == DONE
    assert 10 < _lines(out)[-1]["frames"] < 90


@pytest.mark.parametrize(
    "asked",
    [
        WatchOptions(rules="nonsense"),
        WatchOptions(players=3),
        WatchOptions(rules="point_gamerules", players=2),
        WatchOptions(language="xx"),
        WatchOptions(corners="1,2 3,4"),
        WatchOptions(turn=4),
        WatchOptions(options=("free_removal",)),
        WatchOptions(options=("no_such_option=true",)),
        WatchOptions(report=Path("missing/folder/r.html")),
        WatchOptions(report=Path("r.pdf")),
        WatchOptions(json="missing/folder/o.jsonl"),
        WatchOptions(clips=Path("missing/folder/clips")),
        WatchOptions(names=("only one",)),
        WatchOptions(opener="E"),
    ],
)
def test_options_that_cannot_be_meant(tmp_path: Path, asked: WatchOptions) -> None:
    """Told before any work is done."""
    with pytest.raises(CarromError):
        run(str(tmp_path / "missing.mp4"), asked)


def test_trace_is_followed_without_video(tmp_path: Path) -> None:
    """A trace needs no networks; what is no match has no strokes, and twice the same lines."""
    path = tmp_path / "t.trace"
    table = ScriptedTable({}, board=board_seen())
    table.seqs.append(0)
    with TraceWriter(path, "a.mp4") as writer:
        writer.pipeline = table  # type: ignore[assignment]
        for k in range(30):
            writer.write(TableView(k / 30, k))
    assert is_trace(path)
    outs = [tmp_path / name for name in ("one.jsonl", "two.jsonl")]
    for out in outs:
        assert run(str(path), WatchOptions(json=str(out))) == DONE
    one, two = (_lines(out) for out in outs)
    assert one[:-1] == two[:-1]
    assert one[-1]["frames"] == 30
    path.write_text('{"trace": 99}\n')
    with pytest.raises(TraceError):
        run(str(path), WatchOptions())
