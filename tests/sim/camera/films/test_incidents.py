"""Incidents that only some rulesets know, or that leave discs lying oddly."""

from __future__ import annotations

from functools import cache

import pytest

from carrom import events as ev
from carrom.evidence import Source
from referee.laws import Ruleset
from sim.camera.films import (
    FilmScript,
    Incident,
    IncidentKind,
    Interlude,
    StrokeTruth,
    Timeline,
    Wish,
    play,
    studio_of,
    world_of,
)
from sim.camera.films.make_fixtures import FIXTURES
from sim.camera.scene import DiscState
from tests.sim.camera.films import promises

K = IncidentKind
NAMES = ("icf", "hikone", "hikone_time", "gamerules", "carrom_se_beginners", "point_gamerules")
OTHERS = FilmScript(
    rules="carrom_se", seed=1, strokes=3, wishes=(Wish(K.STANDING), Wish(K.LEFT_SEAT))
)
SCRIPTS = {fixture.name: fixture.script for fixture in FIXTURES if fixture.name in NAMES}
SCRIPTS["others"] = OTHERS

FACTS: dict[IncidentKind, type[ev.Event]] = {
    K.SLEEVE_TOUCH: ev.Touched,
    K.EARLY_PICKUP: ev.StrikerRecalledEarly,
    K.WRONG_TURN: ev.OutOfTurn,
    K.OFF_LINE: ev.Placement,
    K.OVER_FRAME: ev.OffBoard,
    K.LIP_FALL: ev.Pocketed,
    K.BREAK_MISSED: ev.NoContact,
    K.COVER_MISSED: ev.NoPiecePocketed,
    K.STRIKER_POCKETED: ev.Pocketed,
} | {kind: ev.EVENT_CLASSES[kind.value] for kind in K if kind.value in ev.EVENT_CLASSES}
UNJUDGED = {K.BOARD_NUDGE, K.LAMP_SWITCH, K.LEAN_IN}


@cache
def timeline(name: str) -> Timeline:
    """In the same room as the clip: the nets and the friction decide what can happen."""
    script = SCRIPTS[name]
    return play(script, world_of(studio_of(script, size_px=(854, 480)).scene))


def test_every_kind_is_wished_for_in_some_film_here() -> None:
    wished = {wish.kind for script in SCRIPTS.values() for wish in script.wishes}
    assert wished | {wish.kind for wish in promises.COMMON} == set(IncidentKind)


def test_every_kind_has_a_fact_or_is_no_business_of_the_referee() -> None:
    assert set(FACTS) | UNJUDGED == set(IncidentKind)
    assert not set(FACTS) & UNJUDGED


def test_a_kind_belongs_to_a_ruleset_that_accepts_its_event() -> None:
    """Else the referee would refuse the outcome in the middle of a film."""
    assert all(any(kind.in_rules(rules) for rules in Ruleset) for kind in IncidentKind)
    assert not K.JACK_TOPPLED.in_rules(Ruleset.ICF)
    assert not K.BEFORE_PLAY_CALL.in_rules(Ruleset.HIKONE)


@pytest.mark.parametrize("name", SCRIPTS)
def test_all_that_was_wished_for_happens_and_is_told(name: str) -> None:
    film = timeline(name)
    for kind in {wish.kind for wish in SCRIPTS[name].wishes}:
        incidents = [i for i in film.incidents if i.kind is kind]
        assert incidents, kind
        for incident in incidents:
            assert 0 <= incident.t_start_s <= incident.t_end_s <= film.duration_s
            if kind not in UNJUDGED:
                _is_told(film, kind)


def _is_told(film: Timeline, kind: IncidentKind) -> None:
    """The outcome of its stroke or interlude has the fact, known as it can be known."""
    told = [judged for judged in film.judged if kind in {i.kind for i in _incidents(judged)}]
    assert told, kind
    for judged in told:
        facts = [e for e in judged.outcome.events if isinstance(e, FACTS[kind])]
        assert facts, kind
        declared = {fact.evidence.source is Source.DECLARED for fact in facts}
        assert declared == {kind.declared or kind is K.OPTION_REMOVAL}, kind


