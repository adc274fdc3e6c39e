"""Clocks: 15 s a stroke; in Hikone five minutes, ten seconds in the last, and the last round."""

from __future__ import annotations

from dataclasses import replace

import pytest

from carrom import events as ev
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.seats import Seat, Side
from referee.clock import exceeded, read_clock, start_clock, stop_clock
from referee.match import Match
from referee.match_events import ClockStarted, ClockStopped, MatchStarted
from referee.ruleset_files import load_laws
from referee.ruling import BoardReason, Notice
from referee.setup import start_match
from referee.state import Phase, State

S, N = Seat.SOUTH, Seat.NORTH
HIKONE = load_laws("hikone")
RED, GREEN = PieceKind.RED, PieceKind.GREEN


def fresh(rules: str = "hikone") -> State:
    return start_match(load_laws(rules), {S: "A", N: "B"}, S)


def test_no_clock_says_nothing() -> None:
    """At a kitchen table nobody starts one."""
    assert read_clock(fresh(), HIKONE, 99.0) is None
    assert exceeded(fresh(), HIKONE, 9_999.0) is None


def test_five_minutes_stop_and_go_on() -> None:
    """HK-39; a dispute stops the clock."""
    state = start_clock(fresh(), 100.0)
    state = stop_clock(state, 130.0)
    reading = read_clock(state, HIKONE, 500.0)
    assert reading is not None
    assert (reading.match_remaining_s, reading.stroke_elapsed_s) == (270.0, None)
    state = start_clock(state, 500.0)
    reading = read_clock(state, HIKONE, 510.0)
    assert reading is not None
    assert (reading.match_remaining_s, reading.stroke_elapsed_s) == (260.0, 10.0)


@pytest.mark.parametrize(
    ("t_s", "late"),
    [
        (200.0, False),  # no stroke clock before the last minute
        (249.0, False),  # the last minute began 9 s ago in the middle of this stroke
        (250.5, True),  # and now more than 10 s ago
        (400.0, True),  # time is up, the round is being completed
    ],
)
def test_ten_seconds_in_the_last_minute(t_s: float, late: bool) -> None:
    """HK-40: the ten seconds begin with the last minute at the earliest."""
    state = start_clock(fresh(), 0.0)
    assert (exceeded(state, HIKONE, t_s) is not None) is late


def test_a_final_has_no_clock() -> None:
    """HK-39."""
    final = load_laws("hikone", {"match_stage": "final"})
    state = start_clock(fresh(), 0.0)
    reading = read_clock(state, final, 1_000.0)
    assert reading is not None
    assert reading.match_remaining_s is None
    assert exceeded(state, final, 1_000.0) is None


@pytest.mark.parametrize("rules", ["icf", "carrom_se", "point_carrom_se"])
def test_fifteen_seconds_a_stroke(rules: str) -> None:
    """ICF-23, SE-10: from rest on; exactly 15 s are still in time."""
    laws = load_laws(rules)
    seats = (S, Seat.EAST, N) if laws.ruleset.three_players else (S, N)
    state = start_clock(start_match(laws, {seat: seat.value for seat in seats}, S), 0.0)
    assert exceeded(state, laws, 15.0) is None
    event = exceeded(state, laws, 15.2)
    assert event is not None
    assert (event.limit_s, event.elapsed_s) == (15.0, 15.2)


def test_gamerules_has_no_stroke_clock() -> None:
    """S2 names none."""
    state = start_clock(fresh("gamerules"), 0.0)
    assert exceeded(state, load_laws("gamerules"), 1_000.0) is None


def test_an_agreed_time_runs_down() -> None:
    """GR-38: the option says how long, the clock how much is left."""
    laws = load_laws("gamerules", {"time_limit_min": 30})
    reading = read_clock(start_clock(fresh("gamerules"), 0.0), laws, 600.0)
    assert reading is not None
    assert (reading.match_remaining_s, reading.time_up) == (1200.0, False)


def timed_match() -> Match:
    match = Match(MatchStarted(id="s", laws=HIKONE, players={S: "A", N: "B"}, opener=S))
    match.push(ClockStarted(id="c", t_s=0.0))
    return match


def miss(seat: Seat, t_s: float) -> StrokeOutcome:
    contact = ev.FirstContact(piece=RED)
    return StrokeOutcome(seat=seat, events=(contact,), t_start_s=t_s - 1, t_end_s=t_s)


def hit(seat: Seat, kind: PieceKind, t_s: float) -> StrokeOutcome:
    events = (ev.FirstContact(piece=kind), ev.Pocketed(piece=kind))
    return replace(miss(seat, t_s), events=events)


def test_the_round_is_completed_and_the_packs_compared() -> None:
    """HK-41, HK-42: time runs out in red's turn; green still plays, then fewer packs left wins."""
    match = timed_match()
    match.play(hit(S, RED, 10.0))
    match.play(miss(S, 301.0))
    assert match.state.final_round
    assert match.state.turn is N
    ruling = match.play(miss(N, 305.0))
    assert ruling.board.reason is BoardReason.TIME_FEWER_PACKS
    assert ruling.board.points == {Side.RED: 1, Side.GREEN: 0}
    assert match.state.phase is Phase.MATCH_OVER


def test_level_after_the_round_another_round_is_played() -> None:
    """HK-43: a tie-break round at a time until it is decided."""
    match = timed_match()
    match.play(miss(S, 301.0))
    ruling = match.play(miss(N, 305.0))
    assert Notice.EXTRA_ROUND in ruling.notices
    assert (match.state.turn, match.state.final_round) == (S, True)
    match.play(hit(S, RED, 310.0))
    match.play(miss(S, 315.0))
    ruling = match.play(miss(N, 320.0))
    assert ruling.board.winner is Side.RED


def test_time_that_ran_out_while_the_clock_stood_does_not_count() -> None:
    """A stopped clock is stopped."""
    match = timed_match()
    match.push(ClockStopped(id="stop", t_s=20.0))
    match.play(miss(S, 900.0))
    assert not match.state.final_round
