from __future__ import annotations

import pytest

from carrom.errors import LawsError, SchemaError
from referee.options import CarromSeOptions
from sim.camera.films import FilmScript, IncidentKind, Wish, parse_script, play

_TEXT = """
rules = "icf"
seed = 7
strokes = 2
skills = [0.9, 0.5]

[[incident]]
kind = "lean_in"
stroke = 2

[[stroke]]
number = 1
text = "S@0 90deg 5m/s"
"""


def test_a_script_reads_from_toml() -> None:
    script = parse_script(_TEXT)
    assert script.wishes == (Wish(IncidentKind.LEAN_IN, 2),)
    assert script.skills == (0.9, 0.5)
    assert script.forced == {1: "S@0 90deg 5m/s"}


def test_a_forced_stroke_is_played() -> None:
    stroke = play(parse_script(_TEXT)).strokes[0].stroke
    assert stroke.speed_mm_s == pytest.approx(5000)


@pytest.mark.parametrize(
    "text",
    [
        "tempo = 3",
        "strokes = 0",
        "seconds = nan",
        "skills = [2.0]",
        "[[incident]]\nkind = 'earthquake'",
        "[[stroke]]\nnumber = 1",
        "incident_rate = 1.5",
        "= 3",
        "clock = 1",
        "options = 3",
    ],
)
def test_what_cannot_be_meant_is_refused(text: str) -> None:
    with pytest.raises(SchemaError):
        parse_script(text)


def test_options_flip_the_laws() -> None:
    text = "rules = 'carrom_se'\nclock = true\n[options]\nfree_removal = true"
    script = parse_script(text)
    assert script.clock
    options = script.laws().options
    assert isinstance(options, CarromSeOptions)
    assert options.free_removal
    with pytest.raises(LawsError):
        parse_script("[options]\nfree_removal = true").laws()


def test_an_incident_that_the_rules_do_not_know_is_refused() -> None:
    """It would be waited for in vain through the whole film."""
    script = FilmScript(rules="icf", strokes=1, wishes=(Wish(IncidentKind.JACK_TOPPLED),))
    with pytest.raises(SchemaError, match="jack_toppled"):
        play(script)


def test_a_film_without_length_lasts_a_minute() -> None:
    assert FilmScript().seconds == 60.0
