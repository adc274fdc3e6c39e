"""Frames and files: reproducible, true to the plain renderer, timed exactly."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from referee.match import Match
from referee.match_events import CODEC, MatchEvent
from sim.camera.films import Film, FilmScript, film_of, frame_times

pytest.importorskip("av")

from sim.camera.films.write import read_times, write_film


def test_the_same_seed_gives_the_same_frames() -> None:
    script = FilmScript(rules="icf", seed=12, strokes=1)
    films = [film_of(script, size_px=(192, 108)) for _ in range(2)]
    start = films[0].timeline.strokes[0].t_start_s
    for t_s in (0.0, start - 0.2, start + 0.05):
        one, other = (film.frame(t_s, 3) for film in films)
        assert np.array_equal(one.image_bgr, other.image_bgr)
        assert one.truth == other.truth


def test_a_frame_does_not_depend_on_those_before(small_film: Film) -> None:
    start = small_film.timeline.strokes[0].t_start_s
    direct = small_film.frame(start + 0.3, 5).image_bgr
    for t_s in (0.0, start, start + 0.1):
        small_film.frame(t_s, 1)
    assert np.array_equal(small_film.frame(start + 0.3, 5).image_bgr, direct)


def test_composed_frames_look_as_rendered_ones(small_film: Film) -> None:
    start = small_film.timeline.strokes[0].t_start_s
    for t_s in (0.2, start - 0.3, start + 0.2):
        fast = small_film.frame(t_s, 2)
        slow = small_film.plain(t_s, 2)
        gap = np.abs(fast.image_bgr.astype(int) - slow.image_bgr)
        assert gap.mean() < 2.5
        assert (gap.max(axis=2) > 25).mean() < 0.004
        assert fast.truth is not None
        for mine, theirs in zip(fast.truth.discs, slow.truth.discs, strict=True):
            assert mine.visible == pytest.approx(theirs.visible, abs=0.1)
            assert mine.centre_px == pytest.approx(theirs.centre_px, abs=1e-6)


def test_the_file_keeps_uneven_times_and_the_truth(small_film: Film, tmp_path: Path) -> None:
    end = small_film.timeline.strokes[0].t_end_s
    times = frame_times(end + 1.2, fps=5.0, jitter=0.15, drop=0.2, seed=4)
    assert len(set(np.round(np.diff(times), 4))) > 3
    video, truth = tmp_path / "film.mp4", tmp_path / "film.jsonl"
    done = write_film(small_film, times, video, truth=truth, every=4)
    assert done.frames == len(times)
    assert read_times(video) == pytest.approx(times, abs=2e-5)

    rows = [json.loads(line) for line in truth.read_text("utf-8").splitlines()]
    shown = [row for row in rows if row["type"] == "frame"]
    assert [row["index"] for row in shown] == list(range(0, len(times), 4))
    strokes = [row for row in rows if row["type"] == "stroke"]
    assert len(strokes) == 1
    log = [CODEC.decode(MatchEvent, row["event"]) for row in rows if row["type"] == "match"]
    ruling = Match.replay(log).strokes[0].ruling
    assert CODEC.encode(ruling) == strokes[0]["ruling"]


def test_frame_times_rise_and_are_even_by_default() -> None:
    even = frame_times(1.0, fps=25.0)
    assert even == pytest.approx([k / 25 for k in range(26)])
    uneven = frame_times(5.0, fps=30.0, jitter=0.5, drop=0.3, seed=1)
    assert all(b > a for a, b in pairwise(uneven))
