"""Which places of a view are under hands, and which lately were."""

from __future__ import annotations

from math import cos, floor, pi, sin

import numpy as np

from vision.arrays import Array
from vision.board_crop import CROP_MARGIN
from vision.table_view import CELLS

__all__ = ["CoverMap", "HandTimes"]

_RING = tuple(
    (reach * cos(turn * pi / 4), reach * sin(turn * pi / 4))
    for reach in (0.0, 0.5, 0.9)
    for turn in range(8)
)


class CoverMap:
    """(16, 16) bool cells over the crop of a board of ``half_mm``, asked in mm."""

    def __init__(self, half_mm: float, cells: Array) -> None:
        self._side_mm = 2.0 * half_mm * CROP_MARGIN / CELLS
        self._edge_mm = half_mm * CROP_MARGIN
        rows, columns = np.nonzero(cells)
        self.any = len(rows) > 0
        if not self.any:
            return
        self._cells: list[list[bool]] = cells.tolist()
        self._west_mm = columns.min() * self._side_mm - self._edge_mm
        self._east_mm = (columns.max() + 1) * self._side_mm - self._edge_mm
        self._north_mm = self._edge_mm - rows.min() * self._side_mm
        self._south_mm = self._edge_mm - (rows.max() + 1) * self._side_mm

    @property
    def cells(self) -> Array:
        """(16, 16) bool, row 0 at the north."""
        if not self.any:
            return np.zeros((CELLS, CELLS), dtype=np.bool_)
        return np.array(self._cells, dtype=np.bool_)

    def at(self, x_mm: float, y_mm: float, radius_mm: float = 0.0) -> float:
        """Share of a circle in cells that are marked, 0 to 1."""
        if not self.any or not (
            self._west_mm - radius_mm <= x_mm <= self._east_mm + radius_mm
            and self._south_mm - radius_mm <= y_mm <= self._north_mm + radius_mm
        ):
            return 0.0
        hits = 0
        for across, up in _RING:
            column = floor((x_mm + across * radius_mm + self._edge_mm) / self._side_mm)
            row = floor((self._edge_mm - y_mm - up * radius_mm) / self._side_mm)
            if 0 <= column < CELLS and 0 <= row < CELLS:
                hits += self._cells[row][column]
        return hits / len(_RING)


class HandTimes:
    """When a hand was last over, or beside, each place of a board of ``half_mm``."""

    def __init__(self, half_mm: float) -> None:
        self._side_mm = 2.0 * half_mm * CROP_MARGIN / CELLS
        self._edge_mm = half_mm * CROP_MARGIN
        self._last_s = np.full((CELLS, CELLS), -np.inf)

    def note(self, t_s: float, cover: CoverMap) -> None:
        """Take a view's hands."""
        self._last_s[cover.cells] = t_s

    def at(self, x_mm: float, y_mm: float) -> float:
        """The last time in the cell of (x, y) or one beside it; minus infinity: never."""
        column = floor((x_mm + self._edge_mm) / self._side_mm)
        row = floor((self._edge_mm - y_mm) / self._side_mm)
        part = self._last_s[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
        return float(part.max()) if part.size else float("-inf")
