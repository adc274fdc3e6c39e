"""Places where what looks like a disc is none, because a person said so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import hypot

from vision.seen import DiscSeen

__all__ = ["Mask", "unmasked"]


@dataclass(frozen=True, slots=True)
class Mask:
    """A circle, mm in the board frame: discs whose middle lies in it do not count."""

    x_mm: float
    y_mm: float
    radius_mm: float

    def hides(self, disc: DiscSeen) -> bool:
        """Whether the disc's middle lies in it."""
        return hypot(disc.x_mm - self.x_mm, disc.y_mm - self.y_mm) < self.radius_mm


def unmasked(discs: Iterable[DiscSeen], masks: Sequence[Mask]) -> tuple[DiscSeen, ...]:
    """The discs that no mask hides, in their order."""
    return tuple(disc for disc in discs if not any(mask.hides(disc) for mask in masks))
