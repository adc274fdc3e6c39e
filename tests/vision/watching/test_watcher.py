"""What follows a match believes every view; a frame that cannot be believed must say so."""

from __future__ import annotations

import numpy as np
import pytest

from carrom.boards import ICF_BOARD
from carrom.layouts import opening_position
from carrom.pieces import PieceKind
from tests.vision.views import Looks, board_at, disc_at, frame_of, picture_of
from vision.palette import Palette
from vision.table_view import TableView
from vision.watching.masks import Mask
from vision.watching.watcher import Watcher

WHITE = (225, 235, 238)


def watcher_of(looks: Looks) -> Watcher:
    """Of the board in the middle."""
    return Watcher(looks, board_at(), ICF_BOARD, picture_of(board_at()))


def rest(watcher: Watcher, start_s: float, end_s: float) -> list[TableView]:
    """Frames of a board at rest, ten a second."""
    times = np.arange(round(start_s * 10), round(end_s * 10)) / 10
    picture = picture_of(board_at())
    return [watcher.view(frame_of(picture, float(t))) for t in times]


def test_a_board_at_rest_is_looked_at_often_at_first_then_twice_a_second() -> None:
    """Several looks are fused into a rest; after it nothing is worth the time."""
    views = rest(watcher_of(Looks([disc_at(0, 0)])), 0.0, 4.0)
    looked = [view.t_s for view in views if view.look is not None]
    assert sum(t < 0.5 for t in looked) == 5
    assert 6 <= sum(t >= 0.5 for t in looked) <= 8
    assert not any(view.changed.any() for view in views)


def test_what_is_followed_is_rounded_as_a_trace_holds_it() -> None:
    """Or a replay would differ from what was called live."""
    looks = Looks([disc_at(1.23456789, -2.3456789)])
    looks.doubtful = (disc_at(100.00001, 5.55555, PieceKind.BLACK, 0.2222222),)
    view = watcher_of(looks).view(frame_of(picture_of(board_at()), 1.00000049))
    assert view.look is not None
    assert view.t_s == 1.0
    (disc,), (doubtful,) = view.look.discs, view.look.doubtful
    assert (disc.x_mm, disc.y_mm, disc.x_px) == (1.23, -2.35, 320.12)
    assert (disc.visible, disc.odds[PieceKind.WHITE]) == (0.988, 0.912)
    assert (doubtful.x_mm, doubtful.confidence) == (100.0, 0.222)


@pytest.mark.parametrize("mark", ["damaged", "frozen"])
def test_damaged_and_frozen_frames_are_not_used(mark: str) -> None:
    """Blocks of a broken picture look like discs on the move."""
    looks = Looks()
    view = watcher_of(looks).view(frame_of(picture_of(board_at()), 0.0, **{mark: True}))
    assert not view.usable
    assert view.look is None
    assert not looks.asked


def test_a_damaged_frame_is_not_compared_with_the_next() -> None:
    """The good frame after it is like the good frame before it."""
    watcher = watcher_of(Looks())
    rest(watcher, 0.0, 1.0)
    watcher.view(frame_of(np.full((480, 640, 3), 99, np.uint8), 1.0, damaged=True))
    assert not rest(watcher, 1.1, 1.2)[0].changed.any()


def test_the_dark_is_not_used_and_light_is_again() -> None:
    """A power cut takes no disc off the board."""
    watcher = watcher_of(Looks([disc_at(0, 0)]))
    rest(watcher, 0.0, 1.0)
    dark = watcher.view(frame_of(np.zeros((480, 640, 3), np.uint8), 1.0))
    assert not dark.usable
    assert watcher.dark
    again = rest(watcher, 1.1, 2.0)
    assert all(view.usable for view in again)
    assert any(view.look is not None for view in again)


def test_a_nudged_frame_is_not_used() -> None:
    """Every disc seems to move, and none did."""
    watcher = watcher_of(Looks())
    rest(watcher, 0.0, 1.0)
    views = [watcher.view(frame_of(picture_of(board_at(8.0)), 1.0 + k / 10)) for k in range(8)]
    assert not any(view.usable for view in views)
    assert watcher.nudge.moved


def test_hands_cover_cells_from_a_look_to_the_next() -> None:
    """Between two looks a hand is where it was."""
    looks = Looks()
    looks.share[0:8, 8:16] = 0.9
    looks.share[60:, 60:] = 0.3
    views = rest(watcher_of(looks), 0.0, 0.9)
    for view in views:
        assert view.covered[0:2, 2:4].all()
        assert view.covered.sum() == 4


def test_the_reference_is_the_empty_handed_board_at_rest_and_grows_old() -> None:
    """What hands cover is told by difference from it; an old one tells of another light."""
    looks = Looks([disc_at(0, 0)])
    watcher = watcher_of(looks)
    rest(watcher, 0.0, 2.0)
    assert looks.asked[0]["reference"] is None
    assert looks.asked[-1]["reference"] is not None
    looks.share[:] = 1.0  # a hand that stays
    rest(watcher, 2.0, 9.0)
    assert looks.asked[-1]["reference"] is None


def test_another_lamp_needs_another_reference() -> None:
    """Else the whole board would seem covered."""
    looks = Looks([disc_at(0, 0)])
    watcher = watcher_of(looks)
    rest(watcher, 0.0, 1.5)
    assert looks.asked[-1]["reference"] is not None
    slope = np.linspace(0.2, 1.8, 640)[None, :, None]
    lit = np.clip(picture_of(board_at()) * slope, 0, 255).astype(np.uint8)
    watcher.view(frame_of(lit, 1.5))
    assert looks.asked[-1]["reference"] is None


def test_masked_places_hold_no_disc() -> None:
    """A user says that a scratch is none."""
    watcher = watcher_of(Looks([disc_at(0, 0), disc_at(100, 0)]))
    watcher.masks = [Mask(102.0, 1.0, 10.0)]
    (view,) = rest(watcher, 0.0, 0.1)
    assert view.look is not None
    assert [disc.x_mm for disc in view.look.discs] == [0.0]


def test_the_opening_teaches_the_colours_of_the_set() -> None:
    """The layout says what is what, whatever the eyes thought."""
    discs = [disc_at(d.x_mm, d.y_mm, d.kind) for d in opening_position(ICF_BOARD)]
    watcher = watcher_of(Looks(discs))
    assert watcher.palette is None
    rest(watcher, 0.0, 1.0)
    palette: Palette | None = watcher.palette
    assert palette is not None
    assert PieceKind.QUEEN in palette.looks


def test_after_a_camera_came_back_its_first_frame_is_no_change() -> None:
    """Minutes may lie between two frames that follow each other."""
    watcher = watcher_of(Looks())
    rest(watcher, 0.0, 1.0)
    other = picture_of(board_at(), [(100.0, 100.0, WHITE)])
    assert not watcher.view(frame_of(other, 60.0, rejoined=True)).changed.any()
