"""The kind of a shot follows from what its discs met, and only from that."""

import math

import numpy as np
import pytest

from carrom.boards import ICF_BOARD
from carrom.notation import parse_position
from carrom.seats import Seat
from carrom.stroke import Stroke
from sim.advisor.drawn_path import drawn_path
from sim.advisor.shot_kind import shot_of
from sim.advisor.suggestion import ShotKind
from sim.physics import batch_table, simulate, simulate_batch
from sim.physics.trajectory import ImpactKind

MEN = "w+150.0+180.0 w-120.0+60.0 b+40.0+120.0 b-40.0+240.0 q+250.0-40.0"


def pocketing(count, seed):
    """Trajectories of random strokes that pocket something, with the first man that falls."""
    position = parse_position(MEN)
    rng = np.random.default_rng(seed)
    rows = np.column_stack(
        [
            rng.uniform(-180, 180, 4000),
            np.full(4000, ICF_BOARD.base_lines_y.middle_mm),
            rng.uniform(0.3, 2.8, 4000),
            rng.uniform(1200, 4500, 4000),
        ]
    )
    fell = (simulate_batch(batch_table(position, ICF_BOARD), rows).pocket[:, :-1] >= 0).any(axis=1)
    for x, y, angle, speed in rows[fell][:count].tolist():
        stroke = Stroke(seat=Seat.SOUTH, placement_mm=(x, y), angle_rad=angle, speed_mm_s=speed)
        run = simulate(position, stroke, ICF_BOARD)
        yield run, next(disc for disc, _ in run.pocketed if disc != run.striker)


def test_kinds_are_what_their_names_say():
    """Two hundred strokes that pocket a man, every kind among them."""
    seen = set()
    for run, target in pocketing(200, 1):
        shot = shot_of(run, target)
        seen.add(shot.kind)
        fell_s = next(e.t_s for e in run.events if e.a == target and e.kind is ImpactKind.POCKETED)
        contacts = [e for e in run.events if e.kind is ImpactKind.CONTACT and e.t_s <= fell_s]
        own = [e for e in contacts if target in (e.a, e.b)]
        first = next(e for e in contacts if e.b == run.striker)
        frames = [e for e in run.events if e.kind is ImpactKind.FRAME]
        off_frame = any(e.a == run.striker and e.t_s < first.t_s for e in frames)
        by_striker = own[-1].b == run.striker
        assert shot.first == first.a
        assert (shot.kind is ShotKind.COMBINATION) == (not by_striker)
        if shot.kind is ShotKind.FOLLOW:
            assert first.a != target
        if shot.kind in (ShotKind.DIRECT, ShotKind.CUT, ShotKind.DOUBLE):
            assert first.a == target
            assert not off_frame
        if shot.kind is ShotKind.BANK:
            assert off_frame
        if shot.kind is ShotKind.CUT:
            assert shot.cut_rad > math.radians(20)
    attacks = set(ShotKind) - {ShotKind.SAFE, ShotKind.BREAK}
    assert seen == attacks


def test_no_target_is_a_safe_stroke():
    """Whatever is hit."""
    run, _ = next(iter(pocketing(1, 2)))
    assert shot_of(run, None).kind is ShotKind.SAFE


@pytest.mark.parametrize("contacts", [1, 2, 3])
def test_the_drawing_stops_at_the_contact_asked_for(contacts):
    """No point of any leg lies beyond that moment: every leg ends where its disc was then."""
    for run, target in pocketing(20, 3):
        hits = [
            e.t_s
            for e in run.events
            if e.kind is ImpactKind.CONTACT or (e.kind is ImpactKind.FRAME and e.a == run.striker)
        ]
        if len(hits) < contacts:
            continue
        places = run.positions_at(hits[contacts - 1])
        for leg in drawn_path(run, target=target, contacts=contacts):
            away = np.hypot(*(places - np.array(leg.points_mm[-1])).T)
            assert away.min() < 3.1
