"""Colours are told against the wood: its light must be read from a crop of any size."""

import numpy as np
import pytest

from vision.board_crop import BoardCrop
from vision.faces import wood_of


@pytest.mark.parametrize("size_px", [224, 320, 416, 448, 500, 640])
def test_the_wood_of_a_crop_of_any_size(size_px):
    """Crops that were no multiple of 64 crashed: another network's input may be 320 or 500."""
    colour = (120, 170, 200)
    picture = np.full((size_px, size_px, 3), colour, dtype=np.uint8)
    crop = BoardCrop(370.0, size_px)
    at = crop.mm_to_crop(np.array([100.0, -60.0]))
    rows, columns = np.mgrid[:size_px, :size_px]
    picture[np.hypot(columns - at[0], rows - at[1]) < 16.0 * crop.px_per_mm] = 0
    wood = wood_of(picture, crop, np.array([[100.0, -60.0, 16.0]]), 370.0)
    here = wood.at(np.array([[0.0, 0.0], [-300.0, 300.0], [100.0, -60.0]]))
    assert np.allclose(here, here[0], rtol=0.02), "the dark disc is no wood"
    assert not wood.grey


def test_a_grey_picture_has_no_colour():
    picture = np.full((448, 448, 3), 150, dtype=np.uint8)
    assert wood_of(picture, BoardCrop(370.0, 448), np.zeros((0, 3)), 370.0).grey
