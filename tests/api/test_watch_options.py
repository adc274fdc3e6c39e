"""Options of ``carrom watch`` and ``carrom evaluate films`` reach what they are meant for."""

from typing import Any

import pytest
from typer.testing import CliRunner

from api.cli import evaluate_films, watch_command
from api.cli.app import app


def test_watch_options(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every option arrives, and the exit code goes back."""
    given: list[Any] = []

    def run(source: str, asked: Any) -> int:
        given.extend([source, asked])
        return 3

    monkeypatch.setattr(watch_command, "run", run)
    words = "watch a.mp4 --rules hikone --players 4 --json - --option a=1 --option b=no --turn 2"
    result = CliRunner().invoke(app, [*words.split(), "--corners", "1,2 3,4 5,6 7,8"])
    assert result.exit_code == 3
    source, asked = given
    assert source == "a.mp4"
    assert (asked.rules, asked.players, asked.json, asked.turn) == ("hikone", 4, "-", 2)
    assert asked.options == ("a=1", "b=no")
    assert asked.corners == "1,2 3,4 5,6 7,8"


def test_film_options(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command is registered under its name."""
    given: dict[str, Any] = {}
    monkeypatch.setattr(evaluate_films, "run", lambda **options: given.update(options))
    words = "evaluate films --films 3 --first 9000100 --rules icf --eyes truth --notes"
    result = CliRunner().invoke(app, words.split())
    assert result.exit_code == 0
    assert (given["films"], given["first_seed"], given["rules"]) == (3, 9_000_100, ("icf",))
    assert (given["eyes"], given["notes"]) == ("truth", True)
