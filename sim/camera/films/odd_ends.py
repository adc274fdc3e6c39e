"""Strokes after which a disc does not lie flat and free: found by trying, finished on film.

Physics moves discs that lie flat. A stroke is chosen in which it brings two discs so near to each
other, or one so far, that a small hop at the end of its way makes the odd end; until then all
discs move as physics says.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import hypot

from carrom.stroke import Stroke
from sim.camera.draw_of import Rng
from sim.camera.films.incidents import IncidentKind
from sim.camera.films.strategy import Table, along_places, ghost_shots, random_stroke
from sim.physics.trajectory import ImpactKind, Trajectory

__all__ = ["ODD_KINDS", "OddEnd", "cut_s", "find_odd_end", "last_hit_s", "rest_s"]

ODD_KINDS = frozenset(
    {
        IncidentKind.STANDING,
        IncidentKind.RESTING_ON_STRIKER,
        IncidentKind.FELL_DURING_LIFT,
        IncidentKind.STRIKER_ON_PIECE,
        IncidentKind.FELL_IN_ON_REMOVAL,
    }
)
_TRIES = 150
_FARTHEST_HOP_MM = 105.0
_GOOD_HOP_MM = 65.0
"""Two discs this near (centre to centre) need no better stroke."""
_GOOD_ROLL_S = 0.55
_HOP_S = 0.3
_AWAY_FROM_POCKETS_MM = 48.0
_LIP_MM = 45.0
"""A man at most this far from the lip is pushed to it by the striker that climbs onto it."""


@dataclass(frozen=True, slots=True)
class OddEnd:
    """``disc`` ends oddly: on the disc ``on``, or by itself; indexes into the trajectory."""

    kind: IncidentKind
    disc: int
    on: int | None = None


def find_odd_end(
    kind: IncidentKind, table: Table, rng: Rng, *, tries: int = _TRIES
) -> tuple[Stroke, OddEnd] | None:
    """A stroke after which a disc can end as wished, the most natural of those tried."""
    best: tuple[float, Stroke, OddEnd] | None = None
    for stroke in _candidates(table, rng, tries):
        run = table.run(stroke)
        found = _rated(kind, table, run)
        if found is None or (best is not None and found[0] >= best[0]):
            continue
        best = (found[0], stroke, found[1])
        if best[0] < 1.0:
            break
    return None if best is None else best[1:]


def _candidates(table: Table, rng: Rng, tries: int) -> Iterator[Stroke]:
    """Shots at pockets, too slow or too fast, then strokes at random."""
    places = along_places(table)
    if not places:
        return
    if not table.opening:
        ghosts = sorted(ghost_shots(table, places), key=lambda shot: shot[0])[::2][:30]
        for share in (0.6, 0.75, 0.45, 0.68, 0.85):
            for _, stroke in ghosts:
                yield replace(stroke, speed_mm_s=stroke.speed_mm_s * share)
    for _ in range(tries):
        yield random_stroke(table, places, rng, (900.0, 5500.0))


def _rated(kind: IncidentKind, table: Table, run: Trajectory) -> tuple[float, OddEnd] | None:
    """How unnatural an odd end of this trajectory would be: below 1 is good, less is better."""
    gone = {event.a for event in run.events if _is_gone(event.kind)}
    if run.capped or run.striker in gone or not len(run.tracks[run.striker]):
        return None
    men = [k for k in range(run.striker) if k not in gone and _may_matter(kind, run, k)]
    rated = [_one(kind, table, run, k) for k in men]
    return min((r for r in rated if r is not None), key=lambda r: r[0], default=None)


def _may_matter(kind: IncidentKind, run: Trajectory, man: int) -> bool:
    """A cheap look before the events are searched."""
    if kind is IncidentKind.STANDING:
        return rest_s(run, man) > 0.4
    ax, ay = run.end_mm[man] - run.end_mm[run.striker]
    return hypot(float(ax), float(ay)) <= _FARTHEST_HOP_MM


def _is_gone(kind: ImpactKind) -> bool:
    return kind in (ImpactKind.POCKETED, ImpactKind.OFF_BOARD)


def _one(
    kind: IncidentKind, table: Table, run: Trajectory, man: int
) -> tuple[float, OddEnd] | None:
    if kind is IncidentKind.STANDING:
        return _stands(table, run, man)
    on_striker = kind in (IncidentKind.RESTING_ON_STRIKER, IncidentKind.FELL_DURING_LIFT)
    over, under = (man, run.striker) if on_striker else (run.striker, man)
    gap = _hop_mm(run, over, under)
    if gap is None:
        return None
    lip = _lip_mm(table, run, under)
    if kind is IncidentKind.FELL_IN_ON_REMOVAL:
        if not 0.0 <= lip <= _LIP_MM:
            return None
        return (gap + lip) / 100.0, OddEnd(kind, over, under)
    if lip < _AWAY_FROM_POCKETS_MM:
        return None
    if kind is IncidentKind.FELL_DURING_LIFT:
        return (gap + 0.2 * lip) / 100.0, OddEnd(kind, over, under)
    return gap / _GOOD_HOP_MM, OddEnd(kind, over, under)


def _hop_mm(run: Trajectory, over: int, under: int) -> float | None:
    """How far apart two discs end, if the first comes last and nothing hits it any more."""
    if not len(run.tracks[over]) or rest_s(run, over) < rest_s(run, under):
        return None
    if rest_s(run, over) - cut_s(run, over) < 0.12:
        return None
    ax, ay = run.end_mm[over]
    bx, by = run.end_mm[under]
    gap = hypot(float(ax - bx), float(ay - by))
    return gap if gap <= _FARTHEST_HOP_MM else None


def _stands(table: Table, run: Trajectory, man: int) -> tuple[float, OddEnd] | None:
    """A man that rolls long and ends in the open can do so on its edge."""
    tail = rest_s(run, man) - last_hit_s(run, man)
    if not len(run.tracks[man]) or tail < 0.4:
        return None
    x, y = (float(v) for v in run.end_mm[man])
    others = (run.end_mm[k] for k in range(len(run.kinds)) if k != man)
    near = min(hypot(x - float(ox), y - float(oy)) for ox, oy in others)
    inside = table.board.half_mm - max(abs(x), abs(y))
    if near < 55.0 or inside < 45.0 or _lip_mm(table, run, man) < _AWAY_FROM_POCKETS_MM:
        return None
    return _GOOD_ROLL_S / tail, OddEnd(IncidentKind.STANDING, man)


def _lip_mm(table: Table, run: Trajectory, disc: int) -> float:
    """From a disc's last place to the nearest pocket's lip."""
    board = table.board
    x, y = (float(v) for v in run.end_mm[disc])
    gaps = (hypot(x - c.x_mm, y - c.y_mm) for c in board.pocket_centres.values())
    return min(gaps) - board.pocket_radius_mm


def last_hit_s(run: Trajectory, disc: int) -> float:
    """When a disc was last hit, s since the launch."""
    hits = (
        event.t_s
        for event in run.events
        if disc in (event.a, event.b) and event.kind is not ImpactKind.STOPPED
    )
    return max(hits, default=0.0)


def rest_s(run: Trajectory, disc: int) -> float:
    """When a disc came to rest, s since the launch; 0 if it never moved."""
    track = run.tracks[disc]
    return float(track[-1, 1]) if len(track) else 0.0


def cut_s(run: Trajectory, disc: int) -> float:
    """When its last hop begins, s since the launch: after all hits, shortly before its rest."""
    return max(last_hit_s(run, disc) + 0.03, rest_s(run, disc) - _HOP_S)
