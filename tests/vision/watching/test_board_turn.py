"""Which side is South is the players' word; camera and corners must both follow it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.views import board_at
from vision.calibration_file import calibration_from_toml, calibration_to_toml
from vision.pose import square
from vision.watching.board_turn import nearest_turn, turned


@pytest.mark.parametrize("quarters", [0, 1, 2, 3, 5, -1])
def test_corners_stay_where_the_camera_sees_them(quarters: int) -> None:
    """Else a turned calibration could be saved, and not be read again."""
    board = turned(board_at(40.0, 10.0), quarters)
    assert np.allclose(board.camera.board_to_px(square(board.half_mm)), board.corners_px)
    assert calibration_from_toml(calibration_to_toml(board)) == board


def test_what_was_east_becomes_south() -> None:
    """The word of the docstring, in mm."""
    board = board_at(40.0, 10.0)
    south = turned(board, 1).camera.board_to_px(np.array([[0.0, -300.0]]))
    assert np.allclose(board.camera.px_to_board(south), [[300.0, 0.0]])


@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
def test_a_nudged_board_keeps_its_south_in_a_picture_of_any_size(quarters: int) -> None:
    """A finder numbers corners as they lie in the picture; a stream may change its size."""
    before = turned(board_at(), quarters)
    assert nearest_turn(board_at(15.0), before) == turned(board_at(15.0), quarters)
    large = board_at(15.0, scale=1.5)
    assert nearest_turn(large, before) == turned(large, quarters)
