"""The independent reference: same inputs and outputs as the engine, errors as measured."""

import math
import subprocess
import sys

import numpy as np
import pytest

from carrom.boards import HIKONE_BOARD, ICF_BOARD
from carrom.errors import PositionError
from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from carrom.seats import Pocket
from sim.physics import ImpactKind, SurfaceParams, simulate
from sim.physics.pymunk_reference import PYMUNK_DT_S, simulate_pymunk

WHITE = PieceKind.WHITE
SMOOTH = SurfaceParams(rim_friction=0.0, frame_friction=0.0, capture_speed_mm_s=None)


def kinds(trajectory):
    return [event.kind for event in trajectory.events]


def test_pymunk_is_not_imported_with_the_package():
    code = "import sys, sim.physics; assert 'pymunk' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("steps_a_second", [1000, 8000])
def test_a_slide_is_too_long_by_half_a_step(stroke, steps_a_second):
    a_stroke = stroke(-300, 0, 0, 1000)
    exact = simulate(Position(), a_stroke, ICF_BOARD).end_mm[0, 0]
    end = simulate_pymunk(Position(), a_stroke, ICF_BOARD, dt_s=1 / steps_a_second).end_mm[0, 0]
    assert abs(end - exact - 1000 / steps_a_second / 2) < 0.05


@pytest.mark.parametrize("restitution", [0.0, 0.6, 0.95])
def test_restitutions_are_those_of_the_pair(stroke, restitution):
    """Each is set by itself, although pymunk multiplies the values of the shapes."""
    for surface, position in (
        (
            SurfaceParams(restitution_disc=restitution, restitution_frame=0.9),
            Position((Disc(WHITE, 0.0, 0.0),)),
        ),
        (SurfaceParams(restitution_disc=0.0, restitution_frame=restitution), Position()),
    ):
        a_stroke = stroke(0, -60, 90, 800) if len(position) else stroke(0, 300, 90, 800)
        exact = simulate(position, a_stroke, ICF_BOARD, surface)
        found = simulate_pymunk(position, a_stroke, ICF_BOARD, surface)
        assert found.end_mm == pytest.approx(exact.end_mm, abs=1.5)


@pytest.mark.parametrize("rim_friction", [0.05, 0.2])
def test_throw(stroke, rim_friction):
    """tan(throw) = min(mu, tan(cut) / (3 (1 + e))), notes/physics.md 3.4."""
    cut = math.radians(30)
    reach = 15.5 + 20.65
    at = (-reach * math.sin(cut), -reach * math.cos(cut))
    surface = SurfaceParams(rim_friction=rim_friction)
    start = stroke(at[0], at[1] - 50, 90, 1000)
    found = simulate_pymunk(Position((Disc(WHITE, 0.0, 0.0),)), start, ICF_BOARD, surface)
    first = found.segments(0)[0]
    throw = math.atan2(first.direction_x, first.direction_y) - cut
    expected = -math.atan(min(rim_friction, math.tan(cut) / (3 * 1.8)))
    assert math.degrees(throw) == pytest.approx(math.degrees(expected), abs=0.4)


def test_agreement_with_the_engine(random_position, stroke):
    """The table of the notes at 1/8000: 87.5 % the same set, 0.48 mm after one contact."""
    same, clean = [], []
    for layout in range(12):
        rng = np.random.default_rng(layout)
        position = random_position(10, layout)
        for _ in range(5):
            x_mm, degrees, speed = rng.uniform([-200, 20, 800], [200, 160, 4000])
            a_stroke = stroke(x_mm, -252.6, degrees, speed)
            exact = simulate(position, a_stroke, ICF_BOARD)
            found = simulate_pymunk(position, a_stroke, ICF_BOARD)
            assert not found.capped
            same.append(set(found.pocketed) == set(exact.pocketed))
            if kinds(exact).count(ImpactKind.CONTACT) <= 1:
                clean.append(np.hypot(*(found.end_mm - exact.end_mm).T).max())
    assert np.mean(same) >= 0.80
    assert len(clean) >= 8
    assert np.median(clean) < 1.5


