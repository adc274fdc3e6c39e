"""Looks for the board until it is found: where it was, where a person says it is, or anywhere.

A search costs about a second, so it is not made in every frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from carrom.board_spec import BoardFamily
from carrom.errors import CalibrationError, PictureError
from vision.arrays import Array
from vision.board_finder import Found
from vision.calibration import SURE, calibrate_by_hand, still_there
from vision.frames import Frame
from vision.seen import BoardSeen
from vision.steady_gate import SteadyGate
from vision.watching.board_turn import nearest_turn, turned

__all__ = ["BoardSearch", "Finder"]

_SEARCH_S = 0.4
_GATE_FRAMES, _GATE_MM = 3, 2.5
_SAME_MM = 2.0
"""Two calibrations of one board differ by up to so much (fixture clips); it has not been moved."""
_NEAR_MM, _AS_SURE = 25.0, 0.7
"""How far it may have gone, and how much of its confidence it must keep, to be found where it was.
"""


class Finder(Protocol):
    """Finds the board (``vision.board_finder.BoardFinder``)."""

    def find(self, image_bgr: Array) -> Found:
        """The board of a picture, or the reasons why there is none."""
        ...


class BoardSearch:
    """One search. ``family``: of the board, which a person knows better than a picture.

    ``turn``: quarters by which South is turned (``turned``). ``known``: a calibration, saved or of
    before the board was moved; it keeps its South. ``corners_px``: where a person says the corners
    of the surface are, in any order.
    """

    def __init__(
        self,
        finder: Finder,
        family: BoardFamily,
        *,
        turn: int = 0,
        known: BoardSeen | None = None,
        corners_px: Sequence[tuple[float, float]] | None = None,
    ) -> None:
        self._finder, self._family, self._turn = finder, family, turn
        self._known = known if known is not None and known.family is family else None
        self._corners = corners_px
        self._gate = SteadyGate(frames=_GATE_FRAMES, within_mm=_GATE_MM)
        self._searched_s: float | None = None
        self.reasons: tuple[str, ...] = ()
        """Why there is no board yet, for people."""

    @property
    def progress(self) -> float:
        """Share of the sightings that agree so far, 0 to 1."""
        return self._gate.progress

    def step(self, frame: Frame) -> BoardSeen | None:
        """Look at a frame, if it is time to; the board once it is certain."""
        if frame.damaged:
            return None
        if self._searched_s is not None and 0.0 <= frame.t_s - self._searched_s < _SEARCH_S:
            return None
        self._searched_s = frame.t_s
        if self._corners is not None:
            return self._by_hand(frame.image_bgr)
        return self._where_it_was(frame.image_bgr) or self._anywhere(frame.image_bgr)

    def _by_hand(self, image_bgr: Array) -> BoardSeen | None:
        """At the corners clicked; as they are where no edge backs them."""
        corners, self._corners = self._corners, None
        assert corners is not None
        for to_edges in (True, False):
            try:
                board = calibrate_by_hand(image_bgr, corners, self._family, to_edges=to_edges)
            except CalibrationError as error:
                self.reasons = (str(error),)
            else:
                return turned(board, self._turn)
        return None

    def _where_it_was(self, image_bgr: Array) -> BoardSeen | None:
        known = self._known
        if known is None or not _same_size(image_bgr, known):
            return None
        try:
            away, board = still_there(image_bgr, known)
        except CalibrationError:
            return None
        if board.confidence < min(SURE, _AS_SURE * known.confidence) or away > _NEAR_MM:
            return None  # edges of something else
        return known if away < _SAME_MM else board

    def _anywhere(self, image_bgr: Array) -> BoardSeen | None:
        try:
            found = self._finder.find(image_bgr)
        except PictureError as error:
            found = Found(None, (str(error),))
        self.reasons, board = found.reasons, found.board
        if board is not None and board.family is not self._family:
            try:
                board = calibrate_by_hand(image_bgr, board.corners_px, self._family)
            except CalibrationError as error:
                self.reasons, board = (str(error),), None
        if board is None:
            return self._gate.offer(None)
        if self._known is None:
            return self._gate.offer(turned(board, self._turn))
        return self._gate.offer(nearest_turn(board, self._known))


def _same_size(image_bgr: Array, board: BoardSeen) -> bool:
    size: tuple[int, ...] = np.shape(image_bgr)[:2]
    return size == (board.camera.height_px, board.camera.width_px)
