"""The frame as seen from straight above: bars, mitres, corners, inlays and words."""

from functools import lru_cache
from math import pi

import cv2
import numpy as np

from carrom.board_spec import BoardSpec
from sim.camera.arrays import Array, bgr
from sim.camera.grain import grain_tile, toned
from sim.camera.lettering import paste_word
from sim.camera.looks import CornerStyle, FrameLook, FrameStyle, Grain
from sim.camera.noise import cut, fractal_tile
from sim.camera.outline import inner_outline, outer_half_mm, outer_outline
from sim.camera.plane import Plane

__all__ = ["frame_plane", "frame_texture"]


def frame_plane(board: BoardSpec, px_per_mm: float) -> Plane:
    """Where the texture lies (on top of the frame)."""
    return Plane(outer_half_mm(board) + 4.0, px_per_mm)


@lru_cache(maxsize=6)
def frame_texture(board: BoardSpec, look: FrameLook, seed: int, px_per_mm: float) -> Array:
    """(n, n, 4) uint8: BGR albedo and cover; shared, do not write."""
    plane = frame_plane(board, px_per_mm)
    rng = np.random.default_rng((seed, 5))
    size = plane.size_px
    deep_mm = board.frame.breadth_mm.value + 0.45 * board.corner_radius_mm + 8.0
    material = _material(look, size, min(size // 2, round(deep_mm * px_per_mm)), px_per_mm, rng)
    _worn(material, look, plane, rng)
    _mitres(material, board, plane, look)
    _corners(material, board, plane, look)
    if look.inlay:
        _inlays(material, board, plane, look)
    if look.text:
        _words(material, board, plane, look)
    _edges(material, board, plane, look)
    cover = np.zeros((size, size), dtype=np.uint8)
    plane.fill(cover, outer_outline(board, look.outer_radius_mm), (255.0,))
    plane.fill(cover, inner_outline(board), (0.0,))
    out = cv2.merge([material, cover])
    out.setflags(write=False)
    return out


def _material(
    look: FrameLook, size: int, strip: int, px_per_mm: float, rng: np.random.Generator
) -> Array:
    """Bars of wood or paint; the grain runs along each bar."""
    grain = Grain.LAMINATE if look.style in (FrameStyle.BLACK, FrameStyle.PAINTED) else Grain.BIRCH
    contrast = {
        FrameStyle.BLACK: 0.35,
        FrameStyle.WORN_BLACK: 0.5,
        FrameStyle.PAINTED: 0.3,
        FrameStyle.METAL: 0.7,
    }.get(look.style, 0.8)
    red, green, blue = look.colour
    light = (
        min(1.0, red * 1.15 + 0.02),
        min(1.0, green * 1.15 + 0.02),
        min(1.0, blue * 1.15 + 0.02),
    )
    dark = (red * 0.72, green * 0.72, blue * 0.72)
    tile = grain_tile(grain, int(rng.integers(3)))
    scale = 1.0 / (0.6 * px_per_mm)
    image = np.zeros((size, size, 3), dtype=np.uint8)
    row = np.arange(strip)[:, None]
    column = np.arange(size)[None, :]
    mitred = (column >= row) & (column < size - row)
    for turn in range(4):
        offset = (float(rng.uniform(0, 999)), float(rng.uniform(0, 999)))
        gray = cut(tile, (size, strip), scale=scale, offset_px=offset)
        bar = toned(gray, dark, light, contrast)
        np.copyto(np.rot90(image, turn)[:strip], bar, where=mitred[..., None])
    return image


def _worn(material: Array, look: FrameLook, plane: Plane, rng: np.random.Generator) -> None:
    """Bare wood or dirt where the paint is rubbed off, mostly at the edges."""
    if look.wear <= 0:
        return
    size = (plane.size_px, plane.size_px)
    offset = (float(rng.uniform(0, 999)), float(rng.uniform(0, 999)))
    scale = 1.0 / plane.px_per_mm
    noise = cut(fractal_tile(0.9, 5.0, 3), size, scale=scale, offset_px=offset, coarse=2)
    limit = 250 - 95 * look.wear
    rows, columns = np.nonzero(noise > limit)
    share = np.clip((noise[rows, columns].astype(np.float32) - limit) / 25.0, 0, 0.8)[:, None]
    bare = np.array(bgr((0.62, 0.52, 0.40)), dtype=np.float32)
    under = material[rows, columns].astype(np.float32)
    material[rows, columns] = (under + (bare - under) * share).astype(np.uint8)


def _mitres(material: Array, board: BoardSpec, plane: Plane, look: FrameLook) -> None:
    shade = bgr(look.colour, 0.45)
    near, far = board.half_mm, outer_half_mm(board)
    for sx, sy in ((1, 1), (-1, 1), (-1, -1), (1, -1)):
        points = np.array([[sx * near, sy * near], [sx * far, sy * far]])
        plane.line(material, points, shade, 1.0)


def _corners(material: Array, board: BoardSpec, plane: Plane, look: FrameLook) -> None:
    """Caps: metal, brass or printed."""
    if look.corner is CornerStyle.PLAIN:
        return
    far, s = outer_half_mm(board) + 3, look.corner_size_mm
    colour = {
        CornerStyle.METAL_CAP: (0.72, 0.73, 0.75),
        CornerStyle.BRASS: (0.72, 0.56, 0.28),
        CornerStyle.PRINTED: (0.82, 0.82, 0.84),
    }[look.corner]
    for sx, sy in ((1, 1), (-1, 1), (-1, -1), (1, -1)):
        square = np.array([[far, far], [far - s, far], [far - s, far - s], [far, far - s]])
        square = square * (sx, sy)
        if look.corner is not CornerStyle.PRINTED:
            plane.fill(material, square, bgr(colour))
            for screw in (0.3, 0.8):
                x, y = sx * (far - s * screw), sy * (far - 14)
                plane.circle(material, (x, y), 3.0, bgr(colour, 0.6))
                plane.circle(
                    material, (sx * (far - 14), sy * (far - s * screw)), 3.0, bgr(colour, 0.6)
                )
            continue
        for k in range(14):
            at = far - s + (k + 0.5) * s / 28
            line_a = np.array([[at, far], [at, far - 70.0]]) * (sx, sy)
            line_b = np.array([[far, at], [far - 70.0, at]]) * (sx, sy)
            plane.line(material, line_a, bgr(colour), s / 60)
            plane.line(material, line_b, bgr(colour), s / 60)
        x, y = sx * (far - s * 0.27), sy * (far - s * 0.27)
        plane.circle(material, (x, y), s * 0.15, bgr((0.95, 0.95, 0.95)))
        plane.circle(material, (x + s * 0.03, y - s * 0.02), s * 0.09, bgr(look.colour))


def _inlays(material: Array, board: BoardSpec, plane: Plane, look: FrameLook) -> None:
    """Pale strips with knobs at their ends on each bar."""
    middle = (board.half_mm + outer_half_mm(board)) / 2
    colour = bgr((0.80, 0.74, 0.58))
    long_mm = board.half_mm * 0.5
    for turn in range(4):
        c, s = [(1, 0), (0, 1), (-1, 0), (0, -1)][turn]
        rotate = np.array([[c, s], [-s, c]])
        for shift in (-7.0, 0.0, 7.0):
            reach = long_mm * (1.15 if shift == 0 else 0.85)
            points = np.array([[-reach, middle + shift], [reach, middle + shift]]) @ rotate
            plane.line(material, points, colour, 3.0)
        for sign in (-1, 1):
            x, y = np.array([sign * long_mm * 1.2, middle]) @ rotate
            plane.circle(material, (float(x), float(y)), 9.0, colour)


def _words(material: Array, board: BoardSpec, plane: Plane, look: FrameLook) -> None:
    middle = (board.half_mm + outer_half_mm(board)) / 2
    mask = np.zeros(material.shape[:2], dtype=np.uint8)
    height_mm = min(42.0, board.frame.breadth_mm.value * 0.75)
    for turn in range(0, 4, 1 + len(look.text) % 2):
        c, s = [(1, 0), (0, 1), (-1, 0), (0, -1)][turn]
        x, y = np.array([0.0, -middle]) @ np.array([[c, s], [-s, c]])
        px = plane.mm_to_px(np.array([x, y]))
        paste_word(
            mask,
            look.text,
            centre_px=(float(px[0]), float(px[1])),
            height_px=height_mm * plane.px_per_mm,
            turn_rad=turn * pi / 2,
            font=len(look.text),
            bold=9,
            slant=(0.0, 0.3)[len(look.text) % 2],
        )
    spots = np.flatnonzero(mask)
    share = mask.ravel()[spots][:, None].astype(np.float32) / 255.0
    flat = material.reshape(-1, 3)
    under = flat[spots].astype(np.float32)
    word = np.array(bgr(look.text_colour), dtype=np.float32)
    flat[spots] = (under + (word - under) * share).astype(np.uint8)


def _edges(material: Array, board: BoardSpec, plane: Plane, look: FrameLook) -> None:
    """Rounded edges catch light; wooden frames have a darker groove inside."""
    lift = tuple(min(1.0, c * 1.3 + 0.10) for c in look.colour)
    inner = inner_outline(board) * ((board.half_mm + 1.5) / board.half_mm)
    closed = np.concatenate([inner, inner[:1]])
    plane.line(material, closed, bgr(lift), 2.5)  # type: ignore[arg-type]
    far = outer_half_mm(board)
    outer = outer_outline(board, look.outer_radius_mm) * ((far - 1.5) / far)
    plane.line(material, np.concatenate([outer, outer[:1]]), bgr(lift), 2.0)  # type: ignore[arg-type]
    if look.style in (FrameStyle.WOOD, FrameStyle.DARK_WOOD, FrameStyle.METAL):
        groove = inner_outline(board) * ((board.half_mm + 14) / board.half_mm)
        plane.line(material, np.concatenate([groove, groove[:1]]), bgr(look.colour, 0.7), 1.6)
