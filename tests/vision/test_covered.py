"""Covered must answer for every place, and must not take a disc that moved for a hand."""

import cv2
import numpy as np

from vision.board_crop import BoardCrop
from vision.covered import covered_by_change, covered_by_hands
from vision.seen import Box, Label

CROP = BoardCrop(370.0, 448)


def cell(row, column, score=0.8):
    return Box(Label.HAND, column * 28.0, row * 28.0, (column + 1) * 28.0, (row + 1) * 28.0, score)


def test_a_covered_cell_covers_the_places_in_it():
    covered = covered_by_hands([cell(8, 8), cell(8, 9)], CROP)
    x, y = CROP.crop_to_mm(np.array([9 * 28.0 - 0.5, 8.5 * 28.0]))
    assert covered.at(x, y, 12.0) > 0.9
    assert covered.at(x, y + 110.0, 12.0) == 0.0
    assert 0.2 < covered.at(x, y + 26.0, 15.0) < 0.8  # on its edge


def test_whole_hand_boxes_of_other_networks_cover_as_well():
    covered = covered_by_hands([Box("hand", 100.0, 50.0, 300.0, 400.0, 0.9)], CROP)
    x, y = CROP.crop_to_mm(np.array([200.0, 200.0]))
    assert covered.at(x, y, 15.5) > 0.9


def test_nothing_is_covered_without_hands():
    covered = covered_by_hands([], CROP)
    assert covered.nothing
    assert covered.of(np.zeros((0, 3))).shape == (0,)


def test_change_finds_a_hand_but_no_moved_disc_and_no_dimmer_lamp():
    rng = np.random.default_rng(1)
    wood = rng.integers(150, 170, (448, 448, 3)).astype(np.uint8)
    before, now = wood.copy(), (wood * 0.8).astype(np.uint8)
    cv2.circle(before, (100, 100), 8, (20, 20, 20), -1)
    cv2.circle(now, (300, 100), 8, (20, 20, 20), -1)
    cv2.rectangle(now, (200, 250), (260, 447), (60, 90, 140), -1)
    old, new = (CROP.crop_to_mm(np.array(p)) for p in ((100.0, 100.0), (300.0, 100.0)))
    discs = np.array([[*old, 15.5], [*new, 15.5]])
    covered = covered_by_change(now, before, CROP, discs)
    hand = CROP.crop_to_mm(np.array([230.0, 350.0]))
    assert covered.at(*hand, 15.5) > 0.9
    assert covered.at(*old, 15.5) == covered.at(*new, 15.5) == 0.0
