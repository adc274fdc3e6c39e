"""The playing surface as seen from straight above in even white light."""

from functools import lru_cache

import cv2
import numpy as np

from carrom.board_spec import BoardFamily, BoardSpec
from sim.camera.arrays import Array
from sim.camera.board_print import ink_sheet
from sim.camera.grain import stained, wood
from sim.camera.looks import BoardLook
from sim.camera.noise import cut, fractal_tile
from sim.camera.plane import Plane

__all__ = ["MARGIN_MM", "surface_plane", "surface_texture"]

MARGIN_MM = 12.0
"""How far the texture goes on under the frame."""


def surface_plane(board: BoardSpec, px_per_mm: float) -> Plane:
    """Where the texture lies."""
    return Plane(board.half_mm + MARGIN_MM, px_per_mm)


@lru_cache(maxsize=6)
def surface_texture(board: BoardSpec, look: BoardLook, px_per_mm: float) -> Array:
    """(n, n, 3) uint8 BGR albedo, sRGB encoded; shared, do not write."""
    plane = surface_plane(board, px_per_mm)
    rng = np.random.default_rng(look.seed)
    texture = wood(
        plane.size_px,
        px_per_mm,
        grain=look.grain,
        dark=look.dark,
        light=look.light,
        contrast=look.contrast,
        seed=look.seed,
        grain_scale=look.grain_scale,
        turned=look.grain_turned,
    )
    texture = stained(texture, look.stain, rng)
    _print(texture, board, look, plane, rng)
    _scratches(texture, look.scratches, plane, rng)
    _dust(texture, look, plane, rng)
    _worn_middle(texture, board, look, plane)
    texture.setflags(write=False)
    return texture


def _print(
    texture: Array, board: BoardSpec, look: BoardLook, plane: Plane, rng: np.random.Generator
) -> None:
    """Ink over wood where there is ink, weaker where it is worn."""
    sheet = ink_sheet(board, look.marks, plane).reshape(-1, 4)
    spots = np.flatnonzero(sheet[:, 3])
    if spots.size == 0:
        return
    inked = sheet[spots].astype(np.float32)
    worn = _wear(look, plane, rng).ravel()[spots][:, None]
    flat = texture.reshape(-1, 3)
    under = flat[spots].astype(np.float32)
    mixed = under + (inked[:, :3] - under * (inked[:, 3:] / 255.0)) * worn
    flat[spots] = np.clip(mixed, 0, 255).astype(np.uint8)


def _wear(look: BoardLook, plane: Plane, rng: np.random.Generator) -> Array:
    """(n, n) float32, 0 to 1: how much ink is left."""
    size = (plane.size_px, plane.size_px)
    if look.marks.patchy <= 0:
        return np.full(size, look.marks.strength, dtype=np.float32)
    noise = cut(
        fractal_tile(0.8, 3.0, 2),
        size,
        scale=1.2 / plane.px_per_mm,
        offset_px=(float(rng.uniform(0, 999)), float(rng.uniform(0, 999))),
        coarse=2,
    ).astype(np.float32)
    scale = 0.7 / plane.px_per_mm
    soft = cut(fractal_tile(1.6, 1.0, 4), size, scale=scale, coarse=4).astype(np.float32)
    limit = 235.0 - 170.0 * look.marks.patchy
    left = np.clip((limit - 0.6 * noise - 0.4 * soft) / 25.0 + 1.0, 0.05, 1.0)
    return left * look.marks.strength


def _scratches(texture: Array, amount: float, plane: Plane, rng: np.random.Generator) -> None:
    """Thin lines, a little lighter or darker, mostly short."""
    count = int(amount * 130)
    if count <= 0:
        return
    size = plane.size_px
    layer = np.zeros((size, size), dtype=np.uint8)
    start = rng.uniform(0, size, (count, 2))
    angle = rng.uniform(0, np.pi, count)
    length = rng.exponential(35.0, count) * plane.px_per_mm
    end = start + length[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    weight = rng.uniform(15, 70, count)
    for a, b, w in zip((start * 16).astype(int), (end * 16).astype(int), weight, strict=True):
        cv2.line(layer, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), (w,), 1, cv2.LINE_AA, 4)
    rows, columns = np.nonzero(layer)
    sign = 1.0 if rng.random() < 0.6 else -1.0
    shift = sign * layer[rows, columns].astype(np.float32)[:, None] * 0.45
    there = texture[rows, columns].astype(np.float32)
    texture[rows, columns] = np.clip(there + shift, 0, 255).astype(np.uint8)


def _dust(texture: Array, look: BoardLook, plane: Plane, rng: np.random.Generator) -> None:
    """Powder: a thin veil, smears and crumbs, more of it along the frame."""
    if look.dust <= 0:
        return
    half = -(-plane.size_px // 2)
    size = (half, half)
    scale = 2.0 / plane.px_per_mm
    offset = (float(rng.uniform(0, 999)), float(rng.uniform(0, 999)))
    turn = float(rng.uniform(0, 3))
    veil = cut(fractal_tile(1.5, 1.0, 6), size, scale=0.7 * scale, offset_px=offset, coarse=2)
    smear = cut(
        fractal_tile(0.75, 2.5, 6), size, scale=1.3 * scale, turn_rad=turn, offset_px=offset
    )
    crumbs = cut(fractal_tile(0.15, 1.0, 8), size, scale=0.8 * scale, offset_px=offset)
    axis = np.abs(np.linspace(-1, 1, half, dtype=np.float32)) ** 14
    rim = np.maximum(axis[:, None], axis[None, :])
    soft = veil.astype(np.float32) / 255.0
    rough = smear.astype(np.float32) / 255.0
    amount = np.clip(soft - 0.5 + 0.25 * look.dust, 0, 1) * (0.25 + 1.1 * rough) * look.dust
    amount += rim * look.dust * 0.5 * rough
    amount += np.clip((crumbs.astype(np.float32) - 236.0) / 30.0, 0, 1) * look.dust * soft
    share = (np.clip(amount, 0, 0.75) * 255).astype(np.uint8)
    share = cv2.resize(share, (plane.size_px, plane.size_px), interpolation=cv2.INTER_LINEAR)
    weight = cv2.merge([share, share, share])
    lifted = cv2.multiply(255 - weight, texture, scale=1 / 255.0)
    cv2.addWeighted(lifted, 1.0, weight, 0.955, 0.0, dst=texture)


def _worn_middle(texture: Array, board: BoardSpec, look: BoardLook, plane: Plane) -> None:
    """Where the strikers start and the packs break the lacquer is gone: a paler circle."""
    if look.marks.strength > 0.6 or board.family is not BoardFamily.ICF:
        return
    half = plane.size_px // 2
    reach = round(130 * plane.px_per_mm)
    glow: Array = np.zeros((2 * reach, 2 * reach), dtype=np.uint8)
    cv2.circle(glow, (reach, reach), round(88 * plane.px_per_mm), (26,), -1, cv2.LINE_AA)
    glow = cv2.GaussianBlur(glow, (0, 0), 9 * plane.px_per_mm)
    window = texture[half - reach : half + reach, half - reach : half + reach]
    cv2.add(window, cv2.merge([glow, glow, glow]), dst=window)
