"""The networks learn what these boxes say: a box beside its disc would teach them to be wrong."""

from dataclasses import replace

import numpy as np
import pytest

from datasets import training_set
from datasets.training_set import (
    BOARD_CLASSES,
    CELLS,
    DISC_CLASSES,
    DISC_SIZE_PX,
    Task,
    camera_of,
    examples_of,
)
from sim.camera.render import render
from sim.camera.sampling import sample_scene
from vision.board_crop import CROP_MARGIN, BoardCrop
from vision.seen import Label

_SEED = 1_000_005


@pytest.fixture(scope="module")
def pictures() -> dict[str, training_set.Example]:
    return {f"{e.task}/{e.name}": e for e in examples_of(_SEED)}


def test_the_classes_are_those_the_eyes_know():
    assert tuple(Label) == tuple(Label(name) for name in DISC_CLASSES)
    assert BOARD_CLASSES[0] == "corner"


def test_a_seed_gives_the_same_pictures(pictures):
    again = {f"{e.task}/{e.name}": e for e in examples_of(_SEED)}
    assert again.keys() == pictures.keys()
    for name, example in pictures.items():
        assert np.array_equal(example.image_bgr, again[name].image_bgr), name
        assert example.boxes == again[name].boxes, name


def test_every_box_lies_in_its_picture_and_has_a_known_class(pictures):
    for example in pictures.values():
        classes = DISC_CLASSES if example.task is Task.DISCS else BOARD_CLASSES
        size = example.image_bgr.shape[0]
        assert example.image_bgr.shape == (size, size, 3)
        for label, left, top, right, bottom in example.boxes:
            assert 0 <= label < len(classes)
            assert 0 <= left < right <= size
            assert 0 <= top < bottom <= size


def test_the_boxes_of_discs_sit_where_the_product_would_look():
    """Without a turn and without an error the box is where ``BoardCrop`` puts the disc's face."""
    scene = replace(sample_scene(_SEED, size_px=(960, 960)), hands=())
    picture = render(scene)

    class Still:
        """A random source that never strays: no turn, no error of the corners."""

        def random(self):
            return 1.0

        def integers(self, _):
            return 0

        def normal(self, _middle, _spread, shape):
            return np.zeros(shape)

    example = training_set._disc_example(Still(), scene, picture, ())
    crop = BoardCrop(scene.board.half_mm, DISC_SIZE_PX, CROP_MARGIN)
    camera = camera_of(scene.camera)
    seen = [d for d in picture.truth.discs if d.visible >= 0.9 and d.state == "flat"]
    assert seen
    boxes = np.array([box[1:] for box in example.boxes])
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2 - 0.5
    for disc in seen:
        at = crop.mm_to_crop(camera.px_to_board(np.array(disc.centre_px)))
        away = np.hypot(*(middles - at).T).min()
        assert away < 0.35, disc


def test_covered_cells_are_whole_cells_under_a_hand():
    """Cells are on a fixed grid, or the network could not tell where one begins."""
    side = DISC_SIZE_PX / CELLS
    hand = DISC_CLASSES.index(Label.HAND)
    seeds = [s for s in range(1_000_000, 1_000_040) if sample_scene(s).hands]
    for seed in seeds[:2]:
        (example, *_) = examples_of(seed, board_pictures=False)
        cells = [box for box in example.boxes if box[0] == hand]
        assert cells, seed
        for _, left, top, right, bottom in cells:
            assert left % side == 0
            assert top % side == 0
            assert (right - left, bottom - top) == (side, side)


def test_a_picture_without_a_board_teaches_no_board():
    """Four scenes in a hundred look beside the board: nothing may be found there."""
    examples = examples_of(1_000_603, away_share=1.0)
    assert [e.task for e in examples] == [Task.BOARD]
    assert examples[0].boxes == ()
