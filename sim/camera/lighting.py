"""How much light of which colour falls where, and how lamps mirror in lacquer."""

from collections.abc import Sequence

import cv2
import numpy as np

from sim.camera.arrays import Array, linear
from sim.camera.cast import Body
from sim.camera.scene import Lamp, LampShape, Scene
from sim.camera.shadows import ambient_mask, body_shadows, contact_mask, static_shadow
from sim.camera.view import View
from sim.camera.window import Window

__all__ = ["disc_shade", "glare", "lamp_field", "static_light"]

_AMBIENT_LOSS = 0.55


def lamp_field(lamp: Lamp, places_mm: Array) -> Array:
    """(...) float64: light of a lamp on a level surface at (..., 2) mm; 1 at the middle."""
    x, y, z = lamp.position_mm
    far2 = (places_mm[..., 0] - x) ** 2 + (places_mm[..., 1] - y) ** 2 + z * z
    out: Array = ((x * x + y * y + z * z) / far2) ** 1.5
    return out


def _weights(scene: Scene) -> Array:
    """(3, lamps + 1) float32: BGR of each lamp and of the ambient light at the middle."""
    columns = [linear(lamp.colour) * lamp.share for lamp in scene.light.lamps]
    columns.append(linear(scene.light.ambient_colour) * scene.light.ambient)
    return np.stack(columns, axis=1).astype(np.float32)


def static_light(view: View, scene: Scene) -> Array:
    """(height, width, 3) float32: light of all lamps on what lies level, discs not regarded."""
    plane = view.coarse_plane(0.0)
    fields = []
    for index, lamp in enumerate(scene.light.lamps):
        field = view.spread(lamp_field(lamp, plane))
        kept = 255 - static_shadow(view, scene, lamp, first=index == 0)
        fields.append(cv2.multiply(field, kept, scale=1 / 255.0, dtype=cv2.CV_32F))
    lost = ambient_mask(view, scene)
    ambient = (1.0 - np.arange(256) * (_AMBIENT_LOSS / 255.0)).astype(np.float32)
    fields.append(cv2.LUT(lost, ambient))
    return cv2.transform(cv2.merge(fields), _weights(scene))


def disc_shade(
    view: View, scene: Scene, bodies: Sequence[Body], z_mm: float, window: Window
) -> Array:
    """(h, w, 3) float32 of a window: the light that bodies leave to a plane, 1 = all."""
    weights = _weights(scene)
    weights /= weights.sum(axis=1, keepdims=True)
    masks = [body_shadows(view, bodies, lamp, z_mm, window) for lamp in scene.light.lamps]
    masks.append(contact_mask(view, bodies, z_mm, window))
    weights[:, -1] = weights[:, -1] * 0.9 + 0.05
    stack = cv2.merge(masks) if len(masks) > 1 else masks[0][..., None]
    lost = cv2.transform(stack.astype(np.float32), weights / 255.0)
    out: Array = np.maximum(1.0 - lost, 0.0, out=lost)
    return out


def glare(view: View, scene: Scene, *, rough: float) -> Array | None:
    """(height, width, 3) float32: mirror images of the lamps in a level glossy plane."""
    if not scene.light.lamps:
        return None
    plane = view.coarse_plane(0.0)
    rays = view.coarse_rays()
    rise = np.maximum(-rays[..., 2], 1e-3)
    cosine = rise / np.linalg.norm(rays, axis=-1)
    fresnel = 0.04 + 0.96 * (1 - cosine) ** 5
    total = np.zeros((*plane.shape[:2], 3))
    for lamp in scene.light.lamps:
        x, y, z = lamp.position_mm
        hit = plane + rays[..., :2] * (z / rise)[..., None]
        away = _outside_mm(lamp, hit[..., 0] - x, hit[..., 1] - y)
        blur = rough * z
        peak = min(14.0, 2.0 + 1.2e6 / (lamp.size_mm + blur) ** 2)
        spot = np.exp(-0.5 * (away / blur) ** 2) + 0.12 * np.exp(-away / (3 * blur))
        total += (spot * fresnel * lamp.share * peak)[..., None] * linear(lamp.colour)
    sky = 0.3 * fresnel * scene.light.ambient
    total += sky[..., None] * linear(scene.light.ambient_colour)
    return view.spread(total)


def _outside_mm(lamp: Lamp, dx: Array, dy: Array) -> Array:
    """How far a point of the lamp's plane is outside the lamp."""
    c, s = np.cos(lamp.turn_rad), np.sin(lamp.turn_rad)
    u, v = np.abs(c * dx + s * dy), np.abs(c * dy - s * dx)
    size = lamp.size_mm
    if lamp.shape is LampShape.ROUND:
        return np.maximum(np.hypot(dx, dy) - size, 0.0)
    half = (size, 15.0) if lamp.shape is LampShape.TUBE else (size, size * 1.4)
    out: Array = np.hypot(np.maximum(u - half[0], 0.0), np.maximum(v - half[1], 0.0))
    return out
