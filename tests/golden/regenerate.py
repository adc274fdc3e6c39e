"""Rewrites the golden cases from what the referee rules now. Read the diff: it is a change of law.

    uv run python -m tests.golden.regenerate                 rewrite `expected` of every case
    uv run python -m tests.golden.regenerate --import FILE   add the cases of a scenario file first

Only keys that a case already asserts are rewritten. State, stroke and clauses are never touched.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import yaml

from api.scenario_files import load_cases
from referee.scenario import differences, judge_scenario, read_scenario
from referee.scenario_view import view

LAWS = Path(__file__).parent / "laws"
KEYS = [
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
    "note",
]


class _Flow(dict[Any, Any]):
    """A mapping written on one line."""


class _Dumper(yaml.SafeDumper):
    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)


_Dumper.add_representer(
    _Flow,
    lambda dumper, data: dumper.represent_mapping("tag:yaml.org,2002:map", data, flow_style=True),
)


def _flow(value: Any) -> Any:
    if isinstance(value, dict):
        return _Flow({key: _flow(item) for key, item in value.items()})
    return [_flow(item) for item in value] if isinstance(value, list) else value


def case_text(case: dict[str, Any]) -> str:
    """One case as the golden files have it: a key a line, small tables on one line."""
    out: dict[str, Any] = {}
    for key in KEYS:
        if key not in case:
            continue
        value = case[key]
        if key in ("state", "stroke", "expected"):
            out[key] = {name: _flow(item) for name, item in value.items()}
        else:
            out[key] = _flow(value)
    text = yaml.dump(out, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
    return str(text)


def _path_of(case: dict[str, Any]) -> Path:
    return LAWS / case["ruleset"] / f"{case['id']}.yaml"


def _import(source: Path) -> None:
    for case in load_cases(source):
        path = _path_of(case)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(case_text(case), "utf-8")


def _regenerate(path: Path) -> bool:
    case = next(load_cases(path))
    scenario = read_scenario(case, path.name)
    ruling = judge_scenario(scenario, path.name)
    if not differences(scenario, ruling):
        return False
    got = view(scenario.state, ruling, scenario.laws)
    case["expected"] = {key: got[key] for key in case["expected"]}
    path.write_text(case_text(case), "utf-8")
    return True


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["--import"]:
        for name in arguments[1:]:
            _import(Path(name))
    changed = [path.stem for path in sorted(LAWS.rglob("*.yaml")) if _regenerate(path)]
    sys.stdout.write(f"{len(changed)} rewritten: {', '.join(changed) or 'none'}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
