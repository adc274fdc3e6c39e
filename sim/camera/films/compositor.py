"""Frames that differ little from each other: only what moves is drawn anew.

The picture of the resting discs is kept, with its account of who hides whom; discs under way and
hands are drawn over it, and only the parts that changed go through the lens again. A frame looks
as ``render`` would draw it, but for shadows of moving discs on each other.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from sim.camera.arrays import Array, lut_linear
from sim.camera.cast import Body
from sim.camera.disc_layer import DiscLayer, bodies_of
from sim.camera.films.darkroom import Darkroom
from sim.camera.hands_types import HandLayer
from sim.camera.lighting import disc_shade
from sim.camera.outline import outer_half_mm
from sim.camera.render import Stage, corners_px, prepare
from sim.camera.scene import DiscState, Scene
from sim.camera.shadows import shadow_window
from sim.camera.truth import Cover, DiscTruth, Truth, disc_truth, pockets_truth
from sim.camera.window import Window

__all__ = ["Compositor", "Shot"]

_SHADELESS = (DiscState.IN_POCKET, DiscState.ON_FRAME, DiscState.OFF_BOARD)


@dataclass(frozen=True, slots=True)
class Shot:
    """A composed frame; ``truth`` and ``hand_masks`` only if asked for."""

    image_bgr: Array
    truth: Truth | None
    hand_masks: tuple[Array, ...] = ()


@dataclass(frozen=True, slots=True)
class _Base:
    """The stage with its resting discs: picture, account, and the picture behind the lens."""

    key: tuple[object, ...]
    stage: Stage
    picture: Array
    layer: DiscLayer
    bodies: list[Body]
    truths: dict[int, DiscTruth]
    code: Array


class Compositor:
    """Draws the frames of one film. Not for several threads."""

    def __init__(self) -> None:
        self._stage: Stage | None = None
        self._base: _Base | None = None
        self._work: Array | None = None
        self._dirty: list[Window] = []
        self._darkroom: Darkroom | None = None

    def shoot(
        self,
        scene: Scene,
        *,
        still: Collection[int],
        hands: Sequence[HandLayer] = (),
        level: float = 1.0,
        t_s: float = 0.0,
        want_truth: bool = True,
    ) -> Shot:
        """A frame of ``scene``; discs with an index in ``still`` rest before and after it.

        ``level``: of the automatic exposure, 1 = as the sensor says.
        """
        base = self._base_for(scene, still)
        assert self._darkroom is not None
        picture = self._clean(base)
        moving = [k for k in range(len(scene.discs)) if k not in still]
        dirty: list[Window] = []
        layer = base.layer
        if moving or want_truth:
            bodies = list(base.bodies)
            for k, body in zip(moving, self._bodies(scene, moving), strict=True):
                bodies[k] = body
            light = self._light(base.stage, hands) if moving else base.stage.light
            layer = base.layer.fork(scene, picture, light, bodies)
            dirty += _shade(picture, base.stage, scene, layer, moving, bodies)
        dirty += [_shadowed(picture, hand) for hand in hands]
        if moving:
            layer.draw_these(moving)
            dirty += [layer.window(k) for k in moving if not layer.window(k).empty]
        for hand in hands:
            _lay_hand(picture, hand)
            if want_truth:
                layer.hide_under(hand.alpha, Cover.HAND, _window(hand))
        self._dirty = dirty
        code = self._darkroom.expose(base.code, picture, dirty)
        image = self._darkroom.finish(code, scene.sensor, level=level, t_s=t_s)
        if not want_truth:
            return Shot(image, None)
        masks = tuple(_mask(hand, picture.shape[:2]) for hand in hands)
        return Shot(image, self._truth(scene, base, layer, moving, hands), masks)

    def _bodies(self, scene: Scene, which: Sequence[int]) -> list[Body]:
        return bodies_of(replace(scene, discs=tuple(scene.discs[k] for k in which), hands=()))

    def _light(self, stage: Stage, hands: Sequence[HandLayer]) -> Array:
        """Light on discs, the hands' shadows taken out."""
        if not hands:
            return stage.light
        light = stage.light.copy()
        for hand in hands:
            _shadowed(light, hand)
        return light

    def _stage_for(self, scene: Scene) -> Stage:
        stage = self._stage
        if stage is None or (stage.scene.camera, stage.scene.light) != (scene.camera, scene.light):
            stage = prepare(replace(scene, discs=(), hands=()))
            self._stage = stage
            self._darkroom = Darkroom(scene.sensor, stage.view.shape)
        return stage

    def _base_for(self, scene: Scene, still: Collection[int]) -> _Base:
        stage = self._stage_for(scene)
        resting = tuple((k, scene.discs[k]) for k in sorted(still))
        key: tuple[object, ...] = (id(stage), len(scene.discs), resting)
        if self._base is not None and self._base.key == key:
            return self._base
        assert self._darkroom is not None
        quiet = replace(scene, hands=())
        bodies = bodies_of(quiet)
        picture = stage.picture.copy()
        layer = DiscLayer(quiet, stage, picture, stage.light, bodies)
        _shade(picture, stage, quiet, layer, sorted(still), bodies, together=True)
        layer.draw_these(still)
        truths = {k: disc_truth(quiet, k, bodies[k], visible=1.0, hidden=()) for k, _ in resting}
        code = self._darkroom.expose_all(picture)
        self._work, self._dirty = None, []
        self._base = _Base(key, stage, picture, layer, bodies, truths, code)
        return self._base

    def _clean(self, base: _Base) -> Array:
        """A copy of the base's picture; only what the last frame changed is copied again."""
        if self._work is None:
            self._work = base.picture.copy()
        for window in self._dirty:
            self._work[window.slices] = base.picture[window.slices]
        self._dirty = []
        return self._work

    def _truth(
        self, scene: Scene, base: _Base, layer: DiscLayer, moving: Sequence[int],
        hands: Sequence[HandLayer],
    ) -> Truth:  # fmt: skip
        seen = layer.visibility()
        discs = []
        for k in range(len(scene.discs)):
            visible, hidden = seen[k]
            if k in moving:
                truth = disc_truth(scene, k, layer.bodies[k], visible=visible, hidden=hidden)
            else:
                truth = replace(base.truths[k], visible=visible, hidden=hidden)
            discs.append(truth)
        frame_mm = scene.board.frame.height_mm.value
        boxes = [hand.bbox for hand in hands if not hand.empty]
        return Truth(
            width_px=scene.camera.width_px,
            height_px=scene.camera.height_px,
            corners_px=corners_px(scene, scene.board.half_mm, 0.0),
            frame_px=corners_px(scene, outer_half_mm(scene.board), frame_mm),
            pockets=pockets_truth(scene),
            discs=tuple(discs),
            hand_boxes_px=tuple((box.left, box.top, box.right, box.bottom) for box in boxes),
            seed=scene.seed,
        )


