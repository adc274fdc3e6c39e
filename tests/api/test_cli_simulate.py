"""``carrom simulate``: told in words, in JSON, and drawn."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from api.cli.app import app
from carrom.codec import Codec
from carrom.errors import CarromError
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind

RUNNER = CliRunner()
STRAIGHT = ["simulate", "w+0.0+0.0", "--stroke", "S 90deg 1.5m/s"]


def test_a_straight_stroke_is_told() -> None:
    """What is touched, when, and where everything comes to rest."""
    done = RUNNER.invoke(app, STRAIGHT)
    assert done.exit_code == 0, done.output
    assert "first_contact(white)" in done.output
    assert "at rest" in done.output


def test_json_is_an_outcome_that_reads_back() -> None:
    """The same type that the camera produces."""
    done = RUNNER.invoke(app, [*STRAIGHT, "--json"])
    outcome = Codec().loads(StrokeOutcome, done.stdout)
    assert outcome.before is not None
    assert outcome.before.discs[-1].kind is PieceKind.STRIKER


@pytest.mark.parametrize("board", ["icf", "hikone"])
def test_the_picture_shows_every_disc_and_path(tmp_path: Path, board: str) -> None:
    """Well-formed, and with a line for every disc that moved."""
    svg = tmp_path / "paths.svg"
    arguments = ["simulate", "opening", "--board", board, "--stroke", "S 90deg 4m/s"]
    done = RUNNER.invoke(app, [*arguments, "--svg", str(svg)])
    assert done.exit_code == 0, done.output
    root = ElementTree.fromstring(svg.read_text("utf-8"))
    names = [element.tag.rpartition("}")[2] for element in root.iter()]
    assert names.count("polyline") > 5
    assert names.count("circle") > 19


def test_the_independent_engine_answers_too() -> None:
    """pymunk, slow: the same first contact."""
    done = RUNNER.invoke(app, [*STRAIGHT, "--engine", "pymunk"])
    assert done.exit_code == 0, done.output
    assert "first_contact(white)" in done.output


@pytest.mark.parametrize(
    "arguments",
    [
        ["simulate", "x+0.0", "--stroke", "S 90deg 1m/s"],
        ["simulate", "w+0.0+0.0", "--stroke", "S straight"],
        ["simulate", "r+0.0+0.0", "--stroke", "S 90deg 1m/s"],
        ["simulate", "w+900.0+0.0", "--stroke", "S 90deg 1m/s"],
        ["simulate", "w+0.0+0.0 b+1.0+0.0", "--stroke", "S 90deg 1m/s"],
        ["simulate", "w+0.0+0.0", "--stroke", "S 90deg 1m/s", "--board", "chess"],
        ["simulate", "w+0.0+0.0", "--stroke", "S 90deg 1m/s", "--engine", "magic"],
        ["simulate", "w+0.0+0.0", "--stroke", "S 90deg 1m/s", "--surface", "nowhere.toml"],
        [*STRAIGHT, "--svg", "no-such-folder/paths.svg"],
    ],
)
def test_what_cannot_be_meant_is_refused(arguments: list[str]) -> None:
    """A clear error, no made-up stroke."""
    done = RUNNER.invoke(app, arguments)
    assert isinstance(done.exception, CarromError), done.output
