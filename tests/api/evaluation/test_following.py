"""Following is measured against the truth of films: first the measure itself has to be true."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from api.evaluation.films import scaled
from api.evaluation.follow_truth import compare_strokes, follow_film
from api.evaluation.outcome_diff import difference_of, rest_equal
from api.evaluation.true_views import PERFECT, ViewNoise, views_of
from carrom import events as ev
from carrom.doubts import Answer, Doubt, Question
from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from sim.camera.films import FilmScript, Timeline, film_of
from vision.table_events import StrokeSeen


@pytest.fixture(scope="module")
def film() -> Timeline:
    """Two strokes of an ICF match."""
    return film_of(FilmScript(rules="icf", seed=2, strokes=2)).timeline


def test_views_without_noise_are_the_truth(film: Timeline) -> None:
    """If perfect eyes erred, every figure would blame the wrong half."""
    (view,) = views_of(film, noise=PERFECT, t0_s=1.0, t1_s=1.0)
    assert view.look is not None
    seen = sorted((d.kind, round(d.x_mm, 6), round(d.y_mm, 6)) for d in view.look.discs)
    true = film.at(1.0).position()
    assert seen == sorted((d.kind, round(d.x_mm, 6), round(d.y_mm, 6)) for d in true)


def test_equal_seeds_give_equal_views(film: Timeline) -> None:
    """A mistake that cannot be seen again cannot be mended."""
    one, other = (
        list(views_of(film, noise=ViewNoise(), seed=3, t0_s=2.0, t1_s=3.0)) for _ in range(2)
    )
    assert [v.look for v in one] == [v.look for v in other]
    assert all(np.array_equal(a.covered, b.covered) for a, b in zip(one, other, strict=True))


@pytest.mark.slow
def test_a_plain_film_is_followed_exactly(film: Timeline) -> None:
    """Facts, rest and ruling of plain strokes are the least that may be expected."""
    tally = follow_film(film, fps=30.0, noise=ViewNoise(), seed=2)
    assert (tally.strokes, tally.found, tally.false) == (2, 2, 0), tally.notes
    assert (tally.exact, tally.rests, tally.ruled, tally.asked) == (2, 2, 2, 0), tally.notes


def test_the_truth_does_not_differ_from_itself(film: Timeline) -> None:
    """And nothing of it counts as asked."""
    record = film.match.strokes[0]
    found = difference_of(record.outcome, record.outcome, record.before, film.match.laws)
    assert (found.facts, found.ruling, found.asked, found.rest) == ((), False, False, False)


def test_one_man_too_many_in_a_pocket_is_a_wrong_ruling(film: Timeline) -> None:
    """A made-up pocketing must show in the facts and in what people feel."""
    record = film.match.strokes[0]
    kept = [e for e in record.outcome.events if not isinstance(e, ev.NoPiecePocketed)]
    wrong = replace(record.outcome, events=(*kept, ev.Pocketed(piece=PieceKind.STRIKER)))
    found = difference_of(wrong, record.outcome, record.before, film.match.laws)
    assert "+pocketed:striker:None" in found.facts
    assert found.ruling


def test_a_doubt_that_changes_no_ruling_is_not_asked(film: Timeline) -> None:
    """The referee leaves such questions out; they cost nobody a tap."""
    record = film.match.strokes[0]
    answers = (
        Answer(code="touched", likelihood=0.5, events=(ev.BouncedBack(piece=PieceKind.WHITE),)),
        Answer(code="nothing", likelihood=0.5),
    )
    doubt = Doubt(id="x", question=Question.WHICH_PIECE, answers=answers)
    found = difference_of(
        replace(record.outcome, doubts=(doubt,)), record.outcome, record.before, film.match.laws
    )
    assert not found.asked


def test_rests_are_equal_within_three_millimetres() -> None:
    """Places are measured, kinds and counts are not."""
    lies = Position((Disc(PieceKind.WHITE, 0, 0), Disc(PieceKind.BLACK, 50, 0)))
    near = Position((Disc(PieceKind.BLACK, 51, 1), Disc(PieceKind.WHITE, 1, -1)))
    far = Position((Disc(PieceKind.WHITE, 0, 4), Disc(PieceKind.BLACK, 50, 0)))
    swapped = Position((Disc(PieceKind.BLACK, 0, 0), Disc(PieceKind.WHITE, 50, 0)))
    assert rest_equal(lies, near)
    assert not rest_equal(lies, far)
    assert not rest_equal(lies, swapped)


def test_rests_are_compared_in_the_measures_of_the_film(film: Timeline) -> None:
    """A smaller board looks like the standard one: every rest was called wrong for its size."""
    record = film.strokes[0]
    assert record.outcome.after is not None
    larger = [replace(d, x_mm=d.x_mm * 1.08, y_mm=d.y_mm * 1.08) for d in record.outcome.after]
    outcome = replace(record.outcome, after=Position(tuple(larger)))
    events = [StrokeSeen(t_s=record.t_end_s + 0.3, number=1, outcome=outcome)]
    assert compare_strokes(film, events).rests == 0
    assert compare_strokes(film, scaled(events, 1 / 1.08)).rests == 1
