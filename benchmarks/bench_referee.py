"""How fast the referee is. Figures are printed, never asserted: machines are shared and noisy.

    uv run python -m benchmarks.bench_referee

Times are CPU seconds of this process; each figure is the best of several passes, with the median
beside it. The ratio at the end compares the two kinds of work in the same run.
"""

from __future__ import annotations

import gc
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from api.scenario_files import load_cases
from carrom.seats import Seat
from referee.adjudicate import adjudicate
from referee.laws import Ruleset
from referee.match import Match
from referee.match_events import MatchStarted, NextBoard, NextGame
from referee.ruleset_files import load_laws
from referee.scenario import read_scenario
from referee.state import Phase
from tests.referee.random_play import random_outcome

LAWS = Path(__file__).parents[1] / "tests" / "golden" / "laws"
PASSES = 9


def timed(work: Callable[[], int]) -> tuple[float, float]:
    """Best and median CPU seconds for one unit of work."""
    costs = []
    for _ in range(PASSES):
        start = time.process_time()
        units = work()
        costs.append((time.process_time() - start) / units)
    return min(costs), statistics.median(costs)


def adjudications() -> tuple[float, float]:
    cases = [
        read_scenario(raw, path.name)
        for path in sorted(LAWS.rglob("*.yaml"))
        for raw in load_cases(path)
    ]

    def work() -> int:
        for case in cases:
            adjudicate(case.state, case.outcome, case.laws)
        return len(cases)

    return timed(work)


def long_match(strokes: int) -> Match:
    """A match of this many strokes: ICF boards at random, as many games as it takes."""
    laws = load_laws(Ruleset.ICF.value)
    players = {Seat.SOUTH: "A", Seat.NORTH: "B"}
    for seed in range(100):
        rng = random.Random(seed)
        match = Match(MatchStarted(id="s", laws=laws, players=players, opener=Seat.SOUTH))
        while len(match.strokes) < strokes and match.state.phase is not Phase.MATCH_OVER:
            if match.state.phase is Phase.PLAY:
                match.play(random_outcome(match.state, laws, rng, skill=0.4, incidents=0.1))
            elif match.state.phase is Phase.BOARD_OVER:
                match.push(NextBoard(id=match.new_id(), opener=match.state.turn))
            else:
                match.push(NextGame(id=match.new_id()))
        if len(match.strokes) == strokes:
            return match
    raise SystemExit(f"no match of {strokes} strokes among 100 seeds")


def replays(strokes: int) -> tuple[float, float]:
    log = long_match(strokes).log

    def work() -> int:
        Match.replay(log)
        return 1

    return timed(work)


def main() -> None:
    gc.collect()
    gc.freeze()
    best, median = adjudications()
    print(f"adjudications/s, one core      best {1 / best:9.0f}   median {1 / median:9.0f}")
    replay_best, replay_median = replays(200)
    best_ms, median_ms = 1e3 * replay_best, 1e3 * replay_median
    print(f"replay of 200 strokes, ms      best {best_ms:9.1f}   median {median_ms:9.1f}")
    print(f"a replayed stroke costs        {replay_best / 200 / best:9.2f} adjudications")


if __name__ == "__main__":
    main()
