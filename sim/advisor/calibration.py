"""Whether chances shown are chances met: a reliability table."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Bin", "Reliability", "Shown", "reliability"]

_BINS = 10


@dataclass(frozen=True, slots=True)
class Shown:
    """A chance that was shown, and ``hits`` of ``strokes`` in which it came true."""

    chance: float
    hits: int
    strokes: int


@dataclass(frozen=True, slots=True)
class Bin:
    """Suggestions whose shown chance lies in one tenth: mean chance, frequency, how many."""

    low: float
    high: float
    suggestions: int
    shown: float
    met: float

    @property
    def error(self) -> float:
        """Frequency less chance."""
        return self.met - self.shown


@dataclass(frozen=True, slots=True)
class Reliability:
    """``error``: mean over suggestions of the absolute error of their bin (expected calibration
    error); ``bias``: mean of frequency less chance; ``spread``: root mean square of the single
    differences; ``noise``: what that spread would be from counting alone. Shares of 1."""

    suggestions: int
    strokes: int
    bins: tuple[Bin, ...]
    error: float
    bias: float
    spread: float
    noise: float


def reliability(shown: Iterable[Shown], *, measured_on: int | None = None) -> Reliability:
    """The table of all suggestions; ``measured_on``: samples behind each shown chance."""
    found = list(shown)
    count = len(found)
    if not count:
        return Reliability(0, 0, (), 0.0, 0.0, 0.0, 0.0)
    bins = []
    for k in range(_BINS):
        low, high = k / _BINS, (k + 1) / _BINS
        here = [s for s in found if low <= s.chance < high or (k == _BINS - 1 and s.chance == 1)]
        if here:
            mean = sum(s.chance for s in here) / len(here)
            met = sum(s.hits / s.strokes for s in here) / len(here)
            bins.append(Bin(low, high, len(here), mean, met))
    differences = [s.hits / s.strokes - s.chance for s in found]
    expected = [
        s.chance * (1 - s.chance) * (1 / s.strokes + (1 / measured_on if measured_on else 0.0))
        for s in found
    ]
    return Reliability(
        suggestions=count,
        strokes=sum(s.strokes for s in found),
        bins=tuple(bins),
        error=sum(b.suggestions * abs(b.error) for b in bins) / count,
        bias=sum(differences) / count,
        spread=math.sqrt(sum(d * d for d in differences) / count),
        noise=math.sqrt(sum(expected) / count),
    )
