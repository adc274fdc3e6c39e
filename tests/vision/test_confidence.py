"""A confidence is a chance: between 0 and 1, and evidence moves it the right way."""

import numpy as np
import pytest

from vision.confidence import EVIDENCE, WEIGHTS, presence

FAIR = {name: np.zeros(1) for name in EVIDENCE} | {
    "score": np.array([0.5]),
    "support": np.array([0.7]),
    "contrast": np.array([2.5]),
}


def test_every_piece_of_evidence_has_a_weight():
    assert set(WEIGHTS) == {"bias", *EVIDENCE}


@pytest.mark.parametrize(
    ("name", "more"),
    [("score", 2.0), ("support", 1.0), ("overlap", -0.8), ("twins", -0.9), ("radius_off", -0.2)],
)
def test_evidence_pulls_the_right_way(name, more):
    other = FAIR | {name: FAIR[name] + abs(more)}
    before, after = presence(FAIR)[0], presence(other)[0]
    assert 0.0 < before < 1.0
    assert (after > before) == (more > 0)
