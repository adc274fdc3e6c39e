"""Strokes that the laws forbid by their direction (GR-09, GR-24, Q-GR-10)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from carrom.board_spec import BoardSpec
from carrom.pieces import PieceKind
from referee.laws import Laws, Ruleset
from sim.physics.arrays import FloatArray

__all__ = ["crosses_base_line", "must_cross_base_line"]


def must_cross_base_line(laws: Laws) -> bool:
    """Whether a stroke that does not first cross the upper base line is a foul. The ICF Laws,
    carrom.se and Hikone allow backward strokes (rules.md E.1)."""
    return laws.ruleset in (Ruleset.GAMERULES, Ruleset.POINT_GAMERULES)


def crosses_base_line(
    strokes: FloatArray, board: BoardSpec, men_mm: FloatArray, radii_mm: FloatArray
) -> NDArray[np.bool_]:
    """(S,) bool: the striker's centre crosses the far base line before it meets frame or men.

    ``strokes``: (S, 4) float64, the seat's frame; ``men_mm``: (m, 2) for all strokes.
    """
    x, y, angle = strokes[:, 0], strokes[:, 1], strokes[:, 2]
    up = np.sin(angle)
    rise = board.base_lines_y.far_mm - y
    ahead = up > 1e-6
    path_mm = rise / np.where(ahead, up, 1.0)
    side = np.cos(angle)
    limit_mm = board.half_mm - board.radii_mm[PieceKind.STRIKER]
    crosses: NDArray[np.bool_] = ahead & (np.abs(x + side * path_mm) <= limit_mm)
    reach_mm = radii_mm + board.radii_mm[PieceKind.STRIKER]
    for (mx, my), reach in zip(men_mm, reach_mm, strict=True):
        # A man can be in the way only if he lies within reach of the strip behind the line.
        if my > board.base_lines_y.far_mm + reach or my < y.min() - reach:
            continue
        dx, dy = mx - x, my - y
        along = np.clip(dx * side + dy * up, 0.0, path_mm)
        near = (dx - along * side) ** 2 + (dy - along * up) ** 2 < reach * reach
        crosses &= ~near
    return crosses
