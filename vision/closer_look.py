"""A board seen from straight above by the corner network, as some corners suppose it to lie.

The network knows boards best from above: where the supposed corners are right it finds all of
them, the board's box and the kind of board; where they are wrong it does not. So a closer look
both mends corners and tells right suppositions from wrong ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from carrom.board_spec import BoardFamily
from carrom.boards import board_for
from vision.arrays import Array
from vision.board_camera import BoardCamera
from vision.board_crop import BoardCrop
from vision.corner_choice import BREADTHS, CORNER, FAMILIES, Quad, middle_of
from vision.pose import camera_from_corners, square
from vision.seen import Box

__all__ = ["CloserLook", "CornerNetwork", "corner_spread_mm", "look_closer"]

_MARGIN = 1.3
"""Half side of the view over half side of the surface; trained on 1.2 to 1.4."""
_SCORE = 0.08
_REACH, _FAR_REACH = 0.08, 0.13
"""How far from its place a corner is looked for, in sides of the view: known ones, others."""
_FUSED_MM, _SINGLE_MM = 2.6, 3.8
"""Standard deviation of a sure corner on a board of 740 mm, of four views and of one."""
_SURE, _PER_SCORE_MM, _LEAST = 0.8, 28.0, 0.25
"""A corner of a lower score is off by so many mm more; below the least it says nothing."""
_BOX_WEIGHT, _HIDDEN = 0.8, 0.25
"""What the board's box counts beside a corner, and a corner that should be seen and is not."""
_MIRRORS = ((1, 1), (-1, 1), (1, -1), (-1, -1))
"""Steps across and down: as it is, mirrored, upside down, both."""


class CornerNetwork(Protocol):
    """What is needed of a ``Network``."""

    @property
    def size_px(self) -> int:
        """The side of the square picture that it looks at."""

    def look(
        self, square_bgr: Array, *, score: float = 0.25, overlap: float = 0.5
    ) -> tuple[Box, ...]:
        """Boxes in px of the square picture."""


@dataclass(frozen=True, slots=True)
class CloserLook:
    """What a look from above found.

    ``quad``: the corners now; its ``seen`` and ``scores`` are of this look. ``spread_mm``: (4,)
    their standard deviations, infinite where not seen. ``worth``: up to about 4.4 where all that
    should be there is there, less where not.
    """

    quad: Quad
    spread_mm: Array
    worth: float


def corner_spread_mm(scores: Array, half_mm: float, *, views: int) -> Array:
    """(n,) mm: how far off corners of these scores are (standard deviation), measured on renders.

    ``half_mm``: of the surface; infinite for what is as good as not seen.
    """
    base = _FUSED_MM if views > 1 else _SINGLE_MM
    spread = base + _PER_SCORE_MM * np.maximum(0.0, _SURE - np.asarray(scores))
    out: Array = np.where(scores >= _LEAST, spread, np.inf) * (half_mm / 370.0)
    return out


def look_closer(
    network: CornerNetwork, image_bgr: Array, quad: Quad, spread_mm: Array, *, views: int = 1
) -> CloserLook:
    """The network's look from above at a supposed board.

    ``image_bgr``: (h, w, 3) uint8; ``spread_mm``: (4,) of the corners of ``quad``, infinite for
    those not seen. ``views``: 1, or 4 for the mirrored ones too, whose errors average out. Raises
    ``CalibrationError`` when no camera can see the corners so.
    """
    height, width = image_bgr.shape[:2]
    half, size = board_for(quad.family).half_mm, network.size_px
    camera = camera_from_corners(
        quad.corners_px, half, size_px=(width, height), spread_mm=spread_mm
    )
    crop = BoardCrop(half, size, _MARGIN)
    picture = crop.cut(image_bgr, crop.maps(camera))
    known = np.isfinite(spread_mm) & (spread_mm < 10.0)
    reach_px = size * np.where(known, _REACH, _FAR_REACH)
    votes = _Votes(crop, camera, reach_px)
    for mirror in _MIRRORS[:views]:
        boxes = network.look(_flipped(picture, mirror), score=_SCORE, overlap=0.4)
        votes.add([_mirrored(box, mirror, size) for box in boxes])
    return votes.counted(quad)


