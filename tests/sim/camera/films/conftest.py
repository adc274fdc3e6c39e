from __future__ import annotations

import pytest

from sim.camera.films import Film, FilmScript, IncidentKind, Timeline, Wish, film_of, play

SIZE = (256, 144)

EVERY = tuple(Wish(kind) for kind in IncidentKind)


@pytest.fixture(scope="session")
def quiet() -> Timeline:
    """Incident-free strokes."""
    return play(FilmScript(rules="icf", seed=7, strokes=5))


@pytest.fixture(scope="session")
def eventful() -> Timeline:
    """One match in which everything happens."""
    return play(FilmScript(rules="icf", seed=1, strokes=16, wishes=EVERY))


@pytest.fixture(scope="session")
def small_film() -> Film:
    """A film small enough to be drawn in a test."""
    return film_of(FilmScript(rules="hikone", seed=5, strokes=1), size_px=SIZE)
