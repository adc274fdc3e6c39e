"""Flawless eyes get full marks; each fault costs what it should, and only that."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from api.judge_renders import FIRST_SEED, RenderJob, render_jobs, rendered
from api.picture_judge import judge, quarter_turns
from api.picture_row import Frame, Lie, PictureRow, SeenDisc, Setting, TrueDisc
from api.picture_scores import Scores, is_exact, pair_up, scores_of
from api.picture_tables import markdown, scores_data
from carrom.board_spec import BoardFamily
from carrom.codec import Codec
from carrom.pieces import PieceKind
from sim.camera import render, sample_scene
from tests.api.perfect_sight import perfect_sight
from vision.eyes import Sight

W, B, Q = PieceKind.WHITE, PieceKind.BLACK, PieceKind.QUEEN
SETTING = Setting("made up", "some", Frame.BOARD, tolerance=2.0)


@cache
def flawless(seed: int, family: BoardFamily, turns: int, scale: float) -> PictureRow:
    job = RenderJob(FIRST_SEED + seed, family, (480, 360))
    _, truth = rendered(job)
    scene = sample_scene(job.seed, family=job.family, size_px=job.size_px)
    return judge(truth, perfect_sight(scene, render(scene), turns=turns, scale=scale), seconds=0.1)


@pytest.mark.parametrize("family", list(BoardFamily))
@pytest.mark.parametrize(("turns", "scale"), [(0, 1.0), (1, 1.0), (2, 0.9), (3, 1.1)])
def test_flawless_eyes_get_full_marks(family: BoardFamily, turns: int, scale: float) -> None:
    """Whichever side they call north and however large they think the board is.

    Nothing in a picture tells either, so neither may cost a point.
    """
    rows = [flawless(seed, family, turns, scale) for seed in (3, 4)]
    got = scores_of(rows)
    assert got.boards_found == (2, 2)
    assert got.corners_right == (2, 2)
    assert got.corner_error is not None
    assert got.corner_error.p95 < 1e-6
    assert got.recall[0] == got.recall[1] > 10
    assert got.precision[0] == got.precision[1] >= got.recall[1]
    assert got.kind_right[0] == got.kind_right[1]
    assert got.map50 == got.map50_95 == 1.0
    assert got.centre_mm is not None
    assert got.centre_mm.p95 < 1e-6
    assert got.exact_rests[0] == got.exact_rests[1]


def row(truths: list[TrueDisc], seen: list[SeenDisc]) -> PictureRow:
    return PictureRow(SETTING, found=True, truths=tuple(truths), seen=tuple(seen))


def true(kind: PieceKind, x: float, lie: Lie = Lie.FLAT, visible: float = 1.0) -> TrueDisc:
    return TrueDisc((kind,), x, 0.0, 15.5, lie, visible)


def seen(kind: PieceKind, x: float, confidence: float = 0.9, *, on: bool = True) -> SeenDisc:
    return SeenDisc(kind, x, 0.0, 15.5, confidence, on)


def exact(one: PictureRow) -> bool:
    return is_exact(one, pair_up(one))


def test_what_makes_a_rest_exact() -> None:
    """Every disc, its kind, and no disc more."""
    both = [true(W, 0.0), true(B, 100.0)]
    assert exact(row(both, [seen(W, 1.0), seen(B, 99.0)]))
    assert not exact(row(both, [seen(W, 1.0)]))
    assert not exact(row(both, [seen(W, 1.0), seen(Q, 99.0)]))
    assert not exact(row(both, [seen(W, 1.0), seen(B, 99.0), seen(B, 101.0)]))
    assert not exact(row(both, [seen(W, 9.0), seen(B, 99.0)]))
    assert not exact(replace(row(both, []), found=False))


def test_a_pocketed_disc_reported_on_the_surface_is_false() -> None:
    """The referee would go on playing with it. Reported as pocketed it is no fault."""
    away = [true(W, 0.0), true(B, 100.0, Lie.AWAY)]
    assert not exact(row(away, [seen(W, 0.0), seen(B, 100.0)]))
    assert exact(row(away, [seen(W, 0.0), seen(B, 100.0, on=False)]))
    assert exact(row(away, [seen(W, 0.0)]))


def test_a_disc_hardly_visible_or_moving_counts_neither_way() -> None:
    for odd in (true(B, 100.0, visible=0.2), true(B, 100.0, Lie.MOVING)):
        for reports in ([seen(W, 0.0)], [seen(W, 0.0), seen(B, 101.0)]):
            got = scores_of([row([true(W, 0.0), odd], reports)])
            assert got.recall == (1, 1)
            assert got.precision == (1, 1)


def test_touching_discs_are_told_apart() -> None:
    """One report between two discs that touch is one disc found, not two."""
    two = [true(W, 0.0), true(W, 31.0)]
    assert scores_of([row(two, [seen(W, 6.0)])]).recall == (1, 2)
    assert scores_of([row(two, [seen(W, 15.5)])]).recall == (0, 2)
    assert scores_of([row(two, [seen(W, 27.0), seen(W, 3.0)])]).recall == (2, 2)


def test_recall_and_precision_of_each_kind() -> None:
    truths = [true(W, 0.0), true(W, 100.0), true(B, 200.0)]
    got = scores_of([row(truths, [seen(W, 0.0), seen(B, 100.0), seen(B, 200.0), seen(Q, 300.0)])])
    white, black, queen = (got.kinds[kind] for kind in (W, B, Q))
    assert (white.found, white.due, white.right, white.reported) == (1, 2, 1, 1)
    assert (black.found, black.due, black.right, black.reported) == (1, 1, 1, 2)
    assert (queen.found, queen.due, queen.right, queen.reported) == (0, 0, 0, 1)
    assert white.ap50 == pytest.approx(51 / 101)
    assert queen.ap50 is None
    assert got.recall == (3, 3)
    assert got.precision == (3, 4)
    assert got.kind_right == (2, 3)


def test_labels_in_doubt_accept_either_kind() -> None:
    doubt = TrueDisc((B, Q), 0.0, 0.0, 15.5)
    for kind in (B, Q):
        got = scores_of([row([doubt], [seen(kind, 0.0)])])
        assert got.kind_right == (1, 1)
        assert got.exact_rests == (1, 1)
    assert scores_of([row([doubt], [seen(W, 0.0)])]).kind_right == (0, 1)


def test_confidence_that_means_what_it_says() -> None:
    """Nine of ten right at 0.9 is no error; all right at 0.9 is one of ten points."""
    truths = [true(W, 100.0 * k) for k in range(10)]
    nine = [seen(W if k else B, 100.0 * k, 0.9) for k in range(10)]
    ten = [seen(W, 100.0 * k, 0.9) for k in range(10)]
    assert scores_of([row(truths, nine)]).reliability_error == pytest.approx(0.0)
    got = scores_of([row(truths, ten)])
    assert got.reliability_error == pytest.approx(0.1)
    assert [(one.count, one.right) for one in got.reliability] == [(10, 1.0)]


def test_a_missed_board_misses_its_discs_unless_it_may_be_refused() -> None:
    one = replace(row([true(W, 0.0)], []), found=False)
    assert scores_of([one]).recall == (0, 1)
    assert scores_of([one]).exact_rests == (0, 1)
    oblique = replace(one, setting=replace(SETTING, may_refuse=True))
    assert scores_of([oblique]).recall == (0, 0)
    assert scores_of([oblique]).boards_found == (0, 1)


def test_a_board_where_there_is_none() -> None:
    nothing = replace(SETTING, board=False, rest=False)
    rows = [PictureRow(nothing, found=True), PictureRow(nothing, found=False)]
    got = scores_of(rows)
    assert got.false_boards == (1, 2)
    assert got.boards_found == (0, 0)
    assert got.recall == (0, 0)


@pytest.mark.parametrize("turns", range(4))
def test_quarter_turns(turns: int) -> None:
    square = np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])
    got, errors = quarter_turns(np.roll(square, turns, axis=0) + 0.01, square)
    assert got == turns
    assert errors == pytest.approx([0.01 * 2**0.5] * 4)


def test_hands_are_compared_cell_by_cell() -> None:
    """Only cells that are clearly covered or clearly bare count."""
    job = RenderJob(FIRST_SEED + 3, BoardFamily.ICF, (480, 360))
    _, truth = rendered(job)
    scene = sample_scene(job.seed, family=job.family, size_px=job.size_px)
    sight = perfect_sight(scene, render(scene))
    mask = np.zeros((360, 480), dtype=np.uint8)
    mask[:, :240] = 255
    covered = judge(replace(truth, hand_mask=mask), sight)
    both, only_said, only_true = covered.hands
    assert both == only_said == 0
    assert only_true > 40
    all_said = replace(sight, covered=np.ones((16, 16), dtype=np.bool_))
    both, only_said, only_true = judge(replace(truth, hand_mask=mask), all_said).hands
    assert both > 40
    assert only_said > 40
    assert only_true == 0


def test_a_refused_picture_and_its_row() -> None:
    job = RenderJob(FIRST_SEED + 3, BoardFamily.ICF, (480, 360), away=True)
    image, truth = rendered(job)
    assert image.shape == (360, 480, 3)
    got = judge(truth, Sight(None, warnings=("no board found",)))
    assert not got.found
    assert not got.setting.board


def test_rows_survive_their_file() -> None:
    """Interrupted evaluations go on from it."""
    one = flawless(3, BoardFamily.HIKONE, 1, 1.0)
    assert Codec().loads(PictureRow, Codec().dumps(one)) == one


def test_seeds_for_judging_are_not_those_of_training() -> None:
    """Training ends at 1 999 999; groups have seeds of their own."""
    jobs = list(render_jobs(12, sizes_px=[(1280, 720), (1920, 1080)]))
    with_board = [job for job in jobs if not job.away]
    assert len({job.seed for job in with_board}) == len(with_board) == 48
    assert min(job.seed for job in jobs) >= 9_000_000
    assert sum(job.away for job in jobs) == 4
    assert len({job.name for job in jobs}) == len(jobs)


def test_tables_have_every_figure_and_survive_having_none() -> None:
    empty: Scores = scores_of([])
    full = scores_of([flawless(3, BoardFamily.ICF, 0, 1.0)])
    text = markdown({"icf 480x360": full, "all": full, "none": empty})
    for word in ("mAP50-95", "exact rests", "corner error", "Confidence", "hand cells", "white"):
        assert word in text
    data = scores_data({"all": full, "none": empty})
    assert data["all"]["map50"] == 1.0
    assert data["all"]["recall"][0] == data["all"]["recall"][1]
