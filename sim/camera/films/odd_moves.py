"""Odd ends on tape: the last moves of a stroke, changed so that a disc ends on an edge, on another
disc or on the frame."""

from dataclasses import replace
from math import atan2, hypot, pi

from sim.camera.films.incidents import IncidentKind
from sim.camera.films.moves import Glide, Place, Slide, Tilt, polar
from sim.camera.films.odd_ends import OddEnd, cut_s, last_hit_s, rest_s
from sim.camera.films.tape import Tape
from sim.camera.outline import outer_half_mm
from sim.camera.scene import DiscState
from sim.physics.trajectory import Trajectory

__all__ = ["finish_oddly", "land_on_frame", "pocket_centre"]

_RISE_S = 0.14
_OFF_CENTRE_MM = 5.0


def finish_oddly(
    tape: Tape, run: Trajectory, ids: list[int], launch_s: float, odd: OddEnd
) -> float:
    """Change the last moves of a disc that rolled; the time when all is at rest."""
    disc = ids[odd.disc]
    if odd.kind is IncidentKind.STANDING:
        _stand_up(tape, run, disc, odd.disc, launch_s)
        return launch_s + run.duration_s
    assert odd.on is not None
    base = ids[odd.on]
    lip = odd.kind is IncidentKind.FELL_IN_ON_REMOVAL
    slide = tape.moves[disc].pop()
    assert isinstance(slide, Slide)
    cut = launch_s + cut_s(run, odd.disc)
    lands = launch_s + max(rest_s(run, odd.disc), rest_s(run, odd.on) + 0.05)
    place, _ = slide.at(cut)
    tape.add(disc, replace(slide, t1_s=cut, end=place))
    if lip:
        lands = max(lands, launch_s + rest_s(run, odd.on) + 0.2)
        _push_to_lip(tape, base, lands - 0.12, lands + 0.05)
    under = tape.places[base]
    from_there = atan2(place.y_mm - under.y_mm, place.x_mm - under.x_mm)
    x, y = polar(under.x_mm, under.y_mm, _OFF_CENTRE_MM, from_there)
    z = tape.world.board.disc(tape.kinds[base]).thickness_mm.value
    end = Place(x, y, z, DiscState.STACKED)
    tape.add(disc, Glide(cut, lands, place, end, arc_mm=7.0, even=True))
    return max(launch_s + run.duration_s, lands + 0.05)


def _stand_up(tape: Tape, run: Trajectory, disc: int, index: int, launch_s: float) -> None:
    """After its last hit it gets up and rolls out on its edge."""
    slide = tape.moves[disc].pop()
    assert isinstance(slide, Slide)
    vx, vy = (float(v) for v in run.tracks[index][-1, 4:6])
    towards = atan2(vy, vx) + pi / 2
    start = launch_s + last_hit_s(run, index) + 0.02
    radius = tape.radius_mm(disc)
    tilt = Tilt(start, start + _RISE_S, 0.0, pi / 2, towards, radius)
    place, _ = slide.at(slide.t1_s)
    end = Place(place.x_mm, place.y_mm, radius, DiscState.STANDING, pi / 2, towards)
    tape.add(disc, replace(slide, tilt=tilt, end=end))


def _push_to_lip(tape: Tape, disc: int, t0_s: float, t1_s: float) -> None:
    """The striker that climbs onto a disc pushes it over the lip of the pocket beside it."""
    place = tape.places[disc]
    centre = pocket_centre(tape, place)
    out = atan2(place.y_mm - centre[1], place.x_mm - centre[0])
    reach = tape.world.board.pocket_radius_mm + 0.2 * tape.radius_mm(disc)
    if hypot(place.x_mm - centre[0], place.y_mm - centre[1]) <= reach:
        return
    x, y = polar(*centre, reach, out)
    tape.add(disc, Glide(t0_s, t1_s, place, Place(x, y, state=DiscState.HANGING)))


def pocket_centre(tape: Tape, place: Place) -> tuple[float, float]:
    """The centre of the pocket nearest to a place, mm."""
    centres = tape.world.board.pocket_centres.values()
    near = min(centres, key=lambda c: hypot(c.x_mm - place.x_mm, c.y_mm - place.y_mm))
    return near.x_mm, near.y_mm


def land_on_frame(tape: Tape, disc: int) -> float:
    """What hopped over the frame stays on it; the time when it lies there."""
    tape.moves[disc].pop()
    slide = tape.moves[disc][-1]
    place, board = slide.end, tape.world.board
    middle = (board.half_mm + outer_half_mm(board)) / 2
    x, y = place.x_mm, place.y_mm
    along = 0.8 * board.half_mm
    if abs(x) > abs(y):
        end = (middle if x > 0 else -middle, min(max(y, -along), along))
    else:
        end = (min(max(x, -along), along), middle if y > 0 else -middle)
    z = board.frame.height_mm.value
    hop = Glide(
        slide.t1_s, slide.t1_s + 0.3, place, Place(*end, z, DiscState.ON_FRAME), arc_mm=18.0,
        even=True,
    )  # fmt: skip
    tape.places[disc] = place
    tape.add(disc, hop)
    return hop.t1_s
