"""``carrom suggest``, ``carrom simulate match`` and ``carrom evaluate advice`` from outside."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from api.cli.app import app
from carrom.codec import Codec
from carrom.errors import CarromError
from carrom.notation import parse_position
from sim.advisor.suggestion import Advice

from .conftest import TINY

RUNNER = CliRunner()
OPEN = "w+310.0+300.0 w-100.0+60.0 b-120.0+200.0 q+0.0+0.0"


@pytest.fixture(autouse=True)
def _hurry(monkeypatch):
    """The commands under test think as little as can be."""
    import api.cli.advice_trials as trials
    import api.cli.suggest as suggest

    real = suggest.thoughts
    monkeypatch.setattr(
        suggest, "thoughts", lambda *a, **k: real(*a, **{**k, "efforts": (TINY, TINY)})
    )
    monkeypatch.setattr(trials, "FULL", TINY)


def test_suggestions_are_told():
    """Where to put the striker, where to aim, how hard, and the odds."""
    done = RUNNER.invoke(app, ["suggest", OPEN])
    assert done.exit_code == 0, done.output
    assert "Striker" in done.output
    assert "m/s" in done.output
    assert "%" in done.output


@pytest.mark.parametrize(
    ("language", "word"), [("ja", "ストライカー"), ("sv", "fickan"), ("hi", "पॉकेट")]
)
def test_in_the_language_asked_for(language, word):
    """The four of ``explain``."""
    done = RUNNER.invoke(app, ["suggest", OPEN, "--language", language])
    assert word in done.output


def test_json_reads_back_and_a_file_of_json_is_a_position(tmp_path: Path):
    """Both forms: what the codec writes, and what ``carrom detect --json`` prints."""
    plain = tmp_path / "position.json"
    plain.write_text(Codec().dumps(parse_position(OPEN)), "utf-8")
    seen = tmp_path / "seen.json"
    pieces = [
        {"kind": d.kind.value, "x_mm": d.x_mm, "y_mm": d.y_mm, "confidence": 0.9}
        for d in parse_position(OPEN)
    ]
    seen.write_text(json.dumps({"file": "a.jpg", "board": {}, "pieces": pieces}), "utf-8")
    advices = []
    for path in (plain, seen):
        done = RUNNER.invoke(app, ["suggest", str(path), "--json"])
        assert done.exit_code == 0, done.output
        advices.append(Codec().loads(Advice, done.stdout))
    assert advices[0].suggestions[0].stroke == advices[1].suggestions[0].stroke


def test_the_picture_is_well_formed(tmp_path: Path):
    """A line for every way that is drawn, a number for every suggestion."""
    svg = tmp_path / "advice.svg"
    done = RUNNER.invoke(app, ["suggest", OPEN, "--svg", str(svg)])
    assert done.exit_code == 0, done.output
    root = ElementTree.fromstring(svg.read_text("utf-8"))
    names = [element.tag.rpartition("}")[2] for element in root.iter()]
    assert names.count("polyline") >= 2
    assert "1" in [element.text for element in root.iter()]


@pytest.mark.parametrize(
    "arguments",
    [
        ["suggest", "x+0.0"],
        ["suggest", OPEN, "--rules", "chess"],
        ["suggest", OPEN, "--seat", "X"],
        ["suggest", OPEN, "--side", "red"],
        ["suggest", OPEN, "--skill", "expert"],
        ["suggest", OPEN, "--language", "xx"],
        ["suggest", OPEN, "--players", "5"],
        ["suggest", OPEN, "--queen", "gone"],
        ["suggest", OPEN, "--svg", "no-such-folder/a.svg"],
        ["suggest", "nowhere.json"],
        ["simulate", "match", "--rules", "point_gamerules"],
        ["simulate", "match", "--south", "slow:club"],
        ["simulate", "match", "--boards", "0"],
        ["evaluate", "advice", "--n", "0"],
        ["evaluate", "advice", "--resume", "no-such-folder/a.jsonl"],
        ["evaluate", "strength", "--duels", "1", "--solo", "0", "--rules", "point_gamerules"],
    ],
)
def test_what_cannot_be_meant_is_refused(arguments):
    """A clear error, no made-up advice."""
    done = RUNNER.invoke(app, arguments)
    assert isinstance(done.exception, CarromError), done.output


def test_an_empty_board_is_told_plainly():
    """No error: there is just nothing to strike."""
    done = RUNNER.invoke(app, ["suggest", "-"])
    assert done.exit_code == 0
    assert "no piece on the board" in done.output


def test_programs_play_a_board():
    """Greedy ones, quickly; statistics below."""
    arguments = ["simulate", "match", "--south", "greedy:strong", "--north", "greedy:strong"]
    done = RUNNER.invoke(app, [*arguments, "--boards", "1", "--seed", "3"])
    assert done.exit_code == 0, done.output
    assert "strokes per board" in done.output
    data = RUNNER.invoke(app, [*arguments, "--boards", "1", "--seed", "3", "--json"])
    assert json.loads(data.stdout)["strokes"] > 0


def test_one_stroke_is_still_simulated_without_a_sub_command():
    """``carrom simulate POSITION --stroke …`` as before."""
    done = RUNNER.invoke(app, ["simulate", "w+0.0+0.0", "--stroke", "S 90deg 1.5m/s"])
    assert done.exit_code == 0, done.output
    done = RUNNER.invoke(app, ["simulate", "--json", "w+0.0+0.0", "--stroke", "S 90deg 1.5m/s"])
    assert done.exit_code == 0, done.output


def test_a_calibration_goes_on_where_it_stopped(tmp_path: Path):
    """What is in the file is not measured again; a trial cut off in the middle is."""
    kept = tmp_path / "trials.jsonl"
    arguments = ["evaluate", "advice", "--strokes", "50", "--first", "0", "--resume", str(kept)]
    done = RUNNER.invoke(app, [*arguments, "--n", "2"])
    assert done.exit_code == 0, done.output
    first = kept.read_text("utf-8")
    whole = RUNNER.invoke(app, [*arguments, "--n", "2", "--json"])
    assert kept.read_text("utf-8") == first
    assert json.loads(whole.stdout)["fast engine"]["suggestions"] >= 2
    kept.write_text(first + '{"type": "suggestion", "trial": 99}\n', "utf-8")
    assert RUNNER.invoke(app, [*arguments, "--n", "2"]).exit_code == 0
    kept.write_text("no record\n", "utf-8")
    assert isinstance(RUNNER.invoke(app, arguments).exception, CarromError)
