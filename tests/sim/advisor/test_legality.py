"""No suggestion that the referee would call a foul by placement or direction, in any ruleset."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carrom.boards import HIKONE_BOARD, ICF_BOARD
from carrom.events import BaseCircle, Zone
from carrom.pieces import PieceKind
from carrom.seats import Seat
from referee.laws import Ruleset
from referee.ruleset_files import load_laws
from sim.advisor.lawful import is_lawful_placement
from sim.advisor.legal_direction import crosses_base_line, must_cross_base_line
from sim.advisor.noise import draw, noisy_strokes
from sim.advisor.placement_fact import placement_fact
from sim.advisor.placements import legal_placements
from sim.advisor.seat_view import seat_row, seat_stroke, seat_table
from sim.advisor.skill import CASUAL
from sim.advisor.suggestion import Refusal
from sim.advisor.thinking import best_advice, thoughts
from sim.advisor.trials import trial_of

from .conftest import TINY

LAWS = {ruleset: load_laws(ruleset.value) for ruleset in Ruleset}


def placements_of(situation):
    table = seat_table(situation)
    tee = situation.seat in situation.state.tee_shots_due
    return table, legal_placements(
        situation.board,
        situation.laws,
        men_mm=table.men_mm,
        radii_mm=table.radius_mm[:-1],
        tee_shot=tee,
    )


@settings(max_examples=25, deadline=None)
@given(number=st.integers(0, 5000))
def test_every_placement_tried_is_lawful_by_the_referees_word(number):
    """Also after the hand's noise: a placement is cut off where the laws end."""
    trial = trial_of(number, LAWS)
    table, placements = placements_of(trial.situation)
    if not len(placements):
        return
    picks = placements.spread(9)
    rows = np.column_stack([picks, np.full(len(picks), 1.5), np.full(len(picks), 1000.0)])
    rng = np.random.default_rng(number)
    x_mm, y_mm = picks[0]
    draws = draw(table, CASUAL, 4, (float(x_mm), float(y_mm)), rng)
    for row in (*rows, *noisy_strokes(rows, draws, CASUAL, placements)):
        place = seat_stroke(trial.situation.seat, row).placement_mm
        assert is_lawful_placement(trial.situation, place), place


@settings(max_examples=8, deadline=None)
@given(number=st.integers(0, 5000))
def test_no_suggestion_is_a_foul_by_placement_or_direction(number):
    """Random positions of every ruleset, all seats, singles and doubles."""
    trial = trial_of(number, LAWS)
    situation = trial.situation
    advice = best_advice(thoughts(situation, trial.skill, seed=number, efforts=(TINY,)))
    assert advice.all or advice.refusal is not None
    table = seat_table(situation)
    for suggestion in advice.all:
        assert suggestion.stroke.seat is situation.seat
        assert is_lawful_placement(situation, suggestion.stroke.placement_mm)
        if must_cross_base_line(situation.laws):
            row = seat_row(suggestion.stroke)[None]
            men, radii = table.men_mm, table.radius_mm[:-1]
            assert crosses_base_line(row, situation.board, men, radii)[0]


@pytest.mark.parametrize("seat", list(Seat))
def test_a_base_circle_is_covered_or_left_alone(seat):
    """GR-07, SE-05: half on it is a foul; the shipped places cover it or keep clear."""
    radius = ICF_BOARD.radii_mm[PieceKind.STRIKER]
    circle = ICF_BOARD.base_line_markings.base_circle_x(ICF_BOARD.half_mm)
    middle = ICF_BOARD.base_lines_y.middle_mm
    for off_mm, expected in ((0.0, "covered"), (12.0, "partial"), (60.0, "none")):
        place = seat_stroke(seat, [circle - off_mm, middle, 0.0, 1000.0]).placement_mm
        assert placement_fact(ICF_BOARD, seat, place).base_circle is BaseCircle(expected)
    assert placement_fact(ICF_BOARD, seat, (0.0, 0.0)).touches_both_lines is False
    assert radius > 0


def test_the_tee_spot_is_where_the_first_stroke_is_made_from(ask):
    """HK-05; and beside it, touching its outline, when a pack lies there (HK-06)."""
    free = ask("r+0.0+100.0 g+50.0+0.0 j+0.0+0.0", "hikone", first_stroke=True)
    _, placements = placements_of(free)
    spot = HIKONE_BOARD.tee_spot(Seat.SOUTH)
    assert placements.places_mm.tolist() == [[spot.x_mm, spot.y_mm]]
    blocked = ask(f"r+0.0{spot.y_mm:+.1f} g+50.0+0.0 j+0.0+0.0", "hikone", first_stroke=True)
    _, around = placements_of(blocked)
    assert len(around)
    for x_mm, y_mm in around.places_mm.tolist():
        assert math.hypot(x_mm - spot.x_mm, y_mm - spot.y_mm) > 30.0
        assert is_lawful_placement(blocked, (x_mm, y_mm))


def test_the_whole_area_is_open_where_a_club_says_so(ask):
    """HL-02: the striker anywhere inside the own area; else on its line only."""
    text = "r+0.0+100.0 g+50.0+0.0 j+0.0+0.0"
    _, line = placements_of(ask(text, "hikone"))
    _, area = placements_of(ask(text, "hikone", {"striker_placement": "anywhere_in_area"}))
    assert len(set(line.places_mm[:, 1])) == 1
    assert len(set(area.places_mm[:, 1])) > 1
    radius = HIKONE_BOARD.radii_mm[PieceKind.STRIKER]
    for x_mm, y_mm in area.places_mm.tolist():
        zone = HIKONE_BOARD.area_zone(Seat.SOUTH, x_mm, y_mm, radius_mm=radius)
        assert zone is not Zone.OUTSIDE


def test_a_wall_of_men_on_the_base_lines_leaves_no_place(ask, quick):
    """No legal placement: said plainly, no stroke made up."""
    men = [f"{'wb'[k % 2]}{-232 + 31.9 * k:+.1f}-252.6" for k in range(15)]
    advice = quick(ask(" ".join(men)))
    assert advice.refusal is Refusal.NO_PLACE
    assert not advice.all


@pytest.mark.parametrize(
    ("degrees", "expected"), [(90, True), (20, True), (2, False), (-30, False), (200, False)]
)
def test_backward_and_sideways_strokes_do_not_cross_the_line(degrees, expected):
    """GR-09, Q-GR-10."""
    row = np.array([[150.0, ICF_BOARD.base_lines_y.middle_mm, math.radians(degrees), 1000.0]])
    none = np.empty((0, 2))
    assert crosses_base_line(row, ICF_BOARD, none, np.empty(0))[0] == expected


def test_a_man_on_the_upper_line_must_not_be_hit_before_it_is_crossed():
    """GR-09: the flick must first cross the upper base line."""
    y_mm = ICF_BOARD.base_lines_y
    row = np.array([[0.0, y_mm.middle_mm, math.radians(45), 1000.0]])
    man = np.array([[30.0, y_mm.middle_mm + 30.0]])
    assert not crosses_base_line(row, ICF_BOARD, man, np.array([15.5]))[0]
