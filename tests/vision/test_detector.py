"""The whole chain on renders, with a stand-in that errs like the network."""

from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest

from carrom.board_spec import BoardFamily
from carrom.layouts import opening_position
from carrom.pieces import PieceKind
from sim.camera import DiscState, Sensor, discs_of, render, sample_scene
from tests.vision.stand_in import StandIn, board_of
from vision.detector import Detector, spec_of
from vision.discs_seen import NO_COLOUR, TOO_MANY
from vision.opening import learned_from_opening
from vision.seen import Place


@pytest.fixture(scope="module")
def game():
    """A board in play on a 720p camera, and its picture."""
    scene = sample_scene(6_000_003, family=BoardFamily.ICF, size_px=(1280, 720))
    flat = [disc for disc in scene.discs if disc.state is DiscState.FLAT]
    flat = [replace(disc, velocity_mm_s=(0.0, 0.0)) for disc in flat]
    clean = Sensor(defocus_px=0.6, noise=2.0)
    scene = replace(scene, discs=tuple(flat), hands=(), props=(), sensor=clean)
    return scene, render(scene)


def test_every_disc_is_found_named_and_placed(game):
    scene, picture = game
    seen = Detector(StandIn(scene, picture)).look(picture.image_bgr, board_of(scene, picture))
    assert len(seen.discs) == len(scene.discs) > 5
    left = list(scene.discs)
    for disc in seen.discs:
        near = min(left, key=lambda d: np.hypot(d.x_mm - disc.x_mm, d.y_mm - disc.y_mm))
        left.remove(near)
        assert disc.kind is near.kind
        assert np.hypot(near.x_mm - disc.x_mm, near.y_mm - disc.y_mm) < 2.0
        assert disc.place in (Place.SURFACE, Place.HANGING)
        assert sum(disc.odds.values()) == pytest.approx(1.0)
        assert 0.0 < disc.confidence <= 1.0
    assert seen.warnings == ()
    assert seen.features.shape[0] == len(seen.discs)


def test_a_set_has_one_queen_unless_told_otherwise(game):
    scene, picture = game
    board = board_of(scene, picture)
    network = StandIn(scene, picture)
    men = [disc for disc in scene.discs if disc.kind is PieceKind.BLACK][:2]
    network.boxes = []
    for disc in men:
        network.add(disc.x_mm, disc.y_mm, 15.5, {"red": 0.9, "black": 0.05})
    free = Detector(network).look(picture.image_bgr, board, set_counts=None)
    bound = Detector(network).look(picture.image_bgr, board, set_counts={PieceKind.BLACK: 1})
    assert len(free.discs) == 2
    assert len(bound.discs) == 1
    assert TOO_MANY in bound.warnings


def test_an_empty_picture_has_no_discs(game):
    scene, picture = game
    network = StandIn(scene, picture)
    network.boxes = []
    seen = Detector(network).look(picture.image_bgr, board_of(scene, picture))
    assert seen.discs == seen.doubtful == ()
    assert seen.covered.nothing


def test_a_grey_camera_is_recognised(game):
    scene, picture = game
    grey = cv2.cvtColor(cv2.cvtColor(picture.image_bgr, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    seen = Detector(StandIn(scene, picture)).look(grey, board_of(scene, picture))
    assert NO_COLOUR in seen.warnings


def test_change_against_the_last_rest_covers_places(game):
    """An arm that the network overlooks: the picture before tells."""
    scene, picture = game
    board = board_of(scene, picture)
    detector = Detector(StandIn(scene, picture))
    before = detector.look(picture.image_bgr, board)
    armed = picture.image_bgr.copy()
    x, y = board.camera.board_to_px(np.zeros(2))
    cv2.line(armed, (int(x), int(y)), (int(x), 719), (70, 100, 160), 90)
    after = detector.look(armed, board, reference=before)
    assert before.covered.at(0.0, 0.0, 15.5) == 0.0
    assert after.covered.at(0.0, 0.0, 15.5) > 0.5


def test_sizes_follow_the_board_seen(game):
    scene, picture = game
    board = replace(board_of(scene, picture), half_mm=340.0)
    assert spec_of(board).half_mm == 340.0


def test_maps_are_kept_while_the_camera_stands(game):
    scene, picture = game
    board = board_of(scene, picture)
    detector = Detector(StandIn(scene, picture))
    detector.look(picture.image_bgr, board)
    kept = detector._maps
    detector.look(picture.image_bgr, board)
    assert detector._maps is kept


def test_an_opening_teaches_the_colours_and_the_palette_follows():
    """The network takes every man for a black one; the layout knows better, and so do we then."""
    scene = sample_scene(6_000_011, family=BoardFamily.ICF, size_px=(1280, 720))
    discs = discs_of(opening_position(scene.board, 0.4))
    clean = Sensor(defocus_px=0.6, noise=2.0)
    scene = replace(scene, discs=discs, hands=(), props=(), sensor=clean)
    picture = render(scene)
    board, network = board_of(scene, picture), StandIn(scene, picture)
    seen = Detector(network).look(picture.image_bgr, board)
    palette = learned_from_opening(seen, spec_of(board))
    assert palette is not None
    unsure = {"black": 0.5, "white": 0.45, "red": 0.4, "striker": 0.02}
    network.boxes = [replace(box, label="black", odds=unsure) for box in network.boxes]
    told = Detector(network).look(picture.image_bgr, board, palette=palette)
    kinds = Counter(disc.kind for disc in told.discs)
    assert kinds == {PieceKind.WHITE: 9, PieceKind.BLACK: 9, PieceKind.QUEEN: 1}
    after = palette.followed_by(told.discs, told.features)
    assert set(after.looks) == set(palette.looks)
