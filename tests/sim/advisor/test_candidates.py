"""Strokes from geometry and from the sweep do what they are meant to do."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carrom.boards import ICF_BOARD
from carrom.notation import parse_position
from sim.advisor.ghost_disc import aim_over_frame, ghost_strokes
from sim.advisor.noise import draw, noisy_strokes
from sim.advisor.placements import Placements
from sim.advisor.skill import CLUB, Skill
from sim.advisor.sweep import Grid, _blurred, _tops, swept
from sim.physics import ICF_SURFACE, batch_table, simulate_batch

MIDDLE = ICF_BOARD.base_lines_y.middle_mm
PLACES = Placements(
    np.column_stack([np.linspace(-180, 180, 9), np.full(9, MIDDLE)]),
    np.array([-184.0]),
    np.array([184.0]),
)


@settings(max_examples=15, deadline=None)
@given(x=st.floats(-250, 250), y=st.floats(-100, 300))
def test_most_ghost_strokes_pocket_a_lone_man(x, y):
    """Without noise: the throw of the rim and the loss at the frame are in the aim. Two in three
    must fall: steep cuts fail when the striker's frame comes first, banks when spin matters."""
    table = batch_table(parse_position(f"w{x:+.1f}{y:+.1f}"), ICF_BOARD)
    strokes = ghost_strokes(table, ICF_BOARD, ICF_SURFACE, np.array([True]), PLACES.places_mm)
    if not len(strokes):
        return
    fell = simulate_batch(table, strokes).pocket[:, 0] >= 0
    assert fell.mean() > 0.3


def test_straight_ghosts_fall():
    """A man on the way to the far right pocket; the straight strokes come first."""
    table = batch_table(parse_position("w+100.0+150.0"), ICF_BOARD)
    strokes = ghost_strokes(table, ICF_BOARD, ICF_SURFACE, np.array([True]), PLACES.places_mm)
    assert (simulate_batch(table, strokes[:9]).pocket[:, 0] == 2).all()


@pytest.mark.parametrize("friction", [0.0, 0.1, 0.3])
def test_a_disc_meets_its_goal_over_a_frame(friction):
    """The way out of a frame with friction, against the engine: within 6 mm over half a board."""
    from dataclasses import replace

    surface = replace(ICF_SURFACE, frame_friction=friction)
    table = batch_table(parse_position("-"), ICF_BOARD, surface)
    start, goal = np.array([[-100.0, MIDDLE]]), np.array([[150.0, 60.0]])
    radius = float(table.radius_mm[-1])
    turn, possible = aim_over_frame(start, goal, radius, (1, 1.0), table, surface)
    assert possible[0]
    way = (turn - start)[0]
    from carrom.notation import parse_position as read
    from carrom.seats import Seat
    from carrom.stroke import Stroke
    from sim.physics import simulate

    stroke = Stroke(
        seat=Seat.SOUTH,
        placement_mm=(-100.0, MIDDLE),
        angle_rad=math.atan2(way[1], way[0]),
        speed_mm_s=3000.0,
    )
    run = simulate(read("-"), stroke, ICF_BOARD, surface)
    track = run.tracks[-1][1]
    past = goal[0] - track[2:4]
    assert abs(past[0] * track[5] - past[1] * track[4]) < 6.0


def test_a_grid_is_symmetric_about_straight_ahead():
    """Left and right are searched alike."""
    grid = Grid(places=5, speeds_mm_s=(1000.0, 2000.0), step_rad=0.03)
    angles = grid.angles()
    assert np.allclose(angles + angles[::-1], math.pi)
    assert swept(grid, PLACES.spread(5)).shape == (5, 2, len(angles), 4)


def test_blurring_keeps_the_mean_and_a_lone_line_sinks():
    """A lucky line one step wide is worth little to a hand ten steps wide."""
    rows = np.zeros((1, 101))
    rows[0, 50] = 1.0
    blurred = _blurred(rows, 10.0)
    assert blurred.max() < 0.05
    assert blurred.sum() == pytest.approx(1.0)


def test_the_best_block_is_found():
    """One candidate for each place and block of angles, the best first."""
    value = np.zeros((2, 3, 12))
    value[1, 2, 8] = 5.0
    strokes = np.arange(2 * 3 * 12 * 4, dtype=float).reshape(2, 3, 12, 4)
    found = _tops(value, strokes, 4)
    assert (found[0] == strokes[1, 2, 8]).all()
    assert len(found) == 4


def test_noise_has_the_spread_it_is_said_to_have():
    """Angle at 2 m/s, growth with the speed, share of the speed, place cut off at the laws."""
    table = batch_table(parse_position("w+0.0+100.0"), ICF_BOARD)
    skill = Skill(angle_rad=0.02, speed_share=0.1, place_mm=3.0, angle_growth=0.5, seen_mm=0.5)
    draws = draw(table, skill, 4000, (0.0, MIDDLE), np.random.default_rng(1))
    meant = np.array([[183.0, MIDDLE, 1.5, 2000.0], [0.0, MIDDLE, 1.5, 4000.0]])
    made = noisy_strokes(meant, draws, skill, PLACES).reshape(2, 4000, 4)
    assert made[0, :, 2].std() == pytest.approx(0.02, rel=0.05)
    assert made[1, :, 2].std() == pytest.approx(0.04, rel=0.05)
    assert np.log(made[0, :, 3]).std() == pytest.approx(0.1, rel=0.05)
    assert made[0, :, 0].max() <= 184.0
    assert made[1, :, 0].std() == pytest.approx(3.0, rel=0.05)
    assert draws.men_mm[:, 0, 0].std() == pytest.approx(0.5, rel=0.1)
    assert len(np.unique(draws.surfaces[:, 3])) > 1000


def test_candidates_share_their_samples():
    """Common random numbers: two equal candidates come out equal to the last bit."""
    table = batch_table(parse_position("w+0.0+100.0"), ICF_BOARD)
    draws = draw(table, CLUB, 50, (0.0, MIDDLE), np.random.default_rng(1))
    meant = np.array([[10.0, MIDDLE, 1.5, 2000.0]] * 2)
    one, two = noisy_strokes(meant, draws, CLUB, PLACES).reshape(2, 50, 4)
    assert (one == two).all()
