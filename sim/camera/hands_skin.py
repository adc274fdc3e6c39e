"""Skin: tone, mottling, flushed knuckles, folds, tendons, veins, hair, nails, powder."""

from __future__ import annotations

import math

import cv2
import numpy as np

from sim.camera.hands_anatomy import KNUCKLES
from sim.camera.hands_paint import Canvas, Roi, arc_points, fill, line, roi_around, soften
from sim.camera.hands_texture import place_tile
from sim.camera.hands_types import FloatArray, Vector

__all__ = ["paint_skin"]

_FLUSH = np.array([0.82, 0.80, 1.03], np.float32)
_DARK = np.array([0.66, 0.68, 0.74], np.float32)
_MIDDLE_FOLDS = np.array([-3.6, -1.8, 0.0, 1.6, 3.4])
_END_FOLDS = np.array([-1.6, 0.0, 1.5])
_VEIN = np.array([1.03, 0.97, 0.88], np.float32)


def paint_skin(canvas: Canvas) -> None:
    """Everything that is skin or grows on it."""
    _tone(canvas)
    window = _hand_window(canvas)
    if window is not None:
        _blush(canvas, window)
        _ridges(canvas, window)
    for finger in range(5):
        _folds(canvas, finger)
        _nail(canvas, finger)
    _hair(canvas)
    if canvas.look.skin.powder > 0:
        _powder(canvas)


def _origin(canvas: Canvas) -> Vector:
    return canvas.view.place(canvas.skeleton.wrist_mm)


def _tone(canvas: Canvas) -> None:
    skin, view = canvas.look.skin, canvas.view
    size = (view.width, view.height)
    mottle = place_tile("mottle", _origin(canvas), view.density, size, canvas.look.seed)
    pores = place_tile("pores", _origin(canvas), view.density, size, canvas.look.seed)
    value = np.float32(0.03 * skin.mottle) * mottle + np.float32(0.022) * pores + np.float32(1)
    for channel, level in enumerate(skin.base_bgr):
        np.multiply(value, np.float32(level), out=canvas.albedo[..., channel])
    canvas.albedo[..., 2] += np.float32(0.012 * skin.mottle) * mottle
    np.multiply(pores, np.float32(0.05 * view.density * (0.4 + skin.wrinkles)), out=canvas.bump)
    canvas.gloss.fill(0.08 + 0.25 * skin.sheen)


def _hand_window(canvas: Canvas) -> Roi | None:
    points = np.vstack([canvas.skeleton.joints_mm.reshape(-1, 3), canvas.skeleton.wrist_mm])
    return roi_around(canvas, canvas.view.place(points), 22 * canvas.density)


def _blush(canvas: Canvas, window: Roi) -> None:
    """Redder tips and knuckles, darker skin over joints."""
    skin, skeleton, d = canvas.look.skin, canvas.skeleton, canvas.density * canvas.look.size
    red = np.zeros(window.size, np.uint8)
    dark = np.zeros(window.size, np.uint8)
    spots = [(p, 8.0, red) for p in skeleton.joints_mm[:, 3]]
    spots += [(p, 7.0, dark) for p in skeleton.joints_mm[:, 1]]
    spots += [(p, 5.0, dark) for p in skeleton.joints_mm[:, 2]]
    spots += [(p, 7.0, red) for p in skeleton.joints_mm[1:, 1]]
    spots += [(p, 8.0, red) for p in skeleton.at(KNUCKLES)]
    pixels = canvas.view.place(np.array([point for point, _, _ in spots])) - window.offset
    for (x, y), (_, radius, layer) in zip(np.round(pixels * 16), spots, strict=True):
        cv2.circle(layer, (int(x), int(y)), int(radius * d * 16), (255,), -1, cv2.LINE_AA, 4)
    red_part = soften(red, 6.0 * d)[..., None] * np.float32(0.62 * skin.flush)
    dark_part = soften(dark, 4.0 * d)[..., None] * np.float32(skin.knuckle_dark)
    patch = canvas.albedo[window.box]
    patch *= 1 + red_part * (_FLUSH - 1)
    patch *= 1 + dark_part * (_DARK - 1)


