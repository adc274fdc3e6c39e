"""One disc, two discs: what school physics says."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from carrom.boards import HIKONE_BOARD, ICF_BOARD
from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from carrom.seats import Pocket, Seat
from sim.physics import ICF_SURFACE, ImpactKind, SurfaceParams, simulate

EMPTY = Position()
SHORT = {"markings.arrow_length_mm": 100.0}
WHITE, STRIKER = PieceKind.WHITE, PieceKind.STRIKER


def kinds_of(trajectory):
    return [event.kind for event in trajectory.events]


@pytest.mark.parametrize("mu", [0.05, 0.1, 0.2])
def test_stop_distance_and_time(stroke, mu):
    surface = SurfaceParams(friction_striker=mu)
    trajectory = simulate(EMPTY, stroke(0, -300, 90, 600), ICF_BOARD, surface)
    slowing = mu * surface.gravity_mm_s2
    assert trajectory.end_mm[-1] == pytest.approx([0, -300 + 600**2 / 2 / slowing], abs=1e-9)
    assert trajectory.duration_s == pytest.approx(600 / slowing, abs=1e-12)
    assert kinds_of(trajectory) == [ImpactKind.STOPPED]


def test_every_kind_has_its_own_friction(stroke):
    surface = SurfaceParams(friction_men=0.07, friction_queen=0.15, friction_striker=0.11)
    assert surface.deceleration_mm_s2(PieceKind.JACK) == pytest.approx(0.15 * 9806.65)
    position = Position((Disc(WHITE, 0.0, 0.0),))
    trajectory = simulate(position, stroke(0, -100, 90, 800), ICF_BOARD, surface)
    assert trajectory.segments(0)[0].deceleration_mm_s2 == pytest.approx(0.07 * 9806.65)
    assert trajectory.segments(1)[0].deceleration_mm_s2 == pytest.approx(0.11 * 9806.65)


def test_positions_and_velocities_between_events(stroke, smooth):
    trajectory = simulate(EMPTY, stroke(0, -100, 0, 1000), ICF_BOARD, smooth)
    slowing = smooth.deceleration_mm_s2(STRIKER)
    assert trajectory.positions_at(-1.0)[0] == pytest.approx([0, -100])
    assert trajectory.positions_at(0.1)[0] == pytest.approx([100 - slowing * 0.005, -100])
    assert trajectory.velocities_at(0.1)[0] == pytest.approx([1000 - slowing * 0.1, 0])
    assert trajectory.velocities_at(99.0)[0] == pytest.approx([0, 0])
    assert trajectory.positions_at(99.0) == pytest.approx(trajectory.end_mm)


@pytest.mark.parametrize("speed", [50.0, 800.0, 8000.0])
def test_head_on_restitution(stroke, smooth, speed):
    position = Position((Disc(WHITE, 0.0, 0.0),))
    gap = 15.5 + 20.65
    trajectory = simulate(position, stroke(0, -gap - 1e-6, 90, speed), ICF_BOARD, smooth)
    contact = trajectory.events[0]
    assert (contact.kind, contact.a, contact.b) == (ImpactKind.CONTACT, 0, 1)
    man, striker = trajectory.velocities_at(contact.t_s)
    e, ratio = smooth.restitution_disc, 15.0 / 5.3
    assert man[1] == pytest.approx(speed * (1 + e) * ratio / (1 + ratio), rel=1e-4)
    assert man[1] - striker[1] == pytest.approx(e * speed, rel=1e-4)


def test_slow_contacts_are_plastic(stroke, smooth):
    position = Position((Disc(WHITE, 0.0, 0.0),))
    trajectory = simulate(position, stroke(0, -36.15 - 1e-6, 90, 4.9), ICF_BOARD, smooth)
    man, striker = trajectory.velocities_at(trajectory.events[0].t_s)
    assert man[1] - striker[1] == pytest.approx(smooth.v_sep_mm_s, rel=1e-6)


@pytest.mark.parametrize("mu_c", [0.0, 0.05, 0.1, 0.2])
@pytest.mark.parametrize("cut_deg", [5, 15, 30, 45, 60])
def test_throw_matches_the_closed_form(stroke, mu_c, cut_deg):
    """tan(throw) = min(mu_c, tan(cut) / (3 (1 + e)))."""
    surface = SurfaceParams(rim_friction=mu_c)
    cut = math.radians(cut_deg)
    reach = 15.5 + 20.65
    # The striker moves north; at the contact the man lies at angle `cut` to the right of that.
    man = Disc(WHITE, reach * math.sin(cut), reach * math.cos(cut))
    trajectory = simulate(Position((man,)), stroke(0, -50, 90, 2000), ICF_BOARD, surface)
    contact = trajectory.events[0]
    vx, vy = trajectory.velocities_at(contact.t_s)[0]
    throw = cut - math.atan2(vx, vy)
    expected = math.atan(min(mu_c, math.tan(cut) / 3 / (1 + surface.restitution_disc)))
    assert math.degrees(throw) == pytest.approx(math.degrees(expected), abs=0.01)


def test_frame_restitution(stroke, smooth):
    trajectory = simulate(EMPTY, stroke(0, 300, 90, 1000), ICF_BOARD, smooth)
    hit = trajectory.events[0]
    assert (hit.kind, hit.side) == (ImpactKind.FRAME, Seat.NORTH)
    assert hit.y_mm == pytest.approx(370 - 20.65, abs=1e-12)
    slowing = smooth.deceleration_mm_s2(STRIKER)
    into = math.sqrt(1000**2 - 2 * slowing * (370 - 20.65 - 300))
    assert trajectory.velocities_at(hit.t_s)[0] == pytest.approx([0, -0.7 * into])


def test_frame_friction_turns_and_spins(stroke):
    surface = SurfaceParams(frame_friction=0.1)
    trajectory = simulate(EMPTY, stroke(100, 345, 45, 1000), ICF_BOARD, surface)
    vx, vy = trajectory.velocities_at(trajectory.events[0].t_s)[0]
    before = math.hypot(*trajectory.velocities_at(trajectory.events[0].t_s - 1e-9)[0])
    along, into = before * math.sqrt(0.5), before * math.sqrt(0.5)
    assert vy == pytest.approx(-0.7 * into, rel=1e-6)
    assert vx == pytest.approx(along - 0.1 * 1.7 * into, rel=1e-6)


def test_spin_is_carried_to_the_next_contact(stroke):
    """Two frames in a row: with friction the second one gives back some of the first one's spin."""
    surface = SurfaceParams(frame_friction=0.3, friction_striker=0.01)
    trajectory = simulate(EMPTY, stroke(280, 200, 45, 3000), ICF_BOARD, surface)
    no_spin = []
    hits = [event for event in trajectory.events if event.kind is ImpactKind.FRAME][:2]
    for hit in hits:
        after = trajectory.velocities_at(hit.t_s)[0]
        before = trajectory.velocities_at(hit.t_s - 1e-10)[0]
        along = 1 if hit.side in (Seat.EAST, Seat.WEST) else 0
        into = abs(before[1 - along])
        loss = min(0.3 * 1.7 * into, abs(before[along]) / 3)
        no_spin.append(abs(before[along]) - loss - abs(after[along]))
    assert no_spin[0] == pytest.approx(0, abs=1e-3)
    assert abs(no_spin[1]) > 10


