"""Boards, surfaces and strokes that several physics tests share."""

import math

import numpy as np
import pytest

from carrom.boards import ICF_BOARD
from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from carrom.seats import Seat
from carrom.stroke import Stroke
from sim.physics import SurfaceParams


@pytest.fixture
def stroke():
    """Makes a stroke: (x, y, degrees, mm/s)."""

    def make(x_mm, y_mm, degrees, speed_mm_s, seat=Seat.SOUTH):
        return Stroke(
            seat=seat,
            placement_mm=(float(x_mm), float(y_mm)),
            angle_rad=math.radians(degrees),
            speed_mm_s=float(speed_mm_s),
        )

    return make


@pytest.fixture
def smooth():
    """No rim or frame friction, every disc over a pocket falls."""
    return SurfaceParams(rim_friction=0.0, frame_friction=0.0, capture_speed_mm_s=None)


@pytest.fixture
def random_position():
    """Makes a position of n men, away from each other, from pockets and from y < -200 mm."""

    def make(count, seed, board=ICF_BOARD):
        rng = np.random.default_rng(seed)
        colours = [kind for kind in board.pieces if kind is not PieceKind.QUEEN]
        discs: list[Disc] = []
        while len(discs) < count:
            limit_mm = board.half_mm - 45
            x_mm, y_mm = rng.uniform(-limit_mm, limit_mm, 2)
            is_free = all(math.hypot(x_mm - d.x_mm, y_mm - d.y_mm) > 34 for d in discs)
            is_free &= all(
                math.hypot(x_mm - x, y_mm - y) > board.pocket_radius_mm + 5
                for x, y in board.pocket_centres.values()
            )
            if is_free and y_mm > -board.half_mm + 170:
                discs.append(Disc(colours[len(discs) % 2], float(x_mm), float(y_mm)))
        return Position(tuple(discs))

    return make
