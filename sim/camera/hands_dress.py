"""What people wear on hands and arms: sleeves, rings, bracelets, watches."""

from __future__ import annotations

import math

import numpy as np

from sim.camera.hands_look import Band, Cloth, Pattern, Sleeve, Watch
from sim.camera.hands_paint import Canvas, arc_points, fill, line, roi_around, soften
from sim.camera.hands_shape import BODY, SLEEVE
from sim.camera.hands_texture import place_tile
from sim.camera.hands_types import FloatArray, Vector

__all__ = ["paint_dress"]


def paint_dress(canvas: Canvas) -> None:
    """Sleeve first, then metal over skin."""
    look = canvas.look
    if look.sleeve is not None:
        _sleeve(canvas, look.sleeve)
    for k, band in enumerate(look.bands):
        _ring(canvas, band) if band.finger >= 0 else _bracelet(canvas, band, k)
    if look.watch is not None:
        _watch(canvas, look.watch)


def _sleeve(canvas: Canvas, sleeve: Sleeve) -> None:
    mine = canvas.shape.owner == SLEEVE
    rows = np.flatnonzero(mine.any(axis=1))
    if rows.size == 0:
        return
    columns = np.flatnonzero(mine.any(axis=0))
    box = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
    mine = mine[box]
    corner = np.array([columns[0], rows[0]])
    view, d = canvas.view, canvas.density
    size = (mine.shape[1], mine.shape[0])
    origin = view.place(canvas.skeleton.wrist_mm) - corner
    folds = place_tile("folds", origin, d, size, canvas.look.seed)
    xs = (np.arange(size[0], dtype=np.float32)[None, :] - np.float32(origin[0])) / np.float32(d)
    ys = (np.arange(size[1], dtype=np.float32)[:, None] - np.float32(origin[1])) / np.float32(d)
    cloth = sleeve.cloth
    colour, relief = _woven(cloth, xs + folds * 0.5, ys + folds * 0.8)
    weave = place_tile("weave", origin, d, size, canvas.look.seed)
    colour *= (1 + np.float32(0.03) * weave)[..., None]
    start = sleeve.start_mm * canvas.look.size
    depth = np.float32(3.0 * cloth.folds * d) * (0.6 + 0.4 * np.clip((ys - start) / 120, 0, 1))
    bump = folds * depth + relief * np.float32(d)
    if sleeve.cuff_mm > 0:
        _cuff(canvas, sleeve, ys - start, xs, colour, bump)
    bump -= np.float32(0.9 * d) * np.exp(-(((ys - start - 6.0) / 1.2) ** 2))
    colour *= 1 - np.float32(0.22) * np.exp(-(((ys - start - 6.0) / 0.8) ** 2))[..., None]
    canvas.albedo[box][mine] = np.clip(colour, 0.01, 1)[mine]
    canvas.bump[box][mine] = bump[mine]
    canvas.gloss[box][mine] = np.float32(0.02)


