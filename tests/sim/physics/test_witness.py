"""The fixed-step witness: converges to the engine in proportion to its step."""

import numpy as np
import pytest

from carrom.boards import HIKONE_BOARD, ICF_BOARD
from carrom.errors import PositionError
from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from sim.physics import ImpactKind, SurfaceParams, simulate
from sim.physics.witness import simulate_witness

RATTLING = SurfaceParams(
    capture_speed_mm_s=500.0, restitution_frame=0.85, leave_speed_mm_s=4200.0, frame_friction=0.25
)


def mid_game(random_position, stroke, board, layouts, each, seed=0):
    """Position and stroke of random mid-game strokes: 4 to 14 men, 0.8 to 5 m/s."""
    y_mm = -252.6 if board is ICF_BOARD else board.area_line_y_mm
    for layout in range(layouts):
        rng = np.random.default_rng([seed, layout])
        position = random_position(4 + layout % 11, 1000 * seed + layout, board)
        for _ in range(each):
            x_mm, degrees, speed = rng.uniform([-180, 20, 800], [180, 160, 5000])
            yield position, stroke(x_mm, y_mm, degrees, speed)


def off_mm(one, other):
    return np.hypot(*(one.end_mm - other.end_mm).T).max()


def same_share(cases, board, surface, dt_s):
    same = []
    for position, a_stroke in cases:
        truth = simulate(position, a_stroke, board, surface)
        witness = simulate_witness(position, a_stroke, board, surface, dt_s=dt_s)
        assert not witness.capped
        same.append(set(truth.pocketed) == set(witness.pocketed))
    return np.mean(same)


def test_the_error_shrinks_with_the_step(random_position, stroke):
    """Measured over 1 000 strokes: 0.39, 0.040 and 0.0039 mm (benchmarks/physics_agreement.py)."""
    cases = list(mid_game(random_position, stroke, ICF_BOARD, layouts=15, each=4))
    truths = [simulate(position, a_stroke, ICF_BOARD) for position, a_stroke in cases]
    medians = [
        np.median(
            [
                off_mm(simulate_witness(*case, ICF_BOARD, dt_s=dt_s), truth)
                for case, truth in zip(cases, truths, strict=True)
            ]
        )
        for dt_s in (1e-3, 1e-4, 1e-5)
    ]
    assert medians[-1] < 0.02
    assert 5 < medians[0] / medians[1] < 20
    assert 5 < medians[1] / medians[2] < 20


@pytest.mark.slow
def test_the_same_discs_are_pocketed(random_position, stroke):
    cases = mid_game(random_position, stroke, ICF_BOARD, layouts=20, each=10, seed=1)
    assert same_share(cases, ICF_BOARD, SurfaceParams(), 1e-5) >= 0.99


def test_the_same_on_a_hikone_board(random_position, stroke):
    cases = mid_game(random_position, stroke, HIKONE_BOARD, layouts=12, each=5)
    assert same_share(cases, HIKONE_BOARD, SurfaceParams(), 2e-5) >= 0.98


def test_the_same_with_rattling_pockets_and_low_frames(random_position, stroke):
    cases = mid_game(random_position, stroke, ICF_BOARD, layouts=12, each=5, seed=2)
    assert same_share(cases, ICF_BOARD, RATTLING, 2e-5) >= 0.96


def test_the_same_events_in_the_same_order(stroke):
    position = Position((Disc(PieceKind.WHITE, 250.0, 250.0), Disc(PieceKind.BLACK, 200.0, -90.0)))
    a_stroke = stroke(114, 100, 45, 1500)
    truth = simulate(position, a_stroke, ICF_BOARD)
    witness = simulate_witness(position, a_stroke, ICF_BOARD, dt_s=1e-5)
    assert len(truth.events) > 4
    for ours, theirs in zip(truth.events, witness.events, strict=True):
        assert (ours.kind, ours.a, ours.b, ours.pocket, ours.side) == (
            theirs.kind,
            theirs.a,
            theirs.b,
            theirs.pocket,
            theirs.side,
        )
        assert theirs.t_s == pytest.approx(ours.t_s, abs=5e-5)
        assert (theirs.x_mm, theirs.y_mm) == pytest.approx((ours.x_mm, ours.y_mm), abs=0.2)
    assert witness.pocketed == truth.pocketed
    assert witness.duration_s == pytest.approx(truth.duration_s, abs=1e-3)


def test_a_disc_over_the_frame(stroke):
    surface = SurfaceParams(leave_speed_mm_s=1000.0)
    witness = simulate_witness(Position(), stroke(0, -100, 90, 4000), ICF_BOARD, surface)
    assert [event.kind for event in witness.events] == [ImpactKind.FRAME, ImpactKind.OFF_BOARD]


def test_what_takes_too_long_is_flagged(stroke):
    assert simulate_witness(Position(), stroke(0, 0, 90, 500), ICF_BOARD, most_s=0.01).capped


@pytest.mark.parametrize("dt_s", [0.0, -1.0, float("nan"), 1.0])
def test_absurd_steps_are_refused(stroke, dt_s):
    with pytest.raises(PositionError, match="dt_s"):
        simulate_witness(Position(), stroke(0, 0, 90, 500), ICF_BOARD, dt_s=dt_s)
