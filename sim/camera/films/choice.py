"""The stroke of a turn: a sensible one, or one that makes the incident asked for come true."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from math import hypot

import numpy as np

from carrom.pieces import PieceKind
from carrom.seats import opposite
from carrom.stroke import Stroke
from sim.camera.draw_of import Rng
from sim.camera.films.incidents import IncidentKind
from sim.camera.films.mislaunches import find_misfire, find_nudge, find_soft
from sim.camera.films.odd_ends import ODD_KINDS, OddEnd, find_odd_end
from sim.camera.films.strategy import (
    Table,
    along_places,
    best_stroke,
    ghost_shots,
    miss,
    noisy,
    random_stroke,
    search,
)
from sim.physics.trajectory import ImpactKind, Trajectory

__all__ = ["Intent", "choose", "early_window"]

_HOP_SPEED_MM_S = 1500.0
"""Frames of films with a disc over the frame are low: a faster blow on them hops over."""
_PUSH_SPEED_MM_S = 1300.0
"""A hand cannot travel much faster with the striker."""


@dataclass(frozen=True, slots=True)
class Intent:
    """A stroke, the table it is played on, and the incidents that it brings about.

    ``odd``: how a disc ends that does not lie flat and free; ``second``: the opponent's stroke of
    a common break.
    """

    stroke: Stroke
    table: Table
    made: frozenset[IncidentKind] = frozenset()
    odd: OddEnd | None = None
    second: Stroke | None = None


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
    if kind in ODD_KINDS:
        found = find_odd_end(kind, table, rng)
        return None if found is None else Intent(found[0], table, frozenset({kind}), found[1])
    if kind in (IncidentKind.OVER_FRAME, IncidentKind.ON_FRAME):
        table = replace(table, surface=replace(table.surface, leave_speed_mm_s=_HOP_SPEED_MM_S))
    if kind is IncidentKind.SIMULTANEOUS_BREAK:
        return _common_break(table, rng)
    stroke = _stroke_for(kind, table, rng)
    return None if stroke is None else Intent(stroke, table, frozenset({kind}))


def _stroke_for(kind: IncidentKind, table: Table, rng: Rng) -> Stroke | None:
    """A stroke that brings an incident about by physics alone, or is made wrongly by the hand."""
    match kind:
        case IncidentKind.OVER_FRAME | IncidentKind.ON_FRAME:
            return search(table, rng, _hops, speeds=(2500.0, 7000.0))
        case IncidentKind.BREAK_MISSED:
            return miss(table, rng)
        case IncidentKind.COVER_MISSED:
            return search(table, rng, lambda run: not run.pocketed, speeds=(900.0, 2500.0))
        case IncidentKind.EARLY_PICKUP:
            return search(table, rng, lambda run: early_window(run) is not None)
        case IncidentKind.LIP_FALL:
            return _to_the_lip(table)
        case IncidentKind.STRIKER_POCKETED | IncidentKind.FELL_DURING_REPLACEMENT:
            return search(table, rng, _sinks_itself)
        case IncidentKind.PENALTY_PIECE_CHOSEN:
            return search(table, rng, _sinks_itself)
        case IncidentKind.JACK_TOPPLED:
            jack = replace(table, wanted=(PieceKind.JACK,))
            return search(jack, rng, _takes_jack)
        case IncidentKind.OPTION_REMOVAL:
            own = table.wanted[0]
            return search(table, rng, lambda run: _takes_only(run, own))
        case IncidentKind.MISFIRE:
            return find_misfire(table, rng)
        case IncidentKind.STRIKER_NUDGED:
            return find_nudge(table, rng)
        case IncidentKind.IMPROPER_STROKE:
            plain = best_stroke(table, rng)
            return replace(plain, speed_mm_s=min(plain.speed_mm_s, _PUSH_SPEED_MM_S))
    return None


def _common_break(table: Table, rng: Rng) -> Intent | None:
    """Both players strike at once (HL-01): the second so softly that the two do not meet."""
    other, places = replace(table, seat=opposite(table.seat)), along_places(table)
    seconds = [stroke for stroke in (find_soft(other, rng) for _ in range(4)) if stroke is not None]
    for _ in range(120 if places else 0):
        first = random_stroke(table, places, rng, (900.0, 2600.0))
        run = table.run(first)
        if run.pocketed or run.off_board or not any(e.b == run.striker for e in run.events):
            continue
        for second in seconds:
            if not _meet(run, other.run(second)):
                made = frozenset({IncidentKind.SIMULTANEOUS_BREAK})
                return Intent(first, table, made, second=second)
    return None


def _meet(run: Trajectory, other: Trajectory) -> bool:
    """Some disc of a stroke and the striker of another come together, launched at once."""
    times = np.arange(0.0, max(run.duration_s, other.duration_s) + 0.02, 0.01)
    theirs = other.positions_over(times)[:, -1]
    ours = run.positions_over(times)
    gap = np.linalg.norm(ours - theirs[:, None], axis=2)
    board = run.board
    reach = board.radii_mm[PieceKind.STRIKER]
    least = np.array([board.radii_mm[kind] + reach + 2.0 for kind in run.kinds])
    return bool((gap < least).any())


def _sinks_itself(run: Trajectory) -> bool:
    """The striker falls and no man leaves the board."""
    return [disc for disc, _ in run.pocketed] == [run.striker] and not run.off_board


def _takes_jack(run: Trajectory) -> bool:
    kinds = [run.kinds[disc] for disc, _ in run.pocketed]
    return kinds == [PieceKind.JACK] and not run.off_board


def _takes_only(run: Trajectory, own: PieceKind) -> bool:
    return [run.kinds[disc] for disc, _ in run.pocketed] == [own] and not run.off_board


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
