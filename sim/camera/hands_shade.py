"""Light on a hand: soft diffuse light, crevices, its own shadows, sheen."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from sim.camera.hands_paint import Canvas, blur
from sim.camera.hands_shape import SLEEVE
from sim.camera.hands_types import FloatArray, HandLight, Lighting, Vector

__all__ = ["shade"]

_WRAP_SKIN = (np.float32(0.10), np.float32(0.16), np.float32(0.34))
_WRAP_CLOTH = np.float32(0.12)
_STEPS_MM = (2.0, 4.0, 7.0, 11.0, 16.0, 23.0, 32.0, 44.0)


def shade(canvas: Canvas, lighting: Lighting) -> FloatArray:
    """(height, width, 3) display values 0..1 of the painted canvas under its lamps.

    Only covered pixels are lit: arrays named *_n are (n,) or (n, 3) of those.
    """
    height = _solid(canvas)
    covered = np.flatnonzero(canvas.shape.outside.ravel() < 0.6)
    normal_n = _normals(canvas, height, covered)
    owner_n = canvas.shape.owner.ravel()[covered]
    albedo_n = canvas.albedo.reshape(-1, 3)[covered]
    albedo_n *= _palm_tint(canvas, normal_n, owner_n)
    open_n = _openness(canvas, height).ravel()[covered]
    up = canvas.view.directions(np.array([0.0, 0.0, 1.0])).astype(np.float32)
    sky_n = open_n * (np.float32(0.72) + np.float32(0.28) * (normal_n @ up))
    light_n = sky_n[:, None] * np.array(lighting.ambient_bgr, np.float32)
    shine_n = np.zeros_like(open_n)
    cloth_n = owner_n == SLEEVE
    for lamp in lighting.lamps:
        toward = np.asarray(lamp.toward) / np.linalg.norm(lamp.toward)
        ray = canvas.view.directions(toward).astype(np.float32)
        free_n = 1 - _own_shadow(canvas, height, toward, lamp).ravel()[covered]
        free_n *= np.float32(lamp.strength)
        shine_n += _sheen(normal_n, ray) * free_n
        free_n *= np.float32(0.35) + np.float32(0.65) * open_n
        facing_n = normal_n @ ray
        for channel, skin_wrap in enumerate(_WRAP_SKIN):
            wrap = np.where(cloth_n, _WRAP_CLOTH, skin_wrap)
            lit = np.maximum(facing_n + wrap, 0) / (1 + wrap) * free_n
            light_n[:, channel] += lit * np.float32(lamp.colour_bgr[channel])
    light_n *= albedo_n * albedo_n
    light_n += (shine_n * canvas.gloss.ravel()[covered] * np.float32(0.5))[:, None]
    shown = np.zeros((height.size, 3), np.float32)
    shown[covered] = np.sqrt(np.clip(light_n, 0, 1))
    return shown.reshape((*height.shape, 3))


def _solid(canvas: Canvas) -> FloatArray:
    """Heights with the details on, the board's level outside."""
    floor = canvas.skeleton.wrist_mm * np.array([1.0, 1.0, 0.0])
    level = np.float32(float(canvas.view.depth(floor)) - 8 * canvas.density)
    inside = canvas.shape.outside < 2.5
    height = np.where(inside, np.maximum(canvas.shape.height, level) + canvas.bump, level)
    return height.astype(np.float32)


def _normals(canvas: Canvas, height: FloatArray, covered: NDArray[np.intp]) -> FloatArray:
    """(n, 3) unit normals in the canvas frame (right, down, toward the camera)."""
    smooth = blur(height, max(0.45 * canvas.density, 0.5))
    normal = np.ones((covered.size, 3), np.float32)
    for axis, (dx, dy) in enumerate(((1, 0), (0, 1))):
        slope = cv2.Sobel(smooth, cv2.CV_32F, dx, dy, ksize=3, scale=-1 / 8)
        normal[:, axis] = slope.ravel()[covered]
    steep = np.sqrt(normal[:, 0] ** 2 + normal[:, 1] ** 2)
    limit = np.float32(2.6) / np.maximum(steep, np.float32(2.6))
    normal[:, :2] *= limit[:, None]
    normal /= np.sqrt(1 + (steep * limit) ** 2)[:, None]
    return normal


