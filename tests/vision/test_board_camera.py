"""The calibrated camera: exact both ways, and the same camera as the simulated one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.training_set import camera_of
from sim.camera.camera import Camera
from vision.board_camera import BoardCamera

TILTS = st.floats(0.0, 0.6)
TURNS = st.floats(0.0, 6.28)
LENSES = st.floats(-0.02, 0.22)


def _camera(tilt: float, turn: float, lens: float) -> Camera:
    return Camera.over(tilt_rad=tilt, tilt_towards_rad=turn, roll_rad=turn / 3, distortion=lens)


@given(tilt=TILTS, turn=TURNS, lens=LENSES, z_mm=st.floats(0.0, 30.0))
def test_a_point_comes_back_from_its_pixel(tilt, turn, lens, z_mm):
    camera = camera_of(_camera(tilt, turn, lens))
    points = np.array([[-370.0, 370.0], [0.0, 0.0], [120.0, -333.0]])
    px = camera.board_to_px(points, z_mm)
    assert np.allclose(camera.px_to_board(px, z_mm), points, atol=1e-6)


@given(tilt=TILTS, turn=TURNS, lens=LENSES)
def test_it_is_the_camera_that_took_the_picture(tilt, turn, lens):
    """Written twice, for ``vision`` imports no ``sim``: truth and product must not drift apart."""
    simulated = _camera(tilt, turn, lens)
    points = np.array([[-370.0, 370.0, 0.0], [50.0, -20.0, 8.0]])
    camera = camera_of(simulated)
    assert np.allclose(camera.mm_to_px(points), simulated.mm_to_px(points), atol=1e-9)
    assert camera.tilt_rad == pytest.approx(tilt, abs=1e-9)
    assert camera.px_per_mm() == pytest.approx(simulated.px_per_mm())


@given(tilt=TILTS, turn=TURNS, z_mm=st.floats(1.0, 20.0))
def test_a_raised_face_is_brought_down_to_its_foot(tilt, turn, z_mm):
    """The top of a disc seen as if on the surface lies up to 6 mm off; the ray says where it is."""
    camera = camera_of(_camera(tilt, turn, 0.1))
    foot = np.array([210.0, -160.0])
    seen = camera.px_to_board(camera.board_to_px(foot, z_mm))
    assert np.allclose(camera.foot_of(*seen, z_mm=z_mm), foot, atol=1e-6)


def test_behind_the_camera_there_is_no_picture():
    camera = BoardCamera(
        640, 480, 500.0, (319.5, 239.5), 0.0, (0.0, 0.0, 900.0), (1, 0, 0, 0, -1, 0, 0, 0, -1)
    )
    assert np.isnan(camera.mm_to_px(np.array([0.0, 0.0, 1000.0]))).all()
