"""Many strokes at once: same results as one by one, threads, cancelling, bad input."""

import numpy as np
import pytest

from carrom.boards import ICF_BOARD
from carrom.errors import PositionError
from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from carrom.seats import Seat
from carrom.stroke import Stroke
from sim.physics import Batch, SurfaceParams, batch_table, scatter_men, simulate, simulate_batch
from sim.physics.arrays import POCKETS, surface_vector
from sim.physics.state import F_EVENTS, OFF_BOARD, ON_BOARD


@pytest.fixture
def position(random_position):
    return random_position(10, 1)


@pytest.fixture
def table(position):
    return batch_table(position, ICF_BOARD)


def strokes_from_south(count, seed=0):
    rng = np.random.default_rng(seed)
    strokes = np.empty((count, 4))
    strokes[:, 0] = rng.uniform(-200, 200, count)
    strokes[:, 1] = ICF_BOARD.base_lines_y.middle_mm
    strokes[:, 2] = np.radians(rng.uniform(20, 160, count))
    strokes[:, 3] = rng.uniform(800, 5000, count)
    return strokes


def same(a, b):
    return all(
        np.array_equal(getattr(a, name)[: a.finished], getattr(b, name)[: a.finished])
        for name in ("xy_mm", "pocket", "t_gone_s", "facts", "duration_s")
    )


def test_batch_and_single_strokes_agree_to_the_last_bit(position, table):
    strokes = strokes_from_south(100)
    batch = simulate_batch(table, strokes)
    for row, (x_mm, y_mm, angle_rad, speed_mm_s) in enumerate(strokes.tolist()):
        stroke = Stroke(
            seat=Seat.SOUTH,
            placement_mm=(x_mm, y_mm),
            angle_rad=angle_rad,
            speed_mm_s=speed_mm_s,
        )
        trajectory = simulate(position, stroke, ICF_BOARD)
        assert trajectory.end_mm == pytest.approx(batch.xy_mm[row], abs=1e-6)
        assert trajectory.duration_s == batch.duration_s[row]
        fallen = np.flatnonzero(batch.pocket[row] != ON_BOARD)
        order = sorted(fallen, key=lambda disc: batch.t_gone_s[row, disc])
        expected = tuple((int(disc), POCKETS[batch.pocket[row, disc]]) for disc in order)
        assert trajectory.pocketed == expected
        first = next((e.a for e in trajectory.events if e.b == trajectory.striker), -1)
        assert batch.first_struck[row] == first
        struck = {e.a for e in trajectory.events if e.b == trajectory.striker}
        assert batch.struck_bits[row] == sum(1 << disc for disc in struck)


def test_two_threads_give_the_same_result(table):
    strokes = strokes_from_south(5000)
    one = simulate_batch(table, strokes)
    two = simulate_batch(table, strokes, threads=2, chunk=137)
    assert one.finished == two.finished == 5000
    assert same(one, two)


@pytest.mark.parametrize("threads", [1, 2])
def test_cancelling_keeps_what_is_done(table, threads):
    strokes = strokes_from_south(2000)
    asked = 0

    def cancelled():
        nonlocal asked
        asked += 1
        return asked > 3

    batch = simulate_batch(table, strokes, threads=threads, chunk=100, cancelled=cancelled)
    assert batch.finished == 300
    assert same(batch, simulate_batch(table, strokes))


def test_cancelled_from_the_start(table):
    batch = simulate_batch(table, strokes_from_south(10), cancelled=lambda: True)
    assert batch.finished == 0


def test_buffers_are_filled_again(table):
    buffers = Batch.empty(500, table.count)
    strokes = strokes_from_south(300)
    batch = simulate_batch(table, strokes, out=buffers)
    assert batch.xy_mm.base is buffers.xy_mm
    assert same(batch, simulate_batch(table, strokes))


def test_noise_of_men_and_of_physics(table):
    strokes = strokes_from_south(200)
    rng = np.random.default_rng(2)
    men_mm = scatter_men(table, strokes, 0.5, rng)
    surfaces = np.tile(table.surface, (200, 1))
    surfaces[:, 0:3] *= rng.uniform(0.9, 1.1, (200, 1))
    noisy = simulate_batch(table, strokes, men_mm=men_mm, surfaces=surfaces)
    plain = simulate_batch(table, strokes)
    assert np.isfinite(noisy.xy_mm).all()
    assert not same(noisy, plain)
    shared = simulate_batch(
        table,
        strokes,
        men_mm=np.tile(table.men_mm, (200, 1, 1)),
        surfaces=np.tile(table.surface, (200, 1)),
    )
    assert same(shared, plain)


