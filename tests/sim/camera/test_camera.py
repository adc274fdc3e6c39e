"""The camera: both directions agree, the angle of view is what was asked for."""

from math import nan, pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.camera import Camera, SceneError

cameras = st.builds(
    Camera.over,
    size_px=st.sampled_from([(640, 480), (1280, 720), (3840, 2160)]),
    view_rad=st.floats(0.8, 1.95),
    distance_mm=st.floats(500, 2500),
    tilt_rad=st.floats(0, 0.61),
    tilt_towards_rad=st.floats(-pi, pi),
    roll_rad=st.floats(-pi, pi),
    distortion=st.floats(-0.05, 0.4),
)


@given(cameras, st.floats(-370, 370), st.floats(-370, 370), st.floats(0, 30))
def test_there_and_back(camera: Camera, x_mm: float, y_mm: float, z_mm: float) -> None:
    px = camera.board_to_px(np.array([x_mm, y_mm]), z_mm)
    back = camera.px_to_board(px, z_mm)
    assert back == pytest.approx([x_mm, y_mm], abs=1e-5)


@given(cameras)
def test_the_angle_of_view_is_the_one_asked_for(camera: Camera) -> None:
    edge = np.array([[-0.5, camera.middle_px[1]], [camera.width_px - 0.5, camera.middle_px[1]]])
    left, right = camera.px_to_rays(edge)
    cosine = left @ right / np.linalg.norm(left) / np.linalg.norm(right)
    assert np.arccos(cosine) == pytest.approx(camera.horizontal_view_rad, abs=1e-9)


def test_seen_from_above_x_runs_right_and_y_up() -> None:
    camera = Camera.over(size_px=(640, 480))
    origin, east, north = camera.board_to_px(np.array([[0.0, 0], [100, 0], [0, 100]]))
    assert origin == pytest.approx([319.5, 239.5])
    assert east[0] > origin[0]
    assert east[1] == pytest.approx(origin[1])
    assert north[1] < origin[1]


def test_roll_turns_the_picture() -> None:
    camera = Camera.over(size_px=(640, 480), roll_rad=pi / 2)
    origin, east = camera.board_to_px(np.array([[0.0, 0], [100, 0]]))
    assert abs(east[1] - origin[1]) > 10
    assert east[0] == pytest.approx(origin[0])


def test_what_is_higher_is_seen_farther_out() -> None:
    camera = Camera.over(size_px=(640, 480))
    low, high = (camera.board_to_px(np.array([300.0, 0]), z) for z in (0.0, 9.0))
    assert high[0] > low[0] + 0.5


def test_tilt_is_measured_from_straight_down() -> None:
    assert Camera.over(tilt_rad=0.4).tilt_rad == pytest.approx(0.4)


def test_behind_the_camera_there_is_no_pixel() -> None:
    camera = Camera.over(distance_mm=800)
    assert np.isnan(camera.mm_to_px(np.array([0.0, 0.0, 900.0]))).all()


@pytest.mark.parametrize(
    "bad",
    [
        {"width_px": 0},
        {"width_px": 640.0},
        {"height_px": 100_000},
        {"focal_px": 0.0},
        {"focal_px": nan},
        {"position_mm": (0.0, 0.0, -5.0)},
        {"position_mm": (0.0, nan, 900.0)},
        {"distortion": 3.0},
    ],
)
def test_impossible_cameras(bad: dict[str, object]) -> None:
    good = {"width_px": 640, "height_px": 480, "focal_px": 500.0, "position_mm": (0.0, 0.0, 900.0)}
    with pytest.raises(SceneError, match=next(iter(bad))):
        Camera(**{**good, **bad})  # type: ignore[arg-type]
