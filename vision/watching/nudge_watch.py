"""Does the board still lie where it was calibrated? Asked often, because a nudged board looks like
a stroke that moves every disc.

A frame in which much of the board changes on three sides at once is checked before anything in it
counts; so is one frame a second. What has moved is believed once it lies still again.
"""

from __future__ import annotations

from dataclasses import dataclass

from carrom.errors import CalibrationError
from vision.arrays import Array
from vision.calibration import SURE, still_there
from vision.drift import DriftWatch
from vision.seen import BoardSeen
from vision.steady_gate import moved_mm

__all__ = ["NudgeWatch", "NudgeWord"]

_CHECK_S = 1.0
_BAND = 2
"""Cells at each side of the crop: the edge of the surface and the frame."""
_SIDES, _SIDE_SHARE, _SHARE = 3, 0.3, 0.25
"""A nudge changes so many sides, so much of each, and so much of all."""
_MOVED_MM = 2.0
"""Farther than this, places are not to be trusted. Corners found by drift are good to 0.4 mm."""
_LIES_S, _LIES_MM = 0.5, 1.0
"""A board that stays for so long within so much has come to rest, whatever hands do over it."""
_STILL_S, _BUSY_S, _VERIFY_S = 0.4, 3.0, 2.0
"""A search for the edges costs most of a second: at rest, or when there is none for too long."""
_LEAST_SEEN = 0.3
_AS_SURE = 0.7
"""How much of its confidence a board must keep to count as seen."""
_GIVE_UP = 3
"""Looks in a row, at rest, in which the edges were not where they were."""


@dataclass(frozen=True, slots=True)
class NudgeWord:
    """``trusted``: places in this frame are right. ``moved``: the board lies elsewhere, at least
    ``corner_mm`` away; calibrate anew."""

    trusted: bool = True
    moved: bool = False
    corner_mm: float = 0.0


class NudgeWatch:
    """Watches one calibrated board. ``image_bgr``: the picture that was calibrated."""

    def __init__(self, image_bgr: Array, board: BoardSeen) -> None:
        self._board = board
        self._drift = DriftWatch(image_bgr, board)
        self._checked_s: float | None = None
        self._verified_s = -1e9
        self._suspect, self._suspect_s = False, -1e9
        self._lies: tuple[float, float] | None = None
        """Since when it has been so far away: s, mm."""
        self._lost = 0

    def suspects(self, changed: Array) -> bool:
        """Whether a frame with these (16, 16) cells changed may show a board on its way."""
        if changed.mean() < _SHARE:
            return False
        bands = (changed[:_BAND], changed[-_BAND:], changed[:, :_BAND], changed[:, -_BAND:])
        return sum(float(band.mean()) >= _SIDE_SHARE for band in bands) >= _SIDES

    def look(self, image_bgr: Array, t_s: float, changed: Array, *, still_s: float) -> NudgeWord:
        """``still_s``: for how long nothing has changed on the board before this frame."""
        if self._checked_s is None:
            self._checked_s = t_s
        shaken = self.suspects(changed)
        if not (self._suspect or shaken or t_s - self._checked_s >= _CHECK_S):
            return NudgeWord()
        self._checked_s = t_s
        found = self._drift.look(image_bgr)
        away = found.corner_mm
        if found.seen < _LEAST_SEEN or not (found.known or away > _MOVED_MM):
            if shaken and not self._suspect:
                self._suspect, self._suspect_s = True, t_s
            return self._unknown(image_bgr, t_s, still_s, away)
        self._lost = 0
        if away <= _MOVED_MM:
            self._suspect, self._lies = False, None
            return NudgeWord(corner_mm=away)
        if not self._suspect:
            self._suspect, self._suspect_s = True, t_s
        if self._lies is None or abs(away - self._lies[1]) > _LIES_MM:
            self._lies = t_s, away
        lies = t_s - self._lies[0] >= _LIES_S
        return NudgeWord(trusted=False, moved=lies, corner_mm=away)

    def _unknown(self, image_bgr: Array, t_s: float, still_s: float, corner_mm: float) -> NudgeWord:
        """The sides look otherwise: hands over them, another light, or far away.

        While something moves this says nothing, and what was trusted stays trusted, unless three
        sides changed at once.
        """
        waits = still_s < _STILL_S and not (self._suspect and t_s - self._suspect_s > _BUSY_S)
        if waits or t_s - self._verified_s < _VERIFY_S:
            return NudgeWord(trusted=not self._suspect, corner_mm=corner_mm)
        self._verified_s = t_s
        try:
            _, now = still_there(image_bgr, self._board)
        except CalibrationError:
            now = None
        if now is None or now.confidence < min(SURE, _AS_SURE * self._board.confidence):
            self._lost += 1
            if not self._suspect:
                self._suspect, self._suspect_s = True, t_s
            return NudgeWord(
                trusted=False, moved=self._lost >= _GIVE_UP, corner_mm=max(corner_mm, _MOVED_MM)
            )
        self._lost = 0
        away = moved_mm(self._board, now)
        if away > _MOVED_MM:
            return NudgeWord(trusted=False, moved=True, corner_mm=away)
        self._drift = DriftWatch(image_bgr, self._board)  # the same place in a new light
        self._suspect = False
        return NudgeWord(corner_mm=away)
