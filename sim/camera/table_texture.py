"""What lies around the board: wood, cloth, grass, tiles, carpet."""

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np

from sim.camera.arrays import Array, bgr
from sim.camera.grain import toned, wood
from sim.camera.looks import Grain
from sim.camera.noise import fractal_tile
from sim.camera.scene import Table, TableKind

__all__ = ["TILE_PX", "table_texture"]

TILE_PX = 512


@lru_cache(maxsize=6)
def table_texture(table: Table) -> Array:
    """(512, 512, 3) uint8 BGR albedo that wraps round; shared, do not write."""
    image = _MAKE[table.kind](table, np.random.default_rng(table.seed))
    image.setflags(write=False)
    return image


def _half(exponent: float, stretch: float, seed: int) -> Array:
    """(512, 512) uint8: every other pixel of a noise tile; wraps round."""
    return np.ascontiguousarray(fractal_tile(exponent, stretch, seed)[::2, ::2])


def _plain(table: Table, rng: np.random.Generator) -> Array:
    gray = np.roll(_half(1.1, 1.0, 1), table.seed % 512, axis=1)
    return toned(gray, table.second, table.colour, 0.22)


def _wood(table: Table, rng: np.random.Generator) -> Array:
    grain = (Grain.FLOWER, Grain.QUARTER, Grain.BIRCH)[table.seed % 3]
    image = wood(
        TILE_PX,
        1 / 1.2,
        grain=grain,
        dark=table.second,
        light=table.colour,
        contrast=0.9,
        seed=table.seed,
    )
    for k in range(4):
        cv2.line(image, (0, k * 128), (TILE_PX, k * 128), bgr(table.second, 0.5), 1)
    return image


def _weave(image: Array, amount: float) -> Array:
    """Threads and folds over cloth."""
    threads = _half(0.2, 1.0, 3).astype(np.float32) / 128.0 - 1.0
    folds = _half(1.9, 1.0, 8).astype(np.float32) / 128.0 - 1.0
    factor = 1.0 + amount * threads + 0.2 * folds
    out: Array = np.clip(image * factor[..., None], 0, 255).astype(np.uint8)
    return out


def _cloth(table: Table, rng: np.random.Generator) -> Array:
    image = np.full((TILE_PX, TILE_PX, 3), bgr(table.colour), dtype=np.uint8)
    if table.seed % 2:
        pitch = TILE_PX // (4 + table.seed % 5)
        for k in range(0, TILE_PX, pitch):
            cv2.rectangle(image, (k, 0), (k + pitch // 3, TILE_PX), bgr(table.second), -1)
    return _weave(image, 0.12)


def _check(table: Table, rng: np.random.Generator) -> Array:
    image = np.full((TILE_PX, TILE_PX, 3), bgr(table.colour), dtype=np.float32)
    band = TILE_PX // (2 * (4 + table.seed % 6))
    on = (np.arange(TILE_PX) // band) % 2 == 1
    second = np.array(bgr(table.second), dtype=np.float32)
    for axis in (0, 1):
        index = (slice(None), on) if axis else (on, slice(None))
        image[index] = 0.5 * image[index] + 0.5 * second
    return _weave(image, 0.10)


def _patchwork(table: Table, rng: np.random.Generator) -> Array:
    """Printed squares, as on a bed sheet or durrie."""
    count = 6 + int(rng.integers(6))
    cell = TILE_PX // count
    base = np.array([table.colour, table.second, (0.85, 0.72, 0.74), (0.12, 0.12, 0.18)])
    image = np.zeros((TILE_PX, TILE_PX, 3), dtype=np.uint8)
    for row in range(count + 1):
        for column in range(count + 1):
            colour, ink = base[rng.permutation(4)[:2]]
            x, y = column * cell, row * cell
            cv2.rectangle(image, (x, y), (x + cell, y + cell), bgr(tuple(colour)), -1)
            cv2.rectangle(
                image, (x + 2, y + 2), (x + cell - 2, y + cell - 2), bgr(tuple(ink), 0.9), 1
            )
            middle = (x + cell // 2, y + cell // 2)
            if rng.random() < 0.75:
                for k in range(4):
                    turn = k * np.pi / 2 + (row + column) % 2 * np.pi / 4
                    at = (
                        int(middle[0] + cell * 0.2 * np.cos(turn)),
                        int(middle[1] + cell * 0.2 * np.sin(turn)),
                    )
                    cv2.circle(
                        image,
                        at,
                        cell // 8,
                        bgr(tuple(ink)),
                        1 + (row * column) % 2 * -2,
                        cv2.LINE_AA,
                    )
            else:
                cv2.circle(image, middle, cell // 4, bgr(tuple(ink)), -1, cv2.LINE_AA)
    return _weave(image, 0.10)


def _grass(table: Table, rng: np.random.Generator) -> Array:
    fine = _half(0.25, 0.35, 2)
    clump = _half(1.0, 1.0, 5)
    gray = cv2.addWeighted(fine, 1.3, clump, 0.3, -75)
    return toned(gray, (0.03, 0.07, 0.03), table.colour, 1.0)


def _tiles(table: Table, rng: np.random.Generator) -> Array:
    gray = cv2.addWeighted(_half(1.3, 1.0, 4), 0.7, _half(0.5, 1.0, 2), 0.3, 0)
    image = toned(gray, table.second, table.colour, 0.25)
    step = TILE_PX // (2 + table.seed % 2)
    for k in range(0, TILE_PX + 1, step):
        cv2.line(image, (k, 0), (k, TILE_PX), bgr(table.second, 0.7), 2)
        cv2.line(image, (0, k), (TILE_PX, k), bgr(table.second, 0.7), 2)
    return image


def _carpet(table: Table, rng: np.random.Generator) -> Array:
    gray = cv2.addWeighted(_half(0.1, 1.0, 2), 0.8, _half(1.2, 1.0, 4), 0.4, -25)
    return toned(gray, table.second, table.colour, 0.7)


_MAKE: dict[TableKind, Callable[[Table, np.random.Generator], Array]] = {
    TableKind.PLAIN: _plain,
    TableKind.WOOD: _wood,
    TableKind.CLOTH: _cloth,
    TableKind.CHECK: _check,
    TableKind.PATCHWORK: _patchwork,
    TableKind.GRASS: _grass,
    TableKind.TILES: _tiles,
    TableKind.CARPET: _carpet,
}
