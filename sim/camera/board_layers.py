"""Table, board and frame put together as the camera sees them: albedo, no light yet."""

from dataclasses import dataclass
from math import cos, hypot, pi, sin

import cv2
import numpy as np

from carrom.board_spec import BoardSpec
from sim.camera.arrays import Array, bgr
from sim.camera.frame_texture import frame_plane, frame_texture
from sim.camera.outline import at_height, inner_outline, outer_outline
from sim.camera.plane import Plane
from sim.camera.scene import Scene
from sim.camera.surface_texture import surface_plane, surface_texture
from sim.camera.table_texture import TILE_PX, table_texture
from sim.camera.view import View
from sim.camera.window import Window

__all__ = ["BoardLayers", "board_layers", "texture_scale"]

_SCALES = (0.5, 0.75, 1.05, 1.5, 2.0, 3.0)
"""Few steps, so that another camera over the same board finds its texture ready."""


@dataclass(frozen=True, slots=True)
class BoardLayers:
    """``albedo``: (h, w, 3) uint8 BGR; masks (h, w) uint8: ``surface`` seen, ``frame`` seen.

    ``near``: what of the frame stands between the camera and the surface (else ``None``).
    """

    albedo: Array
    surface: Array
    frame: Array
    near: Array | None


def texture_scale(view: View, half_mm: float) -> float:
    """Texture px per mm that suits the nearest corner of the board."""
    corners = [(sx * half_mm * 0.8, sy * half_mm * 0.8) for sx in (-1, 1) for sy in (-1, 1)]
    largest = max(view.camera.px_per_mm(x, y) for x, y in [*corners, (0.0, 0.0)])
    return next((scale for scale in _SCALES if scale >= 0.85 * largest), _SCALES[-1])


def board_layers(view: View, scene: Scene) -> BoardLayers:
    """Draw everything that lies still and flat."""
    board, look = scene.board, scene.board_look
    scale = texture_scale(view, board.half_mm)
    height_mm = board.frame.height_mm.value
    inner, outer = inner_outline(board), outer_outline(board, look.frame.outer_radius_mm)
    albedo = _table(view, scene)
    _walls(view, albedo, outer, height_mm, -min(scene.table.drop_mm, 45.0), scene, outside=True)
    box = view.window(np.concatenate([at_height(outer, height_mm), at_height(outer, 0.0)]), 4.0)
    surface: Array = np.zeros(view.shape, dtype=np.uint8)
    cover: Array = np.zeros(view.shape, dtype=np.uint8)
    if not box.empty:
        rows = box.slices
        surface[rows] = _surface_share(view, board, box)
        rim = surface[rows].copy()
        view.fill(rim, view.polygon(at_height(inner, height_mm), box), (255.0,))
        texture = surface_texture(board, look, scale)
        wood = view.texture(texture, surface_plane(board, scale), 0.0, window=box)
        np.copyto(albedo[rows], wood, where=(rim > 0)[..., None])
        _walls(view, albedo, inner, height_mm, 0.0, scene, outside=False)
        wood = np.concatenate([wood, surface[rows][..., None]], axis=2)
        albedo[rows] = _over(albedo[rows].copy(), wood, surface[rows])
        texture = frame_texture(board, look.frame, look.seed, scale)
        frame = view.texture(texture, frame_plane(board, scale), height_mm, window=box)
        cover[rows] = frame[..., 3]
        albedo[rows] = _over(albedo[rows].copy(), frame, frame[..., 3].copy())
        surface = cv2.subtract(surface, cover)
    near = _near(view, cover, inner, outer, height_mm, scene)
    if near is not None:
        _walls(view, albedo, outer, height_mm, -min(scene.table.drop_mm, 45.0), scene, outside=True)
    return BoardLayers(albedo, surface, cover, near)


