"""Free slides in recorded tracks, and what they tell at first sight about a surface.

A disc that slides alone keeps to a straight line, and the square of its speed falls evenly with the
path: v^2 = v0^2 - 2 mu g s. Seen at known times that is s = v0 t - mu g t^2 / 2, which is fitted
here, because differences between pictures would double the noise. In and out velocities at the
frame and at a struck man follow from the slides on both sides.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from carrom.board_spec import BoardSpec
from carrom.pieces import PieceKind
from sim.physics.arrays import FloatArray
from sim.physics.fit_data import RecordedStroke
from sim.physics.surface import SURFACE_LIMITS, SURFACE_PRIORS, SurfaceParams

__all__ = ["Slide", "first_guess", "rest_place", "slides_of"]

_LEAST_SAMPLES = 4
_LEAST_WAY_MM = 20.0
_MOST_SLOWING_MM_S2 = 3000.0
_LONGEST_GAP_S = 0.15
_SAME_PLACE_MM = 6.0
_STUCK_SHARE = 0.75
"""A rub that comes closer than this to what stops the slip says little about friction,"""
_LEAST_STOP = 0.25
"""and so does any rub where so little would stop the slip."""


@dataclass(frozen=True, slots=True, eq=False)
class Slide:
    """Consecutive sightings of a disc that fit one free slide: times (m,), places (m, 2), mm."""

    t_s: FloatArray
    xy_mm: FloatArray

    def slowing(self) -> tuple[float, float]:
        """Deceleration, mm/s^2, and its standard error for noise of 1 mm."""
        t = self.t_s - self.t_s.mean()
        design = np.stack([np.ones_like(t), t, t * t], axis=1)
        along = self.xy_mm @ self.direction()
        solution = np.linalg.lstsq(design, along, rcond=None)[0]
        spread = np.linalg.inv(design.T @ design)[2, 2]
        return -2.0 * float(solution[2]), 2.0 * float(np.sqrt(spread))

    def direction(self) -> FloatArray:
        """(2,) float64: unit vector of the motion."""
        centred = self.xy_mm - self.xy_mm.mean(axis=0)
        axis: FloatArray = np.linalg.svd(centred, full_matrices=False)[2][0]
        return axis if axis @ (centred[-1] - centred[0]) >= 0.0 else -axis

    def state_at(self, t_s: float, slowing: float) -> tuple[FloatArray, FloatArray]:
        """Place and velocity at a time, perhaps a little outside, given the deceleration."""
        axis = self.direction()
        t = self.t_s - t_s
        along = (self.xy_mm - self.xy_mm.mean(axis=0)) @ axis + 0.5 * slowing * t * t
        speed, offset = np.polyfit(t, along, 1)
        return self.xy_mm.mean(axis=0) + offset * axis, speed * axis

    def off_mm(self, noise_mm: float) -> float:
        """Worst distance of a sighting from the best slide; infinite for what no slide can do."""
        axis = self.direction()
        centred = self.xy_mm - self.xy_mm.mean(axis=0)
        t = self.t_s - self.t_s.mean()
        along = centred @ axis
        curve = np.polyfit(t, along, 2)
        slowing, error = -2.0 * curve[0], self.slowing()[1] * noise_mm
        if not -3.0 * error <= slowing <= _MOST_SLOWING_MM_S2 + 3.0 * error:
            return np.inf
        across = centred @ np.array([-axis[1], axis[0]])
        return float(max(np.abs(along - np.polyval(curve, t)).max(), np.abs(across).max()))


def slides_of(recording: RecordedStroke, disc: int, noise_mm: float) -> list[Slide]:
    """The free slides of one disc in order of time, each as long as it fits."""
    t_s, xy_mm = recording.seen(disc)
    found: list[Slide] = []
    if len(t_s) < _LEAST_SAMPLES or np.ptp(xy_mm, axis=0).max() < _LEAST_WAY_MM:
        return found
    first = 0
    while first + _LEAST_SAMPLES <= len(t_s):
        last = first + _LEAST_SAMPLES
        best: Slide | None = None
        while last <= len(t_s):
            slide = Slide(t_s[first:last], xy_mm[first:last])
            if slide.off_mm(noise_mm) > 4.0 * noise_mm:
                break
            best, last = slide, last + 1
        if best is None:
            first += 1
            continue
        if np.hypot(*(best.xy_mm[-1] - best.xy_mm[0])) >= _LEAST_WAY_MM:
            found.append(best)
        first = last - 2
    return found


def rest_place(recording: RecordedStroke, disc: int, noise_mm: float) -> tuple[FloatArray, int]:
    """Mean place (2,) of a disc before it first moves, and how many sightings that is."""
    xy_mm = recording.seen(disc)[1]
    if len(xy_mm) == 0:
        return np.full(2, np.nan), 0
    away = np.hypot(*(xy_mm - np.median(xy_mm[:3], axis=0)).T)
    moved = np.flatnonzero(away > 5.0 * noise_mm)
    count = int(moved[0]) if len(moved) else len(xy_mm)
    count = max(1, count)
    return xy_mm[:count].mean(axis=0), count


def first_guess(
    recordings: Sequence[RecordedStroke], board: BoardSpec, prior: SurfaceParams, noise_mm: float
) -> dict[str, float]:
    """Values of the fitted fields straight from slides, within what ``SURFACE_PRIORS`` believes;
    fields without any are missing."""
    slides = [
        [slides_of(recording, disc, noise_mm) for disc in range(len(recording.kinds))]
        for recording in recordings
    ]
    guess = _frictions(recordings, slides, prior)
    known = {**{name: getattr(prior, name) for name in SURFACE_LIMITS}, **guess}
    bounces = [
        bounce
        for recording, tracks in zip(recordings, slides, strict=True)
        for disc, track in enumerate(tracks)
        for bounce in _bounces(track, recording.kinds[disc], board, known)
    ]
    hits = [
        hit
        for recording, tracks in zip(recordings, slides, strict=True)
        for hit in _hits(recording, tracks, board, known, noise_mm)
    ]
    _from_impacts(guess, "restitution_frame", "frame_friction", bounces)
    _from_impacts(guess, "restitution_disc", "rim_friction", hits)
    bounds = SURFACE_PRIORS
    return {
        name: float(np.clip(value, bounds[name].low, bounds[name].high))
        for name, value in guess.items()
    }


def friction_field(kind: PieceKind) -> str:
    """The field of ``SurfaceParams`` with the board friction of a kind."""
    if kind is PieceKind.STRIKER:
        return "friction_striker"
    return "friction_queen" if kind in (PieceKind.QUEEN, PieceKind.JACK) else "friction_men"


def _frictions(
    recordings: Sequence[RecordedStroke], slides: list[list[list[Slide]]], prior: SurfaceParams
) -> dict[str, float]:
    found: dict[str, list[tuple[float, float]]] = {}
    for recording, tracks in zip(recordings, slides, strict=True):
        for kind, track in zip(recording.kinds, tracks, strict=True):
            for slide in track:
                if len(slide.t_s) < 6:
                    continue
                # A kink just before the last sighting may hide in the fit.
                inner = Slide(slide.t_s[1:-1], slide.xy_mm[1:-1])
                slowing, error = inner.slowing()
                found.setdefault(friction_field(kind), []).append((slowing, error**-2))
    gravity = prior.gravity_mm_s2
    return {name: _weighted_median(pairs) / gravity for name, pairs in found.items()}


def _weighted_median(pairs: Iterable[tuple[float, float]]) -> float:
    values, weights = np.array(sorted(pairs)).T
    half = np.searchsorted(np.cumsum(weights), 0.5 * weights.sum())
    return float(values[half])


@dataclass(frozen=True, slots=True)
class _Impact:
    """Restitution, and the rub over the push: what happened, and what would stop the slip (0 if
    the disc came with a spin that nobody knows)."""

    restitution: float
    rub: float
    most_rub: float

    @property
    def tells_friction(self) -> bool:
        return self.most_rub > _LEAST_STOP and self.rub < _STUCK_SHARE * self.most_rub


def _from_impacts(
    guess: dict[str, float], bounce: str, friction: str, impacts: Sequence[_Impact]
) -> None:
    if impacts:
        guess[bounce] = float(np.median([impact.restitution for impact in impacts]))
    slipping = [impact.rub for impact in impacts if impact.tells_friction]
    if slipping:
        guess[friction] = float(np.median(slipping))


def _slowing(kind: PieceKind, known: Mapping[str, float]) -> float:
    return known[friction_field(kind)] * known["gravity_mm_s2"]


def _bounces(
    track: list[Slide], kind: PieceKind, board: BoardSpec, known: Mapping[str, float]
) -> list[_Impact]:
    """Frame impacts of one disc, its slides given."""
    limit, slowing = board.half_mm - board.radii_mm[kind], _slowing(kind, known)
    found: list[_Impact] = []
    for before, after in pairwise(track):
        place, velocity = before.state_at(float(before.t_s[-1]), slowing)
        ways = (limit - np.sign(velocity) * place) / np.maximum(np.abs(velocity), 1e-9)
        axis = int(np.argmin(ways))
        if not -0.01 < ways[axis] < _LONGEST_GAP_S or after.t_s[0] - before.t_s[-1] > 0.2:
            continue
        when_s = float(before.t_s[-1]) + ways[axis]
        (there, into), (here, out) = (slide.state_at(when_s, slowing) for slide in (before, after))
        if np.hypot(*(there - here)) > _SAME_PLACE_MM or abs(into[axis]) < 150.0:
            continue
        e = -out[axis] / into[axis]
        push = (1.0 + e) * abs(into[axis])
        lost = (into[1 - axis] - out[1 - axis]) * np.sign(into[1 - axis])
        has_spin = before is not track[0] or kind is not PieceKind.STRIKER
        most = 0.0 if has_spin else abs(into[1 - axis]) / 3.0 / push
        found.append(_Impact(float(e), float(max(lost, 0.0) / push), float(most)))
    return found


def _hits(
    recording: RecordedStroke,
    tracks: list[list[Slide]],
    board: BoardSpec,
    known: Mapping[str, float],
    noise_mm: float,
) -> list[_Impact]:
    """Men that the striker hit at rest in its first slide: all follows from the man's velocity."""
    if not tracks[-1]:
        return []
    way = tracks[-1][0]
    striker = board.disc(PieceKind.STRIKER)
    found: list[_Impact] = []
    for disc, kind in enumerate(recording.kinds[:-1]):
        if not tracks[disc]:
            continue
        man_mm = rest_place(recording, disc, noise_mm)[0]
        reach = board.radii_mm[kind] + board.radii_mm[PieceKind.STRIKER]
        start_s = float(way.t_s[0])
        times = np.linspace(start_s, float(way.t_s[-1]) + _LONGEST_GAP_S, 400)
        slowing = _slowing(PieceKind.STRIKER, known)
        origin, speed = way.state_at(start_s, slowing)
        dt = (times - start_s)[:, None]
        path = origin + speed * dt - 0.5 * slowing * dt**2 * way.direction()
        near = np.flatnonzero(np.hypot(*(path - man_mm).T) <= reach)
        if len(near) == 0 or abs(times[near[0]] - tracks[disc][0].t_s[0]) > _LONGEST_GAP_S:
            continue
        u = way.state_at(float(times[near[0]]), slowing)[1]
        w = tracks[disc][0].state_at(float(times[near[0]]), _slowing(kind, known))[1]
        n = (man_mm - path[near[0]]) / np.hypot(*(man_mm - path[near[0]]))
        t = np.array([-n[1], n[0]])
        after = u - w * (board.disc(kind).mass_g.value / striker.mass_g.value)
        if u @ n < 150.0 or w @ n < 50.0:
            continue
        e = float((w - after) @ n / (u @ n))
        rub = float(np.sign(u @ t) * (w @ t) / (w @ n))
        found.append(_Impact(e, rub, float(abs(u @ t) / (3.0 * (1.0 + e) * (u @ n)))))
    return found
