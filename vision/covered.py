"""What hands and arms cover: a map over the crop that answers for every place on the board."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Array
from vision.board_crop import BoardCrop
from vision.seen import Box, Label

__all__ = ["Covered", "covered_by_change", "covered_by_hands"]

_CELLS = 64
"""Cells of the map to a side; the network tells hands by 16."""
_CHANGED = 28.0
"""Difference of colour (8 bit levels) that is more than noise and a lamp's flicker."""
_LEAST_CHANGE = 180
"""Smallest changed patch that can be a hand, px of the crop: about a disc."""
_HOLE_PX = 19
"""Holes in a hand that are filled."""


@dataclass(frozen=True, eq=False)
class Covered:
    """How much of each place is covered. ``share``: (64, 64) float32, 0 to 1, over the crop."""

    crop: BoardCrop
    share: Array

    @property
    def nothing(self) -> bool:
        """No place is covered."""
        return not bool(self.share.max() > 0.05)

    def at(self, x_mm: float, y_mm: float, radius_mm: float) -> float:
        """Covered share, 0 to 1, of a circle as seen on the plane of the surface, board frame."""
        return float(self.of(np.array([[x_mm, y_mm, radius_mm]]))[0])

    def of(self, circles: Array) -> Array:
        """(n,) float64: covered shares of (n, 3) circles: x, y, radius in mm, as in ``at``."""
        circles = np.asarray(circles, dtype=np.float64).reshape(-1, 3)
        if self.nothing or len(circles) == 0:
            return np.zeros(len(circles))
        turn = np.arange(12) * (2 * np.pi / 12)
        ring = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
        spots = np.concatenate([ring * 0.87, ring[::2] * 0.5, np.zeros((1, 2))])
        points = circles[:, None, :2] + spots * circles[:, None, 2:]
        px = (self.crop.mm_to_crop(points) + 0.5) * (_CELLS / self.crop.size_px) - 0.5
        x, y = (np.ascontiguousarray(px[..., k], dtype=np.float32) for k in (0, 1))
        found = cv2.remap(self.share, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        out: Array = found.reshape(len(circles), -1).mean(axis=1).astype(np.float64)
        return out

    def joined(self, other: "Covered") -> "Covered":
        """Covered by either."""
        return Covered(self.crop, np.maximum(self.share, other.share))


def covered_by_hands(boxes: Sequence[Box], crop: BoardCrop) -> Covered:
    """From hand boxes: cells of the crop, or whole hands from a network trained otherwise."""
    share = np.zeros((_CELLS, _CELLS), dtype=np.float32)
    scale = _CELLS / crop.size_px
    for box in boxes:
        if box.label != Label.HAND:
            continue
        left, top = (max(0, round(v * scale)) for v in (box.left, box.top))
        right, bottom = (min(_CELLS, round(v * scale)) for v in (box.right, box.bottom))
        part = share[top:bottom, left:right]
        np.maximum(part, np.float32(min(1.0, 0.3 + box.score)), out=part)
    return Covered(crop, share)


def covered_by_change(picture: Array, reference: Array, crop: BoardCrop, discs: Array) -> Covered:
    """Where a crop differs from one of the same board at rest, beyond discs that came or went.

    ``picture``, ``reference``: (size, size, 3) uint8 crops of one camera; ``discs``: (n, 3) mm,
    circles of the discs of both as seen on the plane of the surface. A changed patch that the
    circles explain, but for less than a disc's area, is no hand.
    """
    new, old = (cv2.GaussianBlur(p, (5, 5), 0).astype(np.float32) for p in (picture, reference))
    gain = np.median(new, axis=(0, 1)) / np.maximum(np.median(old, axis=(0, 1)), 1.0)
    mask = (np.abs(new - old * gain).max(axis=-1) > _CHANGED).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    beyond = mask.copy()
    for x, y, radius in np.asarray(discs).reshape(-1, 3):
        column, row = crop.mm_to_crop(np.array([x, y]))
        reach = int(radius * crop.px_per_mm * 1.5)
        cv2.circle(beyond, (round(column), round(row)), reach, 0, -1)
    count, labels = cv2.connectedComponents(mask)
    unexplained = np.bincount(labels[beyond > 0], minlength=count)
    hand = unexplained >= _LEAST_CHANGE
    hand[0] = False
    kept: Array = np.where(hand[labels], 255, 0).astype(np.uint8)
    # Skin over print of its own lightness leaves holes.
    kept = cv2.morphologyEx(kept, cv2.MORPH_CLOSE, np.ones((_HOLE_PX, _HOLE_PX), np.uint8))
    share = cv2.resize(kept, (_CELLS, _CELLS), interpolation=cv2.INTER_AREA)
    return Covered(crop, share.astype(np.float32) / np.float32(255.0))
