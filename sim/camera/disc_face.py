"""Faces of discs: albedo sprites and the slopes that turning leaves in wood and plastic."""

from functools import lru_cache
from math import pi

import cv2
import numpy as np

from sim.camera.arrays import Array, bgr
from sim.camera.grain import grain_tile
from sim.camera.lettering import paste_word
from sim.camera.looks import DiscLook, DiscPattern, Grain
from sim.camera.noise import cut, fractal_tile
from sim.camera.plane import Plane

__all__ = ["FACE_PX", "face_sprite", "slope_profile"]

FACE_PX = 96
"""Side of a sprite; the face fills it."""
_PROFILE_STEPS = 128


@lru_cache(maxsize=96)
def face_sprite(look: DiscLook, variant: int) -> Array:
    """(96, 96, 3) uint8 BGR albedo of a face; shared, do not write."""
    plane = Plane(1.0, FACE_PX / 2)
    image = np.empty((FACE_PX, FACE_PX, 3), dtype=np.uint8)
    image[:] = bgr(look.colour)
    _decorate(image, plane, look)
    _matter(image, look, variant)
    image.setflags(write=False)
    return image


def _decorate(image: Array, plane: Plane, look: DiscLook) -> None:
    second, middle = bgr(look.second), (0.0, 0.0)
    pattern = look.pattern
    if pattern is DiscPattern.DOT:
        plane.circle(image, middle, 0.16, second)
    elif pattern is DiscPattern.COLOUR_RING:
        plane.circle(image, middle, 0.78, second, 0.16)
    elif pattern is DiscPattern.TWO_RINGS:
        plane.circle(image, middle, 0.88, second, 0.17)
        plane.circle(image, middle, 0.55, bgr(look.side), 0.17)
    elif pattern is DiscPattern.HALVES:
        cv2.rectangle(image, (0, 0), (FACE_PX // 2, FACE_PX), second, -1)
    elif pattern is DiscPattern.CORE:
        plane.circle(image, middle, 0.62, second)
    elif pattern is DiscPattern.TARGET:
        for radius in (0.86, 0.6, 0.34):
            plane.circle(image, middle, radius, second, 0.09)
    elif pattern is DiscPattern.STAR:
        t = np.arange(10) * pi / 5
        r = np.where(np.arange(10) % 2 == 0, 0.72, 0.3)
        plane.fill(image, np.stack([r * np.cos(t), r * np.sin(t)], axis=1), second)
        plane.circle(image, middle, 0.86, second, 0.04)
    elif pattern is DiscPattern.FLOWER:
        _flower(image, plane, look)
    elif pattern is DiscPattern.TEXT:
        _word(image, look)
    elif pattern is DiscPattern.SWIRL:
        _swirl(image, look)


def _flower(image: Array, plane: Plane, look: DiscLook) -> None:
    second = bgr(look.second)
    for k in range(6):
        angle = k * pi / 3 + look.seed
        x, y = 0.42 * np.cos(angle), 0.42 * np.sin(angle)
        plane.circle(image, (float(x), float(y)), 0.2, second)
        plane.circle(image, (float(x) * 1.05, float(y) * 1.05), 0.11, bgr(look.colour, 0.85))
    plane.circle(image, (0.0, 0.0), 0.16, bgr(look.second, 0.6))
    plane.circle(image, (0.0, 0.0), 0.88, second, 0.06)


def _word(image: Array, look: DiscLook) -> None:
    mask = np.zeros((FACE_PX, FACE_PX), dtype=np.uint8)
    word = ("ACE", "TARANG", "77", "PRO", "K")[look.seed % 5]
    middle = FACE_PX / 2
    paste_word(mask, word, centre_px=(middle, middle), height_px=33, font=look.seed, bold=7)
    share = mask[..., None].astype(np.float32) / 255.0
    image[:] = (image * (1 - share) + np.array(bgr(look.second)) * share).astype(np.uint8)


def _swirl(image: Array, look: DiscLook) -> None:
    """Marbled plastic."""
    noise = cut(
        fractal_tile(1.7, 1.0, 5), (FACE_PX, FACE_PX), scale=3.0, offset_px=(look.seed % 900, 5.0)
    )
    share = np.clip((noise.astype(np.float32) - 120.0) / 40.0, 0, 1)[..., None]
    image[:] = (image * (1 - share) + np.array(bgr(look.second)) * share).astype(np.uint8)


def _matter(image: Array, look: DiscLook, variant: int) -> None:
    """Grain, stains and worn edges; ``variant`` tells the men of a set apart."""
    rng = np.random.default_rng((look.seed, variant))
    size = (FACE_PX, FACE_PX)
    offset = (float(rng.uniform(0, 999)), float(rng.uniform(0, 999)))
    grain = cut(grain_tile(Grain.BIRCH, variant % 3), size, scale=0.45, offset_px=offset)
    stain = cut(fractal_tile(1.3, 1.0, 1), size, scale=2.0, offset_px=offset)
    factor = 1.0 + (grain.astype(np.float32) / 128.0 - 1.0) * 0.22 * look.spread
    factor += (stain.astype(np.float32) / 128.0 - 1.0) * (0.08 + 0.2 * look.wear) * 0.6
    factor *= 1.0 + float(rng.normal(0, 0.10)) * look.spread
    tint = 1.0 + rng.normal(0, 0.05, 3) * look.spread
    image[:] = np.clip(image * (factor[..., None] * tint), 0, 255)
    x = (np.arange(FACE_PX) - FACE_PX / 2 + 0.5) / (FACE_PX / 2)
    radius = np.sqrt(x[:, None] ** 2 + x[None, :] ** 2)
    noise = cut(fractal_tile(0.7, 1.0, 2), size, scale=1.5, offset_px=offset)
    rubbed = np.clip((radius - 0.86) * 7, 0, 1) * np.clip(noise / 128.0 - 0.7, 0, 1) * look.wear
    pale = np.array(bgr((0.66, 0.62, 0.56)), dtype=np.float32)
    image[:] = image + (pale - image) * rubbed[..., None]


@lru_cache(maxsize=64)
def slope_profile(look: DiscLook, radius_mm: float) -> Array:
    """(128,) float32: outward slope of the face from its middle to its rim."""
    r = (np.arange(_PROFILE_STEPS) + 0.5) / _PROFILE_STEPS
    slope = np.zeros(_PROFILE_STEPS)
    grooves = {
        DiscPattern.RINGS: (0.34, 0.62, 0.82),
        DiscPattern.MANY_RINGS: (0.16, 0.28, 0.40, 0.52, 0.64, 0.76, 0.88),
        DiscPattern.DISH: (0.80,),
        DiscPattern.DOT: (0.72,),
        DiscPattern.TARGET: (0.34, 0.6, 0.86),
        DiscPattern.COLOUR_RING: (0.62, 0.80),
        DiscPattern.TWO_RINGS: (0.72,),
    }.get(look.pattern, ())
    for at in grooves:
        width = 0.045
        slope += look.groove * 1.1 * (r - at) / width * np.exp(-(((r - at) / width) ** 2))
    if look.pattern is DiscPattern.DISH:
        slope -= 0.12 * look.groove * r * (r < 0.8)
    start = 1.0 - look.bevel_mm / radius_mm
    slope += np.where(r > start, 0.9 * (r - start) / max(1e-3, 1 - start), 0.0)
    return slope.astype(np.float32)
