"""A ruling does not depend on where people sit or in which order pieces fell."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api.scenario_files import load_cases
from carrom import events as ev
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.seats import CLOCKWISE_SEATS, Pocket, Seat
from referee.adjudicate import adjudicate
from referee.laws import Laws, Ruleset
from referee.ruleset_files import load_laws
from referee.ruling import Ruling
from referee.scenario import Scenario, read_scenario
from referee.setup import start_match
from referee.state import State
from tests.referee.random_play import random_outcome, seats_for

LAWS = Path(__file__).parents[1] / "golden" / "laws"
POCKETS_CLOCKWISE = (Pocket.SOUTH_WEST, Pocket.NORTH_WEST, Pocket.NORTH_EAST, Pocket.SOUTH_EAST)
TWO_SIDED = [r for r in Ruleset if not r.three_players]


def scenarios(ruleset: Ruleset) -> list[Scenario]:
    return [
        read_scenario(raw, path.name)
        for path in sorted((LAWS / ruleset.value).glob("*.yaml"))
        for raw in load_cases(path)
    ]


def turned(seat: Seat) -> Seat:
    """A quarter turn clockwise from above."""
    return CLOCKWISE_SEATS[(CLOCKWISE_SEATS.index(seat) + 1) % 4]


def turn_event(event: ev.Event) -> ev.Event:
    changes: dict[str, Any] = {}
    if isinstance(event, ev.OutOfTurn | ev.Violation | ev.LeftSeat):
        changes["seat"] = turned(event.seat)
    if isinstance(event, ev.Pocketed) and event.pocket is not None:
        index = POCKETS_CLOCKWISE.index(event.pocket)
        changes["pocket"] = POCKETS_CLOCKWISE[(index + 1) % 4]
    return dataclasses.replace(event, **changes)


def turn_state(state: State) -> State:
    return dataclasses.replace(
        state,
        seats={turned(seat): side for seat, side in state.seats.items()},
        turn=turned(state.turn),
        first_seat=turned(state.first_seat),
        skip_next=tuple(turned(seat) for seat in state.skip_next),
        tee_shots_due=frozenset(turned(seat) for seat in state.tee_shots_due),
    )


def turn_ruling(ruling: Ruling) -> Ruling:
    by = {seat.value: turned(seat).value for seat in Seat}
    nxt = ruling.turn.next
    return ruling._replace(
        seat=turned(ruling.seat),
        fouls=tuple(dataclasses.replace(f, seat=turned(f.seat)) for f in ruling.fouls),
        returns=tuple(dataclasses.replace(r, by=by.get(r.by, r.by)) for r in ruling.returns),
        turn=dataclasses.replace(ruling.turn, next=None if nxt is None else turned(nxt)),
        skip_next=tuple(turned(seat) for seat in ruling.skip_next),
        tee_shots_due=frozenset(turned(seat) for seat in ruling.tee_shots_due),
    )


@pytest.mark.parametrize("ruleset", TWO_SIDED)
def test_a_turned_table_gives_the_turned_ruling(ruleset: Ruleset) -> None:
    """Seats are names only: the whole table turned by a quarter changes nothing but them."""
    for case in scenarios(ruleset):
        straight = adjudicate(case.state, case.outcome, case.laws)
        outcome = StrokeOutcome(
            seat=turned(case.outcome.seat),
            events=tuple(turn_event(event) for event in case.outcome.events),
        )
        got = adjudicate(turn_state(case.state), outcome, case.laws)
        assert got == turn_ruling(straight), case.id


MIRRORED_SEATS = {Seat.EAST: Seat.WEST, Seat.WEST: Seat.EAST}
MIRRORED_POCKETS = {
    Pocket.SOUTH_WEST: Pocket.SOUTH_EAST,
    Pocket.SOUTH_EAST: Pocket.SOUTH_WEST,
    Pocket.NORTH_WEST: Pocket.NORTH_EAST,
    Pocket.NORTH_EAST: Pocket.NORTH_WEST,
}


def mirror(value: Any) -> Any:
    """The same thing seen in a mirror: east and west exchanged."""
    if isinstance(value, Seat):
        return MIRRORED_SEATS.get(value, value)
    if isinstance(value, Pocket):
        return MIRRORED_POCKETS[value]
    return _rebuild(value, mirror)


@pytest.mark.parametrize("ruleset", TWO_SIDED)
def test_a_mirrored_table_gives_the_mirrored_ruling(ruleset: Ruleset) -> None:
    """In singles left and right mean nothing; in doubles the direction of play tells them apart."""
    for case in scenarios(ruleset):
        if case.state.doubles:
            continue
        straight = adjudicate(case.state, case.outcome, case.laws)
        got = adjudicate(mirror(case.state), mirror(case.outcome), case.laws)
        assert got == mirror(straight), case.id


SWAP = {
    PieceKind.RED: PieceKind.GREEN,
    PieceKind.GREEN: PieceKind.RED,
    PieceKind.WHITE: PieceKind.BLACK,
    PieceKind.BLACK: PieceKind.WHITE,
}


def swap(value: Any) -> Any:
    """The same thing with the colours exchanged, wherever they occur."""
    if isinstance(value, PieceKind):
        return SWAP.get(value, value)
    if isinstance(value, str) and not isinstance(value, Seat | Pocket):
        names = {"red": "green", "green": "red", "white": "black", "black": "white"}
        return type(value)(names[value]) if value in names else value
    return _rebuild(value, swap)


def _rebuild(value: Any, change: Callable[[Any], Any]) -> Any:
    """``value`` with everything inside it changed."""
    if isinstance(value, dict):
        return {change(key): change(item) for key, item in value.items()}
    if isinstance(value, frozenset):
        return frozenset(change(item) for item in value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(change(item) for item in value))
    if isinstance(value, tuple):
        return tuple(change(item) for item in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {f.name: change(getattr(value, f.name)) for f in dataclasses.fields(value)}
        return type(value)(**fields)
    return value


@pytest.mark.parametrize("ruleset", TWO_SIDED)
def test_exchanged_colours_give_the_exchanged_ruling(ruleset: Ruleset) -> None:
    """No law favours a colour (the opener of a Hikone round is named by seat)."""
    for case in scenarios(ruleset):
        straight = adjudicate(case.state, case.outcome, case.laws)
        got = adjudicate(swap(case.state), swap(case.outcome), case.laws)
        assert got == swap(straight), case.id


def shuffled(outcome: StrokeOutcome, rng: random.Random) -> StrokeOutcome:
    """The same outcome with everything but the contacts in another order."""
    contacts = [event for event in outcome.events if isinstance(event, ev.Contact)]
    others = [event for event in outcome.events if not isinstance(event, ev.Contact)]
    rng.shuffle(others)
    places = sorted(rng.sample(range(len(outcome.events)), len(contacts)))
    mixed: list[ev.Event] = []
    for index in range(len(outcome.events)):
        mixed.append(contacts.pop(0) if index in places else others.pop(0))
    return dataclasses.replace(outcome, events=tuple(mixed))


def same_but_order(ruling: Ruling) -> Any:
    """Everything that is acted upon; the order in which fouls were named is not."""
    return ruling._replace(
        fouls=tuple(sorted(ruling.fouls, key=lambda call: (call.foul, call.seat))),
        notices=(),
        clauses=(),
        actions=tuple(sorted(ruling.actions, key=lambda action: action.piece)),
    )


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(list(Ruleset)), st.integers(0, 2**32))
def test_order_of_pocketings_never_matters(ruleset: Ruleset, seed: int) -> None:
    """Pocketings of one stroke have no order (F.3): a camera may miss which fell first."""
    laws: Laws = load_laws(ruleset.value)
    rng = random.Random(seed)
    seats = seats_for(laws, rng)
    state = start_match(laws, {seat: seat.value for seat in seats}, seats[0])
    outcome = random_outcome(state, laws, rng, skill=0.8, incidents=0.4)
    straight = adjudicate(state, outcome, laws)
    mixed = adjudicate(state, shuffled(outcome, rng), laws)
    assert same_but_order(mixed) == same_but_order(straight)


@pytest.mark.parametrize("ruleset", list(Ruleset))
def test_order_never_matters_in_the_golden_cases(ruleset: Ruleset) -> None:
    """The same on the positions where every law bites."""
    rng = random.Random(7)
    for case in scenarios(ruleset):
        straight = adjudicate(case.state, case.outcome, case.laws)
        mixed = adjudicate(case.state, shuffled(case.outcome, rng), case.laws)
        assert same_but_order(mixed) == same_but_order(straight), case.id
