"""One stroke on film: placed, aimed, flicked, rolled out, collected, with what went wrong."""

from collections.abc import Callable, Collection
from dataclasses import replace
from math import pi

from carrom import events as ev
from carrom.board_marks import seat_rotation_rad
from carrom.board_spec import BoardFamily
from carrom.evidence import Evidence
from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from carrom.seats import Pocket
from carrom.stroke import Stroke
from sim.camera.films.acts import aim_and_flick, put, roll, take, take_away
from sim.camera.films.choice import Intent, early_window
from sim.camera.films.common_break import (
    collect_second,
    note_common_break,
    strike_second,
)
from sim.camera.films.incidents import Incident, IncidentKind
from sim.camera.films.mishaps import falls_from_lip, hangs, sleeve_drag
from sim.camera.films.mislaunches import nudge, push, slip
from sim.camera.films.moves import Carry, Place, Slide, polar
from sim.camera.films.odd_clearing import clear_odd_end, note_odd_end
from sim.camera.films.odd_ends import OddEnd
from sim.camera.films.odd_moves import finish_oddly, land_on_frame
from sim.camera.films.played import Played, seen
from sim.camera.films.tape import Person, Tape, Visit, visit_with
from sim.camera.films.timeline import PhaseKind
from sim.camera.hands_types import HandAction
from sim.camera.scene import DiscState
from sim.physics.trajectory import Trajectory

__all__ = ["off_line", "play_stroke"]

_OFF_LINE_MM = 13.0


def off_line(stroke: Stroke) -> Stroke:
    """The striker too far ahead of its line."""
    ahead = seat_rotation_rad(stroke.seat) + pi / 2
    x, y = polar(*stroke.placement_mm, _OFF_LINE_MM, ahead)
    return replace(stroke, placement_mm=(x, y))


def play_stroke(
    tape: Tape,
    person: Person,
    intent: Intent,
    asked: Collection[IncidentKind],
    *,
    collect: bool,
    opponent: Person,
) -> Played:
    """Film a stroke from hand to rest; ``opponent``: who strikes too in a common break."""
    rng, stroke = tape.rng, intent.stroke
    run = intent.table.run(stroke)
    ids = [*tape.lying(), tape.striker]
    places = ((k, tape.places[k]) for k in tape.stacked())
    stacked = tuple(Disc(tape.kinds[k], place.x_mm, place.y_mm) for k, place in places)
    came_s = tape.t_s
    visit, lies = _place(tape, person, stroke)
    with tape.phase(PhaseKind.AIMING):
        launch = _launch(tape, visit, intent, run, float(rng.uniform(0.7, 1.9)))
        tape.t_s = launch
    early = IncidentKind.EARLY_PICKUP in asked and early_window(run) is not None
    with tape.phase(PhaseKind.MOVING):
        away = None if early else float(rng.uniform(0.55, 0.85))
        off = _pick_early(tape, visit, run, launch) if away is None else visit.leave(away)
        last = visit.t_s
        visit.close()
        rest, end = _roll_out(tape, intent, run, ids, launch, early=early)
        if intent.second is not None:
            rest = max(rest, strike_second(tape, opponent, intent, came_s, launch))
        tape.t_s = max(end, last, rest)
    done = Played(stroke, run, lies, launch, rest, off, odd=intent.odd, stacked=stacked)
    left = () if early else _striker_left(tape, done)
    _note_placement(tape, done, asked, intent)
    if early:
        _note_early(tape, done, person, off)
    _note_stroke(tape, done, asked, intent)
    if intent.second is not None:
        note_common_break(tape, done, intent.second)
        collect_second(tape, opponent)
    if intent.odd is not None:
        _clear(tape, done, person, ids, intent.odd)
    _afterwards(tape, done, person, asked, collect=collect and not early)
    done.after = Position((*tape.rest().discs, *left))
    return done


def _place(tape: Tape, person: Person, stroke: Stroke) -> tuple[Visit, float]:
    """The striker is brought to its place; the hand, and the time when it lies there."""
    with tape.phase(PhaseKind.PLACING):
        visit = visit_with(tape, person, tape.striker)
        start = take(tape, visit, tape.striker)
        lies = put(tape, visit, tape.striker, start, Place(*stroke.placement_mm))
        tape.t_s = visit.t_s
    return visit, lies


def _roll_out(
    tape: Tape, intent: Intent, run: Trajectory, ids: list[int], launch_s: float, *, early: bool
) -> tuple[float, float]:
    """The discs move as physics says, but for odd ends; when all rest, and when all have fallen."""
    stacked = tape.stacked()
    end = _rolled(tape, run, ids, launch_s, early=early)
    rest = launch_s + run.duration_s
    if any(tape.places[k].state is not DiscState.STACKED for k in stacked):
        rest = max(rest, end)
    if intent.odd is not None:
        rest = finish_oddly(tape, run, ids, launch_s, intent.odd)
    if IncidentKind.ON_FRAME in intent.made:
        end = max(land_on_frame(tape, ids[index]) for index in run.off_board)
    return rest, end


