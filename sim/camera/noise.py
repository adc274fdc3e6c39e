"""Banks of tileable noise, made once a process, cut to size by an affine warp.

Everything random about a texture is an offset, a turn and a scale into one of these tiles, so a
new texture costs a few milliseconds.
"""

from functools import lru_cache

import cv2
import numpy as np

from sim.camera.arrays import Array

__all__ = ["cut", "fractal_tile", "sensor_tile"]

_TILE_PX = 1024


@lru_cache(maxsize=32)
def fractal_tile(exponent: float, stretch: float = 1.0, seed: int = 0) -> Array:
    """(1024, 1024) uint8: noise of spectrum 1/f^exponent, ``stretch`` times longer along x.

    Mean 128, two and a half standard deviations reach the ends. Shared: do not write.
    """
    rng = np.random.default_rng(1000 + seed)
    white = rng.standard_normal((_TILE_PX, _TILE_PX), dtype=np.float32)
    fy = np.fft.fftfreq(_TILE_PX)[:, None]
    fx = np.fft.rfftfreq(_TILE_PX)[None, :] * stretch
    radius = np.sqrt(fx * fx + fy * fy)
    radius[0, 0] = np.inf
    field = np.fft.irfft2(np.fft.rfft2(white) * radius ** (-exponent), s=(_TILE_PX, _TILE_PX))
    field *= 51.0 / field.std()
    return np.clip(field + 128.0, 0, 255).astype(np.uint8)


@lru_cache(maxsize=4)
def sensor_tile(chroma: int) -> Array:
    """(2048, 3072, 3) uint8: noise about 128, deviation 24; ``chroma`` quarters of it coloured.

    Starts at most (1024, 1024) off the corner look alike nowhere; shared: do not write.
    """
    rng = np.random.default_rng(77 + chroma)
    field = rng.standard_normal((_TILE_PX, _TILE_PX, 4), dtype=np.float32)
    wrapped = cv2.copyMakeBorder(field, 8, 8, 8, 8, cv2.BORDER_WRAP)
    fine = cv2.GaussianBlur(wrapped, (0, 0), 0.45)[8:-8, 8:-8, :1]
    coarse = cv2.GaussianBlur(wrapped, (0, 0), 1.2)[8:-8, 8:-8, 1:]
    mixed = fine / fine.std() + (chroma / 4.0) * coarse / coarse.std()
    tile = np.clip(mixed * 24.0 + 128.5, 0, 255).astype(np.uint8)
    return np.ascontiguousarray(np.tile(tile, (2, 3, 1)))


def cut(
    tile: Array,
    size_px: tuple[int, int],
    *,
    scale: float = 1.0,
    turn_rad: float = 0.0,
    offset_px: tuple[float, float] = (0.0, 0.0),
    coarse: int = 1,
) -> Array:
    """(height, width) of the tile's type: a window of the endless tile.

    ``scale``: tile pixels per output pixel. ``coarse``: made that much smaller, then enlarged.
    """
    if coarse > 1:
        small = (-(-size_px[0] // coarse), -(-size_px[1] // coarse))
        window = cut(tile, small, scale=scale * coarse, turn_rad=turn_rad, offset_px=offset_px)
        return cv2.resize(window, size_px, interpolation=cv2.INTER_LINEAR)
    c, s = scale * np.cos(turn_rad), scale * np.sin(turn_rad)
    matrix = np.array([[c, -s, offset_px[0]], [s, c, offset_px[1]]], dtype=np.float64)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(tile, matrix, size_px, flags=flags, borderMode=cv2.BORDER_WRAP)
