"""Who keeps whose light away: soft shadow masks in picture pixels."""

from collections.abc import Sequence

import cv2
import numpy as np

from sim.camera.arrays import Array
from sim.camera.cast import Body
from sim.camera.noise import fractal_tile
from sim.camera.outline import at_height, inner_outline, outer_outline
from sim.camera.scene import Gobo, Lamp, Light, Scene
from sim.camera.view import View
from sim.camera.window import Window

__all__ = [
    "ambient_mask",
    "body_shadows",
    "contact_mask",
    "shadow_window",
    "static_shadow",
    "thrown",
]


def thrown(points_mm: Array, lamp: Lamp, z_mm: float) -> Array:
    """(n, 3) mm: where the shadow of points falls on a plane; points below it stay there."""
    lamp_mm = np.array(lamp.position_mm)
    height = np.minimum(points_mm[:, 2:], lamp_mm[2] - 20.0)
    share = np.maximum((lamp_mm[2] - z_mm) / (lamp_mm[2] - height), 1.0)
    out: Array = lamp_mm + (points_mm - lamp_mm) * share
    out[:, 2] = z_mm
    return out


def _soft(mask: Array, sigma_px: float) -> Array:
    if sigma_px < 0.3:
        return mask
    if sigma_px > 6.0:
        factor = int(sigma_px // 3)
        size = (max(1, mask.shape[1] // factor), max(1, mask.shape[0] // factor))
        small = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
        small = cv2.GaussianBlur(small, (0, 0), sigma_px / factor)
        return cv2.resize(small, mask.shape[::-1], interpolation=cv2.INTER_LINEAR)
    return cv2.GaussianBlur(mask, (0, 0), sigma_px)


def _penumbra_px(lamp: Lamp, height_mm: float, px_per_mm: float) -> float:
    room = max(50.0, lamp.position_mm[2] - height_mm)
    return 0.45 * lamp.size_mm * height_mm / room * px_per_mm


def static_shadow(view: View, scene: Scene, lamp: Lamp, *, first: bool) -> Array:
    """(height, width) uint8: what frame, board and gobo take from a lamp, 255 = all."""
    board, frame = scene.board, scene.board.frame.height_mm.value
    scale = view.camera.px_per_mm()
    outer = outer_outline(board, scene.board_look.frame.outer_radius_mm)
    mask = _table_shadow(view, scene, lamp, scale)
    high = _gobo(view, scene.light, lamp, scale) if first else None
    rim = view.polygon(at_height(outer, frame))
    view.fill(mask, rim, (0.0,))
    surface = np.zeros(view.shape, dtype=np.uint8)
    inner = inner_outline(board)
    view.fill(surface, view.polygon(at_height(inner * 1.03, 0.0)), (255.0,))
    view.fill(surface, view.polygon(thrown(at_height(inner, frame), lamp, 0.0)), (0.0,))
    surface = _soft(surface, _penumbra_px(lamp, frame, scale))
    inside = np.zeros(view.shape, dtype=np.uint8)
    view.fill(inside, view.polygon(at_height(inner, 0.0)), (255.0,))
    cv2.copyTo(surface, inside, mask)
    return mask if high is None else np.maximum(mask, high)


def _table_shadow(view: View, scene: Scene, lamp: Lamp, scale: float) -> Array:
    """The shadow of the whole board on what it stands on."""
    table_z = -scene.table.drop_mm
    outer = outer_outline(scene.board, 0.0)
    top = thrown(at_height(outer, scene.board.frame.height_mm.value), lamp, table_z)
    mask = np.zeros(view.shape, dtype=np.uint8)
    thick = min(scene.table.drop_mm, 60.0)
    low = thrown(at_height(outer, table_z + max(0.0, scene.table.drop_mm - thick)), lamp, table_z)
    both = np.concatenate([view.polygon(top), view.polygon(low)])
    view.fill_convex(mask, both, (235.0,))
    return _soft(mask, max(1.5, _penumbra_px(lamp, 22 + scene.table.drop_mm, scale)))


def _gobo(view: View, light: Light, lamp: Lamp, scale: float) -> Array | None:
    """Stripes of a blind, leaves, a stand or a person between lamp and board."""
    if light.gobo is Gobo.NONE:
        return None
    rng = np.random.default_rng(light.gobo_seed)
    level = 255.0 * light.gobo_strength
    if light.gobo is Gobo.STAND:
        return _stand(view, lamp, rng, level, scale)
    plane = view.coarse_plane(0.0)
    angle = rng.uniform(0, np.pi)
    across = plane[..., 0] * np.cos(angle) + plane[..., 1] * np.sin(angle)
    if light.gobo is Gobo.PERSON:
        edge = rng.uniform(-300, 450)
        soft = rng.uniform(40, 160)
        wave = 60 * np.sin(plane[..., 0] * rng.uniform(-0.01, 0.01) + plane[..., 1] * 0.006)
        value = 1 / (1 + np.exp(-np.clip((across + wave - edge) / soft * 4, -30, 30)))
    elif light.gobo is Gobo.STRIPES:
        pitch = rng.uniform(50, 190)
        phase = across / pitch * 2 * np.pi + rng.uniform(0, 6)
        along = plane[..., 1] * np.cos(angle) - plane[..., 0] * np.sin(angle)
        reach = 1 / (1 + np.exp(np.clip((np.abs(along) - rng.uniform(250, 900)) / 90, -30, 30)))
        wobble = 0.6 * np.sin(across / pitch * rng.uniform(0.5, 1.3))
        value = reach * np.clip(0.5 + rng.uniform(0.6, 2.5) * np.sin(phase + wobble), 0, 1)
    else:
        # Foliage: patches of noise as large as a hand, softer the farther the twigs.
        tile = fractal_tile(1.1, 1.0, int(rng.integers(3)))
        pitch, shift = rng.uniform(1.5, 4.0), rng.integers(0, 1024, 2)
        index = (plane / pitch + shift).astype(np.int64) % 1024
        value = (tile[index[..., 1], index[..., 0]].astype(np.float64) - 110) / rng.uniform(20, 60)
    return view.spread(np.clip(value, 0, 1) * level).astype(np.uint8)


def _stand(view: View, lamp: Lamp, rng: np.random.Generator, level: float, scale: float) -> Array:
    """A pole over the board: camera stand, lamp arm."""
    mask = np.zeros(view.shape, dtype=np.uint8)
    angle = rng.uniform(0, 2 * np.pi)
    height = rng.uniform(250, 700)
    wide = rng.uniform(8, 25)
    out = np.array([np.cos(angle), np.sin(angle)])
    side = np.array([-out[1], out[0]])
    for end, start, half in ((900.0, 30.0, wide), (60.0, -60.0, wide * 2.2)):
        flat = np.array(
            [
                out * end + side * half,
                out * start + side * half,
                out * start - side * half,
                out * end - side * half,
            ]
        )
        shadow = thrown(at_height(flat, height), lamp, 0.0)
        view.fill_convex(mask, view.polygon(shadow), (level,))
    return _soft(mask, max(1.0, _penumbra_px(lamp, height, scale) * 0.7))


def shadow_window(view: View, bodies: Sequence[Body], lamps: Sequence[Lamp], z_mm: float) -> Window:
    """The part of the picture in which bodies may throw shadows on a plane."""
    points = np.concatenate([body.rim(share, 8) for body in bodies for share in (0.0, 1.0)])
    spots = [points, *(thrown(points, lamp, z_mm) for lamp in lamps)]
    return view.window(np.concatenate(spots), 14.0 * view.camera.px_per_mm() + 8)


def body_shadows(
    view: View, bodies: Sequence[Body], lamp: Lamp, z_mm: float, window: Window
) -> Array:
    """(h, w) uint8 of a window: shadows of cylinders on a plane, 255 = all light gone."""
    mask: Array = np.zeros(window.shape, dtype=np.uint8)
    points = np.stack([np.concatenate([b.rim(0.0, 20), b.rim(1.0, 20)]) for b in bodies])
    tallest = min(40.0, max(1.0, float(points[..., 2].max() - z_mm)))
    flat = thrown(points.reshape(-1, 3), lamp, z_mm)
    for polygon in view.polygon(flat, window).reshape(len(bodies), -1, 2):
        view.fill_convex(mask, polygon, (255.0,))
    sigma = _penumbra_px(lamp, 0.6 * tallest, view.camera.px_per_mm())
    return _soft(mask, max(0.5, sigma))


def contact_mask(view: View, bodies: Sequence[Body], z_mm: float, window: Window) -> Array:
    """(h, w) uint8 of a window: the soft dark rim where bodies stand on a plane."""
    mask: Array = np.zeros(window.shape, dtype=np.uint8)
    for body in bodies:
        ring = body.rim(0.0, 24)
        if ring[:, 2].min() > z_mm + 25.0:
            continue
        wide = body.foot_mm + (ring - body.foot_mm) * 1.08
        wide[:, 2] = z_mm
        view.fill_convex(mask, view.polygon(wide, window), (255.0,))
    return _soft(mask, max(0.6, 3.0 * view.camera.px_per_mm()))


def ambient_mask(view: View, scene: Scene) -> Array:
    """(height, width) uint8: ambient light lost beside the frame, outside and inside."""
    board, scale = scene.board, view.camera.px_per_mm()
    outer = outer_outline(board, scene.board_look.frame.outer_radius_mm)
    mask = np.zeros(view.shape, dtype=np.uint8)
    view.fill(mask, view.polygon(at_height(outer * 1.01, -scene.table.drop_mm)), (190.0,))
    mask = _soft(mask, 25.0 * scale)
    view.fill(mask, view.polygon(at_height(outer, board.frame.height_mm.value)), (0.0,))
    inside = np.zeros(view.shape, dtype=np.uint8)
    inner = inner_outline(board)
    view.fill(inside, view.polygon(at_height(inner * 1.08, 0.0)), (255.0,))
    view.fill(inside, view.polygon(at_height(inner * 0.995, 0.0)), (0.0,))
    inside = _soft(inside, 9.0 * scale)
    region = np.zeros(view.shape, dtype=np.uint8)
    view.fill(region, view.polygon(at_height(inner, 0.0)), (255.0,))
    cv2.copyTo(inside, region, mask)
    return mask
