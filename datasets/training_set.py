"""Training pictures for the two networks, from scenes of the simulated camera.

From one scene come a crop of the board as ``vision.BoardCrop`` cuts it (discs and cells covered by
hands), the whole picture, and a roughly rectified view of it (corners and the board).
"""

from dataclasses import dataclass, replace
from enum import StrEnum

import cv2
import numpy as np

from carrom.board_spec import BoardFamily, BoardSpec
from carrom.boards import ICF_BOARD
from carrom.errors import BoardError
from carrom.pieces import PieceKind
from sim.camera.arrays import Array
from sim.camera.camera import Camera
from sim.camera.disc_layer import bodies_of
from sim.camera.hands_types import HandLayer
from sim.camera.render import Picture, render
from sim.camera.sample_board import sample_board
from sim.camera.sampling import sample_scene
from sim.camera.scene import DiscState, Scene
from sim.camera.scene_hands import hand_layers
from vision.board_camera import BoardCamera
from vision.board_crop import BoardCrop, CropMaps
from vision.network import letterbox
from vision.seen import Label

__all__ = [
    "AWAY_SHARE",
    "BOARD_CLASSES",
    "BOARD_SIZE_PX",
    "CELLS",
    "DISC_CLASSES",
    "DISC_SIZE_PX",
    "HOME_SHARE",
    "TIGHT_SHARE",
    "Example",
    "Task",
    "camera_of",
    "examples_of",
    "tiles_of",
]

DISC_SIZE_PX, BOARD_SIZE_PX = 448, 448
CELLS = 16
"""Cells to a side of the disc crop that say what hands cover."""

DISC_CLASSES = tuple(label.value for label in Label)
BOARD_CLASSES = ("corner", "icf_board", "hikone_board")
TILE_SIZE_PX = 224
_TILES = 2
"""Tiles of one crop."""

_CLASS_OF = {
    PieceKind.WHITE: Label.WHITE,
    PieceKind.BLACK: Label.BLACK,
    PieceKind.QUEEN: Label.RED,
    PieceKind.RED: Label.RED,
    PieceKind.GREEN: Label.GREEN,
    PieceKind.JACK: Label.JACK,
    PieceKind.STRIKER: Label.STRIKER,
}
_LEAST_VISIBLE = 0.3
_LEAST_COVER = 0.4
_CORNER_SIDE = 0.14
"""Side of a corner's box over the side of the board at that corner."""

_BEYOND = 0.04
"""Corners so far outside the picture, over its longer side, are still to be found."""

_SIZES = (
    ((1280, 720), 0.40),
    ((640, 480), 0.16),
    ((720, 1280), 0.12),
    ((960, 960), 0.14),
    ((1920, 1080), 0.08),
    ((800, 600), 0.10),
)
HOME_SHARE, TIGHT_SHARE, AWAY_SHARE = 0.25, 0.35, 0.04
"""Boards beyond any rule book: real ones had men of 6 % of the surface and strikers twice that."""

_ALONG = {DiscState.STANDING, DiscState.LEANING}


class Task(StrEnum):
    """Which network a picture is for."""

    DISCS = "discs"
    TILES = "tiles"  # cuts of the discs' crops at the same scale: more scenes for the same work
    BOARD = "board"


@dataclass(frozen=True, slots=True)
class Example:
    """A picture (square, 8 bit BGR) with boxes: class, left, top, right, bottom in its px."""

    task: Task
    name: str
    image_bgr: Array
    boxes: tuple[tuple[int, float, float, float, float], ...]


def camera_of(camera: Camera) -> BoardCamera:
    """The simulated camera in the words of the eyes."""
    return BoardCamera(
        width_px=camera.width_px,
        height_px=camera.height_px,
        focal_px=camera.focal_px,
        middle_px=camera.middle_px,
        distortion=camera.distortion,
        position_mm=camera.position_mm,
        rotation=tuple(map(float, camera.axes.ravel())),
    )