def _shade(
    picture: Array, stage: Stage, scene: Scene, layer: DiscLayer, which: Sequence[int],
    bodies: list[Body], *, together: bool = False,
) -> list[Window]:  # fmt: skip
    """Shadows of some discs on what lies level and is no disc, in place; where."""
    board = cv2.max(stage.surface, stage.frame) if together else None
    done = []
    heights = {
        DiscState.ON_FRAME: scene.board.frame.height_mm.value,
        DiscState.OFF_BOARD: -scene.table.drop_mm,
    }
    groups: dict[DiscState, list[int]] = {}
    for k in which:
        state = scene.discs[k].state
        if state is not DiscState.IN_POCKET:
            same = DiscState.FLAT if state not in _SHADELESS else state
            groups.setdefault(same, []).append(k)
    for state, group in groups.items():
        z_mm = heights.get(state, 0.0)
        for part in [group] if together else [[k] for k in group]:
            members = [bodies[k] for k in part]
            window = shadow_window(stage.view, members, scene.light.lamps, z_mm)
            if window.empty:
                continue
            shade = disc_shade(stage.view, scene, members, z_mm, window)
            free = layer.free_of_discs(window)
            if state is DiscState.OFF_BOARD:
                solid = board if board is not None else cv2.max(stage.surface, stage.frame)
                free = free & (solid[window.slices] < 128)
            elif state is DiscState.ON_FRAME:
                free = free & (stage.frame[window.slices] > 127)
            shade[~free] = 1.0
            picture[window.slices] *= shade
            done.append(window)
    return done


def _window(hand: HandLayer) -> Window:
    return Window(hand.bbox.left, hand.bbox.top, hand.bbox.right, hand.bbox.bottom)


def _shadowed(picture: Array, hand: HandLayer) -> Window:
    """Take a hand's shadow out, in place; where."""
    window = _window(hand)
    kept = 1.0 - hand.shadow
    part = np.ascontiguousarray(picture[window.slices])
    picture[window.slices] = cv2.multiply(part, cv2.merge([kept, kept, kept]))
    return window


def _lay_hand(picture: Array, hand: HandLayer) -> None:
    rows = _window(hand).slices
    colour = cv2.LUT(np.ascontiguousarray(hand.bgr), lut_linear())
    picture[rows] += (colour - picture[rows]) * hand.alpha[..., None]


def _mask(hand: HandLayer, shape: tuple[int, ...]) -> Array:
    mask: Array = np.zeros(shape, dtype=np.uint8)
    mask[_window(hand).slices] = (hand.hand * 255).astype(np.uint8)
    return mask
