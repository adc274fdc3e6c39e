"""One recorded stroke as the engine sees it: what is unknown about it, how far the engine is off.

Besides the surface, each recording has its own unknowns ("local"): place, angle and speed of the
striker when it was first seen sliding, and the exact places of the men that moved. Sightings count
only as long as the engine can be trusted to play the same stroke: errors grow some thirtyfold at
each contact, so a disc counts up to its contact number ``depth`` in a chain, and up to a pocket.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from carrom.board_spec import BoardSpec
from carrom.errors import CarromError
from carrom.pieces import PieceKind
from carrom.seats import Seat
from carrom.stroke import MAX_SPEED_MM_S, Stroke
from sim.physics.arrays import FloatArray, position_of
from sim.physics.fit_data import FITTED_FIELDS, RecordedStroke
from sim.physics.fit_slides import rest_place, slides_of
from sim.physics.simulation import simulate
from sim.physics.surface import SURFACE_LIMITS, SurfaceParams
from sim.physics.trajectory import ImpactKind, Trajectory

__all__ = ["Scene", "Slopes", "make_scene", "surface_of"]

_LAUNCH = 4
_FIELD_STEP = 1e-4
_LOCAL_STEPS = (0.01, 0.01, 1e-4, 1.0)
_PLACE_STEP_MM = 0.01
_MOVED_MM = 4.0
_SHORT = 4
_LOOSE_MM = 5.0
"""Prior of a man's place that was not seen before the stroke."""
_UNTRUSTED = (ImpactKind.POCKETED, ImpactKind.OVER_POCKET, ImpactKind.OFF_BOARD)


@dataclass(frozen=True, slots=True, eq=False)
class Slopes:
    """Residuals (m,) in units of the noise, and their slopes by surface (m, 7) and local (m, l)."""

    residuals: FloatArray
    by_surface: FloatArray
    by_local: FloatArray


@dataclass(slots=True, eq=False)
class Scene:
    """``local``: x, y, angle, speed of the striker at ``start_s``, then x, y of every mover.

    ``men_mm``: (n - 1, 2) places of all men before the stroke; ``place_error_mm``: (movers,), of
    the places of those that moved, as far as the pictures before the stroke tell.
    """

    recording: RecordedStroke
    board: BoardSpec
    start_s: float
    men_mm: FloatArray
    movers: tuple[int, ...]
    place_error_mm: FloatArray
    local: FloatArray
    noise_mm: float

    def play(self, surface: SurfaceParams, local: FloatArray) -> Trajectory | None:
        """The engine's version; ``None`` for unknowns that no stroke can have."""
        men_mm = self.men_mm.copy()
        men_mm[list(self.movers)] = local[_LAUNCH:].reshape(-1, 2)
        try:
            stroke = Stroke(
                seat=Seat.SOUTH,
                placement_mm=(float(local[0]), float(local[1])),
                angle_rad=float(local[2]),
                speed_mm_s=float(local[3]),
            )
            position = position_of(self.recording.kinds[:-1], men_mm)
            return simulate(position, stroke, self.board, surface)
        except CarromError:
            return None

    def counted(self, trajectory: Trajectory, depth: int) -> NDArray[np.bool_]:
        """(k, n) bool: the sightings up to which the engine plays the stroke that was seen."""
        times = self.recording.t_s - self.start_s
        until = _trusted_until(trajectory, depth)
        rows = np.isfinite(self.recording.xy_mm).all(axis=2)
        rows &= (times[:, None] >= -1e-9) & (times[:, None] < until)
        discs = np.zeros(len(until), dtype=np.bool_)
        discs[[*self.movers, len(until) - 1]] = True
        return np.asarray(rows & discs)

    def residuals(
        self, trajectory: Trajectory, local: FloatArray, counted: NDArray[np.bool_]
    ) -> FloatArray:
        """Engine minus recording, and the men's places minus those seen before; over the noise."""
        places = trajectory.positions_over(self.recording.t_s - self.start_s)
        off = (places - self.recording.xy_mm)[counted].ravel() / self.noise_mm
        moved = local[_LAUNCH:].reshape(-1, 2) - self.men_mm[list(self.movers)]
        return np.concatenate([off, (moved / self.place_error_mm[:, None]).ravel()])

    def off(
        self, surface: SurfaceParams, local: FloatArray, counted: NDArray[np.bool_]
    ) -> FloatArray | None:
        """``residuals`` of these unknowns."""
        trajectory = self.play(surface, local)
        return None if trajectory is None else self.residuals(trajectory, local, counted)

    def slopes(self, surface: SurfaceParams, counted: NDArray[np.bool_]) -> Slopes | None:
        """Residuals and slopes at ``local`` by forward differences."""
        base = self.off(surface, self.local, counted)
        if base is None:
            return None
        by_surface = np.zeros((len(base), len(FITTED_FIELDS)))
        for column, name in enumerate(FITTED_FIELDS):
            value = getattr(surface, name)
            step = _FIELD_STEP if value + _FIELD_STEP <= SURFACE_LIMITS[name][1] else -_FIELD_STEP
            nearby = replace(surface, **{name: value + step})
            off = self.off(nearby, self.local, counted)
            by_surface[:, column] = 0.0 if off is None else (off - base) / step
        by_local = np.zeros((len(base), len(self.local)))
        steps = (*_LOCAL_STEPS, *([_PLACE_STEP_MM] * (len(self.local) - _LAUNCH)))
        for column, step in enumerate(steps):
            local = self.local.copy()
            local[column] += step
            off = self.off(surface, local, counted)
            by_local[:, column] = 0.0 if off is None else (off - base) / step
        return Slopes(base, by_surface, by_local)


