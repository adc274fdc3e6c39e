"""What happens between two strokes and is judged: time run out, and what persons declare."""

from dataclasses import replace

from carrom import events as ev
from carrom.board_marks import from_seat_frame
from carrom.evidence import DECLARED
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from carrom.seats import Seat
from sim.camera.films.incidents import Incident, IncidentKind
from sim.camera.films.played import seen
from sim.camera.films.tape import Person, Tape, Visit
from sim.camera.films.timeline import PhaseKind
from sim.camera.hands_types import HandAction

__all__ = ["declare", "let_time_run_out"]

_SPOKEN_S = 1.2


def let_time_run_out(
    tape: Tape, person: Person, limit_s: float, since_s: float
) -> tuple[StrokeOutcome, Incident]:
    """The player hesitates, a hand on the frame, until his time is over; ``since_s``: its start."""
    start, half = tape.t_s, tape.world.board.half_mm
    x, y = from_seat_frame(person.seat, 0.22 * half, -1.04 * half)
    frame_mm = tape.world.board.frame.height_mm.value
    late = since_s + limit_s + float(tape.rng.uniform(0.6, 1.6))
    visit = Visit(tape, person)
    with tape.phase(PhaseKind.INCIDENT):
        rest = person.pose(HandAction.RESTING, (x, y, frame_mm), progress=0.25)
        visit.to(rest, visit.reach_s(x, y) * 1.3)
        visit.at(rest, max(visit.t_s + 0.5, since_s + 0.6 * limit_s))
        near = person.pose(HandAction.RESTING, (x, y, frame_mm), progress=0.6)
        visit.to(near, 0.4)
        visit.at(near, max(visit.t_s + 0.2, late))
        elapsed = round(visit.t_s - since_s, 3)
        over = visit.t_s
        visit.leave(0.6)
        tape.t_s = visit.t_s
    visit.close()
    event = ev.TimeExceeded(limit_s=limit_s, elapsed_s=elapsed, evidence=seen(since_s, over))
    incident = tape.incident(IncidentKind.TIME_EXCEEDED, start, over, seat=person.seat)
    return _outcome(tape, person.seat, event, start, over), incident


def declare(
    tape: Tape, kind: IncidentKind, turn: Seat, offender: Seat
) -> tuple[StrokeOutcome, Incident]:
    """Something that no picture shows, said by a person. Raises ``KeyError`` for other kinds."""
    start = tape.t_s
    with tape.phase(PhaseKind.INCIDENT):
        tape.t_s += _SPOKEN_S
    when = replace(DECLARED, t_start_s=start, t_end_s=tape.t_s)
    events: dict[IncidentKind, ev.Event] = {
        IncidentKind.VIOLATION: ev.Violation(seat=offender, kind="chair_moved", evidence=when),
        IncidentKind.LEFT_SEAT: ev.LeftSeat(seat=offender, evidence=when),
        IncidentKind.STALEMATE: ev.Stalemate(evidence=when),
    }
    seat = None if kind is IncidentKind.STALEMATE else offender
    incident = tape.incident(kind, start, tape.t_s, seat=seat)
    return _outcome(tape, turn, events[kind], start, tape.t_s), incident


def _outcome(
    tape: Tape, turn: Seat, event: ev.Event, t_start_s: float, t_end_s: float
) -> StrokeOutcome:
    """An outcome without a stroke: nothing moves."""
    rest, place = tape.rest(), tape.places[tape.striker]
    if place.on_board:
        rest = Position((*rest.discs, Disc(PieceKind.STRIKER, place.x_mm, place.y_mm)))
    return StrokeOutcome(
        seat=turn, events=(event,), before=rest, after=rest, t_start_s=t_start_s, t_end_s=t_end_s
    )
