"""Seats, sides, pockets and the two directions of play.

Seats are seen from above with South at the bottom. Clockwise is S, W, N, E: play passes to the
player's left (HK-04). Counter-clockwise passes to his right (SE-09, ICF-22).
"""

from collections.abc import Collection
from enum import StrEnum

from carrom.errors import OutcomeError
from carrom.pieces import PieceKind

__all__ = [
    "CLOCKWISE_SEATS",
    "Pocket",
    "Seat",
    "Side",
    "TurnDirection",
    "left_of",
    "next_seat",
    "opposite",
    "own_pockets",
    "right_of",
]


class Seat(StrEnum):
    """A place at the board."""

    SOUTH = "S"
    WEST = "W"
    NORTH = "N"
    EAST = "E"


class TurnDirection(StrEnum):
    """Which way the turn goes round, seen from above."""

    CLOCKWISE = "clockwise"
    COUNTER_CLOCKWISE = "counter_clockwise"


class Pocket(StrEnum):
    """A corner, seen from above with South at the bottom."""

    SOUTH_WEST = "SW"
    SOUTH_EAST = "SE"
    NORTH_EAST = "NE"
    NORTH_WEST = "NW"


class Side(StrEnum):
    """Who scores together: a colour, or with three players the seat itself (PT-01)."""

    RED = "red"
    GREEN = "green"
    WHITE = "white"
    BLACK = "black"
    SOUTH = "S"
    WEST = "W"
    NORTH = "N"
    EAST = "E"

    @property
    def piece(self) -> PieceKind:
        """The men of this side. Raises ``OutcomeError`` for a three-player side, which has none."""
        try:
            return _MEN[self]
        except KeyError:
            raise OutcomeError(f"side {self.value!r} plays without a colour (PT-01)") from None


_MEN = {side: PieceKind(side.value) for side in Side if len(side.value) > 1}
CLOCKWISE_SEATS = (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)
_AFTER = {
    direction: {
        seat: tuple(order[(i + k) % 4] for k in range(1, 5)) for i, seat in enumerate(order)
    }
    for direction, order in (
        (TurnDirection.CLOCKWISE, CLOCKWISE_SEATS),
        (TurnDirection.COUNTER_CLOCKWISE, CLOCKWISE_SEATS[::-1]),
    )
}
_OWN_POCKETS = {
    Seat.SOUTH: (Pocket.SOUTH_WEST, Pocket.SOUTH_EAST),
    Seat.WEST: (Pocket.NORTH_WEST, Pocket.SOUTH_WEST),
    Seat.NORTH: (Pocket.NORTH_WEST, Pocket.NORTH_EAST),
    Seat.EAST: (Pocket.NORTH_EAST, Pocket.SOUTH_EAST),
}


def next_seat(seat: Seat, occupied: Collection[Seat], direction: TurnDirection) -> Seat:
    """The next occupied seat after ``seat``; ``seat`` itself if it is the only one."""
    for candidate in _AFTER[direction][seat]:
        if candidate in occupied:
            return candidate
    raise OutcomeError(f"no occupied seat after {seat.value!r} among {sorted(occupied)!r}")


def left_of(seat: Seat, occupied: Collection[Seat]) -> Seat:
    """The next occupied seat on the player's left (clockwise from above)."""
    return next_seat(seat, occupied, TurnDirection.CLOCKWISE)


def right_of(seat: Seat, occupied: Collection[Seat]) -> Seat:
    """The next occupied seat on the player's right (counter-clockwise from above)."""
    return next_seat(seat, occupied, TurnDirection.COUNTER_CLOCKWISE)


def opposite(seat: Seat) -> Seat:
    """The seat across the board."""
    return _AFTER[TurnDirection.CLOCKWISE][seat][1]


def own_pockets(seat: Seat) -> tuple[Pocket, Pocket]:
    """The two pockets on the player's own side (HL-10)."""
    return _OWN_POCKETS[seat]
