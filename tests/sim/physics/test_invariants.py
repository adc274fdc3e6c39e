"""What holds in every stroke: no overlap, no energy from nowhere, momentum, symmetry."""

import math

import numpy as np
import pytest

from carrom.boards import HIKONE_BOARD, ICF_BOARD
from carrom.layouts import opening_position
from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from carrom.seats import Pocket, Seat
from carrom.stroke import Stroke
from sim.physics import SurfaceParams, simulate
from sim.physics.simulation import prepare, run_logged
from sim.physics.state import (
    L_DISC,
    L_KIND,
    L_OTHER,
    L_SPEED,
    L_SPIN,
    L_T,
    L_UX,
    L_UY,
    L_X,
    L_Y,
    LOG_CONTACT,
    LOG_FRAME,
    LOG_OFF,
    LOG_POCKET,
)

SURFACES = [
    SurfaceParams(),
    SurfaceParams(rim_friction=0.3, frame_friction=0.3, capture_speed_mm_s=800.0),
    SurfaceParams(restitution_disc=1.0, restitution_frame=1.0, rim_friction=0.2),
    SurfaceParams(restitution_disc=0.3, restitution_frame=0.4, rim_friction=0.0),
]


def random_strokes(count, seed, board=ICF_BOARD):
    rng = np.random.default_rng(seed)
    y_mm = -252.6 if board is ICF_BOARD else -210.0
    for _ in range(count):
        yield Stroke(
            seat=Seat.SOUTH,
            placement_mm=(float(rng.uniform(-200, 200)), y_mm),
            angle_rad=float(np.radians(rng.uniform(20, 160))),
            speed_mm_s=float(rng.uniform(800, 6000)),
        )


class Replay:
    """Plays a log and keeps every disc's state, so that each event can be seen from both sides."""

    def __init__(self, table, start_mm):
        n = table.count
        self.table, self.slowing = table, table.deceleration_mm_s2
        self.t, self.xy = np.zeros(n), start_mm.copy()
        self.v, self.spin = np.zeros((n, 2)), np.zeros(n)
        self.on = np.ones(n, dtype=bool)

    def advance(self, t):
        speed = np.hypot(*self.v.T)
        dt = t - self.t
        left = np.maximum(speed - self.slowing * dt, 0)
        share = np.divide(left, speed, out=np.zeros_like(speed), where=speed > 0)
        self.xy += self.v * (0.5 * (1 + share) * dt)[:, None]
        self.v *= share[:, None]
        self.t[:] = t

    def set(self, row):
        disc = int(row[L_DISC])
        self.xy[disc] = row[[L_X, L_Y]]
        self.v[disc] = row[L_SPEED] * row[[L_UX, L_UY]]
        self.spin[disc] = row[L_SPIN]
        if row[L_KIND] in (LOG_POCKET, LOG_OFF):
            self.on[disc] = False

    def energy(self):
        mass, radius = self.table.mass_g, self.table.radius_mm
        return 0.5 * np.sum(mass * ((self.v**2).sum(axis=1) + 0.5 * (radius * self.spin) ** 2))

    def momentum(self):
        return (self.table.mass_g[:, None] * self.v).sum(axis=0)

    def least_gap(self):
        xy, radius = self.xy[self.on], self.table.radius_mm[self.on]
        away = np.hypot(*(xy[:, None] - xy[None]).transpose(2, 0, 1))
        np.fill_diagonal(away, np.inf)
        return (away - radius[:, None] - radius[None]).min(initial=np.inf)


def check_log(position, stroke, board, surface):
    """Replays one stroke event by event; returns the number of events."""
    table, start_mm = prepare(position, stroke, board, surface)
    log = run_logged(table, start_mm, stroke).log
    replay = Replay(table, start_mm)
    replay.set(log[0])
    row = 1
    while row < len(log):
        event = log[row]
        rows = 2 if event[L_KIND] == LOG_CONTACT else 1
        replay.advance(event[L_T])
        assert replay.least_gap() > -1e-6
        energy, momentum = replay.energy(), replay.momentum()
        for part in log[row : row + rows]:
            replay.set(part)
        # Parting with v_sep may add half the reduced mass times 1 mm^2/s^2.
        assert replay.energy() <= energy * (1 + 1e-12) + 10.0
        if event[L_KIND] == LOG_CONTACT:
            assert replay.momentum() == pytest.approx(momentum, abs=1e-9 * max(1, energy))
            i, j = int(event[L_DISC]), int(event[L_OTHER])
            normal = (replay.xy[j] - replay.xy[i]) / np.hypot(*(replay.xy[j] - replay.xy[i]))
            assert (replay.v[j] - replay.v[i]) @ normal > 0.99 * surface.v_sep_mm_s
        elif event[L_KIND] == LOG_FRAME:
            limit_mm = board.half_mm - table.radius_mm[int(event[L_DISC])]
            assert np.abs(event[[L_X, L_Y]]).max() <= limit_mm + 1e-9
        row += rows
    assert np.hypot(*replay.v[replay.on].T).max(initial=0) == 0
    return len(log)


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("board", [ICF_BOARD, HIKONE_BOARD], ids=lambda board: board.name)
def test_every_event_of_random_strokes(random_position, surface, board):
    position = random_position(12, 5, board)
    events = sum(
        check_log(position, stroke, board, surface) for stroke in random_strokes(25, 3, board)
    )
    assert events > 200


@pytest.mark.parametrize("surface", SURFACES[:2])
@pytest.mark.parametrize("board", [ICF_BOARD, HIKONE_BOARD], ids=lambda board: board.name)
def test_every_event_of_breaks(surface, board):
    for stroke in random_strokes(8, 4, board):
        check_log(opening_position(board), stroke, board, surface)


