"""Noise tiles, made once: mottling, pores, folds of cloth; and their placing on a canvas."""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np

from sim.camera.hands_types import FloatArray, Vector

__all__ = ["TILE_MM", "place_tile", "tile"]

_SIDE = 512
_PER_MM = 1.6
TILE_MM = _SIDE / _PER_MM
_OCTAVES: dict[str, tuple[tuple[float, float, float], ...]] = {
    # (wavelength along x mm, along y mm, weight)
    "mottle": ((26.0, 26.0, 1.0), (11.0, 11.0, 0.8), (4.5, 4.5, 0.6)),
    "pores": ((1.3, 1.3, 1.0), (2.6, 2.6, 0.5)),
    "folds": ((70.0, 26.0, 1.0), (34.0, 13.0, 0.55), (16.0, 8.0, 0.22)),
    "dust": ((9.0, 9.0, 1.0), (3.0, 3.0, 0.8), (1.2, 1.2, 0.6)),
    "weave": ((3.0, 0.9, 1.0), (0.9, 3.0, 1.0)),
}


@lru_cache(maxsize=8)
def tile(name: str) -> FloatArray:
    """A seamless (512, 512) float32 noise of mean 0 and deviation 1, 1.6 pixels a millimetre."""
    rng = np.random.default_rng(sum(name.encode()) * 7919)
    fx = np.fft.fftfreq(_SIDE) * _PER_MM
    fy = np.fft.fftfreq(_SIDE)[:, None] * _PER_MM
    total = np.zeros((_SIDE, _SIDE))
    for wave_x, wave_y, weight in _OCTAVES[name]:
        spectrum = np.fft.fft2(rng.normal(size=(_SIDE, _SIDE)))
        filtered = np.fft.ifft2(
            spectrum * np.exp(-((fx * wave_x) ** 2 + (fy * wave_y) ** 2) * 0.5 * math.pi)
        ).real
        total += weight * filtered / filtered.std()
    return np.asarray((total - total.mean()) / total.std(), dtype=np.float32)


def place_tile(
    name: str, origin_px: Vector, density: float, size: tuple[int, int], seed: int
) -> FloatArray:
    """The tile on a canvas of (width, height), tied to a canvas point so that it moves with it."""
    step = _PER_MM / density
    rng = np.random.default_rng([seed, sum(name.encode())])
    shift = rng.uniform(0, _SIDE, 2) - np.asarray(origin_px) * step
    fine = min(step, 1.0)
    count = [max(int(n * step / max(step, 1.0)) + 2, 2) for n in size]
    across, along = (
        ((shift[k] + np.arange(count[k]) * max(step, 1.0)) % _SIDE).astype(np.intp) % _SIDE
        for k in (0, 1)
    )
    sampled = tile(name)[along[:, None], across]
    if fine == 1.0:
        return np.ascontiguousarray(sampled[: size[1], : size[0]])
    large = cv2.resize(sampled, None, fx=1 / fine, fy=1 / fine, interpolation=cv2.INTER_LINEAR)
    return np.asarray(large[: size[1], : size[0]], dtype=np.float32)
