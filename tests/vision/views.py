"""Pictures and boards for tests of what watches: drawn, not rendered, so that they cost nothing."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from carrom.board_spec import BoardFamily
from carrom.pieces import PieceKind
from vision.arrays import Array
from vision.board_camera import BoardCamera
from vision.board_crop import BoardCrop
from vision.board_finder import Found
from vision.covered import Covered
from vision.discs_seen import DiscsSeen
from vision.frames import Frame
from vision.pose import square
from vision.seen import BoardSeen, CornerSeen, DiscSeen, Place

WIDTH_PX, HEIGHT_PX = 640, 480
HALF_MM = 370.0
DOWN = (1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0)


def camera_at(x_mm: float = 0.0, y_mm: float = 0.0, *, scale: float = 1.0) -> BoardCamera:
    """Straight above, 0.55 px a mm times ``scale``."""
    width, height = round(WIDTH_PX * scale), round(HEIGHT_PX * scale)
    middle = ((width - 1) / 2, (height - 1) / 2)
    return BoardCamera(width, height, 660.0 * scale, middle, 0.0, (x_mm, y_mm, 1200.0), DOWN)


def board_at(x_mm: float = 0.0, y_mm: float = 0.0, *, scale: float = 1.0) -> BoardSeen:
    """The Indian board under ``camera_at``."""
    camera = camera_at(x_mm, y_mm, scale=scale)
    corners = [
        CornerSeen(float(x), float(y), seen=True, confidence=0.99)
        for x, y in camera.board_to_px(square(HALF_MM))
    ]
    return BoardSeen(BoardFamily.ICF, camera, HALF_MM, tuple(corners), 0.95, 0.2)  # type: ignore[arg-type]


def picture_of(
    board: BoardSeen,
    discs: Sequence[tuple[float, float, tuple[int, int, int]]] = (),
    *,
    seed: int = 0,
    noise: float = 1.0,
    light: float = 1.0,
) -> Array:
    """A wooden square with a dark frame, its lines and discs (x_mm, y_mm, BGR)."""
    camera = board.camera
    out = np.full((camera.height_px, camera.width_px, 3), (70, 80, 75), dtype=np.uint8)

    def area(half_mm: float, colour: tuple[int, int, int]) -> None:
        px = np.rint(camera.board_to_px(square(half_mm)) * 16).astype(np.int32)
        cv2.fillConvexPoly(out, px, colour, cv2.LINE_AA, 4)

    area(HALF_MM + 70, (25, 30, 50))
    area(HALF_MM, (140, 190, 215))
    for half in (270.0, 240.0):
        px = np.rint(camera.board_to_px(square(half)) * 16).astype(np.int32)
        cv2.polylines(out, [px], isClosed=True, color=(30, 30, 30), lineType=cv2.LINE_AA, shift=4)
    for x, y, colour in discs:
        (at,) = np.rint(camera.board_to_px(np.array([[x, y]])) * 16).astype(int)
        radius = round(16 * 16 * camera.px_per_mm())
        cv2.circle(out, (int(at[0]), int(at[1])), radius, colour, -1, cv2.LINE_AA, 4)
    grain = np.random.default_rng(seed).normal(0.0, noise, out.shape)
    return np.clip(out * light + grain, 0, 255).astype(np.uint8)


def frame_of(image_bgr: Array, t_s: float, **marks: bool) -> Frame:
    """A frame at 10 a second."""
    return Frame(image_bgr, t_s, round(t_s * 10), **marks)


def disc_at(
    x_mm: float, y_mm: float, kind: PieceKind = PieceKind.WHITE, confidence: float = 0.97
) -> DiscSeen:
    """A disc as a detector reports it."""
    return DiscSeen(
        kind, x_mm, y_mm, 320.123456, 240.98765, 8.8123, 15.91234, Place.SURFACE, 0.98765,
        confidence=confidence, odds={kind: 0.9123456, PieceKind.BLACK: 0.0876544},
    )  # fmt: skip


class Looks:
    """A detector that reports what it is told, and keeps what it was asked."""

    def __init__(self, discs: Sequence[DiscSeen] = ()) -> None:
        self.discs = tuple(discs)
        self.doubtful: tuple[DiscSeen, ...] = ()
        self.share = np.zeros((64, 64), dtype=np.float32)
        self.asked: list[dict[str, object]] = []

    def look(self, image_bgr: Array, board: BoardSeen, **options: object) -> DiscsSeen:
        self.asked.append(options)
        covered = Covered(BoardCrop(board.half_mm, 448), self.share.copy())
        crop = np.zeros((448, 448, 3), dtype=np.uint8)
        features = np.full((len(self.discs), 9), 5.0)
        return DiscsSeen(self.discs, self.doubtful, covered, crop, features)


class Finds:
    """A finder that reports the board it is told; ``None``: none."""

    def __init__(self, board: BoardSeen | None) -> None:
        self.board = board
        self.calls = 0

    def find(self, image_bgr: Array) -> Found:
        self.calls += 1
        if self.board is None:
            return Found(None, ("no corners",))
        return Found(self.board)