def _incidents(judged: StrokeTruth | Interlude) -> tuple[Incident, ...]:
    return (judged.incident,) if isinstance(judged, Interlude) else judged.incidents


@pytest.mark.parametrize("name", SCRIPTS)
def test_promises_hold_whatever_goes_wrong(name: str) -> None:
    film = timeline(name)
    promises.moves_follow_each_other(film)
    promises.discs_do_not_overlap(film)
    promises.truth_is_the_log(film)
    promises.counts_are_the_referees(film)
    promises.outcomes_add_to_physics(film)
    promises.rest_states_are_those_shown(film)


@pytest.mark.parametrize(
    ("name", "kind", "state"),
    [
        ("icf", K.ON_FRAME, DiscState.ON_FRAME),
        ("icf", K.STRIKER_ON_PIECE, DiscState.STACKED),
        ("hikone", K.FELL_DURING_LIFT, DiscState.STACKED),
        ("carrom_se_beginners", K.RESTING_ON_STRIKER, DiscState.STACKED),
        ("others", K.STANDING, DiscState.STANDING),
        ("hikone", K.JACK_TOPPLED, DiscState.STACKED),
    ],
)
def test_a_disc_is_seen_to_lie_oddly(name: str, kind: IncidentKind, state: DiscState) -> None:
    """What the outcome says is what the pictures show, at the time that the truth gives."""
    film = timeline(name)
    incident = next(i for i in film.incidents if i.kind is kind)
    start = film.strokes[incident.stroke - 1].t_end_s
    if kind is K.JACK_TOPPLED:
        start = incident.t_start_s - 0.05
    assert state in {disc.place.state for disc in film.at(start + 0.02).discs}


def test_what_is_stacked_stays_known_and_falls_when_its_base_moves() -> None:
    """The jack on its pack belongs to every rest state until the end of the film."""
    film = timeline("hikone")
    incident = next(i for i in film.incidents if i.kind is K.JACK_TOPPLED)
    for stroke in film.strokes[incident.stroke :]:
        assert stroke.outcome.before is not None
        assert len(stroke.outcome.before.of_kind(film.kinds[incident.discs[0]])) == 1


def test_a_level_board_that_is_stuck_ends_by_janken() -> None:
    film = timeline("hikone_time")
    last = film.judged[-1]
    assert isinstance(last, Interlude)
    assert not last.shown
    assert any(isinstance(event, ev.Stalemate) for event in last.outcome.events)
    assert film.match.log[-1].name == "janken_won"


def test_time_runs_out_on_film() -> None:
    """The elapsed time of the event is the time that passes in the pictures."""
    film = timeline("icf")
    late = next(j for j in film.interludes if j.incident.kind is K.TIME_EXCEEDED)
    event = next(e for e in late.outcome.events if isinstance(e, ev.TimeExceeded))
    assert event.evidence.t_start_s is not None
    assert event.evidence.t_end_s == pytest.approx(event.evidence.t_start_s + event.elapsed_s)
    assert late.shown
    assert any(hand.seat is late.outcome.seat for hand in film.at(late.t_end_s - 0.1).hands)


def test_both_strikers_run_at_once_in_a_common_break() -> None:
    film = timeline("hikone_time")
    stroke = film.strokes[0]
    for after_s in (0.03, 0.06):
        here, there = (film.at(stroke.t_start_s + s) for s in (0.0, after_s))
        for striker in (film.striker, film.striker - 1):
            a, b = here.discs[striker].place, there.discs[striker].place
            assert abs(a.x_mm - b.x_mm) + abs(a.y_mm - b.y_mm) > 1.0
    assert film.at(film.duration_s).discs[film.striker - 1].place.state is None


def test_chance_brings_only_what_the_rules_know() -> None:
    """A film by seed never stops because the referee refuses an event."""
    script = FilmScript(rules="gamerules", seed=3, strokes=6, incident_rate=1.0)
    film = play(script)
    assert film.incidents
    assert all(incident.kind.in_rules(Ruleset.GAMERULES) for incident in film.incidents)
