"""Where a disc lies: on the surface, over or in a pocket, on the frame, beside the board."""

from dataclasses import dataclass

import numpy as np

from carrom.board_spec import BoardSpec
from vision.arrays import Array
from vision.board_camera import BoardCamera
from vision.disc_edges import Rims
from vision.seen import Place

__all__ = ["Stand", "pocketed", "stacks", "stand_of"]

_HANGING = 0.42
"""A disc whose middle is at most this share of its radius behind the lip of a pocket hangs over."""
_TOO_NEAR = 0.85
"""Level discs are no nearer than the sum of their radii; fits are off by less than this."""


@dataclass(frozen=True, slots=True)
class Stand:
    """What a disc lies on: the place, and the height of that plane, mm."""

    place: Place
    base_mm: float


def stand_of(
    spec: BoardSpec,
    camera: BoardCamera,
    *,
    seen_mm: tuple[float, float],
    radius_mm: float,
    thickness_mm: float,
) -> Stand:
    """The plane under a disc from where it is seen on the plane of the surface (board frame).

    Pockets are told by the middle of the disc, supposed to lie level with the surface: whether it
    hangs over the lip or lies in the net is for ``pocketed`` to say.
    """
    at = camera.foot_of(*seen_mm, z_mm=thickness_mm)
    height = spec.frame.height_mm.value
    raised = camera.foot_of(*seen_mm, z_mm=thickness_mm + height)
    half, breadth = spec.half_mm, spec.frame.breadth_mm.value
    level, high = float(np.abs(at).max()), float(np.abs(raised).max())
    near = min(np.hypot(at[0] - c.x_mm, at[1] - c.y_mm) for c in spec.pocket_centres.values())
    if near < spec.pocket_radius_mm + _HANGING * radius_mm:
        return Stand(Place.HANGING if near >= spec.pocket_radius_mm else Place.POCKET, 0.0)
    if level <= half - 0.55 * radius_mm or half - level > high - half:
        return Stand(Place.SURFACE, 0.0)
    if high <= half + breadth + 0.3 * radius_mm:
        return Stand(Place.FRAME, height)
    return Stand(Place.OFF_BOARD, 0.0)


def pocketed(spec: BoardSpec, rims: Rims) -> Array:
    """(n,) bool: near a pocket, and in it rather than hanging over its lip.

    A hanging disc hides the lip: its rim goes on over the wood. The rim of one in the net ends at
    the lip.
    """
    turn = np.arange(rims.seen.shape[1]) * (2 * np.pi / max(rims.seen.shape[1], 1))
    out = np.zeros(len(rims.x), dtype=bool)
    for centre in spec.pocket_centres.values():
        apart = np.hypot(rims.x - centre.x_mm, rims.y - centre.y_mm)
        for k in np.flatnonzero(apart < spec.pocket_radius_mm + _HANGING * rims.radius):
            x = rims.x[k] - centre.x_mm + rims.radius[k] * np.cos(turn)
            y = rims.y[k] - centre.y_mm + rims.radius[k] * np.sin(turn)
            wood = np.hypot(x, y) > spec.pocket_radius_mm + 1.0
            over = float(rims.seen[k][wood].mean()) if wood.sum() >= 4 else 0.0
            deep = apart[k] < spec.pocket_radius_mm - 3.0
            out[k] = deep or (over < 0.6 and apart[k] < spec.pocket_radius_mm + 2.0)
    return out


def stacks(rims: Rims) -> Array:
    """(n,) int: the disc on which each one lies, or -1.

    Of two that share more room than level discs can, the upper one shows its whole rim.
    """
    count = len(rims.x)
    under = np.full(count, -1)
    turn = np.arange(rims.seen.shape[1]) * (2 * np.pi / max(rims.seen.shape[1], 1))
    ways = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    at = np.stack([rims.x, rims.y], axis=-1)

    def shown(k: int, other: int) -> float:
        points = at[k] + rims.radius[k] * ways
        inside = np.hypot(*(points - at[other]).T) < rims.radius[other] - 0.5
        return float(rims.seen[k][inside].mean()) if inside.any() else 0.0

    apart = np.hypot(*(at[:, None] - at).transpose(2, 0, 1))
    near = apart < _TOO_NEAR * (rims.radius[:, None] + rims.radius)
    for i, j in np.argwhere(np.tril(near, -1)).tolist():
        upper, lower = (i, j) if shown(i, j) > shown(j, i) else (j, i)
        under[upper] = lower
    return under
