"""A stroke on one line, as people say it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrom.boards import HIKONE_BOARD, ICF_BOARD
from carrom.errors import NotationError
from carrom.seats import Seat
from carrom.stroke import Stroke
from carrom.stroke_text import default_placement, format_stroke, parse_stroke

strokes = st.builds(
    Stroke,
    seat=st.sampled_from(Seat),
    placement_mm=st.tuples(st.floats(-300, 300), st.floats(-300, 300)),
    angle_rad=st.floats(-10, 10),
    speed_mm_s=st.floats(1, 8_000),
)


@given(strokes)
def test_what_was_written_reads_back_to_the_letter(stroke: Stroke) -> None:
    """Bug reports are one-liners."""
    text = format_stroke(stroke)
    again = parse_stroke(text, ICF_BOARD)
    assert format_stroke(again) == text
    assert math.dist(again.placement_mm, stroke.placement_mm) < 0.1
    assert abs(math.remainder(again.angle_rad - stroke.angle_rad, math.tau)) < 1e-4


def test_without_a_place_the_striker_lies_on_the_players_own_line() -> None:
    """Between the base lines, or on the area line (GR-07, HK-07)."""
    for seat in Seat:
        placed = parse_stroke(f"{seat.value} 90deg 1m/s", ICF_BOARD).placement_mm
        assert placed == tuple(default_placement(ICF_BOARD, seat))
    x_mm, y_mm = parse_stroke("S@12.5 90deg 2.4m/s", HIKONE_BOARD).placement_mm
    assert (x_mm, y_mm) == (12.5, HIKONE_BOARD.area_line_y_mm)


def test_along_means_to_the_players_own_right() -> None:
    """North's right is west."""
    x_mm, y_mm = parse_stroke("N@10 -90deg 1m/s", ICF_BOARD).placement_mm
    assert x_mm == pytest.approx(-10)
    assert y_mm > 0


@pytest.mark.parametrize(
    "text",
    ["", "S", "X 90deg 1m/s", "S 90 1m/s", "S 90deg 1", "S@a 90deg 1m/s", "S 90deg 0m/s",
     "S 90deg 99m/s", "S 90deg -1m/s", "S 90deg 1m/s more"],
)  # fmt: skip
def test_what_is_no_stroke_is_refused_with_the_text(text: str) -> None:
    """The message shows what a stroke looks like."""
    with pytest.raises(NotationError, match="such as"):
        parse_stroke(text, ICF_BOARD)
