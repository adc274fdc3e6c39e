"""One stroke on film: placed, aimed, flicked, rolled out, collected, with what went wrong."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from math import pi

from carrom import events as ev
from carrom.board_marks import seat_rotation_rad
from carrom.board_spec import BoardFamily
from carrom.evidence import OBSERVED
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from carrom.seats import Pocket
from carrom.stroke import Stroke
from sim.camera.films.acts import aim_and_flick, put, roll, take, take_away
from sim.camera.films.choice import Intent, early_window
from sim.camera.films.incidents import Incident, IncidentKind
from sim.camera.films.mishaps import falls_from_lip, hangs, sleeve_drag
from sim.camera.films.moves import Carry, Place, Slide, polar
from sim.camera.films.returns import visit_for
from sim.camera.films.tape import Person, Tape, Visit
from sim.camera.films.timeline import PhaseKind
from sim.camera.hands_types import HandAction
from sim.camera.scene import DiscState
from sim.physics.trajectory import Trajectory

__all__ = ["Played", "off_line", "play_stroke"]

_OFF_LINE_MM = 13.0


@dataclass
class Played:
    """What came of a stroke."""

    stroke: Stroke
    trajectory: Trajectory
    t_place_s: float
    t_start_s: float
    t_end_s: float
    t_hands_off_s: float
    first: list[ev.Event] = field(default_factory=list)
    last: list[ev.Event] = field(default_factory=list)
    incidents: list[Incident] = field(default_factory=list)
    after: Position | None = None

    def outcome(self) -> StrokeOutcome:
        """What physics says, with what the incidents add."""
        plain = self.trajectory.to_outcome(t_start_s=self.t_start_s)
        if not self.incidents:
            return plain
        ends = [incident.t_end_s for incident in self.incidents]
        fell = any(isinstance(event, ev.Pocketed) for event in self.last)
        seen = [e for e in plain.events if not (fell and isinstance(e, ev.NoPiecePocketed))]
        return replace(
            plain,
            events=(*self.first, *seen, *self.last),
            after=plain.after if self.after is None else self.after,
            t_end_s=max([plain.t_end_s or 0.0, *ends]),
        )


def off_line(stroke: Stroke) -> Stroke:
    """The striker too far ahead of its line."""
    ahead = seat_rotation_rad(stroke.seat) + pi / 2
    x, y = polar(*stroke.placement_mm, _OFF_LINE_MM, ahead)
    return replace(stroke, placement_mm=(x, y))


def play_stroke(
    tape: Tape, person: Person, intent: Intent, asked: Collection[IncidentKind], *, collect: bool
) -> Played:
    """Film a stroke from the hand's coming to the striker's leaving."""
    rng, stroke = tape.rng, intent.stroke
    run = intent.table.run(stroke)
    ids = [*tape.lying(), tape.striker]
    with tape.phase(PhaseKind.PLACING):
        visit = visit_for(tape, person, tape.striker)
        start = take(tape, visit, tape.striker)
        lies = put(tape, visit, tape.striker, start, *stroke.placement_mm)
        tape.t_s = visit.t_s
    with tape.phase(PhaseKind.AIMING):
        launch = aim_and_flick(tape, visit, stroke, float(rng.uniform(0.7, 1.9)))
        tape.t_s = launch
    early = IncidentKind.EARLY_PICKUP in asked and early_window(run) is not None
    with tape.phase(PhaseKind.MOVING):
        if early:
            picked = _pick_early(tape, visit, run, launch)
            off = picked
        else:
            off = visit.leave(float(rng.uniform(0.55, 0.85)))
        last = visit.t_s
        visit.close()
        end = _rolled(tape, run, ids, launch, early=early)
        tape.t_s = max(end, last)
    done = Played(stroke, run, lies, launch, launch + run.duration_s, off)
    _note_placement(tape, done, asked, intent)
    if early:
        _note_early(tape, done, person, picked)
    _note_stroke(tape, done, asked, intent)
    _afterwards(tape, done, person, asked, collect=collect and not early)
    done.after = _after(tape, done)
    return done


def _pick_early(tape: Tape, visit: Visit, run: Trajectory, launch_s: float) -> float:
    """The hand goes after the rolling striker; the time when it has it (film seconds)."""
    window = early_window(run)
    assert window is not None
    at = launch_s + window[0] + 0.4 * (window[1] - window[0])
    x, y = (float(v) for v in run.positions_at(at - launch_s)[-1])
    radius, person = tape.radius_mm(tape.striker), visit.person
    above = person.pose(HandAction.TAKING, (x, y), progress=0.8, radius_mm=radius)
    visit.at(above, max(at - 0.2, visit.t_s + 0.2))
    visit.at(person.pose(HandAction.TAKING, (x, y), radius_mm=radius), at)
    away = visit.away_with(tape.striker)
    visit.to(above, 0.2)
    visit.to(away, visit.reach_s(*away.anchor_mm[:2]))
    ax, ay, az = away.anchor_mm
    visit.held(tape.striker, at, Place(ax, ay, az, state=None))
    return at


def _rolled(tape: Tape, run: Trajectory, ids: list[int], launch_s: float, *, early: bool) -> float:
    """As ``roll``; a striker picked up early slides no farther than to the hand."""
    if not early:
        return roll(tape, run, ids, launch_s)
    carried = tape.moves[tape.striker].pop()
    assert isinstance(carried, Carry)
    end = roll(tape, run, ids, launch_s)
    slide = tape.moves[tape.striker].pop()
    assert isinstance(slide, Slide)
    place, _ = slide.at(carried.t0_s)
    tape.add(tape.striker, replace(slide, t1_s=carried.t0_s, end=place))
    tape.add(tape.striker, carried)
    return end


def _note_placement(
    tape: Tape, done: Played, asked: Collection[IncidentKind], intent: Intent
) -> None:
    """Facts of the time before the launch: whose turn, where the striker lay."""
    seat = done.stroke.seat
    if IncidentKind.WRONG_TURN in asked:
        done.first.append(ev.OutOfTurn(seat=seat))
        done.incidents.append(
            tape.incident(IncidentKind.WRONG_TURN, done.t_place_s, done.t_start_s, seat=seat)
        )
    if IncidentKind.OFF_LINE in asked:
        board, table = tape.world.board, intent.table
        if board.family is BoardFamily.ICF:
            fact = ev.Placement(touches_both_lines=False)
        elif table.tee:
            fact = ev.Placement(touches_tee_outline=False)
        else:
            fact = ev.Placement(on_area_line=False, zone=ev.Zone.OUTSIDE)
        done.first.append(fact)
        done.incidents.append(
            tape.incident(
                IncidentKind.OFF_LINE, done.t_place_s, done.t_start_s, seat=seat,
                discs=(tape.striker,), amount=_OFF_LINE_MM,
            )
        )  # fmt: skip


def _note_early(tape: Tape, done: Played, person: Person, picked_s: float) -> None:
    when = replace(OBSERVED, t_start_s=picked_s, t_end_s=picked_s)
    done.last.append(ev.StrikerRecalledEarly(evidence=when))
    done.incidents.append(
        tape.incident(
            IncidentKind.EARLY_PICKUP, picked_s, picked_s, seat=person.seat,
            discs=(tape.striker,),
        )
    )  # fmt: skip


def _note_stroke(tape: Tape, done: Played, asked: Collection[IncidentKind], intent: Intent) -> None:
    """Incidents that are strokes of their own; their facts are those of physics."""
    span = done.t_start_s, done.t_end_s
    seat = done.stroke.seat
    for kind in (IncidentKind.BREAK_MISSED, IncidentKind.COVER_MISSED, IncidentKind.OVER_FRAME):
        if kind not in intent.made & set(asked):
            continue
        ids = [*range(len(tape.kinds))]
        gone = tuple(k for k in ids if tape.places[k].state in (DiscState.OFF_BOARD, None))
        discs = gone if kind is IncidentKind.OVER_FRAME else ()
        done.incidents.append(tape.incident(kind, *span, seat=seat, discs=discs))


def _afterwards(
    tape: Tape, done: Played, person: Person, asked: Collection[IncidentKind], *, collect: bool
) -> None:
    """Sleeves, discs on lips, and the striker taken from the board."""
    if IncidentKind.SLEEVE_TOUCH in asked:
        tape.t_s += 0.2
        drag = sleeve_drag(tape, person)
        if drag is not None:
            when = replace(OBSERVED, t_start_s=drag.t_start_s, t_end_s=drag.t_end_s)
            piece = tape.kinds[drag.discs[0]]
            done.last.append(
                ev.Touched(piece=piece, by=ev.TouchedBy.CLOTHING, moved=True, evidence=when)
            )
            done.incidents.append(drag)
    hanging = hangs(tape) if IncidentKind.LIP_FALL in asked else None
    if hanging is not None:
        tape.wait(0.8, 1.8)
        fall = falls_from_lip(tape, hanging, tape.t_s)
        _note_fall(tape, done, fall, hanging)
        tape.t_s = fall.t_end_s + 0.5
    if collect and tape.places[tape.striker].state is not None:
        with tape.phase(PhaseKind.COLLECTING):
            visit = Visit(tape, person)
            take_away(tape, visit, tape.striker)
            tape.t_s = visit.t_s
            visit.close()


def _note_fall(tape: Tape, done: Played, fall: Incident, disc: int) -> None:
    """A disc that falls by itself after the stroke counts as pocketed by it."""
    when = replace(OBSERVED, t_start_s=fall.t_start_s, t_end_s=fall.t_end_s)
    done.last.append(ev.Pocketed(piece=tape.kinds[disc], pocket=_pocket(tape, disc), evidence=when))
    done.incidents.append(fall)


def _pocket(tape: Tape, disc: int) -> Pocket | None:
    place = tape.places[disc]
    return tape.world.board.pocket_at(place.x_mm, place.y_mm)


def _after(tape: Tape, done: Played) -> Position | None:
    """The rest position that the incidents left, the striker last if it was still there."""
    plain = done.trajectory.end_position
    discs = list(tape.position().discs)
    early = any(i.kind is IncidentKind.EARLY_PICKUP for i in done.incidents)
    for disc in plain.of_kind(PieceKind.STRIKER):
        if not early:
            discs.append(Disc(disc.kind, disc.x_mm, disc.y_mm))
    return Position(tuple(discs))
