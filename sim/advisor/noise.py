"""What may be otherwise than meant, drawn once and used for every candidate alike.

Three sources, all in one sample: the hand (``Skill``), the camera (where the men really lie) and
the board (parameters that nobody has measured). Samples are shared by all candidates of a stage,
so that their difference is that of the strokes and not of luck (common random numbers).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carrom.stroke import MAX_SPEED_MM_S
from sim.advisor.placements import Placements
from sim.advisor.skill import REFERENCE_SPEED_MM_S, Skill
from sim.physics.arrays import (
    S_CAPTURE,
    S_E_DISC,
    S_E_FRAME,
    S_FRAME_FRICTION,
    S_FRICTION_MEN,
    S_FRICTION_QUEEN,
    S_FRICTION_STRIKER,
    S_LIP,
    S_RIM,
    FloatArray,
    Table,
)
from sim.physics.declumping import scatter_men
from sim.physics.surface import SURFACE_PRIORS

__all__ = ["Draws", "draw", "noisy_strokes"]

_SLOWEST_MM_S = 80.0

_COLUMNS = {
    "restitution_disc": S_E_DISC,
    "restitution_frame": S_E_FRAME,
    "rim_friction": S_RIM,
    "frame_friction": S_FRAME_FRICTION,
    "lip_speed_kept": S_LIP,
}
_FRICTIONS = (S_FRICTION_MEN, S_FRICTION_QUEEN, S_FRICTION_STRIKER)


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """n samples. ``hand``: (n, 4) float64 standard normals (angle, speed share, speed, place);
    ``men_mm``: (n, m, 2) float64, mm, the seat's frame; ``surfaces``: (n, 13) float64."""

    hand: FloatArray
    men_mm: FloatArray
    surfaces: FloatArray

    def __len__(self) -> int:
        return len(self.hand)

    def first(self, count: int) -> Draws:
        """The first ``count`` samples; views."""
        return Draws(self.hand[:count], self.men_mm[:count], self.surfaces[:count])


def draw(
    table: Table, skill: Skill, count: int, place_mm: tuple[float, float], rng: np.random.Generator
) -> Draws:
    """``count`` new samples of hand, men and board.

    ``place_mm``: where a striker may lie (seat's frame); men are given room beside it.
    """
    still = np.empty((count, 4))
    still[:] = (*place_mm, 0.0, 1.0)
    return Draws(
        hand=rng.standard_normal((count, 4)),
        men_mm=scatter_men(table, still, skill.seen_mm, rng),
        surfaces=_surfaces(table, skill.physics, count, rng),
    )


def _surfaces(table: Table, share: float, count: int, rng: np.random.Generator) -> FloatArray:
    """(count, 13): the table's surface, each parameter off by ``share`` of its believable range."""
    rows = np.repeat(table.surface[None], count, axis=0)
    noise = rng.standard_normal((count, len(_COLUMNS) + 2)) * share
    for k, (name, column) in enumerate(_COLUMNS.items()):
        prior = SURFACE_PRIORS[name]
        moved = rows[:, column] + noise[:, k] * (prior.high - prior.low)
        rows[:, column] = np.clip(moved, 0.0, 1.0)
    powder = SURFACE_PRIORS["friction_men"]
    off = noise[:, -2] * (powder.high - powder.low)  # one powder for all discs
    for column in _FRICTIONS:
        rows[:, column] = np.clip(rows[:, column] + off, 0.02, 0.5)
    rows[:, S_CAPTURE] *= np.exp(noise[:, -1])
    return rows


def noisy_strokes(
    candidates: FloatArray, draws: Draws, skill: Skill, placements: Placements
) -> FloatArray:
    """(c * n, 4) float64: every candidate with every sample, candidate by candidate.

    ``candidates``: (c, 4) float64: x_mm, y_mm, angle_rad, speed_mm_s in the seat's frame. A
    placement never leaves the laws: it is cut off where they end.
    """
    hand = draws.hand
    c, n = len(candidates), len(draws)
    x, angle, speed = (candidates[:, k, None] for k in (0, 2, 3))
    faster = (speed - REFERENCE_SPEED_MM_S) / 1000.0
    spread = skill.angle_rad * np.maximum(0.5, 1.0 + skill.angle_growth * faster)
    spread = np.where(np.sin(angle) < 0.0, skill.backward * spread, spread)
    strokes = np.empty((c, n, 4))
    low, high = placements.limits(candidates[:, 0])
    strokes[:, :, 0] = np.clip(x + skill.place_mm * hand[:, 3], low[:, None], high[:, None])
    strokes[:, :, 1] = candidates[:, 1, None]
    strokes[:, :, 2] = angle + skill.angle_bias_rad + spread * hand[:, 0]
    made = speed * np.exp(skill.speed_bias + skill.speed_share * hand[:, 1])
    made += skill.speed_mm_s * hand[:, 2]
    strokes[:, :, 3] = np.clip(made, _SLOWEST_MM_S, MAX_SPEED_MM_S)
    return strokes.reshape(c * n, 4)
