"""Things around the board: cups, bottles, phones, paper, knees, feet, cables."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from sim.camera.arrays import Array, bgr, linear, lut_linear
from sim.camera.cast import Body, cast, window_of
from sim.camera.lettering import paste_word
from sim.camera.noise import cut, fractal_tile
from sim.camera.scene import Prop, PropKind, Scene
from sim.camera.view import View

__all__ = ["Board", "draw_props"]


@dataclass(frozen=True, slots=True)
class Board:
    """What props are drawn on, all in place: linear picture, light, and what they cover.

    ``keep_out``: (h, w) uint8, the board itself: things that lie lower do not cover it.
    """

    picture: Array
    light: Array
    covered: Array
    keep_out: Array | None = None


def draw_props(view: View, scene: Scene, board: Board, *, above: bool) -> None:
    """Draw the props; ``above``: those that hang over the board (after the discs), or the rest."""
    for prop in scene.props:
        if (prop.kind in _ABOVE) is above:
            below = prop.z_mm < 0 and not above
            _DRAW[prop.kind](view, prop, board if below else replace(board, keep_out=None))


def _lay(board: Board, rows: tuple[slice, slice], colour: Array, alpha: Array) -> None:
    """Blend linear albedo over a window, in place."""
    if board.keep_out is not None:
        alpha = alpha * (1.0 - board.keep_out[rows].astype(np.float32) / 255.0)
    target = board.picture[rows]
    target += (colour * board.light[rows] - target) * alpha[..., None]
    np.maximum(board.covered[rows], alpha, out=board.covered[rows])


def _shadow(view: View, board: Board, points_mm: Array, sigma_mm: float, depth: float) -> None:
    """Darken the plane under the convex hull of points, softly, in place."""
    px = view.camera.mm_to_px(points_mm)
    if not np.isfinite(px).all():
        return
    sigma = max(0.8, sigma_mm * view.camera.px_per_mm())
    low = np.maximum(np.floor(px.min(axis=0) - 3 * sigma), 0).astype(int)
    end = np.minimum(np.ceil(px.max(axis=0) + 3 * sigma), [view.width_px, view.height_px])
    size = end.astype(int) - low
    if min(size) <= 1:
        return
    mask = np.zeros((size[1], size[0]), dtype=np.uint8)
    hull = cv2.convexHull(np.round((px - low) * 16).astype(np.int32))
    cv2.fillConvexPoly(mask, hull, (255,), cv2.LINE_AA, 4)
    soft = cv2.GaussianBlur(mask, (0, 0), sigma).astype(np.float32)
    rows = slice(low[1], low[1] + size[1]), slice(low[0], low[0] + size[0])
    if board.keep_out is not None:
        soft *= 1.0 - board.keep_out[rows].astype(np.float32) / 255.0
    board.picture[rows] *= 1.0 - (depth / 255.0) * soft[..., None]


def _cylinder(
    view: View,
    body: Body,
    board: Board,
    paint_face: Callable[[Array, Array], Array],
    side: Array,
) -> None:
    window = window_of(view, body)
    if window.empty:
        return
    seen = cast(view, body, window)
    facing = 0.55 + 0.45 * np.clip(seen.side_x * 0.6 + seen.side_y * 0.6, -0.6, 1)
    face = paint_face(seen.x, seen.y)
    whole = side * facing[..., None]
    share = (seen.face / np.maximum(seen.cover, np.float32(1e-3)))[..., None]
    _lay(board, window.slices, face * share + whole * (1 - share), seen.cover)


def _even(colour: Array) -> Callable[[Array, Array], Array]:
    """A face of one colour."""

    def face(x: Array, y: Array) -> Array:
        return np.broadcast_to(colour, (*x.shape, 3))

    return face


def _cup(view: View, prop: Prop, board: Board) -> None:
    radius, height = 40.0 * prop.scale, 85.0 * prop.scale
    body = Body.lying((prop.x_mm, prop.y_mm, prop.z_mm), radius, height)
    _shadow(view, board, body.rim(0.0) * [1.04, 1.04, 1], 15.0, 0.6)
    rim, drink = linear(prop.colour), linear(prop.second)

    def face(x: Array, y: Array) -> Array:
        rho = np.hypot(x, y)
        inner = np.clip((0.88 - rho) * 20, 0, 1)[..., None]
        deep = np.clip((0.72 - np.hypot(x - 0.12, y - 0.08)) * 20, 0, 1)[..., None]
        shaded = rim * 0.55 * (1 - deep) + drink * deep
        return rim * (1 - inner) + shaded * inner

    _cylinder(view, body, board, face, rim * 0.9)


def _bottle(view: View, prop: Prop, board: Board) -> None:
    place = (prop.x_mm, prop.y_mm, prop.z_mm)
    body = Body.lying(place, 27.0 * prop.scale, 120.0 * prop.scale)
    _shadow(view, board, body.rim(0.0), 15.0, 0.6)
    shell, cap = linear(prop.colour), linear(prop.second)
    _cylinder(view, body, board, _even(shell), shell)
    top = Body.lying((*place[:2], prop.z_mm + 120 * prop.scale), 17.0 * prop.scale, 18.0)

    def face(x: Array, y: Array) -> Array:
        hole = (np.hypot(np.abs(x) - 0.3, np.abs(y) - 0.3) < 0.1)[..., None]
        return np.where(hole, cap * 0.2, cap)

    _cylinder(view, top, board, face, cap * 0.8)


def _lying_bottle(view: View, prop: Prop, board: Board) -> None:
    radius = 26.0 * prop.scale
    shell, cap = linear(prop.colour), linear(prop.second)
    way = np.array([np.cos(prop.turn_rad), np.sin(prop.turn_rad)])
    start = np.array([prop.x_mm, prop.y_mm]) - way * 55 * prop.scale
    flat = np.concatenate(
        [
            start + way * s * 110 * prop.scale + side
            for s in (0, 1)
            for side in (
                [[-way[1] * radius, way[0] * radius]],
                [[way[1] * radius, -way[0] * radius]],
            )
        ]
    )
    _shadow(view, board, np.concatenate([flat, np.full((4, 1), prop.z_mm)], axis=1), 10.0, 0.6)
    for size, long, shift, colour in ((1.0, 110.0, 0.0, shell), (0.62, 22.0, 110.0, cap)):
        x, y = start + way * shift * prop.scale
        body = Body.lying(
            (x, y, prop.z_mm + radius),
            radius * size,
            long * prop.scale,
            lean_rad=np.pi / 2,
            towards_rad=prop.turn_rad,
        )
        _cylinder(view, body, board, _even(colour * 0.6), colour)


def _flat(prop: Prop, wide: float, tall: float, lift: float) -> Array:
    """(4, 3) mm: corners of a rectangle that lies on the prop's plane."""
    c, s = np.cos(prop.turn_rad), np.sin(prop.turn_rad)
    half = np.array([[-wide, -tall], [wide, -tall], [wide, tall], [-wide, tall]]) * prop.scale / 2
    flat = half @ np.array([[c, s], [-s, c]]) + (prop.x_mm, prop.y_mm)
    return np.concatenate([flat, np.full((4, 1), prop.z_mm + lift)], axis=1)


