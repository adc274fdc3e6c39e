"""All discs of a scene drawn in the right order, with an account of who hides whom."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import cv2
import numpy as np

from sim.camera.arrays import Array
from sim.camera.cast import Body, Cast, cast, window_of
from sim.camera.disc_paint import body_light, paint
from sim.camera.scene import DiscState, Scene, SceneDisc
from sim.camera.truth import Cover, Hidden
from sim.camera.view import View
from sim.camera.window import Window

if TYPE_CHECKING:
    from sim.camera.render import Stage

__all__ = ["DiscLayer", "bodies_of", "full_area_px"]

_LEAST_SHARE = 0.002


def bodies_of(scene: Scene) -> list[Body]:
    """Where the discs are while their own rows are read."""
    return [_body(scene, disc) for disc in scene.discs]


def _body(scene: Scene, disc: SceneDisc) -> Body:
    place = (disc.x_mm, disc.y_mm, disc.z_mm)
    radius, thick = scene.radius_mm(disc), scene.thickness_mm(disc)
    vx, vy = disc.velocity_mm_s
    if scene.sensor.readout_s > 0 and (vx or vy):
        row = float(scene.camera.mm_to_px(np.array(place))[1])
        late = (row / scene.camera.height_px - 0.5) * scene.sensor.readout_s
        place = (disc.x_mm + vx * late, disc.y_mm + vy * late, disc.z_mm)
    return Body.lying(
        place,
        radius,
        thick,
        lean_rad=disc.lean_rad,
        towards_rad=disc.lean_towards_rad,
        spin_rad=disc.spin_rad,
    )


def full_area_px(view: View, body: Body) -> float:
    """Area of the whole outline, px, the part beyond the picture included."""
    points = view.camera.mm_to_px(np.concatenate([body.rim(0.0, 96), body.rim(1.0, 96)]))
    if not np.isfinite(points).all():
        return 0.0
    return float(cv2.contourArea(cv2.convexHull(points.astype(np.float32))))


class DiscLayer:
    """Draws on ``picture`` in place and remembers what each disc shows."""

    def __init__(
        self, scene: Scene, stage: Stage, picture: Array, light: Array, bodies: list[Body]
    ) -> None:
        self._scene, self._stage = scene, stage
        self._picture, self._light, self._bodies = picture, light, bodies
        self._view: View = stage.view
        count = len(bodies)
        self._owner = np.full(self._view.shape, -1, dtype=np.int16)
        self._depth = np.full(self._view.shape, np.inf, dtype=np.float32)
        self._windows: list[Window] = [Window(0, 0, 0, 0)] * count
        self._shown: list[Array | None] = [None] * count
        self._lost: list[dict[tuple[Cover, int | None], float]] = [{} for _ in range(count)]

    def fork(self, scene: Scene, picture: Array, light: Array, bodies: list[Body]) -> DiscLayer:
        """The same discs drawn, on another picture, with others still to come; a copy."""
        out = DiscLayer(scene, self._stage, picture, light, bodies)
        out._owner, out._depth = self._owner.copy(), self._depth.copy()
        out._windows = list(self._windows)
        out._shown = [None if shown is None else shown.copy() for shown in self._shown]
        out._lost = [dict(lost) for lost in self._lost]
        return out

    @property
    def bodies(self) -> Sequence[Body]:
        """Where the discs are, in the scene's order."""
        return self._bodies

    def draw(self) -> None:
        """Draw all discs, the lowest and farthest first."""
        self.draw_these(range(len(self._bodies)))

    def draw_these(self, which: Collection[int]) -> None:
        """Draw some of the discs, the lowest and farthest first."""
        eye = np.array(self._scene.camera.position_mm)

        def order(k: int) -> tuple[float, float]:
            body = self._bodies[k]
            return round(float(body.foot_mm[2]), 1), -float(np.linalg.norm(eye - body.foot_mm))

        for k in sorted(which, key=order):
            self._draw(k)

    def free_of_discs(self, window: Window) -> Array:
        """(h, w) bool: where no disc has been drawn."""
        free: Array = self._owner[window.slices] < 0
        return free

    def window(self, k: int) -> Window:
        """Where a disc was drawn."""
        return self._windows[k]

    def _draw(self, k: int) -> None:
        disc, body, view = self._scene.discs[k], self._bodies[k], self._view
        vx, vy = disc.velocity_mm_s
        smear = self._smear_px(k)
        window = window_of(view, body, 2.0 + float(np.abs(smear).max()))
        if window.empty:
            return
        self._windows[k] = window
        seen = cast(view, body, window, self._row_shift(window, body, vx, vy))
        look = self._scene.look_of(disc.kind)
        light = self._light[window.slices]
        if disc.state is DiscState.IN_POCKET:
            light = light * np.float32(0.38)
        colour = paint(seen, body, look, body_light(self._scene, body), light, disc.seed)
        cover = seen.cover
        if np.abs(smear).max() > 0.7:
            colour, cover = _smeared(colour, cover, smear)
        cover = self._hide_behind(k, seen, cover)
        target = self._picture[window.slices]
        target += (colour - target) * (cover * np.float32(look.alpha))[..., None]

    def _smear_px(self, k: int) -> Array:
        """(2,) px: the way a disc moves while the shutter is open."""
        disc, shutter = self._scene.discs[k], self._scene.sensor.shutter_s
        vx, vy = disc.velocity_mm_s
        if shutter <= 0 or not (vx or vy):
            return np.zeros(2)
        here = np.array([disc.x_mm, disc.y_mm])
        way = np.array([vx, vy]) * shutter
        ends = self._view.camera.board_to_px(np.stack([here - way / 2, here + way / 2]))
        out: Array = np.clip(np.nan_to_num(ends[1] - ends[0]), -400, 400)
        return out

    def _row_shift(self, window: Window, body: Body, vx: float, vy: float) -> Array | None:
        """(h, 3) mm: how far the disc has moved when a row is read."""
        readout = self._scene.sensor.readout_s
        if readout <= 0 or not (vx or vy):
            return None
        middle = float(self._view.camera.mm_to_px(body.foot_mm)[1])
        rows = np.arange(window.top, window.bottom)
        late = (rows - middle) / self._view.height_px * readout
        out: Array = late[:, None] * np.array([[vx, vy, 0.0]])
        return out

    def _hide_behind(self, k: int, seen: Cast, cover: Array) -> Array:
        """What is left of a disc behind nearer discs, frame and pocket; keeps the account."""
        rows = self._windows[k].slices
        state = self._scene.discs[k].state
        if state is DiscState.IN_POCKET:
            hole = self._stage.holes[rows]
            self._take(k, Cover.SURFACE, None, cover * (1 - hole))
            cover = cover * hole
        near = self._stage.near
        if near is not None and state not in (DiscState.ON_FRAME, DiscState.OFF_BOARD):
            bar = near[rows].astype(np.float32) / 255.0
            self._take(k, Cover.FRAME, None, cover * bar)
            cover = cover * (1 - bar)
        owner, depth = self._owner[rows], self._depth[rows]
        behind = (depth < seen.depth_mm) & (owner >= 0)
        if behind.any():
            for other in np.unique(owner[behind]):
                self._take(k, Cover.DISC, int(other), cover * (behind & (owner == other)))
            cover = np.where(behind, np.float32(0), cover)
        self._cover_earlier(k, cover)
        solid = cover > 0.5
        owner[solid] = k
        depth[solid] = seen.depth_mm[solid]
        self._shown[k] = cover
        return cover

    def _cover_earlier(self, k: int, cover: Array) -> None:
        """Take from the discs drawn before what this one covers."""
        mine = self._windows[k]
        for j, shown in enumerate(self._shown):
            if shown is None or j == k:
                continue
            here, there = mine.overlap(self._windows[j])
            ours, theirs = cover[here], shown[there]
            if ours.size == 0:
                continue
            # Discs that touch share edge pixels: each has its part of them.
            hidden = np.maximum(theirs + ours - 1.0, 0.0)
            if hidden.any():
                self._lose(j, Cover.DISC, k, float(hidden.sum()))
                theirs -= hidden

    def hide_under(self, cover: Array, by: Cover, window: Window) -> None:
        """Something lies over the discs drawn so far; ``cover``: 0 to 1 over a window."""
        for k, shown in enumerate(self._shown):
            if shown is None:
                continue
            mine, theirs = self._windows[k].overlap(window)
            part = cover[theirs]
            if part.any():
                covered = shown[mine]
                self._lose(k, by, None, float((covered * part).sum()))
                covered *= 1 - part

    def _take(self, k: int, by: Cover, disc: int | None, area: Array) -> None:
        self._lose(k, by, disc, float(area.sum()))

    def _lose(self, k: int, by: Cover, disc: int | None, area_px: float) -> None:
        if area_px > 0:
            lost = self._lost[k]
            lost[by, disc] = lost.get((by, disc), 0.0) + area_px

    def visibility(self) -> list[tuple[float, tuple[Hidden, ...]]]:
        """For each disc the share that is seen, and what hides the rest."""
        out: list[tuple[float, tuple[Hidden, ...]]] = []
        for k, body in enumerate(self._bodies):
            full = full_area_px(self._view, body)
            shown = self._shown[k]
            if full <= 0 or shown is None:
                out.append((0.0, (Hidden(Cover.PICTURE, 1.0),)))
                continue
            seen = float(shown.sum())
            lost = dict(self._lost[k])
            beyond = full - seen - sum(lost.values())
            if beyond > 0.01 * full:
                lost[Cover.PICTURE, None] = beyond
            hidden = tuple(
                Hidden(by, min(1.0, area / full), disc)
                for (by, disc), area in sorted(lost.items(), key=lambda item: -item[1])
                if area > _LEAST_SHARE * full
            )
            out.append((min(1.0, seen / full), hidden))
        return out


def _smeared(colour: Array, cover: Array, way_px: Array) -> tuple[Array, Array]:
    """Blur along a way of (2,) px: premultiplied, so that the edges fade out."""
    length = float(np.hypot(*way_px))
    half = int(np.ceil(length / 2)) + 1
    kernel = np.zeros((2 * half + 1, 2 * half + 1), dtype=np.uint8)
    middle = np.array([half, half])
    a = np.round((middle - way_px / 2) * 16).astype(int)
    b = np.round((middle + way_px / 2) * 16).astype(int)
    cv2.line(kernel, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), (255,), 1, cv2.LINE_AA, 4)
    weight = kernel.astype(np.float32) / max(1, int(kernel.sum()))
    layer = cv2.merge([colour * cover[..., None], cover])
    soft = cv2.filter2D(layer, -1, weight, borderType=cv2.BORDER_CONSTANT)
    blurred = soft[..., 3]
    return soft[..., :3] / np.maximum(blurred, 1e-4)[..., None], blurred
