"""Do three physics engines that share no code say the same?

    python -m benchmarks.physics_agreement [--strokes N] [--pymunk N] [--seed S]

Random mid-game strokes (Indian board: 4 to 14 men anywhere, base line, 20 to 160 degrees, 0.8 to
5 m/s; ten strokes a layout), default physics. For the fixed-step witness and for pymunk at several
steps: the share of strokes with the same pocketed discs in the same pockets as the event-driven
engine, and the distance of the worst disc from the engine's end, median over strokes by number of
contacts. Strokes on which witness and engine differ are repeated with a tenth of the step.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from benchmarks.physics import random_position, random_strokes, stroke_of
from carrom.boards import ICF_BOARD
from carrom.position import Position
from carrom.seats import Pocket
from carrom.stroke import Stroke
from sim.physics import ImpactKind, Trajectory, simulate, warm_up
from sim.physics.pymunk_reference import simulate_pymunk
from sim.physics.witness import simulate_witness

TARGET = 0.99
WITNESS_DT_S = (1e-3, 1e-4, 1e-5)
PYMUNK_DT_S = (1 / 1000, 1 / 2000, 1 / 8000)
STROKES_A_LAYOUT = 10


class Ending(Protocol):
    """What trajectories and witness runs have in common."""

    @property
    def pocketed(self) -> tuple[tuple[int, Pocket], ...]: ...

    @property
    def end_mm(self) -> NDArray[np.float64]: ...


@dataclass(frozen=True)
class Case:
    position: Position
    stroke: Stroke
    truth: Trajectory

    @property
    def contacts(self) -> int:
        return sum(event.kind is ImpactKind.CONTACT for event in self.truth.events)


def cases(count: int, seed: int) -> list[Case]:
    made: list[Case] = []
    while len(made) < count:
        layout = len(made) // STROKES_A_LAYOUT
        position = random_position(4 + layout % 11, 1000 * seed + layout)
        for row in random_strokes(STROKES_A_LAYOUT, 1000 * seed + layout).tolist():
            stroke = stroke_of(row)
            made.append(Case(position, stroke, simulate(position, stroke, ICF_BOARD)))
    return made[:count]


def is_same(case: Case, other: Ending) -> bool:
    return set(case.truth.pocketed) == set(other.pocketed)


def off_mm(case: Case, other: Ending) -> float:
    return float(np.hypot(*(other.end_mm - case.truth.end_mm).T).max())


def table_row(name: str, some: Sequence[Case], run: Callable[[Case], Ending]) -> list[Case]:
    """Run, print one row, return the cases that differ."""
    start_s = time.process_time()
    ends = [run(case) for case in some]
    each_ms = 1e3 * (time.process_time() - start_s) / len(some)
    off = np.array([off_mm(case, end) for case, end in zip(some, ends, strict=True)])
    contacts = np.array([case.contacts for case in some])
    groups = (contacts == 0, contacts == 1, (contacts > 1) & (contacts < 5), contacts >= 0)
    same = [is_same(case, end) for case, end in zip(some, ends, strict=True)]
    cells = [f"{np.median(off[group]):9.4f}" if group.any() else "        -" for group in groups]
    print(f"{name:<18}{np.mean(same):8.1%}  {'  '.join(cells)}  {each_ms:8.1f}", flush=True)
    return [case for case, agrees in zip(some, same, strict=True) if not agrees]


def print_head(count: int) -> None:
    print(f"\n{count} strokes     same set   0 contacts  1 contact   2-4       all  ms/stroke")


def witness_at(dt_s: float) -> Callable[[Case], Ending]:
    return lambda case: simulate_witness(case.position, case.stroke, ICF_BOARD, dt_s=dt_s)


def pymunk_at(dt_s: float) -> Callable[[Case], Ending]:
    return lambda case: simulate_pymunk(case.position, case.stroke, ICF_BOARD, dt_s=dt_s)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strokes", type=int, default=1000)
    parser.add_argument("--pymunk", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    warm_up()
    every = cases(options.strokes, options.seed)
    print_head(len(every))
    differ: list[Case] = []
    for dt_s in WITNESS_DT_S:
        differ = table_row(f"witness {dt_s:g} s", every, witness_at(dt_s))
    share = 1 - len(differ) / len(every)
    print(f"same pocketed set as the converged witness: {share:.1%} (target {TARGET:.0%})")
    finer = WITNESS_DT_S[-1] / 10
    for case in differ:
        verdict = is_same(case, witness_at(finer)(case))
        print(f"  {case.contacts} contacts: at {finer:g} s {'the same' if verdict else 'differs'}")
    if options.pymunk:
        print_head(min(options.pymunk, len(every)))
        for dt_s in PYMUNK_DT_S:
            table_row(f"pymunk 1/{1 / dt_s:.0f} s", every[: options.pymunk], pymunk_at(dt_s))


if __name__ == "__main__":
    main()