class _Votes:
    """What several views of one crop say, added up."""

    def __init__(self, crop: BoardCrop, camera: BoardCamera, reach_px: Array) -> None:
        self._crop, self._camera, self._reach_px = crop, camera, reach_px
        self._sums, self._scores = np.zeros((4, 2)), np.zeros(4)
        self._odds = dict.fromkeys(BoardFamily, 0.02)
        self._boards, self._views = 0.0, 0

    def add(self, boxes: Sequence[Box]) -> None:
        """One view more; boxes in px of the crop."""
        self._views += 1
        size = self._crop.size_px
        for k, place in enumerate(self._crop.mm_to_crop(square(self._crop.half_mm))):
            near = _nearest(boxes, place, size, float(self._reach_px[k]))
            if near is not None:
                self._sums[k] += near[1] * np.array(near[0])
                self._scores[k] += near[1]
        self._boards += self._board(boxes)

    def _board(self, boxes: Sequence[Box]) -> float:
        """How well the best box of a whole board fits, 0 to 1; its class votes for a family."""
        best = 0.0
        for box in boxes:
            if box.label not in FAMILIES:
                continue
            due = _due_box(self._crop, self._camera, BREADTHS[FAMILIES[box.label]])
            fit = _overlap((box.left, box.top, box.right, box.bottom), due)
            best = max(best, box.score * fit)
            for name, family in FAMILIES.items():
                score = box.odds.get(name, box.score if name == box.label else 0.0)
                self._odds[family] += score * fit
        return best

    def counted(self, quad: Quad) -> CloserLook:
        """The look; ``quad``: what was supposed."""
        camera, half = self._camera, self._crop.half_mm
        at = self._sums / np.maximum(self._scores, 1e-9)[:, None]
        corners = camera.board_to_px(square(half))
        found = self._scores > 0.0
        corners[found] = camera.board_to_px(self._crop.crop_to_mm(at))[found]
        scores = self._scores / self._views
        spread = corner_spread_mm(scores, half, views=self._views)
        seen = np.isfinite(spread)
        end = [camera.width_px - 1, camera.height_px - 1]
        inside = ((corners >= 0) & (corners <= end)).all(axis=1)
        worth = float(scores.sum()) + _BOX_WEIGHT * self._boards / self._views
        worth -= _HIDDEN * float((inside & ~seen).sum())
        total = sum(self._odds.values())
        odds = {family: value / total for family, value in self._odds.items()}
        kept = np.where(seen, scores, 0.0)
        now = replace(quad, corners_px=corners, seen=seen, scores=kept, odds=odds)
        return CloserLook(now, spread, worth)


def _flipped(view: Array, mirror: tuple[int, int]) -> Array:
    across, down = mirror
    out: Array = np.ascontiguousarray(view[::down, ::across])
    return out


def _mirrored(box: Box, mirror: tuple[int, int], size: int) -> Box:
    """A box of a mirrored view in the view as it is."""
    across, down = mirror
    end = size - 1.0
    left, right = (box.left, box.right) if across > 0 else (end - box.right, end - box.left)
    top, bottom = (box.top, box.bottom) if down > 0 else (end - box.bottom, end - box.top)
    return replace(box, left=left, right=right, top=top, bottom=bottom)


def _due_box(
    crop: BoardCrop, camera: BoardCamera, breadth: float
) -> tuple[float, float, float, float]:
    """Where in the view the box of a board with its frame must be, as far as the picture goes."""
    line = np.linspace(-1.0, 1.0, 25) * crop.half_mm * (1.0 + breadth)
    grid = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    px = camera.board_to_px(grid)
    inside = ((px >= 0) & (px <= [camera.width_px - 1, camera.height_px - 1])).all(axis=1)
    if not inside.any():
        return 0.0, 0.0, 0.0, 0.0
    at = crop.mm_to_crop(grid[inside])
    low, high = at.min(axis=0), at.max(axis=0)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def _overlap(a: Sequence[float], b: Sequence[float]) -> float:
    """Intersection over union of two boxes, left top right bottom."""
    wide, high = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    shared = max(0.0, wide) * max(0.0, high)
    total = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - shared
    return shared / total if total > 0 else 0.0


def _nearest(
    boxes: Sequence[Box], place: Array, size: int, reach_px: float
) -> tuple[tuple[float, float], float] | None:
    """The likeliest corner near a place and its score; ``None``: none within reach."""
    looked_at = Box("view", 0.0, 0.0, size - 1.0, size - 1.0, 1.0)
    best, worth = None, 0.0
    for box in boxes:
        if box.label != CORNER:
            continue
        at = middle_of(box, looked_at)
        far = float(np.hypot(at[0] - place[0], at[1] - place[1]))
        value = box.score * (1.0 - far / reach_px)
        if value > worth:
            best, worth = (at, box.score), value
    return best
