"""Stroke intents: what can be meant at all."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrom.errors import PositionError
from carrom.seats import Seat
from carrom.stroke import MAX_SPEED_MM_S, Stroke

GOOD = {
    "seat": Seat.SOUTH,
    "placement_mm": (0.0, -252.6),
    "angle_rad": math.pi / 2,
    "speed_mm_s": 2000.0,
}


@given(st.floats(-10, 10), st.floats(1e-6, MAX_SPEED_MM_S))
def test_velocity_has_the_speed(angle_rad, speed_mm_s):
    """Direction and speed are one vector."""
    stroke = Stroke(**{**GOOD, "angle_rad": angle_rad, "speed_mm_s": speed_mm_s})
    assert math.hypot(*stroke.velocity_mm_s) == pytest.approx(speed_mm_s)


def test_straight_ahead_from_south_is_plus_y():
    """Angles count from +x, counter-clockwise."""
    assert Stroke(**GOOD).velocity_mm_s == pytest.approx((0, 2000), abs=1e-9)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("seat", "S"),
        ("seat", None),
        ("placement_mm", (0.0,)),
        ("placement_mm", [0.0, 0.0]),
        ("placement_mm", (math.nan, 0.0)),
        ("placement_mm", (0.0, "1")),
        ("placement_mm", (0.0, 1e6)),
        ("angle_rad", math.inf),
        ("angle_rad", math.nan),
        ("angle_rad", None),
        ("speed_mm_s", 0.0),
        ("speed_mm_s", -1.0),
        ("speed_mm_s", math.nan),
        ("speed_mm_s", MAX_SPEED_MM_S + 1),
        ("speed_mm_s", True),
    ],
)
def test_impossible_strokes(field, value):
    """Each is refused and the error names the field."""
    with pytest.raises(PositionError, match=rf"^{field}: expected"):
        Stroke(**{**GOOD, field: value})


def test_strokes_are_values():
    """Hashable, for caches of suggestions."""
    assert hash(Stroke(**GOOD)) == hash(Stroke(**GOOD))
