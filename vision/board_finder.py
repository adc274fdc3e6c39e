"""Find the board in a picture: two looks of the corner network, then calibration."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from carrom.boards import board_for
from carrom.errors import CalibrationError, PictureError
from vision.arrays import Array
from vision.board_crop import BoardCrop
from vision.calibration import SURE, UNREFINED, seen_board
from vision.corner_choice import CORNER, Quad, choose_corners, middle_of, quad_of_box
from vision.network import letterbox
from vision.pose import camera_from_corners, square
from vision.seen import BoardSeen, Box

__all__ = ["BoardFinder", "CornerNetwork", "Found", "find_board"]

_SMALLEST_PX = 100
_SECOND_MARGIN = 1.3
"""Half side of the second look over half side of the surface; trained on 1.2 to 1.4."""
_FIRST_MM, _SECOND_MM = 6.0, 3.0
"""Standard deviations of corners from the first and the second look, on a board of 740 mm."""
_GUESS_MM = 14.0
"""Of corners that only the box around the whole board tells."""
_SCORE = 0.1
_LEAST, _SURE_SCORE = 0.06, 0.5
"""A board of less confidence is none; nor one without edges whose corners score less."""
_LOOKS = 3
"""Looks from above, each from where the one before saw the corners; one is enough if they stay."""


class CornerNetwork(Protocol):
    """What the finder needs of a ``Network``."""

    @property
    def size_px(self) -> int:
        """The side of the square picture that it looks at."""

    def look(
        self, square_bgr: Array, *, score: float = 0.25, overlap: float = 0.5
    ) -> tuple[Box, ...]:
        """Boxes in px of the square picture."""


@dataclass(frozen=True, slots=True)
class Found:
    """A board, or the reasons why there is none, in words for people."""

    board: BoardSeen | None
    reasons: tuple[str, ...] = ()


class BoardFinder:
    """Looks for a board with a corner network: once at the whole picture, once from above."""

    def __init__(self, network: CornerNetwork) -> None:
        self._network = network

    def find(self, image_bgr: Array) -> Found:
        """The board in a picture of any size and shape.

        ``image_bgr``: (h, w, 3) uint8. Raises ``PictureError`` for another array.
        """
        _check(image_bgr)
        boxes, looked_at = self._first_look(image_bgr)
        quad, reasons = choose_corners(boxes, looked_at=looked_at)
        guessed = quad is None
        if quad is None:
            height, width = image_bgr.shape[:2]
            quad = quad_of_box(boxes, width_px=width, height_px=height)
        if quad is None:
            return Found(None, reasons)
        spread = np.where(quad.seen, _FIRST_MM, _GUESS_MM if guessed else np.inf)
        spread *= board_for(quad.family).half_mm / 370.0
        try:
            for _ in range(_LOOKS):
                before = quad
                quad, spread = self._closer(image_bgr, quad, spread)
                if _settled(before, quad):
                    break
        except CalibrationError as error:
            return Found(None, (str(error),))
        found = _found(image_bgr, quad, spread)
        unsure = found.board is not None and found.board.confidence < SURE
        if guessed and quad.seen.sum() < 3 and unsure:
            return Found(None, reasons)
        return found

    def _first_look(self, image_bgr: Array) -> tuple[tuple[Box, ...], Box]:
        size = self._network.size_px
        small, scale, left, top = letterbox(image_bgr, size)
        boxes = self._network.look(small, score=_SCORE, overlap=0.4)

        def to_picture(box: Box) -> Box:
            x = [(v + 0.5 - left) / scale - 0.5 for v in (box.left, box.right)]
            y = [(v + 0.5 - top) / scale - 0.5 for v in (box.top, box.bottom)]
            return replace(box, left=x[0], right=x[1], top=y[0], bottom=y[1])

        view = to_picture(Box("view", 0.0, 0.0, size - 1.0, size - 1.0, 1.0))
        return tuple(to_picture(box) for box in boxes), view

    def _closer(self, image_bgr: Array, quad: Quad, spread_mm: Array) -> tuple[Quad, Array]:
        """The quad with closer corners by a look from above, and their standard deviations, mm."""
        height, width = image_bgr.shape[:2]
        half = board_for(quad.family).half_mm
        rough = camera_from_corners(
            quad.corners_px, half, size_px=(width, height), spread_mm=spread_mm
        )
        size = self._network.size_px
        crop = BoardCrop(half, size, _SECOND_MARGIN)
        boxes = self._network.look(crop.cut(image_bgr, crop.maps(rough)), score=_SCORE, overlap=0.4)
        looked_at = Box("view", 0.0, 0.0, size - 1.0, size - 1.0, 1.0)
        corners, scores, spread = rough.board_to_px(square(half)), quad.scores.copy(), spread_mm
        corners[quad.seen] = quad.corners_px[quad.seen]
        spread = spread.copy()
        reach = size * np.where(np.isfinite(spread_mm) & (spread_mm < 10.0), 0.08, 0.13)
        for k, place in enumerate(crop.mm_to_crop(square(half))):
            near = _nearest(boxes, place, looked_at, float(reach[k]))
            if near is None:
                continue
            at, score = near
            corners[k] = rough.board_to_px(crop.crop_to_mm(np.array(at)))
            spread[k], scores[k] = _SECOND_MM * half / 370.0, score
        seen = quad.seen | (spread < 10.0)
        return replace(quad, corners_px=corners, seen=seen, scores=scores), spread


def find_board(
    image_bgr: Array, corner_boxes: Sequence[Box], *, spread_mm: float = _FIRST_MM
) -> Found:
    """The board among boxes of a corner network's single look at the whole picture.

    ``image_bgr``: (h, w, 3) uint8; ``corner_boxes``: in its px; ``spread_mm``: standard deviation
    of their corners. Raises ``PictureError`` for another array.
    """
    _check(image_bgr)
    height, width = image_bgr.shape[:2]
    view = Box("view", 0.0, 0.0, width - 1.0, height - 1.0, 1.0)
    quad, reasons = choose_corners(corner_boxes, looked_at=view)
    if quad is None:
        return Found(None, reasons)
    return _found(image_bgr, quad, np.where(quad.seen, spread_mm, np.inf))


def _found(image_bgr: Array, quad: Quad, spread_mm: Array) -> Found:
    warnings: tuple[str, ...] = ()
    if quad.rivals:
        warnings = (f"{quad.rivals + 1} boards in the picture: took the clearest",)
    try:
        board = seen_board(
            image_bgr,
            quad.corners_px,
            quad.odds,
            spread_mm=spread_mm,
            scores=quad.scores,
            warnings=warnings,
        )
    except CalibrationError as error:
        return Found(None, (str(error),))
    known = quad.scores[quad.seen]
    doubtful = board.confidence <= UNREFINED and (len(known) < 4 or known.mean() < _SURE_SCORE)
    if board.confidence < _LEAST or doubtful:
        return Found(None, ("something like a board, but its corners contradict its edges",))
    return Found(board)


def _settled(before: Quad, after: Quad) -> bool:
    """Whether another look would see the same: corners moved by less than a fiftieth of a side."""
    ring = before.corners_px
    side = float(np.linalg.norm(ring - np.roll(ring, 1, axis=0), axis=1).mean())
    moved = np.linalg.norm(after.corners_px - ring, axis=1)
    return bool(moved.max() < 0.02 * side and (after.seen == before.seen).all())


def _nearest(
    boxes: Sequence[Box], place: Array, looked_at: Box, reach_px: float
) -> tuple[tuple[float, float], float] | None:
    """The likeliest corner near a place and its score; ``None``: none within reach."""
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


def _check(image_bgr: Array) -> None:
    shape: tuple[int, ...] = getattr(image_bgr, "shape", ())
    if len(shape) != 3 or shape[2] != 3 or image_bgr.dtype != np.uint8:
        got = f"{shape} {getattr(image_bgr, 'dtype', type(image_bgr).__name__)}"
        raise PictureError("picture", expected="(h, w, 3) uint8", got=got)
    if min(shape[:2]) < _SMALLEST_PX:
        expected = f"{_SMALLEST_PX} px or more on each side"
        raise PictureError("picture", expected=expected, got=shape[:2])
