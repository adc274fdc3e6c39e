"""Words of random choice, so that the samplers read like tables."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np

from sim.camera.looks import Rgb

__all__ = ["Rng", "chance", "jitter", "one_of", "tone", "uniform", "weighted"]

Rng = np.random.Generator
T = TypeVar("T")


def uniform(rng: Rng, low: float, high: float) -> float:
    """A number between two ends."""
    return float(rng.uniform(low, high))


def chance(rng: Rng, share: float) -> bool:
    """True in a share of the cases."""
    return bool(rng.random() < share)


def one_of(rng: Rng, options: Sequence[T]) -> T:
    """Each as likely as the others."""
    return options[int(rng.integers(len(options)))]


def weighted(rng: Rng, options: Mapping[T, float]) -> T:
    """Each as likely as its weight says."""
    weights = np.array(list(options.values()), dtype=np.float64)
    return list(options)[int(rng.choice(len(weights), p=weights / weights.sum()))]


def jitter(rng: Rng, colour: Rgb, amount: float) -> Rgb:
    """A colour near another: one shift of level, a third of it for each channel."""
    level = 1 + rng.normal(0, amount)
    r, g, b = (float(np.clip(c * level * (1 + rng.normal(0, amount / 3)), 0, 1)) for c in colour)
    return round(r, 4), round(g, 4), round(b, 4)


def tone(rng: Rng, colours: Sequence[Rgb], amount: float = 0.06) -> Rgb:
    """One of several colours, not quite."""
    return jitter(rng, one_of(rng, colours), amount)
