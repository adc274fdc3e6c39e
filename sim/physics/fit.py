"""Fitting the surface of a board to recorded strokes.

First straight from free slides and from the speeds before and after impacts
(``sim.physics.fit_slides``), then by least squares through the engine: the parameters of the
surface, shared by all recordings, and the unknowns of each recording (``sim.physics.fit_scene``)
are varied together until the engine's paths run through the sightings (Levenberg-Marquardt; Cauchy
weights, so that a wrong sighting or a stroke that went another way does not pull).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from carrom.board_spec import BoardSpec
from sim.physics.arrays import FloatArray
from sim.physics.fit_data import FITTED_FIELDS, FittedParameter, FittedSurface, RecordedStroke
from sim.physics.fit_scene import Scene, Slopes, make_scene, surface_of
from sim.physics.fit_slides import first_guess
from sim.physics.surface import SURFACE_PRIORS, SurfaceParams

__all__ = ["fit_surface"]

_ROUNDS = ((1, 6), (2, 8))
"""Contacts in a chain that count, and steps: first near things, then far ones."""
_LAST_STEPS = 4
_CAUCHY = 3.0
_SIZE_QUANTILE, _NORMAL_SIZE = 0.8, 1.2816
"""The size of a recording's residuals is this quantile; of a standard normal number it is 1.28."""
_UNEXPLAINED = 2.5
"""A recording whose residuals are so many times the usual size is left out of the surface."""
_TELLING = 0.5
"""The data tell a parameter if its error is less than this share of the prior's."""


def fit_surface(
    recordings: Sequence[RecordedStroke],
    board: BoardSpec,
    prior: SurfaceParams,
    *,
    noise_mm: float = 0.5,
) -> FittedSurface:
    """Fit the friction per kind, both restitutions, rim and frame friction.

    ``noise_mm``: what a seen coordinate is off by, about; it decides where slides are cut, while
    errors are scaled to the residuals found. Strokes from 0.8 to 3 m/s with one or two contacts
    are best; twenty suffice. Nothing usable gives the prior back, with every flag down.
    """
    guess = first_guess(recordings, board, prior, noise_mm)
    start = surface_of(prior, guess)
    scenes = [make_scene(recording, board, start, noise_mm) for recording in recordings]
    fit = _Fit([scene for scene in scenes if scene is not None], prior, start)
    for depth, steps in _ROUNDS:
        fit.improve(depth, steps)
    fit.forget_the_untold()
    fit.improve(_ROUNDS[-1][0], _LAST_STEPS)
    return fit.result(len(recordings))


@dataclass(slots=True, eq=False)
class _State:
    """Slopes of every scene (``None``: unplayable) at one point, the scale, and who counts."""

    counted: list[NDArray[np.bool_] | None]
    slopes: list[Slopes | None]
    scale: float
    explained: list[bool]


