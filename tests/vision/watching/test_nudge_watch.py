"""A nudged board looks like a stroke that moves every disc: it must never become one."""

from __future__ import annotations

import numpy as np
import pytest

from carrom.errors import CalibrationError
from tests.vision.views import board_at, picture_of
from vision.arrays import Array
from vision.seen import BoardSeen
from vision.watching.nudge_watch import NudgeWatch

NONE = np.zeros((16, 16), dtype=np.bool_)
ALL = np.ones((16, 16), dtype=np.bool_)


def watch() -> NudgeWatch:
    """Of the board in the middle."""
    return NudgeWatch(picture_of(board_at()), board_at())


def gone(image_bgr: Array, board: BoardSeen) -> tuple[float, BoardSeen]:
    """In place of the search for edges, which takes most of a second to find none."""
    raise CalibrationError("board: expected its edges near where they were, got none")


def test_a_board_that_stays_is_trusted_and_seldom_looked_at() -> None:
    """A second passes between two checks."""
    nudges = watch()
    picture = picture_of(board_at(), seed=1)
    for k in range(30):
        word = nudges.look(picture, k / 10, NONE, still_s=k / 10)
        assert word.trusted
        assert not word.moved


@pytest.mark.parametrize("way_mm", [4.0, 8.0])
def test_a_nudge_is_noticed_in_its_first_frame_and_believed_when_it_is_over(way_mm: float) -> None:
    """The frame in which it moves must not reach the tracker; hands go on meanwhile."""
    nudges = watch()
    nudges.look(picture_of(board_at()), 0.0, NONE, still_s=1.0)
    moved = picture_of(board_at(way_mm), seed=1)
    first = nudges.look(moved, 0.1, ALL, still_s=0.0)
    assert not first.trusted
    assert not first.moved
    later = nudges.look(moved, 0.7, ALL, still_s=0.0)
    assert later.moved
    assert not later.trusted
    assert later.corner_mm == pytest.approx(way_mm, abs=1.0)


def test_a_jump_too_far_to_measure_is_not_trusted_and_found_out_by_its_edges(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Drift is searched for 12 mm about the old place; hands need not leave for the rest."""
    monkeypatch.setattr("vision.watching.nudge_watch.still_there", gone)
    nudges = watch()
    nudges.look(picture_of(board_at()), 0.0, NONE, still_s=1.0)
    moved = picture_of(board_at(30.0), seed=1)
    words = [nudges.look(moved, 0.1 + 0.5 * k, ALL, still_s=0.0) for k in range(20)]
    assert not any(word.trusted for word in words)
    assert any(word.moved for word in words)


def test_a_board_that_jumps_back_is_trusted_again() -> None:
    """Somebody knocks the table; the camera swings for a moment."""
    nudges = watch()
    assert not nudges.look(picture_of(board_at(5.0)), 0.1, ALL, still_s=0.0).trusted
    assert nudges.look(picture_of(board_at(), seed=2), 0.2, ALL, still_s=0.0).trusted
    assert nudges.look(picture_of(board_at(), seed=3), 0.3, NONE, still_s=0.1).trusted


def test_a_board_taken_away_is_moved_after_some_looks_at_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One look without edges may be an arm; several at rest are no board."""
    monkeypatch.setattr("vision.watching.nudge_watch.still_there", gone)
    nudges = watch()
    bare = picture_of(board_at(5000.0), seed=4)
    words = [nudges.look(bare, 1.0 + 0.5 * k, NONE, still_s=1.0) for k in range(16)]
    assert not any(word.moved for word in words[:4])
    assert any(word.moved for word in words)
    assert not any(word.trusted for word in words[3:])


def test_another_lamp_moves_no_board() -> None:
    """The edges lie where they lay, whatever light falls on them."""
    nudges = watch()
    lit = picture_of(board_at()).astype(np.float64) * np.linspace(0.5, 1.3, 640)[None, :, None]
    picture = np.clip(lit, 0, 255).astype(np.uint8)
    words = [
        nudges.look(picture, 0.2 * k, ALL if k < 2 else NONE, still_s=0.2 * k) for k in range(20)
    ]
    assert not any(word.moved for word in words)
    assert words[-1].trusted


def test_a_hand_over_one_side_is_no_suspicion() -> None:
    """Hands change what they cover, from one side."""
    changed = NONE.copy()
    changed[8:, 3:12] = True
    assert not watch().suspects(changed)
    assert watch().suspects(ALL)
