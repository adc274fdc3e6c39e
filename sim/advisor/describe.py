"""From a candidate and its fresh sample to a suggestion."""

from __future__ import annotations

import numpy as np

from carrom.board_marks import Point, to_seat_frame
from carrom.seats import Seat
from sim.advisor.drawn_path import drawn_path
from sim.advisor.race import Racer, Sample
from sim.advisor.seat_view import seat_stroke, turned_pocket, turned_points
from sim.advisor.shot_kind import Shot, shot_of
from sim.advisor.suggestion import (
    Aim,
    Chance,
    Fall,
    FrameSide,
    Fullness,
    Hardness,
    Leave,
    ShotKind,
    Suggestion,
)
from sim.physics.arrays import FloatArray, position_of
from sim.physics.simulation import simulate
from sim.physics.trajectory import ImpactKind, Trajectory

__all__ = ["described"]

_SELDOM = 0.05
_SHOWN_ENDS = 60
_NEAR, _THIN = 0.25, 0.7
"""Offsets of a hit, in units of the two radii: full up to the one, an edge from the other on."""


def described(
    racer: Racer, stroke: FloatArray, sample: Sample, kind: ShotKind | None
) -> Suggestion:
    """The suggestion for ``stroke`` (4,), the seat's frame. ``kind`` ``None``: an attack, whose
    kind is read from how it goes when it goes well."""
    seat, verdicts = racer.situation.seat, sample.verdicts
    falls = _falls(racer, sample)
    target = None if kind is ShotKind.SAFE else _target(sample)
    trajectory = _typical(racer, stroke, sample, target)
    shot = shot_of(trajectory, target)
    good = ~verdicts.foul if kind is ShotKind.SAFE else verdicts.success
    wanted = next((fall for fall in falls if fall.disc == target), None)
    count = len(sample.strokes)
    intent = seat_stroke(seat, stroke)
    return Suggestion(
        stroke=intent,
        kind=shot.kind if kind is None else kind,
        along_mm=float(stroke[0]),
        hardness=Hardness.of(float(stroke[3])),
        aim=_aim(racer, trajectory, shot),
        target=target,
        target_piece=None if target is None else racer.table.kinds[target],
        pocket=None if wanted is None else wanted.pocket,
        chance=Chance.counted(int(good.sum()), count),
        foul=Chance.counted(int(verdicts.foul.sum()), count),
        value=float(verdicts.value(sample.leave).mean()),
        leave=_leave(sample),
        falls=falls,
        path=drawn_path(trajectory, target=target),
        ends_mm=_ends(seat, sample, target),
        cut_rad=shot.cut_rad,
    )


def _target(sample: Sample) -> int | None:
    """The piece that falls in most successes."""
    holes = sample.batch.pocket[sample.verdicts.success, :-1]
    counts = ((holes >= 0) & (holes < 4)).sum(axis=0)
    return int(counts.argmax()) if counts.size and counts.max() > 0 else None


def _falls(racer: Racer, sample: Sample) -> tuple[Fall, ...]:
    holes = sample.batch.pocket
    found = []
    for disc, kind in enumerate(racer.table.kinds):
        counts = np.array([(holes[:, disc] == k).sum() for k in range(4)])
        chance = float(counts.sum()) / len(holes)
        if chance >= _SELDOM:
            pocket = turned_pocket(racer.situation.seat, int(counts.argmax()))
            found.append(Fall(disc, kind, pocket, chance))
    return tuple(sorted(found, key=lambda fall: -fall.chance))


def _typical(racer: Racer, stroke: FloatArray, sample: Sample, target: int | None) -> Trajectory:
    """The stroke as meant, if that does it; else the sample nearest to it that does."""
    situation = racer.situation
    men = racer.table.men_mm
    if target is not None:
        meant = _run(racer, stroke, men)
        if any(disc == target for disc, _ in meant.pocketed):
            return meant
        does = sample.verdicts.success & (sample.batch.pocket[:, target] >= 0)
        off = (sample.strokes - stroke) / np.array([5.0, 5.0, 0.02, 0.1 * stroke[3]])
        away = np.where(does, np.square(off).sum(axis=1), np.inf)
        row = int(away.argmin())
        return _run(racer, sample.strokes[row], sample.men_mm[row])
    return simulate(
        situation.position, seat_stroke(situation.seat, stroke), situation.board, situation.surface
    )


def _run(racer: Racer, stroke: FloatArray, men_mm: FloatArray) -> Trajectory:
    situation, seat = racer.situation, racer.situation.seat
    places = np.array(turned_points(seat, men_mm)).reshape(len(men_mm), 2)
    position = position_of(racer.table.kinds[:-1], places)
    return simulate(position, seat_stroke(seat, stroke), situation.board, situation.surface)


def _aim(racer: Racer, trajectory: Trajectory, shot: Shot) -> Aim | None:
    """What the striker meets first: a frame, or a piece and which part of it."""
    seat = racer.situation.seat
    for event in trajectory.events:
        if event.kind is ImpactKind.FRAME and event.a == trajectory.striker and event.side:
            side = _side(seat, event.side)
            place = to_seat_frame(seat, event.x_mm, event.y_mm)
            along = place.x_mm if side in (FrameSide.FAR, FrameSide.OWN) else place.y_mm
            return Aim(frame=side, along_mm=along, point_mm=Point(event.x_mm, event.y_mm))
        if event.kind is ImpactKind.CONTACT and event.b == trajectory.striker:
            middle = trajectory.start_mm[event.a]
            return Aim(
                piece=trajectory.kinds[event.a],
                fullness=_fullness(shot.side or 0.0),
                point_mm=Point(float(middle[0]), float(middle[1])),
            )
    return None


def _side(seat: Seat, frame: Seat) -> FrameSide:
    x, y = to_seat_frame(seat, *_OUT[frame])
    if abs(y) > abs(x):
        return FrameSide.FAR if y > 0 else FrameSide.OWN
    return FrameSide.RIGHT if x > 0 else FrameSide.LEFT


_OUT = {
    Seat.SOUTH: (0.0, -1.0),
    Seat.EAST: (1.0, 0.0),
    Seat.NORTH: (0.0, 1.0),
    Seat.WEST: (-1.0, 0.0),
}


def _fullness(side: float) -> Fullness:
    """The line of centres left of the way: the right half of the piece is met."""
    if abs(side) < _NEAR:
        return Fullness.FULL
    if side > 0:
        return Fullness.RIGHT if side < _THIN else Fullness.RIGHT_EDGE
    return Fullness.LEFT if side > -_THIN else Fullness.LEFT_EDGE


def _leave(sample: Sample) -> Leave:
    """Mean chance of the next stroke: of one's own after successes, of the opponent's else."""
    verdicts = sample.verdicts
    over = np.array([j.mover is None for j in verdicts.judged])[verdicts.kind]
    own = sample.leave[verdicts.success & ~over]
    theirs = sample.leave[~verdicts.mine & ~over]
    return Leave(
        own=float(own.mean()) if own.size else None,
        opponent=float(theirs.mean()) if theirs.size else None,
    )


def _ends(seat: Seat, sample: Sample, target: int | None) -> tuple[Point, ...]:
    if target is None:
        return ()
    return turned_points(seat, sample.batch.xy_mm[:_SHOWN_ENDS, target])
