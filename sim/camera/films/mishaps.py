"""Incidents that need hands, light or the whole board: filmed at ``tape.t_s``."""

from dataclasses import replace
from math import cos, hypot, pi, radians, sin

from carrom.seats import Seat
from sim.camera.films.incidents import Incident, IncidentKind
from sim.camera.films.moves import Glide, Place, polar
from sim.camera.films.tape import Person, Tape, Visit
from sim.camera.films.timeline import LightChange, Nudge, PhaseKind
from sim.camera.hands_pose import seat_bearing
from sim.camera.hands_types import HandAction
from sim.camera.scene import DiscState

__all__ = [
    "falls_from_lip",
    "hangs",
    "lean_in",
    "nudge_board",
    "sleeve_drag",
    "switch_lamp",
    "tip_into_pocket",
]


def nudge_board(tape: Tape) -> Incident:
    """Somebody bumps into the board: it slides and turns a little before the camera."""
    rng = tape.rng
    way, far = float(rng.uniform(0, 2 * pi)), float(rng.uniform(6.0, 22.0))
    turn = radians(float(rng.uniform(0.4, 1.6)) * (1 if rng.random() < 0.5 else -1))
    start = tape.t_s
    with tape.phase(PhaseKind.INCIDENT):
        tape.t_s += float(rng.uniform(0.15, 0.3))
        tape.nudges.append(Nudge(start, tape.t_s, far * cos(way), far * sin(way), turn))
    done = tape.incident(IncidentKind.BOARD_NUDGE, start, tape.t_s, amount=round(far, 3))
    tape.t_s += 0.8
    return done


def switch_lamp(tape: Tape) -> Incident:
    """A lamp goes off, or on again."""
    dark = bool(tape.lights) and tape.lights[-1].lamp < 0.9
    level = 1.0 if dark else float(tape.rng.uniform(0.05, 0.5))
    start = tape.t_s
    with tape.phase(PhaseKind.INCIDENT):
        tape.lights.append(LightChange(start, level))
        tape.t_s += 1.2
    return tape.incident(IncidentKind.LAMP_SWITCH, start, tape.t_s, amount=round(level, 3))


def lean_in(tape: Tape, person: Person) -> Incident:
    """A person leans far over the board: hand and forearm hang above it and hide discs."""
    rng = tape.rng
    start = tape.t_s
    half = tape.world.board.half_mm
    visit = Visit(tape, person)
    with tape.phase(PhaseKind.INCIDENT):
        for _ in range(2):
            reach = float(rng.uniform(-0.3, 0.45)) * half
            x, y = polar(0.0, 0.0, reach, seat_bearing(person.seat))
            side = float(rng.uniform(-0.4, 0.4)) * half
            x -= side * sin(seat_bearing(person.seat))
            y += side * cos(seat_bearing(person.seat))
            action = HandAction.POINTING if rng.random() < 0.5 else HandAction.REACHING
            visit.to(person.pose(action, (x, y, 60.0), progress=0.5), visit.reach_s(x, y) * 1.5)
            visit.hold(float(rng.uniform(0.4, 0.9)))
        visit.leave(0.8)
        tape.t_s = visit.t_s
    visit.close()
    return tape.incident(IncidentKind.LEAN_IN, start, tape.t_s, seat=person.seat)


def sleeve_drag(tape: Tape, person: Person) -> Incident | None:
    """Reaching out, a player drags a disc with his sleeve; ``None`` if none lies in the way."""
    found = _draggable(tape, person.seat)
    if found is None:
        return None
    disc, goal = found
    place = tape.places[disc]
    bearing = seat_bearing(person.seat)
    palm = polar(place.x_mm, place.y_mm, -165.0, bearing)
    pulled = (
        palm[0] + goal[0] - place.x_mm,
        palm[1] + goal[1] - place.y_mm,
    )
    visit = Visit(tape, person)
    with tape.phase(PhaseKind.INCIDENT):
        flat = person.pose(HandAction.RESTING, (*palm, 10.0), progress=0.2)
        visit.to(flat, visit.reach_s(*palm) * 1.2)
        visit.hold(0.15)
        start = visit.t_s
        dragged = replace(flat, anchor_mm=(*pulled, flat.anchor_mm[2]))
        visit.to(dragged, 0.32)
        stop = visit.t_s
        visit.leave(0.6)
        tape.t_s = visit.t_s
    visit.close()
    tape.add(disc, Glide(start, stop, place, replace(place, x_mm=goal[0], y_mm=goal[1])))
    far = hypot(goal[0] - place.x_mm, goal[1] - place.y_mm)
    return tape.incident(
        IncidentKind.SLEEVE_TOUCH, start, stop, seat=person.seat, discs=(disc,),
        amount=round(far, 3),
    )  # fmt: skip


def _draggable(tape: Tape, seat: Seat) -> tuple[int, tuple[float, float]] | None:
    """A disc before the player and a free place that a sleeve can drag it to."""
    bearing = seat_bearing(seat)
    out = cos(bearing), sin(bearing)
    near = sorted(
        (k for k in tape.lying() if tape.places[k].state is DiscState.FLAT),
        key=lambda k: -(tape.places[k].x_mm * out[0] + tape.places[k].y_mm * out[1]),
    )
    for disc in near:
        place = tape.places[disc]
        for far in (22.0, 14.0, 9.0):
            for off in (0.0, 0.9, -0.9, 1.5, -1.5):
                goal = polar(place.x_mm, place.y_mm, far, bearing + off)
                steps = (0.25, 0.5, 0.75, 1.0)
                if all(
                    tape.is_free(
                        disc,
                        place.x_mm + (goal[0] - place.x_mm) * s,
                        place.y_mm + (goal[1] - place.y_mm) * s,
                    )
                    for s in steps
                ):
                    return disc, goal
    return None


def hangs(tape: Tape) -> int | None:
    """A piece that hangs on a lip, if any."""
    for k in tape.lying():
        if tape.places[k].state is DiscState.HANGING:
            return k
    return None


def falls_from_lip(tape: Tape, disc: int, t_s: float) -> Incident:
    """What hung on the lip falls by itself."""
    span = tip_into_pocket(tape, disc, t_s)
    return tape.incident(IncidentKind.LIP_FALL, *span, discs=(disc,))


def tip_into_pocket(tape: Tape, disc: int, t_s: float) -> tuple[float, float]:
    """A disc beside a pocket tips over its lip and falls in; from when to when."""
    place, board = tape.places[disc], tape.world.board
    centre = min(
        board.pocket_centres.values(),
        key=lambda c: hypot(c.x_mm - place.x_mm, c.y_mm - place.y_mm),
    )
    spare = max(0.0, board.pocket_radius_mm - tape.radius_mm(disc)) * 0.5
    thick = board.disc(tape.kinds[disc]).thickness_mm.value
    turn = float(tape.rng.uniform(0, 2 * pi))
    x, y = polar(centre.x_mm, centre.y_mm, spare, turn)
    end = Place(x, y, min(-thick - 2.0, -tape.world.net_depth_mm), DiscState.IN_POCKET, 0.2, turn)
    tape.add(disc, Glide(t_s, t_s + 0.22, place, end))
    return t_s, t_s + 0.22
