"""``carrom referee``: scenario files against the referee, and the table of clauses."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from api.scenario_files import load_cases, scenario_paths
from carrom.errors import CarromError
from referee.clauses import Clause, all_clauses
from referee.scenario import differences, judge_scenario, read_scenario

__all__ = ["print_clauses", "run_files"]


@dataclass
class _Result:
    """One case: what differed, or why it could not be judged."""

    file: str
    case: str
    title: str = ""
    differences: list[dict[str, Any]] = field(default_factory=list)
    error: str | None = None

    @property
    def passed(self) -> bool:
        return self.error is None and not self.differences


def run_files(paths: list[Path], *, as_json: bool) -> int:
    """Judge every case of the files; 0 if all are as expected, 1 if any is not."""
    results = []
    for path in scenario_paths(paths):
        results += _judge_file(path)
    failed = [result for result in results if not result.passed]
    summary = f"{len(results) - len(failed)} passed, {len(failed)} failed"
    if as_json:
        data = {
            "passed": len(results) - len(failed),
            "failed": len(failed),
            "cases": [_to_data(result) for result in failed],
        }
        sys.stdout.write(json.dumps(data, ensure_ascii=False) + "\n")
    else:
        for result in failed:
            _print_failure(result)
        sys.stdout.write(summary + "\n")
    return 1 if failed or not results else 0


def _judge_file(path: Path) -> list[_Result]:
    """A file that cannot be read is one failed case, so that the others are still judged."""
    try:
        results = [_judge(raw, path) for raw in load_cases(path)]
    except CarromError as error:
        return [_Result(file=str(path), case="(file)", error=str(error))]
    seen: set[str] = set()
    for result in results:
        if result.case in seen:
            result.error = f"{path}: {result.case}: id: expected an id of its own, got it twice"
        seen.add(result.case)
    return results


def _judge(raw: Any, path: Path) -> _Result:
    name = str(raw.get("id", "(no id)")) if isinstance(raw, dict) else "(no id)"
    result = _Result(file=str(path), case=name)
    try:
        scenario = read_scenario(raw, str(path))
        result.title = scenario.title
        ruling = judge_scenario(scenario, str(path))
    except CarromError as error:
        result.error = str(error)
        return result
    for found in differences(scenario, ruling):
        result.differences.append(
            {"field": found.field, "expected": found.expected, "got": found.got}
        )
    return result


def _to_data(result: _Result) -> dict[str, Any]:
    return {
        "file": result.file,
        "case": result.case,
        "title": result.title,
        "error": result.error,
        "differences": result.differences,
    }


def _print_failure(result: _Result) -> None:
    lines = [f"{result.file}: {result.case} {result.title}".rstrip()]
    if result.error is not None:
        lines.append(f"  error: {result.error}")
    for found in result.differences:
        lines.append(f"  {found['field']}")
        lines.append(f"    expected {_compact(found['expected'])}")
        lines.append(f"    got      {_compact(found['got'])}")
    sys.stdout.write("\n".join(lines) + "\n")


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def print_clauses(cases: Path | None, *, as_json: bool) -> None:
    """Every clause: ID, summary, source, observability, and the golden cases that exercise it."""
    exercised = _cases_by_clause(cases or _repository_cases())
    clauses = all_clauses()
    if as_json:
        rows = [_clause_data(clause, exercised.get(clause.id, [])) for clause in clauses]
        sys.stdout.write(json.dumps(rows, ensure_ascii=False) + "\n")
        return
    table = Table("clause", "obs", "trigger", "summary", "source", "cases", title="Clauses")
    for clause in clauses:
        ids = exercised.get(clause.id, [])
        shown = ", ".join(ids[:3]) + (f" +{len(ids) - 3}" if len(ids) > 3 else "")
        table.add_row(
            clause.id,
            clause.observability.value,
            clause.trigger.value,
            clause.summary,
            clause.source,
            shown,
        )
    Console().print(table)
    without = [c.id for c in clauses if c.needs_case and not exercised.get(c.id)]
    sys.stdout.write(f"{len(clauses)} clauses, {len(exercised)} exercised by golden cases\n")
    if exercised and without:
        sys.stdout.write(f"triggered by a stroke but without a case: {', '.join(without)}\n")
    if not exercised:
        sys.stdout.write("no golden cases found here; name their folder with --cases\n")


def _clause_data(clause: Clause, cases: list[str]) -> dict[str, Any]:
    return {
        "id": clause.id,
        "summary": clause.summary,
        "source": clause.source,
        "observability": clause.observability.value,
        "trigger": clause.trigger.value,
        "cases": cases,
    }


def _repository_cases() -> Path | None:
    """The golden cases beside the packages, when run from a checkout."""
    folder = Path(__file__).resolve().parents[2] / "tests" / "golden" / "laws"
    return folder if folder.is_dir() else None


def _cases_by_clause(folder: Path | None) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    if folder is None:
        return found
    for path in scenario_paths([folder]):
        for raw in load_cases(path):
            scenario = read_scenario(raw, str(path))
            for clause in scenario.clauses:
                found.setdefault(clause, []).append(scenario.id)
    return found
