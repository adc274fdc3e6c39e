"""Springs and dashpots: single impacts as the engine has them, frozen chains as the notes do."""

import math

import numpy as np
import pytest

from carrom.boards import ICF_BOARD
from carrom.errors import PositionError
from carrom.layouts import ring_layout
from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from sim.physics import SurfaceParams, jittered, simulate
from sim.physics.simulation import prepare
from sim.physics.soft_contact import damping_ratio, run_soft

WHITE = PieceKind.WHITE


def soft(position, a_stroke, surface, **more):
    table, start_mm = prepare(position, a_stroke, ICF_BOARD, surface)
    return run_soft(table, start_mm, a_stroke.angle_rad, a_stroke.speed_mm_s, **more)


def launch_speeds(run, start_y_mm, friction):
    """Speeds that discs on a line had after the contacts, from where they came to rest."""
    way = np.abs(run.end_mm[:, 1] - np.array(start_y_mm))
    return np.sqrt(2 * friction * 9806.65 * way)


@pytest.mark.parametrize("restitution", [0.6, 0.8, 0.95])
def test_restitution_of_discs(stroke, restitution):
    surface = SurfaceParams(restitution_disc=restitution, friction_men=0.2, friction_striker=0.2)
    contact_y = -15.5 - 20.65
    run = soft(Position((Disc(WHITE, 0.0, 0.0),)), stroke(0, contact_y - 0.01, 90, 600), surface)
    man, striker = launch_speeds(run, [0.0, contact_y], 0.2)
    assert (man - striker) / 600 == pytest.approx(restitution, abs=0.012)


@pytest.mark.parametrize("restitution", [0.6, 0.8])
def test_restitution_of_the_frame(stroke, restitution):
    surface = SurfaceParams(restitution_frame=restitution, friction_striker=0.2)
    edge = 370 - 20.65
    run = soft(Position(), stroke(0, edge - 0.01, 90, 600), surface)
    assert launch_speeds(run, [edge], 0.2)[0] / 600 == pytest.approx(restitution, abs=0.012)


def test_damping_ratio():
    """Nearly that of the textbook, which lets the dashpot pull at the end."""
    for restitution in (0.5, 0.8, 0.99):
        log = math.log(restitution)
        textbook = -log / math.hypot(math.pi, log)
        assert textbook * 0.999 < damping_ratio(restitution) < textbook * 1.5
    assert damping_ratio(1.0) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("offset_mm", [0, 8, 16, 24, 30])
def test_one_contact_ends_as_in_the_engine(stroke, offset_mm):
    position = Position((Disc(WHITE, 0.0, 0.0),))
    a_stroke, surface = stroke(offset_mm, -150, 90, 800), SurfaceParams(rim_friction=0.15)
    exact = simulate(position, a_stroke, ICF_BOARD, surface).end_mm
    assert soft(position, a_stroke, surface).end_mm == pytest.approx(exact, abs=6.0)
    finer = soft(position, a_stroke, surface, contact_s=10e-6).end_mm
    assert finer == pytest.approx(exact, abs=6.0)


def test_frozen_pair_in_line(stroke):
    """notes/physics.md 3.3: 0.84, 1.95 and 4.16 of 3 m/s; pairwise rules give 0.95, 2.01, 3.79."""
    surface = SurfaceParams(restitution_disc=0.85, friction_men=0.4, friction_striker=0.4)
    start = [0.0, 31.0, -36.15 - 0.01]
    position = Position((Disc(WHITE, 0.0, start[0]), Disc(PieceKind.BLACK, 0.0, start[1])))
    run = soft(position, stroke(0, start[2], 90, 600), surface)
    shares = launch_speeds(run, start, 0.4) / 600
    assert shares == pytest.approx([1.95 / 3, 4.16 / 3, 0.84 / 3], abs=0.03)


def test_a_break_stays_on_the_board(stroke):
    rack = jittered(ring_layout(ICF_BOARD), ICF_BOARD, 0.1, np.random.default_rng(1))
    a_stroke = stroke(0, -252.6, 89, 6000)
    run = soft(rack, a_stroke, SurfaceParams())
    stays = run.pocket < 0
    assert np.isfinite(run.end_mm).all()
    assert np.abs(run.end_mm[stays][:, 0]).max() < 370 - 15.4
    away = np.hypot(*(run.end_mm[stays][:, None] - run.end_mm[stays][None]).transpose(2, 0, 1))
    assert away[np.triu_indices_from(away, 1)].min() > 31.0 - 0.05
    assert run.duration_s < 10
    assert not run.capped
    assert soft(rack, a_stroke, SurfaceParams(), most_s=0.1).capped
    again = soft(rack, a_stroke, SurfaceParams())
    assert (again.end_mm == run.end_mm).all()


def test_what_a_dashpot_cannot_do_is_refused(stroke):
    with pytest.raises(PositionError, match="soft contact"):
        soft(Position(), stroke(0, 0, 90, 500), SurfaceParams(restitution_disc=0.1))
    with pytest.raises(PositionError, match="soft contact"):
        soft(Position(), stroke(0, 0, 90, 500), SurfaceParams(), contact_s=0.0)
