"""The board is looked for once a match and after every nudge; South must stay South."""

from __future__ import annotations

import pytest

from carrom.board_spec import BoardFamily
from tests.vision.views import Finds, board_at, frame_of, picture_of
from vision.seen import BoardSeen
from vision.steady_gate import moved_mm
from vision.watching.board_search import BoardSearch
from vision.watching.board_turn import turned

ICF = BoardFamily.ICF


def searched(search: BoardSearch, board: BoardSeen, frames: int) -> list[BoardSeen | None]:
    """Frames of a board that lies still, ten a second."""
    picture = picture_of(board)
    return [search.step(frame_of(picture, k / 10)) for k in range(frames)]


def test_a_board_is_believed_when_three_looks_agree_and_not_all_frames_are_looked_at() -> None:
    """A look takes a second; a board that is being put down must not be believed."""
    finder = Finds(board_at())
    found = searched(BoardSearch(finder, ICF), board_at(), 9)
    assert found[:8] == [None] * 8
    assert found[8] == board_at()
    assert finder.calls == 3


def test_a_saved_calibration_that_fits_is_taken_at_once() -> None:
    """Who plays every evening waits for nothing; nor does a recording whose board was found."""
    finder = Finds(None)
    assert searched(BoardSearch(finder, ICF, known=board_at()), board_at(), 1) == [board_at()]
    assert finder.calls == 0


def test_a_saved_calibration_that_does_not_fit_is_looked_for() -> None:
    """The camera was put up anew, and another family is another board."""
    finder = Finds(board_at())
    search = BoardSearch(finder, ICF, known=board_at(150.0))
    assert searched(search, board_at(), 1) == [None]
    assert finder.calls == 1
    assert search.progress == pytest.approx(1 / 3)


def test_a_board_that_was_nudged_keeps_its_south() -> None:
    """The finder cannot tell sides apart; the match can."""
    known = turned(board_at(), 1)
    found = searched(BoardSearch(Finds(board_at(40.0)), ICF, known=known), board_at(40.0), 9)[-1]
    assert found is not None
    assert found.corners_px == turned(board_at(40.0), 1).corners_px


def test_corners_by_hand_are_taken_in_the_next_frame_and_turned() -> None:
    """Whoever drags corners wants to see them now."""
    x = 5.0
    clicks = [(px + x, py) for px, py in board_at().corners_px]
    search = BoardSearch(Finds(None), ICF, turn=1, corners_px=clicks)
    (found,) = searched(search, board_at(), 1)
    assert found is not None
    assert moved_mm(board_at(), found) < 2.0
    north_west = found.corners_px[0]
    assert north_west == pytest.approx(board_at().corners_px[3], abs=3.0)


def test_corners_that_fit_no_board_say_why_and_the_search_goes_on() -> None:
    """Three of the four on one spot."""
    search = BoardSearch(
        Finds(board_at()), ICF, corners_px=[(10, 10), (10, 11), (11, 10), (10, 10)]
    )
    assert searched(search, board_at(), 1) == [None]
    assert "corners" in search.reasons[0]
    assert search.step(frame_of(picture_of(board_at()), 1.0)) is None
    assert search.progress > 0


def test_pictures_that_no_finder_takes_are_no_crash() -> None:
    """A damaged frame says nothing; one that is refused says why."""

    class Refuses(Finds):
        def find(self, image_bgr):  # type: ignore[no-untyped-def]
            from carrom.errors import PictureError

            raise PictureError("picture", expected="100 px or more", got=7)

    finder = Refuses(None)
    search = BoardSearch(finder, ICF)
    picture = picture_of(board_at())
    assert search.step(frame_of(picture, 0.0, damaged=True)) is None
    assert not search.reasons
    assert search.step(frame_of(picture, 0.1)) is None
    assert "100 px" in search.reasons[0]
