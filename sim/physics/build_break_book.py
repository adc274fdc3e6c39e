"""Compute the break book, cell by cell; an interrupted run goes on where it stopped.

    python -m sim.physics.build_break_book [--out FILE] [--breaks N] [--seconds S] [--fresh]

The file is written after every cell. A file with another recipe is refused unless ``--fresh``.
"""

import argparse
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from carrom.board_spec import BoardFamily, BoardSpec
from carrom.boards import HIKONE_BOARD, ICF_BOARD
from carrom.errors import SchemaError
from carrom.pieces import PieceKind
from carrom.seats import Seat
from carrom.stroke import Stroke
from sim.physics.break_book import (
    BOOK_PATH,
    BreakBook,
    BreakCell,
    BreakStatistics,
    Rack,
    load_break_book,
    save_break_book,
)
from sim.physics.declumping import jittered
from sim.physics.simulation import prepare
from sim.physics.soft_contact import CONTACT_S, run_soft
from sim.physics.surface import SurfaceParams, surface_for

__all__ = ["Recipe", "build_break_book", "main", "simulate_breaks", "standard_cells"]

_SPEEDS_MM_S = (2000.0, 3000.0, 4500.0, 6500.0)
_INDIAN_X_MM = (0.0, 70.0, 140.0, 210.0)
_INDIAN_AIMS_MM = (-24.0, -8.0, 8.0, 24.0)
_HIKONE_AIMS_MM = (0.0, 15.0, 40.0, 75.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How each break of a cell differs from its mean; sigmas of normal noise.

    ``jitter_mm``: of every piece of the rack, each axis (0.1 mm makes gaps of 0.02-0.3 mm, as in
    real packs); the rack is also turned by ``rotation_rad``. No measurement stands behind these,
    nor behind ``contact_s``.
    """

    seed: int = 1
    breaks: int = 150
    jitter_mm: float = 0.1
    rotation_rad: float = 0.02
    angle_rad: float = 0.01
    speed_share: float = 0.03
    placement_mm: float = 1.0
    contact_s: float = CONTACT_S
    icf: SurfaceParams = field(default_factory=lambda: surface_for(ICF_BOARD))
    hikone: SurfaceParams = field(default_factory=lambda: surface_for(HIKONE_BOARD))

    def plain(self) -> dict[str, Any]:
        """As JSON values, without the number of breaks: a book may be deepened."""
        values = asdict(self)
        del values["breaks"]
        return {"model": "soft contact: linear spring and dashpot", **values}


def standard_cells() -> Iterator[BreakCell]:
    """Indian: four places on the base lines; Hikone: the tee spot, which HK-05 demands.

    Aims are where the stroke would pass the centre of the board, to the right of it.
    """
    y_mm = ICF_BOARD.base_lines_y.middle_mm
    for x_mm in _INDIAN_X_MM:
        yield from _fan(Rack.RING, x_mm, y_mm, _INDIAN_AIMS_MM)
    y_mm = HIKONE_BOARD.tee_spot(Seat.SOUTH).y_mm
    for rack in (Rack.CIRCLE, Rack.CASTLE):
        yield from _fan(rack, 0.0, y_mm, _HIKONE_AIMS_MM)


def _fan(rack: Rack, x_mm: float, y_mm: float, aims_mm: Sequence[float]) -> Iterator[BreakCell]:
    for aim_mm in aims_mm:
        if x_mm == 0.0 and aim_mm < 0.0:
            continue  # a mirror image
        for speed_mm_s in _SPEEDS_MM_S:
            angle_rad = round(math.atan2(-y_mm, aim_mm - x_mm), 6)
            yield BreakCell(rack, x_mm, y_mm, angle_rad, speed_mm_s)


def simulate_breaks(
    cell: BreakCell, recipe: Recipe, *, seen: BreakStatistics | None = None
) -> BreakStatistics:
    """Simulate breaks until the cell has ``recipe.breaks``, going on from ``seen``.

    Break k of a cell depends on the seed, the cell and k only.
    """
    board = ICF_BOARD if cell.rack.family is BoardFamily.ICF else HIKONE_BOARD
    rack = cell.rack.position(board)
    done = seen.breaks if seen else 0
    counts = list(seen.pocketed) if seen else []
    by_kind = {kind: seen.by_kind.get(kind, 0) if seen else 0 for kind in board.pieces}
    strikers = seen.striker_pocketed if seen else 0
    scatter_mm = seen.scatter_mm * done if seen else 0.0
    for k in range(done, recipe.breaks):
        fallen, has_striker, spread_mm = _one_break(cell, board, recipe, k)
        counts += [0] * (len(fallen) + 1 - len(counts))
        counts[len(fallen)] += 1
        for kind in fallen:
            by_kind[kind] += 1
        strikers += has_striker
        scatter_mm += spread_mm
    breaks = max(done, recipe.breaks)
    places = np.array([(disc.x_mm, disc.y_mm) for disc in rack])
    return BreakStatistics(
        cell=cell,
        breaks=breaks,
        pocketed=tuple(counts),
        by_kind=by_kind,
        striker_pocketed=strikers,
        scatter_mm=round(scatter_mm / breaks, 3),
        rack_scatter_mm=round(float(np.sqrt((places**2).sum(axis=1).mean())), 3),
    )


def _one_break(
    cell: BreakCell, board: BoardSpec, recipe: Recipe, k: int
) -> tuple[list[PieceKind], bool, float]:
    """Pieces pocketed, whether the striker was, and the scatter of the rest."""
    name = f"{cell.rack.value} {cell.x_mm:.1f} {cell.angle_rad:.4f} {cell.speed_mm_s:.0f}"
    rng = np.random.default_rng([recipe.seed, k, *name.encode()])
    turn_rad, angle_rad, speed, slip_mm = rng.normal(0.0, 1.0, 4) * (
        recipe.rotation_rad,
        recipe.angle_rad,
        recipe.speed_share,
        recipe.placement_mm,
    )
    turned = cell.rack.position(board, float(turn_rad))
    rack = jittered(turned, board, recipe.jitter_mm, rng)
    is_tee = cell.rack.family is BoardFamily.HIKONE
    stroke = Stroke(
        seat=Seat.SOUTH,
        placement_mm=(cell.x_mm + (0.0 if is_tee else float(slip_mm)), cell.y_mm),
        angle_rad=cell.angle_rad + float(angle_rad),
        speed_mm_s=cell.speed_mm_s * math.exp(float(speed)),
    )
    surface = recipe.icf if board is ICF_BOARD else recipe.hikone
    table, start_mm = prepare(rack, stroke, board, surface)
    run = run_soft(table, start_mm, stroke.angle_rad, stroke.speed_mm_s, contact_s=recipe.contact_s)
    fallen = [table.kinds[disc] for disc in np.flatnonzero(run.pocket[:-1] >= 0)]
    left = run.end_mm[:-1][run.pocket[:-1] < 0]
    spread_mm = math.sqrt(float((left**2).sum(axis=1).mean())) if len(left) else 0.0
    return fallen, bool(run.pocket[-1] >= 0), spread_mm


def build_break_book(
    path: Path,
    recipe: Recipe,
    cells: Sequence[BreakCell],
    *,
    seconds: float = math.inf,
    is_fresh: bool = False,
    say: Callable[[str], None] | None = None,
) -> BreakBook:
    """Bring every cell up to ``recipe.breaks``, at most about ``seconds`` long, and write the file.

    Cells already in the file are kept and deepened. Raises ``SchemaError`` if the file was made
    with another recipe and ``is_fresh`` is false.
    """
    plain = recipe.plain()
    known: dict[BreakCell, BreakStatistics] = {}
    if path.exists() and not is_fresh:
        old = load_break_book(path)
        if dict(old.recipe) != plain:
            raise SchemaError(str(path), expected="a book of the same recipe", got=old.recipe)
        known = {statistics.cell: statistics for statistics in old.cells}
    start_s = time.monotonic()
    for number, cell in enumerate(cells):
        if time.monotonic() - start_s > seconds:
            break
        seen = known.get(cell)
        if seen is None or seen.breaks < recipe.breaks:
            known[cell] = simulate_breaks(cell, recipe, seen=seen)
            save_break_book(BreakBook(plain, tuple(known.values())), path)
        if say is not None:
            found = known[cell]
            say(
                f"{number + 1}/{len(cells)} {cell.rack.value} x {cell.x_mm:g} mm, "
                f"{math.degrees(cell.angle_rad):.1f} deg, {cell.speed_mm_s / 1000:g} m/s: "
                f"{found.mean_pocketed:.2f} pocketed, striker {found.striker_chance:.2f}"
            )
    return BreakBook(plain, tuple(known.values()))


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=BOOK_PATH)
    parser.add_argument("--breaks", type=int, default=Recipe().breaks)
    parser.add_argument("--seconds", type=float, default=math.inf)
    parser.add_argument("--fresh", action="store_true", help="throw away what the file holds")
    options = parser.parse_args(arguments)
    cells = tuple(standard_cells())
    try:
        book = build_break_book(
            options.out,
            Recipe(breaks=options.breaks),
            cells,
            seconds=options.seconds,
            is_fresh=options.fresh,
            say=_say,
        )
    except SchemaError as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    missing = len(cells) - sum(found.breaks >= options.breaks for found in book.cells)
    _say(f"{len(book.cells)} cells in {options.out}, {max(missing, 0)} not finished")
    return 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
