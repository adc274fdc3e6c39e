"""Many strokes at once, for the advisor: flat arrays in, flat arrays out, as fast as it goes."""

import math
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from carrom.board_spec import BoardSpec
from carrom.errors import PositionError
from carrom.pieces import PieceKind
from carrom.position import Position
from carrom.stroke import MAX_SPEED_MM_S
from sim.physics.arrays import (
    G_HALF,
    G_POCKET_AT,
    G_POCKET_RADIUS,
    SURFACE_COLUMNS,
    FloatArray,
    IntArray,
    Table,
    surface_bounds,
    table_of,
)
from sim.physics.declumping import check_counts, declump
from sim.physics.engine import run_many
from sim.physics.simulation import MOST_EVENTS, MOST_SECONDS
from sim.physics.state import F_CAPPED, F_FIRST, F_STRUCK, FACT_COLUMNS, LOG_COLUMNS
from sim.physics.surface import SurfaceParams, surface_for

__all__ = ["Batch", "batch_table", "simulate_batch"]

_CHUNK = 2000
_MOST_THREADS = 64


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Results of S strokes with n discs each, the striker last. Arrays belong to whoever made it.

    ``xy_mm``: (S, n, 2) float64, mm, board frame, where discs came to rest or fell.
    ``pocket``: (S, n) int8: -1 on the board, 0..3 in pocket SW SE NE NW, 4 off the board.
    ``t_gone_s``: (S, n) float64, s since launch; inf for discs on the board.
    ``facts``: (S, 8) int64, columns ``F_*`` of ``sim.physics.state``.
    ``duration_s``: (S,) float64. Rows from ``finished`` on were not simulated: do not read them.
    """

    xy_mm: FloatArray
    pocket: NDArray[np.int8]
    t_gone_s: FloatArray
    facts: IntArray
    duration_s: FloatArray
    finished: int

    @classmethod
    def empty(cls, strokes: int, discs: int) -> "Batch":
        """Room for so many strokes, to be filled and filled again by ``simulate_batch``."""
        return cls(
            xy_mm=np.empty((strokes, discs, 2)),
            pocket=np.empty((strokes, discs), dtype=np.int8),
            t_gone_s=np.empty((strokes, discs)),
            facts=np.zeros((strokes, FACT_COLUMNS), dtype=np.int64),
            duration_s=np.empty(strokes),
            finished=0,
        )

    @property
    def first_struck(self) -> IntArray:
        """(S,) int64: the disc that the striker touched first, -1 = none; a view."""
        column: IntArray = self.facts[:, F_FIRST]
        return column

    @property
    def struck_bits(self) -> IntArray:
        """(S,) int64: bit i is set if the striker touched disc i; a view."""
        column: IntArray = self.facts[:, F_STRUCK]
        return column

    @property
    def capped(self) -> NDArray[np.bool_]:
        """(S,) bool: given up by a cap; a new array."""
        return np.asarray(self.facts[:, F_CAPPED] != 0)


def batch_table(
    position: Position, board: BoardSpec, surface: SurfaceParams | None = None
) -> Table:
    """The checked and declumped men of a position as arrays, for many calls with the same men.

    A striker in the position is left out. Raises ``PositionError``.
    """
    check_counts(position, board)
    men = Position(tuple(disc for disc in position if disc.kind is not PieceKind.STRIKER))
    params = surface_for(board) if surface is None else surface
    return table_of(declump(men, board), board, params)


def simulate_batch(
    table: Table,
    strokes: FloatArray,
    *,
    men_mm: FloatArray | None = None,
    surfaces: FloatArray | None = None,
    out: Batch | None = None,
    threads: int = 1,
    chunk: int = _CHUNK,
    cancelled: Callable[[], bool] | None = None,
    most_events: int = MOST_EVENTS,
    most_s: float = MOST_SECONDS,
) -> Batch:
    """Simulate many strokes at the men of ``table`` (see ``batch_table``).

    ``strokes``: (S, 4) float64: x_mm, y_mm, angle_rad, speed_mm_s in the board frame.
    ``men_mm``: (S, n - 1, 2) float64, mm: other places for each stroke (``scatter_men`` draws them
    with room for all); ``surfaces``: (S, 13) float64: other physics for each stroke
    (``surface_vector``). ``None``: those of the table for all. Inputs are only read.
    ``out``: buffers to fill, of at least S rows (the result is views of its first S); ``None``:
    new ones. ``threads`` share the work (kernels release the GIL); the result does not depend on
    their number. Between chunks ``cancelled`` is asked in the calling thread; once it is true no
    more chunks are begun and ``finished`` says how many strokes are done. A striker that overlaps a
    man by at most half a disc hits it at once. Raises ``PositionError`` (row, expected, got).
    """
    strokes = _checked_strokes(table, strokes)
    men = _checked_men(table, men_mm, len(strokes))
    physics = _checked_surfaces(table, surfaces, len(strokes))
    _check_strikers(table, strokes, men)
    if not 1 <= threads <= _MOST_THREADS:
        raise PositionError(f"threads: expected 1 to {_MOST_THREADS}, got {threads!r}")
    if chunk < 1 or most_events < 1 or not most_s > 0:
        got = (chunk, most_events, most_s)
        raise PositionError(f"chunk, most_events, most_s: expected more than 0, got {got!r}")
    result = _room(out, len(strokes), table.count)

    no_log = np.empty((0, LOG_COLUMNS))

    def run(low: int, high: int) -> None:
        run_many(
            men,
            strokes,
            table.radius_mm,
            table.mass_g,
            table.friction_class,
            table.geometry,
            physics,
            low,
            high,
            result.xy_mm,
            result.pocket,
            result.t_gone_s,
            result.facts,
            result.duration_s,
            no_log,
            most_events,
            float(most_s),
        )

    run(0, 0)  # compile or load here, not in every thread
    finished = _run_chunks(run, len(strokes), threads, chunk, cancelled)
    return Batch(
        xy_mm=result.xy_mm,
        pocket=result.pocket,
        t_gone_s=result.t_gone_s,
        facts=result.facts,
        duration_s=result.duration_s,
        finished=finished,
    )


def _run_chunks(
    run: Callable[[int, int], None],
    count: int,
    threads: int,
    chunk: int,
    cancelled: Callable[[], bool] | None,
) -> int:
    """Run [0, count) in order, chunk by chunk; returns how many were done before the cancel."""
    starts = range(0, count, chunk)
    if threads == 1:
        for low in starts:
            if cancelled is not None and cancelled():
                return low
            run(low, min(low + chunk, count))
        return count
    with ThreadPoolExecutor(max_workers=threads, thread_name_prefix="physics") as pool:
        running: list[Future[None]] = []
        for low in starts:
            if len(running) >= threads + 1:
                running.pop(0).result()
            if cancelled is not None and cancelled():
                _wait(running)
                return low
            running.append(pool.submit(run, low, min(low + chunk, count)))
        _wait(running)
    return count


def _wait(running: list[Future[None]]) -> None:
    for future in running:
        future.result()


def _checked_strokes(table: Table, strokes: FloatArray) -> FloatArray:
    rows = np.ascontiguousarray(strokes, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != 4:
        raise PositionError(f"strokes: expected shape (S, 4), got {rows.shape!r}")
    half_mm, at_mm = table.geometry[G_HALF], table.geometry[G_POCKET_AT]
    away_x, away_y = np.abs(rows[:, 0]), np.abs(rows[:, 1])
    lip_mm = np.hypot(away_x - at_mm, away_y - at_mm) - table.geometry[G_POCKET_RADIUS]
    limit_mm = half_mm - table.radius_mm[-1] + 1e-6
    with np.errstate(invalid="ignore"):
        checks = (
            (np.isfinite(rows).all(axis=1), "finite numbers"),
            ((rows[:, 3] > 0) & (rows[:, 3] <= MAX_SPEED_MM_S), f"0 < speed <= {MAX_SPEED_MM_S}"),
            (np.maximum(away_x, away_y) <= limit_mm, "a striker inside the frame"),
            (lip_mm >= 0, "a striker beside the pockets"),
        )
    for good, expected in checks:
        if not good.all():
            bad = int(np.argmin(good))
            raise PositionError(f"strokes[{bad}]: expected {expected}, got {rows[bad].tolist()!r}")
    return rows


def _checked_men(table: Table, men_mm: FloatArray | None, count: int) -> FloatArray:
    if men_mm is None:
        return np.ascontiguousarray(table.men_mm)[None]
    men = np.ascontiguousarray(men_mm, dtype=np.float64)
    if men.shape != (count, table.count - 1, 2):
        expected = (count, table.count - 1, 2)
        raise PositionError(f"men_mm: expected shape {expected!r}, got {men.shape!r}")
    good = (np.abs(men) <= table.geometry[G_HALF]).all(axis=(1, 2))
    if not good.all():
        raise PositionError(f"men_mm[{int(np.argmin(good))}]: expected men on the board")
    return men


def _checked_surfaces(table: Table, surfaces: FloatArray | None, count: int) -> FloatArray:
    if surfaces is None:
        return np.ascontiguousarray(table.surface)[None]
    rows = np.ascontiguousarray(surfaces, dtype=np.float64)
    if rows.shape != (count, SURFACE_COLUMNS):
        expected = (count, SURFACE_COLUMNS)
        raise PositionError(f"surfaces: expected shape {expected!r}, got {rows.shape!r}")
    low, high = surface_bounds()
    with np.errstate(invalid="ignore"):
        good = ((rows >= low) & (rows <= high)).all(axis=1)
    if not good.all():
        bad = int(np.argmin(good))
        raise PositionError(
            f"surfaces[{bad}]: expected the limits of SurfaceParams, got {rows[bad].tolist()!r}"
        )
    return rows


def _check_strikers(table: Table, strokes: FloatArray, men: FloatArray) -> None:
    """Refuse a striker that overlaps a man by more than half a disc."""
    for disc in range(table.count - 1):
        radii = (table.radius_mm[disc], table.radius_mm[-1])
        away = strokes[:, :2] - men[:, disc]
        nearest = sum(radii) - min(radii)
        bad = away[:, 0] ** 2 + away[:, 1] ** 2 < nearest**2
        if bad.any():
            row = int(np.argmax(bad))
            raise PositionError(
                f"strokes[{row}]: expected at most half a disc of overlap with disc {disc} "
                f"({table.kinds[disc].value}), got {math.hypot(*away[row]):.3g} mm between centres"
            )


def _room(out: Batch | None, strokes: int, discs: int) -> Batch:
    if out is None:
        return Batch.empty(strokes, discs)
    if len(out.xy_mm) < strokes or out.xy_mm.shape[1:] != (discs, 2):
        expected = f"at least ({strokes}, {discs}, 2)"
        raise PositionError(f"out: expected {expected}, got {out.xy_mm.shape!r}")
    return Batch(
        xy_mm=out.xy_mm[:strokes],
        pocket=out.pocket[:strokes],
        t_gone_s=out.t_gone_s[:strokes],
        facts=out.facts[:strokes],
        duration_s=out.duration_s[:strokes],
        finished=0,
    )
