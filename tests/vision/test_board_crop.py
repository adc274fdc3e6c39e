"""The crop: the network has learned one scale and one way up, so the geometry must be exact."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from datasets.training_set import camera_of
from sim.camera.camera import Camera
from vision.board_crop import BoardCrop


@given(half_mm=st.floats(200.0, 500.0), size_px=st.sampled_from([224, 448, 640]))
def test_millimetres_come_back_from_crop_pixels(half_mm, size_px):
    crop = BoardCrop(half_mm, size_px)
    points = np.array([[-half_mm, half_mm], [0.0, 0.0], [13.0, -77.0]])
    assert np.allclose(crop.crop_to_mm(crop.mm_to_crop(points)), points)


def test_the_board_lies_in_the_middle_with_y_up():
    crop = BoardCrop(370.0, 448)
    assert np.allclose(crop.mm_to_crop(np.zeros(2)), 223.5)
    north_west = crop.mm_to_crop(np.array([-370.0, 370.0]))
    assert north_west[0] == north_west[1] < 40


def test_a_spot_lands_where_it_was():
    """A bright spot in the picture at a known place of the board, near and far from the lens."""
    for size_px in ((640, 480), (3000, 2400)):
        camera = camera_of(Camera.over(size_px=size_px, distortion=0.1, tilt_rad=0.2))
        crop = BoardCrop(370.0, 448)
        spot = np.array([100.0, -50.0])
        image = np.zeros((size_px[1], size_px[0], 3), dtype=np.uint8)
        x, y = camera.board_to_px(spot)
        rows, columns = np.mgrid[: size_px[1], : size_px[0]]
        reach = 9.0 * size_px[0] / 640
        image[np.hypot(columns - x, rows - y) < reach] = 255
        cut = crop.cut(image, crop.maps(camera))[..., 0].astype(float)
        rows, columns = np.mgrid[:448, :448]
        found = np.array([(columns * cut).sum(), (rows * cut).sum()]) / cut.sum()
        assert np.hypot(*(found - crop.mm_to_crop(spot))) < 0.5, size_px


def test_what_the_picture_lacks_has_one_level():
    camera = camera_of(Camera.over(size_px=(320, 240), distance_mm=400.0))
    crop = BoardCrop(370.0, 224)
    image = np.full((240, 320, 3), 200, dtype=np.uint8)
    maps = crop.maps(camera)
    assert (crop.cut(image, maps)[0, 0] == 114).all()
    assert (crop.cut(image, maps, outside=0)[0, 0] == 0).all()
