"""Centres to half a millimetre: what breaks them is the side wall, shadows, neighbours."""

import numpy as np
import pytest

from carrom.boards import ICF_BOARD
from carrom.layouts import ring_layout
from carrom.pieces import PieceKind
from datasets.training_set import camera_of
from sim.camera import Camera, DiscLook, Lamp, Light, Scene, SceneDisc, Sensor, discs_of, render
from vision.disc_edges import Discs3d, fit_rims

LOOKS = (
    DiscLook(PieceKind.WHITE, colour=(0.9, 0.8, 0.6), side=(0.8, 0.7, 0.5)),
    DiscLook(PieceKind.BLACK, colour=(0.15, 0.15, 0.16), side=(0.12, 0.12, 0.13)),
    DiscLook(PieceKind.QUEEN, colour=(0.75, 0.1, 0.14), side=(0.6, 0.1, 0.12)),
)


def fitted(places, *, tilt_rad, size_px=(1920, 1080), start_mm=1.5):
    """Discs rendered at known places, found from a start that is off; errors (n, 2), mm."""
    camera = Camera.over(
        size_px=size_px,
        tilt_rad=tilt_rad,
        tilt_towards_rad=0.6,
        distance_mm=1150.0,
        distortion=0.06,
    )
    light = Light((Lamp((500.0, 300.0, 1400.0), size_mm=120.0),))
    sensor = Sensor(defocus_px=0.8, noise=2.0)
    picture = render(
        Scene(camera, discs=places, disc_looks=LOOKS, light=light, sensor=sensor)
    ).image_bgr
    rng = np.random.default_rng(4)
    true = np.array([[disc.x_mm, disc.y_mm] for disc in places])
    start = true + rng.uniform(-start_mm, start_mm, true.shape)
    count, zero = len(true), np.zeros(len(true))
    discs = Discs3d(
        start[:, 0], start[:, 1], np.full(count, 15.3), np.full(count, 8.0), zero,
        np.full(count, 0.8), np.zeros(count, dtype=np.int64),
    )  # fmt: skip
    rims = fit_rims(picture, camera_of(camera), discs)
    return np.stack([rims.x, rims.y], axis=-1) - true, rims


SPREAD = tuple(
    SceneDisc(kind, float(x), float(y), seed=k)
    for k, (kind, x, y) in enumerate(
        (tuple(LOOKS)[k % 3].kind, x + 7.0 * (k % 2), y)
        for k, (x, y) in enumerate((x, y) for x in (-240, -80, 80, 240) for y in (-220, 0, 220))
    )
)


@pytest.mark.parametrize("tilt_rad", [0.0, 0.4])
def test_single_discs_are_placed_to_half_a_millimetre(tilt_rad):
    errors, rims = fitted(SPREAD, tilt_rad=tilt_rad)
    off = np.hypot(*errors.T)
    assert np.median(off) < 0.4
    assert np.quantile(off, 0.9) < 1.0
    assert np.abs(errors.mean(axis=0)).max() < 0.35  # a wall or a shadow would pull all one way
    assert np.median(rims.support) > 0.75
    assert np.abs(np.median(rims.radius) - 15.5) < 0.35


def test_touching_discs_do_not_drag_each_other():
    errors, _ = fitted(discs_of(ring_layout(ICF_BOARD)), tilt_rad=0.2)
    off = np.hypot(*errors.T)
    assert np.median(off) < 0.5
    assert np.quantile(off, 0.95) < 1.5


def test_nothing_to_fit():
    none = np.zeros(0)
    discs = Discs3d(none, none, none, none, none, none, none.astype(np.int64))
    camera = camera_of(Camera.over())
    assert fit_rims(np.zeros((720, 1280, 3), np.uint8), camera, discs).seen.shape[0] == 0
