"""A player's spread is learned from strokes after suggestions."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carrom.seats import Seat
from carrom.stroke import Stroke
from sim.advisor.learning import Belief, PlayerModel, is_the_suggested_one
from sim.advisor.skill import CASUAL, CLUB

MEANT = Stroke(seat=Seat.EAST, placement_mm=(252.6, 40.0), angle_rad=3.0, speed_mm_s=2000.0)


def made(meant, rng, sigma_rad, bias_rad=0.0, share=0.08):
    angle = meant.angle_rad + rng.normal(bias_rad, sigma_rad)
    speed = meant.speed_mm_s * math.exp(rng.normal(0, share))
    x, y = meant.placement_mm
    return replace(
        meant, angle_rad=angle, speed_mm_s=speed, placement_mm=(x, y + rng.normal(0, 1.0))
    )


def test_a_claim_gives_way_to_what_is_seen():
    """Claims club, strikes like a beginner: after forty strokes the truth outweighs the claim."""
    rng = np.random.default_rng(0)
    model = PlayerModel.of(CLUB)
    assert model.skill.angle_rad == pytest.approx(CLUB.angle_rad)
    model = model.after_all((MEANT, made(MEANT, rng, CASUAL.angle_rad)) for _ in range(40))
    assert model.strokes == 40
    assert model.skill.angle_rad == pytest.approx(CASUAL.angle_rad, rel=0.25)
    assert model.skill.speed_share == pytest.approx(0.08, rel=0.25)


def test_a_bias_is_found_and_believed_slowly():
    """Always a degree to the left."""
    rng = np.random.default_rng(1)
    pairs = [(MEANT, made(MEANT, rng, 0.01, math.radians(1.0))) for _ in range(30)]
    few = PlayerModel.of(CLUB).after_all(pairs[:3]).skill.angle_bias_rad
    many = PlayerModel.of(CLUB).after_all(pairs).skill.angle_bias_rad
    assert 0 < few < many < math.radians(1.3)


def test_fast_strokes_are_judged_on_their_own_scale():
    """The spread grows with the speed; the same error at 6 m/s says less against a player."""
    fast = replace(MEANT, speed_mm_s=6000.0)
    slow_model, fast_model = PlayerModel.of(CLUB), PlayerModel.of(CLUB)
    for sign in (1, -1) * 10:
        off = sign * 0.03
        slow_model = slow_model.after(MEANT, replace(MEANT, angle_rad=MEANT.angle_rad + off))
        fast_model = fast_model.after(fast, replace(fast, angle_rad=fast.angle_rad + off))
    assert fast_model.skill.angle_rad < slow_model.skill.angle_rad


def test_another_stroke_teaches_nothing():
    """He did not follow the suggestion."""
    other = replace(MEANT, angle_rad=MEANT.angle_rad + 0.8)
    assert not is_the_suggested_one(MEANT, other)
    assert PlayerModel.of(CLUB).after(MEANT, other).strokes == 0
    assert not is_the_suggested_one(MEANT, replace(MEANT, seat=Seat.WEST))


@settings(max_examples=40, deadline=None)
@given(errors=st.lists(st.floats(-0.05, 0.05), min_size=1, max_size=12), seed=st.integers(0, 99))
def test_the_order_of_strokes_does_not_matter(errors, seed):
    """A fold over exchangeable evidence."""
    shuffled = list(np.random.default_rng(seed).permutation(errors))
    one, two = Belief.of(0.02), Belief.of(0.02)
    for a, b in zip(errors, shuffled, strict=True):
        one, two = one.after(a), two.after(float(b))
    assert one.mean == pytest.approx(two.mean, abs=1e-12)
    assert one.sigma == pytest.approx(two.sigma, rel=1e-9)