def test_a_disc_falls_at_the_lip(stroke):
    trajectory = simulate(EMPTY, stroke(0, 0, 45, 1500), ICF_BOARD)
    assert trajectory.pocketed == ((0, Pocket.NORTH_EAST),)
    centre = ICF_BOARD.pocket_centres[Pocket.NORTH_EAST]
    x_mm, y_mm = trajectory.end_mm[0]
    away_mm = math.hypot(x_mm - centre.x_mm, y_mm - centre.y_mm)
    assert away_mm == pytest.approx(ICF_BOARD.pocket_radius_mm, abs=1e-9)
    assert len(trajectory.end_position) == 0
    assert trajectory.on_board_at(0.0) == (True,)
    assert trajectory.on_board_at(9.0) == (False,)


def test_a_fast_disc_rattles_and_comes_back(stroke):
    surface = SurfaceParams(capture_speed_mm_s=1500.0, frame_friction=0.0)
    trajectory = simulate(EMPTY, stroke(0, 0, 45, 6000), ICF_BOARD, surface)
    assert kinds_of(trajectory)[:3] == [
        ImpactKind.OVER_POCKET,
        ImpactKind.FRAME,
        ImpactKind.LEFT_POCKET,
    ]
    inside, outside = (trajectory.events[2].t_s - 1e-9, trajectory.events[2].t_s)
    before = np.hypot(*trajectory.velocities_at(inside)[0])
    after = np.hypot(*trajectory.velocities_at(outside)[0])
    assert after == pytest.approx(surface.lip_speed_kept * before, rel=1e-6)


def test_a_bounce_over_the_hole_can_make_it_fall(stroke):
    surface = SurfaceParams(capture_speed_mm_s=3000.0)
    trajectory = simulate(EMPTY, stroke(0, 0, 45, 3500), ICF_BOARD, surface)
    assert kinds_of(trajectory) == [
        ImpactKind.OVER_POCKET,
        ImpactKind.FRAME,
        ImpactKind.POCKETED,
    ]


