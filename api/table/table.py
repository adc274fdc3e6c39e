"""What the pages, the command line and the tests ask of a table (`docs/protocol.md`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from vision.arrays import Array

__all__ = ["LiveItem", "Subscription", "Table"]


@dataclass(frozen=True, slots=True, eq=False)
class LiveItem:
    """The newest of the table. ``seq``: number of the frame, or of the change without one;
    ``image_bgr``: (h, w, 3) uint8, shared by all who subscribe: nobody writes on it;
    ``table``, ``snapshot`` (only when it has changed since this subscriber's last), ``say``: as in
    the protocol."""

    seq: int
    t_s: float
    image_bgr: Array | None
    table: Mapping[str, Any]
    snapshot: Mapping[str, Any] | None = None
    say: Sequence[Mapping[str, Any]] = ()


class Subscription(Protocol):
    """One viewer's place at the table. It holds the newest only: a slow viewer misses frames, never
    changes, and holds nobody up."""

    def next(self, timeout_s: float) -> LiveItem | None:
        """The newest item not yet taken; ``None`` when nothing came in time or all is closed."""
        ...

    def close(self) -> None:
        """Leave."""
        ...


class Table(Protocol):
    """One table: camera, pipeline, match, advice. Safe for several threads.

    Plain data in and out, as the protocol describes it. Commands that cannot be meant raise a
    ``CarromError``; those that come too late raise ``ConflictError`` (``api.table.conflict``).
    """

    def snapshot(self) -> dict[str, Any]:
        """The whole state of the table."""
        ...

    def command(self, data: Mapping[str, Any], *, actor: str) -> dict[str, Any]:
        """Carry out one command; ``actor``: who said so, for the log."""
        ...

    def subscribe(self) -> Subscription:
        """A new viewer's place; its first item holds a whole snapshot."""
        ...

    def new_match(self, data: Mapping[str, Any]) -> str:
        """Begin a match and make it the table's; its id."""
        ...

    def resume_match(self, match_id: str) -> None:
        """Make a stored match the table's."""
        ...

    def delete_match(self, match_id: str) -> None:
        """Remove a stored match; not the one that is being played."""
        ...

    def matches(self) -> list[dict[str, Any]]:
        """All stored matches, the latest first."""
        ...

    def export(self, match_id: str, form: str) -> bytes:
        """A match as ``json``, ``csv``, ``sol`` or ``html`` (the score sheet)."""
        ...

    def strokes(self) -> list[dict[str, Any]]:
        """Every call of the match that is played."""
        ...

    def stroke(self, number: int) -> dict[str, Any]:
        """One stroke with its facts, doubts and likely corrections."""
        ...

    def replay(self, number: int) -> dict[str, Any]:
        """The frames kept of a stroke."""
        ...

    def replay_jpeg(self, number: int, index: int) -> bytes:
        """One of them."""
        ...

    def clip(self, number: int) -> Path:
        """An mp4 of a stroke with the overlay burnt in."""
        ...

    def cameras(self) -> list[dict[str, Any]]:
        """Cameras that can be chosen."""
        ...

    def open_camera(self, source: str) -> None:
        """Use a source; returns at once, the snapshot tells how it went."""
        ...

    def close_camera(self) -> None:
        """Let go of the source."""
        ...

    def calibrate(
        self, corners_px: Sequence[tuple[float, float]] | None = None, *, turn: int = 0
    ) -> None:
        """Find the board again, or take it to be at these corners; ``turn``: by quarters."""
        ...

    def push_frame(self, jpeg: bytes, *, taken_ms: float | None = None) -> None:
        """A frame from a phone, if that is the source."""
        ...

    def close(self) -> None:
        """Let go of everything within two seconds; nothing that happened is lost."""
        ...
