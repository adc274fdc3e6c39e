"""Where a disc lies follows from geometry, parallax included: a frame is 22 mm high."""

import numpy as np
import pytest

from carrom.boards import ICF_BOARD
from datasets.training_set import camera_of
from sim.camera import Camera
from vision.disc_edges import Rims
from vision.places import pocketed, stacks, stand_of
from vision.seen import Place

CAMERA = camera_of(Camera.over(distance_mm=1300.0, tilt_rad=0.35))
HALF = ICF_BOARD.half_mm


def seen(x_mm, y_mm, z_mm):
    """Where the face of a disc that lies at ``z_mm`` is seen on the plane of the surface."""
    px = CAMERA.mm_to_px(np.array([x_mm, y_mm, z_mm + 8.0]))
    x, y = CAMERA.px_to_board(px)
    return float(x), float(y)


@pytest.mark.parametrize(
    ("at", "place"),
    [
        ((0.0, 0.0, 0.0), Place.SURFACE),
        ((HALF - 15.5, 40.0, 0.0), Place.SURFACE),
        ((40.0, HALF - 15.5, 0.0), Place.SURFACE),
        ((40.0, HALF + 30.0, 22.2), Place.FRAME),
        ((HALF + 25.0, -60.0, 22.2), Place.FRAME),
        ((HALF + 130.0, 0.0, -15.0), Place.OFF_BOARD),
        ((347.75, 347.75, -25.0), Place.POCKET),
        ((347.75 - 17.5, 347.75 - 17.5, 0.0), Place.HANGING),
    ],
)
def test_the_plane_under_a_disc(at, place):
    stand = stand_of(ICF_BOARD, CAMERA, seen_mm=seen(*at), radius_mm=15.5, thickness_mm=8.0)
    assert stand.place is place
    assert stand.base_mm == (22.2 if place is Place.FRAME else 0.0)


def rims(places, hidden):
    """Discs whose rim is not seen in the directions of ``hidden`` (a function of rim points)."""
    turn = np.arange(48) * (2 * np.pi / 48)
    at = np.array(places, dtype=float)
    points = at[:, None] + 15.5 * np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    one = np.ones(len(at))
    shown = ~np.stack([hidden(k, ring) for k, ring in enumerate(points)])
    return Rims(at[:, 0], at[:, 1], 15.5 * one, one, one, one, one, one, shown)


def test_a_disc_in_the_net_ends_at_the_lip_and_one_over_it_does_not():
    centre = next(iter(ICF_BOARD.pocket_centres.values()))
    towards = -np.sign([centre.x_mm, centre.y_mm])
    at = np.array([centre.x_mm, centre.y_mm]) + towards * 16.5

    def lip(_, ring):
        return np.hypot(*(ring - [centre.x_mm, centre.y_mm]).T) > ICF_BOARD.pocket_radius_mm

    assert not pocketed(ICF_BOARD, rims([at], lambda _, ring: np.zeros(len(ring), bool)))[0]
    assert pocketed(ICF_BOARD, rims([at - towards * 1.5], lip))[0]


def test_the_upper_disc_of_a_stack_is_the_one_whose_rim_is_whole():
    def under(k, ring):
        return (k == 0) & (np.hypot(*(ring - [7.0, 0.0]).T) < 15.5)

    found = stacks(rims([(0.0, 0.0), (7.0, 0.0), (31.0 + 7.0, 0.0)], under))
    assert found.tolist() == [-1, 0, -1]
