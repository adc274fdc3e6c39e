"""The body of a hand on its canvas: heights, outline and owner of every pixel.

Bones are tapered capsules. Heights of capsules of one part flow into each other (smooth maximum),
outlines likewise (smooth minimum of distances); parts hide one another by depth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from sim.camera.hands_anatomy import CARPAL_SIDE, KNUCKLES
from sim.camera.hands_look import HandLook
from sim.camera.hands_skeleton import Skeleton
from sim.camera.hands_types import FloatArray, Vector
from sim.camera.hands_view import View

__all__ = ["BODY", "NOBODY", "SLEEVE", "Shape", "draw_shape"]

NOBODY = 255
BODY = 0
SLEEVE = 9
_FAR = np.float32(-1e4)
f32 = np.float32


@dataclass(slots=True)
class Shape:
    """Canvas maps, all (height, width)."""

    height: FloatArray
    """Towards the camera, canvas pixels."""
    outside: FloatArray
    """Signed distance to the outline, negative inside, canvas pixels."""
    owner: np.ndarray[tuple[int, int], np.dtype[np.uint8]]
    """0 palm and arm, 1..5 fingers (thumb first), 9 sleeve, 255 nothing."""


@dataclass(frozen=True, slots=True)
class _Bone:
    """A tapered capsule in canvas units: ends (x, y, depth) and radii."""

    start: Vector
    end: Vector
    start_radius: float
    end_radius: float
    blend: float
    waist: float = 0.0


def draw_shape(view: View, skeleton: Skeleton, look: HandLook) -> Shape:
    """Palm, arm, five fingers and the sleeve."""
    hidden = np.inf if look.sleeve is None else (look.sleeve.start_mm + 70.0) * look.size
    body = _arm(view, skeleton, 0.0, 0.0, hidden)
    for bone in _palm_bones(view, skeleton, look):
        _add(body, bone)
    shape = Shape(body.height.copy(), body.outside.copy(), body.owner)
    shape.owner[shape.outside < 0.7] = BODY
    for finger, bones in enumerate(_finger_bones(view, skeleton)):
        _add_finger(shape, body, finger, bones)
    if look.sleeve is not None:
        _add_sleeve(shape, view, skeleton, look)
    return shape


def _empty(size: tuple[int, int]) -> Shape:
    return Shape(
        np.full(size, _FAR, np.float32),
        np.full(size, -_FAR, np.float32),
        np.full(size, NOBODY, np.uint8),
    )


def _palm_bones(view: View, skeleton: Skeleton, look: HandLook) -> list[_Bone]:
    """Metacarpals, the balls of thumb and little finger, knuckles and the web of the thumb."""
    thick = look.size * look.breadth
    knuckles = skeleton.at(KNUCKLES)
    carpals = skeleton.at(np.column_stack([CARPAL_SIDE, np.full(4, 6.0), np.zeros(4)]))
    thumb = skeleton.joints_mm[0]
    heel = skeleton.at(np.array([[-18.0, 12.0, -7.0], [-29.0, 60.0, -8.0]]))
    heads = (11.1, 11.3, 10.7, 9.5)
    soft = 9.0 * look.size
    rows = [(carpals[i], knuckles[i], 14.5, heads[i], soft) for i in range(4)]
    rows.append((heel[0], heel[1], 14.5, 10.5, soft))
    rows.append((thumb[0], thumb[1], 14.5, 11.4, soft))
    web = 0.62 * thumb[1] + 0.38 * thumb[0]
    rows.append((web, skeleton.at(KNUCKLES[0] * np.array([1.0, 0.72, 1.0])), 8.0, 8.0, soft))
    rows += [(*ends, 6.8, 6.8, 6.0 * look.size) for ends in _webs(skeleton)]
    raised = skeleton.at(KNUCKLES + np.array([0.0, -1.0, 1.2]))
    rows += [(raised[i], raised[i], heads[i] - 1.2, heads[i] - 1.2, 6.5) for i in range(4)]
    lateral = skeleton.arm.lateral * skeleton.arm.offsets_mm[0]
    for sign in (-1.0, 1.0):
        root = skeleton.at(np.array([sign * 8.0, 26.0, 0.0]))
        nearer = sign if float(lateral @ skeleton.basis[:, 0]) > 0 else -sign
        rows.append((skeleton.wrist_mm + nearer * lateral, root, 17.0, 13.0, 10.0 * look.size))
    return _bones(view, [(a, b, ra * thick, rb * thick, k, 0.0) for a, b, ra, rb, k in rows])


def _webs(skeleton: Skeleton) -> list[tuple[Vector, Vector]]:
    """Skin between the fingers reaches a third up their first phalanges, on the palm's side."""
    first, second = skeleton.joints_mm[1:, 0], skeleton.joints_mm[1:, 1]
    under = skeleton.dorsal[1:, 0] * (3.5 * skeleton.size)
    roots = first + 0.34 * (second - first) - under
    return [(roots[i], roots[i + 1]) for i in range(3)]


