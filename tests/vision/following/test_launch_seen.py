"""The launch that is read off a tracked stroke is the one that was made, or none."""

from __future__ import annotations

from dataclasses import replace
from math import cos, degrees, radians, remainder, sin, sqrt, tau

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carrom.events import FirstContact
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.position import Position
from carrom.seats import Seat
from vision.launch_seen import launch_seen
from vision.table_events import StrokeSeen

PLACE = (20.0, -252.6)
SLOWING = 981.0


def _seen(
    angle: float, speed: float, *, reach_mm: float, fps: float = 30.0, phase: float = 0.4
) -> StrokeSeen:
    """A striker that slides freely for ``reach_mm``, then meets a man head-on and is left with a
    quarter of its speed."""
    after = sqrt(max(speed * speed - 2 * SLOWING * reach_mm, 1.0))
    hit_s = (speed - after) / SLOWING
    striker, man = [], []
    for k in range(40):
        t = (k + phase) / fps
        if t < hit_s:
            way = speed * t - SLOWING * t * t / 2
        else:
            way = reach_mm + min(0.25 * after * (t - hit_s), 20.0)
            man.append((t, PLACE[0] + reach_mm + 36.0 + 0.5 * after * (t - hit_s), PLACE[1]))
        striker.append((t, PLACE[0] + way * cos(angle), PLACE[1] + way * sin(angle)))
    outcome = StrokeOutcome(
        seat=Seat.SOUTH,
        events=(FirstContact(piece=PieceKind.WHITE),),
        before=Position(()),
        after=Position(()),
        placement_mm=PLACE,
        t_start_s=0.0,
        t_end_s=3.0,
    )
    paths = ((PieceKind.STRIKER, tuple(striker)), (PieceKind.WHITE, tuple(man)))
    return StrokeSeen(t_s=3.3, number=1, outcome=outcome, paths_mm=paths)


@settings(deadline=None)
@given(
    st.floats(20, 160), st.floats(900, 6000), st.floats(100, 450), st.sampled_from([30.0, 60.0]),
    st.floats(0.05, 0.95),
)  # fmt: skip
def test_what_is_told_is_what_was_done(
    angle_deg: float, speed: float, reach_mm: float, fps: float, phase: float
) -> None:
    """Angle within half a degree and speed within 4 %, or nothing: a contact between two frames
    must never pass for a slow hand."""
    told = launch_seen(_seen(radians(angle_deg), speed, reach_mm=reach_mm, fps=fps, phase=phase))
    if told is not None:
        assert abs(degrees(remainder(told.stroke.angle_rad - radians(angle_deg), tau))) < 0.5
        assert told.stroke.speed_mm_s == pytest.approx(speed, rel=0.04)


def test_an_ordinary_stroke_is_told() -> None:
    """Or nothing would ever be learned: 1.5 m/s over 400 mm at 30 frames a second."""
    told = launch_seen(_seen(radians(80), 1500.0, reach_mm=400.0))
    assert told is not None
    assert told.stroke.seat is Seat.SOUTH
    assert told.stroke.placement_mm == PLACE


def test_a_stroke_at_a_near_man_is_not_told() -> None:
    """Forty millimetres of way say nothing about an angle."""
    assert launch_seen(_seen(radians(80), 1500.0, reach_mm=40.0)) is None


def test_without_a_placement_nothing_is_told() -> None:
    """A stroke that a person entered has no way and no place."""
    seen = _seen(radians(80), 1500.0, reach_mm=400.0)
    assert launch_seen(replace(seen, outcome=replace(seen.outcome, placement_mm=None))) is None
    assert launch_seen(replace(seen, paths_mm=())) is None
