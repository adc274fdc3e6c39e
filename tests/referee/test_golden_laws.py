"""Every golden case is ruled as written, and every clause that a stroke can trigger has one."""

from __future__ import annotations

from pathlib import Path

import pytest

from api.scenario_files import load_cases
from referee.clauses import all_clauses
from referee.scenario import differences, judge_scenario, read_scenario

LAWS = Path(__file__).parents[1] / "golden" / "laws"
SHARED = Path(__file__).parents[3] / "shared" / "rules"
CASES = sorted(LAWS.rglob("*.yaml"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case_is_ruled_as_written(path: Path) -> None:
    """A changed ruling is a changed law: regenerate only after reading why it differs."""
    for raw in load_cases(path):
        scenario = read_scenario(raw, path.name)
        found = differences(scenario, judge_scenario(scenario, path.name))
        assert not found, f"{scenario.title}: {found}"


def test_case_files_are_named_after_their_case() -> None:
    """A stranger who reads an id in a failure finds the file."""
    for path in CASES:
        (raw,) = load_cases(path)
        assert (raw["id"], raw["ruleset"]) == (path.stem, path.parent.name)


NOT_CITED = {
    "HK-08",  # no event says that the striker was placed against a piece
    "HK-09",  # taking the striker off is not an event
    "ICF-35",  # how fouls are classed: no ruling of its own
    "HL-16",  # the layout is set up before any stroke
}
"""Clauses with a case whose ruling has no place to cite them."""


def test_every_clause_that_a_stroke_can_trigger_has_a_case() -> None:
    """A law nobody exercises is a law nobody knows to be right. A label is not enough: the ruling
    of one of the cases must cite the clause."""
    labelled: set[str] = set()
    cited: set[str] = set()
    for path in CASES:
        for raw in load_cases(path):
            ruling = judge_scenario(read_scenario(raw, path.name), path.name)
            labelled |= set(raw["clauses"])
            cited |= set(raw["clauses"]) & set(ruling.clauses)
    needed = {clause.id for clause in all_clauses() if clause.needs_case}
    assert needed - labelled == set()
    assert needed - cited - NOT_CITED == set()


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared rules are not beside this checkout")
def test_shared_scenarios_are_golden_cases_here() -> None:
    """The cases the project was given must not drift away in our copies."""
    for raw in load_cases(SHARED / "scenarios.yaml"):
        (ours,) = load_cases(LAWS / raw["ruleset"] / f"{raw['id']}.yaml")
        assert ours == raw


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared rules are not beside this checkout")
def test_registry_knows_every_clause_of_the_rules() -> None:
    """No clause of the written rules may be missing from the registry, and none made up."""
    import importlib.util

    spec = importlib.util.spec_from_file_location("checker", SHARED / "check_scenarios.py")
    assert spec is not None
    assert spec.loader is not None
    checker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(checker)
    assert {clause.id for clause in all_clauses()} == checker.CLAUSES
