"""What every timeline promises, whatever goes wrong in it."""

from __future__ import annotations

from itertools import combinations
from math import hypot

from carrom import events as ev
from referee.match import Match
from sim.camera.films import IncidentKind, Timeline, Wish
from sim.camera.films.moves import Carry, Glide, Slide
from sim.camera.scene import DiscState

K = IncidentKind
COMMON = tuple(
    Wish(kind)
    for kind in (
        K.SLEEVE_TOUCH, K.EARLY_PICKUP, K.WRONG_TURN, K.OFF_LINE, K.OVER_FRAME, K.LIP_FALL,
        K.BOARD_NUDGE, K.LAMP_SWITCH, K.LEAN_IN, K.BREAK_MISSED, K.COVER_MISSED,
    )
)  # fmt: skip
"""Those that any ruleset of two sides knows; the others: ``test_incidents``."""


def moves_follow_each_other(timeline: Timeline) -> None:
    """Each move begins where the one before ended; in between the disc rests."""
    for disc, moves in enumerate(timeline.moves):
        place, last_s = timeline.start[disc], 0.0
        for move in moves:
            assert isinstance(move, Slide | Carry | Glide)
            assert last_s <= move.t0_s + 1e-9
            begin, _ = move.at(move.t0_s)
            if place.state is not None:
                gap = hypot(begin.x_mm - place.x_mm, begin.y_mm - place.y_mm)
                assert gap < 0.02, (disc, move.t0_s, gap)
                assert abs(begin.z_mm - place.z_mm) < 0.02, (disc, move, place)
            stop, _ = move.at(move.t1_s)
            if move.end.state is not None:
                assert hypot(stop.x_mm - move.end.x_mm, stop.y_mm - move.end.y_mm) < 0.02
            place, last_s = move.end, move.t1_s


def discs_do_not_overlap(timeline: Timeline) -> None:
    """Flat discs lie beside each other whenever a phase ends."""
    radii = timeline.board.radii_mm
    for phase in timeline.phases:
        moment = timeline.at(phase.t1_s)
        flat = [
            d for d in moment.discs
            if d.place.state in (DiscState.FLAT, DiscState.HANGING) and abs(d.place.z_mm) < 0.1
        ]  # fmt: skip
        for a, b in combinations(flat, 2):
            gap = hypot(a.place.x_mm - b.place.x_mm, a.place.y_mm - b.place.y_mm)
            assert gap > radii[a.kind] + radii[b.kind] - 0.05, (phase, a, b)


def truth_is_the_log(timeline: Timeline) -> None:
    """A replay of the match gives the same outcomes and rulings, in the same order."""
    replayed = Match.replay(timeline.match.log).strokes
    assert [r.ruling for r in replayed] == [judged.ruling for judged in timeline.judged]
    assert [r.outcome for r in replayed] == [judged.outcome for judged in timeline.judged]
    assert not any(judged.ruling.pending for judged in timeline.judged)


def counts_are_the_referees(timeline: Timeline) -> None:
    """What lies on the board before a stroke is what the referee counts then: all is put back."""
    records = [r for r in timeline.match.strokes if r.outcome.placement_mm is not None]
    for stroke, record in zip(timeline.strokes, records, strict=True):
        counts = timeline.at(stroke.t_place_s).position().counts()
        for kind, number in record.before.on_board.items():
            assert counts.get(kind, 0) == number, (stroke.number, kind)


def outcomes_add_to_physics(timeline: Timeline) -> None:
    """Incidents add facts and change none, but that a disc off the board may lie on the frame."""
    for stroke in timeline.strokes:
        states = {disc.place.state for disc in timeline.at(stroke.t_place_s).discs}
        if not stroke.incidents and DiscState.STACKED not in states:
            assert stroke.outcome == stroke.simulated
        plain = [e for e in stroke.simulated.events if not isinstance(e, ev.NoPiecePocketed)]
        told = [_off(e) for e in stroke.outcome.events]
        assert [e for e in told if e in plain] == plain


def _off(event: ev.Event) -> ev.Event:
    if isinstance(event, ev.OnFrame):
        return ev.OffBoard(piece=event.piece, evidence=event.evidence)
    return event


def rest_states_are_those_shown(timeline: Timeline) -> None:
    """``before`` is what lies there at the launch."""
    for stroke in timeline.strokes:
        shown = timeline.at(stroke.t_start_s - 1e-3).position().counts()
        assert stroke.outcome.before is not None
        told = stroke.outcome.before.counts()
        extra = sum(shown.values()) - sum(told.values())
        assert extra == sum(isinstance(e, ev.SimultaneousBreak) for e in stroke.outcome.events)
