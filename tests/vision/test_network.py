"""Boxes out of a network's numbers, and files that are no network."""

import numpy as np
import pytest

from carrom.errors import WeightsError
from vision.network import LETTERBOX_MARGIN, Network, letterbox, suppress
from vision.weights import weights_path


@pytest.mark.parametrize("shape", [(720, 1280), (1280, 720), (448, 448), (31, 900)])
def test_a_letterboxed_point_is_found_again(shape):
    image = np.zeros((*shape, 3), dtype=np.uint8)
    square, scale, left, top = letterbox(image, 448)
    assert square.shape == (448, 448, 3)
    free = LETTERBOX_MARGIN * 448
    assert scale * max(shape) == pytest.approx(448 - 2 * free)
    assert min(left, top) >= int(free)
    assert (square[0] == 114).all(), "the margin is grey"
    assert (square[int(top) + 1, int(left) + 1] == 0).all()


def test_of_two_boxes_on_one_place_the_better_stays():
    boxes = np.array([[0, 0, 10, 10], [1, 1, 11, 11], [20, 0, 30, 10]], dtype=float)
    assert suppress(boxes, np.array([0.5, 0.9, 0.3]), overlap=0.5).tolist() == [1, 2]


def test_touching_discs_are_two_places():
    boxes = np.array([[0, 0, 16, 16], [16, 0, 32, 16]], dtype=float)
    assert len(suppress(boxes, np.array([0.9, 0.8]), overlap=0.3)) == 2


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(WeightsError, match=r"nowhere\.onnx"):
        Network(tmp_path / "nowhere.onnx")


@pytest.mark.parametrize("content", [b"", b"garbage", b"\x08\x07" * 500])
def test_a_file_that_is_no_network_says_so(tmp_path, content):
    path = tmp_path / "broken.onnx"
    path.write_bytes(content)
    with pytest.raises(WeightsError, match="broken"):
        Network(path)


def test_unknown_weights_name_the_places_searched():
    with pytest.raises(WeightsError, match="models"):
        weights_path("no_such_network.onnx")