def _surface_share(view: View, board: BoardSpec, box: Window) -> Array:
    """(rows, columns) uint8: how much of each pixel the playing surface takes, 255 = all.

    By the distance from its rounded square. OpenCV's antialiased polygons reach 0.7 px beyond
    their outline: drawn last, this is what puts the visible edge where the truth says it is.
    """
    radius = board.corner_radius_mm
    spots = view.spread(view.coarse_plane(0.0), box)
    beyond = np.abs(spots) - np.float32(board.half_mm - radius)
    outside = cv2.magnitude(np.maximum(beyond[..., 0], 0), np.maximum(beyond[..., 1], 0))
    distance_mm = outside + np.minimum(beyond.max(axis=-1), 0) - np.float32(radius)
    share = 0.5 - distance_mm * np.float32(view.camera.px_per_mm())
    out: Array = (np.clip(share, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8)
    return out


def _over(under: Array, top: Array, cover: Array) -> Array:
    """A partly transparent layer over another."""
    out = under
    cv2.copyTo(cv2.cvtColor(top, cv2.COLOR_BGRA2BGR), cv2.inRange(cover, (255,), (255,)), out)
    edge = np.flatnonzero(cv2.inRange(cover, (1,), (254,)))
    share = cover.ravel()[edge][:, None].astype(np.float32) / 255.0
    flat = out.reshape(-1, 3)
    mixed = flat[edge].astype(np.float32)
    flat[edge] = (mixed + (top.reshape(-1, 4)[edge, :3] - mixed) * share).astype(np.uint8)
    return out


def _table(view: View, scene: Scene) -> Array:
    table = scene.table
    repeat_mm = table.pattern_mm * 12
    texture = table_texture(table)
    half_mm = repeat_mm / 2
    plane = Plane(half_mm, TILE_PX / repeat_mm)
    seen_scale = view.camera.px_per_mm()
    if plane.px_per_mm > 1.8 * seen_scale:
        factor = max(1, int(plane.px_per_mm / seen_scale))
        size = TILE_PX // factor
        texture = cv2.resize(texture, (size, size), interpolation=cv2.INTER_AREA)
        plane = Plane(half_mm, size / repeat_mm)
    return view.texture(texture, plane, -table.drop_mm, wrap=True)


def _walls(
    view: View,
    albedo: Array,
    outline: Array,
    top_mm: float,
    foot_mm: float,
    scene: Scene,
    *,
    outside: bool,
) -> None:
    """The upright sides of the frame that face the camera."""
    look, eye = scene.board_look.frame, scene.camera.position_mm
    upper = view.polygon(at_height(outline, top_mm))
    lower = view.polygon(at_height(outline, foot_mm))
    count = len(outline)
    for k in range(count):
        a, b = outline[k], outline[(k + 1) % count]
        along = b - a
        length = hypot(*along)
        if length < 1e-6:
            continue
        normal = np.array([along[1], -along[0]]) / length * (1 if outside else -1)
        if (eye[0] - a[0]) * normal[0] + (eye[1] - a[1]) * normal[1] <= 0:
            continue
        level = _wall_level(scene, normal) * (0.8 if outside else 0.9)
        colour = bgr(look.colour, level)
        if not outside:
            warm = tuple(
                0.6 * c + 0.4 * w for c, w in zip(look.colour, scene.board_look.dark, strict=True)
            )
            colour = bgr(warm, level * 0.8)  # type: ignore[arg-type]
        quad = np.array([upper[k], upper[(k + 1) % count], lower[(k + 1) % count], lower[k]])
        cv2.fillConvexPoly(albedo, quad, colour, cv2.LINE_AA, 5)


def _wall_level(scene: Scene, normal: Array) -> float:
    """How bright an upright side is against a level one, 0.35 to 1.15."""
    level = 0.5 * scene.light.ambient
    for lamp in scene.light.lamps:
        x, y, z = lamp.position_mm
        facing = (x * normal[0] + y * normal[1]) / max(z, 1.0)
        level += lamp.share * min(1.3, max(0.0, facing))
    return float(min(1.15, 0.35 + level) ** 0.6)


def _near(
    view: View, cover: Array, inner: Array, outer: Array, height_mm: float, scene: Scene
) -> Array | None:
    """The bars beyond whose inner side the camera stands: they may hide discs."""
    half, (x, y, _) = scene.board.half_mm, scene.camera.position_mm
    sides = [(x > half, 0.0), (y > half, pi / 2), (x < -half, pi), (y < -half, -pi / 2)]
    if not any(beyond for beyond, _ in sides):
        return None
    mask = np.zeros(view.shape, dtype=np.uint8)
    far = half * 1.4
    for beyond, angle in sides:
        if beyond:
            c, s = cos(angle), sin(angle)
            local = np.array([[0.0, 0.0], [far, -far], [far, far]])
            wedge = local @ np.array([[c, s], [-s, c]])
            view.fill(mask, view.polygon(at_height(wedge, height_mm)), (255.0,))
    return cv2.min(mask, cover)
