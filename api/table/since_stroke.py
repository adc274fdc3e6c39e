"""What happened on the board since a stroke: put back, taken off, pushed aside (from notes)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import hypot
from typing import Any

from carrom.pieces import PieceKind
from carrom.position import Disc
from carrom.seats import Seat

__all__ = ["Put", "SinceStroke"]


@dataclass(frozen=True, slots=True)
class Put:
    """A disc that was put on the board by hand, mm; ``seat``: whose hand, if that was certain."""

    piece: PieceKind
    x_mm: float
    y_mm: float
    seat: Seat | None = None


@dataclass(slots=True)
class SinceStroke:
    """Of one stroke, or of the time before the first. ``moved``: pairs of discs, from and to, that
    were pushed aside; ``continued``: a person said to go on although board and record differ."""

    puts: list[Put] = field(default_factory=list)
    moved: tuple[tuple[Disc, Disc], ...] = ()
    continued: bool = False

    def take(self, note: Mapping[str, Any]) -> None:
        """Add one note of the log."""
        if "returned" in note:
            seat = note.get("seat")
            x_mm, y_mm = note.get("at", (0.0, 0.0))
            put = Put(PieceKind(note["returned"]), x_mm, y_mm, None if seat is None else Seat(seat))
            self.puts.append(put)
        if "taken_off" in note:
            self._take_off(PieceKind(note["taken_off"]), *note.get("at", (0.0, 0.0)))
        if "disturbed" in note:
            self.moved = tuple(
                (Disc(PieceKind(kind), x0, y0), Disc(PieceKind(kind), x1, y1))
                for kind, x0, y0, x1, y1 in note["disturbed"]
            )
        self.continued = note.get("continued", self.continued)

    def _take_off(self, piece: PieceKind, x_mm: float, y_mm: float) -> None:
        same = [put for put in self.puts if put.piece is piece]
        if same:
            nearest = min(same, key=lambda put: hypot(put.x_mm - x_mm, put.y_mm - y_mm))
            self.puts.remove(nearest)

    def count(self, piece: PieceKind) -> int:
        """How many of a kind have been put back and are still there."""
        return sum(put.piece is piece for put in self.puts)
