"""What a ruling wants put back, held against what was seen: what, where, in what order, by whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, hypot, sin, tau

from api.table.since_stroke import Put
from carrom.board_spec import BoardSpec
from carrom.pieces import PieceKind
from referee.ruling import Place, ReturnRow
from referee.state import State

__all__ = ["FollowedReturn", "follow_returns"]

_SPOT_MM = 15.0
"""Further from the spot than this is not on it, whatever the errors of seeing."""


@dataclass(frozen=True, slots=True)
class FollowedReturn:
    """``done``: how many of ``row.count``; ``at_mm``: where one may go; ``wrong``: what is not as
    the ruling wants it (``where``, ``who``, ``order``)."""

    row: ReturnRow
    done: int
    at_mm: tuple[float, float]
    wrong: tuple[str, ...]


def follow_returns(
    due: Sequence[ReturnRow], puts: Sequence[Put], state: State, spec: BoardSpec
) -> tuple[FollowedReturn, ...]:
    """The rows in their order, each with the discs of its kind that were put down first."""
    left = list(enumerate(puts))
    out: list[FollowedReturn] = []
    latest, slot = -1, 0
    for row in due:
        mine = [(k, put) for k, put in left if put.piece is row.piece][: row.count]
        left = [one for one in left if one not in mine]
        wrong = []
        if any(not _lies_at(put, row.to, spec) for _, put in mine):
            wrong.append("where")
        if any(not _may_put(put, row.by, state) for _, put in mine):
            wrong.append("who")
        if mine and mine[0][0] < latest:
            wrong.append("order")
        latest = max([latest, *(k for k, _ in mine)])
        out.append(FollowedReturn(row, len(mine), _place(row.to, spec, slot), tuple(wrong)))
        slot += row.count
    return tuple(out)


def _lies_at(put: Put, to: Place, spec: BoardSpec) -> bool:
    """Only what is certainly elsewhere is wrong: a full centre pushes discs aside."""
    limit_mm = _SPOT_MM if to is Place.JACK_SPOT else 7.0 * _radius_mm(spec)
    return hypot(put.x_mm, put.y_mm) <= limit_mm


def _may_put(put: Put, by: str, state: State) -> bool:
    if put.seat is None or by == "umpire":
        return True
    side = state.seats.get(put.seat)
    return by == put.seat.value or (side is not None and by == side.value)


def _radius_mm(spec: BoardSpec) -> float:
    return max(spec.radii_mm[k] for k in spec.radii_mm if k is not PieceKind.STRIKER)


def _place(to: Place, spec: BoardSpec, slot: int) -> tuple[float, float]:
    """The middle, or round it for the second and on."""
    if to is Place.JACK_SPOT or slot == 0:
        return (0.0, 0.0)
    angle = tau * slot / 6
    radius_mm = 2.1 * _radius_mm(spec)
    return (round(radius_mm * cos(angle), 1), round(radius_mm * sin(angle), 1))
