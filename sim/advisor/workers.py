"""Simulating many strokes in small pieces: on an executor if there is one, and stoppable.

No thread is started here: who wants two cores passes an executor with two workers in.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future

import numpy as np

from sim.physics.arrays import FloatArray, Table
from sim.physics.batch import Batch, simulate_batch

__all__ = ["ThoughtCancelled", "Workers", "batch_rows", "repeat_rows"]

_CHUNK = 400
"""Strokes between two looks at the cancel flag: 5 to 10 ms of 18 men on one core."""


class ThoughtCancelled(Exception):  # noqa: N818 - no error: the board moved
    """Raised inside the advisor to stop thinking; never leaves it."""


class Workers:
    """Runs simulations. ``cancelled`` is asked every few milliseconds."""

    def __init__(
        self, executor: Executor | None = None, cancelled: Callable[[], bool] | None = None
    ) -> None:
        self._executor = executor
        self._cancelled = cancelled
        self.strokes = 0
        """Strokes simulated so far."""

    def check(self) -> None:
        """Raise ``ThoughtCancelled`` if nobody wants the answer any more."""
        if self._cancelled is not None and self._cancelled():
            raise ThoughtCancelled

    def simulate(
        self,
        table: Table,
        strokes: FloatArray,
        *,
        men_mm: FloatArray | None = None,
        surfaces: FloatArray | None = None,
    ) -> Batch:
        """As ``simulate_batch``; raises ``ThoughtCancelled`` within a chunk of the cancel."""
        total = len(strokes)
        out = Batch.empty(total, table.count)

        def run(low: int) -> None:
            part = slice(low, min(low + _CHUNK, total))
            simulate_batch(
                table,
                strokes[part],
                men_mm=None if men_mm is None else men_mm[part],
                surfaces=None if surfaces is None else surfaces[part],
                out=batch_rows(out, part),
                chunk=_CHUNK,
            )

        self._run_all(run, total)
        self.strokes += total
        return Batch(
            xy_mm=out.xy_mm,
            pocket=out.pocket,
            t_gone_s=out.t_gone_s,
            facts=out.facts,
            duration_s=out.duration_s,
            finished=total,
        )

    def _run_all(self, run: Callable[[int], None], total: int) -> None:
        """Every chunk; on a cancel no worker writes into our buffers any more when this ends."""
        if self._executor is None:
            for low in range(0, total, _CHUNK):
                self.check()
                run(low)
            return
        running = [self._executor.submit(run, low) for low in range(0, total, _CHUNK)]
        try:
            for future in running:
                self.check()
                future.result()
        finally:
            _settle(running)


def batch_rows(batch: Batch, part: slice) -> Batch:
    """Some rows of a batch; views."""
    return Batch(
        xy_mm=batch.xy_mm[part],
        pocket=batch.pocket[part],
        t_gone_s=batch.t_gone_s[part],
        facts=batch.facts[part],
        duration_s=batch.duration_s[part],
        finished=0,
    )


def _settle(running: list[Future[None]]) -> None:
    """Wait for what has begun and drop what has not."""
    begun = [future for future in running if not future.cancel()]
    for future in begun:
        future.result()


def repeat_rows(rows: FloatArray, times: int) -> FloatArray:
    """(times * n, …): the rows again and again, in order; a new array."""
    return np.tile(rows, (times,) + (1,) * (rows.ndim - 1))
