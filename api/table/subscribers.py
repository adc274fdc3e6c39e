"""Viewers of a table: each holds the newest only, and none can hold up the table."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from api.table.table import LiveItem
from vision.arrays import Array

__all__ = ["Subscribers"]


@dataclass(eq=False)
class _Place:
    """One viewer. What is said is kept until it is taken; pictures are not."""

    owner: Subscribers
    seq_taken: int = -1
    rev_taken: int = -1
    said: list[Mapping[str, Any]] = field(default_factory=list)
    closed: bool = False

    def next(self, timeout_s: float) -> LiveItem | None:
        """The newest item not yet taken."""
        return self.owner.next_for(self, timeout_s)

    def close(self) -> None:
        """Leave."""
        self.owner.leave(self)


class Subscribers:
    """Hands out what is newest. ``snapshot``: makes the whole state, called only when it has
    changed since a viewer's last."""

    def __init__(self, snapshot: Callable[[], dict[str, Any]]) -> None:
        self._snapshot = snapshot
        self._wake = threading.Condition()
        self._places: list[_Place] = []
        self._seq, self._rev, self._t_s = 0, 0, 0.0
        self._image: Array | None = None
        self._table: Mapping[str, Any] = {}
        self._made: tuple[int, dict[str, Any]] | None = None
        self._closed = False

    @property
    def count(self) -> int:
        """Viewers now."""
        return len(self._places)

    @property
    def rev(self) -> int:
        """Counts changes of the snapshot."""
        return self._rev

    def join(self) -> _Place:
        """A new viewer's place."""
        place = _Place(self)
        with self._wake:
            self._places.append(place)
        return place

    def leave(self, place: _Place) -> None:
        """Free a place; its viewer gets nothing more."""
        with self._wake:
            place.closed = True
            if place in self._places:
                self._places.remove(place)
            self._wake.notify_all()

    def show(self, t_s: float, image: Array | None, table: Mapping[str, Any]) -> None:
        """A new frame, or the table as it is now without one."""
        with self._wake:
            self._seq += 1
            self._t_s, self._image, self._table = t_s, image, table
            self._wake.notify_all()

    def changed(self, say: Sequence[Mapping[str, Any]] = ()) -> None:
        """The snapshot is another one; ``say``: what is to be spoken."""
        with self._wake:
            self._rev += 1
            self._seq += 1
            for place in self._places:
                place.said.extend(say)
                del place.said[:-20]
            self._wake.notify_all()

    def next_for(self, place: _Place, timeout_s: float) -> LiveItem | None:
        """Wait for something that this viewer has not taken."""
        with self._wake:
            self._wake.wait_for(
                lambda: self._closed or place.closed or place.seq_taken < self._seq
                or place.rev_taken < self._rev,
                timeout_s,
            )  # fmt: skip
            if self._closed or place.closed:
                return None
            fresh = place.rev_taken < self._rev
            if not fresh and place.seq_taken >= self._seq:
                return None
            place.seq_taken, rev = self._seq, self._rev
            said, place.said = tuple(place.said), []
            item = (self._seq, self._t_s, self._image, self._table)
        snapshot = self._of(rev) if fresh or place.rev_taken < 0 else None
        place.rev_taken = rev
        return LiveItem(*item, snapshot, said)

    def _of(self, rev: int) -> dict[str, Any]:
        made = self._made
        if made is None or made[0] != rev:
            made = (rev, self._snapshot())
            self._made = made
        return made[1]

    def close(self) -> None:
        """Send everybody away."""
        with self._wake:
            self._closed = True
            self._wake.notify_all()
