"""What was seen in a picture, laid beside what is true of it."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from api.average_precision import Array
from api.picture_row import Frame, PictureRow, SeenDisc, Setting, TrueDisc
from carrom.board_spec import BoardFamily
from vision.board_crop import BoardCrop
from vision.eyes import CELLS, Sight
from vision.seen import BoardSeen, DiscSeen, Place

__all__ = ["PictureTruth", "judge", "quarter_turns"]

_AWAY = (Place.POCKET, Place.FRAME, Place.OFF_BOARD)
_COVERED, _BARE = 0.5, 0.15
"""A cell counts as covered from one share on and as bare up to the other; between, as neither."""

_CELL_PX = 8


def _same(points_px: Array) -> Array:
    return points_px


@dataclass(frozen=True, slots=True)
class PictureTruth:
    """What is known of a picture.

    ``corners``: (4, 2) of the surface in the unit of the setting, clockwise in the picture; none:
    not known. ``measure``: (n, 2) px of the picture to that unit. ``hand_mask``: (h, w) uint8.
    """

    setting: Setting
    discs: tuple[TrueDisc, ...] = ()
    corners: Array | None = None
    family: BoardFamily | None = None
    hand_mask: NDArray[np.uint8] | None = None
    ignored_boxes: tuple[tuple[float, float, float, float], ...] = ()
    measure: Callable[[Array], Array] = _same


def judge(truth: PictureTruth, sight: Sight, *, seconds: float = 0.0) -> PictureRow:
    """The row of a picture."""
    board = sight.board
    if board is None:
        return PictureRow(
            truth.setting,
            found=False,
            truths=truth.discs,
            ignored_boxes=truth.ignored_boxes,
            hands=(0, 0, 0),
            seconds=seconds,
            warnings=sight.warnings,
        )
    turns, errors = 0, np.zeros(0)
    if truth.corners is not None:
        corners = truth.measure(np.array(board.corners_px, dtype=np.float64))
        turns, errors = quarter_turns(corners, truth.corners)
    return PictureRow(
        truth.setting,
        found=True,
        truths=truth.discs,
        seen=tuple(
            _seen(disc, truth.setting, board, turns, sure=sure)
            for discs, sure in ((sight.discs, True), (sight.doubtful, False))
            for disc in discs
        ),
        family_right=None if truth.family is None else board.family is truth.family,
        corner_errors=tuple(map(float, errors)),
        ignored_boxes=truth.ignored_boxes,
        hands=(0, 0, 0) if truth.hand_mask is None else _cells(truth.hand_mask, sight, board),
        seconds=seconds,
        warnings=sight.warnings,
    )


def quarter_turns(seen: Array, true: Array) -> tuple[int, Array]:
    """Counter-clockwise quarter turns from the seen board frame to the true one, and what is left.

    A board looks the same from its four sides, so any of them may have been called north. (4, 2)
    corners NW NE SE SW of each frame, same unit; the errors are (4,), in the order of the truth.
    """
    errors = [np.hypot(*(np.roll(seen, -k, axis=0) - true).T) for k in range(4)]
    turns = int(np.argmin([error.sum() for error in errors]))
    return turns, errors[turns]


def _seen(
    disc: DiscSeen, setting: Setting, board: BoardSeen, turns: int, *, sure: bool
) -> SeenDisc:
    on_surface = disc.place not in _AWAY
    if setting.frame is Frame.PICTURE:
        x, y, half = disc.x_px, disc.y_px, disc.radius_px
    else:
        # Nothing in a picture tells how large a board is: compare as on the true one.
        share = setting.side / 2 / board.half_mm
        x, y, half = disc.x_mm * share, disc.y_mm * share, disc.radius_mm * share
        for _ in range(turns):
            x, y = -y, x
    return SeenDisc(disc.kind, x, y, half, disc.confidence, on_surface, sure)


def _cells(mask: NDArray[np.uint8], sight: Sight, board: BoardSeen) -> tuple[int, int, int]:
    """Cells covered and said so; said only; covered only."""
    crop = BoardCrop(board.half_mm, CELLS * _CELL_PX)
    flat = crop.cut(mask, crop.maps(board.camera), outside=0)
    share = flat.reshape(CELLS, _CELL_PX, CELLS, _CELL_PX).mean(axis=(1, 3)) / 255.0
    said, true, bare = sight.covered, share >= _COVERED, share <= _BARE
    return int((said & true).sum()), int((said & bare).sum()), int((~said & true).sum())
