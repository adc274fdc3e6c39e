"""Strips of the picture along the four sides of a board, straightened by a camera.

Side frame: ``s`` along the side, ``t`` across it, both mm on one plane of the board; t = 0 is where
the camera puts the inner side of the frame, positive outwards. Sides are N E S W; s runs clockwise
as seen from above.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Array
from vision.board_camera import BoardCamera

__all__ = ["ALONG", "OUTWARD", "Strips", "cut_strips", "side_points"]

OUTWARD: Array = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, -1.0], [-1.0, 0.0]])
"""(4, 2): across each side, board frame."""
ALONG: Array = np.array([[1.0, 0.0], [0.0, -1.0], [-1.0, 0.0], [0.0, 1.0]])
"""(4, 2): along each side, board frame."""

_FINE = 6
"""Samples along the side that make one block."""


@dataclass(frozen=True, slots=True)
class Strips:
    """Mean colours of blocks along the sides.

    ``colour``: (4, blocks, n, 3) float32, 0 to 255 BGR, nan where the picture ends. ``t_mm``: (n,);
    ``s_mm``: (blocks,) middles of the blocks. ``z_mm``: the plane.
    """

    colour: Array
    t_mm: Array
    s_mm: Array
    z_mm: float

    @property
    def step_mm(self) -> float:
        """Between two samples across."""
        return float(self.t_mm[1] - self.t_mm[0])

    def slopes(self, blur_mm: float) -> Array:
        """(4, blocks, n, 3) float32, levels per mm outwards: the blurred derivative across.

        nan where the picture ends.
        """
        sigma = max(blur_mm / self.step_mm, 0.3)
        reach = int(np.ceil(3 * sigma))
        t = np.arange(-reach, reach + 1, dtype=np.float64)
        kernel = t * np.exp(-0.5 * (t / sigma) ** 2)
        kernel /= np.sum(kernel * t) * self.step_mm
        flat = np.moveaxis(self.colour, 2, -1)
        padded = np.pad(flat, [(0, 0)] * 3 + [(reach, reach)], mode="edge")
        out = np.zeros_like(flat)
        for k, weight in enumerate(kernel):
            out += np.float32(weight) * padded[..., k : k + flat.shape[-1]]
        return np.moveaxis(out, -1, 2)


def side_points(side: int, s_mm: Array, t_mm: Array, half_mm: float) -> Array:
    """(..., 2) mm, board frame, of places in the frame of a side."""
    s, t = np.asarray(s_mm)[..., None], np.asarray(t_mm)[..., None]
    out: Array = OUTWARD[side] * (half_mm + t) + ALONG[side] * s
    return out


def cut_strips(
    image_bgr: Array,
    camera: BoardCamera,
    half_mm: float,
    *,
    t_mm: Array,
    blocks: int = 16,
    reach: float = 0.86,
    z_mm: float = 0.0,
) -> Strips:
    """Strips of all sides; ``reach``: the share of the half side that they cover.

    ``image_bgr``: (h, w, 3) uint8, of the camera's size.
    """
    edges = np.linspace(-reach * half_mm, reach * half_mm, blocks + 1)
    width = edges[1] - edges[0]
    inside = (np.arange(_FINE) + 0.5) / _FINE * width
    s = (edges[:-1, None] + inside).ravel()
    grid_s, grid_t = np.meshgrid(s, t_mm, indexing="ij")
    places = np.stack([side_points(k, grid_s, grid_t, half_mm) for k in range(4)])
    px = camera.board_to_px(places, z_mm).astype(np.float32)
    flat = np.nan_to_num(px, nan=-1e4).clip(-1e4, 1e5).reshape(4 * len(s), len(t_mm), 2)
    colour = cv2.remap(  # type: ignore[call-overload]
        image_bgr, flat, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.float32)
    height, width_px = image_bgr.shape[:2]
    out = (flat < 0).any(axis=-1) | (flat[..., 0] > width_px - 1) | (flat[..., 1] > height - 1)
    colour[out] = np.nan
    colour = colour.reshape(4, blocks, _FINE, len(t_mm), 3).mean(axis=2)
    return Strips(colour, np.asarray(t_mm), (edges[:-1] + edges[1:]) / 2, z_mm)
