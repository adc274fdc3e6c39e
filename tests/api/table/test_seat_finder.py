"""Where two players sit in the picture, the first striker tells."""

from __future__ import annotations

import pytest

from api.table.seat_finder import is_elsewhere, quarters_needed
from carrom.outcome import StrokeOutcome
from carrom.seats import Seat
from vision.table_events import StrikerPlaced, StrokeSeen

TWO = (Seat.SOUTH, Seat.NORTH)


def _placed(seat: Seat) -> StrikerPlaced:
    return StrikerPlaced(t_s=1.0, seat=seat, placement_mm=(0.0, 0.0))


@pytest.mark.parametrize(
    ("seat", "quarters"),
    [(Seat.SOUTH, 0), (Seat.EAST, 1), (Seat.NORTH, 2), (Seat.WEST, 3)],
)
def test_the_opener_comes_to_sit_south(seat: Seat, quarters: int) -> None:
    """A stroke called out of turn because the camera hangs the other way round is a quarrel."""
    assert quarters_needed(_placed(seat), TWO, Seat.SOUTH, strokes=0) == quarters


def test_nothing_turns_once_a_stroke_was_made_or_four_play() -> None:
    """Later a striker at another side is a mistake of the eyes or a player out of turn."""
    assert quarters_needed(_placed(Seat.WEST), TWO, Seat.SOUTH, strokes=1) == 0
    assert quarters_needed(_placed(Seat.WEST), tuple(Seat), Seat.SOUTH, strokes=0) == 0


def test_nobody_strikes_from_an_empty_side() -> None:
    """A false striker at the side of the table makes no call."""
    seen = StrokeSeen(t_s=2.0, number=1, outcome=StrokeOutcome(seat=Seat.EAST))
    assert is_elsewhere(seen, TWO)
    assert not is_elsewhere(seen, tuple(Seat))