def _ridges(canvas: Canvas, window: Roi) -> None:
    """Tendons from the wrist to the knuckles and veins across the back of the hand."""
    skin, skeleton = canvas.look.skin, canvas.skeleton
    if float(skeleton.basis[:, 2] @ canvas.view.toward) < 0.25:
        return
    d = canvas.density * canvas.look.size
    tendons = np.zeros(window.size, np.uint8)
    for i in range(4):
        knuckle = KNUCKLES[i] + np.array([0.0, -4.0, 12.0])
        root = np.array([KNUCKLES[i, 0] * 0.28 + 2, 18.0, 14.0])
        path = skeleton.at(root + np.linspace(0, 1, 5)[:, None] * (knuckle - root))
        line(tendons, canvas.view.place(path), window, 3.2 * d)
    canvas.bump[window.box] += soften(tendons, 1.5 * d) * np.float32(1.7 * d * skin.tendons)
    veins = np.zeros(window.size, np.uint8)
    rng = np.random.default_rng([canvas.look.seed, 5])
    for start in np.linspace(-22, 16, 4):
        steps = np.cumsum(rng.normal(0, 3.6, 7))
        path = np.column_stack(
            [start * np.linspace(0.5, 1.25, 7) + steps, np.linspace(0, 78, 7), np.full(7, 15.0)]
        )
        pixels = canvas.view.place(skeleton.at(_smooth(path)))
        line(veins, pixels, window, float(rng.uniform(1.6, 2.8)) * d)
    soft = soften(veins, 1.0 * d) * (canvas.shape.owner[window.box] == 0)
    canvas.bump[window.box] += soft * np.float32(0.9 * d * skin.veins)
    canvas.albedo[window.box] *= 1 + (soft * np.float32(skin.veins))[..., None] * (_VEIN - 1)


def _smooth(path: Vector) -> Vector:
    """Chaikin's corner cutting, twice."""
    for _ in range(2):
        a, b = path[:-1], path[1:]
        path = np.stack([0.75 * a + 0.25 * b, 0.25 * a + 0.75 * b], axis=1).reshape(-1, 3)
    return path


def _seen(canvas: Canvas, spot_px: Vector, owner: int) -> bool:
    x, y = int(spot_px[0]), int(spot_px[1])
    inside = 0 <= x < canvas.view.width and 0 <= y < canvas.view.height
    return inside and int(canvas.shape.owner[y, x]) == owner


def _folds(canvas: Canvas, finger: int) -> None:
    """Skin folds over the two outer joints: clear when straight, gone when bent."""
    skeleton, view = canvas.skeleton, canvas.view
    d = canvas.density * canvas.look.size
    window = roi_around(canvas, view.place(skeleton.joints_mm[finger, 1:]), 10 * d)
    if window is None:
        return
    rng = np.random.default_rng([canvas.look.seed, 11, finger])
    arcs: list[Vector] = []
    strengths: list[int] = []
    for joint, rows in ((1, _MIDDLE_FOLDS), (2, _END_FOLDS)):
        before, after = skeleton.dorsal[finger, joint - 1], skeleton.dorsal[finger, joint]
        straight = max(0.0, 1 - math.acos(min(max(float(before @ after), -1.0), 1.0)) / 1.1)
        normal = before + after
        visible = float(normal @ view.toward) > 0.2
        axis = skeleton.joints_mm[finger, joint] - skeleton.joints_mm[finger, joint - 1]
        axis /= max(math.sqrt(float(axis @ axis)), 1e-9)
        centre, radius = skeleton.joints_mm[finger, joint], skeleton.radii_mm[finger, joint]
        bow = np.linspace(-0.85, 0.85, 9) * rng.uniform(0.6, 1.0, (len(rows), 1))
        bent = rows[:, None] * (1 + 0.35 * bow**2) + rng.normal(0, 0.2, bow.shape)
        arc = arc_points(centre, axis, normal, (radius, radius), bow.ravel())
        arcs += list((arc + bent.reshape(-1, 1) * canvas.look.size * axis).reshape(-1, 9, 3))
        faint = 255 * straight * rng.uniform(0.45, 1.0, len(rows)) * visible
        strengths += [int(value) for value in faint]
    if max(strengths) == 0:
        return
    mask = np.zeros(window.size, np.uint8)
    for arc, strength in zip(view.place(np.array(arcs)), strengths, strict=True):
        line(mask, arc, window, 0.7 * d, strength)
    soft = soften(mask, 0.3 * d) * (canvas.shape.owner[window.box] == finger + 1)
    depth = np.float32(canvas.look.skin.wrinkles)
    canvas.bump[window.box] -= soft * depth * np.float32(0.7 * d)
    canvas.albedo[window.box] *= 1 - (soft * depth * np.float32(0.27))[..., None]


