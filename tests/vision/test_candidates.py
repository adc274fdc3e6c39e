"""Boxes become discs by distance in mm: overlap alone merges stacks and parts duplicates."""

import numpy as np
import pytest

from vision.board_crop import BoardCrop
from vision.candidates import candidates_of
from vision.seen import Box, Label

CROP = BoardCrop(370.0, 448)


def box(x_mm, y_mm, radius_mm=15.5, score=0.8, label="white"):
    x, y = CROP.mm_to_crop(np.array([x_mm, y_mm]))
    r = radius_mm * CROP.px_per_mm
    return Box(label, x - r, y - r, x + r, y + r, score, {label: score, "black": 0.1})


def test_touching_discs_stay_apart():
    around = [box(31.0 * np.cos(t), 31.0 * np.sin(t)) for t in np.arange(6) * np.pi / 3]
    assert len(candidates_of([box(0, 0), *around], CROP)) == 7


def test_boxes_of_one_disc_are_merged_whatever_their_class():
    found = candidates_of([box(0, 0), box(2, 0, score=0.4, label="striker", radius_mm=19)], CROP)
    assert len(found) == 1
    assert found[0].x_mm == pytest.approx(0.4, abs=0.05)  # weighted by squares: 0.64 to 0.16
    assert found[0].odds["white"] > found[0].odds["striker"] > 0


def test_a_stacked_disc_is_a_disc_of_its_own():
    assert len(candidates_of([box(0, 0), box(8, 0)], CROP)) == 2


def test_hands_are_no_discs():
    assert candidates_of([box(0, 0, label=Label.HAND)], CROP) == ()


def test_a_foreign_network_without_odds_still_names_a_class():
    bare = Box("black", 10.0, 10.0, 26.0, 26.0, 0.7)
    assert candidates_of([bare], CROP)[0].odds == {"black": 0.7}
