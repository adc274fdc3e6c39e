"""A scene becomes a picture with its truth."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from sim.camera.arrays import Array, lut_linear
from sim.camera.board_layers import board_layers
from sim.camera.cast import Body
from sim.camera.develop import develop
from sim.camera.disc_layer import DiscLayer, bodies_of
from sim.camera.hands_types import HandLayer
from sim.camera.lighting import disc_shade, glare, static_light
from sim.camera.outline import outer_half_mm
from sim.camera.pockets import draw_pockets
from sim.camera.props import Board, draw_props
from sim.camera.scene import DiscState, Scene
from sim.camera.scene_hands import hand_layers
from sim.camera.shadows import shadow_window
from sim.camera.truth import Cover, Truth, disc_truth, pockets_truth
from sim.camera.view import View, view_of
from sim.camera.window import Window

__all__ = ["Picture", "Stage", "corners_px", "prepare", "render"]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture and what is true of it.

    ``image_bgr``: (h, w, 3) uint8. ``hand_masks``: of each hand (h, w) uint8, 255 = hand.
    """

    image_bgr: Array
    truth: Truth
    hand_masks: tuple[Array, ...] = ()


@dataclass(frozen=True, slots=True)
class Stage:
    """What of a scene does not move: shared between the frames of a film; do not write.

    ``picture``: (h, w, 3) float32 linear light without discs and hands; ``light``: the same shape,
    light on what lies level; ``gloss``: mirror images of the lamps; ``near``, ``frame``: (h, w)
    uint8; ``holes``: (h, w) float32.
    """

    scene: Scene
    view: View
    picture: Array
    light: Array
    near: Array | None
    frame: Array
    holes: Array
    surface: Array


def prepare(scene: Scene) -> Stage:
    """Draw table, board, pockets and props, lit, without discs."""
    view = view_of(scene.camera)
    layers = board_layers(view, scene)
    light = static_light(view, scene)
    picture = cv2.LUT(layers.albedo, lut_linear())
    picture = cv2.multiply(picture, light, dst=picture)
    look = scene.board_look
    if max(look.gloss, look.frame.gloss) > 0:
        shine = glare(view, scene, rough=look.roughness)
        if shine is not None:
            gloss = np.zeros(view.shape, dtype=np.float32)
            cv2.scaleAdd(layers.surface.astype(np.float32), look.gloss / 255.0, gloss, dst=gloss)
            cv2.scaleAdd(
                layers.frame.astype(np.float32), look.frame.gloss / 255.0, gloss, dst=gloss
            )
            picture = cv2.add(picture, cv2.multiply(shine, cv2.merge([gloss, gloss, gloss])))
    holes = draw_pockets(view, scene, picture, light, layers.surface)
    covered = np.zeros(view.shape, dtype=np.float32)
    keep_out = cv2.max(layers.surface, layers.frame)
    draw_props(view, scene, Board(picture, light, covered, keep_out), above=False)
    near, frame, surface = layers.near, layers.frame, layers.surface
    return Stage(scene, view, picture, light, near, frame, holes, surface)


def render(
    scene: Scene,
    *,
    stage: Stage | None = None,
    hands: Sequence[HandLayer] | None = None,
    t_s: float = 0.0,
) -> Picture:
    """The picture of a scene.

    ``stage``: of a scene that differs at most in its discs and sensor (``prepare``). ``hands``:
    layers to draw instead of the scene's own hands. ``t_s``: for flickering lamps.
    """
    ready = prepare(scene) if stage is None else stage
    layers = [layer for layer in hand_layers(scene) if not layer.empty] if hands is None else hands
    view, bodies = ready.view, bodies_of(scene)
    picture = ready.picture if stage is None else ready.picture.copy()
    _shade_planes(picture, ready, scene, bodies)
    light = ready.light
    for layer in layers:
        light = _shaded(picture, light, layer, fresh=light is ready.light)
    discs = DiscLayer(scene, ready, picture, light, bodies)
    discs.draw()
    over = np.zeros(view.shape, dtype=np.float32)
    draw_props(view, scene, Board(picture, light, over), above=True)
    if over.any():
        discs.hide_under(over, Cover.PROP, Window(0, 0, view.width_px, view.height_px))
    masks = tuple(_draw_hand(picture, layer, discs) for layer in layers if not layer.empty)
    truth = _truth(scene, bodies, discs, layers)
    return Picture(develop(picture, scene.sensor, t_s=t_s), truth, masks)


