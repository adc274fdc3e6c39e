"""The board as the player on turn sees it, and back: the advisor thinks in South's place."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from carrom.board_marks import Point, from_seat_frame, seat_rotation_rad, to_seat_frame
from carrom.position import Disc, Position
from carrom.seats import Pocket, Seat
from carrom.stroke import Stroke
from sim.advisor.placements import Placements, legal_placements
from sim.advisor.situation import Situation
from sim.physics.arrays import POCKETS, FloatArray, Table
from sim.physics.batch import batch_table

__all__ = [
    "seat_placements",
    "seat_row",
    "seat_stroke",
    "seat_table",
    "turned_pocket",
    "turned_points",
]

_TURNS = {Seat.SOUTH: 0, Seat.EAST: 1, Seat.NORTH: 2, Seat.WEST: 3}


def seat_table(situation: Situation) -> Table:
    """The men as arrays in the frame of the seat on turn; room is made for discs that overlap.

    A board is the same from all four sides. Raises ``PositionError`` beyond repair.
    """
    turned = [
        Disc(disc.kind, *to_seat_frame(situation.seat, disc.x_mm, disc.y_mm))
        for disc in situation.position
    ]
    return batch_table(Position(tuple(turned)), situation.board, situation.surface)


def seat_placements(situation: Situation, table: Table) -> Placements:
    """Where the seat on turn may put its striker among the men of ``table`` (``seat_table``)."""
    hikone = situation.laws.ruleset.hikone
    return legal_placements(
        situation.board,
        situation.laws,
        men_mm=table.men_mm,
        radii_mm=table.radius_mm[:-1],
        tee_shot=hikone and situation.seat in situation.state.tee_shots_due,
    )


def seat_stroke(seat: Seat, row: FloatArray | Sequence[float]) -> Stroke:
    """A row x_mm, y_mm, angle_rad, speed_mm_s of the seat's frame as a stroke on the board."""
    x_mm, y_mm, angle_rad, speed_mm_s = (float(number) for number in row)
    place = from_seat_frame(seat, x_mm, y_mm)
    return Stroke(
        seat=seat,
        placement_mm=(place.x_mm, place.y_mm),
        angle_rad=angle_rad + seat_rotation_rad(seat),
        speed_mm_s=speed_mm_s,
    )


def seat_row(stroke: Stroke) -> FloatArray:
    """(4,): the stroke in the frame of its own seat."""
    x_mm, y_mm = to_seat_frame(stroke.seat, *stroke.placement_mm)
    angle_rad = stroke.angle_rad - seat_rotation_rad(stroke.seat)
    return np.array([x_mm, y_mm, angle_rad, stroke.speed_mm_s])


def turned_pocket(seat: Seat, number: int) -> Pocket:
    """The pocket on the board that has this number (SW SE NE NW) in the seat's frame."""
    return POCKETS[(number + _TURNS[seat]) % 4]


def turned_points(seat: Seat, xy_mm: FloatArray) -> tuple[Point, ...]:
    """(k, 2) points of the seat's frame on the board."""
    return tuple(from_seat_frame(seat, float(x), float(y)) for x, y in xy_mm)
