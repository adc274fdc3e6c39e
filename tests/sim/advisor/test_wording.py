"""Advice in four languages: the same keys, nothing left unfilled, every kind and refusal told."""

import tomllib
from importlib import resources
from itertools import product

import pytest

from carrom.board_marks import Point
from carrom.pieces import PieceKind
from carrom.seats import Pocket, Seat
from carrom.stroke import Stroke
from referee.laws import Ruleset
from referee.phrases import Language
from referee.ruleset_files import load_laws
from sim.advisor.situation import situation_of
from sim.advisor.suggestion import (
    Advice,
    Aim,
    Chance,
    FrameSide,
    Fullness,
    Hardness,
    Leave,
    Refusal,
    ShotKind,
    Stage,
    Suggestion,
)
from sim.advisor.trials import trial_of
from sim.advisor.wording import tell, tell_refusal

HALF = Chance(0.5, 0.02, 1000)


def catalogue(language):
    path = resources.files("sim.advisor").joinpath(f"phrases/{language.value}.toml")
    return tomllib.loads(path.read_text("utf-8"))


def suggestion(kind=ShotKind.CUT, aim=None, along_mm=20.0, speed_mm_s=2100.0):
    return Suggestion(
        stroke=Stroke(
            seat=Seat.SOUTH,
            placement_mm=(along_mm, -252.6),
            angle_rad=1.5,
            speed_mm_s=speed_mm_s,
        ),
        kind=kind,
        along_mm=along_mm,
        hardness=Hardness.of(speed_mm_s),
        aim=aim,
        target=0,
        target_piece=PieceKind.QUEEN,
        pocket=Pocket.NORTH_EAST,
        chance=HALF,
        foul=HALF,
        value=0.0,
        leave=Leave(0.4, 0.3),
    )


def test_every_language_has_every_key():
    """A missing one would be found at the table."""
    english = catalogue(Language.ENGLISH)
    for language in Language:
        texts = catalogue(language)
        assert {g: set(t) for g, t in texts.items()} == {g: set(t) for g, t in english.items()}


@pytest.mark.parametrize("language", list(Language))
def test_every_kind_part_and_side_is_told_in_every_language(ask, language):
    """No brace is left, nothing is empty."""
    situation = ask("w+0.0+0.0 b+60.0+0.0 q+0.0+60.0")
    aims = [
        Aim(piece=PieceKind.WHITE, fullness=part, point_mm=Point(x, y))
        for part, x, y in product(Fullness, (-300.0, 0.0, 300.0), (-300.0, 0.0, 300.0))
    ]
    aims += [
        Aim(frame=side, along_mm=along, point_mm=Point(0.0, 0.0))
        for side, along in product(FrameSide, (-100.0, 100.0))
    ]
    for kind, aim in product(ShotKind, aims):
        text = tell(suggestion(kind, aim), situation, language)
        for line in (text.title, text.order, *text.odds):
            assert line
            assert "{" not in line
    for along in (-220.8, -50.0, 0.0, 50.0, 220.8):
        assert tell(suggestion(along_mm=along), situation, language).order


def test_words_say_how_hard_and_decimals_are_those_of_the_language(ask):
    """Words for people, numbers beside them."""
    situation = ask("w+0.0+0.0 b+60.0+0.0 q+0.0+60.0")
    assert "softly (0.6 m/s)" in tell(suggestion(speed_mm_s=600.0), situation, "en").order
    assert "mycket hårt (4,5 m/s)" in tell(suggestion(speed_mm_s=4500.0), situation, "sv").order


@pytest.mark.parametrize("refusal", list(Refusal))
def test_every_refusal_is_told(refusal):
    """Plainly, in four languages."""
    advice = Advice(seat=Seat.SOUTH, stage=Stage.FULL, refusal=refusal)
    told = {tell_refusal(advice, language) for language in Language}
    assert len(told) == 4
    assert tell_refusal(Advice(seat=Seat.SOUTH, stage=Stage.FULL), "en") is None


def test_pieces_have_the_words_of_the_ruleset(quick):
    """A pack in Hikone, a puck in Swedish, C/m by the Laws."""
    laws = {ruleset: load_laws(ruleset.value) for ruleset in Ruleset}
    situation = trial_of(0, laws).situation
    best = next(iter(quick(situation).all))
    assert "pack" in tell(best, situation, "en").order or best.aim.frame is not None
    icf = situation_of(situation.position, laws[Ruleset.HIKONE], state=situation.state)
    assert tell(best, icf, Language.JAPANESE).title
