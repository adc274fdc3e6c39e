"""Scenarios: one stroke each, with the ruling expected of it (rules.md section F).

``read_scenario`` turns plain data (from YAML or JSON) into domain types, ``differences`` says where
a ruling is not the expected one. Reading files is the command line's business.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from carrom import events as ev
from carrom.codec import Codec
from carrom.errors import CarromError, ContradictionError, LawsError, SchemaError
from carrom.evidence import DECLARED
from carrom.outcome import StrokeOutcome
from carrom.seats import Seat, Side
from referee.adjudicate import adjudicate
from referee.clauses import all_clauses
from referee.laws import Laws, Ruleset
from referee.ruleset_files import load_laws
from referee.ruling import Ruling
from referee.scenario_state import read_state
from referee.scenario_view import EXPECTED_KEYS, view
from referee.state import State, check_state

__all__ = ["Difference", "Scenario", "differences", "judge_scenario", "read_scenario"]

_TOP = (
    "id",
    "title",
    "ruleset",
    "options",
    "clauses",
    "players",
    "seats",
    "state",
    "stroke",
    "expected",
)
_REQUIRED_EXPECTED = ("fouls", "notices", "returns", "debts", "turn", "board", "after")
_DECLARED_ONLY = {"stalemate": ev.Stalemate}
_DECLARABLE = (
    "improper_stroke",
    "before_play_call",
    "violation",
    "left_seat",
    "debt_not_claimed",
    "stalemate",
)
_CODEC = Codec()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """One case: laws, state, outcome, and what is expected (plain data, as in the file)."""

    id: str
    title: str
    clauses: tuple[str, ...]
    laws: Laws
    state: State
    outcome: StrokeOutcome
    expected: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Difference:
    """A field whose value is not the expected one."""

    field: str
    expected: Any
    got: Any


def read_scenario(data: Any, where: str) -> Scenario:
    """The scenario in ``data``. Raises ``SchemaError`` or ``ContradictionError``; every message
    starts with ``where``, the case's id and the field."""
    if not isinstance(data, Mapping):
        raise SchemaError(where, expected="a case with keys and values", got=data)
    where = f"{where}: {data.get('id', '(no id)')}"
    for key in _TOP:
        if key not in data:
            raise SchemaError(f"{where}: {key}", expected="a value", got=None)
    for key in data:
        if key not in (*_TOP, "note"):
            raise SchemaError(
                f"{where}: {key}", expected=f"one of {', '.join(_TOP)}, note", got=key
            )
    laws = _laws(data, where)
    seats = _seats(data, where)
    events = _events(data["stroke"], where)
    outcome_seat = _shooter(data["state"], events, where)
    state = read_state(data["state"], laws, seats, outcome_seat, where)
    try:
        check_state(state, laws)
        outcome = StrokeOutcome(seat=outcome_seat, events=events)
    except CarromError as error:
        raise _located(error, where) from error
    return Scenario(
        id=str(data["id"]),
        title=str(data["title"]),
        clauses=_clauses(data["clauses"], where),
        laws=laws,
        state=state,
        outcome=outcome,
        expected=_expected(data["expected"], laws, where),
    )


def judge_scenario(scenario: Scenario, where: str) -> Ruling:
    """The ruling on a scenario's stroke. Raises ``ContradictionError`` naming file and case."""
    try:
        return adjudicate(scenario.state, scenario.outcome, scenario.laws)
    except CarromError as error:
        raise _located(error, f"{where}: {scenario.id}") from error


def differences(scenario: Scenario, ruling: Ruling) -> list[Difference]:
    """Where the ruling is not the expected one; empty if the case passes.

    Notices are informative (F.5) and a queen is not asserted once the board is over.
    """
    got = view(scenario.state, ruling, scenario.laws)
    board_over = scenario.expected["board"].get("status") == "over"
    found = []
    for field, expected in scenario.expected.items():
        if field == "notices" or (field == "queen" and board_over):
            continue
        if field == "fouls":
            same = set(expected) == set(got[field])
        elif field == "skip_next":
            same = sorted(expected) == sorted(got[field])
        else:
            same = expected == got[field]
        if not same:
            found += _narrow(field, expected, got[field])
    return found


def _narrow(field: str, expected: Any, got: Any) -> list[Difference]:
    """Name the deepest differing keys, so that a person sees the number and not the table."""
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        found = []
        for key in dict.fromkeys((*expected, *got)):
            if expected.get(key) != got.get(key):
                found += _narrow(f"{field}.{key}", expected.get(key), got.get(key))
        return found
    return [Difference(field, expected, got)]


def _located(error: CarromError, where: str) -> CarromError:
    if isinstance(error, ContradictionError):
        return ContradictionError(f"{where}: {error.field}", expected=error.expected, got=error.got)
    if isinstance(error, SchemaError):
        return SchemaError(f"{where}: {error.where}", expected=error.expected, got=error.got)
    return SchemaError(where, expected="consistent facts", got=str(error))


def _laws(data: Mapping[str, Any], where: str) -> Laws:
    names = [member.value for member in Ruleset]
    if data["ruleset"] not in names:
        raise SchemaError(
            f"{where}: ruleset", expected=f"one of {', '.join(names)}", got=data["ruleset"]
        )
    if not isinstance(data["options"], Mapping):
        raise SchemaError(
            f"{where}: options", expected="option names and values", got=data["options"]
        )
    try:
        return load_laws(data["ruleset"], data["options"])
    except LawsError as error:
        raise SchemaError(f"{where}: options", expected="known options", got=str(error)) from error


