"""What goes wrong while pieces are put back: one falls in again, the jack topples off its stack."""

from dataclasses import replace

from carrom import events as ev
from sim.camera.films.acts import nearest_free, put, take
from sim.camera.films.incidents import Incident, IncidentKind
from sim.camera.films.moves import Glide, Place, polar
from sim.camera.films.odd_clearing import fall_into_pocket, slip_into_pocket
from sim.camera.films.played import seen
from sim.camera.films.tape import Person, Tape, Visit, visit_with
from sim.camera.hands_pose import seat_bearing
from sim.camera.hands_types import HandAction
from sim.camera.scene import DiscState

__all__ = ["drop_again", "topple"]

_ASKEW_MM = 9.0
_BACK_MM = 110.0
"""The hand goes back so far that the stack can be seen."""


def drop_again(tape: Tape, person: Person, disc: int) -> tuple[Incident, ev.Event]:
    """Taken out of the pocket, it slips from the fingers and falls in again (HK-30)."""
    visit = visit_with(tape, person, disc)
    place = tape.places[disc]
    start = take(tape, visit, disc)
    x, y = 0.72 * place.x_mm, 0.72 * place.y_mm
    above = person.pose(HandAction.TAKING, (x, y, 30.0), radius_mm=tape.radius_mm(disc))
    visit.to(above, 0.5)
    span = slip_into_pocket(tape, visit, disc, start)
    visit.leave(0.5)
    tape.t_s = visit.t_s
    visit.close()
    fall_into_pocket(tape, disc, *span)
    incident = tape.incident(
        IncidentKind.FELL_DURING_REPLACEMENT, *span, seat=person.seat, discs=(disc,)
    )
    return incident, ev.FellDuringReplacement(piece=tape.kinds[disc], evidence=seen(*span))


def topple(tape: Tape, person: Person, jack: int, base: int) -> tuple[Incident, ev.Event]:
    """The jack is put on the pack, falls off, and is put there again until it stays (HK-26)."""
    under = tape.places[base]
    thick = tape.world.board.disc(tape.kinds[base]).thickness_mm.value
    askew = Place(under.x_mm + _ASKEW_MM, under.y_mm, thick, DiscState.STACKED)
    visit = visit_with(tape, person, jack)
    start = put(tape, visit, jack, take(tape, visit, jack), askew)
    ax, ay, az = visit.pose.anchor_mm
    back = *polar(ax, ay, _BACK_MM, seat_bearing(person.seat)), az + 10.0
    visit.to(replace(visit.pose, anchor_mm=back), 0.3)
    visit.hold(0.1)
    _close(tape, visit)
    x, y = nearest_free(tape, jack, under.x_mm + 45.0, under.y_mm)
    fall = max(start + 0.2, visit.t_s - 0.05), max(start + 0.2, visit.t_s - 0.05) + 0.35
    tape.add(jack, Glide(*fall, askew, Place(x, y), arc_mm=4.0, even=True))
    again = Visit(tape, person, from_pose=visit.pose)
    again.at(visit.pose, max(tape.t_s + 0.05, fall[1] + 0.3))
    top = Place(under.x_mm, under.y_mm, thick, DiscState.STACKED)
    put(tape, again, jack, take(tape, again, jack), top)
    again.leave(0.5)
    _close(tape, again)
    incident = tape.incident(IncidentKind.JACK_TOPPLED, *fall, seat=person.seat, discs=(jack,))
    return incident, ev.JackToppledDuringStacking(evidence=seen(*fall))


def _close(tape: Tape, visit: Visit) -> None:
    tape.t_s = visit.t_s
    visit.close()