def turned(x, y, quarter, mirrored):
    if mirrored:
        x = -x
    for _ in range(quarter):
        x, y = -y, x
    return x, y


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("quarter", [0, 1, 2, 3])
def test_the_eight_symmetries_of_the_board(random_position, quarter, mirrored):
    position = random_position(8, 11)
    compared = 0
    for stroke in random_strokes(40, 12):
        vx, vy = turned(*stroke.velocity_mm_s, quarter, mirrored)
        image = simulate(
            Position(
                tuple(Disc(d.kind, *turned(d.x_mm, d.y_mm, quarter, mirrored)) for d in position)
            ),
            Stroke(
                seat=Seat.SOUTH,
                placement_mm=turned(*stroke.placement_mm, quarter, mirrored),
                angle_rad=math.atan2(vy, vx),
                speed_mm_s=stroke.speed_mm_s,
            ),
            ICF_BOARD,
        )
        plain = simulate(position, stroke, ICF_BOARD)
        if sum(event.kind == "contact" for event in plain.events) > 5:
            continue  # rounding grows some thirtyfold at each contact
        compared += 1
        images = [turned(*place, quarter, mirrored) for place in plain.end_mm]
        assert image.end_mm == pytest.approx(np.array(images), abs=1e-4)
        pockets = [pocket_image(pocket, quarter, mirrored) for _, pocket in plain.pocketed]
        assert [pocket for _, pocket in image.pocketed] == pockets
    assert compared > 20


def pocket_image(pocket, quarter, mirrored):
    place = turned(*ICF_BOARD.pocket_centres[pocket], quarter, mirrored)
    found = ICF_BOARD.pocket_at(*place)
    assert isinstance(found, Pocket)
    return found


def test_the_same_stroke_twice_is_the_same_to_the_last_bit(random_position):
    position = random_position(15, 2)
    stroke = next(random_strokes(1, 8))
    first, second = (simulate(position, stroke, ICF_BOARD) for _ in range(2))
    assert first.events == second.events
    assert (first.end_mm == second.end_mm).all()


ROUND = ICF_BOARD.changed(
    {
        "frame.corner_radius_mm": 120.0,
        "pockets.inset_mm": 60.0,
        "markings.arrow_length_mm": 100.0,
    },
    name="round",
)


def over_frame_mm(board, xy_mm, radius_mm):
    """How far a disc reaches over the (rounded) frame; negative = not at all."""
    corner_mm = board.corner_radius_mm
    past = np.abs(xy_mm) - (board.half_mm - corner_mm)
    straight = np.abs(xy_mm).max(axis=-1) + radius_mm - board.half_mm
    arc = np.hypot(past[..., 0], past[..., 1]) + radius_mm - corner_mm
    return np.where((past > 0).all(axis=-1) & (corner_mm > radius_mm + 0.01), arc, straight)


@pytest.mark.parametrize("board", [ICF_BOARD, HIKONE_BOARD, ROUND], ids=lambda board: board.name)
def test_no_overlap_at_any_time(random_position, board):
    """Sampled densely, so that a contact, frame or pocket that was passed over would show."""
    surface = SurfaceParams(capture_speed_mm_s=1200.0, leave_speed_mm_s=None)
    for seed in range(6):
        position = random_position(14, seed, board)
        for stroke in random_strokes(5, seed, HIKONE_BOARD):
            trajectory = simulate(position, stroke, board, surface)
            radius = np.array([board.radii_mm[kind] for kind in trajectory.kinds])
            times = np.linspace(0, trajectory.duration_s, 4000)
            places = trajectory.positions_over(times)
            gone = {event.a: event.t_s for event in trajectory.events if event.kind == "pocketed"}
            for disc, t_s in gone.items():
                places[times >= t_s, disc] = [1e6 * (disc + 1), 0]
            away = np.hypot(*(places[:, :, None] - places[:, None]).transpose(3, 0, 1, 2))
            away[:, range(len(radius)), range(len(radius))] = np.inf
            assert (away - radius[:, None] - radius).min() > -1e-6
            on_board = places[:, :, 0] < 1e5
            assert over_frame_mm(board, places, radius)[on_board].max() < 1e-6
            for centre in board.pocket_centres.values():
                over = (
                    np.hypot(*(places - centre).transpose(2, 0, 1)) < board.pocket_radius_mm - 1e-6
                )
                speed = np.hypot(*trajectory.velocities_over(times).transpose(2, 0, 1))
                assert speed[over].min(initial=np.inf) > 1200


def test_many_times_at_once(random_position):
    trajectory = simulate(random_position(12, 3), next(random_strokes(1, 5)), ICF_BOARD)
    times = np.array([0.3, -1.0, 0.0, 0.1, 99.0])
    places, velocities = trajectory.positions_over(times), trajectory.velocities_over(times)
    for row, t_s in enumerate(times):
        assert (places[row] == trajectory.positions_at(t_s)).all()
        assert (velocities[row] == trajectory.velocities_at(t_s)).all()
    assert (places[1] == trajectory.start_mm).all()
    assert places[4] == pytest.approx(trajectory.end_mm)


def test_segments_join(random_position):
    """A stretch begins where the one before ended, and the sampled path follows it."""
    trajectory = simulate(random_position(12, 3), next(random_strokes(1, 5)), ICF_BOARD)
    for disc in range(len(trajectory.kinds)):
        for now, after in zip(
            trajectory.segments(disc), trajectory.segments(disc)[1:], strict=False
        ):
            assert now.t0_s < now.t1_s <= after.t0_s
            end = trajectory.positions_at(after.t0_s - 1e-12)[disc]
            assert end == pytest.approx([after.x_mm, after.y_mm], abs=1e-6)
    assert trajectory.kinds[-1] is PieceKind.STRIKER
