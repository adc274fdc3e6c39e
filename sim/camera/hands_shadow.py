"""The shadow of a hand and arm on the board, sharp where they touch, soft where they are high."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from sim.camera.hands_anatomy import CARPAL_SIDE, KNUCKLES
from sim.camera.hands_look import HandLook
from sim.camera.hands_paint import blur
from sim.camera.hands_skeleton import Skeleton
from sim.camera.hands_types import (
    BoundingBox,
    FloatArray,
    HandLight,
    Lighting,
    Projection,
    Vector,
)
from sim.camera.hands_view import in_front

__all__ = ["cast_shadow"]

_PER_MM = 0.5
_LOWEST = 0.3
_PENUMBRA = 0.8
_SKY_RAD = 0.5
"""Light from everywhere: only what is near the board takes any of it away."""
_LEVELS_MM = (14.0, 30.0, 60.0, 110.0, 900.0)


@dataclass(frozen=True, slots=True)
class _Limbs:
    """Capsules of the hand: (n, 2, 3) ends and (n, 2) radii, millimetres."""

    ends: Vector
    radii: Vector


def cast_shadow(
    projection: Projection,
    skeleton: Skeleton,
    look: HandLook,
    lighting: Lighting,
    image_size: tuple[int, int],
) -> tuple[FloatArray, BoundingBox]:
    """The part of the light (0..1) that the hand takes from the board plane, and where."""
    limbs = _limbs(skeleton, look)
    lamps = [(lamp, _strength(lamp)) for lamp in lighting.lamps]
    sky = float(np.mean(lighting.ambient_bgr))
    total = max(sum(share for _, share in lamps) + sky, 1e-6)
    lamps.append((HandLight((0.0, 0.0, 1.0), softness_rad=_SKY_RAD + 0.05), 0.7 * sky))
    falls = np.stack([_fallen(limbs, lamp) for lamp, _ in lamps])
    foot = skeleton.wrist_mm * np.array([1.0, 1.0, 0.0])
    seen = in_front(projection, falls.reshape(-1, 3), foot).reshape(falls.shape[:-1])
    good = np.flatnonzero(seen.all(axis=(0, 2)))
    if good.size == 0:
        return np.zeros((0, 0), np.float32), BoundingBox(0, 0, 0, 0)
    limbs = _Limbs(limbs.ends[good], limbs.radii[good])
    picture = [_project(projection, ends[good]) for ends in falls]
    scale = _scale(projection, skeleton)
    reach = np.stack([_reach(limbs, lamp) for lamp, _ in lamps]).max(axis=0)
    box = _box(picture, reach * scale, image_size)
    width, height = box.right - box.left, box.bottom - box.top
    if width <= 0 or height <= 0:
        return np.zeros((0, 0), np.float32), BoundingBox(0, 0, 0, 0)
    zoom = min(_PER_MM / scale, 1.0)
    size = (max(int(width * zoom), 2), max(int(height * zoom), 2))
    shadow = np.zeros((size[1], size[0]), np.float32)
    corner = np.array([box.left, box.top])
    for (lamp, share), ends in zip(lamps, picture, strict=True):
        local = (ends - corner) * zoom
        shadow += np.float32(share / total) * _mask(limbs, local, scale * zoom, size, lamp)
    full = cv2.resize(shadow, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.clip(full, 0, 1).astype(np.float32), box


def _strength(lamp: HandLight) -> float:
    toward = np.asarray(lamp.toward) / np.linalg.norm(lamp.toward)
    return float(lamp.strength * max(toward[2], 0.0) * np.mean(lamp.colour_bgr))


def _limbs(skeleton: Skeleton, look: HandLook) -> _Limbs:
    ends: list[Vector] = []
    radii: list[tuple[float, float]] = []
    for joints, r in zip(skeleton.joints_mm, skeleton.radii_mm, strict=True):
        for j in range(3):
            ends.append(joints[j : j + 2])
            radii.append((float(r[j]), float(r[j + 1])))
    roots = skeleton.at(np.column_stack([CARPAL_SIDE, np.full(4, 6.0), np.zeros(4)]))
    thick = look.size * look.breadth
    for root, knuckle in zip(roots, skeleton.at(KNUCKLES), strict=True):
        ends.append(np.stack([root, knuckle]))
        radii.append((17.0 * thick, 13.0 * thick))
    arm = skeleton.arm
    sleeve = look.sleeve
    for i in range(len(arm.along_mm) - 1):
        dressed = sleeve is not None and arm.along_mm[i + 1] > sleeve.start_mm * look.size
        ease = sleeve.ease_mm * look.size if sleeve is not None and dressed else 0.0
        wide = arm.radii_mm[i : i + 2] + 0.8 * arm.offsets_mm[i : i + 2] + ease
        ends.append(arm.points_mm[i : i + 2])
        radii.append((float(wide[0]), float(wide[1])))
    return _Limbs(np.array(ends), np.array(radii))


def _fallen(limbs: _Limbs, lamp: HandLight) -> Vector:
    """(n, 2, 3) where the ends' shadows fall on the board plane."""
    toward = np.asarray(lamp.toward) / np.linalg.norm(lamp.toward)
    slope = toward[:2] / max(float(toward[2]), _LOWEST)
    fallen = limbs.ends.copy()
    fallen[..., :2] -= fallen[..., 2:] * slope
    fallen[..., 2] = 0
    return fallen


