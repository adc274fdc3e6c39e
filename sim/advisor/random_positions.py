"""Positions to try the advisor on: men anywhere that men can lie, in a state that can be."""

from __future__ import annotations

import math

import numpy as np

from carrom.board_spec import BoardSpec
from carrom.errors import PositionError
from carrom.pieces import PieceKind
from carrom.position import Disc, Position

__all__ = ["random_position"]

_APART_MM = 0.5
_TRIES = 20_000


def random_position(
    board: BoardSpec, counts: dict[PieceKind, int], rng: np.random.Generator
) -> Position:
    """So many men of each kind on random free places, none over a pocket.

    Raises ``PositionError`` if the board is too full.
    """
    discs: list[Disc] = []
    tries = 0
    for kind in [kind for kind, number in counts.items() for _ in range(number)]:
        radius = board.radii_mm[kind]
        limit = board.half_mm - radius - 0.1
        while True:
            tries += 1
            if tries > _TRIES:
                raise PositionError(f"position: expected room for {counts!r}, found none")
            x, y = (float(v) for v in rng.uniform(-limit, limit, 2))
            if _is_free(board, discs, x, y, radius):
                discs.append(Disc(kind, x, y))
                break
    return Position(tuple(discs))


def _is_free(board: BoardSpec, discs: list[Disc], x: float, y: float, radius: float) -> bool:
    bend = board.half_mm - board.corner_radius_mm
    corner = math.hypot(max(abs(x) - bend, 0.0), max(abs(y) - bend, 0.0))
    if abs(x) > bend and abs(y) > bend and corner > board.corner_radius_mm - radius:
        return False
    for centre in board.pocket_centres.values():
        if math.hypot(x - centre.x_mm, y - centre.y_mm) < board.pocket_radius_mm + 2.0:
            return False
    return all(
        math.hypot(x - d.x_mm, y - d.y_mm) > radius + board.radii_mm[d.kind] + _APART_MM
        for d in discs
    )
