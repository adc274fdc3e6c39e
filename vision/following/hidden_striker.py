"""A striker half under the hand that aims it, which the eyes take for one man too many.

Of a disc that shows a crescent between two fingers no look can tell that it is a striker. What lies
where strikers are struck from, beside a hand, is none of the discs of the record and stays there is
one all the same, if no other striker lies on the board.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import hypot

from carrom.seats import Seat
from vision.following.cover_map import CoverMap
from vision.following.launch import HAND_REACH_MM, Placed
from vision.following.rest import RestDisc
from vision.following.striking_place import StrikingPlaces
from vision.seen import DiscSeen, Place
from vision.table_view import Look

__all__ = ["HIDDEN_TRACK", "HiddenStriker"]

HIDDEN_TRACK = -1
"""The number of its track: it has none."""
_SAME_MM, _RECORD_MM = 7.0, 20.0
_SIGHTINGS, _STILL_S, _FORGOTTEN_S = 4, 0.35, 1.2


class HiddenStriker:
    """Watches what is doubtful beside hands between strokes."""

    def __init__(self, places: StrikingPlaces, seats: Collection[Seat]) -> None:
        self._places, self._seats = places, frozenset(seats)
        self._at: tuple[float, float] | None = None
        self._since_s = self._last_s = -1e9
        self._count = 0

    def clear(self) -> None:
        """A stroke has begun, or a striker is seen."""
        self._at, self._count = None, 0

    def look(
        self, t_s: float, look: Look, record: Sequence[RestDisc], cover: CoverMap
    ) -> Placed | None:
        """Take a look that shows no striker on the board; the placement, once it is believed."""
        if self._at is not None and t_s - self._last_s > _FORGOTTEN_S:
            self.clear()
        found = [
            disc for disc in (*look.discs, *look.doubtful) if self._can_be(disc, record, cover)
        ]
        if not found:
            return None
        x, y = self._at if self._at is not None else (found[0].x_mm, found[0].y_mm)
        disc = min(found, key=lambda d: hypot(d.x_mm - x, d.y_mm - y))
        if self._at is None or hypot(disc.x_mm - x, disc.y_mm - y) > _SAME_MM:
            self._at, self._since_s, self._count = (disc.x_mm, disc.y_mm), t_s, 0
        self._count += 1
        self._last_s = t_s
        share = 1.0 / min(self._count, 8)
        x, y = self._at
        self._at = (x + share * (disc.x_mm - x), y + share * (disc.y_mm - y))
        if self._count < _SIGHTINGS or t_s - self._since_s < _STILL_S:
            return None
        seat = self._places.seat_of(*self._at)
        assert seat is not None
        return Placed(seat, *self._at, self._since_s, t_s, HIDDEN_TRACK)

    def _can_be(self, disc: DiscSeen, record: Sequence[RestDisc], cover: CoverMap) -> bool:
        if disc.place is not Place.SURFACE:
            return False
        x, y = disc.x_mm, disc.y_mm
        if self._places.seat_of(x, y) not in self._seats:
            return False
        if not cover.at(x, y, self._places.striker_mm + HAND_REACH_MM):
            return False
        return all(hypot(x - old.x_mm, y - old.y_mm) > _RECORD_MM for old in record)
