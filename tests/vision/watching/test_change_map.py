"""A change that is missed hides a stroke; one that is invented costs a look, 30 times a second."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.views import board_at, picture_of
from vision.watching.change_map import ChangeMap

WHITE, RED = (225, 235, 238), (40, 40, 190)
AT_REST = ((0.0, 0.0, RED), (100.0, 50.0, WHITE), (-150.0, -90.0, (30, 30, 30)))


def settled(scale: float = 1.0) -> ChangeMap:
    """A map that knows its noise."""
    board = board_at(scale=scale)
    changes = ChangeMap(board.camera, board.half_mm)
    for seed in range(3):
        changes.look(picture_of(board, AT_REST, seed=seed))
    return changes


def cell_of(x_mm: float, y_mm: float) -> tuple[int, int]:
    """Row and column of the cell over a place."""
    side = 2 * 370.0 * 1.15 / 16
    return int((370 * 1.15 - y_mm) / side), int((x_mm + 370 * 1.15) / side)


@pytest.mark.parametrize("noise", [0.0, 2.0, 6.0])
def test_noise_is_no_change(noise: float) -> None:
    """A dim room makes a noisy picture; the map learns that within a second."""
    board = board_at()
    changes = ChangeMap(board.camera, board.half_mm)
    for seed in range(12):
        changed = changes.look(picture_of(board, AT_REST, seed=seed, noise=noise))
    assert not changed.any()


@pytest.mark.parametrize("scale", [1.0, 2.25])
def test_a_disc_that_moves_changes_its_cells_and_few_others(scale: float) -> None:
    """Where a change is decides whether it is a hand's; at any size of picture."""
    changes = settled(scale)
    board = board_at(scale=scale)
    moved = (*AT_REST[:1], (160.0, 50.0, WHITE), *AT_REST[2:])
    changed = changes.look(picture_of(board, moved, seed=9))
    assert changed[cell_of(100.0, 50.0)]
    assert changed[cell_of(160.0, 50.0)]
    assert changed.sum() <= 12


def test_a_disc_that_creeps_is_noticed_against_the_last_look() -> None:
    """A tenth of a millimetre a frame is less than noise, yet in the end the disc has moved."""
    changes = settled()
    board = board_at()
    changes.mark()
    seen = []
    for k in range(1, 20):
        discs = (*AT_REST[:1], (100.0 + 0.15 * k, 50.0, WHITE), *AT_REST[2:])
        seen.append(bool(changes.look(picture_of(board, discs, seed=k)).any()))
    assert not seen[0]
    assert seen[-1]


@pytest.mark.parametrize("light", [0.8, 0.93, 1.1])
def test_an_exposure_step_is_light_and_not_change(light: float) -> None:
    """Automatic exposure steps whenever a sleeve comes near; nothing on the board moved."""
    changes = settled()
    changed = changes.look(picture_of(board_at(), AT_REST, seed=20, light=light))
    assert not changed.any()


def test_a_shadow_over_half_of_the_board_is_light() -> None:
    """Somebody leans between lamp and board."""
    changes = settled()
    picture = picture_of(board_at(), AT_REST, seed=20).astype(np.float64)
    picture[:, :320] *= 0.95
    changed = changes.look(picture.astype(np.uint8))
    assert changed.mean() < 0.15


def test_a_lamp_that_changes_the_whole_picture_is_told_apart() -> None:
    """What was compared with the old light must be taken anew."""
    changes = settled()
    picture = picture_of(board_at(), AT_REST, seed=20)
    slope = np.linspace(0.3, 1.7, picture.shape[1])[None, :, None]
    changes.look(np.clip(picture * slope, 0, 255).astype(np.uint8)[:, ::-1])
    assert changes.light_changed
    changes.look(np.clip(picture * slope, 0, 255).astype(np.uint8)[:, ::-1])
    assert not changes.light_changed


def test_a_black_or_even_picture_is_known_as_such() -> None:
    """A covered lens shows no board at rest; it shows nothing."""
    changes = settled()
    changes.look(np.zeros((480, 640, 3), dtype=np.uint8))
    assert changes.flat
    assert changes.level < 1.0
    changes.look(picture_of(board_at(), AT_REST))
    assert not changes.flat
    assert changes.level > 100.0


def test_forgotten_frames_are_compared_with_nothing() -> None:
    """After a camera was away, the first picture is a first picture."""
    changes = settled()
    changes.mark()
    changes.forget()
    assert not changes.look(picture_of(board_at(), (), seed=3)).any()
