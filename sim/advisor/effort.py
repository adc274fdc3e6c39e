"""How much to think: grids and sample sizes."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from sim.advisor.sweep import Grid

__all__ = ["FULL", "MATCH", "QUICK", "Effort"]

_USUAL_MEN = 14
"""Grids are made for so many men; with fewer, strokes are cheaper and the grid is finer."""
_MOST_PLACES, _MOST_SAMPLES = 41, 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """``grid``: of the sweep; ``ghosts``: places of the striker tried by geometry; ``kept``:
    candidates after the sweep; ``stages``: (samples, candidates kept) of the race; ``local``:
    samples of the search around the best; ``ideas``: how many different ones are followed up;
    ``final``: samples that decide; ``fresh``: samples for what is shown; ``finest``: the
    steps of the grid are never less than this share of the usual ones."""

    grid: Grid
    ghosts: int
    kept: int
    stages: tuple[tuple[int, int], ...]
    ideas: int
    local: int
    final: int
    fresh: int
    finest: float = 0.5

    def samples(self, count: int, men: int) -> int:
        """``count`` samples, and up to three times as many when men are few and strokes cheap."""
        return round(count * max(1.0, min(_MOST_SAMPLES, _USUAL_MEN / (men + 2))))

    def grid_for(self, men: int, hardest_mm_s: float) -> Grid:
        """The grid for so many men: finer in angle and place as they get fewer; no stroke harder
        than that."""
        share = max(self.finest, min(1.0, (men + 2) / _USUAL_MEN))
        places = min(round(self.grid.places / share), _MOST_PLACES)
        speeds = tuple(dict.fromkeys(min(v, hardest_mm_s) for v in self.grid.speeds_mm_s))
        step = self.grid.step_rad * share
        return replace(self.grid, step_rad=step, places=places, speeds_mm_s=speeds)


QUICK = Effort(
    grid=Grid(places=13, speeds_mm_s=(1200.0, 2200.0, 3800.0), step_rad=math.radians(1.5)),
    ghosts=9,
    kept=110,
    stages=((10, 36), (40, 12)),
    ideas=4,
    local=0,
    final=160,
    fresh=400,
)
"""The first answer."""

MATCH = Effort(
    grid=Grid(
        places=15,
        speeds_mm_s=(1100.0, 1900.0, 3200.0, 5200.0, 7800.0),
        step_rad=math.radians(1.0),
    ),
    ghosts=11,
    kept=160,
    stages=((10, 60), (32, 18)),
    ideas=4,
    local=40,
    final=160,
    fresh=64,
    finest=0.35,
)
"""What programs play whole matches with: a third of the work, and nobody reads the chances."""

FULL = Effort(
    grid=Grid(
        places=21,
        speeds_mm_s=(900.0, 1400.0, 2100.0, 3200.0, 5000.0, 7500.0),
        step_rad=math.radians(0.6),
    ),
    ghosts=15,
    kept=320,
    stages=((12, 110), (40, 30)),
    ideas=6,
    local=96,
    final=400,
    fresh=1000,
)
"""The full answer."""