def _sheet(view: View, corners_mm: Array, image: Array, board: Board) -> None:
    """Lay an sRGB image with alpha (BGRA) over the quad of its corners."""
    px = view.camera.mm_to_px(corners_mm)
    if not np.isfinite(px).all():
        return
    low = np.maximum(np.floor(px.min(axis=0)) - 1, 0).astype(int)
    end = np.minimum(np.ceil(px.max(axis=0)) + 2, [view.width_px, view.height_px]).astype(int)
    if min(end - low) <= 1:
        return
    h, w = image.shape[:2]
    source = np.array([[0, h], [w, h], [w, 0], [0, 0]], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(source, (px - low).astype(np.float32))
    size = (int(end[0] - low[0]), int(end[1] - low[1]))
    flat = cv2.warpPerspective(image, matrix, size, flags=cv2.INTER_LINEAR)
    alpha = flat[..., 3].astype(np.float32) / 255.0
    colour = cv2.LUT(np.ascontiguousarray(flat[..., :3]), lut_linear())
    window = (slice(int(low[1]), int(end[1])), slice(int(low[0]), int(end[0])))
    _lay(board, window, colour, alpha)


def _phone(view: View, prop: Prop, board: Board) -> None:
    image = np.zeros((160, 80, 4), dtype=np.uint8)
    cv2.rectangle(image, (2, 2), (77, 157), (*bgr(prop.second), 255), -1)
    cv2.rectangle(image, (6, 8), (73, 151), (*bgr(prop.colour, 0.5), 255), -1)
    if prop.seed % 2:
        cv2.rectangle(image, (6, 30), (73, 60), (*bgr(prop.colour), 255), -1)
        cv2.circle(image, (40, 100), 14, (*bgr(prop.colour), 255), -1, cv2.LINE_AA)
    _shadow(view, board, _flat(prop, 76, 152, 0.0), 4.0, 0.6)
    _sheet(view, _flat(prop, 75, 150, 8.0), image, board)


def _paper(view: View, prop: Prop, board: Board) -> None:
    image = np.zeros((297, 210, 4), dtype=np.uint8)
    image[3:-3, 3:-3] = (*bgr((0.93, 0.92, 0.88)), 255)
    rng = np.random.default_rng(prop.seed)
    for row in range(30, 280, 16):
        cv2.line(image, (10, row), (200, row), (210, 190, 170, 255), 1)
    cv2.line(image, (105, 16), (105, 270), (120, 110, 100, 255), 1)
    mask = np.zeros((297, 210), dtype=np.uint8)
    for column in (55, 155):
        total = 0
        for row in range(24, 24 + 16 * int(rng.integers(3, 14)), 16):
            total += int(rng.integers(0, 12))
            paste_word(mask, str(total), centre_px=(column, row), height_px=18, font=3, bold=5)
    image[mask > 90] = (90, 40, 30, 255)
    _shadow(view, board, _flat(prop, 205, 292, 0.0), 3.0, 0.3)
    _sheet(view, _flat(prop, 205, 292, 1.0), image, board)


def _limb(
    view: View,
    points_mm: Array,
    radii_mm: Array,
    colour: Array,
    board: Board,
    *,
    folds: float = 0.0,
) -> None:
    """A soft round limb or cable along a path, shaded like a tube; ``folds`` of cloth."""
    px = view.camera.mm_to_px(points_mm)
    if not np.isfinite(px).all():
        return
    high = float(points_mm[:, 2].max())
    scale = view.camera.px_per_mm() * (1 + high / view.camera.position_mm[2])
    reach = float(radii_mm.max()) * scale + 2
    low = np.maximum(np.floor(px.min(axis=0) - reach), 0).astype(int)
    end = np.minimum(np.ceil(px.max(axis=0) + reach), [view.width_px, view.height_px]).astype(int)
    size = end - low
    if min(size) <= 1:
        return
    factor = max(1, round(reach / 24))
    small = (max(2, -(-int(size[0]) // factor)), max(2, -(-int(size[1]) // factor)))
    ratio = np.array(small) / size
    mask = _path_mask((px - low) * ratio, radii_mm * scale * float(ratio[0]), small)
    shade = _tube_shade(mask, reach * float(ratio[0]), folds)
    window = (slice(int(low[1]), int(end[1])), slice(int(low[0]), int(end[0])))
    whole = (int(size[0]), int(size[1]))
    alpha = cv2.resize(mask, whole, interpolation=cv2.INTER_LINEAR).astype(np.float32)
    if factor > 1:
        alpha = np.clip((alpha - 127.5) * (factor * 0.6) + 127.5, 0, 255)
    alpha *= 1 / 255.0
    if board.keep_out is not None:
        alpha *= 1.0 - board.keep_out[window].astype(np.float32) / 255.0
    full = cv2.resize(shade, whole, interpolation=cv2.INTER_LINEAR)
    target = board.picture[window]
    paint = full[..., None] * colour * board.light[window]
    target += (paint - target) * alpha[..., None]


def _path_mask(path_px: Array, radii_px: Array, size_px: tuple[int, int]) -> Array:
    """(h, w) uint8: circles along a path."""
    mask: Array = np.zeros((size_px[1], size_px[0]), dtype=np.uint8)
    for k in range(len(path_px) - 1):
        for t in np.linspace(0, 1, 24):
            at = path_px[k] + (path_px[k + 1] - path_px[k]) * t
            r = radii_px[k] + (radii_px[k + 1] - radii_px[k]) * t
            if np.abs(at).max() < 4000:
                centre = (int(at[0] * 16), int(at[1] * 16))
                cv2.circle(mask, centre, max(8, int(r * 16)), (255,), -1, cv2.LINE_AA, 4)
    return mask


def _tube_shade(mask: Array, reach: float, folds: float) -> Array:
    """(h, w) float32: light on a round limb, creases of cloth included."""
    inside = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3)
    depth = np.clip(inside / max(reach, 1.0), 0, 1)
    height = np.sqrt(1 - (1 - depth) ** 2) * reach
    if folds > 0:
        size = (mask.shape[1], mask.shape[0])
        crease = cut(fractal_tile(1.5, 3.0, 6), size, scale=5.0, turn_rad=folds * 5)
        height = height + (crease.astype(np.float32) - 128) / 128 * reach * 0.22 * min(folds, 1.0)
    soft = cv2.GaussianBlur(height.astype(np.float32), (0, 0), 1.2)
    gy, gx = np.gradient(soft)
    tilt = 1.0 / np.sqrt(1 + gx * gx + gy * gy)
    shade: Array = np.clip((tilt + 0.35 * (gx + gy) * tilt) * 0.9 + 0.1, 0.12, 1.3)
    return shade.astype(np.float32)


def _knee(view: View, prop: Prop, board: Board) -> None:
    way = np.array([np.cos(prop.turn_rad), np.sin(prop.turn_rad)])
    here = np.array([prop.x_mm, prop.y_mm])
    side = np.array([-way[1], way[0]])
    for sign in (-1, 1):
        tip = here + side * sign * (90 + prop.seed % 120) * prop.scale
        end = tip + way * 420 + side * sign * -50
        path = np.array(
            [[*tip, prop.z_mm], [*((tip + end) / 2), prop.z_mm + 10], [*end, prop.z_mm]]
        )
        radii = np.array([62.0, 84.0, 110.0]) * prop.scale
        _limb(view, path, radii, linear(prop.colour), board, folds=0.3 + prop.seed % 70 / 100)


def _foot(view: View, prop: Prop, board: Board) -> None:
    way = np.array([np.cos(prop.turn_rad), np.sin(prop.turn_rad)])
    side = np.array([-way[1], way[0]])
    heel = np.array([prop.x_mm, prop.y_mm]) + way * 190
    ball = np.array([prop.x_mm, prop.y_mm])
    skin = linear(prop.colour)
    path = np.array(
        [[*ball, prop.z_mm], [*((ball + heel) / 2), prop.z_mm + 20], [*heel, prop.z_mm + 40]]
    )
    _limb(view, path, np.array([36.0, 32.0, 34.0]), skin, board, folds=0.02)
    for k, size in enumerate((13.0, 9.5, 9.0, 8.5, 8.0)):
        root = ball + side * (26 - 14 * k)
        tip = root - way * (48 - 5 * k)
        toe = np.array([[*root, prop.z_mm], [*tip, prop.z_mm]])
        _limb(view, toe, np.array([size, size]), skin, board, folds=0.02)


def _cable(view: View, prop: Prop, board: Board) -> None:
    rng = np.random.default_rng(prop.seed)
    t = np.linspace(0, 1, 14)
    bend = np.cumsum(rng.normal(0, 0.25, 14)) + prop.turn_rad
    step = 60.0 * prop.scale
    x = prop.x_mm + np.cumsum(step * np.cos(bend))
    y = prop.y_mm + np.cumsum(step * np.sin(bend))
    path = np.stack([x, y, np.full_like(t, prop.z_mm)], axis=1)
    _limb(view, path, np.full(14, 2.6), linear(prop.colour), board)


def _gantry(view: View, prop: Prop, board: Board) -> None:
    way = np.array([np.cos(prop.turn_rad), np.sin(prop.turn_rad)])
    side = np.array([-way[1], way[0]])
    here = np.array([prop.x_mm, prop.y_mm])
    for shift in (-22.0, 22.0):
        ends = np.array([here - way * 900 + side * shift, here + way * 900 + side * shift])
        path = np.concatenate([ends, np.full((2, 1), prop.z_mm)], axis=1)
        _limb(view, path, np.array([5.0, 5.0]), linear(prop.colour), board)
    image = np.zeros((80, 100, 4), dtype=np.uint8)
    cv2.rectangle(image, (3, 3), (96, 76), (*bgr(prop.second), 255), -1)
    cv2.rectangle(image, (30, 20), (70, 60), (*bgr(prop.colour), 255), -1)
    _sheet(view, _flat(prop, 110, 90, 12.0), image, board)


def _cloth(view: View, prop: Prop, board: Board) -> None:
    path = np.array(
        [[prop.x_mm, prop.y_mm, prop.z_mm], [prop.x_mm + 90, prop.y_mm + 60, prop.z_mm]]
    )
    _limb(view, path, np.array([60.0, 45.0]) * prop.scale, linear(prop.colour), board)


_ABOVE = {PropKind.GANTRY, PropKind.CABLE}
_DRAW: dict[PropKind, Callable[[View, Prop, Board], None]] = {
    PropKind.CUP: _cup,
    PropKind.BOTTLE: _bottle,
    PropKind.LYING_BOTTLE: _lying_bottle,
    PropKind.PHONE: _phone,
    PropKind.PAPER: _paper,
    PropKind.KNEE: _knee,
    PropKind.FOOT: _foot,
    PropKind.CABLE: _cable,
    PropKind.GANTRY: _gantry,
    PropKind.CLOTH: _cloth,
}
