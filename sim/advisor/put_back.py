"""Pieces that a ruling puts back: where they go, as people at a table would place them."""

from __future__ import annotations

from math import cos, hypot, sin, sqrt, tau

import numpy as np

from carrom.board_spec import BoardFamily, BoardSpec
from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from referee.ruling import Place, ReturnRow

__all__ = ["missing", "put_back"]

_GAP_MM = 0.1
_RINGS_MM = np.arange(0.0, 400.0, 2.0)
_TRIES = 40


def put_back(
    position: Position,
    rows: tuple[ReturnRow, ...],
    board: BoardSpec,
    rng: np.random.Generator,
) -> Position:
    """The position with the pieces of ``rows`` put down in their order.

    To the centre circle and the jack spot as near as there is room (HK-29, ICF-66); Hikone packs
    are not stacked here but laid side by side. Into the outer circle anywhere free (SE-38, ICF-57).
    """
    discs = list(position)
    for row in rows:
        for _ in range(row.count):
            discs.append(_placed(discs, row.piece, row.to, board, rng))
    return Position(tuple(discs))


def missing(before: Position, counts: dict[PieceKind, int], here: Position) -> tuple[Disc, ...]:
    """Pieces that the referee still counts and that do not lie here: taken from ``before``.

    A void stroke leaves what fell where it was before (HK-48).
    """
    found: list[Disc] = []
    lying = here.counts()
    for kind, number in counts.items():
        absent = number - lying.get(kind, 0)
        found += [d for d in before if d.kind is kind][: max(absent, 0)]
    return tuple(found)


def _placed(
    discs: list[Disc], kind: PieceKind, to: Place, board: BoardSpec, rng: np.random.Generator
) -> Disc:
    radius = board.radii_mm[kind]
    if to is Place.OUTER_CIRCLE and board.family is BoardFamily.ICF:
        outer = board.base_line_markings.outer_circle_diameter_mm.value / 2 - radius
        for _ in range(_TRIES):
            turn, away = rng.uniform(0.0, tau), outer * sqrt(float(rng.uniform()))
            x, y = away * cos(turn), away * sin(turn)
            if _is_free(discs, x, y, radius, board):
                return Disc(kind, x, y)
    for away in _RINGS_MM:
        for k in range(24):
            turn = k * tau / 24
            x, y = float(away * cos(turn)), float(away * sin(turn))
            if _is_free(discs, x, y, radius, board):
                return Disc(kind, x, y)
    return Disc(kind, 0.0, 0.0)


def _is_free(discs: list[Disc], x: float, y: float, radius: float, board: BoardSpec) -> bool:
    return all(
        hypot(x - d.x_mm, y - d.y_mm) > radius + board.radii_mm[d.kind] + _GAP_MM for d in discs
    )
