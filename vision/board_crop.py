"""The square picture of a board seen straight from above, which the disc network looks at."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Array
from vision.board_camera import BoardCamera

__all__ = ["CROP_MARGIN", "BoardCrop"]

CROP_MARGIN = 1.15
"""Half side of the crop over half side of the playing surface: most of the frame is inside."""


@dataclass(frozen=True, slots=True)
class BoardCrop:
    """Board mm (surface plane) to crop px and back; x to the right, board y up in the crop.

    ``half_mm``: of the playing surface. The middle of the board falls on the middle of the crop,
    (size - 1) / 2.
    """

    half_mm: float
    size_px: int
    margin: float = CROP_MARGIN

    @property
    def px_per_mm(self) -> float:
        """Scale of the crop."""
        return self.size_px / (2.0 * self.margin * self.half_mm)

    def mm_to_crop(self, points_mm: Array) -> Array:
        """(..., 2) mm, board frame, to (..., 2) float64 crop px."""
        middle = (self.size_px - 1) / 2.0
        out: Array = np.asarray(points_mm) * (self.px_per_mm * np.array([1.0, -1.0])) + middle
        return out

    def crop_to_mm(self, points_px: Array) -> Array:
        """(..., 2) crop px to (..., 2) float64 mm, board frame."""
        middle = (self.size_px - 1) / 2.0
        out: Array = (np.asarray(points_px) - middle) / (self.px_per_mm * np.array([1.0, -1.0]))
        return out

    def maps(self, camera: BoardCamera) -> tuple[Array, Array]:
        """Two (size, size) float32 maps for ``cut``: where in the picture each crop pixel lies.

        They depend on the camera only: keep them while it stands still.
        """
        line = np.arange(self.size_px, dtype=np.float64)
        grid = np.stack(np.meshgrid(line, line), axis=-1)
        px = camera.board_to_px(self.crop_to_mm(grid)).astype(np.float32)
        px = np.nan_to_num(px, nan=-1e4)
        return np.ascontiguousarray(px[..., 0]), np.ascontiguousarray(px[..., 1])

    def cut(self, image_bgr: Array, maps: tuple[Array, Array], *, outside: int = 114) -> Array:
        """(size, size, 3) uint8, a new array; ``outside``: level of what the picture lacks.

        A picture much finer than the crop is averaged down first, or discs would lose their edges.
        """
        scale = float(np.median(np.hypot(np.diff(maps[0], axis=1), np.diff(maps[1], axis=1))))
        image, (x, y) = image_bgr, maps
        if scale > 1.4:
            share = 1.0 / scale
            image = cv2.resize(image_bgr, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
            across = image.shape[1] / image_bgr.shape[1]
            down = image.shape[0] / image_bgr.shape[0]
            x, y = (x + 0.5) * across - 0.5, (y + 0.5) * down - 0.5
        edge = (outside, outside, outside)
        return cv2.remap(
            image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=edge
        )
