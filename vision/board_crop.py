"""The square picture of a board seen straight from above, which the disc network looks at."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Array
from vision.board_camera import BoardCamera

__all__ = ["CROP_MARGIN", "BoardCrop", "CropMaps"]

CROP_MARGIN = 1.15
"""Half side of the crop over half side of the playing surface: most of the frame is inside."""

_FINER = 1.4
"""Picture pixels to a pixel of the crop from which averaging is needed."""
_ROOM_PX = 4


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

    def maps(self, camera: BoardCamera) -> "CropMaps":
        """For ``cut``. Depends on the camera only: keep it while that stands still."""
        return CropMaps.of(*self.pixels(camera), camera.width_px, camera.height_px)

    def pixels(self, camera: BoardCamera) -> tuple[Array, Array]:
        """Two (size, size) float32: where in the pictures of ``camera`` each crop pixel lies; -1e4
        for what it cannot see."""
        line = np.arange(self.size_px, dtype=np.float64)
        grid = np.stack(np.meshgrid(line, line), axis=-1)
        px = camera.board_to_px(self.crop_to_mm(grid)).astype(np.float32)
        px = np.nan_to_num(px, nan=-1e4)
        return np.ascontiguousarray(px[..., 0]), np.ascontiguousarray(px[..., 1])

    def cut(self, image_bgr: Array, maps: "CropMaps", *, outside: int = 114) -> Array:
        """(size, size, 3) uint8, a new array; ``outside``: level of what the picture lacks.

        A picture much finer than the crop is averaged down first, or discs would lose their edges.
        """
        part = image_bgr[maps.top : maps.bottom, maps.left : maps.right]
        for size in maps.sizes:
            part = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
        edge = (outside, outside, outside)
        return cv2.remap(
            part,
            maps.x,
            maps.y,
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=edge,
        )


@dataclass(frozen=True, eq=False)
class CropMaps:
    """The part of the picture that a crop needs, the sizes (width, height) to which it is averaged
    down one after the other, and (size, size) float32 maps into the last of them."""

    left: int
    top: int
    right: int
    bottom: int
    sizes: tuple[tuple[int, int], ...]
    x: Array
    y: Array

    @classmethod
    def of(cls, x: Array, y: Array, width_px: int, height_px: int) -> "CropMaps":
        """From maps into a picture of this size. Halving is nearly free and any other averaging is
        not, so that comes last, if at all."""
        left, right = _span(x, width_px)
        top, bottom = _span(y, height_px)
        scale = float(np.median(np.hypot(np.diff(x, axis=1), np.diff(y, axis=1))))
        width, height = right - left, bottom - top
        sizes = []
        while scale >= 2.0 and min(width, height) > 2:
            width, height, scale = (width + 1) // 2, (height + 1) // 2, scale / 2.0
            sizes.append((width, height))
        if scale > _FINER:
            width, height = (max(1, round(side / scale)) for side in (width, height))
            sizes.append((width, height))
        across, down = width / (right - left), height / (bottom - top)
        return cls(
            left,
            top,
            right,
            bottom,
            tuple(sizes),
            np.ascontiguousarray((x - left + 0.5) * across - 0.5, dtype=np.float32),
            np.ascontiguousarray((y - top + 0.5) * down - 0.5, dtype=np.float32),
        )


def _span(at: Array, size_px: int) -> tuple[int, int]:
    """First and last pixel but one that are needed along one axis of a picture; an even number of
    them where the picture is that large. The whole axis if nothing of it is needed."""
    inside = at[(at > -1.0) & (at < size_px)]
    if not inside.size:
        return 0, size_px
    first = max(0, int(np.floor(inside.min())) - _ROOM_PX)
    last = min(size_px, int(np.ceil(inside.max())) + _ROOM_PX + 1)
    return first, min(size_px, last + (last - first) % 2)
