"""What looks like a disc and is none is learned from the opening; a man never is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from carrom.board_spec import BoardSpec
from carrom.boards import HIKONE_BOARD, ICF_BOARD
from carrom.layouts import opening_position
from carrom.pieces import PieceKind
from tests.vision.views import disc_at
from vision.board_crop import BoardCrop
from vision.covered import Covered
from vision.discs_seen import DiscsSeen
from vision.watching.print_memory import false_places

LIGHT = {PieceKind.WHITE: 90.0, PieceKind.RED: 60.0}


def _seen(spec: BoardSpec, share: float) -> DiscsSeen:
    """The opening layout as seen on a board so much smaller than supposed, and print beside it."""
    radii = spec.radii_mm
    discs = [
        replace(disc_at(d.x_mm * share, d.y_mm * share, d.kind), radius_mm=radii[d.kind] * share)
        for d in opening_position(spec)
    ]
    print_ = disc_at(200.0, -150.0, next(iter(radii)), 0.3)
    features = np.array([[LIGHT.get(d.kind, 20.0)] * 9 for d in discs])
    covered = Covered(BoardCrop(spec.half_mm, 448), np.zeros((32, 32)))
    crop = np.zeros((448, 448, 3), dtype=np.uint8)
    return DiscsSeen(tuple(discs), (print_,), covered, crop, features)


@pytest.mark.parametrize("spec", [HIKONE_BOARD, ICF_BOARD])
@pytest.mark.parametrize("share", [1.0, 1.1])
def test_no_man_of_the_layout_is_a_false_place(spec: BoardSpec, share: float) -> None:
    """On a Hikone board of 557 mm all men lay outside the circle of the standard layout, were taken
    for print, and the whole board vanished."""
    (mask,) = false_places(_seen(spec, share), spec)
    assert (mask.x_mm, mask.y_mm) == (200.0, -150.0)
