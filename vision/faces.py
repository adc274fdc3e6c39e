"""What the faces of discs look like, freed from the light: colour against the wood around them."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Array
from vision.board_camera import BoardCamera
from vision.board_crop import BoardCrop
from vision.disc_edges import Discs3d

__all__ = ["FEATURES", "RINGS", "Faces", "Wood", "faces_of", "wood_of"]

RINGS = ((0.08, 0.22, 0.36), (0.46, 0.56, 0.66), (0.76, 0.84, 0.9))
"""Radii (shares of the disc's) sampled for its middle, between, and near the rim."""
FEATURES = 3 * len(RINGS)
"""L, a and b of each ring."""
_ANGLES = 20
_CELLS = 16
_SAMPLED = 112
"""Side of the thinned crop that is looked at for the wood: every fourth pixel of 448."""
_WOOD = np.array([0.21, 0.40, 0.60])
"""BGR, linear: the wood that colours are told against, a pale birch."""
_GREY_CHROMA = 2.5
"""Below it (median distance from grey of the whole crop, Lab) a picture has no colour."""


@dataclass(frozen=True, eq=False)
class Wood:
    """The bare board. ``light``: (16, 16, 3) float32, linear BGR over the crop; ``grey``: there is
    no colour in the picture."""

    crop: BoardCrop
    light: Array
    grey: bool

    def at(self, points_mm: Array) -> Array:
        """(n, 3) linear BGR at (n, 2) mm as seen on the plane of the surface."""
        px = (self.crop.mm_to_crop(points_mm) + 0.5) * (_CELLS / self.crop.size_px) - 0.5
        x, y = (np.ascontiguousarray(px[:, k : k + 1], dtype=np.float32) for k in (0, 1))
        out = cv2.remap(self.light, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return out.reshape(-1, 3)


@dataclass(frozen=True, eq=False)
class Faces:
    """``features``: (n, 9) float64, L a b of each ring against the wood; ``bright``: (n,) of the
    face over that of the wood, linear; ``rough``: (n,) spread of L over the face."""

    features: Array
    bright: Array
    rough: Array


def wood_of(picture: Array, crop: BoardCrop, discs: Array, half_mm: float) -> Wood:
    """The light on the wood: medians of coarse cells, without the discs and their shadows.

    ``picture``: (size, size, 3) uint8 crop; ``discs``: (n, 3) mm, circles as seen on the surface.
    """
    free = np.zeros(picture.shape[:2], dtype=np.uint8)
    low, high = crop.mm_to_crop(np.array([[-half_mm, half_mm], [half_mm, -half_mm]]))
    a, b = (np.round(v).astype(int) + d for v, d in ((low, 3), (high, -3)))
    free[a[1] : b[1], a[0] : b[0]] = 1
    for x, y, radius in np.asarray(discs).reshape(-1, 3):
        middle = tuple(int(v) for v in np.round(crop.mm_to_crop(np.array([x, y]))))
        cv2.circle(free, middle, int(radius * crop.px_per_mm * 1.35) + 1, 0, -1)
    cells = _celled(_thinned(picture)).astype(np.float32)
    keep = _celled(_thinned(free)[..., None])[..., 0] > 0
    count = keep.sum(axis=-1)
    # Sorted, what is no wood comes last: the median of the rest is found by its index.
    order = np.sort(np.where(keep[..., None], cells, np.inf), axis=2)
    at = np.maximum(count - 1, 0)[..., None, None] // 2
    light = np.take_along_axis(order, np.broadcast_to(at, (_CELLS, _CELLS, 1, 3)), axis=2)[:, :, 0]
    known = count >= 0.12 * keep.shape[-1]
    whole = np.median(light[known], axis=0) if known.any() else np.full(3, 128.0)
    light[~known] = 0.0
    light = _filled(light, known, np.asarray(whole, dtype=np.float32))
    sample = cv2.cvtColor(picture[::4, ::4], cv2.COLOR_BGR2LAB).astype(np.float32)[..., 1:] - 128.0
    grey = float(np.quantile(np.hypot(sample[..., 0], sample[..., 1]), 0.9)) < _GREY_CHROMA
    return Wood(crop, _linear(light).astype(np.float32), grey)


def _thinned(picture: Array) -> Array:
    """Single pixels of a square picture of any size, on a grid of (112, 112)."""
    return cv2.resize(picture, (_SAMPLED, _SAMPLED), interpolation=cv2.INTER_NEAREST)


def _celled(picture: Array) -> Array:
    """(16, 16, m, channels) of a square picture."""
    size = picture.shape[0] // _CELLS
    parts = picture.reshape(_CELLS, size, _CELLS, size, picture.shape[-1])
    out: Array = parts.swapaxes(1, 2).reshape(_CELLS, _CELLS, size * size, picture.shape[-1])
    return out


def _filled(light: Array, known: Array, whole: Array) -> Array:
    """Cells without wood take the light of their neighbours."""
    weight = known.astype(np.float32)
    total: Array = cv2.GaussianBlur(light * weight[..., None], (0, 0), 1.0)
    share: Array = cv2.GaussianBlur(weight, (0, 0), 1.0)
    out: Array = (total + 0.02 * whole) / (share + 0.02)[..., None]
    return out


def _linear(levels: Array) -> Array:
    """8 bit levels to linear light, 0 to 1."""
    out: Array = ((np.asarray(levels, dtype=np.float32) + 2.0) / 257.0) ** np.float32(2.2)
    return out


def faces_of(image_bgr: Array, camera: BoardCamera, discs: Discs3d, wood: Wood) -> Faces:
    """Colours of the upper faces, robust against glare and grooves (medians of rings)."""
    count = len(discs)
    if count == 0:
        return Faces(np.zeros((0, FEATURES)), np.zeros(0), np.zeros(0))
    shares = np.concatenate([np.array(ring) for ring in RINGS])
    turn = np.arange(_ANGLES) * (2 * np.pi / _ANGLES)
    spots = shares[:, None, None] * np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    points = np.empty((count, len(shares), _ANGLES, 3))
    middle = np.stack([discs.x, discs.y], axis=-1)
    points[..., :2] = middle[:, None, None] + spots * discs.radius[:, None, None, None]
    points[..., 2] = discs.top[:, None, None]
    px = np.nan_to_num(camera.mm_to_px(points), nan=-1e4).astype(np.float32)
    x, y = (np.ascontiguousarray(px[..., k]).reshape(count, -1) for k in (0, 1))
    colours = cv2.remap(image_bgr, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    levels = colours.reshape(count, len(RINGS), -1, 3)
    rings = np.median(levels, axis=2)
    seen = camera.px_to_board(camera.board_to_px(middle))
    against = wood.at(seen)
    ratio = _linear(rings) / np.maximum(against, 0.004)[:, None, :]
    lab = _lab(np.clip(ratio * _WOOD, 0.0, 1.6))
    grey = levels.mean(axis=-1).reshape(count, -1)
    bright = _linear(np.median(grey, axis=1)) / np.maximum(against.mean(axis=1), 0.004)
    return Faces(lab.reshape(count, -1), bright, grey.std(axis=1))


def _lab(linear_bgr: Array) -> Array:
    """CIE L*a*b* (D65) of linear BGR; brighter than white goes on above 100."""
    matrix = np.array(
        [[0.1805, 0.3576, 0.4124], [0.0722, 0.7152, 0.2126], [0.9505, 0.1192, 0.0193]]
    )
    xyz = linear_bgr @ matrix.T / np.array([0.9505, 1.0, 1.089])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16.0 / 116.0)
    x, y, z = f[..., 0], f[..., 1], f[..., 2]
    out: Array = np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)
    return out
