"""Plays whole matches at random, within what can happen on a table. Used by the property tests."""

from __future__ import annotations

import random
from collections.abc import Callable

from carrom import events as ev
from carrom.evidence import Evidence, Source
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.seats import Pocket, Seat
from referee.facts import IMPROPER_KINDS
from referee.laws import Laws, Ruleset

# the state after a stroke, for whoever wants to look at it
from referee.state import State

Watcher = Callable[[State, StrokeOutcome], None]
POCKETS = tuple(Pocket)
LOSSES = (ev.OffBoard, ev.OnFrame, ev.FellDuringLift, ev.FellDuringReplacement, ev.FellInOnRemoval)
DECLARED = Evidence(source=Source.DECLARED)


def seats_for(laws: Laws, rng: random.Random) -> tuple[Seat, ...]:
    """Who plays: three seats in point carrom, else two opposite or all four."""
    if laws.ruleset.three_players:
        return (Seat.SOUTH, Seat.EAST, Seat.NORTH)
    choices = [(Seat.SOUTH, Seat.NORTH), (Seat.WEST, Seat.EAST), tuple(Seat)]
    return rng.choice(choices)


def random_outcome(
    state: State, laws: Laws, rng: random.Random, *, skill: float = 0.5, incidents: float = 0.1
) -> StrokeOutcome:
    """A stroke by the seat on turn. ``skill``: chance that anything falls; ``incidents``: chance of
    each kind of trouble."""
    seat = state.turn
    events: list[ev.Event] = []
    if not state.break_done and rng.random() < 0.2:
        events.append(ev.NoContact())
        if rng.random() < 0.3:
            events.append(ev.Pocketed(piece=PieceKind.STRIKER))
        return StrokeOutcome(seat=seat, events=tuple(events))
    events += _contacts(state, rng)
    left = {kind: count for kind, count in state.on_board.items() if count}
    events += _falls(state, left, rng, skill)
    if rng.random() < incidents:
        kind = rng.choice(list(left)) if left else None
        if kind is not None and left[kind]:
            left[kind] -= 1
            events.append(rng.choice(LOSSES)(piece=kind))
    if rng.random() < incidents:
        end = rng.choice((ev.Pocketed, ev.OffBoard, ev.OnFrame))
        events.append(end(piece=PieceKind.STRIKER))
    if rng.random() < incidents:
        events += _trouble(state, laws, rng)
    if rng.random() < incidents / 4 and len(state.seats) > 1:
        seat = rng.choice([other for other in state.seats if other is not seat])
    return StrokeOutcome(seat=seat, events=tuple(events))


def random_incident(state: State, laws: Laws, rng: random.Random) -> StrokeOutcome:
    """Something between two strokes: time, a touch, a violation."""
    lying = [kind for kind, count in state.on_board.items() if count]
    piece = rng.choice(lying or [PieceKind.STRIKER])
    hand = ev.TouchedBy.HAND
    choices: list[ev.Event] = [
        ev.TimeExceeded(limit_s=10.0, elapsed_s=12.0),
        ev.Touched(by=hand, piece=piece, moved=True, before_stroke=True),
        ev.Violation(seat=rng.choice(list(state.seats)), kind="talking", evidence=DECLARED),
        ev.Placement(touches_both_lines=False),
    ]
    return StrokeOutcome(seat=state.turn, events=(rng.choice(choices),))


def _contacts(state: State, rng: random.Random) -> list[ev.Event]:
    kinds = [kind for kind, count in state.on_board.items() if count]
    first: list[ev.Event] = []
    if rng.random() < 0.2:
        first.append(ev.FirstContact(frame=rng.choice(tuple(ev.FramePart))))
        if kinds:
            first.append(ev.Contact(piece=rng.choice(kinds), zone=rng.choice(tuple(ev.Zone))))
    elif kinds:
        zone = rng.choice((ev.Zone.OUTSIDE, ev.Zone.OUTSIDE, ev.Zone.OUTSIDE, *ev.Zone))
        first.append(ev.FirstContact(piece=rng.choice(kinds), zone=zone))
    return first


def _falls(
    state: State, left: dict[PieceKind, int], rng: random.Random, skill: float
) -> list[ev.Event]:
    """Pieces that fall; ``left`` is counted down. The own colour falls more often, as in play."""
    side = state.seats[state.turn]
    own = None if state.captured else side.piece
    falls: list[ev.Event] = []
    while left and rng.random() < skill:
        kinds = [kind for kind, count in left.items() if count]
        if not kinds:
            break
        aims_own = own in kinds and rng.random() < 0.8
        kind = own if aims_own and own is not None else rng.choice(kinds)
        left[kind] -= 1
        falls.append(ev.Pocketed(piece=kind, pocket=rng.choice(POCKETS)))
    return falls


def _trouble(state: State, laws: Laws, rng: random.Random) -> list[ev.Event]:
    kinds = list(laws.ruleset.pieces)
    family = laws.ruleset.value.removeprefix("point_")
    choice = rng.randrange(9)
    if choice == 0:
        improper = rng.choice(sorted(IMPROPER_KINDS[family]))
        return [ev.ImproperStroke(kind=improper, evidence=DECLARED)]
    if choice == 1:
        before = rng.random() < 0.5
        hand = ev.TouchedBy.HAND
        piece = rng.choice(kinds)
        return [ev.Touched(by=hand, piece=piece, moved=True, before_stroke=before)]
    if choice == 2:
        return [ev.StrikerRecalledEarly()]
    if choice == 3:
        return [ev.Violation(seat=rng.choice(list(state.seats)), kind="talking", evidence=DECLARED)]
    if choice == 4:
        return [ev.Placement(base_circle=ev.BaseCircle.PARTIAL)]
    if choice == 5:
        return [ev.Misfire(striker_on_both_lines=rng.random() < 0.5, hit_piece=True)]
    if choice == 6:  # the shooter's seat is put in by whoever makes the outcome
        left = rng.choice(list(state.seats))
        return [ev.LeftSeat(seat=left, evidence=DECLARED)] if rng.random() < 0.2 else []
    if choice == 7 and not state.break_done and laws.ruleset is Ruleset.ICF:
        return [ev.BeforePlayCall(evidence=DECLARED)]
    return [ev.Standing(piece=rng.choice(kinds))]
