"""A palette is data: it comes back from its text, and follows a lamp slowly."""

import numpy as np
import pytest

from carrom.board_spec import BoardFamily
from carrom.errors import SchemaError
from carrom.pieces import PieceKind
from vision.faces import FEATURES
from vision.palette import Palette

KINDS = {0: PieceKind.WHITE, 1: PieceKind.WHITE, 2: PieceKind.QUEEN}


def faces(light):
    return np.full((3, FEATURES), light)


def test_text_round_trip():
    learned = Palette(BoardFamily.ICF).learned(KINDS, faces(70.0), np.full(3, 15.5))
    assert Palette.from_json(learned.to_json()) == learned
    assert learned.looks[PieceKind.WHITE].weight == 2


def test_garbage_is_refused():
    with pytest.raises(SchemaError):
        Palette.from_json('{"schema": 1, "family": "chess"}')


def test_a_new_lamp_is_followed_slowly():
    palette = Palette(BoardFamily.ICF).learned(KINDS, faces(70.0), np.full(3, 15.5))
    once = palette.followed(KINDS, faces(50.0), np.full(3, 15.5))
    assert 66.0 < once.looks[PieceKind.WHITE].features[0] < 70.0
    for _ in range(60):
        palette = palette.followed(KINDS, faces(50.0), np.full(3, 15.5))
    assert palette.looks[PieceKind.WHITE].features[0] < 55.0


def test_kinds_that_are_not_seen_are_kept():
    palette = Palette(BoardFamily.ICF).learned(KINDS, faces(70.0), np.full(3, 15.5))
    later = palette.followed({0: PieceKind.WHITE}, faces(60.0), np.full(3, 15.5))
    assert later.looks[PieceKind.QUEEN] == palette.looks[PieceKind.QUEEN]
