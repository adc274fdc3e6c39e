"""The whole chain on one picture: corners within 2 mm, a camera good for parallax, honest words.

The board is drawn in the simplest light; accuracy over many scenes is measured by the benchmarks.
"""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from carrom.board_spec import BoardFamily
from carrom.boards import ICF_BOARD
from carrom.errors import CalibrationError, PictureError
from sim.camera.camera import Camera
from sim.camera.render import render
from sim.camera.scene import Scene
from vision.arrays import Array
from vision.board_finder import BoardFinder, find_board
from vision.calibration import SURE, calibrate_by_hand, seen_board, still_there
from vision.drift import DriftWatch
from vision.network import letterbox
from vision.pose import square
from vision.seen import BoardSeen, Box

_HALF = ICF_BOARD.half_mm
_CAMERA = Camera.over(
    size_px=(800, 600), view_rad=1.2, distance_mm=950.0, tilt_rad=0.22, distortion=0.1
)
_ROUGH: Array = np.array([[3.0, -2.0], [-4.0, 2.0], [2.0, 4.0], [-2.0, -3.0]])


@lru_cache(maxsize=4)
def _picture(camera: Camera) -> Array:
    return render(Scene(camera)).image_bgr


def _corners(camera: Camera = _CAMERA) -> Array:
    return camera.board_to_px(square(_HALF))


@lru_cache(maxsize=1)
def _board() -> BoardSeen:
    spread = np.full(4, 4.0)
    return seen_board(
        _picture(_CAMERA), _corners() + _ROUGH, {BoardFamily.ICF: 1.0}, spread_mm=spread
    )


def _off_mm(board: BoardSeen, camera: Camera = _CAMERA) -> float:
    places = camera.px_to_board(np.array(board.corners_px))
    return float(np.linalg.norm(places - square(_HALF), axis=1).max())


def _boxes(corners: Array, score: float = 0.9) -> tuple[Box, ...]:
    size = 35.0
    low, high = corners.min(axis=0) - 40, corners.max(axis=0) + 40
    board = Box("icf_board", *map(float, (*low, *high)), 0.9, {"icf_board": 0.9})
    return (
        *(Box("corner", x - size, y - size, x + size, y + size, score) for x, y in corners),
        board,
    )


def test_rough_corners_become_exact_and_sure() -> None:
    board = _board()
    assert _off_mm(board) < 2.0
    assert board.confidence > SURE
    assert board.residual_mm < 1.0
    assert all(corner.seen for corner in board.corners)


def test_the_camera_is_good_enough_for_the_tops_of_discs() -> None:
    camera = _board().camera
    grid = np.array([[x, y] for x in (-300.0, 0.0, 300.0) for y in (-300.0, 0.0, 300.0)])
    tops = _CAMERA.board_to_px(grid, 8.0)
    away = np.linalg.norm(camera.px_to_board(tops, 8.0) - grid, axis=1)
    assert away.max() < 2.0


def test_a_wrong_corner_is_left_out() -> None:
    corners = _corners()
    corners[1] += (-70.0, 50.0)
    board = seen_board(
        _picture(_CAMERA), corners, {BoardFamily.ICF: 1.0}, spread_mm=np.full(4, 4.0)
    )
    assert _off_mm(board) < 3.0


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (2, 0, 3, 1)])
def test_clicks_in_any_order(order: tuple[int, ...]) -> None:
    clicks = [tuple(map(float, px)) for px in (_corners() - _ROUGH)[list(order)]]
    board = calibrate_by_hand(_picture(_CAMERA), clicks, BoardFamily.ICF)
    assert _off_mm(board) < 2.0


def test_clicks_may_be_three_and_may_be_final() -> None:
    clicks = [tuple(map(float, px)) for px in _corners()]
    three = calibrate_by_hand(_picture(_CAMERA), clicks[:3], BoardFamily.ICF)
    assert _off_mm(three) < 3.0
    final = calibrate_by_hand(_picture(_CAMERA), clicks, BoardFamily.ICF, to_edges=False)
    assert _off_mm(final) < 1.5


@pytest.mark.parametrize(
    "clicks",
    [
        [(0.0, 0.0), (100.0, 0.0)],
        [(0.0, 0.0), (100.0, 0.0), (200.0, 0.0), (300.0, 0.0)],
        [(0.0, 0.0), (100.0, 0.0), (50.0, 10.0), (float("inf"), 100.0)],
        [(0.0, 0.0), (300.0, 0.0), (150.0, 40.0), (150.0, 300.0)],
    ],
)
def test_clicks_that_fit_no_board_are_refused(clicks: list[tuple[float, float]]) -> None:
    with pytest.raises(CalibrationError):
        calibrate_by_hand(_picture(_CAMERA), clicks, BoardFamily.ICF)


def test_a_picture_without_a_board_gives_none_or_doubt() -> None:
    grey = np.full((600, 800, 3), 120, dtype=np.uint8)
    found = find_board(grey, _boxes(_corners(), score=0.3))
    assert found.board is None
    assert found.reasons


def test_not_a_picture() -> None:
    with pytest.raises(PictureError):
        find_board(np.zeros((600, 800), dtype=np.uint8), ())
    with pytest.raises(PictureError):
        find_board(np.zeros((20, 800, 3), dtype=np.uint8), ())


class _OneLook:
    """Tells the truth about the first picture and is blind afterwards."""

    size_px = 400

    def __init__(self) -> None:
        self.looks = 0

    def look(
        self, square_bgr: Array, *, score: float = 0.25, overlap: float = 0.5
    ) -> tuple[Box, ...]:
        assert square_bgr.shape == (400, 400, 3)
        self.looks += 1
        if self.looks > 1:
            return ()
        _, scale, left, top = letterbox(_picture(_CAMERA), 400)
        return _boxes((_corners() + 0.5) * scale - 0.5 + (left, top))


def test_the_finder_looks_twice_and_maps_boxes_back() -> None:
    network = _OneLook()
    found = BoardFinder(network).find(_picture(_CAMERA))
    assert network.looks >= 2
    assert found.board is not None
    assert _off_mm(found.board) < 2.5


def test_drift_of_the_camera_is_measured_in_mm() -> None:
    picture, board = _picture(_CAMERA), _board()
    watch = DriftWatch(picture, board)
    still = watch.look(picture)
    assert still.known
    assert still.corner_mm < 0.1
    x, y, z = _CAMERA.position_mm
    nudged = replace(_CAMERA, position_mm=(x + 4.0, y, z), look_at_mm=(4.0, 0.0))
    moved = watch.look(_picture(nudged))
    assert moved.known
    assert abs(moved.shift_mm[0] + 4.0) < 1.0  # the camera went right: the board went left
    assert abs(moved.shift_mm[1]) < 1.0
    black = watch.look(np.zeros_like(picture))
    assert not black.known
    with pytest.raises(PictureError):
        watch.look(picture[:100])


def test_a_saved_calibration_is_checked_against_a_picture() -> None:
    moved, now = still_there(_picture(_CAMERA), _board())
    assert moved < 1.0
    assert now.family is BoardFamily.ICF
    with pytest.raises(CalibrationError):
        still_there(np.full((600, 800, 3), 90, dtype=np.uint8), _board())
    with pytest.raises(CalibrationError):
        still_there(_picture(_CAMERA)[:300], _board())