def _arm(
    view: View, skeleton: Skeleton, start_mm: float, ease_mm: float, end_mm: float = np.inf
) -> Shape:
    """Two tubes side by side from `start_mm` to `end_mm` behind the wrist, wider by `ease_mm`.

    Smooth as they are, they are drawn at half size and enlarged.
    """
    size = ((view.height + 1) // 2, (view.width + 1) // 2)
    tubes = [_empty(size), _empty(size)]
    arm = skeleton.arm
    aside = arm.offsets_mm[:, None] * arm.lateral
    radii = arm.radii_mm + ease_mm
    rows: list[_Row] = []
    for line in (arm.points_mm - aside, arm.points_mm + aside):
        rows += [
            (line[i], line[i + 1], float(radii[i]), float(radii[i + 1]), 0.5, 0.0)
            for i in range(len(line) - 1)
            if arm.along_mm[i + 1] >= start_mm - 1 and arm.along_mm[i] <= end_mm
        ]
    for i, bone in enumerate(_bones(view, rows)):
        if _visible(view, bone):
            _add(tubes[2 * i // len(rows)], _halved(bone))
    blend = 4.5 * view.density
    height = _smooth_max(tubes[0].height, tubes[1].height, blend)
    outside = _smooth_min(tubes[0].outside, tubes[1].outside, blend)
    full = _empty((view.height, view.width))
    double = (2 * size[1], 2 * size[0])
    for target, half in ((full.height, height), (full.outside, outside)):
        large = cv2.resize(half, double, interpolation=cv2.INTER_LINEAR)
        np.multiply(large[: view.height, : view.width], np.float32(2), out=target)
    return full


def _halved(bone: _Bone) -> _Bone:
    """On a canvas of half the size; pixel centres shift by a quarter."""
    shift = np.array([0.25, 0.25, 0.0])
    return _Bone(
        0.5 * bone.start - shift, 0.5 * bone.end - shift, 0.5 * bone.start_radius,
        0.5 * bone.end_radius, 0.5 * bone.blend,
    )  # fmt: skip


def _visible(view: View, bone: _Bone) -> bool:
    reach = max(bone.start_radius, bone.end_radius) + bone.blend
    low = np.minimum(bone.start, bone.end)[:2] - reach
    high = np.maximum(bone.start, bone.end)[:2] + reach
    return bool(np.all(high > 0) and low[0] < view.width and low[1] < view.height)


_Row = tuple[Vector, Vector, float, float, float, float]
"""A capsule in millimetres: ends, radii, blend, waist."""


def _bones(view: View, rows: list[_Row]) -> list[_Bone]:
    """Capsules on the canvas, all projected at once."""
    ends, scale = view.spots(np.array([end for row in rows for end in row[:2]]))
    return [
        _Bone(
            ends[2 * i], ends[2 * i + 1], row[2] * float(scale[2 * i]),
            row[3] * float(scale[2 * i + 1]), row[4] * view.density, row[5],
        )
        for i, row in enumerate(rows)
    ]  # fmt: skip


def _finger_bones(view: View, skeleton: Skeleton) -> list[list[_Bone]]:
    """The phalanges of each finger; the first is grown into the palm."""
    rows: list[_Row] = []
    counts = (2, 3, 3, 3, 3)
    for joints, radii, count in zip(skeleton.joints_mm, skeleton.radii_mm, counts, strict=True):
        for j in range(3 - count, 3):
            blend = 7.0 * skeleton.size if j == 3 - count else 1.4
            rows.append(
                (joints[j], joints[j + 1], float(radii[j]), float(radii[j + 1]), blend, 0.05)
            )
    bones = iter(_bones(view, rows))
    return [[next(bones) for _ in range(count)] for count in counts]


def _add_finger(shape: Shape, body: Shape, finger: int, bones: list[_Bone]) -> None:
    """One finger, grown out of the palm, in front of or behind what is already there."""
    box = _box(shape, bones, bones[0].blend)
    if box is None:
        return
    grown = Shape(body.height[box].copy(), body.outside[box].copy(), shape.owner[box])
    alone = np.full_like(grown.outside, -_FAR)
    for bone in bones:
        near = _box(shape, [bone], bone.blend)
        if near is None:
            continue
        inner = _inside(near, box)
        h, sd = _capsule(near, bone)
        grown.height[inner] = _smooth_max(grown.height[inner], h, bone.blend)
        grown.outside[inner] = _smooth_min(grown.outside[inner], sd, bone.blend)
        alone[inner] = np.minimum(alone[inner], sd)
    height, outside = shape.height[box], shape.outside[box]
    mine = (alone < 0.5) & (grown.height >= height)
    web = (grown.outside < outside) & (grown.outside < 0.7) & ~mine
    shape.owner[box][mine] = finger + 1
    bare = web & (shape.owner[box] == NOBODY)
    shape.owner[box][bare] = BODY
    take = mine | bare | (outside > 0)
    np.copyto(height, np.maximum(height, grown.height), where=take)
    np.minimum(outside, grown.outside, out=outside)


def _add_sleeve(shape: Shape, view: View, skeleton: Skeleton, look: HandLook) -> None:
    """A wider arm cut off square at its hem."""
    sleeve = look.sleeve
    assert sleeve is not None
    cloth = _arm(view, skeleton, sleeve.start_mm * look.size, sleeve.ease_mm * look.size)
    arm = skeleton.arm
    at = np.array([sleeve.start_mm, sleeve.start_mm + 30.0]) * look.size
    line = np.stack([np.interp(at, arm.along_mm, arm.points_mm[:, k]) for k in range(3)], axis=1)
    if sleeve.start_mm < 0:
        line = line + (arm.points_mm[0] - arm.points_mm[1]) * (-at[0] / arm.along_mm[1])
    hem, behind = view.place(line)
    axis = (behind - hem) / max(float(np.linalg.norm(behind - hem)), 1e-6)
    cut = _hem(view, hem, axis, look.seed)
    outside = np.maximum(cloth.outside, cut)
    mine = (outside < 0.5) & ((cloth.height > shape.height) | (shape.owner == BODY))
    np.copyto(shape.height, cloth.height, where=mine)
    shape.owner[mine] = SLEEVE
    np.minimum(shape.outside, outside, out=shape.outside)


def _hem(view: View, hem: Vector, axis: Vector, seed: int) -> FloatArray:
    """Signed distance to a slightly bowed and wavy line across the arm, negative behind it."""
    xs = np.arange(view.width, dtype=f32)[None, :] - f32(hem[0])
    ys = np.arange(view.height, dtype=f32)[:, None] - f32(hem[1])
    cut = xs * f32(-axis[0]) + ys * f32(-axis[1])
    d = view.density
    x, y = (round(float(v)) for v in hem)
    reach = round(75 * d)
    box = (slice(max(y - reach, 0), max(y + reach, 0)), slice(max(x - reach, 0), max(x + reach, 0)))
    across = (ys[box[0]] * f32(axis[0]) - xs[:, box[1]] * f32(axis[1])) * f32(1 / (40.0 * d))
    cut[box] += f32(5.0 * d) * across * across + f32(1.3 * d) * np.sin(across * 3.4 + f32(seed % 7))
    return np.asarray(cut, np.float32)


_Box = tuple[slice, slice]


def _box(shape: Shape, bones: list[_Bone], pad: float) -> _Box | None:
    """Canvas rows and columns that bones can touch; None when they are off the canvas."""
    rows, columns = shape.height.shape
    reach = max(max(b.start_radius, b.end_radius) for b in bones) + pad + 2
    ends = np.concatenate([[b.start[:2], b.end[:2]] for b in bones])
    low = np.floor(ends.min(axis=0) - reach).astype(int)
    high = np.ceil(ends.max(axis=0) + reach).astype(int)
    x0, x1 = max(int(low[0]), 0), min(int(high[0]), columns)
    y0, y1 = max(int(low[1]), 0), min(int(high[1]), rows)
    return (slice(y0, y1), slice(x0, x1)) if x1 > x0 and y1 > y0 else None


def _inside(near: _Box, box: _Box) -> _Box:
    return (
        slice(near[0].start - box[0].start, near[0].stop - box[0].start),
        slice(near[1].start - box[1].start, near[1].stop - box[1].start),
    )


def _add(shape: Shape, bone: _Bone) -> None:
    box = _box(shape, [bone], bone.blend)
    if box is None:
        return
    h, sd = _capsule(box, bone)
    shape.height[box] = _smooth_max(shape.height[box], h, bone.blend)
    shape.outside[box] = _smooth_min(shape.outside[box], sd, bone.blend)


def _capsule(box: _Box, bone: _Bone) -> tuple[FloatArray, FloatArray]:
    """Height and signed distance of a capsule on the pixels of a box."""
    xs = np.arange(box[1].start, box[1].stop, dtype=f32)[None, :] - f32(bone.start[0])
    ys = np.arange(box[0].start, box[0].stop, dtype=f32)[:, None] - f32(bone.start[1])
    dx, dy, dz = (f32(v) for v in bone.end - bone.start)
    length = max(math.hypot(dx, dy), 0.05)
    t = np.clip(xs * f32(dx / length**2) + ys * f32(dy / length**2), f32(0), f32(1))
    radius = _radius(bone, t)
    square = (xs - t * dx) ** 2 + (ys - t * dy) ** 2
    outside = np.sqrt(square) - radius
    bulge = np.sqrt(np.maximum(radius * radius - square, f32(0)))
    slope = float(dz) / length
    if abs(slope) > 0.08:
        # The sphere that is nearest to the camera sits further up a rising bone.
        t = np.clip(t + bulge * f32(slope / math.hypot(1, slope) / length), f32(0), f32(1))
        radius = _radius(bone, t)
        square = (xs - t * dx) ** 2 + (ys - t * dy) ** 2
        bulge = np.sqrt(np.maximum(radius * radius - square, f32(0)))
    height = f32(bone.start[2]) + dz * t + bulge - f32(1.2) * np.maximum(outside, f32(0))
    return height.astype(f32, copy=False), outside


def _radius(bone: _Bone, t: FloatArray) -> FloatArray:
    radius = f32(bone.start_radius) + f32(bone.end_radius - bone.start_radius) * t
    if bone.waist:
        radius *= 1 - f32(4 * bone.waist) * t * (1 - t)
    return radius


def _smooth_max(a: FloatArray, b: FloatArray, k: float) -> FloatArray:
    near = np.maximum(np.float32(k) - np.abs(a - b), np.float32(0))
    return np.asarray(np.maximum(a, b) + near * near * f32(0.25 / k), f32)


def _smooth_min(a: FloatArray, b: FloatArray, k: float) -> FloatArray:
    near = np.maximum(np.float32(k) - np.abs(a - b), np.float32(0))
    return np.asarray(np.minimum(a, b) - near * near * f32(0.25 / k), f32)
