"""Trying everything: a grid over places, speeds and angles, and its best spots.

A sweep finds combinations, doubles, banks and thin cuts without knowing any of them. Its outcome
is blurred with the player's spread, so that a lucky line between two misfortunes does not count.
The blurred value only screens: it reads far too high for the best (``notes/physics.md`` 5.3).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sim.advisor.judge import Judge
from sim.advisor.skill import Skill
from sim.advisor.workers import Workers, batch_rows
from sim.physics.arrays import FloatArray, Table

__all__ = ["Grid", "best_of_sweep", "swept"]

_USUAL_CHANCE = 0.5
"""Of the next stroke, before anything is known about what is left."""
_SEEN_AS_ANGLE_RAD = 0.006
"""Errors of seeing and of the board's physics blur like so much more spread of the angle."""
_JUDGED_AT_ONCE = 12_000
_BLOCK = 6
"""Angles in one block; one candidate a block and place."""


@dataclass(frozen=True, slots=True)
class Grid:
    """How fine: places, speeds from slow to fast, and the step of the angles."""

    places: int
    speeds_mm_s: tuple[float, ...]
    step_rad: float
    low_rad: float = math.radians(4.0)
    high_rad: float = math.radians(176.0)

    def angles(self) -> FloatArray:
        """The directions, symmetric about straight ahead."""
        count = 2 * round((self.high_rad - self.low_rad) / self.step_rad / 2) + 1
        return np.linspace(self.low_rad, self.high_rad, count)


def swept(grid: Grid, places_mm: FloatArray) -> FloatArray:
    """(p, v, a, 4) float64: every stroke of the grid at ``places_mm`` (p, 2), the seat's frame."""
    angles, speeds = grid.angles(), np.array(grid.speeds_mm_s)
    strokes = np.empty((len(places_mm), len(speeds), len(angles), 4))
    strokes[..., 0] = places_mm[:, 0, None, None]
    strokes[..., 1] = places_mm[:, 1, None, None]
    strokes[..., 2] = angles
    strokes[..., 3] = speeds[:, None]
    return strokes


def best_of_sweep(
    table: Table, strokes: FloatArray, judge: Judge, skill: Skill, workers: Workers, count: int
) -> FloatArray:
    """(at most count, 4): promising strokes of a sweep, at most one a block of angles and place."""
    shape = strokes.shape[:3]
    if not strokes.size:
        return np.empty((0, 4))
    flat = strokes.reshape(-1, 4)
    batch = workers.simulate(table, flat)
    worth = np.empty(len(flat))
    for low in range(0, len(flat), _JUDGED_AT_ONCE):
        workers.check()
        part = slice(low, low + _JUDGED_AT_ONCE)
        worth[part] = judge.verdicts(batch_rows(batch, part), flat[part]).value(_USUAL_CHANCE)
    value: FloatArray = worth.reshape(shape)
    workers.check()
    step = float(strokes[0, 0, 1, 2] - strokes[0, 0, 0, 2])
    blurred = np.empty_like(value)
    for k in range(shape[1]):
        sigma = math.hypot(skill.angle_rad_at(float(strokes[0, k, 0, 3])), _SEEN_AS_ANGLE_RAD)
        blurred[:, k] = _blurred(value[:, k], sigma / step)
    return _tops(blurred, strokes, count)


def _blurred(rows: FloatArray, sigma: float) -> FloatArray:
    """Rows (p, a) convolved with a normal curve along the angles."""
    reach = max(1, math.ceil(2.5 * sigma))
    offsets = np.arange(-reach, reach + 1)
    weights = np.exp(-0.5 * (offsets / max(sigma, 1e-3)) ** 2)
    weights /= weights.sum()
    padded = np.pad(rows, ((0, 0), (reach, reach)), mode="edge")
    out = np.zeros_like(rows)
    for offset, weight in enumerate(weights):
        out += weight * padded[:, offset : offset + rows.shape[1]]
    return out


def _tops(value: FloatArray, strokes: FloatArray, count: int) -> FloatArray:
    """The best stroke of each place and block of angles, over all speeds; the best blocks."""
    places, speeds, angles = value.shape
    blocks = -(-angles // _BLOCK)
    padded = np.full((places, speeds, blocks * _BLOCK), -np.inf)
    padded[:, :, :angles] = value
    grouped = padded.reshape(places, speeds, blocks, _BLOCK).transpose(0, 2, 1, 3)
    cells = grouped.reshape(places * blocks, speeds * _BLOCK)
    top = cells.argmax(axis=1)
    order = np.argsort(-cells.max(axis=1), kind="stable")[:count]
    place, block = order // blocks, order % blocks
    speed, angle = top[order] // _BLOCK, block * _BLOCK + top[order] % _BLOCK
    found: FloatArray = strokes[place, speed, np.minimum(angle, angles - 1)]
    return found