def _truth(
    scene: Scene, bodies: Sequence[Body], discs: DiscLayer, layers: Sequence[HandLayer]
) -> Truth:
    """What is true of a picture that has been drawn."""
    visibility = discs.visibility()
    return Truth(
        width_px=scene.camera.width_px,
        height_px=scene.camera.height_px,
        corners_px=corners_px(scene, scene.board.half_mm, 0.0),
        frame_px=corners_px(scene, outer_half_mm(scene.board), scene.board.frame.height_mm.value),
        pockets=pockets_truth(scene),
        discs=tuple(
            disc_truth(scene, k, body, visible=visibility[k][0], hidden=visibility[k][1])
            for k, body in enumerate(bodies)
        ),
        hand_boxes_px=tuple(_box(layer) for layer in layers if not layer.empty),
        seed=scene.seed,
    )


def _shade_planes(picture: Array, stage: Stage, scene: Scene, bodies: Sequence[Body]) -> None:
    """Shadows of the discs on the surface, on the frame and on the table, in place."""
    view = stage.view
    groups: dict[DiscState, list[Body]] = {state: [] for state in DiscState}
    for body, disc in zip(bodies, scene.discs, strict=True):
        groups[disc.state].append(body)
    board = cv2.max(stage.surface, stage.frame)
    others = (DiscState.IN_POCKET, DiscState.ON_FRAME, DiscState.OFF_BOARD)
    low = [body for state, group in groups.items() if state not in others for body in group]
    planes = (
        (low, 0.0, None),
        (groups[DiscState.ON_FRAME], scene.board.frame.height_mm.value, stage.frame),
        (groups[DiscState.OFF_BOARD], -scene.table.drop_mm, 255 - board),
    )
    for group, z_mm, region in planes:
        if not group:
            continue
        window = shadow_window(view, group, scene.light.lamps, z_mm)
        if window.empty:
            continue
        shade = disc_shade(view, scene, group, z_mm, window)
        if region is not None:
            seen = region[window.slices].astype(np.float32)[..., None] / 255.0
            shade = 1.0 - (1.0 - shade) * seen
        picture[window.slices] *= shade


def _shaded(picture: Array, light: Array, layer: HandLayer, *, fresh: bool) -> Array:
    """Take a hand's shadow from the picture (in place) and from the light (a copy at first)."""
    if layer.empty:
        return light
    out = light.copy() if fresh else light
    box = layer.bbox
    rows = slice(box.top, box.bottom), slice(box.left, box.right)
    kept = (1.0 - layer.shadow)[..., None]
    picture[rows] *= kept
    out[rows] *= kept
    return out


def _draw_hand(picture: Array, layer: HandLayer, discs: DiscLayer) -> Array:
    """Lay a hand over the picture, in place; its mask."""
    box = layer.bbox
    rows = slice(box.top, box.bottom), slice(box.left, box.right)
    colour = cv2.LUT(np.ascontiguousarray(layer.bgr), lut_linear())
    picture[rows] += (colour - picture[rows]) * layer.alpha[..., None]
    discs.hide_under(layer.alpha, Cover.HAND, Window(box.left, box.top, box.right, box.bottom))
    mask = np.zeros(picture.shape[:2], dtype=np.uint8)
    mask[rows] = (layer.hand * 255).astype(np.uint8)
    return mask


def _box(layer: HandLayer) -> tuple[int, int, int, int]:
    """Left, top, right, bottom."""
    box = layer.bbox
    return box.left, box.top, box.right, box.bottom


def corners_px(scene: Scene, half_mm: float, z_mm: float) -> tuple[tuple[float, float], ...]:
    """Corners NW NE SE SW of a square about the board's centre, px; heights in mm."""
    square = half_mm * np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])
    return tuple((float(x), float(y)) for x, y in scene.camera.board_to_px(square, z_mm))
