"""How many strokes a second the physics engines simulate on one core.

    python -m benchmarks.physics [--strokes N] [--no-pymunk]

CPU time of one thread (``process_time``), best of three runs, default physics: what one free core
does. The pymunk figure needs ``sim/physics/pymunk_reference.py`` and is for dt 1/1000 s.
"""

import argparse
import importlib
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from carrom.boards import ICF_BOARD
from carrom.layouts import opening_position
from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from carrom.seats import Seat
from carrom.stroke import Stroke
from sim.physics import (
    ICF_SURFACE,
    Batch,
    batch_table,
    jittered,
    simulate,
    simulate_batch,
    warm_up,
)
from sim.physics.state import F_CONTACTS, F_EVENTS

TARGETS = {"break": 8_000, "10 men": 100_000, "18 men": 50_000}
PYMUNK_DT_S = 1 / 1000
PYMUNK_STROKES = 30


@dataclass(frozen=True)
class Case:
    """One row of the table: a position and strokes at it, (S, 4) as in ``simulate_batch``."""

    name: str
    position: Position
    strokes: "np.ndarray[tuple[int, int], np.dtype[np.float64]]"


def random_position(count: int, seed: int) -> Position:
    """Men anywhere but near pockets and near the South player's base line."""
    rng = np.random.default_rng(seed)
    discs: list[Disc] = []
    while len(discs) < count:
        x_mm, y_mm = rng.uniform(-352, 352, 2)
        apart = [np.hypot(x_mm - d.x_mm, y_mm - d.y_mm) for d in discs]
        is_free = min(apart, default=99.0) > 33 and abs(y_mm + 252.6) > 39
        if is_free and np.hypot(abs(x_mm) - 347.75, abs(y_mm) - 347.75) > 33:
            kind = (PieceKind.WHITE, PieceKind.BLACK)[len(discs) % 2]
            discs.append(Disc(kind, float(x_mm), float(y_mm)))
    return Position(tuple(discs))


def random_strokes(count: int, seed: int) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    """From the South base line, 20 to 160 degrees, 0.8 to 5 m/s."""
    rng = np.random.default_rng(seed)
    strokes = np.empty((count, 4))
    strokes[:, 0] = rng.uniform(-219, 219, count)
    strokes[:, 1] = ICF_BOARD.base_lines_y.middle_mm
    strokes[:, 2] = np.radians(rng.uniform(20, 160, count))
    strokes[:, 3] = rng.uniform(800, 5000, count)
    return strokes


def cases(count: int) -> list[Case]:
    rng = np.random.default_rng(0)
    breaks = random_strokes(max(count // 10, 10), 1)
    breaks[:, 0] = -20.0
    breaks[:, 2] = np.arctan2(252.6, 24.0) + rng.normal(0, 0.01, len(breaks))
    breaks[:, 3] = 6000.0
    rack = jittered(opening_position(ICF_BOARD), ICF_BOARD, 0.2, rng)
    return [
        Case("break", rack, breaks),
        Case("10 men", random_position(10, 5), random_strokes(count, 2)),
        Case("18 men", random_position(18, 5), random_strokes(count, 3)),
    ]


def engine_speed(case: Case) -> tuple[float, Batch]:
    table = batch_table(case.position, ICF_BOARD, ICF_SURFACE)
    out = Batch.empty(len(case.strokes), table.count)
    best = np.inf
    for _ in range(3):
        start = time.process_time()
        batch = simulate_batch(table, case.strokes, out=out)
        best = min(best, time.process_time() - start)
    return len(case.strokes) / best, batch


def single_speed(case: Case) -> float:
    """Strokes a second through ``simulate``, with a trajectory each."""
    rows = case.strokes[:200].tolist()
    start = time.process_time()
    for row in rows:
        simulate(case.position, stroke_of(row), ICF_BOARD, ICF_SURFACE)
    return len(rows) / (time.process_time() - start)


def pymunk_speed(case: Case, simulate_pymunk: Callable[..., object]) -> float:
    rows = case.strokes[:PYMUNK_STROKES].tolist()
    start = time.process_time()
    for row in rows:
        simulate_pymunk(case.position, stroke_of(row), ICF_BOARD, ICF_SURFACE, dt_s=PYMUNK_DT_S)
    return len(rows) / (time.process_time() - start)


def stroke_of(row: list[float]) -> Stroke:
    x_mm, y_mm, angle_rad, speed_mm_s = row
    return Stroke(
        seat=Seat.SOUTH, placement_mm=(x_mm, y_mm), angle_rad=angle_rad, speed_mm_s=speed_mm_s
    )


def pymunk_engine() -> Callable[..., object] | None:
    try:
        module = importlib.import_module("sim.physics.pymunk_reference")
    except ModuleNotFoundError:
        return None
    engine: Callable[..., object] = module.simulate_pymunk
    return engine


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strokes", type=int, default=20_000)
    parser.add_argument("--no-pymunk", action="store_true")
    options = parser.parse_args()
    warm_up(print)
    reference = None if options.no_pymunk else pymunk_engine()
    titles = (
        "case",
        "events",
        "contacts",
        "strokes/s",
        "target",
        "simulate/s",
        "pymunk/s",
        "ratio",
    )
    print("  ".join(f"{title:>10}" for title in titles))
    for case in cases(options.strokes):
        speed, batch = engine_speed(case)
        slow = pymunk_speed(case, reference) if reference else None
        cells = (
            case.name,
            f"{batch.facts[:, F_EVENTS].mean():.1f}",
            f"{batch.facts[:, F_CONTACTS].mean():.1f}",
            f"{speed:,.0f}",
            f"{TARGETS[case.name]:,}",
            f"{single_speed(case):,.0f}",
            f"{slow:,.0f}" if slow else "-",
            f"{speed / slow:,.0f}" if slow else "-",
        )
        print("  ".join(f"{cell:>10}" for cell in cells))


if __name__ == "__main__":
    main()
