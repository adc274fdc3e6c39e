"""The same board with another side at the bottom: who sits South is for people to say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.arrays import Array
from vision.seen import BoardSeen

__all__ = ["nearest_turn", "turned"]

_NEXT = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
"""A quarter turn counter-clockwise of the world."""


def turned(board: BoardSeen, quarters: int) -> BoardSeen:
    """The board whose frame is turned so that what was East becomes South, ``quarters`` times."""
    out = board
    for _ in range(quarters % 4):
        out = _once(out)
    return out


def _once(board: BoardSeen) -> BoardSeen:
    """New x is the old y, new y the old -x: East comes to lie at the bottom."""
    turn: Array = _NEXT.T  # old world to new world
    camera = board.camera
    x, y, z = (turn @ np.array(camera.position_mm)).tolist()
    axes = camera.axes @ turn.T
    a, b, c, d = board.corners  # NW NE SE SW
    return replace(
        board,
        camera=replace(camera, position_mm=(x, y, z), rotation=tuple(map(float, axes.ravel()))),
        corners=(d, a, b, c),
    )


def nearest_turn(board: BoardSeen, before: BoardSeen) -> BoardSeen:
    """``board`` in the quarter turn in which it lies most like ``before``: a board that was nudged
    keeps its South. The pictures may differ in size."""
    then = _shares(before)
    options = [turned(board, quarters) for quarters in range(4)]
    return min(options, key=lambda option: float(np.abs(_shares(option) - then).max()))


def _shares(board: BoardSeen) -> Array:
    """(4, 2) corners as shares of the picture."""
    out: Array = np.array(board.corners_px) / (board.camera.width_px, board.camera.height_px)
    return out
