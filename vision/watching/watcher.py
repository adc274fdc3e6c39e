"""Frames of a calibrated table to views: what changed, what is covered, where the discs lie.

A view costs a few milliseconds where nothing moves. The discs are looked at in every frame in which
something moves away from hands, ten times a second while hands are there, five times in the first
half second of a rest, then twice a second.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
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

__all__ = ["DiscLooker", "Mask", "Watcher", "rounded"]

_DARK_LEVEL = 9.0
_COVERED_SHARE = 0.5
_RENEW_S = 4.0
"""How long a reference of the empty-handed board is kept."""
_PLACE_DIGITS, _SHARE_DIGITS = 2, 3
_LEAST_MEN = 0.85


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


@dataclass(frozen=True, slots=True)
class Mask:
    """A place (board frame, mm) where what looks like a disc is none: a person said so."""

    x_mm: float
    y_mm: float
    radius_mm: float


class Watcher:
    """Watches one board from one place. ``every``: look at the discs in every frame."""

    def __init__(
        self,
        looker: DiscLooker,
        board: BoardSeen,
        spec: BoardSpec,
        *,
        palette: Palette | None = None,
        every: bool = False,
    ) -> None:
        self.board, self.spec, self.palette = board, spec, palette
        self.masks: list[Mask] = []
        self._looker = looker
        self._changes = ChangeMap(board.camera, board.half_mm)
        self._plan = LookPlan(every=every)
        self._covered: Array = np.zeros((CELLS, CELLS), dtype=np.bool_)
        self._reference: DiscsSeen | None = None
        self._reference_s = -1e9
        self._still_s = -1e9
        self.warnings: tuple[str, ...] = ()
        self.dark = False

    @property
    def still_since_s(self) -> float:
        """Since when nothing has changed on the board."""
        return self._still_s

    def view(self, frame: Frame) -> TableView:
        """The view of a frame of the size that was calibrated."""
        changed = self._changes.look(frame.image_bgr)
        self.dark = self._changes.level < _DARK_LEVEL
        if changed.any():
            self._still_s = frame.t_s
        if self._changes.light_changed:
            self._reference = None  # it was taken in another light
        usable = not (self.dark or frame.damaged or frame.frozen)
        look = None
        if usable and self._plan.due(frame.t_s, changed, self._covered):
            look = self._look(frame, changed)
        t_s = round(frame.t_s, 6)
        return TableView(t_s, frame.seq, look, self._covered.copy(), changed, usable)

    def _look(self, frame: Frame, changed: Array) -> Look:
        reference = self._reference
        if reference is not None and frame.t_s - self._reference_s > _RENEW_S:
            reference = None
        seen = self._looker.look(
            frame.image_bgr,
            self.board,
            spec=self.spec,
            palette=self.palette,
            reference=reference if changed.any() else None,
        )
        share = seen.covered.share
        side = share.shape[0] // CELLS
        self._covered = share.reshape(CELLS, side, CELLS, side).mean(axis=(1, 3)) >= _COVERED_SHARE
        self.warnings = seen.warnings
        if not changed.any() and not self._covered.any():
            self._at_rest(seen, frame.t_s)
        discs = tuple(rounded(disc) for disc in seen.discs if not self._masked(disc))
        doubtful = tuple(rounded(disc) for disc in seen.doubtful if not self._masked(disc))
        return Look(discs, doubtful)

    def _at_rest(self, seen: DiscsSeen, t_s: float) -> None:
        """The board without hands: a reference, and perhaps the opening that teaches colours."""
        self._reference, self._reference_s = seen, t_s
        if len(seen.discs) >= _LEAST_MEN * sum(self.spec.pieces.values()):
            learned = learned_from_opening(seen, self.spec, self.palette)
            if learned is not None:
                self.palette = learned
        elif self.palette is not None and len(seen.discs):
            self.palette = self.palette.followed_by(seen.discs, seen.features)

    def _masked(self, disc: DiscSeen) -> bool:
        return any(
            hypot(disc.x_mm - mask.x_mm, disc.y_mm - mask.y_mm) < mask.radius_mm
            for mask in self.masks
        )


def rounded(disc: DiscSeen) -> DiscSeen:
    """As a trace holds it: 0.01 mm and px, thousandths of shares."""

    def place(value: float) -> float:
        return round(float(value), _PLACE_DIGITS)

    def share(value: float) -> float:
        return round(float(value), _SHARE_DIGITS)

    return replace(
        disc,
        x_mm=place(disc.x_mm),
        y_mm=place(disc.y_mm),
        x_px=place(disc.x_px),
        y_px=place(disc.y_px),
        radius_px=place(disc.radius_px),
        radius_mm=place(disc.radius_mm),
        visible=share(disc.visible),
        confidence=share(disc.confidence),
        odds={kind: share(value) for kind, value in disc.odds.items()},
    )
