"""What a break is likely to do, looked up in a book that was computed offline.

No rule for rigid discs can be trusted in a pack that touches, so the book comes from the soft
contact model (``sim.physics.soft_contact``), in which CONTACT TIME AND RESTITUTION ARE ASSUMED,
not measured: read the numbers as "about so often", never as a drawn path. What that means: a break
of 6.5 m/s from the middle of the base lines pockets 2.1 men with the book's 100 us and 0.1 mm of
jitter, 2.0 with 80 us, 1.9 with 150 us, 1.9 with 0.03 mm and 1.7 with 0.3 mm (200 breaks each, all
+- 0.1). The standard errors given here contain none of this.

A cell of the book stands for its neighbourhood: each of its breaks has another rack (normal jitter
of every piece, then room for all) and a slightly other stroke, as its recipe says.
``python -m sim.physics.build_break_book`` makes the book.
"""

import functools
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from carrom.board_marks import seat_rotation_rad, to_seat_frame
from carrom.board_spec import BoardFamily, BoardSpec
from carrom.errors import SchemaError
from carrom.layouts import castle_layout, circle_layout, ring_layout
from carrom.pieces import PieceKind
from carrom.position import Position
from carrom.stroke import Stroke

__all__ = [
    "BOOK_PATH",
    "BreakBook",
    "BreakCell",
    "BreakStatistics",
    "Rack",
    "break_statistics",
    "load_break_book",
    "save_break_book",
]

BOOK_PATH = Path(__file__).with_name("break_book.json")

_REACH_MM = 40.0
_REACH_RAD = 0.08
_REACH_SPEED = 0.35
"""How far from a cell a stroke may be and still be described by it: placement, angle, and the
difference of speeds over that of the cell."""


class Rack(StrEnum):
    """An opening layout (``carrom.layouts``)."""

    RING = "ring"
    CIRCLE = "circle"
    CASTLE = "castle"

    @property
    def family(self) -> BoardFamily:
        """The game that opens with it."""
        return BoardFamily.ICF if self is Rack.RING else BoardFamily.HIKONE

    def position(self, board: BoardSpec, rotation_rad: float = 0.0) -> Position:
        """The exact layout on a board of its family; raises ``BoardError`` for the other one."""
        return _LAYOUTS[self](board, rotation_rad)


_LAYOUTS = {Rack.RING: ring_layout, Rack.CIRCLE: circle_layout, Rack.CASTLE: castle_layout}


@dataclass(frozen=True, slots=True)
class BreakCell:
    """Which break: the mean stroke in the striking player's seat frame, at a rack unturned there.

    Mirror images count as the same break, so ``x_mm`` is never negative.
    """

    rack: Rack
    x_mm: float
    y_mm: float
    angle_rad: float
    speed_mm_s: float


@dataclass(frozen=True, slots=True)
class BreakStatistics:
    """What ``breaks`` simulated breaks of one cell did.

    ``pocketed``: how many breaks pocketed 0, 1, 2 … pieces (the striker does not count);
    ``by_kind``: pieces of each kind pocketed in all breaks together; ``striker_pocketed``: breaks
    in which the striker fell; ``scatter_mm``: mean over breaks of the root mean square distance
    of the pieces left from the centre of the board (``rack_scatter_mm``: before the break).
    """

    cell: BreakCell
    breaks: int
    pocketed: tuple[int, ...]
    by_kind: Mapping[PieceKind, int]
    striker_pocketed: int
    scatter_mm: float
    rack_scatter_mm: float

    @property
    def mean_pocketed(self) -> float:
        """Pieces pocketed a break."""
        return sum(k * count for k, count in enumerate(self.pocketed)) / self.breaks

    @property
    def mean_pocketed_error(self) -> float:
        """Standard error of ``mean_pocketed`` from the number of breaks alone."""
        square = sum(k * k * count for k, count in enumerate(self.pocketed)) / self.breaks
        return math.sqrt(max(square - self.mean_pocketed**2, 0.0) / self.breaks)

    @property
    def striker_chance(self) -> float:
        """Share of breaks in which the striker was pocketed."""
        return self.striker_pocketed / self.breaks

    def chance_of_at_least(self, pieces: int) -> float:
        """Share of breaks that pocketed so many pieces or more."""
        return sum(self.pocketed[pieces:]) / self.breaks

    def mean_of(self, kind: PieceKind) -> float:
        """Pieces of one kind pocketed a break."""
        return self.by_kind.get(kind, 0) / self.breaks


@dataclass(frozen=True, slots=True)
class BreakBook:
    """``recipe``: everything that one needs to compute the same book again (JSON values)."""

    recipe: Mapping[str, Any]
    cells: tuple[BreakStatistics, ...]