def make_scene(
    recording: RecordedStroke, board: BoardSpec, surface: SurfaceParams, noise_mm: float
) -> Scene | None:
    """First values of the unknowns; ``None`` if the striker is not seen sliding by itself."""
    striker = len(recording.kinds) - 1
    slides = slides_of(recording, striker, noise_mm)
    if not slides:
        return None
    slowing = surface.deceleration_mm_s2(PieceKind.STRIKER)
    # The first sighting may still be the striker at rest, just before the flick.
    start_s = float(slides[0].t_s[1 if len(slides[0].t_s) > _SHORT else 0])
    place, velocity = slides[0].state_at(start_s, slowing)
    speed = math.hypot(*velocity)
    if not 1.0 < speed < MAX_SPEED_MM_S:
        return None
    kept = [disc for disc in range(striker) if len(recording.seen(disc)[0]) > 0]
    seen = _only(recording, [*kept, striker])
    rests = [rest_place(seen, disc, noise_mm) for disc in range(len(kept))]
    men_mm = np.array([place for place, _ in rests]).reshape(len(kept), 2)
    movers = tuple(disc for disc in range(len(kept)) if _has_moved(seen, disc, men_mm[disc]))
    errors = np.full(len(movers), _LOOSE_MM)
    for number, disc in enumerate(movers):
        t_s, xy_mm = seen.seen(disc)
        before = int(np.searchsorted(t_s, start_s))
        if before > 0:  # later sightings count as residuals, not twice
            men_mm[disc] = xy_mm[:before].mean(axis=0)
            errors[number] = noise_mm / math.sqrt(before)
    launch = (*place, math.atan2(velocity[1], velocity[0]), speed)
    local = np.concatenate([launch, men_mm[list(movers)].ravel()])
    return Scene(seen, board, start_s, men_mm, movers, errors, local, noise_mm)


def surface_of(prior: SurfaceParams, values: Mapping[str, float]) -> SurfaceParams:
    """The prior with some fields replaced, each within what ``SurfaceParams`` accepts."""
    limits = SURFACE_LIMITS
    return replace(
        prior, **{name: float(np.clip(value, *limits[name])) for name, value in values.items()}
    )


def _only(recording: RecordedStroke, discs: list[int]) -> RecordedStroke:
    kinds = tuple(recording.kinds[disc] for disc in discs)
    return RecordedStroke(kinds, recording.t_s, recording.xy_mm[:, discs])


def _has_moved(recording: RecordedStroke, disc: int, place: FloatArray) -> bool:
    xy_mm = recording.seen(disc)[1]
    return bool((np.hypot(*(xy_mm - place).T) > _MOVED_MM).any())


def _trusted_until(trajectory: Trajectory, depth: int) -> FloatArray:
    """(n,) float64, s: for each disc the time of the event from which it counts no more."""
    count = len(trajectory.kinds)
    until, chain = np.full(count, np.inf), np.zeros(count, dtype=np.int64)
    for event in trajectory.events:
        if event.kind is ImpactKind.CONTACT and event.b is not None:
            pair = [event.a, event.b]
            chain[pair] = chain[pair].max() + 1
            if chain[event.a] > depth or not np.isinf(until[pair]).all():
                until[pair] = np.minimum(until[pair], event.t_s)
        elif event.kind in _UNTRUSTED:
            until[event.a] = min(until[event.a], event.t_s)
    return until
