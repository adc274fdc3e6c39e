"""Wood, laminate and dust: albedo textures from grain tiles and two tones."""

from functools import lru_cache

import cv2
import numpy as np

from sim.camera.arrays import Array
from sim.camera.looks import Grain, Rgb
from sim.camera.noise import cut, fractal_tile

__all__ = ["grain_tile", "stained", "toned", "wood"]

_MM_PER_TILE_PX = 0.6


@lru_cache(maxsize=16)
def grain_tile(grain: Grain, seed: int) -> Array:
    """(1024, 1024) uint8: 0 dark to 255 light, fibres along x; 0.6 mm a pixel; tileable."""
    fibre = fractal_tile(0.9, 40.0, seed).astype(np.float32) - 128.0
    cloud = fractal_tile(1.7, 4.0, seed + 7).astype(np.float32) - 128.0
    if grain is Grain.BIRCH:
        pores = fractal_tile(0.25, 22.0, seed + 17).astype(np.float32) - 128.0
        value = 0.5 * fibre + 0.4 * cloud + 0.3 * _contours(seed, 5.0) + 0.3 * pores
    elif grain is Grain.FLOWER:
        pores = fractal_tile(0.25, 22.0, seed + 17).astype(np.float32) - 128.0
        value = 0.35 * fibre + 0.2 * cloud + 1.0 * _contours(seed, 11.0) + 0.3 * pores
    elif grain is Grain.QUARTER:
        lines = fractal_tile(0.5, 120.0, seed + 3).astype(np.float32) - 128.0
        value = 0.7 * lines + 0.4 * fibre + 0.2 * cloud
    elif grain is Grain.FLECKED:
        flecks = fractal_tile(0.15, 14.0, seed + 5).astype(np.float32) - 128.0
        value = 0.4 * fibre + 0.4 * cloud - 1.6 * np.maximum(flecks - 62.0, 0.0)
    else:
        fine = fractal_tile(0.3, 1.5, seed + 9).astype(np.float32) - 128.0
        value = 0.25 * cloud + 0.25 * fine
    return np.clip(value + 128.0, 0, 255).astype(np.uint8)


def _contours(seed: int, count: float) -> Array:
    """Growth rings of a plain-sawn board: contour lines of a long soft hill, -64 to 64."""
    hill = fractal_tile(2.6, 7.0, seed + 11).astype(np.float32) / 255.0
    rough = fractal_tile(1.0, 30.0, seed + 13).astype(np.float32) / 255.0
    ring = hill * count + 0.25 * rough
    ring -= np.floor(ring)
    return 110.0 * (ring**1.6 - 0.38)


def toned(gray: Array, dark: Rgb, light: Rgb, contrast: float) -> Array:
    """(h, w, 3) uint8 BGR: a gray grain between two tones."""
    level = 0.5 + (np.arange(256) / 255.0 - 0.5) * contrast * 1.5
    level = np.clip(level + 0.12, 0.0, 1.0)[:, None]
    ramp = (1 - level) * np.array(dark[::-1]) + level * np.array(light[::-1])
    table = np.clip(ramp * 255.0, 0, 255).astype(np.uint8).reshape(256, 1, 3)
    return cv2.applyColorMap(gray, table)


def wood(
    size_px: int,
    px_per_mm: float,
    *,
    grain: Grain,
    dark: Rgb,
    light: Rgb,
    contrast: float,
    seed: int,
    grain_scale: float = 1.0,
    turned: bool = False,
) -> Array:
    """(size, size, 3) uint8 BGR: a piece of wood seen from above."""
    rng = np.random.default_rng(seed)
    tile = grain_tile(grain, int(rng.integers(3)))
    offset = tuple(rng.uniform(0, 1024, 2))
    turn_rad = (np.pi / 2 if turned else 0.0) + rng.normal(0, 0.02)
    scale = grain_scale / (px_per_mm * _MM_PER_TILE_PX)
    gray = cut(
        tile,
        (size_px, size_px),
        scale=scale,
        turn_rad=float(turn_rad),
        offset_px=(float(offset[0]), float(offset[1])),
    )
    return toned(gray, dark, light, contrast)


def stained(texture: Array, amount: float, rng: np.random.Generator) -> Array:
    """The texture with large soft patches of a little more or less light, in place."""
    if amount <= 0:
        return texture
    coarse = 1.0 + amount * 0.13 * rng.standard_normal((6, 6, 1)).clip(-2, 2)
    coarse = coarse + amount * 0.012 * rng.standard_normal((6, 6, 3))
    soft = cv2.resize(coarse.astype(np.float32), (96, 96), interpolation=cv2.INTER_CUBIC)
    fine = cut(fractal_tile(1.4), (96, 96), scale=6.0, offset_px=(float(rng.uniform(0, 999)), 3.0))
    soft = soft * (1.0 + amount * 0.18 * (fine[..., None].astype(np.float32) / 128.0 - 1.0))
    factor = np.clip(soft * 128.0, 0, 255).astype(np.uint8)
    size_px = (texture.shape[1], texture.shape[0])
    full = cv2.resize(factor, size_px, interpolation=cv2.INTER_LINEAR)
    return cv2.multiply(texture, full, dst=texture, scale=1.0 / 128.0)
