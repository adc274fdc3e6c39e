"""Strokes that break engines: touching clusters, corner jams, breaks. 100 000 in all."""

from itertools import product

import numpy as np
import pytest

from carrom.boards import HIKONE_BOARD, ICF_BOARD
from carrom.layouts import castle_layout, circle_layout, ring_layout
from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from sim.physics import SurfaceParams, batch_table, simulate_batch
from sim.physics.arrays import G_HALF
from sim.physics.state import F_EVENTS


def jam(board, kind, columns, rows):
    """Men that touch each other and a frame, their row ending at a pocket."""
    radius = board.radii_mm[kind]
    edge = board.half_mm - radius
    places = product(range(columns), range(rows))
    return Position(
        tuple(Disc(kind, edge - 60 - 2 * radius * i, edge - 2 * radius * j) for i, j in places)
    )


PLAIN = SurfaceParams()
RATTLING = SurfaceParams(capture_speed_mm_s=500.0, restitution_frame=0.85)
DEAD = SurfaceParams(restitution_disc=0.3, restitution_frame=0.3)
LUMPS = SurfaceParams(restitution_disc=0.0, restitution_frame=0.0)
LIVELY = SurfaceParams(
    restitution_disc=1.0,
    restitution_frame=1.0,
    rim_friction=1.0,
    frame_friction=1.0,
    capture_speed_mm_s=10.0,
    lip_speed_kept=1.0,
    friction_men=0.02,
    friction_striker=0.02,
)
ICF_JAM = jam(ICF_BOARD, PieceKind.WHITE, 3, 3)
HIKONE_JAM = jam(HIKONE_BOARD, PieceKind.RED, 4, 3)

CASES = [
    (ICF_BOARD, ICF_JAM, PLAIN, 30_000),
    (ICF_BOARD, ICF_JAM, RATTLING, 20_000),
    (ICF_BOARD, ICF_JAM, DEAD, 2_000),
    (ICF_BOARD, ICF_JAM, LUMPS, 500),
    (ICF_BOARD, ICF_JAM, LIVELY, 3_000),
    (ICF_BOARD, ring_layout(ICF_BOARD), PLAIN, 8_000),
    (ICF_BOARD, ring_layout(ICF_BOARD), DEAD, 500),
    (ICF_BOARD, ring_layout(ICF_BOARD, gap_mm=0.1), RATTLING, 6_000),
    (HIKONE_BOARD, HIKONE_JAM, PLAIN, 18_000),
    (HIKONE_BOARD, HIKONE_JAM, DEAD, 2_000),
    (HIKONE_BOARD, circle_layout(HIKONE_BOARD), PLAIN, 9_000),
    (HIKONE_BOARD, castle_layout(HIKONE_BOARD), PLAIN, 2_000),
]


def strokes_at(table, count, rng):
    """Strokes from the south at the middle of the men, and well beside it."""
    y_mm = -table.geometry[G_HALF] + 100.0
    strokes = np.empty((count, 4))
    strokes[:, 0], strokes[:, 1] = rng.uniform(-200, 200, count), y_mm
    x_mm, target_y_mm = table.men_mm.mean(axis=0)
    strokes[:, 2] = np.arctan2(target_y_mm - y_mm, x_mm - strokes[:, 0])
    strokes[:, 2] += rng.normal(0, 0.25, count)
    strokes[:, 3] = rng.uniform(500, 8000, count)
    return strokes


def least_gap_mm(table, batch):
    """Least gap between discs on the board, over all strokes."""
    least = np.inf
    stays = batch.pocket < 0
    for i, j in product(range(table.count), repeat=2):
        both = stays[:, i] & stays[:, j]
        if j < i and both.any():
            away = np.hypot(*(batch.xy_mm[both, i] - batch.xy_mm[both, j]).T)
            least = min(least, away.min() - table.radius_mm[i] - table.radius_mm[j])
    return least


def test_there_are_enough():
    assert sum(case[-1] for case in CASES) >= 100_000


@pytest.mark.slow
@pytest.mark.parametrize(("board", "position", "surface", "count"), CASES)
def test_no_nan_no_overlap_no_cap(board, position, surface, count):
    table = batch_table(position, board, surface)
    batch = simulate_batch(table, strokes_at(table, count, np.random.default_rng(1)))
    assert batch.finished == count
    assert np.isfinite(batch.xy_mm).all()
    assert np.isfinite(batch.duration_s).all()
    assert not batch.capped.any()
    assert batch.facts[:, F_EVENTS].max() < 10_000
    assert least_gap_mm(table, batch) > -1e-9
    stays = batch.pocket < 0
    over_mm = np.abs(batch.xy_mm).max(axis=2) - (board.half_mm - table.radius_mm)
    assert over_mm[stays].max() < 1e-9
