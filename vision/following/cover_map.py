"""Which places of a view are under hands."""

from __future__ import annotations

import numpy as np

from vision.arrays import Array
from vision.board_crop import CROP_MARGIN
from vision.table_view import CELLS

__all__ = ["CoverMap"]

_RING = np.array(
    [[r * np.cos(a), r * np.sin(a)] for r in (0.0, 0.5, 0.9) for a in np.arange(8) * (np.pi / 4)]
)


class CoverMap:
    """(16, 16) bool cells over the crop of a board of ``half_mm``, asked in mm."""

    def __init__(self, half_mm: float, cells: Array) -> None:
        self._cells = cells
        self._side_mm = 2.0 * half_mm * CROP_MARGIN / CELLS
        self._edge_mm = half_mm * CROP_MARGIN
        self.any = bool(cells.any())

    def at(self, x_mm: float, y_mm: float, radius_mm: float = 0.0) -> float:
        """Share of a circle in cells that are marked, 0 to 1."""
        if not self.any:
            return 0.0
        points = _RING * radius_mm + (x_mm, y_mm)
        column = np.floor((points[:, 0] + self._edge_mm) / self._side_mm).astype(int)
        row = np.floor((self._edge_mm - points[:, 1]) / self._side_mm).astype(int)
        inside = (column >= 0) & (column < CELLS) & (row >= 0) & (row < CELLS)
        hit = self._cells[row.clip(0, CELLS - 1), column.clip(0, CELLS - 1)] & inside
        return float(hit.mean())
