from __future__ import annotations

import pytest

from sim.camera.films import Film, FilmScript, Timeline, film_of, play
from tests.sim.camera.films.promises import COMMON

SIZE = (256, 144)


@pytest.fixture(scope="session")
def quiet() -> Timeline:
    """Incident-free strokes."""
    return play(FilmScript(rules="icf", seed=7, strokes=5))


@pytest.fixture(scope="session")
def eventful() -> Timeline:
    """One match in which everything happens that both sides of any ruleset know."""
    return play(FilmScript(rules="icf", seed=1, strokes=16, wishes=COMMON))


@pytest.fixture(scope="session")
def small_film() -> Film:
    """A film small enough to be drawn in a test."""
    return film_of(FilmScript(rules="hikone", seed=5, strokes=1), size_px=SIZE)
