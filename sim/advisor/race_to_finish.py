"""How likely the player on turn is to finish first, if every stroke pockets with one chance."""

from __future__ import annotations

import functools

import numpy as np

from sim.physics.arrays import FloatArray

__all__ = ["win_chance"]

_MOST = 30
"""More than any side can need: twelve men, their jack and debts."""


@functools.cache
def _table(pot: float) -> FloatArray:
    """(31, 31): chance of the side on turn, which needs a, against one that needs b.

    W(a, b) = p W(a - 1, b) + q (1 - W(b, a)) with q = 1 - p; the same for W(b, a); solved for both.
    """
    miss = 1.0 - pot
    chance = np.zeros((_MOST + 1, _MOST + 1))
    chance[0, :] = 1.0
    for total in range(2, 2 * _MOST + 1):
        for a in range(max(1, total - _MOST), min(_MOST, total - 1) + 1):
            b = total - a
            mine, theirs = chance[a - 1, b], chance[b - 1, a]
            chance[a, b] = (pot * mine + miss - miss * (pot * theirs + miss)) / (1.0 - miss * miss)
    return chance


def win_chance(needs: float, opponent_needs: float, pot: float) -> float:
    """Chance to finish first for the side on turn; ``pot``: chance to go on at each stroke.

    Needs may be fractions (a queen half won): interpolated.
    """
    table = _table(round(min(max(pot, 0.05), 0.95), 2))
    a, b = (min(max(n, 0.0), _MOST - 1e-9) for n in (needs, opponent_needs))
    i, j = int(a), int(b)
    u, v = a - i, b - j
    low = (1 - v) * table[i, j] + v * table[i, j + 1]
    high = (1 - v) * table[i + 1, j] + v * table[i + 1, j + 1]
    return float((1 - u) * low + u * high)
