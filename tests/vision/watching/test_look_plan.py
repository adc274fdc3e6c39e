"""Looks cost the most: too many fall behind real time, too few lose the track of a disc."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.arrays import Array
from vision.watching.look_plan import LookPlan

NONE = np.zeros((16, 16), dtype=np.bool_)


def cells(*places: tuple[int, int]) -> Array:
    """A map with these cells set."""
    out = NONE.copy()
    for row, column in places:
        out[row, column] = True
    return out


def looks(plan: LookPlan, changed: Array, covered: Array, *, start: float, n: int) -> list[float]:
    """Times of looks among ``n`` frames at 30 a second."""
    times = [start + k / 30 for k in range(n)]
    return [t for t in times if plan.due(t, changed, covered)]


def of_motion(times: list[float]) -> int:
    """How many of these frames are looked at while every look sees discs move."""
    plan, count = LookPlan(), 0
    for t_s in times:
        if plan.due(t_s, cells((8, 8)), NONE):
            plan.saw_motion(t_s)
            count += 1
    return count


def test_discs_that_move_are_looked_at_in_every_frame() -> None:
    """Which disc is which between two frames is known only if none is left out."""
    assert of_motion([k / 30 for k in range(30)]) == 30


def test_at_sixty_frames_every_second_one_is_looked_at() -> None:
    """A look takes as long as two of these frames."""
    assert of_motion([k / 60 for k in range(60)]) == 30


def test_what_stirs_without_a_disc_that_moves_is_looked_at_in_every_second_frame() -> None:
    """Shadows and sleeves come before hands; a stroke shows itself within two frames."""
    assert len(looks(LookPlan(), cells((8, 8)), NONE, start=0.0, n=30)) == 15


def test_a_rest_is_seen_five_times_soon_and_then_twice_a_second() -> None:
    """A disc missed in one look of five is there; more looks would only cost."""
    plan = LookPlan()
    plan.due(0.0, cells((8, 8)), NONE)
    times = looks(plan, NONE, NONE, start=1 / 30, n=100)
    assert len([t for t in times if t <= 0.5]) >= 4
    late = [t for t in times if t > 1.0]
    assert 4 <= len(late) <= 6


def test_a_hand_that_moves_is_looked_at_ten_times_a_second() -> None:
    """Hands are there half of the time; nothing is decided below them."""
    hand = cells((4, 4), (4, 5), (5, 4))
    assert 9 <= len(looks(LookPlan(), cells((5, 5), (6, 5)), hand, start=0.0, n=30)) <= 11


def test_what_leaves_a_hand_is_looked_at_at_once() -> None:
    """A striker is out of the hand within a frame or two."""
    plan, hand = LookPlan(), cells((2, 2))
    assert plan.due(0.0, cells((2, 3)), hand)
    assert not plan.due(1 / 30, cells((2, 3)), hand)
    assert plan.due(2 / 30, cells((2, 6)), hand)


def test_after_free_motion_the_neighbourhood_of_a_hand_counts_too() -> None:
    """A break goes on around the hand that made it."""
    plan, hand = LookPlan(), cells((2, 2))
    plan.due(0.0, cells((9, 9)), hand)
    plan.saw_motion(0.0)
    assert len(looks(plan, cells((2, 4)), hand, start=1 / 30, n=6)) == 6


@given(
    st.lists(st.tuples(st.floats(0.01, 0.7), st.booleans()), min_size=1, max_size=60),
)
def test_a_look_is_never_late_by_more_than_half_a_second(
    steps: list[tuple[float, bool]],
) -> None:
    """Whatever comes, what lies on the board is checked twice a second, if frames come."""
    plan, t_s, last = LookPlan(), 0.0, 0.0
    for dt, stirs in steps:
        t_s += dt
        if plan.due(t_s, cells((3, 3)) if stirs else NONE, NONE):
            last = t_s
        assert t_s - last < 0.5