def _nail_points(canvas: Canvas, finger: int, reach: tuple[float, float], grow: float) -> Vector:
    """Outline of a nail: `reach` is back and front along the finger in tip radii."""
    skeleton = canvas.skeleton
    tip, radius = skeleton.joints_mm[finger, 3], float(skeleton.radii_mm[finger, 3])
    axis = tip - skeleton.joints_mm[finger, 2]
    axis /= max(float(np.linalg.norm(axis)), 1e-9)
    normal = skeleton.dorsal[finger, 2]
    turn = np.linspace(0, math.tau, 25)[:-1]
    middle, half = 0.5 * (reach[0] + reach[1]), 0.5 * (reach[1] - reach[0])
    x = middle + half * np.sign(np.cos(turn)) * np.abs(np.cos(turn)) ** 0.7
    angle = (0.76 * grow) * np.sign(np.sin(turn)) * np.abs(np.sin(turn)) ** 0.75
    over = np.clip(x, 0, None)
    shrink = np.sqrt(np.clip(1 - (0.72 * np.minimum(over, 1.0)) ** 2, 0.2, 1))
    ring = arc_points(np.zeros(3), axis, normal, (1.0, 1.0), angle)
    placed: Vector = tip + radius * (x[:, None] * axis + shrink[:, None] * ring)
    return placed


def _nail(canvas: Canvas, finger: int) -> None:
    """Plate, moon, free edge and the groove around it."""
    skeleton, view, look = canvas.skeleton, canvas.view, canvas.look
    normal = skeleton.dorsal[finger, 2]
    if float(normal @ view.toward) < 0.08:
        return
    d = canvas.density * look.size
    front = 0.72 + 0.9 * look.nails.length
    outline = view.place(_nail_points(canvas, finger, (-0.72, front), 1.0))
    window = roi_around(canvas, outline, 3 * d)
    if window is None:
        return
    mine = (canvas.shape.owner[window.box] == finger + 1).astype(np.float32)
    plate, edge, moon, groove = (np.zeros(window.size, np.uint8) for _ in range(4))
    fill(plate, outline, window)
    fill(edge, view.place(_nail_points(canvas, finger, (0.62, front), 0.82)), window)
    fill(moon, view.place(_nail_points(canvas, finger, (-0.72, -0.36), 0.55)), window)
    line(groove, np.vstack([outline[4:21]]), window, 0.8 * d)
    base = np.array(look.skin.base_bgr, np.float32)
    bed = 0.45 * base + 0.55 * np.array([0.66, 0.68, 0.88], np.float32) * (
        0.35 + 0.65 * base.mean()
    )
    polish = look.nails.polish_bgr
    colour = bed if polish is None else np.array(polish, np.float32)
    patch = canvas.albedo[window.box]
    patch *= 1 - (soften(groove, 0.4 * d) * mine * np.float32(0.30))[..., None]
    share = (soften(plate, 0.25 * d) * mine)[..., None] * np.float32(0.8 if polish is None else 1.0)
    patch += share * (colour - patch)
    if polish is None:
        _lighten(patch, soften(moon, 0.5 * d) * mine, 0.22)
        _lighten(patch, soften(edge, 0.3 * d) * mine, 0.42)
    gloss = np.float32(0.55 if polish is None else 0.95)
    canvas.gloss[window.box] += share[..., 0] * (gloss - canvas.gloss[window.box])
    canvas.bump[window.box] -= soften(groove, 0.4 * d) * mine * np.float32(0.35 * d)