def _launch(tape: Tape, visit: Visit, intent: Intent, run: Trajectory, aim_s: float) -> float:
    """The hand's part of the stroke, right or wrong; the time when the striker leaves."""
    if IncidentKind.IMPROPER_STROKE in intent.made:
        return push(tape, visit, intent.stroke, run, aim_s)
    if IncidentKind.STRIKER_NUDGED in intent.made:
        return nudge(tape, visit, intent.stroke, run)
    if IncidentKind.MISFIRE in intent.made:
        return slip(tape, visit, intent.stroke, aim_s)
    return aim_and_flick(tape, visit, intent.stroke, aim_s)


def _striker_left(tape: Tape, done: Played) -> tuple[Disc, ...]:
    """The striker where it came to rest, if it is still on the board."""
    if not done.trajectory.end_position.of_kind(PieceKind.STRIKER):
        return ()
    place = tape.places[tape.striker]
    return (Disc(PieceKind.STRIKER, place.x_mm, place.y_mm),)


def _clear(tape: Tape, done: Played, person: Person, ids: list[int], odd: OddEnd) -> None:
    disc = ids[odd.disc]
    base = None if odd.on is None else ids[odd.on]
    note_odd_end(tape, done, disc, base)
    if base is not None:
        clear_odd_end(tape, done, person, disc, base)


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
    when = seen(picked_s, picked_s)
    done.last.append(ev.StrikerRecalledEarly(evidence=when))
    done.incidents.append(
        tape.incident(
            IncidentKind.EARLY_PICKUP, picked_s, picked_s, seat=person.seat,
            discs=(tape.striker,),
        )
    )  # fmt: skip


def _note_stroke(tape: Tape, done: Played, asked: Collection[IncidentKind], intent: Intent) -> None:
    """Incidents that are strokes of their own, with the facts that physics does not tell."""
    for kind in _STROKES:
        if kind not in intent.made & set(asked):
            continue
        event = _FACTS[kind](seen(done.t_start_s, done.t_start_s)) if kind in _FACTS else None
        if event is not None:
            done.first.append(event)
        gone = [k for k in tape.pieces() if tape.places[k].state in _OFF]
        if kind is IncidentKind.ON_FRAME:
            gone = [k for k in gone if tape.places[k].state is DiscState.ON_FRAME]
            done.on_frame += [tape.kinds[k] for k in gone]
        thrown = kind in (IncidentKind.ON_FRAME, IncidentKind.OVER_FRAME)
        done.incidents.append(
            tape.incident(
                kind, done.t_start_s, done.t_end_s, seat=done.stroke.seat,
                discs=tuple(gone) if thrown else (),
            )
        )  # fmt: skip


_STROKES = (
    IncidentKind.BREAK_MISSED,
    IncidentKind.COVER_MISSED,
    IncidentKind.OVER_FRAME,
    IncidentKind.ON_FRAME,
    IncidentKind.STRIKER_POCKETED,
    IncidentKind.MISFIRE,
    IncidentKind.STRIKER_NUDGED,
    IncidentKind.IMPROPER_STROKE,
)
_OFF = (DiscState.OFF_BOARD, DiscState.ON_FRAME, None)
_FACTS: dict[IncidentKind, Callable[[Evidence], ev.Event]] = {
    IncidentKind.MISFIRE: lambda when: ev.Misfire(
        striker_on_both_lines=True, hit_piece=False, evidence=when
    ),
    IncidentKind.STRIKER_NUDGED: lambda when: ev.StrikerNudged(evidence=when),
    IncidentKind.IMPROPER_STROKE: lambda when: ev.ImproperStroke(kind="push", evidence=when),
}


def _afterwards(
    tape: Tape, done: Played, person: Person, asked: Collection[IncidentKind], *, collect: bool
) -> None:
    """Sleeves, discs on lips, and the striker taken from the board."""
    if IncidentKind.SLEEVE_TOUCH in asked:
        tape.t_s += 0.2
        drag = sleeve_drag(tape, person)
        if drag is not None:
            when = seen(drag.t_start_s, drag.t_end_s)
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
    when = seen(fall.t_start_s, fall.t_end_s)
    done.last.append(ev.Pocketed(piece=tape.kinds[disc], pocket=_pocket(tape, disc), evidence=when))
    done.incidents.append(fall)


def _pocket(tape: Tape, disc: int) -> Pocket | None:
    place = tape.places[disc]
    return tape.world.board.pocket_at(place.x_mm, place.y_mm)
