"""What is painted on a board: seat frames and geometric primitives.

Board frame: origin at the centre of the board, x to the right and y away from the South player,
mm; angles in rad, 0 = +x, counter-clockwise. Seat frame: the same, as the player of that seat sees
it, so that his own lines always have a negative y.
"""

from dataclasses import dataclass
from enum import StrEnum
from math import pi
from typing import NamedTuple

from carrom.seats import Pocket, Seat

__all__ = [
    "Arc",
    "Arrow",
    "Circle",
    "Ink",
    "Line",
    "Mark",
    "MarkName",
    "MarkOwner",
    "Point",
    "Spot",
    "from_seat_frame",
    "right_pocket",
    "seat_rotation_rad",
    "to_seat_frame",
]

_ROTATION_RAD = {Seat.SOUTH: 0.0, Seat.EAST: pi / 2, Seat.NORTH: pi, Seat.WEST: -pi / 2}
_QUARTER_TURN = {Seat.SOUTH: (1, 0), Seat.EAST: (0, 1), Seat.NORTH: (-1, 0), Seat.WEST: (0, -1)}
"""Cosine and sine of the rotation from the seat frame to the board frame."""
_RIGHT_POCKET = {
    Seat.SOUTH: Pocket.SOUTH_EAST,
    Seat.EAST: Pocket.NORTH_EAST,
    Seat.NORTH: Pocket.NORTH_WEST,
    Seat.WEST: Pocket.SOUTH_WEST,
}


class Point(NamedTuple):
    """A place, mm; in the board frame unless the name says seat frame."""

    x_mm: float
    y_mm: float


def to_seat_frame(seat: Seat, x_mm: float, y_mm: float) -> Point:
    """Board frame to the frame of ``seat``; quarter turns, so exact."""
    cos, sin = _QUARTER_TURN[seat]
    return Point(cos * x_mm + sin * y_mm, cos * y_mm - sin * x_mm)


def from_seat_frame(seat: Seat, x_mm: float, y_mm: float) -> Point:
    """Frame of ``seat`` to the board frame; the exact inverse of ``to_seat_frame``."""
    cos, sin = _QUARTER_TURN[seat]
    return Point(cos * x_mm - sin * y_mm, cos * y_mm + sin * x_mm)


def seat_rotation_rad(seat: Seat) -> float:
    """What to add to an angle of the seat frame to have it in the board frame."""
    return _ROTATION_RAD[seat]


def right_pocket(seat: Seat) -> Pocket:
    """The nearer pocket at the player's right hand."""
    return _RIGHT_POCKET[seat]


class Ink(StrEnum):
    """Nominal colour of a mark; real boards fade and vary."""

    BLACK = "black"
    RED = "red"
    WHITE = "white"


class MarkName(StrEnum):
    """What a mark is called; left and right as the owner sees them."""

    NEAR_BASE_LINE = "near_base_line"
    FAR_BASE_LINE = "far_base_line"
    LEFT_BASE_CIRCLE = "left_base_circle"
    RIGHT_BASE_CIRCLE = "right_base_circle"
    LEFT_BASE_DISC = "left_base_disc"
    RIGHT_BASE_DISC = "right_base_disc"
    ARROW = "arrow"
    ARROW_ARCH = "arrow_arch"
    CENTRE_CIRCLE = "centre_circle"
    OUTER_CIRCLE = "outer_circle"
    AREA_LINE = "area_line"
    TEE_SPOT = "tee_spot"
    JACK_SPOT = "jack_spot"


MarkOwner = Seat | Pocket | None
"""The seat whose line or circle it is, the pocket an arrow points at, or nobody (centre)."""


@dataclass(frozen=True, slots=True)
class Line:
    """A straight stroke of paint, ``width_mm`` wide, centred on start to end."""

    name: MarkName
    owner: MarkOwner
    ink: Ink
    start: Point
    end: Point
    width_mm: float


@dataclass(frozen=True, slots=True)
class Circle:
    """An outline; ``radius_mm`` is its outer edge, the paint lies inside."""

    name: MarkName
    owner: MarkOwner
    ink: Ink
    centre: Point
    radius_mm: float
    width_mm: float


@dataclass(frozen=True, slots=True)
class Spot:
    """A filled circle."""

    name: MarkName
    owner: MarkOwner
    ink: Ink
    centre: Point
    radius_mm: float


@dataclass(frozen=True, slots=True)
class Arrow:
    """A line with a head at ``tip``."""

    name: MarkName
    owner: MarkOwner
    ink: Ink
    tail: Point
    tip: Point
    width_mm: float


@dataclass(frozen=True, slots=True)
class Arc:
    """A part of an outline from ``start_rad`` counter-clockwise over ``sweep_rad``."""

    name: MarkName
    owner: MarkOwner
    ink: Ink
    centre: Point
    radius_mm: float
    start_rad: float
    sweep_rad: float
    width_mm: float


Mark = Line | Circle | Spot | Arrow | Arc
