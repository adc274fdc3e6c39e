"""Strokes that a hand makes wrongly: a push, a nudge, a finger that slips."""

from collections.abc import Callable
from dataclasses import replace
from math import pi

from carrom.board_marks import seat_rotation_rad, to_seat_frame
from carrom.pieces import PieceKind
from carrom.stroke import Stroke
from sim.camera.draw_of import Rng
from sim.camera.films.acts import aim_and_flick
from sim.camera.films.odd_ends import rest_s
from sim.camera.films.strategy import Table, along_places
from sim.camera.films.tape import Tape, Visit
from sim.camera.hands_pose import with_progress
from sim.camera.hands_types import HandAction
from sim.physics.trajectory import ImpactKind, Trajectory

__all__ = ["find_misfire", "find_nudge", "find_soft", "nudge", "push", "slip"]

_PUSH_S = 0.17
_PUSH_MM = 90.0


def find_nudge(table: Table, rng: Rng) -> Stroke | None:
    """A stroke so soft that the striker creeps on for 8 to 18 mm."""
    return _untouched(table, rng, lambda: float(rng.uniform(-0.8, 0.8)), (8.0, 18.0))


def find_soft(table: Table, rng: Rng) -> Stroke | None:
    """A stroke so soft that it stops before it meets anything: 30 to 80 mm."""
    return _untouched(table, rng, lambda: float(rng.uniform(-1.2, 1.2)), (30.0, 80.0))


def find_misfire(table: Table, rng: Rng) -> Stroke | None:
    """A stroke along the base lines, so that the striker still touches both of them: 35 to 90 mm.

    It ends between the base circles.
    """

    def sideways() -> float:
        off = float(rng.uniform(-0.02, 0.02))
        return off + (pi / 2 if rng.random() < 0.5 else -pi / 2)

    return _untouched(table, rng, sideways, (35.0, 90.0), along=True)


def _untouched(
    table: Table,
    rng: Rng,
    off_rad: Callable[[], float],
    reach_mm: tuple[float, float],
    *,
    along: bool = False,
) -> Stroke | None:
    """A stroke that meets nothing; ``off_rad``: draws its angle to straight ahead."""
    places = along_places(table, 15)
    slowing = table.surface.deceleration_mm_s2(PieceKind.STRIKER)
    ahead = seat_rotation_rad(table.seat) + pi / 2
    limit = max((_along_mm(table, x, y) for x, y in places), default=0.0)
    for _ in range(60 if places else 0):
        x, y = places[int(rng.integers(len(places)))]
        reach = float(rng.uniform(*reach_mm))
        stroke = Stroke(
            seat=table.seat,
            placement_mm=(x, y),
            angle_rad=ahead + off_rad(),
            speed_mm_s=(2 * slowing * reach) ** 0.5,
        )
        run = table.run(stroke)
        end_x, end_y = (float(v) for v in run.end_mm[run.striker])
        inside = not along or _along_mm(table, end_x, end_y) <= limit + 1e-6
        if inside and all(event.kind is ImpactKind.STOPPED for event in run.events):
            return stroke
    return None


def _along_mm(table: Table, x_mm: float, y_mm: float) -> float:
    """How far to the side of a player a place is."""
    return abs(to_seat_frame(table.seat, x_mm, y_mm).x_mm)


def push(tape: Tape, visit: Visit, stroke: Stroke, run: Trajectory, aim_s: float) -> float:
    """The finger stays at the striker and the hand travels with it; the time of the launch."""
    return aim_and_flick(tape, visit, stroke, aim_s, follow=_follow(run))


def _follow(run: Trajectory) -> list[tuple[float, tuple[float, float]]]:
    """(s since the launch, mm on) of the hand behind the striker, for as long as it pushes."""
    mine = [e.t_s for e in run.events if run.striker in (e.a, e.b)]
    last = min([_PUSH_S, *mine])
    x0, y0 = run.stroke.placement_mm
    way = []
    for share in (0.2, 0.4, 0.6, 0.8, 1.0):
        x, y = (float(v) for v in run.positions_at(last * share)[-1])
        far = max(1e-9, ((x - x0) ** 2 + (y - y0) ** 2) ** 0.5)
        part = min(1.0, _PUSH_MM / far)
        way.append((last * share, ((x - x0) * part, (y - y0) * part)))
    return way


def nudge(tape: Tape, visit: Visit, stroke: Stroke, run: Trajectory) -> float:
    """The hand goes back to the striker to adjust it, and pushes it on; when it moves."""
    person, place = visit.person, stroke.placement_mm
    radius = tape.world.board.radii_mm[PieceKind.STRIKER]
    visit.hold(0.35)
    here = person.pose(HandAction.PLACING, place, radius_mm=radius)
    visit.to(here, 0.3)
    visit.hold(0.2)
    start = visit.t_s
    x, y = (float(v) for v in run.end_mm[run.striker])
    there = replace(here, anchor_mm=(
        here.anchor_mm[0] + x - place[0], here.anchor_mm[1] + y - place[1], here.anchor_mm[2]
    ))  # fmt: skip
    visit.at(there, start + max(rest_s(run, run.striker), 0.08))
    visit.hold(0.25)
    visit.to(with_progress(there, 1.0), 0.15)
    visit.hold(0.3)
    return start


def slip(tape: Tape, visit: Visit, stroke: Stroke, aim_s: float) -> float:
    """Aimed ahead, but the finger slips off the side of the striker; the time of the launch."""
    ahead = seat_rotation_rad(stroke.seat) + pi / 2
    return aim_and_flick(tape, visit, replace(stroke, angle_rad=ahead), aim_s)
