"""Whether the referee would let a striker lie there: his own word, asked before it is shown."""

from __future__ import annotations

from carrom import events as ev
from carrom.outcome import StrokeOutcome
from referee.adjudicate import adjudicate
from referee.ruling import Foul
from sim.advisor.placement_fact import placement_fact
from sim.advisor.situation import Situation

__all__ = ["is_lawful_placement"]

_BY_PLACEMENT = frozenset({Foul.IMPROPER_STROKE, Foul.STRIKE_RULE_VIOLATION, Foul.TECHNICAL_FOUL})


def is_lawful_placement(situation: Situation, placement_mm: tuple[float, float]) -> bool:
    """No foul is called for a plain stroke from there. ``placement_mm``: board frame."""
    state, seat = situation.state, situation.seat
    tee = situation.laws.ruleset.hikone and seat in state.tee_shots_due
    fact = placement_fact(situation.board, seat, placement_mm, tee_shot=tee)
    piece = next(kind for kind, number in state.on_board.items() if number)
    zone = ev.Zone.OUTSIDE if situation.laws.ruleset.hikone else None
    touch = ev.FirstContact(piece=piece, zone=zone)
    ruling = adjudicate(state, StrokeOutcome(seat=seat, events=(fact, touch)), situation.laws)
    return not ruling.foul_names & _BY_PLACEMENT