def _seats(data: Mapping[str, Any], where: str) -> dict[Seat, Side]:
    raw = data["seats"]
    if not isinstance(raw, Mapping):
        raise SchemaError(f"{where}: seats", expected="seat: side", got=raw)
    try:
        seats = {Seat(seat): Side(side) for seat, side in raw.items()}
    except ValueError as error:
        raise SchemaError(
            f"{where}: seats", expected="S, W, N, E and their sides", got=raw
        ) from error
    if data["players"] != len(seats):
        raise SchemaError(
            f"{where}: players", expected=f"{len(seats)}, the seats", got=data["players"]
        )
    return seats


def _list(raw: Any, where: str) -> Sequence[Any]:
    if not isinstance(raw, list):
        raise SchemaError(where, expected="a list", got=raw)
    return raw


def _clauses(raw: Any, where: str) -> tuple[str, ...]:
    known = {entry.id for entry in all_clauses()}
    for item in _list(raw, f"{where}: clauses"):
        if not isinstance(item, str) or item not in known:
            raise SchemaError(f"{where}: clauses", expected="clause IDs such as HK-12", got=item)
    return tuple(raw)


def _events(stroke: Any, where: str) -> tuple[ev.Event, ...]:
    if not isinstance(stroke, Mapping) or set(stroke) != {"events", "declared"}:
        raise SchemaError(f"{where}: stroke", expected="events and declared", got=stroke)
    declared = _list(stroke["declared"], f"{where}: stroke.declared")
    for name in declared:
        if name not in _DECLARABLE:
            expected = f"one of {', '.join(_DECLARABLE)}"
            raise SchemaError(f"{where}: stroke.declared", expected=expected, got=name)
    events = []
    for index, raw in enumerate(_list(stroke["events"], f"{where}: stroke.events")):
        events.append(read_event(raw, declared, f"{where}: stroke.events[{index}]"))
    names = {event.name for event in events}
    for name in declared:
        if name in _DECLARED_ONLY:
            events.append(_DECLARED_ONLY[name](evidence=DECLARED))
        elif name not in names:
            raise SchemaError(
                f"{where}: stroke.declared", expected="an event of that type", got=name
            )
    return tuple(events)


def read_event(raw: Any, declared: Sequence[str], where: str) -> ev.Event:
    """One event of the scenario format; ``object`` is a piece or the frame."""
    if not isinstance(raw, Mapping):
        raise SchemaError(where, expected="an event", got=raw)
    data = dict(raw)
    name = data.get("type")
    if not isinstance(name, str):
        raise SchemaError(f"{where}.type", expected="the name of an event", got=name)
    if name in ("first_contact", "contact"):
        if "object" not in data:
            raise SchemaError(f"{where}.object", expected="a piece or frame", got=None)
        touched = data.pop("object")
        if touched != "frame":
            data["piece"] = touched
        elif "frame" not in data:
            raise SchemaError(f"{where}.frame", expected="the part of the frame", got=None)
        overlap = data.pop("overlap", None)
        if overlap not in (None, "vertical_projection_only"):
            raise SchemaError(f"{where}.overlap", expected="vertical_projection_only", got=overlap)
        data["vertical_projection_only"] = overlap is not None
    if "evidence" in data or name in _DECLARED_ONLY:
        raise SchemaError(f"{where}.type", expected="an event of the scenario format", got=name)
    event: ev.Event = _CODEC.decode(ev.Event, data, where)
    if event.name in declared:
        return replace(event, evidence=DECLARED)
    return event


def _shooter(state: Any, events: Sequence[ev.Event], where: str) -> Seat:
    for event in events:
        if isinstance(event, ev.OutOfTurn):
            return event.seat
    turn = state.get("turn") if isinstance(state, Mapping) else None
    try:
        return Seat(str(turn))
    except ValueError:
        raise SchemaError(f"{where}: state.turn", expected="S, W, N or E", got=turn) from None


def _expected(raw: Any, laws: Laws, where: str) -> Mapping[str, Any]:
    if not isinstance(raw, Mapping):
        raise SchemaError(f"{where}: expected", expected="a ruling", got=raw)
    for key in raw:
        if key not in EXPECTED_KEYS:
            known = ", ".join(EXPECTED_KEYS)
            raise SchemaError(f"{where}: expected.{key}", expected=f"one of {known}", got=key)
    required = _REQUIRED_EXPECTED if laws.ruleset.hikone else (*_REQUIRED_EXPECTED, "queen")
    for key in required:
        if key not in raw:
            raise SchemaError(f"{where}: expected.{key}", expected="a value", got=None)
    for key in ("turn", "board", "after", "debts"):
        if not isinstance(raw[key], Mapping):
            raise SchemaError(f"{where}: expected.{key}", expected="a table", got=raw[key])
    for key in ("fouls", "returns", "skip_next"):
        items = _list(raw.get(key, []), f"{where}: expected.{key}")
        if key != "returns" and not all(isinstance(item, str) for item in items):
            raise SchemaError(f"{where}: expected.{key}", expected="a list of names", got=items)
    return raw
