"""A third opinion for tests: small fixed steps, every impact put back to its instant.

The same physics as the engine (``sim.physics.surface``), found in another way: all moving discs
advance by ``dt_s``; a pair or a wall that overlaps afterwards is taken back along its velocity to
the instant of contact, answered there, and brought forward again. Errors shrink in proportion to
the step, so that halving it tells what the exact answer is. Slow: some 30 strokes/s at 10 us.
Shares no code with the engine but the tables of constants and the repair of overlaps.
"""

from dataclasses import dataclass

import numpy as np

from carrom.board_spec import BoardSpec
from carrom.errors import PositionError
from carrom.pieces import PieceKind
from carrom.position import Position
from carrom.seats import Pocket
from carrom.stroke import Stroke
from sim.physics.arrays import POCKETS, SIDES, FloatArray
from sim.physics.simulation import prepare
from sim.physics.surface import SurfaceParams, surface_for
from sim.physics.trajectory import ImpactEvent, ImpactKind
from sim.physics.witness_steps import (
    K_CONTACT,
    K_FRAME,
    K_LIP_IN,
    K_LIP_OUT,
    K_OFF,
    K_POCKETED,
    K_STOPPED,
    W_COLUMNS,
    W_LIGHT,
    W_RADIUS,
    W_SLOWING,
    W_VX,
    W_VY,
    W_X,
    W_Y,
    run_steps,
)

__all__ = ["WitnessRun", "simulate_witness"]

_KINDS = {
    K_CONTACT: ImpactKind.CONTACT,
    K_FRAME: ImpactKind.FRAME,
    K_LIP_IN: ImpactKind.OVER_POCKET,
    K_LIP_OUT: ImpactKind.LEFT_POCKET,
    K_POCKETED: ImpactKind.POCKETED,
    K_OFF: ImpactKind.OFF_BOARD,
    K_STOPPED: ImpactKind.STOPPED,
}
_ROWS = 4096
_LOG_COLUMNS = 6


@dataclass(frozen=True, slots=True, eq=False)
class WitnessRun:
    """How a stroke went; discs as in ``Trajectory``, the striker last.

    ``end_mm``: (n, 2) float64, mm, board frame, a new array: where discs came to rest or fell.
    """

    kinds: tuple[PieceKind, ...]
    end_mm: FloatArray
    events: tuple[ImpactEvent, ...]
    duration_s: float
    capped: bool

    @property
    def pocketed(self) -> tuple[tuple[int, Pocket], ...]:
        """(disc, pocket) in the order in which they fell."""
        return tuple(
            (event.a, event.pocket)
            for event in self.events
            if event.kind is ImpactKind.POCKETED and event.pocket is not None
        )


def simulate_witness(
    position: Position,
    stroke: Stroke,
    board: BoardSpec,
    surface: SurfaceParams | None = None,
    *,
    dt_s: float = 1e-4,
    most_s: float = 30.0,
) -> WitnessRun:
    """One stroke in steps of ``dt_s``; input and repairs are those of ``simulate``.

    ``capped``: it was not over after ``most_s``, or had more events than are kept. Raises
    ``PositionError``.
    """
    if not 1e-8 <= dt_s <= 1e-2:
        raise PositionError(f"dt_s: expected 1e-8 to 1e-2, got {dt_s!r}")
    params = surface_for(board) if surface is None else surface
    table, start_mm = prepare(position, stroke, board, params)
    discs = np.zeros((table.count, W_COLUMNS))
    discs[:, [W_X, W_Y]] = start_mm
    discs[-1, [W_VX, W_VY]] = stroke.velocity_mm_s
    discs[:, W_RADIUS], discs[:, W_LIGHT] = table.radius_mm, 1.0 / table.mass_g
    discs[:, W_SLOWING] = table.deceleration_mm_s2
    log = np.zeros((_ROWS, _LOG_COLUMNS))
    duration_s, rows = run_steps(discs, table.geometry, table.surface, log, dt_s, most_s)
    return WitnessRun(
        kinds=table.kinds,
        end_mm=discs[:, [W_X, W_Y]],
        events=tuple(_event(row) for row in log[:rows]),
        duration_s=duration_s,
        capped=duration_s >= most_s or rows > _ROWS,
    )


def _event(row: FloatArray) -> ImpactEvent:
    kind, a, other = _KINDS[int(row[1])], int(row[2]), int(row[3])
    in_pocket = kind in (ImpactKind.OVER_POCKET, ImpactKind.LEFT_POCKET, ImpactKind.POCKETED)
    return ImpactEvent(
        t_s=float(row[0]),
        kind=kind,
        a=a,
        b=other if kind is ImpactKind.CONTACT else None,
        pocket=POCKETS[other] if in_pocket else None,
        side=SIDES[other] if kind is ImpactKind.FRAME else None,
        x_mm=float(row[4]),
        y_mm=float(row[5]),
    )
