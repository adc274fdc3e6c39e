"""What a camera sees where: ray and plane maps for every pixel, computed once a camera."""

from functools import lru_cache

import cv2
import numpy as np

from sim.camera.arrays import Array
from sim.camera.camera import Camera
from sim.camera.plane import Plane
from sim.camera.window import Window

__all__ = ["View", "view_of"]

_STEP_PX = 8
_SHIFT = 5
_MOST_TILES = 6


class View:
    """Maps of one camera. Arrays are shared: do not write.

    Maps are computed on every eighth pixel and interpolated: they are smooth, the error stays
    under a hundredth of a pixel.
    """

    def __init__(self, camera: Camera) -> None:
        self.camera = camera
        self.width_px, self.height_px = camera.width_px, camera.height_px
        columns = np.arange(-1, -(-self.width_px // _STEP_PX) + 1) * _STEP_PX
        rows = np.arange(-1, -(-self.height_px // _STEP_PX) + 1) * _STEP_PX
        offset = (_STEP_PX - 1) / 2
        grid = np.stack(np.meshgrid(columns + offset, rows + offset), axis=-1)
        self._rays = camera.px_to_rays(grid)
        flat = self._rays @ camera.axes[:2].T
        self.rays = self.spread(flat)

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width, px."""
        return self.height_px, self.width_px

    def spread(self, coarse: Array, window: Window | None = None) -> Array:
        """(rows, columns, ...) on the coarse grid to (height, width, ...) float32.

        ``window``: only that part; its left and top are multiples of eight.
        """
        height, width = self.shape
        if window is not None:
            height, width = window.shape
            row, column = window.top // _STEP_PX, window.left // _STEP_PX
            coarse = coarse[
                row : row + -(-height // _STEP_PX) + 2, column : column + -(-width // _STEP_PX) + 2
            ]
        size = (coarse.shape[1] * _STEP_PX, coarse.shape[0] * _STEP_PX)
        full = cv2.resize(coarse.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
        return full[_STEP_PX : _STEP_PX + height, _STEP_PX : _STEP_PX + width]

    def coarse_rays(self) -> Array:
        """(rows, columns, 3) float64: world directions on the coarse grid."""
        return self._rays

    def coarse_plane(self, z_mm: float) -> Array:
        """(rows, columns, 2) float64 mm: where the coarse rays meet a plane."""
        drop = z_mm - self.camera.position_mm[2]
        steep = np.minimum(self._rays[..., 2:], drop / 50_000.0)
        return np.array(self.camera.position_mm[:2]) + self._rays[..., :2] * (drop / steep)

    def texture(
        self,
        texture: Array,
        plane: Plane,
        z_mm: float,
        *,
        wrap: bool = False,
        window: Window | None = None,
    ) -> Array:
        """(height, width[, channels]): a texture that lies at a height, seen by the camera."""
        coarse = plane.mm_to_px(self.coarse_plane(z_mm))
        mode = cv2.BORDER_CONSTANT
        if wrap:
            # Wrapping costs OpenCV thrice the time: lay out as many tiles as are seen instead.
            size = np.array(texture.shape[1::-1])
            coarse = coarse - np.floor(coarse.min(axis=(0, 1)) / size) * size
            across, down = np.ceil((coarse.max(axis=(0, 1)) + 2) / size).astype(int)
            if max(across, down) <= _MOST_TILES:
                texture = np.tile(texture, (down, across, 1))
            else:
                mode = cv2.BORDER_WRAP
        spots = self.spread(coarse, window)
        # OpenCV's stubs do not know that both coordinates may come in one map.
        return cv2.remap(  # type: ignore[call-overload, no-any-return]
            texture, spots, None, cv2.INTER_LINEAR, borderMode=mode
        )

    def window(self, points_mm: Array, margin_px: float = 2.0) -> Window:
        """The part of the picture about (n, 3) mm, on the coarse grid."""
        px = np.nan_to_num(self.camera.mm_to_px(points_mm), nan=-1e4).clip(-3e4, 3e4)
        return Window.around(px, margin_px, self.shape, step_px=_STEP_PX)

    def polygon(self, points_mm: Array, window: Window | None = None) -> Array:
        """(n, 2) int32 px with five fractional bits of (n, 3) mm, for ``fill``.

        ``window``: what is drawn on is only that part of the picture.
        """
        px = self.camera.mm_to_px(points_mm)
        px = np.nan_to_num(px, nan=-1e4).clip(-3e4, 3e4)
        if window is not None:
            px = px - (window.left, window.top)
        out: Array = np.round(px * (1 << _SHIFT)).astype(np.int32)
        return out

    def fill(self, image: Array, polygon: Array, colour: tuple[float, ...]) -> None:
        """Fill a polygon of ``polygon``, in place."""
        cv2.fillPoly(image, [polygon], colour, cv2.LINE_AA, _SHIFT)

    def fill_convex(self, image: Array, polygon: Array, colour: tuple[float, ...]) -> None:
        """Fill the convex hull of the points of ``polygon``, in place."""
        hull = cv2.convexHull(polygon)
        cv2.fillConvexPoly(image, hull, colour, cv2.LINE_AA, _SHIFT)


@lru_cache(maxsize=2)
def view_of(camera: Camera) -> View:
    """The maps of a camera, kept for the last two cameras."""
    return View(camera)
