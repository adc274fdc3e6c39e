"""What the eyes saw of the table in one frame: the input of everything that follows motion.

Plain data that is written to a trace and read back exactly, so that a match can be followed again
without its video.
"""

from dataclasses import dataclass, field

import numpy as np

from vision.arrays import Array
from vision.seen import DiscSeen

__all__ = ["CELLS", "Look", "TableView"]

CELLS = 16
"""Cells to a side of the board's crop (``vision.board_crop``), row 0 at the north."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a full look at the discs found. ``discs``: there more likely than not; ``doubtful``:
    the rest. Places are feet in the board frame (mm)."""

    discs: tuple[DiscSeen, ...] = ()
    doubtful: tuple[DiscSeen, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class TableView:
    """One frame. ``look`` is ``None`` where nothing had changed enough to look again: the discs lie
    as they lay.

    ``covered``: (16, 16) bool, cells that hands or arms cover. ``changed``: (16, 16) bool, cells
    that differ from the frame before by more than noise and light. ``usable``: False for a frame
    that is damaged, dark, or shows a board that has been moved; then nothing in it counts.
    ``anew``: the board was calibrated anew just before this frame; where discs lay by the old
    calibration says nothing any more.
    """

    t_s: float
    seq: int
    look: Look | None = None
    covered: Array = field(default_factory=lambda: np.zeros((CELLS, CELLS), dtype=np.bool_))
    changed: Array = field(default_factory=lambda: np.zeros((CELLS, CELLS), dtype=np.bool_))
    usable: bool = True
    anew: bool = False
