"""Average precision as the COCO benchmark defines it: 101 points, overlaps from 0.50 to 0.95."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "COCO_OVERLAPS",
    "Array",
    "BoxesOfPicture",
    "average_precision",
    "overlaps",
    "precision_of",
]

Array = NDArray[np.float64]

COCO_OVERLAPS = tuple(round(0.5 + 0.05 * k, 2) for k in range(10))
"""Intersection over union from which a box counts as found."""

_RECALLS = np.linspace(0.0, 1.0, 101)


def _no_boxes() -> Array:
    return np.zeros((0, 4))


@dataclass(frozen=True, slots=True)
class BoxesOfPicture:
    """Boxes of one class in one picture: (n, 4) left, top, right, bottom, in any one unit.

    ``ignored``: (truths,) bool; to find such a one is neither right nor wrong.
    """

    seen: Array = field(default_factory=_no_boxes)
    scores: Array = field(default_factory=lambda: np.zeros(0))
    truths: Array = field(default_factory=_no_boxes)
    ignored: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))


def overlaps(first: Array, second: Array) -> Array:
    """(n, m) intersection over union of (n, 4) and (m, 4) boxes."""
    low = np.maximum(first[:, None, :2], second[None, :, :2])
    high = np.minimum(first[:, None, 2:], second[None, :, 2:])
    shared = np.prod(np.clip(high - low, 0.0, None), axis=2)
    areas = [np.prod(boxes[:, 2:] - boxes[:, :2], axis=1) for boxes in (first, second)]
    both = areas[0][:, None] + areas[1][None, :] - shared
    out: Array = shared / np.maximum(both, 1e-12)
    return out


def average_precision(pictures: Sequence[BoxesOfPicture], *, overlap: float) -> float | None:
    """Of one class over all pictures at one overlap; ``None`` when there is nothing to find."""
    due = sum(int((~picture.ignored).sum()) for picture in pictures)
    if due == 0:
        return None
    found = [_hits(picture, overlap) for picture in pictures]
    scores = np.concatenate([picture.scores for picture in pictures])
    hits = np.concatenate(found)
    counted = hits >= 0
    return precision_of(scores[counted], hits[counted] > 0, due=due)


def precision_of(scores: Array, hits: NDArray[np.bool_], *, due: int) -> float:
    """The mean, over 101 recalls, of the best precision at that recall or a higher one.

    ``scores``, ``hits``: (n,) of what was reported; ``due``: how many there were to find.
    """
    order = np.argsort(-scores, kind="mergesort")
    right = np.cumsum(hits[order])
    recall = right / due
    precision = right / np.arange(1, len(right) + 1)
    envelope = np.maximum.accumulate(precision[::-1])[::-1]
    at = np.searchsorted(recall, _RECALLS, side="left")
    reached = at < len(envelope)
    return float(envelope[at[reached]].sum() / len(_RECALLS)) if len(envelope) else 0.0


def _hits(picture: BoxesOfPicture, overlap: float) -> NDArray[np.int64]:
    """(seen,) 1 = found one, 0 = found nothing, -1 = found an ignored one; best score first."""
    out = np.zeros(len(picture.scores), dtype=np.int64)
    if len(picture.truths) == 0:
        return out
    shared = overlaps(picture.seen, picture.truths)
    free = np.ones(len(picture.truths), dtype=np.bool_)
    for k in np.argsort(-picture.scores, kind="mergesort"):
        fits = (shared[k] >= overlap) & (free | picture.ignored)
        for group, mark in ((~picture.ignored, 1), (picture.ignored, -1)):
            among = np.flatnonzero(fits & group)
            if len(among):
                free[among[np.argmax(shared[k][among])]] = False
                out[k] = mark
                break
    return out
