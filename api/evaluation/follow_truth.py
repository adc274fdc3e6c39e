"""Follow films by their true views and compare every stroke: eyes that hardly err, no pictures.

    python -m api.evaluation.follow_truth --rules icf --seeds 1 20 [--incidents 0.3] [--fps 30]

Tells the mistakes of what follows the eyes. Films from seed 9 000 000 on are for judging only.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from api.evaluation.outcome_diff import difference_of
from api.evaluation.true_views import ViewNoise, views_of
from referee.state import State
from sim.camera.films import FilmScript, StrokeTruth, Timeline, film_of
from vision.follower import Follower
from vision.table_events import Disturbed, StrokeSeen, TableEvent

__all__ = ["Tally", "compare_strokes", "follow_film"]

_NEAR_S = 0.8
"""A stroke seen begins within so much of the true one."""


@dataclass(slots=True)
class Tally:
    """Counts over films."""

    strokes: int = 0
    found: int = 0
    false: int = 0
    exact: int = 0
    ruled: int = 0
    asked: int = 0
    wrong_unasked: int = 0
    rests: int = 0
    call_s: list[float] = field(default_factory=list)
    differences: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Take the counts of another film."""
        for name in (
            "strokes",
            "found",
            "false",
            "exact",
            "ruled",
            "asked",
            "wrong_unasked",
            "rests",
        ):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.call_s += other.call_s
        self.differences += other.differences
        self.notes += other.notes


def follow_film(timeline: Timeline, *, fps: float, noise: ViewNoise, seed: int) -> Tally:
    """Follow one film and compare."""
    follower = Follower(timeline.board, seats=tuple(timeline.match.state.seats), exact_marks=True)
    events: list[TableEvent] = []
    for view in views_of(timeline, fps=fps, noise=noise, seed=seed):
        events += follower.step(view)
    events += follower.finish()
    return compare_strokes(timeline, events, label=f"seed {timeline.script.seed}")


def compare_strokes(timeline: Timeline, events: Sequence[TableEvent], *, label: str = "") -> Tally:
    """Match strokes by time, compare facts and rulings. A board that is said to differ after a
    stroke (``Disturbed``) is a question too: the table stops and asks what is to be done."""
    tally = Tally()
    seen = [event for event in events if isinstance(event, StrokeSeen)]
    disturbed = _disturbed_after(events)
    records = iter(timeline.match.strokes)
    states = {}
    for truth in timeline.judged:
        record = next(records, None)
        if isinstance(truth, StrokeTruth) and record is not None:
            states[truth.number] = record.before
    left = list(seen)
    for truth in timeline.strokes:
        tally.strokes += 1
        near = [
            s for s in left
            if abs((s.outcome.t_start_s or 0.0) - truth.t_start_s) < _NEAR_S
        ]  # fmt: skip
        incidents = ",".join(i.kind.value for i in truth.incidents)
        where = f"{label} stroke {truth.number} {truth.t_start_s:.2f}s [{incidents}]"
        if not near:
            tally.notes.append(f"{where} NOT FOUND")
            continue
        one = near[0]
        left.remove(one)
        tally.found += 1
        tally.call_s.append(one.t_s - truth.t_end_s)
        _compare(tally, one, truth, states, timeline, where, differs=one.number in disturbed)
    tally.false += len(left)
    tally.notes += [f"{label} FALSE STROKE at {s.outcome.t_start_s}" for s in left]
    return tally


def _compare(
    tally: Tally,
    one: StrokeSeen,
    truth: StrokeTruth,
    states: Mapping[int, State],
    timeline: Timeline,
    where: str,
    *,
    differs: bool,
) -> None:
    state = states[truth.number]
    found = difference_of(one.outcome, truth.outcome, state, timeline.match.laws)
    tally.exact += not found.facts
    tally.ruled += not found.ruling
    asked = found.asked or differs
    tally.asked += asked
    tally.rests += not found.rest
    tally.wrong_unasked += found.ruling and not asked
    tally.differences.update(found.facts)
    if found.facts or found.asked or found.rest:
        doubts = [
            (d.question.value, [(a.code, a.likelihood) for a in d.ranked])
            for d in one.outcome.doubts
        ]
        tally.notes.append(
            f"{where} {list(found.facts)} ruling {'DIFFERS' if found.ruling else 'same'}"
            f"{' rest' if found.rest else ''}{' disturbed' if differs else ''} {doubts or ''}"
        )


def _disturbed_after(events: Sequence[TableEvent]) -> frozenset[int]:
    """Numbers of the strokes after which, before the next, the board was said to differ."""
    out, last = set(), 0
    for event in events:
        if isinstance(event, StrokeSeen):
            last = event.number
        elif isinstance(event, Disturbed) and last:
            out.add(last)
    return frozenset(out)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", nargs="+", default=["icf"])
    parser.add_argument("--seeds", nargs=2, type=int, default=[1, 10])
    parser.add_argument("--strokes", type=int, default=8)
    parser.add_argument("--players", type=int)
    parser.add_argument("--incidents", type=float, default=0.0)
    parser.add_argument("--fps", type=float, default=30.0)
    parser.add_argument("--quiet", action="store_true")
    given = parser.parse_args()
    total = Tally()
    for rules in given.rules:
        for seed in range(given.seeds[0], given.seeds[1] + 1):
            script = FilmScript(
                rules=rules, seed=seed, strokes=given.strokes, players=given.players,
                incident_rate=given.incidents,
            )  # fmt: skip
            tally = follow_film(
                film_of(script).timeline, fps=given.fps, noise=ViewNoise(), seed=seed
            )
            tally.notes = [f"{rules} {note}" for note in tally.notes]
            total.add(tally)
    if not given.quiet:
        sys.stdout.write("\n".join(total.notes) + "\n")
    sys.stdout.write(_table(total))


def _table(tally: Tally) -> str:
    def share(count: int) -> str:
        return f"{count} ({100 * count / max(tally.strokes, 1):.1f} %)"

    calls = sorted(tally.call_s)
    rows = [
        ("strokes", str(tally.strokes)),
        ("found", share(tally.found)),
        ("false", share(tally.false)),
        ("facts exact", share(tally.exact)),
        ("rest exact", share(tally.rests)),
        ("ruling exact", share(tally.ruled)),
        ("asked", share(tally.asked)),
        ("wrong and unasked", share(tally.wrong_unasked)),
        ("rest to call, median s", f"{calls[len(calls) // 2]:.2f}" if calls else "-"),
        ("rest to call, 95 % s", f"{calls[int(len(calls) * 0.95)]:.2f}" if calls else "-"),
    ]
    lines = [f"{name:24s} {value}" for name, value in rows]
    lines += [f"  {count:4d} {word}" for word, count in tally.differences.most_common(25)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