def examples_of(
    seed: int,
    *,
    board_pictures: bool = True,
    home_share: float = HOME_SHARE,
    tight_share: float = TIGHT_SHARE,
    away_share: float = AWAY_SHARE,
) -> list[Example]:
    """All pictures of one seed; the same arguments give the same pictures.

    ``home_share``: of scenes with a board beyond the rule books. ``tight_share``: of whole pictures
    cut to the board. ``away_share``: of scenes that look beside it.
    """
    rng = np.random.default_rng((seed, 77))
    sizes, shares = zip(*_SIZES, strict=True)
    size_px = sizes[int(rng.choice(len(sizes), p=shares))]
    board = _home_board(rng) if rng.random() < home_share else None
    scene = sample_scene(seed, size_px=size_px, board=board)
    away = rng.random() < away_share
    if away:
        camera = _looking_away(rng, scene.camera)
        scene = replace(scene, camera=camera, discs=(), hands=(), props=())
    layers = tuple(layer for layer in hand_layers(scene) if not layer.empty)
    picture = render(scene, hands=layers)
    out = [] if away else [_disc_example(rng, scene, picture, layers)]
    out += [tile for example in out for tile in tiles_of(example)]
    if board_pictures:
        tight = not away and rng.random() < tight_share
        cut = _tight_cut(rng, picture) if tight else (0, 0, *size_px)
        out.append(_whole(scene, picture, layers, cut=cut, away=away))
        if not away and rng.random() < 0.6:
            out.append(_rough(rng, scene, picture, layers))
    return out


def tiles_of(example: Example) -> list[Example]:
    """Squares of a disc crop, the fuller the likelier; their corners on the grid of the cells."""
    rng = np.random.default_rng((int(example.name), 78))
    side = DISC_SIZE_PX // CELLS
    starts = [(x, y) for x in range(0, 225, side) for y in range(0, 225, side)]
    tiles = [_tile_boxes(example.boxes, left, top) for left, top in starts]
    weight = np.array([0.5 + sum(1.0 if box[0] != 6 else 0.2 for box in tile) for tile in tiles])
    drawn = rng.choice(len(starts), _TILES, replace=False, p=weight / weight.sum())
    out = []
    for number, k in enumerate(drawn):
        left, top = starts[k]
        image = example.image_bgr[top : top + TILE_SIZE_PX, left : left + TILE_SIZE_PX].copy()
        out.append(Example(Task.TILES, f"{example.name}_{number}", image, tiles[k]))
    return out


def _tile_boxes(
    boxes: tuple[tuple[int, float, float, float, float], ...], left: int, top: int
) -> tuple[tuple[int, float, float, float, float], ...]:
    """The boxes of a tile, those on its edge cut."""
    out = []
    for label, *corners in boxes:
        points = np.array(corners).reshape(2, 2) - 0.5 - (left, top)
        if (points[1] > 0).all() and (points[0] < TILE_SIZE_PX).all():
            box = _box(label, points, TILE_SIZE_PX, least_inside=0.5)
            if box is not None:
                out.append(box)
    return tuple(out)


def _home_board(rng: np.random.Generator) -> BoardSpec:
    """An Indian board of no standard: small, with large men, a huge or a small striker."""
    for _ in range(20):
        board = sample_board(rng, BoardFamily.ICF)
        man_mm = float(rng.uniform(28, 42))
        changes = {f"discs.{kind}.diameter_mm": man_mm for kind in ("white", "black", "queen")}
        changes["discs.striker.diameter_mm"] = man_mm * float(rng.uniform(1.0, 1.9))
        changes["pockets.diameter_mm"] = max(float(rng.uniform(43, 62)), man_mm + 3)
        changes["pockets.diameter_mm"] = max(
            changes["pockets.diameter_mm"], changes["discs.striker.diameter_mm"] + 1
        )
        try:
            return board.changed(changes, name="home board")
        except BoardError:
            continue
    return ICF_BOARD


def _looking_away(rng: np.random.Generator, camera: Camera) -> Camera:
    """The same lens straight above the table beside the board: a picture without a board."""
    turn, far_mm = rng.uniform(0, 2 * np.pi), rng.uniform(2600, 3600)
    x, y = (far_mm * np.array([np.cos(turn), np.sin(turn)])).tolist()
    high_mm = camera.position_mm[2]
    return replace(camera, position_mm=(x, y, high_mm), look_at_mm=(x, y))