def test_a_disc_that_stops_over_a_pocket_falls(stroke):
    surface = SurfaceParams(capture_speed_mm_s=1.0)
    slowing = surface.deceleration_mm_s2(STRIKER)
    path = math.hypot(347.75, 347.75) - 10
    trajectory = simulate(
        EMPTY, stroke(0, 0, 45, math.sqrt(2 * slowing * path)), ICF_BOARD, surface
    )
    assert trajectory.pocketed == ((0, Pocket.NORTH_EAST),)


def test_no_speed_limit_captures_everything(stroke):
    surface = replace(ICF_SURFACE, capture_speed_mm_s=None)
    trajectory = simulate(EMPTY, stroke(0, 0, 45, 12_000), ICF_BOARD, surface)
    assert kinds_of(trajectory) == [ImpactKind.POCKETED]


def test_leaving_over_the_frame_is_an_option(stroke):
    surface = replace(ICF_SURFACE, leave_speed_mm_s=5000.0)
    trajectory = simulate(EMPTY, stroke(0, 0, 90, 7000), ICF_BOARD, surface)
    assert kinds_of(trajectory) == [ImpactKind.FRAME, ImpactKind.OFF_BOARD]
    assert trajectory.off_board == (0,)
    assert simulate(EMPTY, stroke(0, 0, 90, 7000), ICF_BOARD).off_board == ()


def test_round_corner_of_the_frame(stroke, smooth):
    """A corner of radius 100 mm, pocket far inside it; a disc comes along the diagonal."""
    board = ICF_BOARD.changed({"frame.corner_radius_mm": 100.0, "pockets.inset_mm": 180.0, **SHORT})
    trajectory = simulate(EMPTY, stroke(250, 250, 45, 800), board, smooth)
    hit = trajectory.events[0]
    assert hit.kind is ImpactKind.FRAME
    assert math.hypot(hit.x_mm - 270, hit.y_mm - 270) == pytest.approx(100 - 20.65, abs=1e-9)
    vx, vy = trajectory.velocities_at(hit.t_s)[0]
    assert vx == pytest.approx(vy)
    assert vx < 0


def test_sliding_along_a_round_corner_ends(stroke, smooth):
    """Along the north frame into the corner: it follows the arc in few hops and leaves along it."""
    board = ICF_BOARD.changed({"frame.corner_radius_mm": 150.0, "pockets.inset_mm": 170.0, **SHORT})
    trajectory = simulate(EMPTY, stroke(0, 370 - 20.65, 0, 3000), board, smooth)
    assert not trajectory.capped
    assert len(trajectory.events) < 200  # three corners on its way
    speeds = [np.hypot(*trajectory.velocities_at(event.t_s)[0]) for event in trajectory.events]
    assert all(after <= before + 1e-6 for before, after in itertools.pairwise(speeds))


def test_hikone_pocket_is_a_quarter_circle(stroke):
    trajectory = simulate(EMPTY, stroke(0, 0, 45, 2000), HIKONE_BOARD)
    assert trajectory.pocketed == ((0, Pocket.NORTH_EAST),)
    assert math.hypot(*(trajectory.end_mm[0] - 300)) == pytest.approx(50, abs=1e-9)


def test_frozen_pair_in_line_is_resolved_pairwise(stroke):
    """Striker at 3 m/s on A touching B: 0.950, 2.007, 3.793 m/s (notes/physics.md, 2.2)."""
    board = ICF_BOARD.changed({"discs.striker.diameter_mm": 41.0})
    surface = SurfaceParams(restitution_disc=0.85, rim_friction=0.0)
    position = Position((Disc(WHITE, 0.0, 0.0), Disc(WHITE, 0.0, 31.0)))
    trajectory = simulate(position, stroke(0, -36 - 1e-6, 90, 3000), board, surface)
    man_a, man_b, striker = trajectory.velocities_at(trajectory.events[2].t_s + 1e-12)
    speeds = [striker[1], man_a[1], man_b[1]]
    assert speeds == pytest.approx([950, 2007, 3793], abs=2)


def test_path_for_drawing_starts_and_ends_right(stroke):
    trajectory = simulate(EMPTY, stroke(10, -300, 80, 2500), ICF_BOARD)
    path = trajectory.path_mm(0)
    assert path[0] == (10.0, -300.0)
    assert path[-1] == pytest.approx(tuple(trajectory.end_mm[0]))
    assert len(path) >= 3
