"""Outlines of a board: rounded squares at a height, as points in millimetres."""

from functools import lru_cache

import numpy as np

from carrom.board_spec import BoardSpec
from sim.camera.arrays import Array

__all__ = ["at_height", "inner_outline", "outer_half_mm", "outer_outline"]


@lru_cache(maxsize=32)
def _rounded(half_mm: float, radius_mm: float, steps: int) -> Array:
    points: list[tuple[float, float]] = []
    straight = np.linspace(0, 1, 9)[1:-1]
    for k in range(4):
        start = k * np.pi / 2
        cx = (half_mm - radius_mm) * (1 if k in (0, 3) else -1)
        cy = (half_mm - radius_mm) * (1 if k in (0, 1) else -1)
        t = np.linspace(start, start + np.pi / 2, steps if radius_mm > 0 else 1)
        arc = np.stack([cx + radius_mm * np.cos(t), cy + radius_mm * np.sin(t)], axis=1)
        if radius_mm <= 0:
            arc = np.array([[cx, cy]])
        points += [tuple(p) for p in arc]
        end = np.array([-arc[0][1], arc[0][0]])
        points += [tuple(arc[-1] + s * (end - arc[-1])) for s in straight]
    return np.array(points, dtype=np.float64)


def inner_outline(board: BoardSpec) -> Array:
    """(n, 2) mm, counter-clockwise from the east: the inner edge of the frame."""
    return _rounded(board.half_mm, board.corner_radius_mm, 10)


def outer_half_mm(board: BoardSpec) -> float:
    """Half the overall side."""
    return board.half_mm + board.frame.breadth_mm.value


def outer_outline(board: BoardSpec, radius_mm: float) -> Array:
    """(n, 2) mm: the outer edge of the frame."""
    return _rounded(outer_half_mm(board), radius_mm, 5)


def at_height(points_mm: Array, z_mm: float) -> Array:
    """(n, 2) mm to (n, 3)."""
    return np.concatenate([points_mm, np.full((len(points_mm), 1), z_mm)], axis=1)