class _Flat:
    """The board seen from above in a square, after a quarter turn and with corners a bit off."""

    def __init__(
        self, rng: np.random.Generator, scene: Scene, *, size_px: int, margin: float, off_mm: float
    ) -> None:
        self.crop = BoardCrop(scene.board.half_mm, size_px, margin)
        self._camera = camera_of(scene.camera)
        half = scene.board.half_mm
        square = half * np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])
        believed = square + rng.normal(0, off_mm, (4, 2))
        turned = np.roll(square, int(rng.integers(4)), axis=0)
        to_true = cv2.getPerspectiveTransform(
            turned.astype(np.float32), believed.astype(np.float32)
        )
        self._to_true, self._to_flat = to_true, np.linalg.inv(to_true)

    def cut(self, image_bgr: Array, *, outside: int = 114) -> Array:
        """The square picture; also of a one channel mask."""
        line = np.arange(self.crop.size_px, dtype=np.float64)
        grid = self.crop.crop_to_mm(np.stack(np.meshgrid(line, line), axis=-1))
        px = self._camera.board_to_px(_warp(self._to_true, grid)).astype(np.float32)
        px = np.nan_to_num(px, nan=-1e4)
        height_px, width_px = image_bgr.shape[:2]
        maps = CropMaps.of(px[..., 0], px[..., 1], width_px, height_px)
        return self.crop.cut(image_bgr, maps, outside=outside)

    def from_picture(self, points_px: Array) -> Array:
        """(n, 2) px of the picture to px of the square."""
        return self.crop.mm_to_crop(_warp(self._to_flat, self._camera.px_to_board(points_px)))


def _warp(matrix: Array, points: Array) -> Array:
    """(..., 2) through a homography."""
    flat = np.concatenate([points, np.ones((*points.shape[:-1], 1))], axis=-1) @ matrix.T
    out: Array = flat[..., :2] / flat[..., 2:]
    return out


def _disc_example(
    rng: np.random.Generator, scene: Scene, picture: Picture, layers: tuple[HandLayer, ...]
) -> Example:
    """Discs and covered cells in the crop."""
    off_mm = 3.5 if rng.random() < 0.2 else 1.0
    flat = _Flat(rng, scene, size_px=DISC_SIZE_PX, margin=1.15, off_mm=off_mm)
    boxes = []
    for body, truth in zip(bodies_of(scene), picture.truth.discs, strict=True):
        if truth.visible < _LEAST_VISIBLE:
            continue
        rims = [body.rim(1.0, 48)]
        if truth.state in _ALONG:
            rims.append(body.rim(0.0, 48))
        rim_px = scene.camera.mm_to_px(np.concatenate(rims))
        label = DISC_CLASSES.index(_CLASS_OF[truth.kind])
        box = _box(label, flat.from_picture(rim_px), DISC_SIZE_PX, least_inside=0.5)
        if box is not None:
            boxes.append(box)
    boxes += _covered_cells(flat, picture, layers)
    name = f"{scene.seed}"
    return Example(Task.DISCS, name, flat.cut(picture.image_bgr), tuple(boxes))


def _covered_cells(
    flat: _Flat, picture: Picture, layers: tuple[HandLayer, ...]
) -> list[tuple[int, float, float, float, float]]:
    """Boxes of the cells that hands and arms cover."""
    if not layers:
        return []
    mask = flat.cut(_cover_mask(picture, layers), outside=0)
    side = DISC_SIZE_PX // CELLS
    share = mask.reshape(CELLS, side, CELLS, side).mean(axis=(1, 3)) / 255.0
    hand = DISC_CLASSES.index(Label.HAND)
    rows, columns = np.nonzero(share >= _LEAST_COVER)
    return [
        (hand, float(c * side), float(r * side), float((c + 1) * side), float((r + 1) * side))
        for r, c in zip(rows, columns, strict=True)
    ]


def _cover_mask(picture: Picture, layers: tuple[HandLayer, ...]) -> Array:
    """(h, w) uint8: hands with their arms and sleeves; 0 outside the picture after a cut."""
    mask = np.zeros(picture.image_bgr.shape[:2], dtype=np.uint8)
    for layer in layers:
        box = layer.bbox
        view = mask[box.top : box.bottom, box.left : box.right]
        np.maximum(view, (layer.alpha * 255).astype(np.uint8), out=view)
    return mask


def _tight_cut(rng: np.random.Generator, picture: Picture) -> tuple[int, int, int, int]:
    """Left, top, right, bottom px: photographs are often cut to the board or its surface."""
    height, width = picture.image_bgr.shape[:2]
    corners = np.array(picture.truth.corners_px)
    low, high = corners.min(axis=0), corners.max(axis=0)
    space = rng.uniform(-0.03, 0.14, 4) * np.tile(high - low, 2)
    left, top = np.maximum((low - space[:2]).astype(int), 0)
    right, bottom = np.minimum((high + space[2:]).astype(int), (width, height))
    if right - left < width // 3 or bottom - top < height // 3:
        return 0, 0, width, height
    return int(left), int(top), int(right), int(bottom)


