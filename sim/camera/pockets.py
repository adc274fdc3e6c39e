"""Pockets: a hole, its wall, and the net under it with what lies there."""

import cv2
import numpy as np

from carrom.seats import Pocket
from sim.camera.arrays import Array, linear
from sim.camera.cast import Body, window_of
from sim.camera.looks import NetLook, NetStyle
from sim.camera.noise import cut, fractal_tile
from sim.camera.scene import Scene
from sim.camera.view import View
from sim.camera.window import Window

__all__ = ["draw_pockets", "pocket_body"]


def pocket_body(scene: Scene, pocket: Pocket) -> Body:
    """The hole as a body from the net up to the surface."""
    x_mm, y_mm = scene.board.pocket_centres[pocket]
    depth = scene.board_look.nets.depth_mm
    return Body.lying((x_mm, y_mm, -depth), scene.board.pocket_radius_mm, depth)


def draw_pockets(view: View, scene: Scene, picture: Array, light: Array, surface: Array) -> Array:
    """Draw all pockets on a linear picture, in place; (h, w) float32 of how much is hole.

    ``surface``: (h, w) uint8, where the playing surface is seen.
    """
    holes = np.zeros(view.shape, dtype=np.float32)
    for pocket in Pocket:
        body = pocket_body(scene, pocket)
        window = window_of(view, body)
        if not window.empty:
            _draw(view, scene, body, window, picture, light, surface, holes)
    return holes


def _draw(
    view: View,
    scene: Scene,
    body: Body,
    window: Window,
    picture: Array,
    light: Array,
    surface: Array,
    holes: Array,
) -> None:
    look = scene.board_look.nets
    rows = window.slices
    eye = np.array(view.camera.position_mm)
    matrix = view.camera.axes.T.astype(np.float32)
    rays = view.rays[rows]
    d = [m[0] * rays[..., 0] + m[1] * rays[..., 1] + m[2] for m in matrix]
    radius = np.float32(body.radius_mm)
    at = [(eye[k] - body.foot_mm[k]) + d[k] * np.float32(-eye[2]) / d[2] for k in (0, 1)]
    step = np.float32(-body.height_mm) / d[2]
    low = [(at[k] + d[k] * step).astype(np.float32) for k in (0, 1)]
    edge = radius - np.hypot(at[0], at[1])
    gy, gx = np.gradient(edge) if min(edge.shape) > 1 else (edge, edge)
    cover = np.clip(0.5 + edge / (np.hypot(gx, gy) + 1e-6), 0, 1).astype(np.float32)
    cover *= surface[rows].astype(np.float32) / 255.0
    colour = _net(look, low[0], low[1], float(radius))
    reach = np.hypot(low[0], low[1]) / radius
    hang = 0.16 + 0.5 * np.clip(1.15 - reach, 0, 1) * (0.4 if look.style is NetStyle.HOLE else 1.0)
    wall = np.clip((reach - 1.0) * 12, 0, 1)
    shade = (hang * (1 - wall) + 0.10 * wall) * np.clip(0.35 + edge / (0.5 * radius), 0.35, 1)
    wood = linear(scene.board_look.dark) * 0.5
    colour = colour * (1 - wall[..., None]) + wood * wall[..., None]
    lit = colour * shade[..., None] * light[rows] * 1.5
    window_picture = picture[rows]
    window_picture += (lit - window_picture) * cover[..., None]
    np.maximum(holes[rows], cover, out=holes[rows])


def _net(look: NetLook, x_mm: Array, y_mm: Array, radius: float) -> Array:
    """(h, w, 3) float32: colour of the net at places under the hole, linear."""
    first, second = linear(look.colour), linear(look.second)
    if look.style is NetStyle.HOLE:
        return np.broadcast_to(first * 0.3, (*x_mm.shape, 3))
    if look.style is NetStyle.CHEQUERED:
        on = (np.floor(x_mm / 7.0) + np.floor(y_mm / 7.0)) % 2
        third = (np.floor(x_mm / 14.0 + 0.5) % 3 == 0) & (on > 0)
        share = np.where(third, 0.25, on)[..., None]
        out: Array = first + (second - first) * share.astype(np.float32)
        return out
    if look.style is NetStyle.NET:
        u, v = (x_mm + y_mm) * 0.32, (x_mm - y_mm) * 0.32
        bulge = 1.0 + 0.25 * np.hypot(x_mm, y_mm) / radius
        mesh = np.maximum(np.abs(np.sin(u * bulge)), np.abs(np.sin(v * bulge))) > 0.88
        return first * np.where(mesh, 1.0, 0.22)[..., None].astype(np.float32)
    if look.style is NetStyle.PLASTIC:
        u, v = np.sin(x_mm * 1.25), np.sin(y_mm * 1.25)
        return first * np.where(u * v > 0.45, 0.25, 1.0)[..., None].astype(np.float32)
    size = x_mm.shape[1], x_mm.shape[0]
    folds = cut(fractal_tile(1.2, 3.0, 6), size, scale=8.0, offset_px=(radius * 7, size[0]))
    share = np.clip(folds.astype(np.float32) / 128.0 - 0.6, 0, 1)[..., None]
    mixed: Array = cv2.GaussianBlur(share, (0, 0), 0.7)[..., None]
    return first * 0.5 + (second * 0.6 + first * 0.4 - first * 0.5) * mixed
