"""All players break together (HL-01): the opponent's striker, launched at the same instant."""

from carrom import events as ev
from carrom.stroke import Stroke
from sim.camera.films.acts import put, take_away
from sim.camera.films.choice import Intent
from sim.camera.films.incidents import IncidentKind
from sim.camera.films.moves import Place, Slide
from sim.camera.films.played import Played, seen
from sim.camera.films.tape import Person, Tape, Visit
from sim.camera.films.timeline import PhaseKind
from sim.camera.hands_pose import with_progress
from sim.camera.hands_types import HandAction

__all__ = ["collect_second", "note_common_break", "strike_second"]


def strike_second(
    tape: Tape, person: Person, intent: Intent, t0_s: float, launch_s: float
) -> float:
    """The opponent places, aims and flicks beside the first player; when his striker rests."""
    stroke = intent.second
    assert stroke is not None
    disc = second_striker(tape)
    visit = Visit(tape, person, t_s=t0_s, holding=disc)
    put(tape, visit, disc, t0_s, Place(*stroke.placement_mm))
    aim = person.pose(
        HandAction.AIMING, stroke.placement_mm, aim_rad=stroke.angle_rad,
        radius_mm=tape.radius_mm(disc),
    )  # fmt: skip
    visit.to(aim, 0.45)
    visit.at(aim, max(launch_s, visit.t_s + 0.01))
    flick = person.pose(
        HandAction.FLICKING, stroke.placement_mm, aim_rad=stroke.angle_rad,
        radius_mm=tape.radius_mm(disc),
    )  # fmt: skip
    visit.at(with_progress(flick, 1.0), launch_s + 0.06)
    visit.hold(0.2)
    visit.leave(0.7)
    visit.close()
    run = intent.table.run(stroke)
    x, y = (float(v) for v in run.end_mm[run.striker])
    rest = launch_s + run.duration_s
    tape.add(disc, Slide(launch_s, rest, launch_s, run, run.striker, Place(x, y)))
    return max(rest, visit.t_s)


def second_striker(tape: Tape) -> int:
    """The id of the opponent's striker."""
    return tape.striker - 1


def note_common_break(tape: Tape, done: Played, stroke: Stroke) -> None:
    """The fact, and whose stroke the second one was."""
    span = done.t_start_s, done.t_end_s
    done.first.append(ev.SimultaneousBreak(evidence=seen(done.t_start_s, done.t_start_s)))
    done.incidents.append(
        tape.incident(
            IncidentKind.SIMULTANEOUS_BREAK, *span, seat=stroke.seat,
            discs=(tape.striker, second_striker(tape)),
        )
    )  # fmt: skip


def collect_second(tape: Tape, person: Person) -> None:
    """The opponent takes his striker back for good: from now on one striker is shared."""
    with tape.phase(PhaseKind.COLLECTING):
        visit = Visit(tape, person)
        take_away(tape, visit, second_striker(tape))
        tape.t_s = visit.t_s
        visit.close()
