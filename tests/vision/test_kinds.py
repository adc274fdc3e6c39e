"""A network errs alike on all discs of a set: the colours of the set must outvote it."""

import numpy as np

from carrom.board_spec import BoardFamily
from carrom.pieces import PieceKind
from vision.faces import FEATURES
from vision.kinds import KindEvidence, kind_odds, kinds_of, legal_counts, network_odds
from vision.palette import Palette

ICF, HIKONE = BoardFamily.ICF, BoardFamily.HIKONE


def lab(rng, light, a, b, count):
    """Discs of one colour."""
    return np.tile([light, a, b], (count, FEATURES // 3)) + rng.normal(0, 4, (count, FEATURES))


def evidence(word, features, radii=None, grey=False):
    count = len(features)
    radii = np.full(count, 15.5) if radii is None else radii
    return KindEvidence(np.asarray(word), features, radii, np.full(count, 0.95), grey)


def named(odds, family):
    return [kinds_of(family)[k] for k in odds.argmax(axis=1)]


def test_brown_white_men_are_told_from_black_ones_by_the_set():
    """The network calls two of five brown men black; all five have one colour."""
    rng = np.random.default_rng(0)
    features = np.concatenate([lab(rng, 46, 16, 20, 5), lab(rng, 20, 1, 1, 5)])
    word = np.tile([0.1, 0.85, 0.03, 0.02], (10, 1))
    word[:5] = [0.6, 0.35, 0.03, 0.02]
    word[1] = word[3] = [0.3, 0.65, 0.03, 0.02]
    found = named(kind_odds(ICF, evidence(word, features)), ICF)
    assert found == [PieceKind.WHITE] * 5 + [PieceKind.BLACK] * 5


def test_a_dark_queen_is_told_by_a_palette_that_knows_her():
    rng = np.random.default_rng(1)
    features = np.concatenate(
        [lab(rng, 75, 5, 20, 4), lab(rng, 20, 1, 1, 4), lab(rng, 24, 22, 8, 1)]
    )
    word = np.array([[0.9, 0.04, 0.03, 0.03]] * 4 + [[0.03, 0.9, 0.04, 0.03]] * 5)
    learned = Palette(ICF).learned(
        {0: PieceKind.WHITE, 4: PieceKind.BLACK, 8: PieceKind.QUEEN}, features, np.full(9, 15.5)
    )
    found = named(kind_odds(ICF, evidence(word, features), learned), ICF)
    assert found[8] is PieceKind.QUEEN
    assert found[:8] == [PieceKind.WHITE] * 4 + [PieceKind.BLACK] * 4


def test_what_nobody_can_tell_gets_flat_odds():
    """One disc, colour between all kinds, a network that does not know: no guess."""
    features = np.tile([48.0, 8.0, 8.0], (1, FEATURES // 3))
    odds = kind_odds(ICF, evidence([[0.3, 0.3, 0.3, 0.1]], features))
    assert odds.max() < 0.75


def test_a_striker_twice_as_large_is_one_whatever_its_colour():
    rng = np.random.default_rng(2)
    features = np.concatenate([lab(rng, 75, 5, 20, 6), lab(rng, 60, -40, 45, 1)])
    word = np.array([[0.9, 0.04, 0.03, 0.03]] * 6 + [[0.5, 0.1, 0.1, 0.3]])
    radii = np.array([15.5] * 6 + [21.5])
    assert named(kind_odds(ICF, evidence(word, features, radii)), ICF)[6] is PieceKind.STRIKER


def test_classes_of_the_other_game_say_nothing():
    odds = network_odds(ICF, {"white": 0.1, "black": 0.1, "green": 0.7, "jack": 0.1})
    assert np.ptp(odds[:2]) < 1e-9
    assert odds.max() < 0.4


def test_without_colour_red_counts_for_nothing():
    """On a grey camera a and b are noise: the odds must rest on lightness and the network."""
    features = np.tile([22.0, 45.0, 10.0], (1, FEATURES // 3))
    word = [[0.05, 0.6, 0.3, 0.05]]
    coloured = kind_odds(ICF, evidence(word, features))
    grey = kind_odds(ICF, evidence(word, features, grey=True))
    assert coloured[0, 2] > 0.8 > grey[0, 2]


def test_the_counts_of_a_set():
    assert legal_counts(ICF)[PieceKind.STRIKER] == 1
    assert legal_counts(HIKONE) == {
        PieceKind.RED: 12, PieceKind.GREEN: 12, PieceKind.JACK: 1, PieceKind.STRIKER: 2
    }  # fmt: skip


def test_no_discs():
    none = KindEvidence(np.zeros((0, 4)), np.zeros((0, FEATURES)), np.zeros(0), np.zeros(0))
    assert kind_odds(ICF, none).shape == (0, 4)
