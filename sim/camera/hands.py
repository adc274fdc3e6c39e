"""Hands and arms over the board, as a camera sees them: sample, pose, blend, render.

look = sample_look(rng)
pose = sample_pose(rng, Seat.SOUTH, HandAction.AIMING, (0.0, -235.0))
layer = render_hand(look, pose, camera, (1280, 720))
composite(picture, layer)
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from sim.camera.hands_dress import paint_dress
from sim.camera.hands_look import HandLook, sample_look
from sim.camera.hands_paint import Canvas
from sim.camera.hands_pose import blend, sample_pose, seat_bearing, with_progress
from sim.camera.hands_shade import shade
from sim.camera.hands_shadow import cast_shadow
from sim.camera.hands_shape import Shape, draw_shape
from sim.camera.hands_skeleton import Skeleton, build_skeleton
from sim.camera.hands_skin import paint_skin
from sim.camera.hands_types import (
    BoundingBox,
    FloatArray,
    HandAction,
    Handedness,
    HandLayer,
    HandLight,
    HandPose,
    Lighting,
    Projection,
    Vector,
)
from sim.camera.hands_view import View, make_view, trim_arm

__all__ = [
    "HandAction",
    "HandLayer",
    "HandLight",
    "HandLook",
    "HandPose",
    "Handedness",
    "Lighting",
    "Projection",
    "blend",
    "build_skeleton",
    "composite",
    "occludes",
    "render_hand",
    "sample_look",
    "sample_pose",
    "seat_bearing",
    "with_progress",
]


def render_hand(
    look: HandLook,
    pose: HandPose,
    projection: Projection,
    image_size: tuple[int, int],
    lights: Lighting | None = None,
) -> HandLayer:
    """The hand as a layer of a picture of (width, height) pixels; empty when it is outside.

    The same look and pose give the same pixels: nothing here draws random numbers of its own.
    """
    lighting = lights or Lighting()
    skeleton = trim_arm(projection, build_skeleton(pose, look))
    tips_mm = skeleton.joints_mm[:, 3].copy()
    tips_px = np.asarray(projection.project(tips_mm), dtype=np.float64)
    shadow, shadow_box = cast_shadow(projection, skeleton, look, lighting, image_size)
    ease = 0.0 if look.sleeve is None else look.sleeve.ease_mm * look.size
    view = make_view(projection, skeleton, image_size, ease)
    own = BoundingBox(0, 0, 0, 0) if view is None else _picture_box(view, image_size)
    box = _union(shadow_box, own)
    size = (box.bottom - box.top, box.right - box.left)
    bgr, alpha, hand = np.zeros((*size, 3), np.uint8), *np.zeros((2, *size), np.float32)
    full = np.zeros(size, np.float32)
    full[_within(shadow_box, box)] = shadow
    if view is not None:
        part = _within(own, box)
        bgr[part], alpha[part], hand[part] = _render(view, skeleton, look, lighting, own)
    return HandLayer(bgr, alpha, hand, full, box, tips_px, tips_mm)


def _within(part: BoundingBox, whole: BoundingBox) -> tuple[slice, slice]:
    """Where a box lies in an array of another."""
    return (
        slice(part.top - whole.top, part.bottom - whole.top),
        slice(part.left - whole.left, part.right - whole.left),
    )


def composite(picture_bgr: NDArray[np.uint8], layer: HandLayer) -> None:
    """Shadow, then hand, onto a picture (height, width, 3) of display values, in place."""
    if layer.empty:
        return
    box = layer.bbox
    patch = picture_bgr[box.top : box.bottom, box.left : box.right]
    below = patch.astype(np.float32) * np.sqrt(1 - layer.shadow)[..., None]
    alpha = layer.alpha[..., None]
    patch[:] = np.round(below + alpha * (layer.bgr - below)).astype(np.uint8)


def occludes(layer: HandLayer, points_px: Vector, axes_px: tuple[float, float] | None = None,
             angle_rad: float = 0.0) -> float:  # fmt: skip
    """Part (0..1) that the layer hides: of (n, 2) picture points, or of an ellipse.

    With `axes_px` (half axes), `points_px` is the ellipse's centre (2,) and `angle_rad` the turn
    of its first axis in the picture. Points outside the picture count as free.
    """
    points = np.asarray(points_px, dtype=np.float64).reshape(-1, 2)
    if axes_px is not None:
        points = points[0] + _disc_samples() * np.array(axes_px) @ _rotation(angle_rad)
    if layer.empty:
        return 0.0
    at = np.floor(points).astype(int) - np.array([layer.bbox.left, layer.bbox.top])
    rows, columns = layer.alpha.shape
    inside = (at[:, 0] >= 0) & (at[:, 1] >= 0) & (at[:, 0] < columns) & (at[:, 1] < rows)
    if not inside.any():
        return 0.0
    return float(layer.alpha[at[inside, 1], at[inside, 0]].sum() / len(points))


def _disc_samples() -> Vector:
    """(97, 2) points evenly over the unit disc (sunflower)."""
    k = np.arange(97)
    radius, turn = np.sqrt((k + 0.5) / 97), k * 2.399963
    return np.column_stack([radius * np.cos(turn), radius * np.sin(turn)])


def _rotation(angle_rad: float) -> Vector:
    cos, sin = np.cos(angle_rad), np.sin(angle_rad)
    return np.array([[cos, sin], [-sin, cos]])


def _picture_box(view: View, image_size: tuple[int, int]) -> BoundingBox:
    """The picture's box that holds the canvas."""
    inverse = cv2.invertAffineTransform(view.to_canvas)
    w, h = view.width, view.height
    corners = np.array([[0, 0], [w, 0], [0, h], [w, h]], dtype=np.float64)
    placed = corners @ inverse[:, :2].T + inverse[:, 2]
    low, high = placed.min(axis=0), placed.max(axis=0)
    left, top = (int(np.clip(v, 0, s)) for v, s in zip(low, image_size, strict=True))
    right, bottom = (int(np.clip(v + 1, 0, s)) for v, s in zip(high, image_size, strict=True))
    return BoundingBox(left, top, right, bottom)


