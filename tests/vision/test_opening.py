"""The opening layout labels every colour; found turned, loose, with a disc missing."""

import numpy as np
import pytest

from carrom.boards import HIKONE_BOARD, ICF_BOARD
from carrom.layouts import opening_position
from carrom.pieces import PieceKind
from vision.opening import opening_in


def layout(board, turn, loose, rng):
    discs = list(opening_position(board, turn))
    rng.shuffle(discs)
    points = np.array([[d.x_mm, d.y_mm] for d in discs]) * loose + rng.normal(
        0, 0.6, (len(discs), 2)
    )
    return [d.kind for d in discs], points


LIGHT = {PieceKind.WHITE: 75.0, PieceKind.BLACK: 25.0, PieceKind.QUEEN: 40.0}
RED = {PieceKind.RED: 45.0, PieceKind.GREEN: -25.0, PieceKind.JACK: 0.0}


@pytest.mark.parametrize("turn", [0.0, 0.3, 1.2, 2.9])
@pytest.mark.parametrize("board", [ICF_BOARD, HIKONE_BOARD], ids=["icf", "hikone"])
def test_kinds_of_a_turned_and_loose_layout(board, turn):
    rng = np.random.default_rng(3)
    kinds, points = layout(board, turn, 1.03 if board is ICF_BOARD else 1.0, rng)
    kinds, points = kinds[:-1], points[:-1]
    values = LIGHT if board is ICF_BOARD else RED
    colour = np.array([values[kind] for kind in kinds]) + rng.normal(0, 8, len(kinds))
    radius = board.radii_mm[kinds[0]]
    found = opening_in(board, points, radius, lightness=colour, redness=colour)
    assert found is not None
    assert found.rms_mm < 3.0
    assert len(found.kinds) >= len(kinds) - 1
    assert all(kinds[k] is kind for k, kind in found.kinds.items())


def test_a_game_in_play_is_no_opening():
    rng = np.random.default_rng(5)
    points = rng.uniform(-300, 300, (19, 2))
    nothing = np.zeros(19)
    assert opening_in(ICF_BOARD, points, 15.5, lightness=nothing, redness=nothing) is None
