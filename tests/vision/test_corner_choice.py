"""Networks report too much and too little; the four corners must still be those of one board."""

import numpy as np
import pytest

from carrom.board_spec import BoardFamily
from vision.corner_choice import choose_corners, middle_of, quad_of_box
from vision.seen import Box

_VIEW = Box("view", 0.0, 0.0, 1279.0, 719.0, 1.0)
_TRUE = [(400.0, 100.0), (900.0, 110.0), (910.0, 620.0), (390.0, 610.0)]
_BOARD = Box("icf_board", 350.0, 55.0, 955.0, 668.0, 0.9, {"icf_board": 0.9, "hikone_board": 0.1})


def _corner(x: float, y: float, score: float = 0.8) -> Box:
    return Box("corner", x - 35, y - 35, x + 35, y + 35, score)


_FOUR = [_corner(x, y) for x, y in _TRUE]


def test_spurious_corners_inside_and_outside_are_left_out() -> None:
    wrong = [_corner(650, 350, 0.7), _corner(60, 60, 0.9), _corner(700, 120, 0.5)]
    quad, reasons = choose_corners([*wrong, *_FOUR, _BOARD], looked_at=_VIEW)
    assert quad is not None
    assert reasons == ()
    assert np.allclose(quad.corners_px, _TRUE)
    assert quad.seen.all()
    assert quad.family is BoardFamily.ICF


@pytest.mark.parametrize("lost", range(4))
def test_a_missing_corner_is_worked_out_and_said_to_be(lost: int) -> None:
    boxes = [box for k, box in enumerate(_FOUR) if k != lost]
    quad, _ = choose_corners([*boxes, _BOARD], looked_at=_VIEW)
    assert quad is not None
    assert quad.seen.tolist() == [k != lost for k in range(4)]
    assert np.linalg.norm(quad.corners_px[lost] - _TRUE[lost]) < 30


def test_two_corners_need_the_box_of_the_board() -> None:
    quad, _ = choose_corners([_FOUR[0], _FOUR[1], _BOARD], looked_at=_VIEW)
    assert quad is not None
    assert np.abs(quad.corners_px - _TRUE).max() < 40
    alone, reasons = choose_corners(_FOUR[:2], looked_at=_VIEW)
    assert alone is None
    assert reasons


def test_of_two_boards_one_is_taken_whole() -> None:
    small = [_corner(x, y, 0.6) for x, y in ((50, 50), (250, 50), (250, 250), (50, 250))]
    other = Box("hikone_board", 40.0, 40.0, 260.0, 260.0, 0.6)
    quad, _ = choose_corners([*small, *_FOUR, other, _BOARD], looked_at=_VIEW)
    assert quad is not None
    assert np.allclose(quad.corners_px, _TRUE)
    assert quad.rivals == 1


def test_nothing_gives_reasons() -> None:
    assert choose_corners([], looked_at=_VIEW) == (None, ("no board in the picture",))
    quad, reasons = choose_corners([_BOARD, _FOUR[0]], looked_at=_VIEW)
    assert quad is None
    assert "by hand" in reasons[0]


def test_a_box_cut_by_the_view_still_tells_its_corner() -> None:
    cut = Box("corner", 0.0, 200.0, 30.0, 270.0, 0.8)
    assert middle_of(cut, _VIEW) == (-5.0, 235.0)
    assert middle_of(_corner(600, 300), _VIEW) == (600.0, 300.0)


def test_the_box_alone_gives_a_guess_that_counts_as_unseen() -> None:
    quad = quad_of_box([_BOARD], width_px=1280, height_px=720)
    assert quad is not None
    assert not quad.seen.any()
    assert np.abs(quad.corners_px - _TRUE).max() < 25
    cut = Box("icf_board", 350.0, 0.0, 955.0, 560.0, 0.9)
    beyond = quad_of_box([cut], width_px=1280, height_px=720)
    assert beyond is not None
    assert beyond.corners_px[0, 1] < 25
    wide = Box("icf_board", 350.0, 55.0, 955.0, 300.0, 0.9)
    assert quad_of_box([wide], width_px=1280, height_px=720) is None
    assert quad_of_box(_FOUR, width_px=1280, height_px=720) is None
