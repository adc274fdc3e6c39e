"""Two players face each other over the board; which two sides those are, the first striker tells.

A camera does not know who calls himself South: a picture may show the players left and right. So
the first striker that is placed where nobody sits turns the board by a quarter.
"""

from __future__ import annotations

from collections.abc import Collection

from carrom.seats import Seat
from vision.table_events import StrikerPlaced, StrokeBegun, StrokeSeen, TableEvent

__all__ = ["EVERYWHERE", "is_elsewhere", "turn_needed"]

EVERYWHERE: tuple[Seat, ...] = tuple(Seat)


def turn_needed(event: TableEvent, seats: Collection[Seat], *, strokes: int) -> bool:
    """Whether the board must be turned by a quarter: two play, no stroke has been made, and the
    striker lies at a side where nobody sits."""
    if len(seats) != 2 or strokes:
        return False
    return isinstance(event, StrikerPlaced | StrokeBegun) and event.seat not in seats


def is_elsewhere(event: TableEvent, seats: Collection[Seat]) -> bool:
    """Whether a stroke seems to come from a side where nobody sits: it is none."""
    return isinstance(event, StrokeSeen) and event.outcome.seat not in seats
