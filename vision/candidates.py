"""From the network's boxes to places on the board: one candidate for every disc."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vision.board_crop import BoardCrop
from vision.seen import Box, Label

__all__ = ["Candidate", "candidates_of"]

_SAME = 0.4
"""Two boxes whose centres are nearer than this share of their mean radius are one disc: discs that
touch are 2 apart, a stacked one that can be told from the one below about 0.5."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible disc as seen on the plane of the surface (mm, board frame), before any parallax.

    ``odds``: the network's score of every class, by class name.
    """

    x_mm: float
    y_mm: float
    radius_mm: float
    score: float
    odds: Mapping[str, float]


def candidates_of(boxes: Sequence[Box], crop: BoardCrop) -> tuple[Candidate, ...]:
    """The discs among the boxes, best first; boxes of one disc are merged, whatever their class.

    Merged by the distance of centres in mm, so that touching discs are kept apart; centre, size
    and odds of those merged are averaged by their scores.
    """
    found = sorted((box for box in boxes if box.label != Label.HAND), key=lambda b: -b.score)
    if not found:
        return ()
    middles = crop.crop_to_mm(np.array([box.middle for box in found]))
    radii = np.array([box.size for box in found]) / (2.0 * crop.px_per_mm)
    groups: list[list[int]] = []
    for k in range(len(found)):
        for group in groups:
            reach = _SAME * (radii[k] + radii[group[0]]) / 2
            if float(np.hypot(*(middles[k] - middles[group[0]]))) < reach:
                group.append(k)
                break
        else:
            groups.append([k])
    return tuple(_merged(found, middles, radii, group) for group in groups)


def _merged(
    found: Sequence[Box], middles: np.ndarray, radii: np.ndarray, group: Sequence[int]
) -> Candidate:
    weights = np.array([found[k].score ** 2 for k in group])
    weights = weights / weights.sum()
    x_mm, y_mm = weights @ middles[list(group)]
    odds: dict[str, float] = {}
    for weight, k in zip(weights, group, strict=True):
        for name, value in found[k].odds.items():
            if name != Label.HAND:
                odds[name] = odds.get(name, 0.0) + float(weight) * value
    if not odds:
        odds = {found[group[0]].label: found[group[0]].score}
    score = found[group[0]].score
    return Candidate(float(x_mm), float(y_mm), float(weights @ radii[list(group)]), score, odds)
