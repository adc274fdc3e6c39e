"""``carrom film``: what it writes, what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from carrom.errors import CarromError

pytest.importorskip("av")

from api.cli import film_command


def test_a_film_and_its_truth_are_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    video = tmp_path / "match.mp4"
    film_command.run(
        rules="icf", seed=7, minutes=0.05, output=video, fps=4.0, size="192x108",
        incidents=["lean-in"],
    )  # fmt: skip
    assert video.stat().st_size > 1000
    lines = (tmp_path / "match.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert rows[0]["type"] == "film"
    assert rows[0]["size_px"] == [192, 108]
    assert sum(row["type"] == "frame" for row in rows) == 13
    assert "13 frames" in capsys.readouterr().err


def test_a_script_is_filmed(tmp_path: Path) -> None:
    script = tmp_path / "script.toml"
    script.write_text('rules = "hikone"\nseconds = 2.0\nseed = 3\n', "utf-8")
    video = tmp_path / "match.mp4"
    film_command.run(script=script, output=video, fps=2.0, size="128x72", truth_every=50)
    header = json.loads((tmp_path / "match.jsonl").read_text("utf-8").splitlines()[0])
    assert header["family"] == "hikone"


@pytest.mark.parametrize(
    "options",
    [
        {"output": None},
        {"size": "big"},
        {"size": "127x72"},
        {"incidents": ["earthquake"]},
        {"rules": "chess"},
        {"fps": 0.0},
        {"output": Path("no-such-folder/x.mp4")},
        {"output": Path("x.txt")},
        {"output": Path("x.jsonl")},
        {"sheet": Path("no-such-folder/x.png")},
        {"sheet": Path("x.txt")},
    ],
)
def test_what_cannot_be_meant_is_refused(options: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(CarromError):
        film_command.run(**{"output": tmp_path / "x.mp4", "minutes": 0.02, **options})  # type: ignore[arg-type]
