"""Find the board in a picture: suppose where it lies, look closer, calibrate what holds."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from carrom.board_spec import BoardFamily
from carrom.boards import board_for
from carrom.errors import CalibrationError, PictureError
from vision.arrays import Array
from vision.calibration import UNREFINED, seen_board
from vision.closer_look import CloserLook, CornerNetwork, look_closer
from vision.corner_choice import (
    Quad,
    choose_corners,
    quad_of_box,
    quad_of_picture,
    ranked_corners,
)
from vision.network import letterbox
from vision.seen import BoardSeen, Box

__all__ = ["BoardFinder", "CornerNetwork", "Found", "find_board"]

_SMALLEST_PX = 100
_FIRST_MM = 8.0
"""Standard deviation of corners from the look at the whole picture, on a board of 740 mm."""
_GUESS_MM = 14.0
"""Of corners that only the box around the whole board tells."""
_SCORE = 0.1
_LOOKS = 3
"""Looks from above at one supposition, each from where the one before saw the corners."""
_CLEAR_WORTH = 3.9
"""A closer look of this worth ends the search (four corners of 0.8, and the board's box)."""
_LEAST_WORTH, _LEAST_KNOWN = 1.6, 0.45
"""A look of less is no board; one whose corners score less on average must be backed by edges."""
_LEAST = 0.06


@dataclass(frozen=True, slots=True)
class Found:
    """A board, or the reasons why there is none, in words for people."""

    board: BoardSeen | None
    reasons: tuple[str, ...] = ()


class BoardFinder:
    """Looks for a board with a corner network: at the whole picture, then from above."""

    def __init__(self, network: CornerNetwork) -> None:
        self._network = network

    def find(self, image_bgr: Array) -> Found:
        """The board in a picture of any size and shape.

        ``image_bgr``: (h, w, 3) uint8. Raises ``PictureError`` for another array.
        """
        _check(image_bgr)
        boxes, looked_at = self._first_look(image_bgr)
        height, width = image_bgr.shape[:2]
        guesses = list(ranked_corners(boxes, looked_at=looked_at))
        for guess in (quad_of_box, quad_of_picture):
            quad = guess(boxes, width_px=width, height_px=height)
            if quad is not None:
                guesses.append(quad)
        best, reason = self._best(image_bgr, guesses)
        if best is None:
            _, reasons = choose_corners(boxes, looked_at=looked_at)
            return Found(None, reasons or reason)
        return _found(image_bgr, best.quad, best.spread_mm)

    def _best(
        self, image_bgr: Array, guesses: Sequence[Quad]
    ) -> tuple[CloserLook | None, tuple[str, ...]]:
        """The supposition that a closer look bears out best, or why none."""
        best, first, reason = None, None, ("corners, but no four of them form a board",)
        for guess in guesses:
            try:
                start = CloserLook(guess, _first_spread_mm(guess), 0.0)
                first = start if first is None else first
                look = self._settled(image_bgr, start)
            except CalibrationError as error:
                reason = (str(error),)
                continue
            if best is None or look.worth > best.worth:
                best = look
            if best.worth >= _CLEAR_WORTH:
                break
        if best is None or not best.quad.seen.any():
            # A network that is blind to the view from above still has its first look.
            return (first if first is not None and first.quad.seen.all() else None), reason
        if best.worth < _LEAST_WORTH:
            return None, ("something like a board, but its corners are not clear",)
        last = look_closer(self._network, image_bgr, best.quad, best.spread_mm, views=4)
        if last.quad.seen.sum() < best.quad.seen.sum():
            return best, ()
        odds = {
            family: (best.quad.odds[family] + last.quad.odds[family]) / 2 for family in BoardFamily
        }
        return replace(last, quad=replace(last.quad, odds=odds)), ()

    def _settled(self, image_bgr: Array, look: CloserLook) -> CloserLook:
        """The supposition after looks from above, until they see what the one before saw."""
        for _ in range(_LOOKS):
            before = look.quad
            look = look_closer(self._network, image_bgr, before, look.spread_mm)
            if _settled(before, look.quad) or not look.quad.seen.any():
                break
        return look

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
    doubtful = board.confidence <= UNREFINED and (len(known) < 3 or known.mean() < _LEAST_KNOWN)
    if board.confidence < _LEAST or doubtful:
        return Found(None, ("something like a board, but its corners contradict its edges",))
    return Found(board)


def _first_spread_mm(quad: Quad) -> Array:
    """(4,) mm: how far off the corners of the first look are; none seen: a guess of them all."""
    if not quad.seen.any():
        spread = np.full(4, _GUESS_MM)
    else:
        spread = np.where(quad.seen, _FIRST_MM, np.inf)
    out: Array = spread * (board_for(quad.family).half_mm / 370.0)
    return out


def _settled(before: Quad, after: Quad) -> bool:
    """Whether another look would see the same: corners moved by less than a fiftieth of a side."""
    ring = before.corners_px
    side = float(np.linalg.norm(ring - np.roll(ring, 1, axis=0), axis=1).mean())
    moved = np.linalg.norm(after.corners_px - ring, axis=1)
    return bool(moved.max() < 0.02 * side and (after.seen == before.seen).all())


def _check(image_bgr: Array) -> None:
    shape: tuple[int, ...] = getattr(image_bgr, "shape", ())
    if len(shape) != 3 or shape[2] != 3 or image_bgr.dtype != np.uint8:
        got = f"{shape} {getattr(image_bgr, 'dtype', type(image_bgr).__name__)}"
        raise PictureError("picture", expected="(h, w, 3) uint8", got=got)
    if min(shape[:2]) < _SMALLEST_PX:
        expected = f"{_SMALLEST_PX} px or more on each side"
        raise PictureError("picture", expected=expected, got=shape[:2])
