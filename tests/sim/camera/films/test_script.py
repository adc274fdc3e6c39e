from __future__ import annotations

import pytest

from carrom.errors import SchemaError
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
    ],
)
def test_what_cannot_be_meant_is_refused(text: str) -> None:
    with pytest.raises(SchemaError):
        parse_script(text)


def test_a_film_without_length_lasts_a_minute() -> None:
    assert FilmScript().seconds == 60.0
