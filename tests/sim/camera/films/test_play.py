"""What a timeline promises: the same for a seed, true to physics and referee, no jumps."""

from __future__ import annotations

import pytest

from carrom import events as ev
from referee.match import Match
from sim.camera.films import FilmScript, IncidentKind, PhaseKind, Timeline, Wish, play
from tests.sim.camera.films.promises import (
    COMMON,
    counts_are_the_referees,
    discs_do_not_overlap,
    moves_follow_each_other,
    outcomes_add_to_physics,
    truth_is_the_log,
)


def test_the_same_script_plays_the_same_match() -> None:
    script = FilmScript(rules="icf", seed=3, strokes=2)
    one, other = play(script), play(script)
    assert one.hands == other.hands
    assert [s.outcome for s in one.strokes] == [s.outcome for s in other.strokes]
    for t_s in (0.0, 4.321, one.strokes[1].t_start_s + 0.2, one.duration_s):
        assert one.at(t_s) == other.at(t_s)
    another = play(FilmScript(rules="icf", seed=4, strokes=2))
    assert another.strokes[0].outcome != one.strokes[0].outcome


@pytest.mark.parametrize("rules", ["hikone", "gamerules", "carrom_se", "icf", "point_gamerules"])
def test_every_ruleset_can_be_played(rules: str) -> None:
    timeline = play(FilmScript(rules=rules, seed=2, strokes=3))
    assert len(timeline.strokes) == 3
    assert not timeline.strokes[0].ruling.pending


def test_outcomes_are_those_of_physics(quiet: Timeline) -> None:
    for stroke in quiet.strokes:
        assert stroke.outcome == stroke.trajectory.to_outcome(t_start_s=stroke.t_start_s)


def test_what_incidents_add_is_all_that_differs(eventful: Timeline) -> None:
    outcomes_add_to_physics(eventful)


def test_every_incident_appears_in_the_truth(eventful: Timeline) -> None:
    assert {incident.kind for incident in eventful.incidents} >= {w.kind for w in COMMON}
    for incident in eventful.incidents:
        assert 0 <= incident.t_start_s <= incident.t_end_s <= eventful.duration_s
        if incident.kind.of_a_stroke:
            assert incident in eventful.strokes[incident.stroke - 1].incidents


@pytest.mark.parametrize(
    ("kind", "fact"),
    [
        (IncidentKind.SLEEVE_TOUCH, ev.Touched),
        (IncidentKind.EARLY_PICKUP, ev.StrikerRecalledEarly),
        (IncidentKind.WRONG_TURN, ev.OutOfTurn),
        (IncidentKind.OFF_LINE, ev.Placement),
        (IncidentKind.OVER_FRAME, ev.OffBoard),
        (IncidentKind.LIP_FALL, ev.Pocketed),
        (IncidentKind.BREAK_MISSED, ev.NoContact),
        (IncidentKind.COVER_MISSED, ev.NoPiecePocketed),
    ],
)
def test_an_incident_is_a_fact_of_its_outcome(
    eventful: Timeline, kind: IncidentKind, fact: type[ev.Event]
) -> None:
    strokes = [s for s in eventful.strokes if kind in {i.kind for i in s.incidents}]
    assert strokes
    assert all(any(isinstance(e, fact) for e in s.outcome.events) for s in strokes)


def test_an_incident_comes_at_the_stroke_it_is_wished_for() -> None:
    wish = Wish(IncidentKind.EARLY_PICKUP, 2)
    timeline = play(FilmScript(rules="icf", seed=6, strokes=3, wishes=(wish,)))
    assert [(i.kind, i.stroke) for i in timeline.incidents] == [(IncidentKind.EARLY_PICKUP, 2)]


def test_rulings_are_those_of_a_replay(eventful: Timeline) -> None:
    truth_is_the_log(eventful)


@pytest.mark.parametrize("name", ["quiet", "eventful"])
def test_a_disc_moves_only_when_something_moves_it(
    name: str, request: pytest.FixtureRequest
) -> None:
    moves_follow_each_other(request.getfixturevalue(name))


@pytest.mark.parametrize("name", ["quiet", "eventful"])
def test_resting_discs_never_overlap(name: str, request: pytest.FixtureRequest) -> None:
    discs_do_not_overlap(request.getfixturevalue(name))


def test_pieces_on_the_board_are_those_the_referee_counts(eventful: Timeline) -> None:
    """Before every stroke, and at the last rest, returns done."""
    counts_are_the_referees(eventful)
    counts = eventful.at(eventful.duration_s).position().counts()
    state = eventful.match.state
    for kind, number in state.on_board.items():
        assert counts.get(kind, 0) == number


@pytest.mark.parametrize("rules", ["icf", "hikone"])
def test_the_log_survives_json(rules: str) -> None:
    timeline = play(FilmScript(rules=rules, seed=8, strokes=3))
    assert Match.from_json_lines(timeline.match.to_json_lines()).log == timeline.match.log


def test_times_of_a_stroke_are_in_order(eventful: Timeline) -> None:
    for stroke in eventful.strokes:
        assert stroke.t_place_s < stroke.t_start_s < stroke.t_end_s
        assert stroke.t_start_s < stroke.t_hands_off_s
        moment = eventful.at(stroke.t_start_s)
        striker = moment.discs[eventful.striker]
        assert (striker.place.x_mm, striker.place.y_mm) == pytest.approx(
            stroke.stroke.placement_mm, abs=0.02
        )
        assert any(hand.seat is stroke.stroke.seat for hand in moment.hands)


def test_phases_cover_the_film(quiet: Timeline) -> None:
    kinds = {phase.kind for phase in quiet.phases}
    assert {PhaseKind.PLACING, PhaseKind.AIMING, PhaseKind.MOVING, PhaseKind.WAITING} <= kinds
    for k in range(200):
        t_s = quiet.duration_s * 0.9 * k / 200
        assert quiet.phase_at(t_s) is not None


def test_a_new_board_is_set_up_after_the_last_man() -> None:
    """A master needs few strokes; the film goes on with the next board."""
    timeline = play(FilmScript(rules="carrom_se", seed=9, strokes=60, skills=(1.0, 1.0)))
    state = timeline.match.state
    assert state.board_number > 1 or state.last_board is not None
