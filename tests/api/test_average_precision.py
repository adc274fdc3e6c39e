"""Average precision against cases worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from api.average_precision import (
    COCO_OVERLAPS,
    Array,
    BoxesOfPicture,
    average_precision,
    overlaps,
    precision_of,
)


def boxes(*rows: tuple[float, float, float, float]) -> Array:
    return np.array(rows, dtype=np.float64).reshape(-1, 4)


def picture(
    seen: Array, scores: list[float], truths: Array, ignored: list[bool] | None = None
) -> BoxesOfPicture:
    mask = np.array(ignored or [False] * len(truths), dtype=np.bool_)
    return BoxesOfPicture(seen, np.array(scores, dtype=np.float64), truths, mask)


ONE, TWO = (0.0, 0.0, 10.0, 10.0), (20.0, 0.0, 30.0, 10.0)


def test_overlaps() -> None:
    """Half a box aside: 50 shared of 150; apart: nothing; itself: all."""
    got = overlaps(boxes(ONE), boxes(ONE, (5.0, 0.0, 15.0, 10.0), TWO))
    assert got.tolist() == [[1.0, pytest.approx(1 / 3), 0.0]]


def test_all_found_is_one_and_nothing_found_is_nought() -> None:
    both = picture(boxes(ONE, TWO), [0.9, 0.8], boxes(TWO, ONE))
    assert average_precision([both], overlap=0.5) == 1
    assert average_precision([picture(boxes(), [], boxes(ONE))], overlap=0.5) == 0
    assert average_precision([picture(boxes(ONE), [0.9], boxes())], overlap=0.5) is None


def test_a_false_box_hurts_only_when_it_is_surer_than_the_right_ones() -> None:
    """COCO's envelope: what comes after the last find costs nothing."""
    false = (50.0, 50.0, 60.0, 60.0)
    after = picture(boxes(ONE, false), [0.9, 0.2], boxes(ONE))
    before = picture(boxes(ONE, false), [0.2, 0.9], boxes(ONE))
    assert average_precision([after], overlap=0.5) == 1.0
    assert average_precision([before], overlap=0.5) == pytest.approx(0.5)


def test_the_101_points() -> None:
    """Two due, one found: precision 1 up to recall 0.5, so 51 of 101 points."""
    got = precision_of(np.array([0.9]), np.array([True]), due=2)
    assert got == pytest.approx(51 / 101)


def test_a_worked_example() -> None:
    """Hits + - + of 3 due: precision 1 to recall 1/3 (34 points), 2/3 to recall 2/3 (33)."""
    got = precision_of(np.array([0.9, 0.8, 0.7]), np.array([True, False, True]), due=3)
    assert got == pytest.approx((34 * 1.0 + 33 * 2 / 3) / 101)


def test_a_truth_is_found_once() -> None:
    twice = picture(boxes(ONE, ONE, TWO), [0.9, 0.8, 0.7], boxes(ONE, TWO))
    assert average_precision([twice], overlap=0.5) == pytest.approx((51 + 50 * 2 / 3) / 101)


def test_scores_are_ranked_over_all_pictures() -> None:
    pictures = [
        picture(boxes(ONE), [0.5], boxes(ONE)),
        picture(boxes(TWO), [0.9], boxes(ONE)),
    ]
    assert average_precision(pictures, overlap=0.5) == pytest.approx(51 * 0.5 / 101)


def test_an_ignored_truth_neither_helps_nor_hurts() -> None:
    """A disc hardly visible: whoever reports it is not wrong, whoever does not is neither."""
    seen = picture(boxes(TWO, ONE), [0.9, 0.8], boxes(ONE, TWO), [False, True])
    unseen = picture(boxes(ONE), [0.8], boxes(ONE, TWO), [False, True])
    assert average_precision([seen], overlap=0.5) == 1.0
    assert average_precision([unseen], overlap=0.5) == 1.0


def test_a_stricter_overlap_asks_for_a_better_box() -> None:
    """Shifted by 1 of 10: 90 shared of 110, overlap 0.818."""
    shifted = picture(boxes((1.0, 0.0, 11.0, 10.0)), [0.9], boxes(ONE))
    found = [average_precision([shifted], overlap=t) for t in COCO_OVERLAPS]
    assert found == [1.0] * 7 + [0.0] * 3
