"""Nothing appears on a board where nothing stirs: what seems to is print, or a reflection.

A disc comes to a place with a change of that place, or from under a hand. A place where looks saw
none, and that has not changed since, holds none, however much a later look takes an arrow's curl
for a striker. What keeps being seen, surely, is believed after all: it may have been missed at
first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.arrays import Array
from vision.following.cover_map import CoverMap
from vision.seen import DiscSeen

__all__ = ["Newcomers"]

_SETTLE_S = 0.5
"""At first everything is new."""
_SAME_MM = 12.0
_REACH_MM = 10.0
"""Beyond a disc's rim, the change that brought it."""
_INSISTS, _SURE = 6, 0.8
"""So many looks in a row, so sure, outweigh a quiet place."""


@dataclass(slots=True)
class _Place:
    x_mm: float
    y_mm: float
    looks: int = 0


class Newcomers:
    """Keeps the places where discs may be. ``half_mm``: of the surface."""

    def __init__(self, half_mm: float) -> None:
        self._half_mm = half_mm
        self._began_s: float | None = None
        self._known: list[_Place] = []
        self._waiting: list[_Place] = []

    def step(
        self,
        discs: Sequence[DiscSeen],
        doubtful: Sequence[DiscSeen],
        stirred: Array,
        t_s: float,
    ) -> tuple[tuple[DiscSeen, ...], tuple[DiscSeen, ...]]:
        """Of a look: the discs that may be there, and the doubtful with the others added.

        ``stirred``: (16, 16) bool, cells that changed since the look before, or that hands cover or
        covered.
        """
        if self._began_s is None:
            self._began_s = t_s
        fresh = t_s - self._began_s < _SETTLE_S
        stir = CoverMap(self._half_mm, stirred)
        kept, put_off = [], []
        waiting: list[_Place] = []
        for disc in discs:
            quiet = not stir.at(disc.x_mm, disc.y_mm, disc.radius_mm + _REACH_MM)
            if fresh or not quiet or _near(self._known, disc) is not None:
                kept.append(disc)
                continue
            place = _near(self._waiting, disc) or _Place(disc.x_mm, disc.y_mm)
            place.looks = place.looks + 1 if disc.confidence >= _SURE else 0
            if place.looks >= _INSISTS:
                kept.append(disc)
            else:
                waiting.append(place)
                put_off.append(disc)
        self._waiting = waiting
        # A disc that one look misses in a quiet place is still there.
        quiet_places = [p for p in self._known if not stir.at(p.x_mm, p.y_mm, _SAME_MM)]
        seen = [_Place(disc.x_mm, disc.y_mm) for disc in kept]
        unseen = [p for p in quiet_places if not any(_apart(p, s) < _SAME_MM for s in seen)]
        self._known = seen + unseen
        return tuple(kept), (*doubtful, *put_off)


def _near(places: Sequence[_Place], disc: DiscSeen) -> _Place | None:
    for place in places:
        if float(np.hypot(place.x_mm - disc.x_mm, place.y_mm - disc.y_mm)) < _SAME_MM:
            return place
    return None


def _apart(a: _Place, b: _Place) -> float:
    return float(np.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm))
