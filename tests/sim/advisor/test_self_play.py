"""Programs play by the laws; what goes back lies where it may."""

import math

import numpy as np
import pytest

from carrom.boards import HIKONE_BOARD, ICF_BOARD
from carrom.notation import parse_position
from carrom.pieces import PieceKind
from carrom.position import PositionProblem
from carrom.seats import Seat
from referee.laws import Ruleset
from referee.ruleset_files import load_laws
from referee.ruling import From, Place, Reason, ReturnRow
from sim.advisor.calibration import Shown, reliability
from sim.advisor.players import AdvisorPlayer, GreedyPlayer
from sim.advisor.put_back import missing, put_back
from sim.advisor.self_play import made, play_match
from sim.advisor.skill import CLUB, STRONG
from sim.advisor.trials import trial_of
from sim.physics.surface import surface_for

from .conftest import TINY

W, J = PieceKind.WHITE, PieceKind.JACK


def row(piece, count, to):
    return ReturnRow(
        piece=piece, count=count, to=to, by="umpire", source=From.POCKET, reason=Reason.PENALTY
    )


@pytest.mark.parametrize(("board", "rules"), [(ICF_BOARD, "icf"), (HIKONE_BOARD, "hikone")])
def test_a_board_is_played_to_its_end(board, rules):
    """Greedy players, cheap: every ruling applies, somebody wins, counts add up."""
    players = (GreedyPlayer(STRONG), GreedyPlayer(STRONG))
    ((record, winner),) = play_match(
        load_laws(rules), board, surface_for(board), players, 3, most_boards=1
    )
    assert record.winner is not None
    assert winner in (0, 1)
    assert sum(record.by_side.values()) == record.strokes
    assert record.points > 0


def test_a_match_alternates_the_break():
    """ICF-22: the other side breaks the next board."""
    players = (GreedyPlayer(STRONG), GreedyPlayer(STRONG))
    surface = surface_for(ICF_BOARD)
    records = play_match(load_laws("icf"), ICF_BOARD, surface, players, 3, most_boards=2)
    assert len(records) == 2
    assert all(record.breaker.value == "white" for record, _ in records)


def test_the_advisor_plays_too(ask):
    """One stroke: chosen, made by a hand, still lawful."""
    situation = ask("w+250.0+250.0 w-100.0+60.0 b+120.0+200.0 q+0.0+0.0", seat=Seat.NORTH)
    stroke = AdvisorPlayer(CLUB, TINY).choose(situation, 5)
    assert stroke.seat is Seat.NORTH
    hand = made(situation, stroke, CLUB, np.random.default_rng(0))
    assert hand != stroke
    assert abs(math.remainder(hand.angle_rad - stroke.angle_rad, math.tau)) < 0.2


def test_returned_pieces_lie_free_and_where_they_belong():
    """The outer circle for penalties, the centre or the nearest place to it for the rest."""
    position = parse_position("w+0.0+0.0 b+50.0+0.0 q-40.0+10.0")
    rng = np.random.default_rng(0)
    rows = (row(W, 2, Place.OUTER_CIRCLE), row(W, 1, Place.CENTRE_CIRCLE))
    after = put_back(position, rows, ICF_BOARD, rng)
    assert len(after) == 6
    assert after.problems(ICF_BOARD, tolerance_mm=0.0) is PositionProblem.NONE
    for disc in after.discs[3:5]:
        assert math.hypot(disc.x_mm, disc.y_mm) <= 85.0 - 15.0
    assert math.hypot(after.discs[5].x_mm, after.discs[5].y_mm) < 60.0


def test_what_a_void_stroke_pocketed_lies_where_it_was():
    """HK-48: the referee counts it as never gone."""
    before = parse_position("r+0.0+0.0 g+50.0+0.0 j-40.0+10.0")
    here = parse_position("r+0.0+0.0 g+50.0+0.0")
    counts = {PieceKind.RED: 1, PieceKind.GREEN: 1, J: 1}
    (jack,) = missing(before, counts, here)
    assert (jack.kind, jack.x_mm) == (J, -40.0)


def test_reliability_counts_what_was_met():
    """Two bins, one of them ten points too high."""
    shown = [Shown(0.55, 55, 100), Shown(0.55, 35, 100), Shown(0.95, 95, 100)]
    table = reliability(shown, measured_on=100)
    assert [b.suggestions for b in table.bins] == [2, 1]
    assert table.bins[0].error == pytest.approx(-0.1)
    assert table.error == pytest.approx(0.2 / 3)
    assert table.bias == pytest.approx(-0.2 / 3)
    assert reliability([]).suggestions == 0


def test_a_trial_follows_from_its_number():
    """So that a measurement can be resumed and repeated."""
    laws = {ruleset: load_laws(ruleset.value) for ruleset in Ruleset}
    assert trial_of(17, laws) == trial_of(17, laws)
    assert {trial_of(n, laws).situation.laws.ruleset for n in range(6)} == set(Ruleset)
