"""``carrom demo`` gives the promised result at once, in every ruleset and language."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from api.cli.app import app
from carrom.errors import CarromError
from referee.laws import Ruleset
from referee.phrases import Language

RUNNER = CliRunner()


@pytest.mark.parametrize("ruleset", list(Ruleset))
def test_the_demo_plays_a_board_to_its_end(ruleset: Ruleset) -> None:
    """Without a camera: strokes, rulings with clauses, the score sheet."""
    done = RUNNER.invoke(app, ["demo", "--text", "--rules", ruleset.value], env={"COLUMNS": "200"})
    assert done.exit_code == 0, done.output
    assert "total" in done.output
    assert "(ICF-" in done.output or ruleset is not Ruleset.ICF


@pytest.mark.parametrize("language", list(Language))
def test_the_demo_speaks_every_language(language: Language) -> None:
    """The word for the striker, as the players of that language say it."""
    word = {"en": "Striker", "ja": "ストライカー", "sv": "trikern", "hi": "स्ट्राइकर"}[language]
    asked = ["demo", "--text", "--language", language.value]
    done = RUNNER.invoke(app, asked, env={"COLUMNS": "200"})
    assert word in done.output


def test_what_cannot_be_meant_is_refused() -> None:
    """A typing error is no demo."""
    for arguments in (
        ["--rules", "snooker"],
        ["--language", "fr"],
        ["--svg", "no-such-folder/x.svg"],
    ):
        done = RUNNER.invoke(app, ["demo", "--text", *arguments])
        assert isinstance(done.exception, CarromError)


def test_the_picture_fetches_nothing(tmp_path: Path) -> None:
    """A picture that asks the network for a font breaks offline and tells where it is read."""
    path = tmp_path / "demo.svg"
    RUNNER.invoke(app, ["demo", "--text", "--svg", str(path)])
    text = path.read_text("utf-8")
    assert text.startswith("<svg")
    assert "@font-face" not in text
