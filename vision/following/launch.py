"""Has the striker been struck, or is it being carried?

A flick takes the striker from rest to speed within a frame or two and leaves the hand behind; a
hand that carries or adjusts it stays with it and starts softly. Who moves other discs without a
hand beside them was struck in any case.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise
from math import hypot

from carrom.seats import Seat
from vision.following.cover_map import CoverMap
from vision.following.striking_place import StrikingPlaces
from vision.following.track import Track

__all__ = ["HAND_REACH_MM", "Launch", "LaunchWatch", "Placed"]

HAND_REACH_MM = 38.0
"""A covered cell so near to a disc's rim may be a hand on it."""
_PLACED_S = 0.2
_PLACED_HITS = 3
_AWAY_MM = 14.0
_LEFT_MM = 3.0
_FLICK_MM_S, _FREE_MM_S = 300.0, 90.0
_HAND_MM_S = 1500.0
"""No hand lifts a striker and is so fast on its first way."""
_NOISE_MM, _OUTSIDE_MM = 2.5, 15.0
_SLIP_FIXES, _SLIP_MM_S, _WHOLE = 4, 200.0, 0.95
_MEMORY_S = 2.5
"""How long a placement is remembered while the striker is not seen (under the hand that aims)."""


@dataclass(frozen=True, slots=True)
class Placed:
    """The striker lay still here until ``t_s``; ``since_s``: from when on."""

    seat: Seat
    x_mm: float
    y_mm: float
    since_s: float
    t_s: float
    track: int


@dataclass(frozen=True, slots=True)
class Launch:
    """A stroke has begun; ``t_s``: the striker was last seen at rest."""

    placed: Placed
    t_s: float


class LaunchWatch:
    """Watches the striker between strokes."""

    def __init__(
        self, places: StrikingPlaces, half_mm: float, seats: Collection[Seat] = tuple(Seat)
    ) -> None:
        self._places, self._half_mm = places, half_mm
        self._seats = frozenset(seats)
        self.placed: Placed | None = None
        self._free_fixes = 0
        self._came_to_rest: tuple[float, float] | None = None

    def clear(self) -> None:
        """Forget the placement."""
        self.placed, self._free_fixes = None, 0

    def after_stroke(self, x_mm: float, y_mm: float) -> None:
        """A stroke left the striker here: it is not placed before a hand has moved it."""
        self.clear()
        self._came_to_rest = (x_mm, y_mm)

    @property
    def is_hidden(self) -> bool:
        """Whether the placement is that of a striker that was not seen as one."""
        return self.placed is not None and self.placed.track < 0

    def hidden(self, placed: Placed | None) -> None:
        """Half under a hand, the striker is taken to lie here; ``None``: nothing new of that."""
        if placed is not None:
            self.placed, self._came_to_rest, self._free_fixes = placed, None, 0

    def look(
        self, t_s: float, striker: Track | None, cover: CoverMap, *, others_move: bool
    ) -> Launch | None:
        """Take what one look shows. ``others_move``: a disc away from hands has just left its
        place."""
        if striker is not None and striker.missing_since_s is None:
            if self._lies(striker, t_s):
                return None
            launch = self._leaves(t_s, striker, cover)
            if launch is not None:
                return launch
        placed = self.placed
        if placed is None:
            return None
        if others_move and t_s - placed.t_s < 1.2:
            if striker is None or striker.missing_since_s is not None or self._gone(striker):
                return self._launched(placed)
        if t_s - placed.t_s > _MEMORY_S:
            self.clear()
        return None

    def _lies(self, striker: Track, t_s: float) -> bool:
        """Whether it lies still; then the placement is renewed."""
        since = striker.still_since_s
        if since is None:
            return False
        x, y = striker.anchor
        placed = self.placed
        if placed is not None and hypot(x - placed.x_mm, y - placed.y_mm) > _AWAY_MM:
            self._free_fixes = 0
        if t_s - since < _PLACED_S or striker.still_hits < _PLACED_HITS:
            # Too short to be a new placement; an old one goes on if it never left.
            return placed is None or hypot(x - placed.x_mm, y - placed.y_mm) <= _AWAY_MM
        left = self._came_to_rest
        if left is not None and hypot(x - left[0], y - left[1]) <= _LEFT_MM:
            self.placed = None
            return True
        self._came_to_rest = None
        seat = self._places.seat_of(x, y)
        if seat not in self._seats:
            seat = None
        self._free_fixes = 0
        self.placed = None if seat is None else Placed(seat, x, y, since, t_s, striker.id)
        return True

    def _gone(self, striker: Track) -> bool:
        placed = self.placed
        fix = striker.last
        return (
            placed is not None and hypot(fix.x_mm - placed.x_mm, fix.y_mm - placed.y_mm) > _AWAY_MM
        )

    def _leaves(self, t_s: float, striker: Track, cover: CoverMap) -> Launch | None:
        placed = self.placed
        if placed is None or striker.last.t_s <= placed.t_s:
            return None
        fix = striker.last
        off = hypot(fix.x_mm - placed.x_mm, fix.y_mm - placed.y_mm)
        if off < _AWAY_MM or fix.t_s < t_s:
            return None
        if max(abs(fix.x_mm), abs(fix.y_mm)) > self._half_mm + _OUTSIDE_MM:
            self.clear()  # it was carried away, or the way over the board would have been seen
            return None
        reach = self._places.striker_mm + HAND_REACH_MM
        hand = cover.at(fix.x_mm, fix.y_mm, reach) > 0.0
        pace = off / max(fix.t_s - placed.t_s, 1e-3)
        if hand:
            self._free_fixes = 0
            return self._launched(placed) if _slips(striker, placed.t_s) else None
        self._free_fixes += 1
        fast = pace >= _FLICK_MM_S or (self._free_fixes >= 2 and striker.speed_mm_s >= _FREE_MM_S)
        if pace >= _HAND_MM_S or (fast and _slows(striker, placed.t_s)):
            return self._launched(placed)
        return None

    def _launched(self, placed: Placed) -> Launch:
        self.clear()
        return Launch(placed, placed.t_s)


def _slows(striker: Track, since_s: float) -> bool:
    """Whether it lost speed between its last fixes, as what slides does; a hand that carries it
    away gains speed."""
    way = [fix for fix in striker.fixes if fix.t_s > since_s][-3:]
    if len(way) < 3:
        return False
    steps = [
        (hypot(b.x_mm - a.x_mm, b.y_mm - a.y_mm), max(b.t_s - a.t_s, 1e-3))
        for a, b in pairwise(way)
    ]
    (first, dt), (second, last_dt) = steps
    return second / last_dt <= (first + _NOISE_MM) / dt


def _slips(striker: Track, since_s: float) -> bool:
    """Whether it slides beside a hand: seen whole, fast from the first and slower ever after. A
    finger that adjusts it lies on it, and starts softly (SE-12)."""
    way = [fix for fix in striker.fixes if fix.t_s > since_s]
    if not _SLIP_FIXES <= len(way) <= 3 * _SLIP_FIXES or any(f.visible < _WHOLE for f in way):
        return False
    speeds = [
        hypot(b.x_mm - a.x_mm, b.y_mm - a.y_mm) / max(b.t_s - a.t_s, 1e-3) for a, b in pairwise(way)
    ]
    slack = _NOISE_MM * len(speeds) / max(way[-1].t_s - way[0].t_s, 1e-3)
    if speeds[0] < _SLIP_MM_S or any(b > a + slack for a, b in pairwise(speeds)):
        return False
    return speeds[-1] < 0.75 * speeds[0]