def _union(a: BoundingBox, b: BoundingBox) -> BoundingBox:
    boxes = [box for box in (a, b) if box.right > box.left and box.bottom > box.top]
    if not boxes:
        return BoundingBox(0, 0, 0, 0)
    return BoundingBox(
        min(box.left for box in boxes),
        min(box.top for box in boxes),
        max(box.right for box in boxes),
        max(box.bottom for box in boxes),
    )


def _render(
    view: View, skeleton: Skeleton, look: HandLook, lighting: Lighting, box: BoundingBox
) -> tuple[NDArray[np.uint8], FloatArray, FloatArray]:
    """Paint the canvas, light it and bring it to the picture's box."""
    shape = draw_shape(view, skeleton, look)
    flat = (view.height, view.width)
    canvas = Canvas(
        view,
        skeleton,
        look,
        shape,
        np.zeros((*flat, 3), np.float32),
        np.zeros(flat, np.float32),
        np.zeros(flat, np.float32),
    )
    paint_skin(canvas)
    paint_dress(canvas)
    colour = shade(canvas, lighting)
    alpha = np.clip(np.float32(0.5) - shape.outside, 0, 1)
    colour *= alpha[..., None] * np.float32(255)
    packed = cv2.merge([*cv2.split(colour), alpha * np.float32(255)]).astype(np.uint8)
    hand_only = (_hand_part(canvas, shape) * (alpha * np.float32(255))).astype(np.uint8)
    back = _to_box(view, box)
    size = (box.right - box.left, box.bottom - box.top)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    placed = np.asarray(cv2.warpAffine(packed, back, size, flags=flags))
    hand = np.asarray(cv2.warpAffine(hand_only, back, size, flags=flags))
    cover = placed[..., 3]
    shown = np.flatnonzero(cover)
    pixels = placed.reshape(-1, 4)[shown].astype(np.float32)
    bgr = np.zeros((cover.size, 3), np.uint8)
    bgr[shown] = np.minimum(pixels[:, :3] * (255 / pixels[:, 3:]) + np.float32(0.5), 255)
    unit = np.float32(1 / 255)
    return bgr.reshape((*cover.shape, 3)), cover * unit, np.minimum(hand, cover) * unit


def _to_box(view: View, box: BoundingBox) -> Vector:
    """(2, 3) affine map from pixels of the box to canvas pixels, pixel centres kept."""
    linear = view.to_canvas[:, :2]
    corner = np.array([box.left, box.top], dtype=np.float64)
    return np.column_stack([linear, linear @ corner + view.to_canvas[:, 2]])


def _hand_part(canvas: Canvas, shape: Shape) -> NDArray[np.bool_]:
    """Fingers, and the palm in front of the wrist; no forearm, no sleeve."""
    ends = canvas.view.place(
        np.stack([canvas.skeleton.at(np.array([0.0, f, 0.0])) for f in (-8.0, 60.0)])
    )
    axis = ends[1] - ends[0]
    xs = np.arange(canvas.view.width)[None, :] - ends[0][0]
    ys = np.arange(canvas.view.height)[:, None] - ends[0][1]
    front = xs * axis[0] + ys * axis[1] > 0
    fingers = (shape.owner >= 1) & (shape.owner <= 5)
    return np.asarray(fingers | ((shape.owner == 0) & front))
