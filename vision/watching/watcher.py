"""Frames of a calibrated table to views: what changed, what is covered, where the discs lie.

A view costs a few milliseconds where nothing moves. The discs are looked at in every frame while
discs move (``LookPlan``), ten to fifteen times a second while only hands do, five times in the
first half second of a rest, then twice a second.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import Protocol

import numpy as np

from carrom.board_spec import BoardSpec
from vision.arrays import Array
from vision.discs_seen import DiscsSeen
from vision.frames import Frame
from vision.opening import learned_from_opening
from vision.palette import Palette
from vision.seen import BoardSeen, DiscSeen
from vision.table_view import CELLS, Look, TableView
from vision.watching.change_map import ChangeMap
from vision.watching.look_plan import LookPlan
from vision.watching.masks import Mask, unmasked
from vision.watching.nudge_watch import NudgeWatch, NudgeWord
from vision.watching.print_memory import false_places
from vision.watching.rounding import rounded, rounded_s

__all__ = ["DiscLooker", "Mask", "Watcher"]

_DARK_LEVEL = 9.0
_COVERED_SHARE = 0.5
_RENEW_S = 5.0
"""How long a reference of the empty-handed board is kept while none can be taken."""
_STILL_S = 0.25
"""Rest after which the board may serve as a reference."""
_MOVED_MM = 5.0
"""Two looks at a disc at rest agree within this."""
_LEAST_MEN = 0.85
_LEARN_S = 2.0
"""The opening is looked for, and the palette follows, no more often."""


_FIRM = 0.8
"""What flickers below it has not moved."""


class DiscLooker(Protocol):
    """Finds the discs (``vision.detector.Detector``)."""

    def look(
        self,
        image_bgr: Array,
        board: BoardSeen,
        *,
        spec: BoardSpec | None = None,
        palette: Palette | None = None,
        reference: DiscsSeen | None = None,
    ) -> DiscsSeen:
        """The discs of a picture."""
        ...


class Watcher:
    """Watches one board from one place.

    ``first_bgr``: the picture in which ``board`` was found. ``every``: look at every frame.
    """

    def __init__(
        self,
        looker: DiscLooker,
        board: BoardSeen,
        spec: BoardSpec,
        first_bgr: Array,
        *,
        palette: Palette | None = None,
        every: bool = False,
    ) -> None:
        self.board, self.spec, self.palette = board, spec, palette
        self.masks: list[Mask] = []
        self.warnings: tuple[str, ...] = ()
        """What the last look had to say, for people."""
        self.dark = False
        """Whether the last frame was too dark, or one even tone."""
        self.nudge = NudgeWord()
        """Whether the board still lies where it was calibrated, as of the last frame."""
        self._looker = looker
        self._changes = ChangeMap(board.camera, board.half_mm)
        self._plan = LookPlan(every=every)
        self._nudges = NudgeWatch(first_bgr, board)
        self._covered: Array = np.zeros((CELLS, CELLS), dtype=np.bool_)
        self._reference: DiscsSeen | None = None
        self._reference_s = self._learned_s = -1e9
        self._still_from_s: float | None = None
        self._discs: tuple[DiscSeen, ...] = ()
        self._false: tuple[Mask, ...] = ()

    def view(self, frame: Frame, *, anew: bool = False) -> TableView:
        """The view of a frame of the size that was calibrated; ``anew``: passed on."""
        t_s = rounded_s(frame.t_s)
        if frame.damaged:  # what it shows is not compared with anything
            return TableView(t_s, frame.seq, None, self._covered.copy(), usable=False, anew=anew)
        if frame.rejoined:
            self._changes.forget()
        changed = self._changes.look(frame.image_bgr)
        self.dark = self._changes.level < _DARK_LEVEL or self._changes.flat
        if self._changes.stirs or self._still_from_s is None:
            self._still_from_s = t_s
        if self._changes.light_changed:
            self._reference = None  # it was taken in another light
        usable = not (self.dark or frame.frozen)
        if usable:
            still_s = t_s - self._still_from_s
            self.nudge = self._nudges.look(frame.image_bgr, t_s, changed, still_s=still_s)
            usable = self.nudge.trusted
        look = None
        if usable and self._plan.due(t_s, changed, self._covered):
            look = self._look(frame, t_s)
            self._changes.mark()
            if _moved(self._discs, look.discs):
                self._plan.saw_motion(t_s)
            self._discs = look.discs
        return TableView(t_s, frame.seq, look, self._covered.copy(), changed, usable, anew)

    def _look(self, frame: Frame, t_s: float) -> Look:
        if t_s - self._reference_s > _RENEW_S:
            self._reference = None
        seen = self._looker.look(
            frame.image_bgr,
            self.board,
            spec=self.spec,
            palette=self.palette,
            reference=self._reference,
        )
        self._covered = _cells(seen.covered.share)
        self.warnings = seen.warnings
        assert self._still_from_s is not None
        if not self._covered.any() and t_s - self._still_from_s >= _STILL_S:
            self._reference, self._reference_s = seen, t_s
            self._learn(seen, t_s)
        masks = [*self.masks, *self._false]
        return Look(
            tuple(map(rounded, unmasked(seen.discs, masks))),
            tuple(map(rounded, unmasked(seen.doubtful, masks))),
        )

    def _learn(self, seen: DiscsSeen, t_s: float) -> None:
        """The opening layout teaches this set's colours; later looks at rest follow the light."""
        if t_s - self._learned_s < _LEARN_S:
            return
        self._learned_s = t_s
        if len(seen.discs) >= _LEAST_MEN * sum(self.spec.pieces.values()):
            learned = learned_from_opening(seen, self.spec, self.palette)
            if learned is not None:
                self.palette = learned
                self._false = false_places(seen, self.spec)
                return
        if self.palette is not None and seen.discs:
            self.palette = self.palette.followed_by(seen.discs, seen.features)


def _cells(share: Array) -> Array:
    """(16, 16) bool: cells more than half covered, of a finer map of shares."""
    side = share.shape[0] // CELLS
    out: Array = share.reshape(CELLS, side, CELLS, side).mean(axis=(1, 3)) >= _COVERED_SHARE
    return out


def _moved(before: Sequence[DiscSeen], now: Sequence[DiscSeen]) -> bool:
    """Whether a disc lies where none lay in the look before."""
    return any(
        all(hypot(disc.x_mm - old.x_mm, disc.y_mm - old.y_mm) > _MOVED_MM for old in before)
        for disc in now
        if disc.confidence >= _FIRM
    )
