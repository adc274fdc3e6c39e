"""Believe a calibration only when the board has been still for a while."""

import numpy as np

from vision.arrays import Array
from vision.pose import square
from vision.seen import BoardSeen

__all__ = ["SteadyGate", "moved_mm"]


def moved_mm(before: BoardSeen, after: BoardSeen) -> float:
    """How far the farthest corner went on the board plane between two sightings, mm.

    Both must be of pictures of one size; the numbering of the corners may differ by quarter turns.
    """
    then = np.array(before.corners_px)
    turns = [np.roll(np.array(after.corners_px), k, axis=0) for k in range(4)]
    away = [np.linalg.norm(turn - then, axis=1) for turn in turns]
    best = turns[int(np.argmin([float(a.max()) for a in away]))]
    places = before.camera.px_to_board(best)
    return float(np.linalg.norm(places - square(before.half_mm), axis=1).max())


class SteadyGate:
    """Holds the sightings of the last frames; gives one when all agree.

    ``frames``: how many in a row; ``within_mm``: how far any corner may wander among them;
    ``least``: confidence below which a sighting does not count.
    """

    def __init__(self, *, frames: int = 5, within_mm: float = 2.0, least: float = 0.3) -> None:
        self.frames, self.within_mm, self.least = frames, within_mm, least
        self._kept: list[BoardSeen] = []

    @property
    def progress(self) -> float:
        """Share of the frames that agree so far, 0 to 1."""
        return min(1.0, len(self._kept) / self.frames)

    def offer(self, board: BoardSeen | None) -> BoardSeen | None:
        """Take the sighting of one more frame; the best of all once they agree, else ``None``.

        No board, a weak one, another kind, another size of picture or a move start anew.
        """
        if board is None or board.confidence < self.least:
            self._kept.clear()
            return None
        if self._kept and not self._agrees(board):
            self._kept.clear()
        self._kept.append(board)
        del self._kept[: -self.frames]
        if len(self._kept) < self.frames:
            return None
        middle = np.median([_flat(seen) for seen in self._kept], axis=0)
        away = [float(np.abs(_flat(seen) - middle).max()) for seen in self._kept]
        best = [seen.confidence - 0.02 * off for seen, off in zip(self._kept, away, strict=True)]
        return self._kept[int(np.argmax(best))]

    def _agrees(self, board: BoardSeen) -> bool:
        first = self._kept[0]
        size = (board.camera.width_px, board.camera.height_px)
        if board.family is not first.family or size != (
            first.camera.width_px,
            first.camera.height_px,
        ):
            return False
        return all(moved_mm(seen, board) <= self.within_mm for seen in self._kept)


def _flat(board: BoardSeen) -> Array:
    return np.array(board.corners_px).ravel()
