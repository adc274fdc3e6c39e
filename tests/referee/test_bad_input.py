"""Broken files, impossible states and contradicting events: a clear error, never a wrong ruling."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from api.scenario_files import load_cases
from carrom import events as ev
from carrom.errors import CarromError, ContradictionError, OutcomeError, SchemaError
from carrom.pieces import PieceKind
from referee.scenario import judge_scenario, read_scenario

LAWS = Path(__file__).parents[1] / "golden" / "laws"


def case(name: str = "icf/ICF-S001") -> dict[str, Any]:
    (raw,) = load_cases(LAWS / f"{name}.yaml")
    return copy.deepcopy(raw)


def put(raw: dict[str, Any], path: str, value: Any) -> None:
    *parents, last = path.split(".")
    for key in parents:
        raw = raw[key]
    if value is ...:
        del raw[last]
    else:
        raw[last] = value


def judge(raw: Any) -> None:
    judge_scenario(read_scenario(raw, "club.yaml"), "club.yaml")


BROKEN = [
    ("title", ..., "title"),
    ("colour", "blue", "colour"),
    ("ruleset", "snooker", "snooker"),
    ("options", {"target": 13}, "target"),
    ("options", [], "options"),
    ("players", 4, "players"),
    ("seats", {"S": "white", "Q": "black"}, "seats"),
    ("seats", {"S": "white", "E": "black"}, "seats"),
    ("state.turn", "Z", "turn"),
    ("state.turn", "E", "turn"),
    ("state.mood", 1, "mood"),
    ("state.on_board", ..., "on_board"),
    ("state.on_board", {"white": 10, "black": 7, "queen": 1}, "white"),
    ("state.on_board", {"white": -1, "black": 7, "queen": 1}, "white"),
    ("state.on_board", {"white": "six", "black": 7, "queen": 1}, "six"),
    ("state.on_board", {"white": 6.5, "black": 7, "queen": 1}, "6.5"),
    ("state.on_board", {"white": 6, "black": 7, "queen": 2}, "queen"),
    ("state.on_board", {"white": 6, "black": 7, "queen": 0}, "queen"),
    ("state.on_board", {"red": 6, "black": 7, "queen": 1}, "red"),
    ("state.pocketed", {"white": 4, "black": 2}, "9 in all"),
    ("state.queen", {"state": "covered", "by": "white"}, "queen"),
    ("state.queen", {"state": "asleep", "by": None}, "asleep"),
    ("state.queen", {"state": "on_board", "by": "white"}, "queen.by"),
    ("state.debts", {"white": 0}, "debts"),
    ("state.debts", {"white": -1, "black": 0}, "debts"),
    ("state.score", {"red": 3, "black": 0}, "score"),
    ("state.stroke_in_turn", 0, "stroke_in_turn"),
    ("state.break_attempts", 3, "break_attempts"),
    ("state.had_pocketed", {"white": False, "black": True}, "had_pocketed"),
    ("clauses", ["ICF-999"], "ICF-999"),
    ("clauses", [{}], "clauses"),
    ("expected.fouls", [[]], "fouls"),
    ("expected.skip_next", 5, "skip_next"),
    ("state.break_attempts", -1, "break_attempts"),
    ("stroke", {"events": []}, "stroke"),
    ("stroke.events", "nothing", "events"),
    ("stroke.declared", ["talking"], "talking"),
    ("stroke.declared", ["violation"], "violation"),
    ("expected.verdict", 1, "verdict"),
    ("expected.queen", ..., "queen"),
    ("expected.board", "over", "board"),
]


@pytest.mark.parametrize(("path", "value", "named"), BROKEN)
def test_a_broken_case_names_file_case_and_field(path: str, value: Any, named: str) -> None:
    """Whoever wrote the file must find the line without reading our code."""
    raw = case()
    put(raw, path, value)
    with pytest.raises(CarromError) as caught:
        judge(raw)
    message = str(caught.value)
    assert message.startswith("club.yaml: ICF-S001")
    assert named in message
    assert "expected" in message


EVENTS = [
    ({"type": "vanished", "piece": "white"}, "vanished"),
    ({"type": "pocketed"}, "piece"),
    ({"type": {}}, "type"),
    ({"type": []}, "type"),
    ({"type": "resting_on_striker", "piece": "striker"}, "striker"),
    ({"type": "standing", "piece": "red"}, "red"),
    ({"type": "option_removal", "piece": "white"}, "option_removal"),
    ({"type": "before_play_call"}, "before_play_call"),
    ({"type": "penalty_piece_chosen", "piece": "white"}, "penalty_piece_chosen"),
    ({"type": "jack_toppled_during_stacking"}, "jack_toppled"),
    ({"type": "contact", "object": "jack"}, "jack"),
    ({"type": "pocketed", "piece": "pawn"}, "pawn"),
    ({"type": "pocketed", "piece": "white", "pocket": "NNE"}, "NNE"),
    ({"type": "pocketed", "piece": "white", "speed": 3}, "speed"),
    ({"type": "pocketed", "piece": "red"}, "red"),
    ({"type": "first_contact", "object": "frame"}, "frame"),
    ({"type": "first_contact"}, "object"),
    ({"type": "contact", "object": "striker"}, "striker"),
    ({"type": "touched", "by": "foot", "piece": "white", "moved": True}, "foot"),
    ({"type": "time_exceeded", "limit_s": 15, "elapsed_s": 9}, "9"),
    ({"type": "improper_stroke", "kind": "palm"}, "palm"),
    ({"type": "violation", "seat": "E", "kind": "talking"}, "E"),
    ({"type": "out_of_turn", "seat": "S"}, "out_of_turn"),
    ({"type": "stalemate"}, "stalemate"),
    ("pocketed", "pocketed"),
]


@pytest.mark.parametrize(("event", "named"), EVENTS)
def test_a_broken_event_is_named(event: Any, named: str) -> None:
    """An event the format does not know, or that cannot be true, is not guessed at."""
    raw = case()
    raw["stroke"]["events"].append(event)
    with pytest.raises(CarromError, match="ICF-S001") as caught:
        judge(raw)
    assert named in str(caught.value)


CONTRADICTIONS = [
    [{"type": "pocketed", "piece": "white"}] * 7,
    [{"type": "pocketed", "piece": "queen"}] * 2,
    [{"type": "pocketed", "piece": "black"}] * 4 + [{"type": "off_board", "piece": "black"}] * 4,
    [{"type": "pocketed", "piece": "striker"}, {"type": "off_board", "piece": "striker"}],
    [{"type": "pocketed", "piece": "white"}, {"type": "no_piece_pocketed"}],
    [{"type": "no_contact"}, {"type": "contact", "object": "white"}],
    [{"type": "no_contact"}, {"type": "pocketed", "piece": "white"}],
    [{"type": "pocketed", "piece": "striker"}] * 2,
    [
        {"type": "time_exceeded", "limit_s": 15, "elapsed_s": 17},
        {"type": "pocketed", "piece": "white"},
    ],
    [
        {"type": "misfire", "striker_on_both_lines": True, "hit_piece": False},
        {"type": "first_contact", "object": "black"},
    ],
    [{"type": "first_contact", "object": "white"}] * 2,
    [{"type": "misfire", "striker_on_both_lines": True, "hit_piece": False}] * 2,
]


@pytest.mark.parametrize("events", CONTRADICTIONS)
def test_events_that_contradict_each_other_are_refused(events: list[Any]) -> None:
    """A piece pocketed that was not on the board, a striker in two places: the camera was wrong."""
    raw = case()
    raw["stroke"]["events"] = events
    with pytest.raises(ContradictionError, match="ICF-S001"):
        judge(raw)


def test_a_free_removal_that_the_law_does_not_allow_is_refused() -> None:
    """SB-03 allows one own puck, and only after an own puck was sunk."""
    raw = case("carrom_se/SE-S054")
    raw["options"] = {}
    with pytest.raises(ContradictionError, match="option_removal"):
        judge(raw)


def test_a_common_break_needs_its_option() -> None:
    """HL-01 is no championship rule."""
    raw = case("hikone/HL-S019")
    raw["options"] = {}
    with pytest.raises(ContradictionError, match="simultaneous_break"):
        judge(raw)


POINT = "point_gamerules/PTG-S001"
IMPOSSIBLE_CAPTURES = [
    ("state.captured.E.queen", 1),
    ("state.captured.W", {"white": 0, "black": 0, "queen": 0}),
    ("state.captured.S", ...),
    ("state.queen", {"state": "covered", "by": "S"}),
    ("state.queen", {"state": "pocketed_uncovered", "by": "E"}),
]


@pytest.mark.parametrize(("path", "value"), IMPOSSIBLE_CAPTURES)
def test_a_queen_is_in_one_place_only(path: str, value: Any) -> None:
    """Three players: she lies on the board or is with the seat that has her."""
    raw = case(POINT)
    put(raw, path, value)
    with pytest.raises(CarromError, match="PTG-S001"):
        judge(raw)


def test_a_kind_left_out_means_none() -> None:
    """Counts name what is there."""
    raw = case("icf/ICF-S041")
    del raw["state"]["on_board"]["queen"]
    judge(raw)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("scenarios: [", "YAML"),
        ("id: 2020-99-99\nscenarios: []\n", "YAML"),
        ("id: !!int xyz\n", "YAML"),
        ("id: !!timestamp xyz\n", "YAML"),
        ("id: " + "9" * 5_000 + "\n", "YAML"),
        ("- 1\n- 2\n", "mapping"),
        ("meta: {}\n", "scenarios"),
        ("scenarios: {}\n", "list"),
        ("scenarios: []\nextra: 1\n", "extra"),
        ("id: A\nid: B\n", "once"),
        ("scenarios:\n- {id: X, state: {turn: S, turn: N}}\n", "turn"),
    ],
)
def test_a_broken_file_is_named(tmp_path: Path, text: str, named: str) -> None:
    """A key given twice would silently win; YAML itself does not mind."""
    path = tmp_path / "club.yaml"
    path.write_text(text)
    with pytest.raises(SchemaError, match=r"club\.yaml") as caught:
        list(load_cases(path))
    assert named in str(caught.value)


def test_events_check_themselves() -> None:
    """Whoever makes an event learns at once what is wrong with it."""
    with pytest.raises(OutcomeError):
        ev.Contact(piece=PieceKind.WHITE, frame=ev.FramePart.FRONT)
    with pytest.raises(OutcomeError):
        ev.Contact()
    with pytest.raises(OutcomeError):
        ev.TimeExceeded(limit_s=15.0, elapsed_s=float("nan"))
