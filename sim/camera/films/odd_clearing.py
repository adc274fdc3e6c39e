"""What a player does about a disc on the striker, or the striker on a disc."""

from dataclasses import replace
from math import hypot

from carrom import events as ev
from sim.camera.films.acts import put, take, take_away
from sim.camera.films.incidents import IncidentKind
from sim.camera.films.mishaps import tip_into_pocket
from sim.camera.films.moves import GRIP_MM, Glide, Place
from sim.camera.films.odd_moves import pocket_centre
from sim.camera.films.played import Played, seen
from sim.camera.films.tape import Person, Tape, Visit
from sim.camera.films.timeline import PhaseKind
from sim.camera.hands_types import Handedness
from sim.camera.scene import DiscState

__all__ = ["clear_odd_end", "fall_into_pocket", "note_odd_end", "slip_into_pocket"]


def note_odd_end(tape: Tape, done: Played, disc: int, base: int | None) -> None:
    """The fact of an odd end; ids of the discs concerned."""
    assert done.odd is not None
    kind, span = done.odd.kind, (done.t_end_s, done.t_end_s)
    event: ev.Event
    if base is None:
        event = ev.Standing(piece=tape.kinds[disc], evidence=seen(*span))
        done.incidents.append(
            tape.incident(kind, *span, seat=done.stroke.seat, discs=(disc,))
        )  # fmt: skip
    elif base == tape.striker:
        event = ev.RestingOnStriker(piece=tape.kinds[disc], evidence=seen(*span))
    else:
        lip = tape.places[base].state is DiscState.HANGING
        event = ev.StrikerOnPiece(
            piece=tape.kinds[base], at_pocket_lip=lip, evidence=seen(*span)
        )  # fmt: skip
    done.last.append(event)


def clear_odd_end(tape: Tape, done: Played, person: Person, disc: int, base: int) -> None:
    """Take the striker out, with what lies on it lifted meanwhile or what lay under it left."""
    assert done.odd is not None
    kind, start = done.odd.kind, done.t_end_s
    tape.wait(0.4, 0.9)
    man = disc if base == tape.striker else base
    with tape.phase(PhaseKind.COLLECTING):
        if base == tape.striker:
            slips = kind is IncidentKind.FELL_DURING_LIFT
            fell = _lift_off(tape, person, man, slips=slips)
        else:
            fell = _take_off(tape, person, man, tips=kind is IncidentKind.FELL_IN_ON_REMOVAL)
    if fell is not None:
        cls = ev.FellDuringLift if base == tape.striker else ev.FellInOnRemoval
        done.last.append(cls(piece=tape.kinds[man], evidence=seen(*fell)))
    done.incidents.append(
        tape.incident(
            kind, start, tape.t_s if fell is None else fell[1], seat=person.seat, discs=(man,)
        )
    )


def _lift_off(tape: Tape, person: Person, man: int, *, slips: bool) -> tuple[float, float] | None:
    """One hand lifts the man, the other takes the striker, the first lowers the man (HK-32)."""
    place = tape.places[man]
    goal = Place(place.x_mm, place.y_mm)
    one = Visit(tape, person)
    start = take(tape, one, man)
    two = Visit(tape, _other_hand(person), t_s=one.t_s - 0.35)
    take_away(tape, two, tape.striker)
    one.at(one.pose, max(one.t_s, two.t_s - 0.3))
    fell = None
    if slips:
        fell = slip_into_pocket(tape, one, man, start)
    else:
        put(tape, one, man, start, goal)
    one.leave(0.5)
    tape.t_s = max(one.t_s, two.t_s)
    two.close()
    one.close()
    if fell is not None:
        fall_into_pocket(tape, man, *fell)
    return fell


def _other_hand(person: Person) -> Person:
    left = person.handedness is Handedness.RIGHT
    return replace(person, handedness=Handedness.LEFT if left else Handedness.RIGHT)


def slip_into_pocket(
    tape: Tape, visit: Visit, disc: int, held_from_s: float
) -> tuple[float, float]:
    """The disc slips from the fingers; from when to when it falls.

    ``fall_into_pocket`` films the fall once the visit is closed.
    """
    x, y, z = visit.pose.anchor_mm
    start = visit.t_s
    visit.held(disc, held_from_s, Place(x, y, z - GRIP_MM))
    centre = pocket_centre(tape, Place(x, y))
    took = 0.28 + hypot(x - centre[0], y - centre[1]) / 700.0
    visit.hold(took + 0.3)
    return start, start + took


def fall_into_pocket(tape: Tape, disc: int, t0_s: float, t1_s: float) -> None:
    """From where it slipped to the nearest pocket, over the wood and in."""
    place = tape.places[disc]
    x, y = pocket_centre(tape, place)
    thick = tape.world.board.disc(tape.kinds[disc]).thickness_mm.value
    deep = min(-thick - 2.0, -tape.world.net_depth_mm)
    middle = t0_s + 0.75 * (t1_s - t0_s)
    share = tape.world.board.pocket_radius_mm / max(hypot(x - place.x_mm, y - place.y_mm), 1.0)
    lip = Place(x + (place.x_mm - x) * min(share, 1.0), y + (place.y_mm - y) * min(share, 1.0))
    tape.add(disc, Glide(t0_s, middle, place, lip, even=True))
    end = Place(x, y, deep, DiscState.IN_POCKET, 0.2, 0.5)
    tape.add(disc, Glide(middle, t1_s, lip, end, even=True))


def _take_off(tape: Tape, person: Person, man: int, *, tips: bool) -> tuple[float, float] | None:
    """The striker is lifted off the man, which tips into the pocket if it lay at the lip."""
    visit = Visit(tape, person)
    lifted = take_away(tape, visit, tape.striker)
    tape.t_s = visit.t_s
    visit.close()
    if not tips:
        return None
    return tip_into_pocket(tape, man, lifted + 0.06)
