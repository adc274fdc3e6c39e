"""Nobody wants a calibration of a board that is still being put down."""

from dataclasses import replace

import numpy as np

from carrom.board_spec import BoardFamily
from vision.board_camera import BoardCamera
from vision.pose import square
from vision.seen import BoardSeen, CornerSeen
from vision.steady_gate import SteadyGate, moved_mm

_CAMERA = BoardCamera(
    1280,
    720,
    900.0,
    (639.5, 359.5),
    0.0,
    (0.0, 0.0, 1200.0),
    (1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0),
)


def _board(x_mm: float = 0.0, *, confidence: float = 0.9, turn: int = 0) -> BoardSeen:
    camera = replace(_CAMERA, position_mm=(x_mm, 0.0, 1200.0))
    px = np.roll(camera.board_to_px(square(370.0)), turn, axis=0)
    corners = tuple(CornerSeen(float(x), float(y), True, 0.9) for x, y in px)
    return BoardSeen(BoardFamily.ICF, camera, 370.0, corners, confidence, 0.3)


def test_distance_is_that_of_the_farthest_corner_in_mm() -> None:
    assert abs(moved_mm(_board(), _board(3.0)) - 3.0) < 1e-6
    assert moved_mm(_board(), _board(turn=1)) < 1e-6


def test_five_still_frames_open_the_gate_and_the_best_is_given() -> None:
    gate = SteadyGate()
    first = [gate.offer(_board(0.1 * k, confidence=0.8 + 0.02 * k)) for k in range(4)]
    assert first == [None] * 4
    assert gate.progress == 0.8
    best = gate.offer(_board(0.2, confidence=0.7))
    assert best is not None
    assert best.confidence == 0.8 + 0.02 * 3


def test_a_move_a_doubt_or_nothing_starts_anew() -> None:
    for break_ in (_board(9.0), _board(confidence=0.1), None):
        gate = SteadyGate(frames=3)
        gate.offer(_board())
        gate.offer(_board())
        assert gate.offer(break_) is None
        assert gate.offer(_board()) is None
        assert gate.progress < 1.0


def test_a_slow_slide_never_opens_the_gate() -> None:
    gate = SteadyGate(frames=5, within_mm=2.0)
    assert [gate.offer(_board(0.7 * k)) for k in range(20)] == [None] * 20
