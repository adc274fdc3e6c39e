"""``carrom referee`` as people and scripts use it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from api.scenario_files import load_cases

ROOT = Path(__file__).parents[2]
LAWS = ROOT / "tests" / "golden" / "laws"
SHARED = ROOT.parent / "shared" / "rules" / "scenarios.yaml"


def carrom(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from api.cli import main; main()", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


def wrong_case(tmp_path: Path) -> Path:
    (raw,) = load_cases(LAWS / "icf" / "ICF-S001.yaml")
    raw["expected"]["turn"] = {"continues": False, "next": "N"}
    raw["expected"]["after"]["on_board"]["white"] = 6
    path = tmp_path / "club.yaml"
    path.write_text(yaml.safe_dump({"meta": {}, "scenarios": [raw]}))
    return path


def test_a_folder_of_right_cases_passes() -> None:
    """Summary line and exit code."""
    done = carrom("referee", str(LAWS / "point_carrom_se"))
    count = len(list((LAWS / "point_carrom_se").glob("*.yaml")))
    assert (done.returncode, done.stdout) == (0, f"{count} passed, 0 failed\n")


@pytest.mark.skipif(not SHARED.is_file(), reason="the shared rules are not beside this checkout")
def test_the_shared_cases_pass() -> None:
    """All the cases that the project was given."""
    done = carrom("referee", str(SHARED))
    assert done.returncode == 0, done.stdout
    assert done.stdout.endswith("291 passed, 0 failed\n")


def test_a_difference_names_field_expected_and_got(tmp_path: Path) -> None:
    """The deepest field that differs, not the whole table."""
    done = carrom("referee", str(wrong_case(tmp_path)))
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0].endswith("ICF-S001 Own C/m pocketed: turn continues")
    shown = "\n".join(lines[1:-1])
    assert "  turn.continues\n    expected false\n    got      true" in shown
    assert "  after.on_board.white\n    expected 6\n    got      5" in shown
    assert lines[-1] == "0 passed, 1 failed"


def test_json_says_the_same(tmp_path: Path) -> None:
    """For scripts."""
    done = carrom("referee", "--json", str(wrong_case(tmp_path)))
    data = json.loads(done.stdout)
    assert (done.returncode, data["passed"], data["failed"]) == (1, 0, 1)
    fields = {found["field"] for found in data["cases"][0]["differences"]}
    assert fields == {"turn.continues", "turn.next", "after.on_board.white"}


def test_a_broken_case_fails_alone(tmp_path: Path) -> None:
    """The good cases of the same file are still judged."""
    (good,) = load_cases(LAWS / "icf" / "ICF-S001.yaml")
    bad = {**good, "id": "BAD", "ruleset": "snooker"}
    path = tmp_path / "mixed.yaml"
    path.write_text(yaml.safe_dump({"scenarios": [good, bad]}))
    done = carrom("referee", str(path))
    assert done.returncode == 1
    assert "mixed.yaml: BAD: ruleset: expected one of" in done.stdout
    assert done.stdout.endswith("1 passed, 1 failed\n")


@pytest.mark.parametrize(
    ("name", "text"), [("a.yaml", "scenarios: ["), ("b.yaml", "id: A\nid: B\n"), ("c.json", "{")]
)
def test_an_unreadable_file_is_a_failure(tmp_path: Path, name: str, text: str) -> None:
    """Broken YAML must never look like a pass."""
    path = tmp_path / name
    path.write_text(text)
    done = carrom("referee", str(path))
    assert done.returncode == 1
    assert name in done.stdout
    assert done.stdout.endswith("0 passed, 1 failed\n")


def test_a_missing_file_is_an_error() -> None:
    """A typing error in the path."""
    done = carrom("referee", "nowhere.yaml")
    assert done.returncode == 2
    assert "nowhere.yaml" in done.stderr


def test_nothing_to_do_is_an_error() -> None:
    """Neither files nor --clauses."""
    assert carrom("referee").returncode == 2


def test_the_table_of_clauses_lists_the_cases() -> None:
    """Every clause with what it says, where it comes from, and who exercises it."""
    done = carrom("referee", "--clauses", "--json")
    rows = {row["id"]: row for row in json.loads(done.stdout)}
    assert len(rows) == 262
    assert "ICF-S004" in rows["ICF-46"]["cases"]
    assert rows["HK-12"]["observability"] == "F"
    assert carrom("referee", "--clauses").returncode == 0
