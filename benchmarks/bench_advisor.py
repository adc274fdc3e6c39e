"""How long advice takes, step by step, on random positions of 4, 10 and 18 men.

    python -m benchmarks.bench_advisor [--positions N] [--threads 2]

Prints wall time and CPU time (``process_time``: all threads of this process together) of the first
and of the full answer, and the share of each step. On a machine that is busy with other things
only CPU time says something: on two free cores the wall time of the simulations is half of it.
"""

import argparse
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from carrom.boards import ICF_BOARD
from carrom.pieces import PieceKind
from referee.ruleset_files import load_laws
from sim.advisor import CLUB, Stage, situation_of, thoughts
from sim.advisor.random_positions import random_position
from sim.advisor.situation import Situation
from sim.physics import warm_up

MEN = {4: (2, 2), 10: (5, 5), 18: (9, 9)}
BARS_S = {Stage.FIRST: 0.3, Stage.FULL: 1.0}


@dataclass
class Run:
    """One advice: seconds until each stage, wall and CPU, and seconds of each step."""

    wall_s: dict[Stage, float]
    cpu_s: dict[Stage, float]
    steps_s: dict[str, float]
    strokes: int
    adjudications: int


def situations(men: int, count: int) -> Iterator[Situation]:
    laws = load_laws("icf")
    for seed in range(count):
        white, black = MEN[men]
        counts = {PieceKind.WHITE: white, PieceKind.BLACK: black, PieceKind.QUEEN: 1}
        position = random_position(ICF_BOARD, counts, np.random.default_rng((men, seed)))
        yield situation_of(position, laws)


def think(situation: Situation, pool: ThreadPoolExecutor | None) -> Run:
    wall, cpu = time.perf_counter(), time.process_time()
    run = Run({}, {}, {}, 0, 0)
    for advice in thoughts(situation, CLUB, executor=pool, clock=time.process_time):
        run.wall_s[advice.stage] = time.perf_counter() - wall
        run.cpu_s[advice.stage] = time.process_time() - cpu
        run.steps_s = {}
        for step in advice.steps:
            run.steps_s[step.name] = run.steps_s.get(step.name, 0.0) + step.seconds
        run.strokes = sum(step.strokes for step in advice.steps)
        run.adjudications = advice.adjudications
    return run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=6)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    warm_up(print)
    pool = ThreadPoolExecutor(options.threads) if options.threads > 1 else None
    think(next(situations(4, 1)), pool)  # everything loaded and compiled
    for men in MEN:
        runs = [think(situation, pool) for situation in situations(men, options.positions)]
        print(f"{men} men and the queen, {len(runs)} positions, {options.threads} threads")
        for stage, bar_s in BARS_S.items():
            wall = np.median([run.wall_s[stage] for run in runs])
            cpu = np.median([run.cpu_s[stage] for run in runs])
            print(
                f"  {stage.value:6} answer: CPU {cpu:.2f} s, wall {wall:.2f} s "
                f"(bar {bar_s} s on two free cores)"
            )
        total = sum(sum(run.steps_s.values()) for run in runs)
        shares = {
            name: sum(run.steps_s.get(name, 0.0) for run in runs) / total
            for name in runs[0].steps_s
        }
        print("  " + ", ".join(f"{name} {100 * share:.0f} %" for name, share in shares.items()))
        strokes = np.mean([run.strokes for run in runs])
        asked = np.mean([run.adjudications for run in runs])
        print(f"  {strokes:,.0f} strokes simulated, {asked:.0f} adjudications")
    if pool is not None:
        pool.shutdown()


if __name__ == "__main__":
    main()
