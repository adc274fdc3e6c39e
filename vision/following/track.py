"""One disc over time."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from carrom.pieces import PieceKind
from vision.seen import DiscSeen, Place

__all__ = ["Fix", "Track", "was_seen"]

_HISTORY = 240
"""Fixes kept: eight seconds of motion at 30 frames a second, four at 60."""
_FORGET = 0.97
"""Of what earlier looks said about the kind, a look later; a light change must not weigh for
ever."""
_LEAST_MISSES = 2
_SURE_RATE = 0.12
"""Weight of a look in the share of looks that are sure of a disc: about the last eight count."""
_STILL_MM = 2.5
"""A disc that stays this near its place has not moved: three deviations of a look."""
DECELERATION_MM_S2 = 1500.0
"""A disc on powdered wood loses about so much speed (notes/physics.md: friction 0.1 to 0.2)."""


@dataclass(frozen=True, slots=True)
class Fix:
    """Seen here then; ``covered``: share of it under a hand; ``kind``: as this look has it."""

    t_s: float
    x_mm: float
    y_mm: float
    place: Place
    covered: float = 0.0
    kind: PieceKind | None = None
    visible: float = 1.0


@dataclass(slots=True)
class Track:
    """A disc that is followed. ``odds``: log of the chance of each kind, summed over looks.

    ``still_since_s``: since when it has not left its place, ``None`` while it moves. ``anchor``:
    that place, a running mean. ``missing_since_s``: when it was first not seen, though looked for.
    """

    id: int
    born_s: float
    fixes: deque[Fix] = field(default_factory=lambda: deque(maxlen=_HISTORY))
    odds: dict[PieceKind, float] = field(default_factory=dict)
    hits: int = 0
    vx_mm_s: float = 0.0
    vy_mm_s: float = 0.0
    anchor: tuple[float, float] = (0.0, 0.0)
    still_since_s: float | None = None
    still_hits: int = 0
    missing_since_s: float | None = None
    misses: int = 0
    sure_s: float = -1e9
    """When a look last had it among the discs that are there more likely than not."""
    sure_share: float = 1.0
    """In how many of the latest looks that was so (a running mean)."""
    confidence: float = 0.0
    logs: dict[PieceKind, float] | None = None
    """Logs of the chances that follow from ``odds``; ``None``: not worked out yet."""
    fixed: PieceKind | None = None
    """The kind that conservation gives it, once a rest has been judged."""

    @property
    def last(self) -> Fix:
        """The latest fix."""
        return self.fixes[-1]

    @property
    def speed_mm_s(self) -> float:
        """Over the last two fixes."""
        return math.hypot(self.vx_mm_s, self.vy_mm_s)

    @property
    def kind(self) -> PieceKind:
        """The likeliest kind."""
        if self.fixed is not None:
            return self.fixed
        logs = self._log_chances()
        return max(logs, key=lambda kind: logs[kind])

    def log_odds(self, kind: PieceKind) -> float:
        """Log of the chance of a kind, from -6 to 0."""
        return max(-6.0, self._log_chances().get(kind, -1e9))

    def _log_chances(self) -> dict[PieceKind, float]:
        """Worked out once a look: they are asked for with every pair of a track and a disc."""
        if self.logs is None:
            top = max(self.odds.values())
            total = math.log(sum(math.exp(value - top) for value in self.odds.values()))
            self.logs = {kind: value - top - total for kind, value in self.odds.items()}
        return self.logs

    def predicted(self, t_s: float) -> tuple[float, float]:
        """Where it would be by friction alone (closed form of a uniform deceleration)."""
        fix, speed = self.last, self.speed_mm_s
        if speed < 1.0 or self.still_since_s is not None:
            return self.anchor if self.still_since_s is not None else (fix.x_mm, fix.y_mm)
        dt = min(t_s - fix.t_s, speed / DECELERATION_MM_S2)
        way = (speed - 0.5 * DECELERATION_MM_S2 * dt) * dt / speed
        return fix.x_mm + self.vx_mm_s * way, fix.y_mm + self.vy_mm_s * way

    def see(self, disc: DiscSeen, t_s: float, covered: float) -> None:
        """Take one more fix. A disc half hidden says less about its kind."""
        fix = Fix(t_s, disc.x_mm, disc.y_mm, disc.place, covered, disc.kind, disc.visible)
        self._move(fix, disc.visible)
        self.missing_since_s, self.misses = None, 0
        self.hits += 1
        weight = max(0.1, disc.visible) * (0.3 if disc.place is Place.POCKET else 1.0)
        odds = disc.odds or {disc.kind: 1.0}
        for kind, chance in odds.items():
            old = self.odds.get(kind, 0.0) * _FORGET
            self.odds[kind] = old + weight * math.log(min(max(chance, 0.01), 0.99))
        self.logs = None
        self.confidence = max(disc.confidence, self.confidence * 0.9)

    def be_sure(self, t_s: float) -> None:
        """This look had it among the discs that are there more likely than not."""
        self.sure_s = t_s
        self.sure_share += _SURE_RATE * (1.0 - self.sure_share)

    def doubt(self) -> None:
        """This look had it among the doubtful, or not at all where nothing covers it."""
        self.sure_share -= _SURE_RATE * self.sure_share

    def miss(self, t_s: float) -> None:
        """It was looked for and not seen."""
        self.misses += 1
        if self.missing_since_s is None:
            self.missing_since_s = t_s

    def _move(self, fix: Fix, visible: float) -> None:
        if not self.fixes:
            self.anchor, self.still_since_s, self.still_hits = (fix.x_mm, fix.y_mm), fix.t_s, 1
            self.fixes.append(fix)
            return
        last = self.last
        dt = max(fix.t_s - last.t_s, 1e-3)
        self.vx_mm_s, self.vy_mm_s = (fix.x_mm - last.x_mm) / dt, (fix.y_mm - last.y_mm) / dt
        slack = _STILL_MM * (1.0 if visible > 0.7 else 2.0)
        off = math.hypot(fix.x_mm - self.anchor[0], fix.y_mm - self.anchor[1])
        if self.still_since_s is not None and off <= slack:
            share = 1.0 / min(self.still_hits + 1, 12)
            if visible > 0.7:  # a half hidden rim is fitted worse
                x, y = self.anchor
                self.anchor = (x + share * (fix.x_mm - x), y + share * (fix.y_mm - y))
            self.still_hits += 1
            self.vx_mm_s = self.vy_mm_s = 0.0
        elif (
            self.still_since_s is None
            and math.hypot(fix.x_mm - last.x_mm, fix.y_mm - last.y_mm) <= 0.6 * slack + 4.0 * dt
        ):
            self.anchor, self.still_since_s, self.still_hits = (fix.x_mm, fix.y_mm), fix.t_s, 1
        else:
            self.still_since_s, self.still_hits = None, 0
        self.fixes.append(fix)

    def named(self, odds: Mapping[PieceKind, float]) -> None:
        """Take over what another track knew about the kind."""
        self.odds, self.logs = dict(odds), None


def was_seen(track: Track, t_s: float, within_s: float) -> bool:
    """Whether it is seen, or was lately; one look alone misses a disc now and then."""
    since_s = track.missing_since_s
    return since_s is None or t_s - since_s < within_s or track.misses < _LEAST_MISSES
