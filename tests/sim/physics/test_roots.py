"""The root finders against dense sampling: nothing missed, nothing made up."""

import numba
import numpy as np
import pytest

from sim.physics.roots import NEVER, meeting_path, meeting_time, time_of_path

PAIRS = 200_000
SAMPLES = 600


@numba.njit(error_model="numpy")
def gap_mm(row, reach, t):
    x = row[0] + row[2] * t + 0.5 * row[4] * t * t
    y = row[1] + row[3] * t + 0.5 * row[5] * t * t
    return np.sqrt(x * x + y * y) - reach


@numba.njit(error_model="numpy")
def least_gap_mm(row, reach, t_end, samples):
    """Least sampled gap in [0, t_end), refined by golden section around the least sample."""
    step = t_end / samples
    best, at = gap_mm(row, reach, 0.0), 0
    for k in range(1, samples + 1):
        gap = gap_mm(row, reach, k * step)
        if gap < best:
            best, at = gap, k
    low, high = max(at - 1, 0) * step, min(at + 1, samples) * step
    for _ in range(60):
        a, b = low + 0.381966 * (high - low), low + 0.618034 * (high - low)
        if gap_mm(row, reach, a) < gap_mm(row, reach, b):
            high = b
        else:
            low = a
    return min(best, gap_mm(row, reach, 0.5 * (low + high)))


@numba.njit(error_model="numpy")
def check(rows, reaches, horizons, samples):
    """(missed, phantom, hits, worst gap at a hit in mm)."""
    missed, phantom, hits, worst = 0, 0, 0, 0.0
    for q in range(rows.shape[0]):
        row, reach, horizon = rows[q], reaches[q], horizons[q]
        when = meeting_time(row[0], row[1], row[2], row[3], row[4], row[5], reach, horizon)
        if when < NEVER:
            hits += 1
            gap = abs(gap_mm(row, reach, when))
            worst = max(worst, gap)
            if gap > 1e-6 or when > horizon * (1 + 1e-12):
                phantom += 1
            if least_gap_mm(row, reach, when * (1 - 1e-9), samples) < -1e-6:
                missed += 1
        elif least_gap_mm(row, reach, horizon, samples) < -1e-7:
            missed += 1
    return missed, phantom, hits, worst


def random_pairs(rng, near_miss):
    """Relative motions of two decelerating discs; reaches make a share of them graze."""
    directions = rng.uniform(0, 2 * np.pi, (PAIRS, 2))
    speeds = 10 ** rng.uniform(0, 4, (PAIRS, 2))
    slowing = rng.uniform(100, 2000, (PAIRS, 2))
    slowing[: PAIRS // 2, 1] = slowing[: PAIRS // 2, 0]
    ways = np.stack([np.cos(directions), np.sin(directions)], axis=2)
    rows = np.empty((PAIRS, 6))
    rows[:, 2:4] = ways[:, 0] * speeds[:, :1] - ways[:, 1] * speeds[:, 1:]
    rows[:, 4:6] = -ways[:, 0] * slowing[:, :1] + ways[:, 1] * slowing[:, 1:]
    horizons = (speeds / slowing).min(axis=1) * rng.uniform(0.05, 1, PAIRS)
    reaches = rng.uniform(29, 42, PAIRS)
    # Where they are nearest, at a time that is drawn, the gap is about zero.
    when = horizons * rng.uniform(-0.1, 1.1, PAIRS)
    moved = rows[:, 2:4] * when[:, None] + 0.5 * rows[:, 4:6] * when[:, None] ** 2
    velocity = rows[:, 2:4] + rows[:, 4:6] * when[:, None]
    across = np.stack([-velocity[:, 1], velocity[:, 0]], axis=1)
    across /= np.linalg.norm(across, axis=1)[:, None]
    offset = 10 ** rng.uniform(-8, 1.5, PAIRS) * rng.choice([-1, 1], PAIRS)
    offset = offset if near_miss else rng.uniform(-40, 40, PAIRS)
    rows[:, :2] = across * (reaches + offset)[:, None] - moved
    apart = np.hypot(rows[:, 0], rows[:, 1]) > reaches + 1e-6
    return rows[apart], reaches[apart], horizons[apart]


@pytest.mark.parametrize("near_miss", [True, False])
def test_no_contact_is_missed_or_made_up(near_miss):
    rows, reaches, horizons = random_pairs(np.random.default_rng(7), near_miss)
    assert len(rows) > 100_000
    missed, phantom, hits, worst = check(rows, reaches, horizons, SAMPLES)
    assert hits > 20_000
    assert (missed, phantom) == (0, 0), worst


def test_touching_discs_that_approach_meet_at_once():
    assert meeting_time(31.0, 0.0, -5.0, 1.0, 0.0, 0.0, 31.0, 1.0) == 0.0


def test_touching_discs_that_part_do_not_meet_again_at_once():
    assert meeting_time(31.0, 0.0, 5.0, 0.0, 0.0, 0.0, 31.0, 1.0) == NEVER


def test_touching_discs_that_part_and_return_meet_later():
    # 100 mm/s apart, slowed by 1000 mm/s^2: back after 0.2 s.
    when = meeting_time(31.0, 0.0, 100.0, 0.0, -1000.0, 0.0, 31.0, 1.0)
    assert when == pytest.approx(0.2, abs=1e-9)


@pytest.mark.parametrize(
    ("d", "u", "expected"),
    [
        ((-100.0, 0.0), (1.0, 0.0), 69.0),  # head on
        ((-100.0, 31.0), (1.0, 0.0), NEVER),  # just past it
        ((100.0, 0.0), (1.0, 0.0), NEVER),  # away from it
        ((-31.0, 0.0), (1.0, 0.0), 0.0),  # touching and pushing
        ((0.0, -31.0), (1.0, 0.0), NEVER),  # touching, along the tangent
    ],
)
def test_meeting_path_of_a_resting_disc(d, u, expected):
    assert meeting_path(*d, *u, 31.0) == pytest.approx(expected, abs=1e-9)


def test_time_of_path_has_no_cancellation():
    assert time_of_path(1e-9, 1000.0, 1000.0) == pytest.approx(1e-12, rel=1e-9)
    assert time_of_path(500.0, 1000.0, 1000.0) == pytest.approx(1.0, rel=1e-9)
