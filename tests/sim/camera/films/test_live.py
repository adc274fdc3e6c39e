"""Live mode: in order, at its time, closed from anywhere."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from carrom.errors import SchemaError
from sim.camera.films import Film, LiveFilm


def test_live_mode_yields_times_and_pictures(small_film: Film) -> None:
    live = LiveFilm(small_film.timeline, small_film.studio, fps=10.0, start_s=1.0)
    first = next(live)
    assert first.t_s == pytest.approx(1.0)
    assert first.image_bgr.shape == (144, 256, 3)
    assert live.size_px == (256, 144)
    assert np.array_equal(first.image_bgr, small_film.frame(1.0, 0).image_bgr)
    assert next(live).t_s == pytest.approx(1.1)


def test_it_ends_with_the_match(small_film: Film) -> None:
    end = small_film.timeline.duration_s
    live = LiveFilm(small_film.timeline, small_film.studio, fps=10.0, start_s=end - 0.25)
    assert len(list(live)) == 3


def test_nothing_comes_after_closing(small_film: Film) -> None:
    with LiveFilm(small_film.timeline, small_film.studio, fps=10.0) as live:
        next(live)
    assert live.closed
    assert list(live) == []
    live.close()


def test_closing_from_another_thread_ends_a_wait_at_once(small_film: Film) -> None:
    """One frame in ten seconds: a reader that waits for it must not hang at the end of a game."""
    live = LiveFilm(small_film.timeline, small_film.studio, fps=0.1, real_time=True)
    next(live)
    closer = threading.Timer(0.2, live.close)
    closer.start()
    start = time.monotonic()
    assert list(live) == []
    assert time.monotonic() - start < 3.0
    closer.join()


def test_real_time_is_kept(small_film: Film) -> None:
    live = LiveFilm(small_film.timeline, small_film.studio, fps=5.0, real_time=True)
    next(live)
    start = time.monotonic()
    next(live)
    next(live)
    assert time.monotonic() - start > 0.3


@pytest.mark.parametrize("wrong", [{"fps": 0.0}, {"fps": float("nan")}, {"start_s": -1.0}])
def test_times_that_cannot_be_meant_are_refused(small_film: Film, wrong: dict[str, float]) -> None:
    with pytest.raises(SchemaError):
        LiveFilm(small_film.timeline, small_film.studio, **wrong)
