"""What hands do at the table: take a disc, put one down, aim and flick, drag one by accident."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import atan2, cos, hypot, sin

from carrom.pieces import PieceKind
from carrom.stroke import Stroke
from sim.camera.films.moves import Glide, Place, Slide, falls_flat, polar
from sim.camera.films.tape import Tape, Visit
from sim.camera.hands_pose import with_progress
from sim.camera.hands_types import HandAction, HandPose
from sim.camera.outline import outer_half_mm
from sim.camera.scene import DiscState
from sim.physics.trajectory import ImpactKind, Trajectory

__all__ = ["aim_and_flick", "nearest_free", "put", "roll", "take", "take_away"]

_DEEP_MM = 90.0
"""A table farther down than this is the floor: nobody picks a disc up from there on camera."""


def take(tape: Tape, visit: Visit, disc: int) -> float:
    """Pinch a disc where it lies and lift it; the time when it is in the hand."""
    place = tape.places[disc]
    if place.state is None:  # it came in the hand
        return visit.t0_s
    x, y, z = place.x_mm, place.y_mm, place.z_mm
    radius, person = tape.radius_mm(disc), visit.person
    visit.to(
        person.pose(HandAction.TAKING, (x, y, max(z, 0.0)), progress=1.0, radius_mm=radius),
        visit.reach_s(x, y),
    )
    visit.to(person.pose(HandAction.TAKING, (x, y, z), radius_mm=radius), 0.22)
    visit.hold(0.08)
    start = visit.t_s
    above = person.pose(HandAction.TAKING, (x, y, max(z, 0.0)), progress=0.8, radius_mm=radius)
    visit.to(above, 0.2)
    return start


def put(tape: Tape, visit: Visit, disc: int, t0_s: float, goal: Place) -> float:
    """Put down a disc that has been in the hand since ``t0_s``; the time when it lies there."""
    radius, person = tape.radius_mm(disc), visit.person
    x, y, z = goal.x_mm, goal.y_mm, goal.z_mm
    over = person.pose(HandAction.PLACING, (x, y, 42.0 + z), radius_mm=radius)
    visit.to(over, visit.reach_s(x, y))
    visit.to(person.pose(HandAction.PLACING, (x, y, z), radius_mm=radius), 0.25)
    lies = visit.t_s
    visit.held(disc, t0_s, goal)
    done = person.pose(HandAction.PLACING, (x, y, z), progress=1.0, radius_mm=radius)
    visit.to(done, 0.18)
    return lies


def take_away(tape: Tape, visit: Visit, disc: int) -> float:
    """Take a disc out of the picture; the time when it was pinched."""
    start = take(tape, visit, disc)
    away = visit.away_with(disc)
    visit.to(away, visit.reach_s(*away.anchor_mm[:2]))
    x, y, z = away.anchor_mm
    visit.held(disc, start, Place(x, y, z, state=None))
    return start


def aim_and_flick(
    tape: Tape,
    visit: Visit,
    stroke: Stroke,
    aim_s: float,
    *,
    follow: Sequence[tuple[float, tuple[float, float]]] = (),
) -> float:
    """Aim at length and flick; the time of the launch. The hand is then still at the line.

    ``follow``: (s since the launch, mm on) of a hand that travels with the striker instead.
    """
    place, person = stroke.placement_mm, visit.person
    radius = tape.world.board.radii_mm[PieceKind.STRIKER]
    aim = person.pose(HandAction.AIMING, place, aim_rad=stroke.angle_rad, radius_mm=radius)
    about = [float(v) for v in tape.rng.normal(0, 0.05, 2)]
    visit.to(_aimed(tape, visit, stroke, about[0]), 0.45)
    for off in (about[1], 0.0):
        visit.hold(aim_s * 0.25)
        visit.to(_aimed(tape, visit, stroke, off) if off else aim, aim_s * 0.25)
    visit.hold(0.12)
    start = visit.t_s
    cocked = replace(aim, action=HandAction.FLICKING, progress=0.0)
    flick_s = min(max(60.0 / stroke.speed_mm_s, 0.025), 0.13)
    if not follow:
        visit.at(with_progress(cocked, 1.0), start + flick_s)
    for after, (dx, dy) in follow:
        x, y, z = cocked.anchor_mm
        moved = replace(cocked, anchor_mm=(x + dx, y + dy, z))
        visit.at(with_progress(moved, 0.5), start + after)
    visit.hold(float(tape.rng.uniform(0.1, 0.3)))
    return start


def _aimed(tape: Tape, visit: Visit, stroke: Stroke, off_rad: float) -> HandPose:
    radius = tape.world.board.radii_mm[PieceKind.STRIKER]
    return visit.person.pose(
        HandAction.AIMING,
        stroke.placement_mm,
        aim_rad=stroke.angle_rad + off_rad,
        radius_mm=radius,
    )


def roll(tape: Tape, run: Trajectory, ids: list[int], launch_s: float) -> float:
    """The discs of a stroke move; the time when all are at rest, in a net or off the board."""
    gone = {
        event.a: event
        for event in run.events
        if event.kind in (ImpactKind.POCKETED, ImpactKind.OFF_BOARD)
    }
    last, lay = launch_s + run.duration_s, list(tape.places)
    for index, disc in enumerate(ids):
        track = run.tracks[index]
        event = gone.get(index)
        if not len(track) and event is None:
            continue
        t0 = launch_s + float(track[0, 0])
        t1 = launch_s + (float(track[-1, 1]) if event is None else event.t_s)
        x, y = (float(v) for v in run.end_mm[index])
        end = Place(x, y, state=_lies(tape, disc, x, y) if event is None else DiscState.FLAT)
        slide = Slide(t0, max(t1, t0 + 1e-6), launch_s, run, index, end)
        tape.add(disc, falls_flat(slide, tape.places[disc], tape.radius_mm(disc)))
        if event is not None and event.pocket is not None:
            last = max(last, _sink(tape, disc, t1))
        elif event is not None:
            ux, uy, speed = (float(v) for v in track[-1, 4:7])
            last = max(last, _hop(tape, disc, t1, (ux, uy), speed))
    return max(last, _drop_stacked(tape, lay, last))


def _drop_stacked(tape: Tape, lay: list[Place], t_s: float) -> float:
    """What lay on a disc that has rolled away drops onto the wood; the time when it lies there."""
    for disc in tape.stacked():
        place = tape.places[disc]
        lying = [k for k in tape.pieces() if k != disc and lay[k].on_wood]
        under = min(lying, key=partial(_gap_at, lay, place))
        if _gap(tape.places[under], place) < 1.0 and tape.places[under].on_wood:
            continue
        start = max(t_s, tape.moves[disc][-1].t1_s)
        x, y = nearest_free(tape, disc, place.x_mm, place.y_mm)
        tape.add(disc, Glide(start, start + 0.12, place, Place(x, y)))
        t_s = start + 0.12
    return t_s


def _gap_at(lay: Sequence[Place], place: Place, disc: int) -> float:
    return _gap(lay[disc], place)


def _gap(a: Place, b: Place) -> float:
    return hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm)


def _lies(tape: Tape, disc: int, x_mm: float, y_mm: float) -> DiscState:
    board = tape.world.board
    for centre in board.pocket_centres.values():
        gap = hypot(x_mm - centre.x_mm, y_mm - centre.y_mm) - board.pocket_radius_mm
        if gap < 0.45 * tape.radius_mm(disc):
            return DiscState.HANGING
    return DiscState.FLAT


def _sink(tape: Tape, disc: int, t_s: float) -> float:
    """Fall into the net, on what lies there."""
    place, board = tape.places[disc], tape.world.board
    centre = min(
        board.pocket_centres.values(),
        key=lambda c: hypot(c.x_mm - place.x_mm, c.y_mm - place.y_mm),
    )
    below = sum(
        1
        for other in tape.places
        if other.state is DiscState.IN_POCKET
        and hypot(other.x_mm - centre.x_mm, other.y_mm - centre.y_mm) < board.pocket_radius_mm
    )
    thick = board.disc(tape.kinds[disc]).thickness_mm.value
    spare = max(0.0, board.pocket_radius_mm - tape.radius_mm(disc)) * 0.6
    turn = float(tape.rng.uniform(0, 6.28))
    x, y = polar(centre.x_mm, centre.y_mm, spare, turn)
    z = min(-thick - 2.0, -tape.world.net_depth_mm + thick * 0.9 * below)
    lean = float(tape.rng.uniform(0.0, 0.3))
    end = Place(x, y, z, DiscState.IN_POCKET, lean, turn)
    tape.add(disc, Glide(t_s, t_s + 0.14, place, end, even=True))
    return t_s + 0.14


def _hop(tape: Tape, disc: int, t_s: float, way: tuple[float, float], speed_mm_s: float) -> float:
    """Over the frame and onto the table, or out of sight."""
    place, world = tape.places[disc], tape.world
    if max(abs(place.x_mm * way[0]), abs(place.y_mm * way[1])) < 1e-9:
        way = (cos(atan2(place.y_mm, place.x_mm)), sin(atan2(place.y_mm, place.x_mm)))
    far = outer_half_mm(world.board) + tape.radius_mm(disc) + 15.0 + 0.03 * speed_mm_s
    deep = world.drop_mm > _DEEP_MM
    reach = far * 2.5 if deep else far
    ways = [(p, w) for p, w in _pairs(place, way) if abs(w) > 0.05 and p * w > 0]
    along = min(((reach - abs(p)) / abs(w) for p, w in ways), default=reach)
    x, y = place.x_mm + way[0] * along, place.y_mm + way[1] * along
    took = min(0.75, max(0.25, along / max(speed_mm_s * 0.6, 500.0)))
    state = None if deep else DiscState.OFF_BOARD
    z = -world.drop_mm
    tape.add(disc, Glide(t_s, t_s + took, place, Place(x, y, z, state), arc_mm=55.0, even=True))
    return t_s + took


def _pairs(place: Place, way: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    return (place.x_mm, way[0]), (place.y_mm, way[1])


def nearest_free(
    tape: Tape, disc: int, x_mm: float, y_mm: float, *, slack_mm: float = 0.3
) -> tuple[float, float]:
    """The free place nearest to a point (a spiral of 2 mm); the point itself if all is full."""
    if tape.is_free(disc, x_mm, y_mm, slack_mm=slack_mm):
        return x_mm, y_mm
    for step in range(1, 140):
        reach = 2.0 * step
        count = max(8, int(reach * 1.5))
        for k in range(count):
            x, y = polar(x_mm, y_mm, reach, 6.283185 * k / count + 0.4)
            if tape.is_free(disc, x, y, slack_mm=slack_mm):
                return x, y
    return x_mm, y_mm
