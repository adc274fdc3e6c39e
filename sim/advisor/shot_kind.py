"""What kind of stroke a trajectory is, read from what its discs met."""

from __future__ import annotations

import math
from dataclasses import dataclass

from carrom.board_spec import BoardSpec
from sim.advisor.suggestion import ShotKind
from sim.physics.trajectory import ImpactEvent, ImpactKind, Trajectory

__all__ = ["Shot", "shot_of"]

_CUT_RAD = math.radians(20.0)
_JAWS = 1.6
"""A frame hit nearer to the pocket than so many of its radii is part of falling in."""


@dataclass(frozen=True, slots=True)
class Shot:
    """``cut_rad``: between the way of the striker at its first piece and the line of centres;
    ``first``: index of that piece; ``side_mm``: where it is met, in units of the two radii, left
    of the middle negative, as the striker comes; ``None`` if nothing is met."""

    kind: ShotKind
    first: int | None
    cut_rad: float | None
    side: float | None


def shot_of(trajectory: Trajectory, target: int | None) -> Shot:
    """The shot that brings ``target`` (index into ``trajectory.kinds``) down."""
    first = _first_contact(trajectory)
    cut, side = (None, None) if first is None else _cut(trajectory, first)
    piece = None if first is None else first.a
    if target is None:
        return Shot(ShotKind.SAFE, piece, cut, side)
    return Shot(_kind(trajectory, target, first, cut), piece, cut, side)


def _kind(
    trajectory: Trajectory, target: int, first: ImpactEvent | None, cut: float | None
) -> ShotKind:
    striker = trajectory.striker
    if first is None:
        return ShotKind.SAFE
    frames = [e for e in trajectory.events if e.kind is ImpactKind.FRAME]
    last = _last_touch(trajectory, target)
    if last is not None and last.b != striker:
        return ShotKind.COMBINATION
    if last is not None and first.a != target:
        return ShotKind.FOLLOW
    if any(e.a == striker and e.t_s < first.t_s for e in frames):
        return ShotKind.BANK
    since = -1.0 if last is None else last.t_s
    fell = _fell_s(trajectory, target)
    between = [e for e in frames if e.a == target and since < e.t_s < fell]
    if any(not _in_jaws(trajectory.board, e) for e in between):
        return ShotKind.DOUBLE
    return ShotKind.CUT if cut is not None and abs(cut) > _CUT_RAD else ShotKind.DIRECT


def _first_contact(trajectory: Trajectory) -> ImpactEvent | None:
    for event in trajectory.events:
        if event.kind is ImpactKind.CONTACT and event.b == trajectory.striker:
            return event
    return None


def _fell_s(trajectory: Trajectory, disc: int) -> float:
    for event in trajectory.events:
        if event.a == disc and event.kind is ImpactKind.POCKETED:
            return event.t_s
    return math.inf


def _last_touch(trajectory: Trajectory, target: int) -> ImpactEvent | None:
    """The last contact of the target before it fell, with ``b`` the other disc."""
    fell = _fell_s(trajectory, target)
    last = None
    for event in trajectory.events:
        if event.kind is not ImpactKind.CONTACT or event.t_s > fell:
            continue
        if event.a == target:
            last = event
        elif event.b == target:
            last = ImpactEvent(event.t_s, event.kind, target, event.a, x_mm=event.x_mm)
    return last


def _in_jaws(board: BoardSpec, event: ImpactEvent) -> bool:
    reach = _JAWS * board.pocket_radius_mm
    return any(
        math.hypot(event.x_mm - c.x_mm, event.y_mm - c.y_mm) < reach
        for c in board.pocket_centres.values()
    )


def _cut(trajectory: Trajectory, first: ImpactEvent) -> tuple[float, float]:
    """Angle between the striker's way and the line of centres, and the offset of the hit."""
    before_s = max(0.0, first.t_s - 1e-6)
    places = trajectory.positions_at(first.t_s)
    way = trajectory.velocities_at(before_s)[trajectory.striker]
    line = places[first.a] - places[trajectory.striker]
    turn = math.atan2(
        float(way[0] * line[1] - way[1] * line[0]), float(way[0] * line[0] + way[1] * line[1])
    )
    # The line of centres left of the way (turn > 0): the striker meets the piece's right half.
    return abs(turn), math.sin(turn)
