"""Base circles come eight times, discs once: what the symmetry of a board gives away."""

import cv2
import numpy as np

from carrom.board_spec import BoardFamily
from carrom.boards import ICF_BOARD
from carrom.seats import Seat
from vision.board_crop import BoardCrop
from vision.printed import twins_of

CROP = BoardCrop(370.0, 448)


def test_a_base_circle_has_twins_and_a_disc_has_none():
    picture = np.full((448, 448, 3), (140, 180, 215), np.uint8)
    spots = [p for seat in Seat for p in ICF_BOARD.base_circle_centres(seat)]
    for x_mm, y_mm in spots:
        px = CROP.mm_to_crop(np.array([x_mm, y_mm]))
        cv2.circle(picture, tuple(round(v) for v in px), 7, (40, 30, 200), -1)
    disc = CROP.mm_to_crop(np.array([60.0, 150.0]))
    cv2.circle(picture, tuple(round(v) for v in disc), 8, (40, 30, 200), -1)
    circles = np.array([[*spots[0], 13.0], [60.0, 150.0, 15.5]])
    printed, real = twins_of(picture, CROP, circles, BoardFamily.ICF)
    assert printed > 0.6
    assert real < 0.1


def test_nothing_is_said_in_the_middle_where_openings_are_symmetric():
    picture = np.zeros((448, 448, 3), np.uint8)
    assert twins_of(picture, CROP, np.array([[31.0, 0.0, 15.5]]), BoardFamily.ICF) == 0.0
