"""How sure a disc is: a small logistic table, fitted to renders of building seeds.

Fitted by ``python models/fit_confidence.py`` (the command says which seeds and prints the numbers
below and the reliability on judge seeds).
"""

from collections.abc import Mapping

import numpy as np

from vision.arrays import Array

__all__ = ["EVIDENCE", "WEIGHTS", "presence"]

EVIDENCE = (
    "score",
    "support",
    "contrast",
    "radius_off",
    "overlap",
    "twins",
    "pocket",
    "frame",
    "off_board",
    "covered",
    "moved",
)
"""``score``: log odds of the network's score; ``support``: share of the rim found; ``contrast``:
log of the edges' height; ``radius_off``: from that of its group, in radii; ``overlap``: shared with
a better disc; ``twins``: as in ``twins_of``; places 0 or 1; ``covered`` by hands; ``moved``: by the
fit, in radii."""

WEIGHTS: Mapping[str, float] = {
    "bias": -0.96,
    "score": 1.35,
    "support": 1.23,
    "contrast": 0.66,
    "radius_off": -4.0,
    "overlap": -4.3,
    "twins": -7.0,
    "pocket": -1.35,
    "frame": -0.56,
    "off_board": -1.5,
    "covered": -0.93,
    "moved": -0.1,
}


def presence(evidence: Mapping[str, Array]) -> Array:
    """(n,) float64: the chance that there is a disc; ``evidence``: (n,) of each of ``EVIDENCE``."""
    total = WEIGHTS["bias"] + sum(WEIGHTS[name] * evidence[name] for name in EVIDENCE)
    out: Array = 1.0 / (1.0 + np.exp(-np.clip(total, -30.0, 30.0)))
    return out
