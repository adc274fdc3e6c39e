"""What was seen in a picture as the JSON of ``carrom detect``.

Places are in pixels of the file, upright, (0, 0) the middle of the first one. Millimetres are in a
board frame whose north is up in the picture, so that corners and discs agree.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from carrom.board_spec import BoardFamily
from vision.eyes import Sight
from vision.picture_file import PictureFile
from vision.pose import order_as_seen
from vision.seen import BoardSeen, DiscSeen

__all__ = ["Upright", "detection_data", "failure_data", "upright"]


@dataclass(frozen=True, slots=True)
class Upright:
    """A board turned so that its NW corner is that of the picture.

    ``order``: indices of the corners of the board's own frame; ``turns``: quarter turns
    counter-clockwise from that frame.
    """

    order: tuple[int, int, int, int]
    turns: int

    def place(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """A point of the board's own frame."""
        for _ in range(self.turns):
            x_mm, y_mm = -y_mm, x_mm
        return x_mm, y_mm


def upright(board: BoardSeen) -> Upright:
    """How to turn a board."""
    order = tuple(map(int, order_as_seen(np.array(board.corners_px))))
    return Upright(order, order[0])  # type: ignore[arg-type]


def detection_data(file: str, picture: PictureFile, sight: Sight) -> dict[str, Any]:
    """One object, as the contract says; more keys may be added to it, none taken away."""
    out: dict[str, Any] = {
        "file": file,
        "width_px": picture.width_px,
        "height_px": picture.height_px,
        "board": None,
        "pieces": [],
        "doubtful": [],
        "covered": [],
        "warnings": [*picture.warnings, *sight.warnings],
    }
    if sight.board is not None:
        turned = upright(sight.board)
        out["board"] = _board(sight.board, turned, picture)
        out["pieces"] = [_piece(disc, turned, picture) for disc in sight.discs]
        out["doubtful"] = [_piece(disc, turned, picture) for disc in sight.doubtful]
        out["covered"] = _covered(sight, turned)
    return out


def failure_data(file: str, message: str) -> dict[str, Any]:
    """The object of a file that could not be read: the same keys, and why."""
    return {
        "file": file,
        "width_px": None,
        "height_px": None,
        "board": None,
        "pieces": [],
        "doubtful": [],
        "covered": [],
        "warnings": [],
        "error": message,
    }


def _board(board: BoardSeen, turned: Upright, picture: PictureFile) -> dict[str, Any]:
    corners = [board.corners[k] for k in turned.order]
    return {
        "spec": BoardFamily(board.family).value,
        "corners_px": [_px(picture, corner.x_px, corner.y_px) for corner in corners],
        "corners_seen": [corner.seen for corner in corners],
        "confidence": round(board.confidence, 4),
        "side_mm": round(2 * board.half_mm, 1),
        "residual_mm": round(board.residual_mm, 3),
    }


def _piece(disc: DiscSeen, turned: Upright, picture: PictureFile) -> dict[str, Any]:
    x_px, y_px = _px(picture, disc.x_px, disc.y_px)
    x_mm, y_mm = turned.place(disc.x_mm, disc.y_mm)
    return {
        "kind": disc.kind.value,
        "x_px": x_px,
        "y_px": y_px,
        "radius_px": round(disc.radius_px * picture.scale, 2),
        "x_mm": round(x_mm, 2),
        "y_mm": round(y_mm, 2),
        "confidence": round(disc.confidence, 4),
        "place": disc.place.value,
        "visible": round(disc.visible, 3),
    }


def _covered(sight: Sight, turned: Upright) -> list[str]:
    """Rows of the 16 x 16 cells of the board with its frame, north first: # covered, . free."""
    cells = np.rot90(sight.covered, turned.turns)
    return ["".join("#" if cell else "." for cell in row) for row in cells]


def _px(picture: PictureFile, x_px: float, y_px: float) -> list[float]:
    return [round(value, 2) for value in picture.to_file_px(x_px, y_px)]
