"""What holds for every table that is followed, whatever is played on it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from carrom.boards import ICF_BOARD
from carrom.events import FirstContact, Pocketed
from carrom.pieces import PieceKind
from carrom.seats import Pocket, Seat
from tests.vision.following.played_table import FPS, PlayedTable, resting, sunk_white, turned
from vision.follower import Follower
from vision.table_events import StrokeBegun, StrokeSeen, TableEvent
from vision.table_view import CELLS, TableView


def _followed(views: list[TableView]) -> list[TableEvent]:
    follower = Follower(ICF_BOARD)
    out = [event for view in views for event in follower.step(view)]
    return [*out, *follower.finish()]


def _stroke(views: list[TableView]) -> StrokeSeen:
    (stroke,) = [e for e in _followed(views) if isinstance(e, StrokeSeen)]
    return stroke


def test_a_stroke_is_told_with_what_fell_and_what_was_touched() -> None:
    """The plainest stroke of all must come out whole, or nothing else matters."""
    outcome = _stroke(sunk_white().views()).outcome
    assert outcome.seat is Seat.SOUTH
    (fell,) = [e for e in outcome.events if isinstance(e, Pocketed)]
    assert (fell.piece, fell.pocket) == (PieceKind.WHITE, Pocket.NORTH_EAST)
    (first,) = [e for e in outcome.events if isinstance(e, FirstContact)]
    assert first.piece is PieceKind.WHITE
    assert outcome.doubts == ()


def test_what_lay_before_lies_after_or_has_left() -> None:
    """Conservation is what catches a disc that was overlooked."""
    outcome = _stroke(sunk_white().views()).outcome
    left = [e.piece for e in outcome.events if isinstance(e, Pocketed)]
    assert outcome.before is not None
    assert outcome.after is not None
    kinds = sorted([d.kind for d in outcome.after if d.kind != "striker"] + left)
    assert kinds == sorted(d.kind for d in outcome.before if d.kind != "striker")


def test_the_order_of_discs_in_a_look_means_nothing() -> None:
    """Detectors report in any order, and from frame to frame in another one."""
    plain = _stroke(sunk_white().views()).outcome
    assert _stroke(sunk_white().views(shuffle=True)).outcome == plain


@settings(max_examples=2, deadline=None)
@given(st.floats(min_value=-1000.0, max_value=1e6))
def test_later_views_give_later_events(shift_s: float) -> None:
    """Clocks of sources begin anywhere; only differences of time may matter."""
    plain, later = _stroke(sunk_white().views()), _stroke(sunk_white().views(t0_s=shift_s))
    assert (
        abs(later.t_s - plain.t_s - shift_s) < 1.5 / FPS
    )  # a sum of times may round to the next frame
    assert [e.name for e in later.outcome.events] == [e.name for e in plain.outcome.events]


def test_a_turned_table_turns_the_seats() -> None:
    """No seat is special: cameras hang any way round."""
    views = sunk_white().views()
    for seat in (Seat.EAST, Seat.NORTH, Seat.WEST):
        views = [turned(view) for view in views]
        stroke = _stroke(views)
        assert stroke.outcome.seat is seat
        assert any(isinstance(e, Pocketed) for e in stroke.outcome.events)


@settings(max_examples=3, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    noise_mm=st.floats(0.0, 0.9),
    missed=st.floats(0.0, 0.05),
)
def test_a_board_at_rest_gives_no_stroke(seed: int, noise_mm: float, missed: float) -> None:
    """A false stroke changes a score that nobody played for."""
    table = PlayedTable(resting(), 3.0, noise_mm=noise_mm, seed=seed, missed=missed)
    assert not [e for e in _followed(table.views()) if isinstance(e, StrokeBegun | StrokeSeen)]


def test_hands_over_a_board_at_rest_give_no_stroke() -> None:
    """Somebody points at a disc, leans over, wipes: nothing has been played."""
    hands = [(1.0 + k, 1.6 + k, -200.0 + 90.0 * k, 100.0) for k in range(3)]
    table = PlayedTable(resting(), 4.0, hands=hands)
    assert not [e for e in _followed(table.views()) if isinstance(e, StrokeBegun | StrokeSeen)]


def test_unusable_views_and_gaps_end_nothing() -> None:
    """A stream stutters: frames come damaged, or not at all for seconds."""
    views = PlayedTable(resting(), 6.0).views()
    views = [replace(v, usable=not 1.0 < v.t_s < 2.0) for v in views if not 3.0 < v.t_s < 5.0]
    assert not [e for e in _followed(views) if isinstance(e, StrokeBegun | StrokeSeen)]


def test_a_stroke_that_loses_some_frames_is_still_told() -> None:
    """Two frames in a hundred are damaged on a poor link; the rest states decide."""
    views = [replace(v, usable=v.seq % 50 not in (11, 12)) for v in sunk_white().views()]
    assert _stroke(views).outcome.seat is Seat.SOUTH


def test_a_recording_that_stops_during_a_stroke_tells_none() -> None:
    """What was cut off was not seen to its end; a guess would be a call."""
    views = [view for view in sunk_white().views() if view.t_s < 2.2]
    assert not [e for e in _followed(views) if isinstance(e, StrokeSeen)]


def test_empty_views_do_no_harm() -> None:
    """A board that is empty, and one that is wholly covered."""
    full = np.ones((CELLS, CELLS), dtype=np.bool_)
    views = [TableView(k / 30.0, k) for k in range(30)]
    views += [TableView(1.0 + k / 30.0, 30 + k, covered=full) for k in range(30)]
    assert not [e for e in _followed(views) if isinstance(e, StrokeBegun | StrokeSeen)]


def test_histories_stay_bounded() -> None:
    """A match lasts hours; what is kept of it may not grow with them."""
    views = PlayedTable(resting(), 4.0, missed=0.02).views()
    follower = Follower(ICF_BOARD)
    for turn in range(3):
        for view in views:
            follower.step(replace(view, t_s=view.t_s + 4.1 * turn))
    tracks = follower._tracker.tracks
    assert len(tracks) == len(resting())
    assert all(len(track.fixes) == 240 for track in tracks)
