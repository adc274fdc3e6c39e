"""The pipeline joins eyes and follower; whatever the camera does, no stroke may come of it."""

from __future__ import annotations

import numpy as np
import pytest

from carrom.board_spec import BoardFamily
from carrom.boards import ICF_BOARD
from carrom.errors import CalibrationError
from carrom.layouts import opening_position
from tests.vision.views import Finds, Looks, board_at, disc_at, frame_of, picture_of
from vision.follower import Follower
from vision.frames import Frame
from vision.pipeline import Pipeline
from vision.seen import BoardSeen
from vision.steady_gate import moved_mm
from vision.table_events import (
    BoardMoved,
    Calibrated,
    Phase,
    RestSeen,
    Sight,
    SightChanged,
    TableEvent,
)
from vision.table_view import TableView
from vision.trace import TraceHeader, header_line, read_trace, view_line
from vision.watching.masks import Mask

ICF = BoardFamily.ICF


@pytest.fixture(autouse=True)
def quick_edges(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search for edges takes most of a second; here it finds what ``picture_of`` drew."""

    def seen(image_bgr: np.ndarray, board: BoardSeen) -> tuple[float, BoardSeen]:
        for way_mm in (0.0, 9.0):
            now = board_at(way_mm)
            size = (now.camera.height_px, now.camera.width_px)
            if image_bgr.shape[:2] == size:
                apart = image_bgr.astype(float) - picture_of(now)
                if np.abs(apart).mean() < 2.0:
                    return moved_mm(board, now), now
        raise CalibrationError("board: expected its edges near where they were, got none")

    monkeypatch.setattr("vision.watching.board_search.still_there", seen)
    monkeypatch.setattr("vision.watching.nudge_watch.still_there", seen)


RACK = [disc_at(d.x_mm, d.y_mm, d.kind) for d in opening_position(ICF_BOARD)]


class Table:
    """A pipeline with a clock, before a board that can be moved."""

    def __init__(self, *, saved: bool = True, finds: bool = True) -> None:
        self.looks = Looks(RACK)
        self.finder = Finds(board_at() if finds else None)
        self.views: list[TableView] = []
        self.t_s = 0.0
        self.pipeline = Pipeline(
            self.finder, self.looks, family=ICF, board=board_at() if saved else None,
            on_view=self.views.append,
        )  # fmt: skip

    def play(self, board: BoardSeen, seconds: float, **marks: bool) -> list[TableEvent]:
        """Frames of a board at rest, ten a second."""
        return self.show(picture_of(board), seconds, **marks)

    def show(self, image: np.ndarray, seconds: float, **marks: bool) -> list[TableEvent]:
        """One picture for so long."""
        out: list[TableEvent] = []
        for _ in range(round(10 * seconds)):
            out += self.pipeline.step(frame_of(image, self.t_s, **marks))
            self.t_s = round(self.t_s + 0.1, 6)
        return out


def kinds(events: list[TableEvent], *wanted: type) -> list[TableEvent]:
    """The events of some classes."""
    return [event for event in events if isinstance(event, wanted)]


def test_a_saved_board_is_followed_from_the_first_frame() -> None:
    """Of a recording nothing may be lost."""
    table = Table()
    events = table.play(board_at(), 1.5)
    assert isinstance(events[0], Calibrated)
    assert not events[0].again
    assert [view.t_s for view in table.views[:2]] == [0.0, 0.1]
    assert kinds(events, RestSeen)
    assert table.pipeline.live.sight is Sight.GOOD
    assert len(table.pipeline.live.discs) == 19


def test_before_a_board_is_found_nothing_is_followed_and_the_reason_is_told() -> None:
    """An empty table is no error; a page shows why nothing happens."""
    table = Table(saved=False, finds=False)
    events = table.play(board_at(), 2.5)
    assert [e.note for e in kinds(events, SightChanged)] == ["no corners"]  # type: ignore[attr-defined]
    assert not table.views
    live = table.pipeline.live
    assert (live.phase, live.sight, live.reasons) == (
        Phase.UNKNOWN,
        Sight.NO_BOARD,
        ("no corners",),
    )
    table.finder.board = board_at()
    assert kinds(table.play(board_at(), 1.5), Calibrated)


def test_a_nudge_is_told_and_the_board_found_again_without_a_stroke() -> None:
    """Somebody bumps the table in the middle of a game."""
    table = Table()
    table.play(board_at(), 2.0)
    table.finder.board = board_at(9.0)
    events = table.play(board_at(9.0), 3.0)
    told = [e for e in events if isinstance(e, BoardMoved | Calibrated | SightChanged)]
    assert [type(e) for e in told] == [SightChanged, BoardMoved, Calibrated, SightChanged] or [
        type(e) for e in told
    ] == [BoardMoved, SightChanged, Calibrated, SightChanged]
    calibrated = kinds(events, Calibrated)[0]
    assert isinstance(calibrated, Calibrated)
    assert calibrated.again
    assert not [e for e in events if e.name.startswith("stroke")]
    assert table.pipeline.live.sight is Sight.GOOD
    assert sum(view.anew for view in table.views) == 1


def test_a_replay_of_views_gives_the_very_same_events() -> None:
    """Bug reports and tests are traces; recalibration is in them too."""
    table = Table()
    live = table.play(board_at(), 2.0)
    table.finder.board = board_at(9.0)
    live += table.play(board_at(9.0), 3.0)
    lines = [header_line(TraceHeader(ICF_BOARD)), *map(view_line, table.views)]
    header, views = read_trace(lines)
    follower = Follower(header.spec)
    replayed = [event for view in views for event in follower.step(view)]
    own = (BoardMoved, Calibrated, SightChanged)
    assert replayed
    assert replayed == [event for event in live if not isinstance(event, own)]


@pytest.mark.parametrize(
    ("marks", "black", "sight"),
    [
        ({"damaged": True}, False, Sight.DAMAGED),
        ({"frozen": True}, False, Sight.FROZEN),
        ({}, True, Sight.DARK),
    ],
)
def test_bad_frames_are_told_once_and_followed_by_good_ones(
    marks: dict[str, bool], black: bool, sight: Sight
) -> None:
    """Following pauses, and goes on as if nothing had been."""
    table = Table()
    table.play(board_at(), 1.5)
    image = np.zeros((480, 640, 3), np.uint8) if black else picture_of(board_at())
    bad = table.show(image, 1.0, **marks)
    good = table.play(board_at(), 1.5)
    assert [e.sight for e in bad if isinstance(e, SightChanged)] == [sight]
    assert [e.sight for e in good if isinstance(e, SightChanged)] == [Sight.GOOD]
    assert not [e for e in bad + good if e.name.startswith(("stroke", "disturbed", "taken"))]


def test_a_single_damaged_frame_is_worth_no_word() -> None:
    """Streams lose a packet now and then."""
    table = Table()
    table.play(board_at(), 1.0)
    assert not kinds(table.play(board_at(), 0.1, damaged=True), SightChanged)


def test_a_board_half_covered_for_long_is_told() -> None:
    """A newspaper on the board."""
    table = Table()
    table.play(board_at(), 1.0)
    table.looks.share[:] = 1.0
    events = table.play(board_at(), 4.0)
    assert [e.sight for e in events if isinstance(e, SightChanged)] == [Sight.COVERED]


def test_another_size_of_picture_means_another_calibration() -> None:
    """A stream that renegotiates must not be cut with the old maps."""
    table = Table()
    table.play(board_at(), 1.0)
    large = board_at(scale=1.25)
    table.finder.board = large
    events = table.show(picture_of(large), 2.0)
    assert [type(e) for e in events[:2]] == [BoardMoved, SightChanged]
    assert table.pipeline.calibrated == large


def test_corners_by_hand_take_effect_with_the_next_frame() -> None:
    """A person who drags corners knows better than the finder."""
    table = Table()
    table.play(board_at(), 1.0)
    table.pipeline.calibrate(list(board_at().corners_px), turn=2)
    (event, *_) = table.play(board_at(), 0.1)
    assert isinstance(event, Calibrated)
    assert event.again
    assert event.board.corners_px[0] == pytest.approx(board_at().corners_px[2], abs=2.0)


def test_masks_hold_across_calibrations() -> None:
    """What the user said of the board stays said."""
    table = Table()
    table.pipeline.masks = [Mask(0.0, 0.0, 10.0)]
    table.play(board_at(), 1.0)
    table.pipeline.calibrate(list(board_at().corners_px))
    table.play(board_at(), 1.0)
    look = next(view.look for view in reversed(table.views) if view.look is not None)
    assert len(look.discs) == 18


def test_a_picture_that_is_none_is_no_crash() -> None:
    """A camera that starts up may deliver a stamp-sized picture first."""
    table = Table(saved=False, finds=False)
    assert table.pipeline.step(Frame(np.zeros((2, 2, 3), np.uint8), 0.0, 0)) == ()
    assert table.pipeline.finish() == ()
