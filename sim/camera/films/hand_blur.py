"""Hands blur while the shutter is open: the layer averaged along its way."""

from dataclasses import replace

import cv2
import numpy as np

from sim.camera.arrays import Array
from sim.camera.hands_types import BoundingBox, HandLayer, Vector

__all__ = ["smeared"]

_STEP_PX = 1.6
_MOST_STEPS = 10
_LONGEST_PX = 60.0


def smeared(layer: HandLayer, way_px: Vector, size: tuple[int, int]) -> HandLayer:
    """The layer of a hand that moves by (2,) px during the exposure, in a picture of ``size``."""
    length = float(np.hypot(*way_px))
    if layer.empty or length < _STEP_PX:
        return layer
    way = way_px * (min(length, _LONGEST_PX) / length)
    count = int(np.clip(np.ceil(min(length, _LONGEST_PX) / _STEP_PX), 2, _MOST_STEPS))
    steps = np.round(np.linspace(-0.5, 0.5, count)[:, None] * way).astype(int)
    px, py = (int(v) for v in np.abs(steps).max(axis=0))
    packed = _padded(_packed(layer), layer.bbox, (2 * px, 2 * py), size)
    height, width = layer.alpha.shape[0] + 2 * py, layer.alpha.shape[1] + 2 * px
    total = np.zeros((height, width, 6), dtype=np.uint16)
    for dx, dy in steps:
        total += packed[py - dy : py - dy + height, px - dx : px - dx + width]
    box = layer.bbox
    left, top = max(0, box.left - px), max(0, box.top - py)
    right, bottom = min(size[0], box.right + px), min(size[1], box.bottom + py)
    rows = slice(top - box.top + py, bottom - box.top + py)
    columns = slice(left - box.left + px, right - box.left + px)
    mean = total[rows, columns].astype(np.float32) / np.float32(count)
    return _unpacked(layer, mean, BoundingBox(left, top, right, bottom))


def _packed(layer: HandLayer) -> Array:
    """(h, w, 6) uint8: colour times cover, cover, hand, shadow."""
    alpha = layer.alpha[..., None]
    colour = (layer.bgr * alpha).astype(np.uint8)
    rest = np.stack([layer.alpha, layer.hand, layer.shadow], axis=-1) * np.float32(255)
    return np.concatenate([colour, rest.astype(np.uint8)], axis=-1)


def _padded(packed: Array, box: BoundingBox, pad: tuple[int, int], size: tuple[int, int]) -> Array:
    """Room on all sides: an arm that leaves the picture goes on beyond its edge."""
    (px, py), on = pad, cv2.BORDER_REPLICATE
    beyond = (box.top <= 0, box.bottom >= size[1], box.left <= 0, box.right >= size[0])
    wide = [room if edge else 0 for edge, room in zip(beyond, (py, py, px, px), strict=True)]
    rest = [room - kept for room, kept in zip((py, py, px, px), wide, strict=True)]
    halves = []
    for part in (packed[..., :3], packed[..., 3:]):
        part = cv2.copyMakeBorder(part, wide[0], wide[1], wide[2], wide[3], on)
        part = cv2.copyMakeBorder(
            part, rest[0], rest[1], rest[2], rest[3], cv2.BORDER_CONSTANT, value=(0, 0, 0)
        )
        halves.append(part)
    return np.concatenate(halves, axis=-1)


def _unpacked(layer: HandLayer, mean: Array, box: BoundingBox) -> HandLayer:
    cover = mean[..., 3:4]
    colour = np.where(cover > 0.5, mean[..., :3] * (255.0 / np.maximum(cover, 0.5)), 0.0)
    unit = np.float32(1 / 255)
    return replace(
        layer,
        bgr=np.minimum(colour, 255.0).astype(np.uint8),
        alpha=mean[..., 3] * unit,
        hand=mean[..., 4] * unit,
        shadow=mean[..., 5] * unit,
        bbox=box,
    )
