"""A table that is played by a script: views of it without a picture, a film or physics.

Ways are straight and slow down evenly, which is all that following asks of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import cos, hypot, pi, sin

import numpy as np

from carrom.boards import ICF_BOARD
from carrom.pieces import PieceKind
from vision.seen import DiscSeen, Place
from vision.table_view import CELLS, Look, TableView

FPS = 30.0
SLOWING_MM_S2 = 1200.0
WHITE, BLACK, QUEEN, STRIKER = (
    PieceKind.WHITE,
    PieceKind.BLACK,
    PieceKind.QUEEN,
    PieceKind.STRIKER,
)
MEN: tuple[tuple[PieceKind, float, float], ...] = (
    (WHITE, 150.0, 150.0),
    (BLACK, -150.0, 40.0),
    (WHITE, -90.0, 220.0),
    (QUEEN, 20.0, 30.0),
    (BLACK, 240.0, -60.0),
)
BASE = (0.0, -252.6)

Way = Callable[[float], tuple[float, float, Place] | None]
"""Place at a time; ``None``: nowhere to be seen."""


def lies(x: float, y: float, *, from_s: float = 0.0, until_s: float = 1e9) -> Way:
    """At rest in a span of time."""
    return lambda t: (x, y, Place.SURFACE) if from_s <= t < until_s else None


def slides(
    start: tuple[float, float], end: tuple[float, float], at_s: float, *, then: Place | None
) -> Way:
    """At rest, from ``at_s`` on to ``end``, where it stops; ``then``: how it lies there."""
    far = hypot(end[0] - start[0], end[1] - start[1])
    took = (2 * far / SLOWING_MM_S2) ** 0.5

    def at(t: float) -> tuple[float, float, Place] | None:
        left = max(0.0, took - max(0.0, t - at_s))
        share = 1.0 - 0.5 * SLOWING_MM_S2 * left * left / far
        if t >= at_s + took:
            return None if then is None else (*end, then)
        x, y = (a + (b - a) * share for a, b in zip(start, end, strict=True))
        return x, y, Place.SURFACE

    return at


@dataclass
class PlayedTable:
    """Discs by kind and way. ``hands``: (from_s, until_s, x, y) of squares of two cells."""

    discs: list[tuple[PieceKind, Way]]
    duration_s: float
    hands: list[tuple[float, float, float, float]] = field(default_factory=list)
    noise_mm: float = 0.4
    seed: int = 0
    missed: float = 0.0

    def views(self, *, t0_s: float = 0.0, shuffle: bool = False) -> list[TableView]:
        """One a frame, each with a look; film time plus ``t0_s``."""
        rng, order = np.random.default_rng(self.seed), np.random.default_rng(5)
        out = []
        for seq in range(int(self.duration_s * FPS) + 1):
            t = seq / FPS
            seen = [self._seen(kind, way(t), rng) for kind, way in self.discs]
            discs = [one for one in seen if one is not None]
            if shuffle:
                order.shuffle(discs)  # type: ignore[arg-type]
            covered, changed = self._covered(t), self._changed(t)
            out.append(TableView(t0_s + t, seq, Look(tuple(discs)), covered, changed))
        return out

    def _seen(
        self, kind: PieceKind, at: tuple[float, float, Place] | None, rng: np.random.Generator
    ) -> DiscSeen | None:
        off = rng.normal(0, self.noise_mm, 2)
        missed = rng.random() < self.missed
        if at is None or missed:
            return None
        return disc_seen(kind, at[0] + float(off[0]), at[1] + float(off[1]), at[2])

    def _changed(self, t: float) -> np.ndarray:
        """All cells, if anything moves."""
        before = t - 1 / FPS
        moves = any(way(t) != way(before) for _, way in self.discs)
        moves = moves or bool((self._covered(t) != self._covered(before)).any())
        return np.full((CELLS, CELLS), moves, dtype=np.bool_)

    def _covered(self, t: float) -> np.ndarray:
        cells = np.zeros((CELLS, CELLS), dtype=np.bool_)
        line = (np.arange(CELLS) + 0.5) / CELLS * 2 - 1
        half = ICF_BOARD.half_mm * 1.15
        for start, end, x, y in self.hands:
            if start <= t < end:
                near = np.maximum(np.abs(line * half - x)[None], np.abs(-line * half - y)[:, None])
                cells |= near < 60.0
        return cells


def disc_seen(kind: PieceKind, x: float, y: float, place: Place = Place.SURFACE) -> DiscSeen:
    """Seen wholly and named surely."""
    radius = ICF_BOARD.radii_mm[kind]
    odds = dict.fromkeys((WHITE, BLACK, QUEEN, STRIKER), 0.02 / 3) | {kind: 0.98}
    return DiscSeen(
        kind, x, y, 0.0, 0.0, radius, radius, place, 1.0, 0.98, odds, refined=True
    )  # fmt: skip


def resting(men: Sequence[tuple[PieceKind, float, float]] = MEN) -> list[tuple[PieceKind, Way]]:
    """All men at rest."""
    return [(kind, lies(x, y)) for kind, x, y in men]


def sunk_white(*, base: tuple[float, float] = BASE) -> PlayedTable:
    """South pockets the white man at (150, 150) in the north-east; the striker stays there."""
    man, reach = (150.0, 150.0), ICF_BOARD.radii_mm[WHITE] + ICF_BOARD.radii_mm[STRIKER]
    touch = man[0] - reach * cos(pi / 4), man[1] - reach * sin(pi / 4)
    far = hypot(touch[0] - base[0], touch[1] - base[1])
    took = (2 * far / SLOWING_MM_S2) ** 0.5
    pocket = ICF_BOARD.pocket_centres
    hole = next(p for p in pocket.values() if p.x_mm > 0 and p.y_mm > 0)
    discs = [row for row in resting() if row[1](0.0) != (*man, Place.SURFACE)]
    discs.append((WHITE, slides(man, (hole.x_mm, hole.y_mm), 1.4 + 0.7 * took, then=Place.POCKET)))
    discs.append((STRIKER, slides(base, touch, 1.4, then=Place.SURFACE)))
    return PlayedTable(discs, 4.0)


def turned(view: TableView) -> TableView:
    """The same table turned a quarter counter-clockwise: what lay in the south lies in the east."""
    assert view.look is not None
    discs = tuple(replace(d, x_mm=-d.y_mm, y_mm=d.x_mm) for d in view.look.discs)
    return replace(view, look=Look(discs), covered=np.rot90(view.covered).copy())
