"""Two players face each other over the board; where they sit, the first striker tells.

A camera does not know who calls himself South: a picture may show the players left and right, or
upside down. Who places the first striker of a match has the break, so the board is turned until
he sits where the opener of the match does.
"""

from __future__ import annotations

from collections.abc import Collection

from carrom.seats import Seat
from vision.table_events import StrikerPlaced, StrokeBegun, StrokeSeen, TableEvent

__all__ = ["EVERYWHERE", "is_elsewhere", "quarters_needed"]

EVERYWHERE: tuple[Seat, ...] = tuple(Seat)
_TURNED = (Seat.EAST, Seat.SOUTH, Seat.WEST, Seat.NORTH)
"""Each becomes the next when what lies East becomes South."""


def quarters_needed(
    event: TableEvent, seats: Collection[Seat], opener: Seat, *, strokes: int
) -> int:
    """By how many quarters to turn the board (``Pipeline.turn_by``); 0 once a stroke was made, and
    where more than two play."""
    if len(seats) != 2 or strokes or not isinstance(event, StrikerPlaced | StrokeBegun):
        return 0
    return (_TURNED.index(opener) - _TURNED.index(event.seat)) % 4


def is_elsewhere(event: TableEvent, seats: Collection[Seat]) -> bool:
    """Whether a stroke seems to come from a side where nobody sits: it is none."""
    return isinstance(event, StrokeSeen) and event.outcome.seat not in seats
