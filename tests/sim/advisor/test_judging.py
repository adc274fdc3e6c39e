"""The referee's word on simulated strokes: by code, the same as on the strokes themselves."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carrom import events as ev
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.seats import Seat, Side
from referee.adjudicate import adjudicate
from referee.laws import Ruleset
from referee.ruleset_files import load_laws
from referee.ruling import Foul
from sim.advisor.judge import is_foul, is_success
from sim.advisor.legal_direction import crosses_base_line, must_cross_base_line
from sim.advisor.race import racer_for
from sim.advisor.race_to_finish import win_chance
from sim.advisor.seat_view import seat_stroke, seat_table
from sim.advisor.situation import QueenSays
from sim.advisor.skill import CLUB
from sim.advisor.sweep import Grid, swept
from sim.advisor.trials import trial_of
from sim.advisor.value import valuation_of
from sim.advisor.workers import Workers
from sim.physics.simulation import simulate

LAWS = {ruleset: load_laws(ruleset.value) for ruleset in Ruleset}
GRID = Grid(places=3, speeds_mm_s=(1800.0, 4500.0), step_rad=0.2)


@settings(max_examples=12, deadline=None)
@given(number=st.integers(0, 5000))
def test_codes_judge_as_the_strokes_themselves_are_judged(number):
    """A code keeps all that a law asks for: same fouls, same turn, same counts as the stroke
    simulated on the board, told by its trajectory and judged as it is."""
    situation = trial_of(number, LAWS).situation
    table = seat_table(situation)
    racer = racer_for(situation, table, CLUB, np.random.default_rng(0), Workers())
    if not len(racer.placements):
        return
    strokes = swept(GRID, racer.placements.spread(3)).reshape(-1, 4)
    verdicts = racer.judge.verdicts(racer.workers.simulate(table, strokes), strokes)
    rng = np.random.default_rng(number)
    for row in rng.choice(len(strokes), 6, replace=False):
        stroke = seat_stroke(situation.seat, strokes[row])
        outcome = simulate(
            situation.position, stroke, situation.board, situation.surface
        ).to_outcome()
        if must_cross_base_line(situation.laws):
            men, radii = table.men_mm, table.radius_mm[:-1]
            if not crosses_base_line(strokes[row][None], situation.board, men, radii)[0]:
                back = ev.ImproperStroke(kind="not_across_base_line")
                outcome = replace(outcome, events=(*outcome.events, back))
        ruling = adjudicate(situation.state, outcome, situation.laws)
        judged = verdicts.judged[verdicts.kind[row]]
        assert judged.ruling.foul_names == ruling.foul_names
        assert judged.ruling.turn.next is ruling.turn.next
        assert judged.ruling.on_board == ruling.on_board
        assert judged.success == is_success(ruling, situation.side)
        assert judged.foul == is_foul(ruling)


def test_a_sweep_costs_few_questions(ask):
    """Hundreds of strokes, a few dozen rulings."""
    situation = ask("w+0.0+0.0 w+90.0+20.0 b-60.0+50.0 b+200.0+200.0 q-10.0+120.0")
    table = seat_table(situation)
    racer = racer_for(situation, table, CLUB, np.random.default_rng(0), Workers())
    grid = Grid(places=9, speeds_mm_s=(1500.0, 3000.0), step_rad=0.05)
    strokes = swept(grid, racer.placements.spread(9)).reshape(-1, 4)
    racer.judge.verdicts(racer.workers.simulate(table, strokes), strokes)
    assert racer.judge.adjudications < len(strokes) / 8


def worth(situation, *pieces, pot=0.6):
    """The worth of pocketing these pieces."""
    events = [ev.FirstContact(piece=next(iter(situation.state.on_board)))]
    events += [ev.Pocketed(piece=kind) for kind in pieces]
    outcome = StrokeOutcome(seat=situation.seat, events=tuple(events))
    ruling = adjudicate(situation.state, outcome, situation.laws)
    from referee.apply import apply

    after = apply(situation.state, ruling)
    return valuation_of(situation.laws, pot).of(situation.state, ruling, after).at(0.5)


W, B, Q, K = PieceKind.WHITE, PieceKind.BLACK, PieceKind.QUEEN, PieceKind.STRIKER
R, G, J = PieceKind.RED, PieceKind.GREEN, PieceKind.JACK
MIDDLE = "w+0.0+0.0 w+90.0+20.0 w-90.0+40.0 b-60.0+90.0 b+200.0+200.0 b+50.0+150.0 q-10.0+220.0"


def test_own_is_good_and_a_scratch_is_bad_everywhere(ask):
    """The plain order of things."""
    for rules in ("icf", "carrom_se", "gamerules"):
        situation = ask(MIDDLE, rules)
        assert worth(situation, W) > worth(situation) > worth(situation, K)


def test_own_with_the_striker_differs_with_the_laws(ask):
    """ICF-46 and SE-29 let the player go on, GR-35 does not: what follows is worth more."""
    values = {rules: worth(ask(MIDDLE, rules), W, K) for rules in ("icf", "gamerules")}
    assert values["icf"] > values["gamerules"]


def test_the_opponents_piece_costs_more_where_it_is_a_foul(ask):
    """GR-19 takes a piece back besides; under the ICF Laws it is only a gift (ICF-21)."""
    lost = {r: worth(ask(MIDDLE, r), B) - worth(ask(MIDDLE, r)) for r in ("icf", "gamerules")}
    assert lost["gamerules"] < lost["icf"] < 0


def test_the_last_own_piece_before_the_queen_loses_the_board(ask):
    """SE-18, ICF-80; the jack before the last pack costs five (HK-22)."""
    for rules in ("icf", "carrom_se"):
        situation = ask("w+0.0+0.0 b-60.0+90.0 b+200.0+200.0 q-10.0+220.0", rules)
        assert worth(situation, W) < -0.9
        assert worth(situation, Q) > worth(situation)
    hikone = ask("r+0.0+0.0 g-60.0+90.0 g+100.0+100.0 j+0.0+60.0", "hikone")
    assert worth(hikone, J) < worth(hikone) < worth(hikone, R)


def test_the_jack_wins_once_the_packs_are_in(ask):
    """HK-21."""
    assert worth(ask("g-60.0+90.0 g+100.0+100.0 j+0.0+60.0", "hikone"), J) == 1.0


def test_a_covered_queen_is_worth_points(ask):
    """ICF-26: three of them, for whoever covered her."""
    text = "w+0.0+0.0 w+50.0+0.0 b-60.0+90.0 b+200.0+200.0"
    mine, theirs = (worth(ask(text, queen=w)) for w in (QueenSays.MINE, QueenSays.THEIRS))
    assert mine > theirs


@settings(max_examples=40, deadline=None)
@given(a=st.integers(0, 12), b=st.integers(1, 12), pot=st.floats(0.1, 0.9))
def test_fewer_needs_are_never_worse(a, b, pot):
    """The race to the finish is monotonic, and between 0 and 1."""
    chance = win_chance(a, b, pot)
    assert 0.0 <= chance <= 1.0
    assert win_chance(a + 1, b, pot) <= chance + 1e-12
    assert win_chance(a, b + 1, pot) >= chance - 1e-12


def test_in_doubles_a_direct_hit_inside_the_own_area_is_seen(ask):
    """HK-35, HK-38: void, one pack back; in singles it is free."""
    for players, expected in ((4, True), (2, False)):
        situation = ask("r-40.0-262.0 r+0.0+100.0 g+50.0+0.0 j+0.0+0.0", "hikone", players=players)
        table = seat_table(situation)
        racer = racer_for(situation, table, CLUB, np.random.default_rng(0), Workers())
        stroke = np.array([[60.0, situation.board.area_line_y_mm, np.radians(207.5), 900.0]])
        verdicts = racer.judge.verdicts(racer.workers.simulate(table, stroke), stroke)
        fouls = verdicts.judged[verdicts.kind[0]].ruling.foul_names
        assert (Foul.AREA_LINE_DIRECT_HIT in fouls) == expected


@pytest.mark.parametrize("seat", list(Seat))
def test_own_pockets_follow_the_seat(ask, seat):
    """HL-10: an own pack in one of the player's own two pockets goes back, wherever he sits."""
    from carrom.board_marks import from_seat_frame

    pack = from_seat_frame(seat, -240.0, -240.0)
    discs = f"r{pack.x_mm:+.1f}{pack.y_mm:+.1f} g+50.0+0.0 j+0.0+0.0"
    situation = ask(discs, "hikone", {"own_side_pockets": "forbidden"}, seat=seat, side=Side.RED)
    table = seat_table(situation)
    racer = racer_for(situation, table, CLUB, np.random.default_rng(0), Workers())
    stroke = np.array([[-150.0, situation.board.area_line_y_mm, np.radians(197.5), 1500.0]])
    batch = racer.workers.simulate(table, stroke)
    assert batch.pocket[0, 0] == 0  # the pack fell into the near left pocket
    ruling = racer.judge.verdicts(batch, stroke).judged[0].ruling
    assert [row.reason.value for row in ruling.returns] == ["own_side_pocket"]
