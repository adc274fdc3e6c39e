"""The shipped networks on a few pictures: floors that a broken chain falls through.

Figures are measured by ``carrom evaluate pictures``, on thousands; six pictures only tell whether
crop, classes, scale and frames still fit together.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from api.judge_renders import FIRST_SEED, RenderJob, rendered
from api.picture_judge import judge
from api.picture_scores import scores_of
from carrom.board_spec import BoardFamily
from carrom.errors import WeightsError
from sim.camera import render, sample_scene
from vision.eyes import Eyes

SEEDS = range(700, 706)
SIZE = (960, 720)


@pytest.fixture(scope="module")
def eyes() -> Eyes:
    try:
        return Eyes.load(threads=1)
    except WeightsError:
        pytest.skip("no weights in models/ yet")


def test_boards_and_discs_are_found(eyes: Eyes) -> None:
    rows = []
    for seed in SEEDS:
        family = BoardFamily.ICF if seed % 2 else BoardFamily.HIKONE
        image, truth = rendered(RenderJob(FIRST_SEED + seed, family, SIZE))
        rows.append(judge(truth, eyes.look(image)))
    got = scores_of(rows)
    assert got.boards_found[0] >= 5
    found = scores_of([row for row in rows if row.found])
    assert found.recall[0] >= 0.9 * found.recall[1]
    assert found.precision[0] >= 0.9 * found.precision[1]
    assert found.centre_mm is not None
    assert found.centre_mm.median < 2.0


def test_no_board_where_there_is_none(eyes: Eyes) -> None:
    """A table, noise."""
    image, _ = rendered(RenderJob(FIRST_SEED + 3, BoardFamily.ICF, (640, 480), away=True))
    assert eyes.look(image).board is None
    noise = np.random.default_rng(0).integers(0, 255, (480, 640, 3), dtype=np.uint8)
    assert eyes.look(noise).board is None


def test_an_empty_board_is_empty(eyes: Eyes) -> None:
    """Printed circles are no discs."""
    scene = sample_scene(FIRST_SEED + 705, family=BoardFamily.ICF, size_px=SIZE)
    sight = eyes.look(render(replace(scene, discs=(), hands=())).image_bgr)
    assert sight.board is not None
    assert sight.discs == ()