def _palm_tint(canvas: Canvas, normal_n: FloatArray, owner_n: NDArray[np.uint8]) -> FloatArray:
    """(n, 3) factors: skin that turns away from the back of the hand is the palm's, paler."""
    out = canvas.view.directions(canvas.skeleton.basis[:, 2]).astype(np.float32)
    away = np.clip(np.float32(0.45) - normal_n @ out, 0, 1) * np.float32(1.1)
    fingers = (owner_n >= 1) & (owner_n <= 5)
    share = np.where(fingers, np.minimum(away, np.float32(0.5)), away * np.float32(0.25))
    share[owner_n == SLEEVE] = 0
    palm = np.array(canvas.look.skin.palm_bgr, np.float32)
    base = np.array(canvas.look.skin.base_bgr, np.float32)
    return np.asarray(1 + share[:, None] * (palm / base - 1), np.float32)


def _coarse(canvas: Canvas, height: FloatArray) -> tuple[FloatArray, float]:
    """A small copy for crevices and shadows, and its pixels per canvas pixel."""
    zoom = min(0.62 / canvas.density, 1.0)
    size = (max(int(height.shape[1] * zoom), 2), max(int(height.shape[0] * zoom), 2))
    small = cv2.resize(height, size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32), zoom


def _openness(canvas: Canvas, height: FloatArray) -> FloatArray:
    """1 in the open, less in crevices: how far a pixel lies under its neighbourhood."""
    small, zoom = _coarse(canvas, height)
    d = canvas.density * canvas.look.size
    open_sky = np.ones_like(small)
    for sigma_mm, depth_mm, weight in ((2.2, 4.5, 0.45), (7.0, 13.0, 0.5)):
        below = (blur(small, zoom * sigma_mm * d) - small) / np.float32(depth_mm * d)
        open_sky *= 1 - np.float32(weight) * np.clip(below, 0, 1)
    return _full(open_sky, height)


def _full(small: FloatArray, like: FloatArray) -> FloatArray:
    size = (like.shape[1], like.shape[0])
    return np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR), np.float32)


def _own_shadow(canvas: Canvas, height: FloatArray, toward: Vector, lamp: HandLight) -> FloatArray:
    """0 lit to 1 hidden from the lamp by another part of the hand."""
    ray = canvas.view.directions(toward)
    flat = float(np.hypot(ray[0], ray[1]))
    if flat < 0.05 or ray[2] < 0.1:
        return np.zeros_like(height)
    small, zoom = _coarse(canvas, height)
    d = canvas.density * canvas.look.size
    hidden = np.zeros_like(small)
    for step_mm in _STEPS_MM:
        reach = zoom * step_mm * d
        shift = np.array([[1, 0, ray[0] / flat * reach], [0, 1, ray[1] / flat * reach]])
        other = cv2.warpAffine(
            small, shift, (small.shape[1], small.shape[0]),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
        )  # fmt: skip
        rise = np.float32(step_mm * d * ray[2] / flat + 0.8 * d)
        soft = np.float32((1.5 + step_mm * lamp.softness_rad * 2) * d)
        np.maximum(hidden, np.minimum((other - small - rise) / soft, 1), out=hidden)
    return _full(blur(hidden, zoom * d), height)


def _sheen(normal: FloatArray, ray: FloatArray) -> FloatArray:
    half = ray + np.array([0, 0, 1], np.float32)
    half /= np.float32(max(float(np.linalg.norm(half)), 1e-6))
    glance = np.clip(normal @ half, 0, 1)
    for _ in range(4):
        glance = glance * glance
    return np.asarray(glance, np.float32)