class _Fit:
    """The unknowns and their improvement."""

    def __init__(self, scenes: list[Scene], prior: SurfaceParams, start: SurfaceParams) -> None:
        self._scenes = scenes
        self._prior = prior
        self._surface = start
        self._center = np.array([getattr(prior, name) for name in FITTED_FIELDS])
        bounds = [SURFACE_PRIORS[name] for name in FITTED_FIELDS]
        self._width = np.array([(bound.high - bound.low) / 2 for bound in bounds])
        self._free = np.ones(len(FITTED_FIELDS), dtype=np.bool_)
        self._state: _State | None = None
        self._depth = _ROUNDS[-1][0]

    def _values(self) -> FloatArray:
        return np.array([getattr(self._surface, name) for name in FITTED_FIELDS])

    def improve(self, depth: int, steps: int) -> None:
        """So many Levenberg-Marquardt steps; stops when they lead nowhere."""
        self._depth = depth
        damping = 1e-3
        for _ in range(steps):
            state = self._look()
            cost = self._cost(state, self._surface, [scene.local for scene in self._scenes])
            while damping < 1e3:
                surface, locals_ = self._step(state, damping)
                better = self._cost(state, surface, locals_)
                if better < cost:
                    break
                damping *= 10.0
            else:
                return
            self._surface = surface
            for scene, local in zip(self._scenes, locals_, strict=True):
                scene.local = local
            if cost - better < 1e-5 * cost:
                return
            damping = max(damping / 10.0, 1e-9)

    def _look(self) -> _State:
        """Slopes at the present unknowns; the sightings that count are chosen anew."""
        counted: list[NDArray[np.bool_] | None] = []
        slopes: list[Slopes | None] = []
        for scene in self._scenes:
            trajectory = scene.play(self._surface, scene.local)
            rows = None if trajectory is None else scene.counted(trajectory, self._depth)
            counted.append(rows)
            slopes.append(None if rows is None else scene.slopes(self._surface, rows))
        sizes = [
            math.inf
            if slope is None
            else float(np.quantile(np.abs(slope.residuals), _SIZE_QUANTILE))
            for slope in slopes
        ]
        usual = float(np.median([size for size in sizes if math.isfinite(size)] or [1.0]))
        scale = max(usual / _NORMAL_SIZE, 1e-3)
        explained = [size <= _UNEXPLAINED * usual for size in sizes]
        return _State(counted, slopes, scale, explained)

    def _cost(self, state: _State, surface: SurfaceParams, locals_: list[FloatArray]) -> float:
        total = 0.0
        for k, scene in enumerate(self._scenes):
            rows = state.counted[k]
            if not state.explained[k] or rows is None:
                continue
            off = scene.off(surface, locals_[k], rows)
            if off is None:
                return math.inf
            bound = _CAUCHY * state.scale
            total += bound**2 * float(np.log1p((off / bound) ** 2).sum())
        values = np.array([getattr(surface, name) for name in FITTED_FIELDS])
        return total + float((((values - self._center) / self._width) ** 2).sum()) * state.scale**2

    @staticmethod
    def _normal(slope: Slopes, scale: float) -> tuple[FloatArray, FloatArray]:
        """Weighted J^T J and J^T r by (surface, local)."""
        weights = 1.0 / (1.0 + (slope.residuals / (_CAUCHY * scale)) ** 2)
        slopes = np.hstack([slope.by_surface, slope.by_local])
        weighted = slopes * weights[:, None]
        return slopes.T @ weighted, weighted.T @ slope.residuals

    def _step(self, state: _State, damping: float) -> tuple[SurfaceParams, list[FloatArray]]:
        """The damped step; every recording's own unknowns are eliminated first."""
        fields = len(FITTED_FIELDS)
        grip = np.diag((state.scale / self._width) ** 2)
        matrix, right = grip.copy(), grip @ (self._center - self._values())
        solved: list[tuple[FloatArray, FloatArray] | None] = []
        for slope, is_explained in zip(state.slopes, state.explained, strict=True):
            if slope is None:
                solved.append(None)
                continue
            both, gradient = self._normal(slope, state.scale)
            own = both[fields:, fields:]
            own = own + np.diag(damping * np.diag(own) + 1e-9)
            coupling = _solve(own, both[fields:, :fields])
            local_step = _solve(own, -gradient[fields:])
            solved.append((local_step, coupling))
            if is_explained:
                matrix += both[:fields, :fields] - both[:fields, fields:] @ coupling
                right += -gradient[:fields] - both[:fields, fields:] @ local_step
        matrix += np.diag(damping * np.diag(matrix))
        step = np.zeros(fields)
        free = self._free
        step[free] = _solve(matrix[np.ix_(free, free)], right[free])
        values = dict(zip(FITTED_FIELDS, self._values() + step, strict=True))
        locals_ = [
            scene.local if found is None else scene.local + found[0] - found[1] @ step
            for scene, found in zip(self._scenes, solved, strict=True)
        ]
        return surface_of(self._prior, values), locals_

    def _errors(self, state: _State) -> FloatArray:
        """(7,) standard errors of the fields that are not fixed; of the others the prior's width.

        The greater of two: from the curvature, and from how much the recordings disagree (their
        gradients), which also knows of what the model of a smooth path with noise leaves out.
        """
        fields, free = len(FITTED_FIELDS), self._free
        curvature, spread = np.diag(self._width**-2.0), np.zeros((fields, fields))
        count = 0
        for slope, is_explained in zip(state.slopes, state.explained, strict=True):
            if slope is None or not is_explained:
                continue
            both, gradient = (part / state.scale**2 for part in self._normal(slope, state.scale))
            own = both[fields:, fields:] + 1e-9 * np.eye(len(both) - fields)
            coupling = _solve(own, both[fields:, :fields])
            curvature += both[:fields, :fields] - both[:fields, fields:] @ coupling
            pull = gradient[:fields] - coupling.T @ gradient[fields:]
            spread += np.outer(pull, pull)
            count += 1
        inverse = np.linalg.inv(curvature[np.ix_(free, free)])
        spread = inverse @ spread[np.ix_(free, free)] @ inverse
        spread *= count / max(count - free.sum(), 1)
        errors = self._width.copy()
        errors[free] = np.sqrt(np.maximum(np.diag(inverse), np.diag(spread)))
        return errors

    def forget_the_untold(self) -> None:
        """Fix at the prior what the data do not tell."""
        errors = self._errors(self._look())
        self._free = errors < _TELLING * self._width
        values = np.where(self._free, self._values(), self._center)
        self._surface = surface_of(self._prior, dict(zip(FITTED_FIELDS, values, strict=True)))

    def result(self, given: int) -> FittedSurface:
        """Values, errors and flags at the present unknowns."""
        state = self._look()
        errors = self._errors(state)
        off = [
            slope.residuals
            for slope, is_explained in zip(state.slopes, state.explained, strict=True)
            if slope is not None and is_explained
        ]
        noise_mm = self._scenes[0].noise_mm if self._scenes else 0.0
        return FittedSurface(
            surface=self._surface,
            parameters={
                name: FittedParameter(float(value), float(error), bool(is_free))
                for name, value, error, is_free in zip(
                    FITTED_FIELDS, self._values(), errors, self._free, strict=True
                )
            },
            used=sum(state.explained),
            given=given,
            rms_mm=state.scale * noise_mm if off else math.nan,
        )


def _solve(matrix: FloatArray, right: FloatArray) -> FloatArray:
    return np.asarray(np.linalg.solve(matrix, right), dtype=np.float64)
