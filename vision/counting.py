"""At most so many discs of a kind: the likeliest naming of all discs together."""

import numpy as np

from vision.arrays import Array

__all__ = ["assign", "cheapest", "within"]


_ONE_MORE = 1.0
"""How unlikely it is that a table has one disc more than the set (log)."""


def within(odds: Array, caps: Array, presence: Array) -> Array:
    """(n, kinds) chances when no kind has more discs than its cap: crowded kinds are scaled down.

    ``odds``: (n, kinds), rows sum to 1; ``caps``: (kinds,); ``presence``: (n,) chance that there is
    a disc: what may be none takes less room. Returns a new array.
    """
    out = odds.copy()
    for _ in range(30):
        crowd = (out * presence[:, None]).sum(axis=0)
        scale = np.minimum(1.0, caps / np.maximum(crowd, 1e-9))
        if (scale > 0.999).all():
            break
        out *= np.maximum(scale, 1e-6)
        out /= np.maximum(out.sum(axis=1, keepdims=True), 1e-12)
    return out


def assign(odds: Array, caps: Array, presence: Array) -> Array:
    """(n,) int: the kind of each disc, -1 for those that the set has no room for.

    ``odds``: (n, kinds); ``caps``: (kinds,) int; ``presence``: (n,) chance that there is a disc.
    The likeliest naming under the counts, where what may be no disc is rather left over than
    another disc taken for what it is not.
    """
    best = odds.argmax(axis=1) if len(odds) else np.zeros(0, dtype=np.int64)
    if all((best == k).sum() <= caps[k] for k in range(odds.shape[1])):
        return best
    slots = np.repeat(np.arange(odds.shape[1]), np.minimum(caps, len(odds)))
    cost = -np.log(np.maximum(odds[:, slots], 1e-9))
    # Without a name stays what is no disc, or one more than the set has.
    sure = np.clip(presence, 0.5, 0.995)
    spare = np.log(sure / (1.0 - sure))[:, None] + _ONE_MORE + np.zeros(len(odds))
    chosen = cheapest(np.concatenate([cost, spare], axis=1))
    named: Array = np.append(slots, -1)[np.minimum(chosen, len(slots))]
    return named


def cheapest(cost: Array) -> Array:
    """(n,) int: a column of its own for each row, least total cost; (n, m) float, n <= m.

    Hungarian method with potentials, O(n^2 m).
    """
    n, m = cost.shape
    u, v = np.zeros(n + 1), np.zeros(m + 1)
    owner = np.zeros(m + 1, dtype=np.int64)
    for row in range(1, n + 1):
        owner[0], column = row, 0
        least, way = np.full(m + 1, np.inf), np.zeros(m + 1, dtype=np.int64)
        used = np.zeros(m + 1, dtype=bool)
        while owner[column] != 0:
            used[column] = True
            here = owner[column]
            slack = cost[here - 1] - u[here] - v[1:]
            better = ~used[1:] & (slack < least[1:])
            least[1:][better], way[1:][better] = slack[better], column
            open_ = np.where(used, np.inf, least)
            open_[0] = np.inf
            step, following = float(open_.min()), int(open_.argmin())
            u[owner[used]] += step
            v[used] -= step
            least[~used] -= step
            column = following
        while column:
            owner[column] = owner[way[column]]
            column = int(way[column])
    out = np.zeros(n, dtype=np.int64)
    for column in range(1, m + 1):
        if owner[column]:
            out[owner[column] - 1] = column - 1
    return out
