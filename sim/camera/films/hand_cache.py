"""Hands of a film: kept while they hold still, shifted between two drawings while they travel."""

from dataclasses import replace

import numpy as np

from sim.camera.films.hand_blur import smeared
from sim.camera.films.moves import HandTrack
from sim.camera.films.studio import Studio
from sim.camera.films.timeline import FilmHand, Timeline
from sim.camera.hands import render_hand
from sim.camera.hands_types import BoundingBox, Fingers, HandLayer, HandPose, Vector
from sim.camera.scene import Scene
from sim.camera.scene_hands import hand_lighting

__all__ = ["HandCache"]

_GRID_S = 1 / 12
_BENT_RAD = 0.05
_FAR_MM = 90.0


class HandCache:
    """Draws each hand anew only when its fingers or its place have changed enough."""

    def __init__(self, studio: Studio, timeline: Timeline) -> None:
        self._studio, self._timeline = studio, timeline
        self._kept: dict[int, tuple[object, HandPose, HandLayer]] = {}

    def layers(self, scene: Scene, t_s: float, hands: tuple[FilmHand, ...]) -> list[HandLayer]:
        """The layers of the hands at a moment, empty ones left out."""
        room = (scene.camera, scene.light)
        drawn = [self._layer(scene, room, t_s, hand) for hand in hands]
        return [layer for layer in drawn if not layer.empty]

    def _layer(self, scene: Scene, room: object, t_s: float, hand: FilmHand) -> HandLayer:
        key = self._near_pose(t_s, hand)
        kept = self._kept.get(hand.who)
        if kept is None or kept[0] != room or kept[1] != key:
            size = (scene.camera.width_px, scene.camera.height_px)
            look = self._studio.looks[hand.who]
            layer = render_hand(look, key, scene.camera, size, hand_lighting(scene))
            self._kept[hand.who] = (room, key, layer)
        else:
            layer = kept[2]
        if layer.empty:
            return layer
        size = (scene.camera.width_px, scene.camera.height_px)
        if key != hand.pose:
            here = scene.camera.project(np.array([hand.pose.anchor_mm, key.anchor_mm]))
            layer = _moved(layer, here[0] - here[1], size)
        return smeared(layer, self._way_px(scene, t_s, hand), size)

    def _way_px(self, scene: Scene, t_s: float, hand: FilmHand) -> Vector:
        """(2,) px: how far the hand's contact moves while the shutter is open."""
        half = scene.sensor.shutter_s / 2
        track = self._track(t_s, hand)
        a = track.at(max(t_s - half, track.t0_s))
        b = track.at(min(t_s + half, track.t1_s))
        if a is None or b is None or a.contact != b.contact:
            return np.zeros(2)
        px = scene.camera.project(np.array([a.anchor_mm, b.anchor_mm]))
        way: Vector = px[1] - px[0]
        return way

    def _track(self, t_s: float, hand: FilmHand) -> HandTrack:
        return next(
            track
            for track in self._timeline.hands
            if track.who == hand.who and track.t0_s <= t_s <= track.t1_s
        )

    def _near_pose(self, t_s: float, hand: FilmHand) -> HandPose:
        """The pose of the nearest grid time if the hand only travels in between, else its own."""
        grid = round(t_s / _GRID_S) * _GRID_S
        near = self._track(t_s, hand).at(grid)
        if near is not None and _alike(near, hand.pose):
            return near
        return hand.pose


def _alike(a: HandPose, b: HandPose) -> bool:
    gap = np.subtract(a.anchor_mm, b.anchor_mm)
    turned = abs(a.yaw_rad - b.yaw_rad) + abs(a.arm_from_rad - b.arm_from_rad)
    return (
        float(np.hypot(*gap[:2])) < _FAR_MM
        and abs(float(gap[2])) < 12.0
        and turned < 0.08
        and a.contact == b.contact
        and _bend(a.fingers, b.fingers) < _BENT_RAD
        and abs(a.thumb_hold - b.thumb_hold) < 0.05
        and abs(a.grip_mm - b.grip_mm) < 2.0
    )


def _bend(a: Fingers, b: Fingers) -> float:
    return float(np.abs(np.subtract(a, b)).max())


def _moved(layer: HandLayer, way_px: Vector, size: tuple[int, int]) -> HandLayer:
    """The layer elsewhere, to whole pixels, cut at the edges of the picture."""
    dx, dy = (int(v) for v in np.round(way_px))
    if not (dx or dy):
        return layer
    box = layer.bbox
    left, top = max(0, box.left + dx), max(0, box.top + dy)
    right, bottom = min(size[0], box.right + dx), min(size[1], box.bottom + dy)
    new = BoundingBox(left, top, max(left, right), max(top, bottom))
    rows = slice(new.top - box.top - dy, new.bottom - box.top - dy)
    columns = slice(new.left - box.left - dx, new.right - box.left - dx)
    cut = rows, columns
    return replace(
        layer, bgr=layer.bgr[cut], alpha=layer.alpha[cut], hand=layer.hand[cut],
        shadow=layer.shadow[cut], bbox=new, tips_px=layer.tips_px + np.array([dx, dy]),
    )  # fmt: skip
