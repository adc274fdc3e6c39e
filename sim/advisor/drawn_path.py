"""The part of a trajectory that may be drawn: never beyond its third contact.

After three contacts a stroke is a lottery (``notes/physics.md`` 3.4): what comes then is told as
a chance, not as a line.
"""

from __future__ import annotations

import math

import numpy as np

from carrom.board_marks import Point
from sim.advisor.suggestion import PathLeg
from sim.physics.trajectory import ImpactKind, Trajectory

__all__ = ["MOST_CONTACTS", "drawn_path"]

MOST_CONTACTS = 3
_SHORTEST_MM = 3.0


def drawn_path(
    trajectory: Trajectory, *, target: int | None, contacts: int = MOST_CONTACTS
) -> tuple[PathLeg, ...]:
    """The ways of the striker, the target and what drives it up to the ``contacts``-th contact.

    Contacts are those between discs, and those of the striker with a frame.
    """
    stop_s = _stop_s(trajectory, contacts)
    shown = [trajectory.striker, *_drivers(trajectory, target, stop_s)]
    legs = []
    for disc in dict.fromkeys(shown):
        points = _points(trajectory, disc, stop_s)
        if len(points) > 1:
            legs.append(PathLeg(trajectory.kinds[disc], points))
    return tuple(legs)


def _stop_s(trajectory: Trajectory, contacts: int) -> float:
    """The time of the contact at which the drawing ends."""
    seen = 0
    for event in trajectory.events:
        is_frame = event.kind is ImpactKind.FRAME and event.a == trajectory.striker
        if event.kind is ImpactKind.CONTACT or is_frame:
            seen += 1
            if seen == contacts:
                return event.t_s
    return trajectory.duration_s


def _drivers(trajectory: Trajectory, target: int | None, stop_s: float) -> list[int]:
    """Pieces that the striker touches while it is drawn, and the target."""
    found = [
        event.a
        for event in trajectory.events
        if event.kind is ImpactKind.CONTACT and event.t_s < stop_s and event.b is not None
    ]
    return found if target is None else [*found, target]


def _points(trajectory: Trajectory, disc: int, stop_s: float) -> tuple[Point, ...]:
    rows = trajectory.tracks[disc]
    corners = [trajectory.start_mm[disc]]
    corners += [row[2:4] for row in rows if row[0] <= stop_s]
    corners.append(trajectory.positions_at(min(stop_s, trajectory.duration_s))[disc])
    points: list[Point] = []
    for x, y in np.asarray(corners).tolist():
        last = points[-1] if points else None
        if last is None or math.hypot(x - last.x_mm, y - last.y_mm) > _SHORTEST_MM:
            points.append(Point(x, y))
    return tuple(points)