def break_statistics(
    stroke: Stroke, board: BoardSpec, *, rack: Rack | None = None, book: BreakBook | None = None
) -> BreakStatistics | None:
    """The nearest cell, or ``None`` if the book has nothing like this stroke.

    ``rack`` ``None``: the layout of the board's own game. The book was computed for the standard
    board of the family; a slightly other size counts as the same.
    """
    layout = _own_rack(board) if rack is None else rack
    pages = load_break_book() if book is None else book
    place = to_seat_frame(stroke.seat, *stroke.placement_mm)
    angle = stroke.angle_rad - seat_rotation_rad(stroke.seat)
    best: BreakStatistics | None = None
    nearest = math.inf
    for statistics in pages.cells:
        if statistics.cell.rack is not layout:
            continue
        for x_mm, angle_rad in ((place.x_mm, angle), (-place.x_mm, math.pi - angle)):
            away = _distance(statistics.cell, x_mm, place.y_mm, angle_rad, stroke.speed_mm_s)
            if away < nearest:
                best, nearest = statistics, away
    return best


def _own_rack(board: BoardSpec) -> Rack:
    return Rack.RING if board.family is BoardFamily.ICF else Rack.CIRCLE


def _distance(
    cell: BreakCell, x_mm: float, y_mm: float, angle_rad: float, speed_mm_s: float
) -> float:
    """Distance in units of the reach of a cell; infinite beyond it."""
    shares = (
        math.hypot(x_mm - cell.x_mm, y_mm - cell.y_mm) / _REACH_MM,
        abs(math.remainder(angle_rad - cell.angle_rad, math.tau)) / _REACH_RAD,
        abs(speed_mm_s / cell.speed_mm_s - 1.0) / _REACH_SPEED,
    )
    return math.inf if max(shares) > 1.0 else math.hypot(*shares)


def load_break_book(path: Path = BOOK_PATH) -> BreakBook:
    """Read a book; kept in memory until the file changes. Raises ``SchemaError``."""
    try:
        return _load(path, path.stat().st_mtime_ns)
    except OSError as problem:
        raise SchemaError(str(path), expected="a readable file", got=str(problem)) from problem


@functools.lru_cache(maxsize=4)
def _load(path: Path, _changed_ns: int) -> BreakBook:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        cells = tuple(_statistics_of(item) for item in document["cells"])
        return BreakBook(recipe=document["recipe"], cells=cells)
    except (ValueError, KeyError, TypeError) as problem:
        raise SchemaError(str(path), expected="a break book", got=str(problem)) from problem


def save_break_book(book: BreakBook, path: Path = BOOK_PATH) -> None:
    """Write a book that ``load_break_book`` reads back as equal; one cell a line."""
    lines = ",\n".join(json.dumps(_plain(statistics)) for statistics in book.cells)
    text = f'{{"recipe": {json.dumps(dict(book.recipe))},\n"cells": [\n{lines}\n]}}\n'
    draft = path.with_suffix(".part")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)


def _plain(statistics: BreakStatistics) -> dict[str, Any]:
    cell = statistics.cell
    return {
        "rack": cell.rack.value,
        "x_mm": cell.x_mm,
        "y_mm": cell.y_mm,
        "angle_rad": cell.angle_rad,
        "speed_mm_s": cell.speed_mm_s,
        "breaks": statistics.breaks,
        "pocketed": list(statistics.pocketed),
        "by_kind": {kind.value: count for kind, count in statistics.by_kind.items()},
        "striker_pocketed": statistics.striker_pocketed,
        "scatter_mm": statistics.scatter_mm,
        "rack_scatter_mm": statistics.rack_scatter_mm,
    }


def _statistics_of(item: dict[str, Any]) -> BreakStatistics:
    statistics = BreakStatistics(
        cell=BreakCell(
            rack=Rack(item["rack"]),
            x_mm=float(item["x_mm"]),
            y_mm=float(item["y_mm"]),
            angle_rad=float(item["angle_rad"]),
            speed_mm_s=float(item["speed_mm_s"]),
        ),
        breaks=int(item["breaks"]),
        pocketed=tuple(int(count) for count in item["pocketed"]),
        by_kind={PieceKind(kind): int(count) for kind, count in item["by_kind"].items()},
        striker_pocketed=int(item["striker_pocketed"]),
        scatter_mm=float(item["scatter_mm"]),
        rack_scatter_mm=float(item["rack_scatter_mm"]),
    )
    if statistics.breaks < 1 or sum(statistics.pocketed) != statistics.breaks:
        raise ValueError(f"counts that add up to {statistics.breaks} breaks")
    return statistics