def _woven(cloth: Cloth, xs: FloatArray, ys: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Colour (h, w, 3) and relief in mm (h, w) of a cloth; x across the arm, y along it."""
    base, second = (np.array(c, np.float32) for c in (cloth.base_bgr, cloth.second_bgr))
    phase_x = xs * np.float32(math.tau / cloth.period_mm)
    phase_y = ys * np.float32(math.tau / cloth.period_mm)
    share = np.zeros_like(xs)
    relief = np.zeros_like(xs)
    match cloth.pattern:
        case Pattern.TWILL:
            share = np.float32(0.10) * np.sin(phase_x + phase_y)
            relief = np.float32(0.06) * np.sin(phase_x + phase_y)
        case Pattern.STRIPES_ALONG:
            share = _square(np.sin(phase_x), 0.2)
        case Pattern.STRIPES_ACROSS:
            share = _square(np.sin(phase_y), 0.0)
        case Pattern.CHECK:
            share = 0.5 * _square(np.sin(phase_x), 0.2) + 0.5 * _square(np.sin(phase_y), 0.2)
        case Pattern.KNIT:
            ribs = np.sin(phase_x) + 0.25 * np.sin(phase_y * 1.7)
            relief = np.float32(0.45) * ribs
            share = np.float32(-0.12) * ribs
        case Pattern.PRINT:
            flowers = np.sin(phase_x + np.sin(phase_y)) * np.sin(phase_y + 0.7 * np.sin(phase_x))
            share = _square(flowers, 0.45)
        case Pattern.PLAIN:
            pass
    colour = base + share[..., None].astype(np.float32) * (second - base)
    return np.asarray(colour, np.float32), relief.astype(np.float32)


def _square(wave: FloatArray, level: float) -> FloatArray:
    """Soft-edged bands where the wave is above a level."""
    return np.asarray(np.clip((wave - np.float32(level)) * 4 + np.float32(0.5), 0, 1), np.float32)


def _cuff(
    canvas: Canvas, sleeve: Sleeve, along: FloatArray, across: FloatArray, colour: FloatArray,
    bump: FloatArray,
) -> None:  # fmt: skip
    """Ribbed or sewn end of the sleeve; `along` is millimetres from the hem."""
    d = np.float32(canvas.density)
    inside = np.clip((sleeve.cuff_mm - along) * 2, 0, 1)
    seam = np.exp(-(((along - sleeve.cuff_mm) / 1.1) ** 2))
    if sleeve.cuff_bgr is not None:
        share = np.broadcast_to(inside[..., None], colour.shape)
        colour += share * (np.array(sleeve.cuff_bgr, np.float32) - colour)
    if sleeve.cloth.pattern in (Pattern.KNIT, Pattern.PLAIN):
        ribs = np.sin(across * np.float32(math.tau / 3.4))
        bump *= 1 - np.float32(0.65) * inside
        bump += np.float32(0.35) * d * ribs * inside
        colour *= 1 + (np.float32(0.07) * ribs * inside)[..., None]
    else:
        bump *= 1 - np.float32(0.7) * inside
    bump -= d * np.float32(1.0) * seam
    colour *= 1 - (np.float32(0.3) * seam)[..., None]


def _band(
    canvas: Canvas, centre: Vector, axis: Vector, radii_mm: tuple[float, float], band: Band,
    owner: int,
) -> None:  # fmt: skip
    """The visible half of a ring around an axis, in strips that gleam like metal or thread."""
    view, d = canvas.view, canvas.density
    half = 0.5 * band.width_mm * canvas.look.size
    angles = np.linspace(-math.pi / 2, math.pi / 2, 15)
    rims = [
        view.place(arc_points(centre + s * half * axis, axis, view.toward, radii_mm, angles))
        for s in (-1.0, 1.0)
    ]
    window = roi_around(canvas, np.vstack(rims), 3 * d)
    if window is None:
        return
    mine = (canvas.shape.owner[window.box] == owner).astype(np.float32)
    patch, colour = canvas.albedo[window.box], np.array(band.colour_bgr, np.float32)
    for k in range(14):
        mask = np.zeros(window.size, np.uint8)
        strip = np.vstack([rims[0][k : k + 2], rims[1][k : k + 2][::-1]])
        fill(mask, strip, window)
        gleam = 0.55 + 0.65 * abs(math.sin(2.6 * angles[k] + 0.6)) ** 2
        tone = colour * np.float32(gleam if band.metal > 0.5 else 0.92)
        share = (soften(mask, 0.0) * mine)[..., None]
        patch += share * (np.minimum(tone, 1) - patch)
    whole, shade = np.zeros(window.size, np.uint8), np.zeros(window.size, np.uint8)
    fill(whole, np.vstack([rims[0], rims[1][::-1]]), window)
    for rim in rims:
        line(shade, rim, window, 0.9 * d)
    soft = soften(whole, 0.3 * d) * mine
    patch *= 1 - (soften(shade, 0.5 * d) * mine * np.float32(0.35))[..., None]
    canvas.bump[window.box] += soft * np.float32(0.9 * d)
    canvas.gloss[window.box] += soft * np.float32(0.7 * band.metal)


def _ring(canvas: Canvas, band: Band) -> None:
    finger = band.finger
    joints, radii = canvas.skeleton.joints_mm[finger], canvas.skeleton.radii_mm[finger]
    first = 1 if finger == 0 else 0
    axis = joints[first + 1] - joints[first]
    axis /= max(float(np.linalg.norm(axis)), 1e-9)
    at = band.at + 0.1
    centre = joints[first] + at * (joints[first + 1] - joints[first])
    radius = float(radii[first] + at * (radii[first + 1] - radii[first])) * 0.96 + 0.5
    _band(canvas, centre, axis, (radius, radius), band, finger + 1)
    normal = canvas.skeleton.dorsal[finger, first]
    if band.stone_bgr is None or float(normal @ canvas.view.toward) < 0.2:
        return
    d = canvas.density
    top = centre + normal * (radius + 1.0)
    side = np.cross(axis, normal)
    turn = np.linspace(0, math.tau, 17)[:-1, None]
    stone = canvas.view.place(top + 3.2 * (np.cos(turn) * axis + np.sin(turn) * side))
    window = roi_around(canvas, stone, 2 * d)
    if window is not None:
        mask = np.zeros(window.size, np.uint8)
        fill(mask, stone, window)
        share = soften(mask, 0.2 * d)[..., None]
        share = share * (canvas.shape.owner[window.box] == finger + 1)[..., None]
        patch = canvas.albedo[window.box]
        patch += share * (np.array(band.stone_bgr, np.float32) - patch)
        canvas.gloss[window.box] += share[..., 0] * np.float32(0.9)


def _wrist(canvas: Canvas, behind_mm: float) -> tuple[Vector, Vector, tuple[float, float]]:
    """Middle, axis and (high, wide) radii of the arm behind the wrist."""
    arm = canvas.skeleton.arm
    at = behind_mm * canvas.look.size
    centre = np.array([np.interp(at, arm.along_mm, arm.points_mm[:, k]) for k in range(3)])
    axis = arm.points_mm[1] - arm.points_mm[0]
    axis = axis / float(np.linalg.norm(axis))
    radius = float(np.interp(at, arm.along_mm, arm.radii_mm))
    offset = float(np.interp(at, arm.along_mm, arm.offsets_mm))
    return centre, axis, (radius + 1.0, radius + offset + 1.5)


def _bracelet(canvas: Canvas, band: Band, k: int) -> None:
    centre, axis, radii = _wrist(canvas, band.at)
    rng = np.random.default_rng([canvas.look.seed, 31, k])
    tilted = axis + 0.12 * rng.normal() * canvas.skeleton.arm.lateral
    _band(canvas, centre, tilted / float(np.linalg.norm(tilted)), radii, band, BODY)


def _watch(canvas: Canvas, watch: Watch) -> None:
    centre, axis, radii = _wrist(canvas, 24.0)
    strap_metal = float(min(watch.strap_bgr) > 0.5)
    strap = Band(-1, 24.0, watch.radius_mm * 1.05, watch.strap_bgr, strap_metal)
    _band(canvas, centre, axis, radii, strap, BODY)
    up = canvas.skeleton.basis[:, 2] - axis * float(canvas.skeleton.basis[:, 2] @ axis)
    up /= max(float(np.linalg.norm(up)), 1e-9)
    if float(up @ canvas.view.toward) < 0.3:
        return
    side = np.cross(axis, up)
    scale = watch.radius_mm * (0.6 + 0.4 * canvas.look.size)
    low, high = centre + up * (radii[0] + 0.5), centre + up * (radii[0] + 7.5)
    foot = canvas.view.place(_face(low, axis, side, scale, watch.square))
    head = canvas.view.place(_face(high, axis, side, scale, watch.square))
    dial = canvas.view.place(_face(high, axis, side, 0.78 * scale, watch.square))
    dark = tuple(0.55 * c for c in watch.case_bgr)
    _plate(canvas, foot, dark, 0.3)
    _plate(canvas, head, watch.case_bgr, 0.7)
    _plate(canvas, dial, watch.dial_bgr, 0.9)
    rng = np.random.default_rng([canvas.look.seed, 37])
    hands = tuple(0.95 if max(watch.dial_bgr) < 0.5 else 0.1 for _ in range(3))
    for length, width in ((0.42, 1.6), (0.66, 1.0)):
        angle = rng.uniform(0, math.tau)
        tip = high + scale * length * (math.cos(angle) * axis + math.sin(angle) * side)
        across = 0.5 * width * (math.cos(angle) * side - math.sin(angle) * axis)
        pointer = np.stack([high - across, tip - across, tip + across, high + across])
        _plate(canvas, canvas.view.place(pointer), hands, 0.5)


def _face(centre: Vector, axis: Vector, side: Vector, radius: float, square: bool) -> Vector:
    turn = np.linspace(0, math.tau, 29)[:-1, None]
    cos, sin = np.cos(turn), np.sin(turn)
    if square:
        cos, sin = (np.sign(v) * np.abs(v) ** 0.35 for v in (cos, sin))
    placed: Vector = centre + radius * (cos * axis + (0.88 if square else 1.0) * sin * side)
    return placed


def _plate(canvas: Canvas, outline: Vector, colour: tuple[float, ...], gloss: float) -> None:
    """A flat shiny part on the arm."""
    window = roi_around(canvas, outline, 2)
    if window is None:
        return
    mask = np.zeros(window.size, np.uint8)
    fill(mask, outline, window)
    share = soften(mask, 0.0) * (canvas.shape.owner[window.box] == BODY)
    patch = canvas.albedo[window.box]
    patch += share[..., None].astype(np.float32) * (np.array(colour, np.float32) - patch)
    canvas.gloss[window.box] += share.astype(np.float32) * np.float32(gloss)
