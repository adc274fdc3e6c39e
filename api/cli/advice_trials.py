"""The work of ``carrom evaluate advice``: trial by trial, kept in a file, told as tables."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
from rich.console import Console

from api.cli.trial_file import Row, TrialFile, deadline
from carrom.errors import SchemaError
from referee.laws import Laws, Ruleset
from referee.ruleset_files import load_laws
from sim.advisor.calibration import Reliability, Shown, reliability
from sim.advisor.effort import FULL, QUICK
from sim.advisor.seat_view import seat_row
from sim.advisor.suggestion import ShotKind
from sim.advisor.thinking import best_advice, thoughts
from sim.advisor.trials import fast_hits, pymunk_hits, trial_of

__all__ = ["run"]


def run(
    *,
    suggestions: int,
    strokes: int,
    pymunk: int,
    pymunk_strokes: int,
    dt_s: float,
    first: int,
    quick: bool,
    resume: Path | None,
    minutes: float | None,
    as_json: bool,
) -> None:
    """Measure and print. Raises ``SchemaError`` for a file that is no record of this."""
    if min(suggestions, strokes, pymunk_strokes) < 1 or pymunk < 0 or first < 0:
        got = (suggestions, strokes, pymunk, pymunk_strokes, first)
        raise SchemaError("--n, --strokes, --pymunk", expected="numbers from 1 on", got=got)
    laws = {ruleset: load_laws(ruleset.value) for ruleset in Ruleset}
    file = TrialFile(resume)
    file.rows = _whole(file.rows)
    work = _Work(laws, file, deadline(minutes))
    work.measure_fast(suggestions, strokes, first, quick=quick)
    work.measure_pymunk(pymunk, pymunk_strokes, dt_s)
    _tell(file.rows, suggestions, as_json=as_json)


@dataclasses.dataclass
class _Work:
    """What there is to do, and what is done."""

    laws: dict[Ruleset, Laws]
    file: TrialFile
    is_late: Callable[[], bool]

    def measure_fast(self, suggestions: int, strokes: int, first: int, *, quick: bool) -> None:
        """Advise on one trial after the other until there are enough suggestions."""
        done = {row["trial"] for row in self.file.of("trial")}
        number = first
        while len(self.file.of("suggestion")) < suggestions and not self.is_late():
            if number not in done:
                self.file.add(*self._trial(number, strokes, quick=quick), _end(number))
            number += 1

    def _trial(self, number: int, strokes: int, *, quick: bool) -> list[Row]:
        trial = trial_of(number, self.laws)
        effort = QUICK if quick else FULL
        stream = thoughts(trial.situation, trial.skill, seed=number, efforts=(effort,))
        advice = best_advice(stream)
        rows = []
        for index, shown in enumerate(advice.all):
            row = seat_row(shown.stroke)
            rng = np.random.default_rng((number, index, 77))
            safe = shown.kind is ShotKind.SAFE
            rows.append(
                {
                    "type": "suggestion",
                    "trial": number,
                    "index": index,
                    "rules": trial.situation.laws.ruleset.value,
                    "skill": trial.skill_name,
                    "men": len(trial.situation.position),
                    "kind": shown.kind.value,
                    "row": row.tolist(),
                    "chance": shown.chance.value,
                    "samples": shown.chance.samples,
                    "hits": fast_hits(trial, row, strokes, rng, safe=safe),
                    "strokes": strokes,
                }
            )
        return rows

    def measure_pymunk(self, suggestions: int, strokes: int, dt_s: float) -> None:
        """The first suggestions once more in pymunk, one by one."""
        done = {(row["trial"], row["index"]) for row in self.file.of("pymunk")}
        for row in self.file.of("suggestion")[:suggestions]:
            key = row["trial"], row["index"]
            if key in done or self.is_late():
                continue
            rng = np.random.default_rng((*key, 78))
            hits = pymunk_hits(
                trial_of(key[0], self.laws),
                np.array(row["row"]),
                strokes,
                rng,
                safe=row["kind"] == ShotKind.SAFE,
                dt_s=dt_s,
            )
            self.file.add(
                {
                    "type": "pymunk",
                    "trial": key[0],
                    "index": key[1],
                    "hits": hits,
                    "strokes": strokes,
                    "dt_s": dt_s,
                }
            )


def _end(number: int) -> Row:
    return {"type": "trial", "trial": number}


def _whole(rows: list[Row]) -> list[Row]:
    """Without the rows of a trial that was not finished."""
    whole = {row.get("trial") for row in rows if row["type"] == "trial"}
    return [row for row in rows if row.get("trial") in whole]


def _tables(rows: list[Row], wanted: int) -> list[tuple[str, Reliability]]:
    """Both engines, then by ruleset, skill and kind on the fast one."""
    shown = [row for row in rows if row["type"] == "suggestion"]
    by_key = {(row["trial"], row["index"]): row for row in shown}
    slow = [row for row in rows if row["type"] == "pymunk"]
    pairs = [(by_key[row["trial"], row["index"]], row) for row in slow]
    samples = shown[0]["samples"] if shown else None
    tables = [
        ("fast engine", _table(((row, row) for row in shown), samples)),
        ("pymunk", _table(pairs, samples)),
    ]
    for name in ("rules", "skill", "kind"):
        for value in dict.fromkeys(row[name] for row in shown):
            part = [(row, row) for row in shown if row[name] == value]
            tables.append((f"fast: {value}", _table(part, samples)))
            part = [pair for pair in pairs if pair[0][name] == value]
            tables.append((f"pymunk: {value}", _table(part, samples)))
    return [(name, table) for name, table in tables if table.suggestions]


def _table(pairs: Iterable[tuple[Row, Row]], samples: int | None) -> Reliability:
    shown = [Shown(row["chance"], met["hits"], met["strokes"]) for row, met in pairs]
    return reliability(shown, measured_on=samples)


def _tell(rows: list[Row], wanted: int, *, as_json: bool) -> None:
    tables = _tables(rows, wanted)
    if as_json:
        data = {name: dataclasses.asdict(table) for name, table in tables}
        sys.stdout.write(json.dumps(data) + "\n")
        return
    lines = []
    for name, table in tables[:2]:
        if table.suggestions:
            lines += _lines(name, table)
    lines.append(f"{'':24}{'n':>6}{'error':>8}{'bias':>8}{'rms':>8}{'counting':>9}")
    for name, table in tables:
        lines.append(
            f"{name:24}{table.suggestions:6}{100 * table.error:8.1f}{100 * table.bias:+8.1f}"
            f"{100 * table.spread:8.1f}{100 * table.noise:9.1f}"
        )
    count = sum(row["type"] == "suggestion" for row in rows)
    if count < wanted:
        Console(stderr=True).print(f"{count} of {wanted} suggestions measured; run again to go on")
    sys.stdout.write("\n".join(lines) + "\n")


def _lines(name: str, table: Reliability) -> list[str]:
    lines = [f"{name}: {table.suggestions} suggestions, {table.strokes} strokes (points of 100)"]
    lines.append(f"{'shown':>12}{'n':>6}{'mean shown':>12}{'met':>8}{'error':>8}")
    for item in table.bins:
        lines.append(
            f"{100 * item.low:5.0f} - {100 * item.high:3.0f} {item.suggestions:6}"
            f"{100 * item.shown:12.1f}{100 * item.met:8.1f}{100 * item.error:+8.1f}"
        )
    return [*lines, ""]
