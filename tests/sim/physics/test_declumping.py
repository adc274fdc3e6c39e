"""Repair of overlapping input, and what is beyond repair."""

import math

import numpy as np
import pytest

from carrom.boards import HIKONE_BOARD, ICF_BOARD
from carrom.errors import PositionError
from carrom.layouts import castle_layout, circle_layout, ring_layout
from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from sim.physics import batch_table, declump, jittered, scatter_men, simulate
from sim.physics.declumping import GAP_MM

WHITE, BLACK = PieceKind.WHITE, PieceKind.BLACK


def gaps_mm(position, board=ICF_BOARD):
    discs = position.discs
    return [
        math.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm)
        - board.radii_mm[a.kind]
        - board.radii_mm[b.kind]
        for i, a in enumerate(discs)
        for b in discs[:i]
    ]


def test_a_position_with_room_is_left_alone():
    position = ring_layout(ICF_BOARD)  # resting contacts
    assert declump(position, ICF_BOARD) is position


def test_overlapping_discs_are_pushed_apart_evenly():
    position = Position((Disc(WHITE, 0.0, 0.0), Disc(BLACK, 20.0, 0.0)))
    a, b = declump(position, ICF_BOARD)
    assert b.x_mm - a.x_mm == pytest.approx(31 + 1.2 * GAP_MM)
    assert a.x_mm + b.x_mm == pytest.approx(20)


@pytest.mark.parametrize(
    ("layout", "board"),
    [(ring_layout, ICF_BOARD), (circle_layout, HIKONE_BOARD), (castle_layout, HIKONE_BOARD)],
)
def test_racks_seen_by_a_camera(layout, board):
    rng = np.random.default_rng(3)
    for _ in range(20):
        seen = Position(
            tuple(
                Disc(d.kind, d.x_mm + float(dx), d.y_mm + float(dy))
                for d, (dx, dy) in zip(layout(board), rng.normal(0, 0.5, (25, 2)), strict=False)
            )
        )
        mended = declump(seen, board)
        assert min(gaps_mm(mended, board)) > -1e-7
        moved = [
            math.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) for a, b in zip(seen, mended, strict=True)
        ]
        assert max(moved) < 5
        assert declump(mended, board) is mended


@pytest.mark.parametrize("x_mm", [355.0, 360.0, -369.0])
def test_discs_over_the_frame_come_back(x_mm):
    (disc,) = declump(Position((Disc(WHITE, x_mm, 0.0),)), ICF_BOARD)
    assert abs(disc.x_mm) == pytest.approx(370 - 15.5)


def test_a_disc_just_over_a_pocket_lies_on_the_lip():
    at_mm = 370 - 22.25 - (22.25 - 2) / math.sqrt(2)
    (disc,) = declump(Position((Disc(WHITE, at_mm, at_mm),)), ICF_BOARD)
    assert ICF_BOARD.pocket_at(disc.x_mm, disc.y_mm) is None
    assert math.hypot(disc.x_mm - at_mm, disc.y_mm - at_mm) == pytest.approx(2, abs=0.01)


BEYOND = [
    [(WHITE, 0, 0), (BLACK, 15, 0)],  # more than half a disc
    [(WHITE, 0, 0), (BLACK, 0, 0)],  # on one spot
    [(WHITE, 371, 0)],  # centre beyond the frame
    [(WHITE, 5000, 0)],
    [(WHITE, 347, 347)],  # in a pocket
    [(WHITE, 40 * (i % 5) - 80, 40 * (i // 5) - 80) for i in range(10)],  # ten whites
    [(PieceKind.QUEEN, 0, 0), (PieceKind.QUEEN, 100, 0)],
    [(PieceKind.STRIKER, 0, 0), (PieceKind.STRIKER, 100, 0)],
    [(PieceKind.RED, 0, 0)],  # the other game
    [(WHITE, 0, 0), (PieceKind.GREEN, 100, 0)],
]


@pytest.mark.parametrize("discs", BEYOND)
def test_beyond_repair(discs, stroke):
    position = Position(tuple(Disc(kind, float(x), float(y)) for kind, x, y in discs))
    with pytest.raises(PositionError, match="expected"):
        declump(position, ICF_BOARD)
    with pytest.raises(PositionError, match="expected"):
        simulate(position, stroke(0, -252, 90, 1000), ICF_BOARD)
    with pytest.raises(PositionError, match="expected"):
        batch_table(position, ICF_BOARD)


@pytest.mark.parametrize("placement", [(0, -380), (400, 0), (347, -347), (0, 5)])
def test_strikers_that_cannot_lie_there(stroke, placement):
    position = Position((Disc(WHITE, 0.0, 0.0),))
    with pytest.raises(PositionError, match="expected"):
        simulate(position, stroke(*placement, 90, 1000), ICF_BOARD)


def test_men_make_room_for_the_striker(stroke):
    position = Position((Disc(WHITE, 0.0, -230.0),))
    trajectory = simulate(position, stroke(0, -252, 90, 1000), ICF_BOARD)
    assert trajectory.start_mm[-1] == pytest.approx([0, -252])
    assert trajectory.start_mm[0, 1] == pytest.approx(-252 + 36.15 + 1.2 * GAP_MM)
    assert trajectory.before is position


def test_a_striker_in_the_position_is_left_out(stroke):
    position = Position((Disc(PieceKind.STRIKER, 0.0, 100.0), Disc(WHITE, 0.0, 0.0)))
    trajectory = simulate(position, stroke(0, -252, 0, 300), ICF_BOARD)
    assert trajectory.kinds == (WHITE, PieceKind.STRIKER)


def test_a_jittered_rack_has_gaps():
    rack = jittered(ring_layout(ICF_BOARD), ICF_BOARD, 0.1, np.random.default_rng(1))
    assert min(gaps_mm(rack)) > -1e-7
    assert rack != ring_layout(ICF_BOARD)
    assert rack == jittered(ring_layout(ICF_BOARD), ICF_BOARD, 0.1, np.random.default_rng(1))


def test_scatter_keeps_strikers_and_makes_room():
    table = batch_table(ring_layout(ICF_BOARD), ICF_BOARD)
    strokes = np.tile([[0.0, -252.0, 1.5, 6000.0]], (200, 1))
    strokes[:, 0] = np.linspace(-150, 150, 200)
    men_mm = scatter_men(table, strokes, 0.2, np.random.default_rng(5))
    assert men_mm.shape == (200, 19, 2)
    away = np.hypot(*(men_mm[:, :, None] - men_mm[:, None]).transpose(3, 0, 1, 2))
    away[:, range(19), range(19)] = np.inf
    assert away.min() > 31 - 1e-7
    assert 0.03 < np.std(men_mm[:, 0]) < 1
    again = scatter_men(table, strokes, 0.2, np.random.default_rng(5))
    assert (men_mm == again).all()


@pytest.mark.parametrize("sigma_mm", [-1.0, math.nan, math.inf, 1000.0])
def test_scatter_refuses_absurd_noise(sigma_mm):
    table = batch_table(Position(), ICF_BOARD)
    with pytest.raises(PositionError):
        scatter_men(table, np.zeros((1, 4)), sigma_mm, np.random.default_rng(0))