def _whole(
    scene: Scene,
    picture: Picture,
    layers: tuple[HandLayer, ...],
    *,
    cut: tuple[int, int, int, int],
    away: bool,
) -> Example:
    """The whole picture or a cut of it, fitted into a square."""
    left, top, right, bottom = cut
    shown = picture.image_bgr[top:bottom, left:right]
    image, scale, *free = letterbox(shown, BOARD_SIZE_PX)
    points = [] if away else _board_points(scene, picture, layers, cut)
    boxes = [
        _scaled_box(k, (px - (left, top) + 0.5) * scale - 0.5 + free, side * scale)
        for k, px, side in points
    ]
    return Example(Task.BOARD, f"{scene.seed}", image, tuple(b for b in boxes if b is not None))


def _rough(
    rng: np.random.Generator, scene: Scene, picture: Picture, layers: tuple[HandLayer, ...]
) -> Example:
    """The board roughly from above, as the second look of the finder sees it."""
    margin = float(rng.uniform(1.2, 1.4))
    off_mm = scene.board.half_mm * float(rng.choice([0.01, 0.03, 0.06]))
    flat = _Flat(rng, scene, size_px=BOARD_SIZE_PX, margin=margin, off_mm=off_mm)
    side_px = BOARD_SIZE_PX / margin
    boxes = []
    whole = (0, 0, scene.camera.width_px, scene.camera.height_px)
    for label, px, side in _board_points(scene, picture, layers, whole):
        at = flat.from_picture(px)
        boxes.append(_scaled_box(label, at, _CORNER_SIDE * side_px if side else 0.0))
    image = flat.cut(picture.image_bgr)
    name = f"{scene.seed}_flat"
    return Example(Task.BOARD, name, image, tuple(b for b in boxes if b is not None))


def _board_points(
    scene: Scene,
    picture: Picture,
    layers: tuple[HandLayer, ...],
    cut: tuple[int, int, int, int],
) -> list[tuple[int, Array, float]]:
    """Corners seen (class, (1, 2) px, side of the box) and the board (class, outline px, 0)."""
    height, width = picture.image_bgr.shape[:2]
    low, high = np.array(cut[:2]), np.array(cut[2:]) - 1
    beyond = _BEYOND * float((high - low).max())
    corners = np.array(picture.truth.corners_px)
    mask = _cover_mask(picture, layers)
    sides = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    out: list[tuple[int, Array, float]] = []
    for k, (x, y) in enumerate(corners):
        near = bool(((corners[k] >= low - beyond) & (corners[k] <= high + beyond)).all())
        row, column = min(max(int(y), 0), height - 1), min(max(int(x), 0), width - 1)
        if near and mask[row, column] < 128:
            out.append((0, corners[k : k + 1], _CORNER_SIDE * float(sides[k] + sides[k - 1]) / 2))
    kind = 1 if scene.board.family is BoardFamily.ICF else 2
    frame = np.array(picture.truth.frame_px)
    if np.isfinite(frame).all():
        out.append((kind, np.clip(frame, low, high), 0.0))
    return out


def _scaled_box(
    label: int, points_px: Array, side_px: float
) -> tuple[int, float, float, float, float] | None:
    """A box about one point, or around several."""
    half = side_px / 2
    points = np.concatenate([points_px - half, points_px + half])
    return _box(label, points, BOARD_SIZE_PX, least_inside=0.3)


def _box(
    label: int, points_px: Array, size_px: int, *, least_inside: float
) -> tuple[int, float, float, float, float] | None:
    """The box around points, cut at the square's edge; None when too little is inside."""
    if not np.isfinite(points_px).all():
        return None
    low, high = points_px.min(axis=0) + 0.5, points_px.max(axis=0) + 0.5
    cut_low, cut_high = np.clip(low, 0, size_px), np.clip(high, 0, size_px)
    if np.prod(cut_high - cut_low) < least_inside * np.prod(high - low):
        return None
    return label, float(cut_low[0]), float(cut_low[1]), float(cut_high[0]), float(cut_high[1])