def test_the_outcome_is_that_of_the_engine(stroke):
    position = Position((Disc(WHITE, 250.0, 250.0), Disc(PieceKind.QUEEN, -100.0, 50.0)))
    a_stroke = stroke(100, 100, 45, 1500)
    exact = simulate(position, a_stroke, ICF_BOARD).to_outcome()
    found = simulate_pymunk(position, a_stroke, ICF_BOARD).to_outcome()
    assert [type(event) for event in found.events] == [type(event) for event in exact.events]
    assert found.before == exact.before
    assert [disc.kind for disc in found.after] == [disc.kind for disc in exact.after]


@pytest.mark.parametrize("speed_mm_s", [1200, 2400, 3500, 6000])
@pytest.mark.parametrize("board", [ICF_BOARD, HIKONE_BOARD], ids=lambda board: board.name)
def test_the_capture_rule_is_that_of_the_engine(stroke, board, speed_mm_s):
    """Well beside the diagonal: the polygon of a round corner sends discs another way."""
    surface = SurfaceParams(capture_speed_mm_s=2000.0, restitution_frame=0.85)
    a_stroke = stroke(180, 200, 45, speed_mm_s)
    exact = simulate(Position(), a_stroke, board, surface)
    found = simulate_pymunk(Position(), a_stroke, board, surface, dt_s=1 / 32000)
    pocket_events = (ImpactKind.OVER_POCKET, ImpactKind.LEFT_POCKET, ImpactKind.POCKETED)
    assert [kind for kind in kinds(found) if kind in pocket_events] == [
        kind for kind in kinds(exact) if kind in pocket_events
    ]
    assert found.pocketed == exact.pocketed


def test_a_pot_in_each_corner(stroke):
    for degrees, pocket in (
        (45, Pocket.NORTH_EAST),
        (135, Pocket.NORTH_WEST),
        (225, Pocket.SOUTH_WEST),
        (315, Pocket.SOUTH_EAST),
    ):
        found = simulate_pymunk(Position(), stroke(0, 0, degrees, 1500), ICF_BOARD, dt_s=1e-3)
        assert found.pocketed == ((0, pocket),)
        assert not found.on_board_at(math.inf)[0]
        assert len(found.end_position) == 0


def test_over_the_frame(stroke):
    surface = SurfaceParams(leave_speed_mm_s=1000.0)
    found = simulate_pymunk(Position(), stroke(0, -100, 90, 4000), ICF_BOARD, surface)
    assert found.off_board == (0,)
    assert kinds(found) == [ImpactKind.FRAME, ImpactKind.OFF_BOARD]


def test_tracks_join_and_energy_falls(random_position, stroke):
    position = random_position(12, 3)
    found = simulate_pymunk(position, stroke(30, -252.6, 80, 3500), ICF_BOARD)
    mass = np.array([ICF_BOARD.disc(kind).mass_g.value for kind in found.kinds])
    times = np.linspace(0, found.duration_s, 300)
    energy = [(0.5 * mass * (found.velocities_at(t) ** 2).sum(axis=1)).sum() for t in times]
    assert energy[0] == pytest.approx(0.5 * 15.0 * 3500**2, rel=0.01)
    assert np.diff(energy).max() < 0.002 * energy[0]  # the spins are not in it
    assert energy[-1] == 0
    for disc in range(len(found.kinds)):
        for now, after in zip(found.segments(disc), found.segments(disc)[1:], strict=False):
            end = found.positions_at(after.t0_s - 1e-12)[disc]
            assert end == pytest.approx([after.x_mm, after.y_mm], abs=1e-6)
            assert now.t1_s <= after.t0_s


def test_overlaps_are_pushed_apart_first(stroke):
    position = Position((Disc(WHITE, 0.0, 0.0), Disc(PieceKind.BLACK, 30.0, 0.0)))
    found = simulate_pymunk(position, stroke(0, -200, 60, 300), ICF_BOARD, dt_s=1e-3)
    assert np.hypot(*(found.start_mm[1] - found.start_mm[0])) > 31.0
    assert found.before == position
    with pytest.raises(PositionError):
        simulate_pymunk(Position((Disc(WHITE, 500.0, 0.0),)), stroke(0, 0, 0, 1), ICF_BOARD)


def test_steps_and_caps(stroke):
    assert PYMUNK_DT_S == 1 / 8000
    with pytest.raises(PositionError, match="dt_s"):
        simulate_pymunk(Position(), stroke(0, 0, 0, 500), ICF_BOARD, dt_s=0.0)
    assert simulate_pymunk(Position(), stroke(0, 0, 0, 500), ICF_BOARD, most_s=0.05).capped
