"""One stroke for people: from a position and an intention to a trajectory."""

from typing import NamedTuple

import numpy as np

from carrom.board_spec import BoardSpec
from carrom.pieces import PieceKind
from carrom.position import Position
from carrom.seats import Seat
from carrom.stroke import Stroke
from sim.physics.arrays import POCKETS, SIDES, FloatArray, IntArray, Table, table_of
from sim.physics.declumping import check_counts, make_room
from sim.physics.engine import run_many
from sim.physics.state import (
    F_CAPPED,
    F_LOGGED,
    FACT_COLUMNS,
    L_DISC,
    L_KIND,
    L_OTHER,
    L_SPEED,
    L_T,
    L_UX,
    L_UY,
    L_X,
    L_Y,
    LOG_COLUMNS,
    LOG_CONTACT,
    LOG_FRAME,
    LOG_LAUNCH,
    LOG_LIP_IN,
    LOG_LIP_OUT,
    LOG_OFF,
    LOG_POCKET,
    LOG_STOP,
)
from sim.physics.surface import SurfaceParams, surface_for
from sim.physics.trajectory import SEGMENT_COLUMNS, ImpactEvent, ImpactKind, Trajectory

__all__ = ["MOST_EVENTS", "MOST_SECONDS", "LoggedRun", "prepare", "run_logged", "simulate"]

MOST_EVENTS = 20_000
"""Events after which a stroke is given up and flagged. The worst stroke into a touching cluster
needed 668 at restitution 0.85 and 7 150 at 0.3 (notes/physics.md, 3.3)."""

MOST_SECONDS = 150.0
"""Simulated time after which it is given up; no slide that parameters allow takes over 122 s."""

_FIRST_LOG_ROWS = 512

_KINDS = {
    LOG_STOP: ImpactKind.STOPPED,
    LOG_FRAME: ImpactKind.FRAME,
    LOG_LIP_IN: ImpactKind.OVER_POCKET,
    LOG_LIP_OUT: ImpactKind.LEFT_POCKET,
    LOG_POCKET: ImpactKind.POCKETED,
    LOG_OFF: ImpactKind.OFF_BOARD,
    LOG_CONTACT: ImpactKind.CONTACT,
}
_WITH_POCKET = (LOG_LIP_IN, LOG_LIP_OUT, LOG_POCKET)


def simulate(
    position: Position,
    stroke: Stroke,
    board: BoardSpec,
    surface: SurfaceParams | None = None,
    *,
    most_events: int = MOST_EVENTS,
    most_s: float = MOST_SECONDS,
) -> Trajectory:
    """Simulate one stroke from launch to rest.

    A striker in ``position`` is left out: ``stroke.placement_mm`` says where it starts. Overlaps
    up to half a disc are repaired (``sim.physics.declumping``). The same input gives the same
    result to the last bit on the same machine. Raises ``PositionError`` for a position that no
    repair helps; a stroke that never comes to an end is returned with ``capped`` set.
    """
    params = surface_for(board) if surface is None else surface
    table, start_mm = prepare(position, stroke, board, params)
    run = run_logged(table, start_mm, stroke, most_events=most_events, most_s=most_s)
    return Trajectory(
        board=board,
        surface=params,
        stroke=stroke,
        before=position,
        kinds=table.kinds,
        start_mm=start_mm,
        tracks=_tracks(run.log, table, run.duration_s),
        events=_events(run.log),
        duration_s=run.duration_s,
        capped=run.capped,
    )


class LoggedRun(NamedTuple):
    """``log``: (rows, 10) float64, columns ``L_*`` of ``sim.physics.state``; ``facts``: (8,)."""

    log: FloatArray
    facts: IntArray
    duration_s: float
    capped: bool


def run_logged(
    table: Table,
    start_mm: FloatArray,
    stroke: Stroke,
    *,
    most_events: int = MOST_EVENTS,
    most_s: float = MOST_SECONDS,
) -> LoggedRun:
    """Run the engine from checked places (``prepare``) and keep the state after every event."""
    launch = np.array([[*start_mm[-1], stroke.angle_rad, stroke.speed_mm_s]])
    facts = np.zeros((1, FACT_COLUMNS), dtype=np.int64)
    duration_s = np.empty(1)
    rows = _FIRST_LOG_ROWS
    while True:
        log = np.empty((rows, LOG_COLUMNS))
        run_many(
            np.ascontiguousarray(start_mm[None, :-1]),
            launch,
            table.radius_mm,
            table.mass_g,
            table.friction_class,
            table.geometry,
            table.surface[None],
            0,
            1,
            np.empty((1, table.count, 2)),
            np.empty((1, table.count), dtype=np.int8),
            np.empty((1, table.count)),
            facts,
            duration_s,
            log,
            most_events,
            float(most_s),
        )
        logged = int(facts[0, F_LOGGED])
        if logged <= rows:
            capped = bool(facts[0, F_CAPPED])
            return LoggedRun(log[:logged], facts[0], float(duration_s[0]), capped)
        rows = logged


def prepare(
    position: Position, stroke: Stroke, board: BoardSpec, surface: SurfaceParams
) -> tuple[Table, FloatArray]:
    """The checked table of a stroke and where its discs start, with room for all: (n, 2) mm.

    Every engine begins with this, so that all refuse and repair alike. Raises ``PositionError``.
    """
    men = Position(tuple(disc for disc in position if disc.kind is not PieceKind.STRIKER))
    check_counts(position, board)
    table = table_of(men, board, surface)
    return table, make_room(table, np.vstack([table.men_mm, stroke.placement_mm]))


def _tracks(log: FloatArray, table: Table, end_s: float) -> tuple[FloatArray, ...]:
    """Per disc the moving stretches, (k, 8) float64; see ``Trajectory``."""
    slowing = table.deceleration_mm_s2
    tracks: list[FloatArray] = []
    for disc in range(table.count):
        rows = log[log[:, L_DISC] == disc]
        track = np.empty((len(rows), SEGMENT_COLUMNS))
        track[:, 0] = rows[:, L_T]
        track[:, 1] = np.append(rows[1:, L_T], end_s)
        track[:, 2:7] = rows[:, [L_X, L_Y, L_UX, L_UY, L_SPEED]]
        track[:, 7] = slowing[disc]
        lasts = (track[:, 6] > 0.0) & (track[:, 1] > track[:, 0])
        tracks.append(np.ascontiguousarray(track[lasts]))
    return tuple(tracks)


def _events(log: FloatArray) -> tuple[ImpactEvent, ...]:
    events: list[ImpactEvent] = []
    for row in log:
        code, disc, other = int(row[L_KIND]), int(row[L_DISC]), int(row[L_OTHER])
        if code == LOG_LAUNCH or (code == LOG_CONTACT and other < disc):
            continue
        side: Seat | None = SIDES[other] if code == LOG_FRAME else None
        events.append(
            ImpactEvent(
                t_s=float(row[L_T]),
                kind=_KINDS[code],
                a=disc,
                b=other if code == LOG_CONTACT else None,
                pocket=POCKETS[other] if code in _WITH_POCKET else None,
                side=side,
                x_mm=float(row[L_X]),
                y_mm=float(row[L_Y]),
            )
        )
    return tuple(events)
