"""The stroke of a turn: a sensible one, or one that makes the incident asked for come true."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from math import hypot

from carrom.pieces import PieceKind
from carrom.stroke import Stroke
from sim.camera.draw_of import Rng
from sim.camera.films.incidents import IncidentKind
from sim.camera.films.strategy import (
    Table,
    along_places,
    best_stroke,
    ghost_shots,
    miss,
    noisy,
    search,
)
from sim.physics.trajectory import ImpactKind, Trajectory

__all__ = ["Intent", "choose", "early_window"]

_HOP_SPEED_MM_S = 1500.0
"""Frames of films with a disc over the frame are low: a faster blow on them hops over."""


@dataclass(frozen=True, slots=True)
class Intent:
    """A stroke, the table it is played on, and the incidents that it brings about."""

    stroke: Stroke
    table: Table
    made: frozenset[IncidentKind] = frozenset()


def choose(
    table: Table, asked: Collection[IncidentKind], skill: float, rng: Rng, *, queen: bool
) -> Intent:
    """The stroke to play. ``queen``: she is wanted above all (for a cover to be missed)."""
    for kind in asked:
        made = _made(kind, table, rng)
        if made is not None:
            return made
    if queen:
        hunt = search(table, rng, _takes_queen)
        if hunt is not None:
            return Intent(hunt, table)
    plain = noisy(best_stroke(table, rng), skill, rng)
    return Intent(plain, table)


def _made(kind: IncidentKind, table: Table, rng: Rng) -> Intent | None:
    stroke: Stroke | None = None
    if kind is IncidentKind.OVER_FRAME:
        table = replace(table, surface=replace(table.surface, leave_speed_mm_s=_HOP_SPEED_MM_S))
        stroke = search(table, rng, _hops, speeds=(2500.0, 7000.0))
    elif kind is IncidentKind.BREAK_MISSED:
        stroke = miss(table, rng)
    elif kind is IncidentKind.COVER_MISSED:
        stroke = search(table, rng, lambda run: not run.pocketed, speeds=(900.0, 2500.0))
    elif kind is IncidentKind.EARLY_PICKUP:
        stroke = search(table, rng, lambda run: early_window(run) is not None)
    elif kind is IncidentKind.LIP_FALL:
        stroke = _to_the_lip(table)
    return None if stroke is None else Intent(stroke, table, frozenset({kind}))


def _takes_queen(run: Trajectory) -> bool:
    kinds = [run.kinds[disc] for disc, _ in run.pocketed]
    return PieceKind.QUEEN in kinds and PieceKind.STRIKER not in kinds


def _hops(run: Trajectory) -> bool:
    """One man, not the striker, leaves over the frame."""
    return bool(run.off_board) and run.striker not in run.off_board


def early_window(run: Trajectory) -> tuple[float, float] | None:
    """When the striker, still moving, can be taken without changing anything else (s)."""
    mine = [
        event
        for event in run.events
        if run.striker in (event.a, event.b) and event.kind is not ImpactKind.STOPPED
    ]
    gone = (ImpactKind.POCKETED, ImpactKind.OFF_BOARD)
    if any(event.kind in gone for event in mine) or not len(run.tracks[run.striker]):
        return None
    first = max((event.t_s for event in mine), default=0.0) + 0.05
    last = float(run.tracks[run.striker][-1, 1]) - 0.15
    first = max(first, 0.95)
    return (first, last) if last > first else None


def _to_the_lip(table: Table) -> Stroke | None:
    """So slow that the man just does not fall: halve the speeds between too fast and too slow."""
    places = along_places(table)
    shots = sorted(ghost_shots(table, places), key=lambda shot: shot[0])[:60]
    for _, stroke in shots:
        run = table.run(stroke)
        fallen = [disc for disc, _ in run.pocketed if disc != run.striker]
        if len(fallen) != 1 or len(run.pocketed) != 1:
            continue
        low, high = 0.25 * stroke.speed_mm_s, stroke.speed_mm_s
        for _ in range(16):
            middle = (low + high) / 2
            tried = table.run(replace(stroke, speed_mm_s=middle))
            if fallen[0] in (disc for disc, _ in tried.pocketed):
                high = middle
            else:
                low = middle
        slow = replace(stroke, speed_mm_s=low)
        if _ends_on_lip(table, table.run(slow), fallen[0]):
            return slow
    return None


def _ends_on_lip(table: Table, run: Trajectory, disc: int) -> bool:
    board = table.board
    x, y = (float(v) for v in run.end_mm[disc])
    gaps = (hypot(x - c.x_mm, y - c.y_mm) for c in board.pocket_centres.values())
    reach = 0.4 * board.radii_mm[run.kinds[disc]]
    return not run.pocketed and min(gaps) - board.pocket_radius_mm < reach