def _lighten(patch: FloatArray, share: FloatArray, amount: float) -> None:
    patch += (share * np.float32(amount))[..., None] * (np.float32(0.92) - patch)


def _hair(canvas: Canvas) -> None:
    """Short strokes down the forearm, fewer on the back of the hand."""
    skin, arm = canvas.look.skin, canvas.skeleton.arm
    count = int(700 * skin.hair)
    if count < 8:
        return
    rng = np.random.default_rng([canvas.look.seed, 23])
    along = rng.uniform(-22, 240, count) * canvas.look.size
    side = rng.uniform(-1, 1, count)
    spine = np.stack([np.interp(along, arm.along_mm, arm.points_mm[:, k]) for k in range(3)], 1)
    outward = arm.points_mm[1] - arm.points_mm[0]
    outward /= float(np.linalg.norm(outward))
    spine += np.minimum(along, 0)[:, None] * outward
    wide = np.interp(along, arm.along_mm, arm.radii_mm + arm.offsets_mm) * 0.9
    high = np.interp(along, arm.along_mm, arm.radii_mm) * np.sqrt(1 - 0.8 * side**2)
    root = spine + (side * wide)[:, None] * arm.lateral + high[:, None] * np.array([0, 0, 1.0])
    lean = rng.normal(0.5, 0.3, count) + 0.3 * side
    length = rng.uniform(1.2, 4.2, count)
    end = root - length[:, None] * outward + (length * lean)[:, None] * arm.lateral
    fixed = np.round(canvas.view.place(np.stack([root, end], axis=1)) * 16).astype(np.int32)
    mask = np.zeros(canvas.bump.shape, np.uint8)
    for shade, strokes in ((60, fixed[::2]), (110, fixed[1::2])):
        cv2.polylines(
            mask, list(strokes), isClosed=False, color=(shade,), lineType=cv2.LINE_AA, shift=4
        )
    mask[canvas.shape.owner != 0] = 0
    rows, columns = np.nonzero(mask)
    dark = np.float32((0.55 if np.mean(skin.base_bgr) > 0.4 else 0.42) / 255)
    canvas.albedo[rows, columns] *= 1 - (mask[rows, columns] * dark)[:, None]


def _powder(canvas: Canvas) -> None:
    """White dust on tips, knuckles and the heel of the hand."""
    window = _hand_window(canvas)
    if window is None:
        return
    d = canvas.density * canvas.look.size
    spots = np.zeros(window.size, np.uint8)
    pixels = canvas.view.place(canvas.skeleton.joints_mm[:, 1:].reshape(-1, 3)) - window.offset
    for x, y in np.round(pixels * 16):
        cv2.circle(spots, (int(x), int(y)), int(9 * d * 16), (255,), -1, cv2.LINE_AA, 4)
    size = (window.size[1], window.size[0])
    local = _origin(canvas) - window.offset
    dust = place_tile("dust", local, canvas.density, size, canvas.look.seed)
    cover = np.clip(dust * 0.5 - 0.1, 0, 1) * soften(spots, 5 * d)
    _lighten(canvas.albedo[window.box], cover.astype(np.float32), 0.75 * canvas.look.skin.powder)
