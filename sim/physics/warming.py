"""Compiling the kernels once, so that no user waits for it in the middle of a game."""

from collections.abc import Callable

import numpy as np

from carrom.boards import ICF_BOARD
from carrom.layouts import opening_position
from carrom.seats import Seat
from carrom.stroke import Stroke
from sim.physics import engine
from sim.physics.batch import batch_table, simulate_batch
from sim.physics.declumping import scatter_men
from sim.physics.kernel import cache_folder
from sim.physics.simulation import simulate

__all__ = ["is_compiled", "warm_up"]

_WAIT = "Compiling the physics engine. This takes about half a minute and happens once."
_EVERY_TIME = (
    "Compiling the physics engine. No folder could be written to keep the result, so this happens "
    "at every start; set NUMBA_CACHE_DIR to a folder that can be written."
)
_READY = "The physics engine is ready."


def is_compiled() -> bool:
    """Whether an earlier run left the compiled engine in the cache."""
    folder = cache_folder(engine.__name__)
    return folder is not None and any(folder.rglob("*.nbi"))


def warm_up(say: Callable[[str], None] | None = None) -> None:
    """Compile every kernel, or load it from the cache (a second); ``say`` gets lines for people."""
    if not is_compiled():
        _say(say, _EVERY_TIME if cache_folder(engine.__name__) is None else _WAIT)
    position = opening_position(ICF_BOARD)
    placement = (0.0, ICF_BOARD.base_lines_y.middle_mm)
    stroke = Stroke(seat=Seat.SOUTH, placement_mm=placement, angle_rad=1.5, speed_mm_s=50.0)
    simulate(position, stroke, ICF_BOARD)
    table = batch_table(position, ICF_BOARD)
    strokes = np.array([[*placement, 1.5, 50.0]])
    men_mm = scatter_men(table, strokes, 0.1, np.random.default_rng(0))
    simulate_batch(table, strokes, men_mm=men_mm)
    _say(say, _READY)


def _say(say: Callable[[str], None] | None, line: str) -> None:
    if say is not None:
        say(line)
