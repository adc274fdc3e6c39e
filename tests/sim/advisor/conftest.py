"""Situations that several advisor tests share, and an effort that costs next to nothing."""

import math

import pytest

from carrom.notation import parse_position
from referee.ruleset_files import load_laws
from sim.advisor.effort import Effort
from sim.advisor.situation import situation_of
from sim.advisor.sweep import Grid
from sim.advisor.thinking import best_advice, thoughts

TINY = Effort(
    grid=Grid(places=7, speeds_mm_s=(1500.0, 3000.0), step_rad=math.radians(3.0)),
    ghosts=7,
    kept=40,
    stages=((6, 16), (16, 8)),
    ideas=3,
    local=0,
    final=40,
    fresh=100,
)


@pytest.fixture(scope="session")
def laws():
    """The shipped rulesets by name."""
    return load_laws


@pytest.fixture
def ask():
    """Makes a situation from one-line notation."""

    def make(text, rules="icf", options=None, **words):
        return situation_of(parse_position(text), load_laws(rules, options), **words)

    return make


@pytest.fixture
def quick():
    """The advice of a tiny effort."""

    def think(situation, **words):
        words.setdefault("efforts", (TINY,))
        return best_advice(thoughts(situation, **words))

    return think