def _spread(lamp: HandLight) -> float:
    """Half the penumbra's width for each millimetre of height."""
    toward = np.asarray(lamp.toward) / np.linalg.norm(lamp.toward)
    return lamp.softness_rad / max(float(toward[2]), _LOWEST)


def _reach(limbs: _Limbs, lamp: HandLight) -> Vector:
    """(n, 2) how far each end's soft shadow goes, mm; parts high above the board fade out."""
    height = np.minimum(limbs.ends[..., 2], 160.0)
    reach: Vector = limbs.radii + 2.6 * _PENUMBRA * _spread(lamp) * height + 3.0
    return reach


def _project(projection: Projection, points: Vector) -> Vector:
    flat = np.asarray(projection.project(points.reshape(-1, 3)), dtype=np.float64)
    return flat.reshape((*points.shape[:-1], 2))


def _scale(projection: Projection, skeleton: Skeleton) -> float:
    foot = skeleton.wrist_mm * np.array([1.0, 1.0, 0.0])
    steps = foot + np.array([[0, 0, 0], [5.0, 0, 0], [0, 5.0, 0]])
    picture = np.asarray(projection.project(steps))
    a, b = picture[1] - picture[0], picture[2] - picture[0]
    return max(math.sqrt(abs(float(a[0] * b[1] - a[1] * b[0]))) / 5.0, 1e-3)


def _box(picture: list[Vector], radii_px: Vector, image_size: tuple[int, int]) -> BoundingBox:
    low = np.min([(p - radii_px[..., None]).min(axis=(0, 1)) for p in picture], axis=0)
    high = np.max([(p + radii_px[..., None]).max(axis=(0, 1)) for p in picture], axis=0)
    left, top = (int(np.clip(v, 0, s)) for v, s in zip(low, image_size, strict=True))
    right, bottom = (int(np.clip(v + 1, 0, s)) for v, s in zip(high, image_size, strict=True))
    return BoundingBox(left, top, right, bottom)


def _mask(
    limbs: _Limbs, ends_px: Vector, scale: float, size: tuple[int, int], lamp: HandLight
) -> FloatArray:
    """One lamp's shadow: capsules drawn by height and blurred by it."""
    lit = np.ones((size[1], size[0]), np.float32)
    heights = limbs.ends[..., 2].mean(axis=1)
    spread = _spread(lamp)
    low = -1e9
    sky = lamp.softness_rad > _SKY_RAD
    for level in _LEVELS_MM[:3] if sky else _LEVELS_MM:
        chosen = np.flatnonzero((heights > low) & (heights <= level))
        low = level
        if chosen.size == 0:
            continue
        mask = np.zeros((size[1], size[0]), np.uint8)
        for i in chosen:
            _capsule(mask, ends_px[i], limbs.radii[i] * scale)
        height = float(heights[chosen].mean())
        sigma = max(spread * height * scale * _PENUMBRA, 0.5)
        lit *= 1 - blur(mask.astype(np.float32) * np.float32(1 / 255), sigma)
    return 1 - lit


def _capsule(
    mask: np.ndarray[tuple[int, int], np.dtype[np.uint8]], ends: Vector, r: Vector
) -> None:
    fixed = np.round(ends * 16).astype(np.int64)
    if np.abs(fixed).max() > 1 << 20:
        return
    for (x, y), radius in zip(fixed, r, strict=True):
        cv2.circle(mask, (int(x), int(y)), int(radius * 16), (255,), -1, cv2.LINE_AA, 4)
    line = ends[1] - ends[0]
    length = float(np.linalg.norm(line))
    if length < 0.2:
        return
    side = np.array([-line[1], line[0]]) / length
    quad = np.stack(
        [ends[0] + side * r[0], ends[1] + side * r[1], ends[1] - side * r[1], ends[0] - side * r[0]]
    )
    cv2.fillConvexPoly(mask, np.round(quad * 16).astype(np.int32), (255,), cv2.LINE_AA, 4)