def test_men_on_one_spot_give_no_nan(table):
    """Callers' own places are not checked pair by pair; the result is odd but finite."""
    strokes = strokes_from_south(500)
    men_mm = np.tile([[50.0, 40.0]], (500, 10, 1))
    batch = simulate_batch(table, strokes, men_mm=men_mm)
    assert np.isfinite(batch.xy_mm).all()
    assert np.isfinite(batch.duration_s).all()


def test_no_strokes_and_no_men(table):
    assert simulate_batch(table, np.empty((0, 4))).finished == 0
    lonely = batch_table(Position(), ICF_BOARD)
    batch = simulate_batch(lonely, strokes_from_south(5))
    assert batch.xy_mm.shape == (5, 1, 2)
    assert (batch.first_struck == -1).all()


def test_discs_over_the_frame_are_told(position):
    surface = SurfaceParams(leave_speed_mm_s=1000.0)
    batch = simulate_batch(batch_table(position, ICF_BOARD, surface), strokes_from_south(200))
    assert (batch.pocket == OFF_BOARD).any()


def test_caps_are_flagged(table):
    strokes = strokes_from_south(50)
    by_events = simulate_batch(table, strokes, most_events=2)
    assert by_events.capped.any()
    assert by_events.facts[:, F_EVENTS].max() == 2
    by_time = simulate_batch(table, strokes, most_s=0.05)
    assert by_time.capped.all()
    assert (by_time.duration_s == 0.05).all()
    assert np.isfinite(by_time.xy_mm).all()


def test_a_capped_trajectory_says_so(position, stroke):
    trajectory = simulate(position, stroke(0, -252, 90, 5000), ICF_BOARD, most_s=0.01)
    assert trajectory.capped
    assert trajectory.duration_s == 0.01
    assert trajectory.end_mm[-1, 1] == pytest.approx(-252 + 50, abs=1)


GOOD = [0.0, -252.0, 1.5, 1000.0]


@pytest.mark.parametrize(
    "bad",
    [
        [np.nan, -252.0, 1.5, 1000.0],
        [0.0, -252.0, np.inf, 1000.0],
        [0.0, -252.0, 1.5, np.nan],
        [0.0, -252.0, 1.5, 0.0],
        [0.0, -252.0, 1.5, -5.0],
        [0.0, -252.0, 1.5, 1e9],
        [0.0, -360.0, 1.5, 1000.0],  # over the frame
        [347.0, -347.0, 1.5, 1000.0],  # in a pocket
        [0.0, 10.0, 1.5, 1000.0],  # on a man
    ],
)
def test_bad_strokes_are_named(bad):
    table = batch_table(Position((Disc(PieceKind.WHITE, 0.0, 0.0),)), ICF_BOARD)
    with pytest.raises(PositionError, match=r"strokes\[1\]: expected"):
        simulate_batch(table, np.array([GOOD, bad]))


@pytest.mark.parametrize(
    "options",
    [
        {"men_mm": np.zeros((2, 3, 2))},
        {"men_mm": np.full((1, 10, 2), np.nan)},
        {"men_mm": np.full((1, 10, 2), 999.0)},
        {"surfaces": np.zeros((1, 3))},
        {"surfaces": np.full((1, 13), np.nan)},
        {"surfaces": -surface_vector(SurfaceParams())[None]},
        {"threads": 0},
        {"chunk": 0},
        {"most_s": np.nan},
        {"most_events": 0},
        {"out": Batch.empty(0, 11)},
        {"out": Batch.empty(5, 3)},
    ],
)
def test_bad_options_are_refused(table, options):
    with pytest.raises(PositionError, match="expected"):
        simulate_batch(table, np.array([GOOD]), **options)


@pytest.mark.parametrize("shape", [(4,), (2, 3), (1, 4, 1)])
def test_bad_shapes_of_strokes(table, shape):
    with pytest.raises(PositionError, match="shape"):
        simulate_batch(table, np.zeros(shape))
