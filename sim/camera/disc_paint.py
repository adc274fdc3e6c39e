"""Light on discs: a cast, a look and lamps make colour."""

from dataclasses import dataclass

import cv2
import numpy as np

from sim.camera.arrays import Array, linear, lut_linear
from sim.camera.cast import Body, Cast
from sim.camera.disc_face import FACE_PX, face_sprite, slope_profile
from sim.camera.lighting import lamp_field
from sim.camera.looks import DiscLook
from sim.camera.scene import Scene

__all__ = ["BodyLight", "body_light", "paint"]

_SIDE_AMBIENT = 0.55


@dataclass(frozen=True, slots=True)
class BodyLight:
    """Lamps as a body sees them, in its own axes.

    ``toward``: (k, 3) unit vectors; ``share``: (k,) of the light on level ground; ``level``: (k,)
    cosine there; ``half``: (k, 3) between lamp and camera; ``ambient``: the rest of the light.
    """

    toward: Array
    share: Array
    level: Array
    half: Array
    ambient: float


def body_light(scene: Scene, body: Body) -> BodyLight:
    """The lamps of a scene from where a body lies."""
    middle = body.foot_mm + body.axes[2] * (body.height_mm / 2)
    eye = np.array(scene.camera.position_mm) - middle
    eye = body.axes @ (eye / np.linalg.norm(eye))
    toward, share, level, half = [], [], [], []
    for lamp in scene.light.lamps:
        way = np.array(lamp.position_mm) - middle
        way = way / np.linalg.norm(way)
        own = body.axes @ way
        between = own + eye
        toward.append(own)
        half.append(between / max(1e-6, float(np.linalg.norm(between))))
        share.append(lamp.share * float(lamp_field(lamp, middle[:2])))
        level.append(max(0.15, float(way[2])))
    shares = np.array(share, dtype=np.float32)
    total = float(shares.sum()) + scene.light.ambient
    return BodyLight(
        np.array(toward, dtype=np.float32).reshape(-1, 3),
        shares / total,
        np.array(level, dtype=np.float32),
        np.array(half, dtype=np.float32).reshape(-1, 3),
        scene.light.ambient / total,
    )


def paint(
    seen: Cast, body: Body, look: DiscLook, lamps: BodyLight, light: Array, seed: int
) -> Array:
    """(h, w, 3) float32 linear BGR of the whole body; ``light``: (h, w, 3) on level ground."""
    face = _face(seen, body, look, lamps, seed)
    side = _side(seen, look, lamps, seed)
    # Cover is applied later to both, so the face has its share of what is covered.
    share = (seen.face / np.maximum(seen.cover, np.float32(1e-3)))[..., None]
    mixed: Array = (face * share + side * (1 - share)) * light
    return mixed


def _face(seen: Cast, body: Body, look: DiscLook, lamps: BodyLight, seed: int) -> Array:
    sprite = face_sprite(look, seed % 3)
    half = np.float32(FACE_PX / 2)
    u, v = seen.x * half + (half - 0.5), (half - 0.5) - seen.y * half
    albedo = cv2.remap(sprite, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    colour = cv2.LUT(albedo, lut_linear())
    rho = np.hypot(seen.x, seen.y)
    profile = slope_profile(look, body.radius_mm)
    slope = profile[np.minimum((rho * len(profile)).astype(np.int32), len(profile) - 1)]
    pull = slope / (rho + np.float32(1e-3))
    nx, ny = seen.x * pull, seen.y * pull
    if seen.lower:
        nx, ny = nx, ny
    size = 1.0 / np.sqrt(1.0 + slope * slope)
    up = -1.0 if seen.lower else 1.0
    bright = lamps.ambient * (1.0 - 0.25 * np.minimum(np.abs(slope), 1.0))
    shine = np.zeros_like(rho)
    power = np.float32(12.0 + 90.0 * look.gloss)
    for k in range(len(lamps.share)):
        tx, ty, tz = lamps.toward[k]
        facing = np.maximum((up * tz + nx * tx + ny * ty) * size, 0)
        bright = bright + lamps.share[k] / lamps.level[k] * facing
        hx, hy, hz = lamps.half[k]
        near = np.clip((up * hz + nx * hx + ny * hy) * size, 0, 1)
        shine += lamps.share[k] * near**power
    shine *= look.gloss * 0.55
    grooves = 1.0 - 0.35 * look.groove * np.clip(np.abs(slope) - 0.05, 0, 0.6)
    return colour * (bright * grooves)[..., None] + shine[..., None]


def _side(seen: Cast, look: DiscLook, lamps: BodyLight, seed: int) -> Array:
    colour = linear(look.side) * np.float32(0.92 + 0.16 * ((seed * 7919) % 101) / 101)
    bright = np.full(seen.x.shape, _SIDE_AMBIENT * lamps.ambient, dtype=np.float32)
    shine = np.zeros_like(bright)
    for k in range(len(lamps.share)):
        tx, ty, _ = lamps.toward[k]
        facing = np.maximum(seen.side_x * tx + seen.side_y * ty, 0)
        bright += lamps.share[k] / lamps.level[k] * facing
        hx, hy, hz = lamps.half[k]
        flat = seen.side_x * hx + seen.side_y * hy
        edge = np.clip(flat * 0.8 + hz * 0.6, 0, 1)
        shine += lamps.share[k] * edge**14 * np.clip(1 - seen.down * 3, 0, 1)
    bright *= 1.0 - 0.45 * seen.down**2
    bright *= 1.0 - 0.25 * look.groove * np.exp(-(((seen.down - 0.5) / 0.12) ** 2))
    bright *= 1.0 + 0.25 * np.exp(-((seen.down / 0.15) ** 2))
    return colour * bright[..., None] + (shine * look.gloss * 0.35)[..., None]
