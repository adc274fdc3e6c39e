"""A wrong camera puts every disc elsewhere: its geometry must hold for any lens and any view."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carrom.errors import CalibrationError
from vision.board_camera import BoardCamera
from vision.pose import (
    LENS_UNKNOWNS,
    bend_of,
    camera_from_corners,
    moved,
    order_as_seen,
    resized,
    solve,
    square,
)

_HALF = 370.0


def _camera(
    *, turn: float = 0.0, tilt: float = 0.1, focal: float = 900.0, distortion: float = 0.05
) -> BoardCamera:
    """Above the middle of the board, tilted towards the south, turned about its axis."""
    straight = BoardCamera(
        1280,
        720,
        focal,
        (639.5, 359.5),
        distortion,
        (0.0, -1200.0 * np.sin(tilt), 1200.0 * np.cos(tilt)),
        (1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0),
    )
    leaning = moved(straight, [-tilt, 0, 0, 0, 0, 0, 0, 0])
    c, s = np.cos(turn), np.sin(turn)
    roll = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    axes = roll @ leaning.axes
    return BoardCamera(
        1280, 720, focal, (639.5, 359.5), distortion, leaning.position_mm, tuple(axes.ravel())
    )


_views = st.builds(
    _camera,
    turn=st.floats(-3.1, 3.1),
    tilt=st.floats(0.0, 0.6),
    focal=st.floats(500.0, 1500.0),
    distortion=st.floats(-0.03, 0.2),
)


@given(_views, st.floats(-350, 350), st.floats(-350, 350), st.floats(0, 30))
@settings(max_examples=60, deadline=None)
def test_board_to_picture_and_back_at_any_height(
    camera: BoardCamera, x: float, y: float, z: float
) -> None:
    place = np.array([x, y])
    assert np.allclose(camera.px_to_board(camera.board_to_px(place, z), z), place, atol=1e-6)


@given(_views, st.integers(0, 3))
@settings(max_examples=40, deadline=None)
def test_corners_come_clockwise_from_the_top_left_whatever_their_order(
    camera: BoardCamera, turn: int
) -> None:
    px = camera.board_to_px(square(_HALF))
    first = px[order_as_seen(px)]
    mixed = np.roll(px, turn, axis=0)[[2, 0, 3, 1]]
    assert np.allclose(mixed[order_as_seen(mixed)], first)
    sides = np.roll(first, -1, axis=0) - first
    after = np.roll(sides, -1, axis=0)
    assert (sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0] > 0).all()


@given(_views)
@settings(max_examples=12, deadline=None)
def test_exact_corners_and_a_known_bend_give_back_the_surface(camera: BoardCamera) -> None:
    px = camera.board_to_px(square(_HALF))
    found = camera_from_corners(px, _HALF, size_px=(1280, 720), bend=bend_of(camera), spread_mm=0.1)
    inner = square(_HALF * 0.6)
    away = found.px_to_board(camera.board_to_px(inner)) - inner
    assert np.abs(away).max() < 2.0


def test_three_corners_are_enough_from_overhead() -> None:
    camera = _camera(tilt=0.05)
    px = camera.board_to_px(square(_HALF))
    px[2] = (9.0, 9.0)
    spread = np.array([0.5, 0.5, np.inf, 0.5])
    found = camera_from_corners(px, _HALF, size_px=(1280, 720), spread_mm=spread)
    away = found.board_to_px(square(_HALF))[2] - camera.board_to_px(square(_HALF))[2]
    assert np.abs(away).max() < 30.0


@pytest.mark.parametrize(
    "corners",
    [
        [[0, 0], [0, 100], [100, 100], [100, 0]],  # mirrored
        [[0, 0], [10, 10], [20, 20], [30, 30]],
        [[0, 0], [100, 0], [100, float("nan")], [0, 100]],
        [[0, 0], [100, 0], [100, 100]],
    ],
)
def test_corners_that_no_camera_sees_are_refused(corners: list[list[float]]) -> None:
    with pytest.raises(CalibrationError):
        camera_from_corners(np.array(corners, dtype=float), _HALF, size_px=(640, 480))


def test_a_resized_picture_keeps_its_places() -> None:
    camera = _camera()
    half = resized(camera, 640, 360)
    whole_px = camera.board_to_px(square(_HALF))
    assert np.allclose((half.board_to_px(square(_HALF)) + 0.5) * 2 - 0.5, whole_px, atol=1e-6)


def test_solve_finds_the_bottom_of_a_bent_valley() -> None:
    def residuals(x: np.ndarray) -> np.ndarray:
        return np.array([10.0 * (x[1] - x[0] ** 2), 1.0 - x[0]])

    found = solve(residuals, np.array([-1.2, 1.0]), rounds=60)
    assert np.allclose(found.unknowns, 1.0, atol=1e-3)
    assert LENS_UNKNOWNS == 8
