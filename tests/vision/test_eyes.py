"""One picture in, one sight out: who is asked, what a person's help changes, what is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from carrom.board_spec import BoardFamily
from carrom.boards import board_for
from carrom.errors import PictureError, WeightsError
from vision.board_camera import BoardCamera
from vision.board_crop import BoardCrop
from vision.board_finder import Found
from vision.covered import Covered
from vision.discs_seen import DiscsSeen
from vision.eyes import Eyes, picture_warnings
from vision.pose import camera_from_corners, square
from vision.seen import BoardSeen, CornerSeen

Image = NDArray[Any]


def drawn_board(family: BoardFamily = BoardFamily.ICF) -> tuple[Image, BoardSeen]:
    """A dark frame around a light surface on a mid table, with grain, seen from straight above."""
    image = np.full((600, 800, 3), 90, dtype=np.uint8)
    cv2.rectangle(image, (160, 60), (640, 540), (30, 40, 60), -1)
    cv2.rectangle(image, (200, 100), (600, 500), (150, 200, 220), -1)
    grain = np.random.default_rng(0).normal(0, 3, image.shape)
    image = np.clip(image + grain, 0, 255).astype(np.uint8)
    corners = np.array([[200.0, 100.0], [600.0, 100.0], [600.0, 500.0], [200.0, 500.0]]) - 0.5
    half = board_for(family).half_mm
    camera = camera_from_corners(corners, half, size_px=(800, 600))
    return image, board_of(camera, family)


def board_of(camera: BoardCamera, family: BoardFamily) -> BoardSeen:
    half = board_for(family).half_mm
    corners = tuple(
        CornerSeen(float(x), float(y), seen=True, confidence=0.9)
        for x, y in camera.board_to_px(square(half))
    )
    return BoardSeen(family, camera, half, corners, 0.9, 0.2, ("the board said so",))  # type: ignore[arg-type]


class FakeFinder:
    def __init__(self, found: Found) -> None:
        self.found, self.asked = found, 0

    def find(self, image_bgr: Image) -> Found:
        self.asked += 1
        return self.found


class FakeLooker:
    """Reports no disc and a covered corner; remembers the board it was given."""

    def __init__(self) -> None:
        self.boards: list[BoardSeen] = []

    def look(self, image_bgr: Image, board: BoardSeen) -> DiscsSeen:
        self.boards.append(board)
        share = np.zeros((64, 64), dtype=np.float32)
        share[:8, :4] = 1.0
        share[63, 63] = 1.0
        crop = BoardCrop(board.half_mm, 448)
        empty = np.zeros((448, 448, 3), dtype=np.uint8)
        return DiscsSeen((), (), Covered(crop, share), empty, warnings=("the discs said so",))


def test_the_board_then_its_discs() -> None:
    image, board = drawn_board()
    finder, looker = FakeFinder(Found(board)), FakeLooker()
    sight = Eyes(finder, looker).look(image)
    assert sight.board is board
    assert looker.boards == [board]
    assert sight.warnings == ("the board said so", "the discs said so")
    assert sight.covered.shape == (16, 16)
    assert np.argwhere(sight.covered).tolist() == [[0, 0], [1, 0]]


def test_no_board_says_why_and_asks_nobody_for_discs() -> None:
    image, _ = drawn_board()
    looker = FakeLooker()
    sight = Eyes(FakeFinder(Found(None, ("two corners only",))), looker).look(image)
    assert sight.board is None
    assert sight.discs == ()
    assert sight.warnings == ("two corners only",)
    assert looker.boards == []
    assert Eyes(FakeFinder(Found(None)), looker).look(image).warnings == ("no board found",)


def test_clicked_corners_need_no_network() -> None:
    """In any order; the picture's own edges then move them a little."""
    image, board = drawn_board()
    finder, looker = FakeFinder(Found(None, ("blind",))), FakeLooker()
    clicks = [(602.0, 498.0), (199.0, 102.0), (201.0, 501.0), (598.0, 99.0)]
    sight = Eyes(finder, looker).look(image, family=BoardFamily.ICF, corners_px=clicks)
    assert finder.asked == 0
    assert sight.board is not None
    assert np.abs(np.array(sight.board.corners_px) - np.array(board.corners_px)).max() < 3.0


def test_clicked_corners_that_fit_no_board() -> None:
    image, _ = drawn_board()
    clicks = [(10.0, 10.0), (20.0, 20.0), (30.0, 30.0), (40.0, 40.0)]
    sight = Eyes(FakeFinder(Found(None)), FakeLooker()).look(image, corners_px=clicks)
    assert sight.board is None
    assert len(sight.warnings) == 1


def test_a_person_knows_better_which_game_it_is() -> None:
    image, board = drawn_board(BoardFamily.ICF)
    looker = FakeLooker()
    eyes = Eyes(FakeFinder(Found(board)), looker)
    assert eyes.look(image, family=BoardFamily.ICF).board is board
    other = eyes.look(image, family=BoardFamily.HIKONE).board
    assert other is not None
    assert other.family is BoardFamily.HIKONE
    assert other.half_mm == board_for(BoardFamily.HIKONE).half_mm


@pytest.mark.parametrize(
    "image",
    [
        np.zeros((600, 800), dtype=np.uint8),
        np.zeros((600, 800, 4), dtype=np.uint8),
        np.zeros((600, 800, 3), dtype=np.float32),
    ],
)
def test_what_is_no_picture_is_refused(image: Image) -> None:
    with pytest.raises(PictureError):
        Eyes(FakeFinder(Found(None)), FakeLooker()).look(image)


def test_what_a_picture_shows_at_a_glance() -> None:
    """A cap on the lens is said in the words of a person who stands before it."""
    size = (600, 800, 3)
    noise = np.random.default_rng(1).integers(0, 6, size, dtype=np.uint8)
    assert "black" in picture_warnings(noise)[0]
    assert "white" in picture_warnings(255 - noise)[0]
    assert "one even tone" in picture_warnings(np.full(size, 128, dtype=np.uint8))[0]
    flat = np.full(size, 128, dtype=np.uint8)
    flat[100:300, 200:400] = (40, 90, 200)
    assert "screen" in picture_warnings(flat)[0]
    assert picture_warnings(drawn_board()[0]) == ()


def test_a_blank_picture_is_answered_at_once() -> None:
    """Searching noise for a board takes seconds and finds none."""
    finder = FakeFinder(Found(None))
    sight = Eyes(finder, FakeLooker()).look(np.zeros((600, 800, 3), dtype=np.uint8))
    assert sight.board is None
    assert "black" in sight.warnings[0]
    assert finder.asked == 0


def test_weights_that_are_no_network_of_ours(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="no file"):
        Eyes.load(weights=[tmp_path / "none.onnx"])
    bad = tmp_path / "bad.onnx"
    bad.write_bytes(b"not a network")
    with pytest.raises(WeightsError):
        Eyes.load(weights=[bad])
