"""Which of the finalists to show: distinct ideas, measured once more on fresh samples."""

from __future__ import annotations

import numpy as np

from sim.advisor.describe import described
from sim.advisor.noise import Draws
from sim.advisor.race import Racer, Scores, signatures
from sim.advisor.suggestion import ShotKind, Suggestion
from sim.physics.arrays import FloatArray

__all__ = ["chosen", "easier_first"]

_MOST = 3
_POOR = 0.4
"""Below this chance an attack is poor, and a safe stroke is shown besides."""
_IS_ATTACK = 0.12
"""A stroke that succeeds less often is played for something else."""
_QUIET_SAMPLES = 48
_LEVEL = 0.02
"""Values nearer to each other than the samples tell apart."""
_HOPELESS = 0.35
"""A further attack must be worth no more than this less than the best."""


def chosen(
    racer: Racer, finalists: FloatArray, scores: Scores, fresh: Draws, *, soft: FloatArray
) -> tuple[tuple[Suggestion, ...], Suggestion | None]:
    """Up to three attacks with different ideas, best first, and a safe stroke if they are poor.

    ``finalists``: (c, 4); ``scores`` chose among them; ``soft``: (s, 4) strokes that try nothing;
    ``fresh``: samples that nobody has seen, so that what is shown is not what won by luck.
    """
    order = np.argsort(-scores.value, kind="stable").tolist()
    ideas = signatures(scores)
    attacks: list[int] = []
    seen: set[tuple[int, int]] = set()
    for index in order:
        if scores.success[index] < _IS_ATTACK or ideas[index] in seen or len(attacks) == _MOST:
            continue
        if attacks and scores.value[index] < scores.value[attacks[0]] - _HOPELESS:
            continue
        seen.add(ideas[index])
        attacks.append(index)
    attacks = easier_first(attacks, scores)
    shown = [_shown(racer, finalists[index], fresh, None) for index in attacks]
    best = max((float(scores.success[index]) for index in attacks), default=0.0)
    quiet = _quiet(racer, soft) if best < _POOR else None
    if quiet is None:
        return tuple(shown), None
    return tuple(shown), _shown(racer, quiet, fresh, ShotKind.SAFE)


def easier_first(attacks: list[int], scores: Scores) -> list[int]:
    """What is worth the same, as far as the samples tell, in the order of the likelier success."""
    out, left = [], list(attacks)
    while left:
        best = float(scores.value[left[0]])
        level = [index for index in left if scores.value[index] >= best - _LEVEL]
        one = max(level, key=lambda index: float(scores.success[index] - scores.foul[index]))
        out.append(one)
        left.remove(one)
    return out


def _quiet(racer: Racer, soft: FloatArray) -> FloatArray | None:
    """The soft stroke that leaves most to oneself and least to the opponent."""
    if not len(soft):
        return None
    scores = racer.scores(soft, racer.draws(_QUIET_SAMPLES), leave=True)
    best: FloatArray = soft[int(np.argmax(scores.value))]
    return best


def _shown(racer: Racer, stroke: FloatArray, fresh: Draws, kind: ShotKind | None) -> Suggestion:
    return described(racer, stroke, racer.sample(stroke[None], fresh, leave=True), kind)
