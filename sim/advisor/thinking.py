"""From a situation to advice: a first answer, then the full one, for as long as somebody wants it.

Pure but for the clock and the executor that are passed in: the same situation, skill and seed give
the same advice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from referee.state import Phase
from sim.advisor.breaks import break_advice, wants_break
from sim.advisor.choice import chosen
from sim.advisor.effort import FULL, QUICK, Effort
from sim.advisor.ghost_disc import ghost_strokes
from sim.advisor.legal_direction import crosses_base_line, must_cross_base_line
from sim.advisor.race import Racer, neighbours, racer_for, signatures
from sim.advisor.seat_view import seat_table
from sim.advisor.situation import Situation
from sim.advisor.skill import CLUB, Skill
from sim.advisor.suggestion import Advice, Refusal, Stage, Step
from sim.advisor.sweep import best_of_sweep, swept
from sim.advisor.workers import ThoughtCancelled, Workers
from sim.physics.arrays import FloatArray

__all__ = ["advise", "best_advice", "thoughts"]

_BACKWARD_ALONE = -0.7072
_SOFT_SPEEDS = (350.0, 600.0, 1000.0, 1700.0)
_SOFT_PLACES, _SOFT_ANGLES, _SOFT_KEPT = 7, 25, 24


@dataclass(slots=True)
class _Timer:
    """Seconds and strokes of each step; without a clock all seconds are 0."""

    clock: Callable[[], float] | None
    workers: Workers
    steps: list[Step] = field(default_factory=list)
    _last_s: float = 0.0
    _strokes: int = 0

    def start(self) -> None:
        self._last_s = 0.0 if self.clock is None else self.clock()

    def lap(self, name: str) -> None:
        """The step that just ended."""
        now = 0.0 if self.clock is None else self.clock()
        done = self.workers.strokes
        self.steps.append(Step(name, now - self._last_s, done - self._strokes))
        self._last_s, self._strokes = now, done


def thoughts(
    situation: Situation,
    skill: Skill = CLUB,
    *,
    seed: int = 0,
    efforts: tuple[Effort, ...] = (QUICK, FULL),
    alone: bool = False,
    at_rest: bool = True,
    executor: Executor | None = None,
    cancelled: Callable[[], bool] | None = None,
    clock: Callable[[], float] | None = None,
) -> Iterator[Advice]:
    """Ever better advice; ends early, without a word, once ``cancelled()`` is true.

    ``executor``: shares the simulations (give it as many threads as there are free cores; the
    kernels release the GIL). ``clock``: monotonic seconds, for ``Advice.steps``. ``alone``: one
    player clears the board, whoever's turn it would be. ``at_rest`` false: refused. Raises
    ``PositionError`` for discs that cannot lie so.
    """
    refusal = _refusal(situation, at_rest=at_rest)
    if refusal is not None:
        yield Advice(seat=situation.seat, stage=Stage.FULL, refusal=refusal)
        return
    table = seat_table(situation)
    if wants_break(situation):
        advice = break_advice(situation)
        if advice is not None:
            yield advice
            return
    workers = Workers(executor, cancelled)
    racer = racer_for(situation, table, skill, np.random.default_rng(seed), workers, alone=alone)
    try:
        yield from _Thinker(racer, _Timer(clock, workers)).answers(efforts)
    except ThoughtCancelled:
        return


def advise(
    situation: Situation,
    skill: Skill = CLUB,
    *,
    seed: int = 0,
    executor: Executor | None = None,
    clock: Callable[[], float] | None = None,
) -> Advice:
    """The full advice, when nobody waits for a first one. See ``thoughts``."""
    return best_advice(
        thoughts(situation, skill, seed=seed, efforts=(FULL,), executor=executor, clock=clock)
    )


def best_advice(stream: Iterator[Advice]) -> Advice:
    """The last advice of a stream that is not cancelled."""
    *_, last = stream
    return last


def _refusal(situation: Situation, *, at_rest: bool) -> Refusal | None:
    if not at_rest:
        return Refusal.NOT_AT_REST
    if situation.state.phase is not Phase.PLAY:
        return Refusal.NOT_IN_PLAY
    return None if len(situation.position) else Refusal.NOTHING_TO_STRIKE


@dataclass(slots=True)
class _Thinker:
    """One situation being thought about; ``best``: candidates worth another look; ``soft``: strokes
    that try nothing."""

    racer: Racer
    timer: _Timer
    best: FloatArray = field(default_factory=lambda: np.empty((0, 4)))
    soft: FloatArray = field(default_factory=lambda: np.empty((0, 4)))

    def answers(self, efforts: tuple[Effort, ...]) -> Iterator[Advice]:
        """One answer for each effort."""
        racer = self.racer
        if not len(racer.placements):
            yield self._refused(Refusal.NO_PLACE)
            return
        self.timer.start()
        for number, effort in enumerate(efforts):
            candidates = self._candidates(effort)
            if not len(candidates):
                yield self._refused(Refusal.NO_STROKE)
                return
            finalists = self._race(candidates, effort)
            self.best = finalists
            count = effort.samples(effort.final, len(racer.situation.position))
            scores = racer.scores(finalists, racer.draws(count), leave=True)
            self.timer.lap("final")
            fresh = racer.draws(effort.fresh)
            suggestions, safe = chosen(racer, finalists, scores, fresh, soft=self.soft)
            self.timer.lap("fresh")
            last = number == len(efforts) - 1
            yield Advice(
                seat=racer.situation.seat,
                stage=Stage.FULL if last else Stage.FIRST,
                suggestions=suggestions,
                safe=safe,
                steps=tuple(self.timer.steps),
                adjudications=racer.judge.adjudications,
            )

    def _refused(self, refusal: Refusal) -> Advice:
        return Advice(seat=self.racer.situation.seat, stage=Stage.FULL, refusal=refusal)

    def _candidates(self, effort: Effort) -> FloatArray:
        """From the last answer, from geometry, from a sweep, and soft ones; all legal."""
        racer = self.racer
        table, situation, placements = racer.table, racer.situation, racer.placements
        surface, board = situation.surface, situation.board
        wanted = self._wanted()
        places = placements.spread(effort.ghosts)
        ghosts = self._legal(ghost_strokes(table, board, surface, wanted, places))
        self.timer.lap("ghosts")
        fine = effort.grid_for(len(wanted), racer.skill.hardest_mm_s)
        grid = swept(fine, placements.spread(fine.places))
        tops = best_of_sweep(table, grid, racer.judge, racer.skill, racer.workers, effort.kept)
        self.timer.lap("sweep")
        ghosts = self._screened(ghosts, effort.kept // 2)
        self.soft = self._legal(self._soft())
        self.timer.lap("screen")
        found = np.concatenate([self.best, ghosts, self._legal(tops), self.soft])
        return found[found[:, 3] <= racer.skill.hardest_mm_s]

    def _wanted(self) -> NDArray[np.bool_]:
        kinds = self.racer.judge.wanted_now()
        return np.array([kind in kinds for kind in self.racer.table.kinds[:-1]], dtype=np.bool_)

    def _legal(self, strokes: FloatArray) -> FloatArray:
        """Only strokes in a direction that the laws allow, with room for the hand's spread.

        Alone: those of the IIT Bombay task, 45 degrees backward at most.
        """
        situation, table = self.racer.situation, self.racer.table
        if self.racer.judge.alone:
            return strokes[np.sin(strokes[:, 2]) >= _BACKWARD_ALONE]
        if not len(strokes) or not must_cross_base_line(situation.laws):
            return strokes
        men, radii = table.men_mm, table.radius_mm[:-1]
        keep = np.ones(len(strokes), dtype=np.bool_)
        spread = 2.5 * self.racer.skill.angle_rad
        for turn in (0.0, spread, -spread):
            turned = strokes + np.array([0.0, 0.0, turn, 0.0])
            keep &= crosses_base_line(turned, situation.board, men, radii)
        return strokes[keep]

    def _screened(self, strokes: FloatArray, count: int) -> FloatArray:
        """The best by a few samples each."""
        if len(strokes) <= count:
            return strokes
        batch = self.racer.workers.simulate(self.racer.table, strokes)
        value = self.racer.judge.verdicts(batch, strokes).value(0.5)
        return strokes[np.argsort(-value, kind="stable")[:count]]

    def _soft(self) -> FloatArray:
        """Soft strokes that leave the opponent least, for when nothing can be pocketed."""
        racer = self.racer
        places = racer.placements.spread(_SOFT_PLACES)
        angles = np.linspace(np.radians(8), np.radians(172), _SOFT_ANGLES)
        x, v, a = (
            m.ravel()
            for m in np.meshgrid(np.arange(len(places)), _SOFT_SPEEDS, angles, indexing="ij")
        )
        strokes = np.column_stack([places[x.astype(np.int64)], a, v])
        one = racer.draws(1)
        exact = replace(one, hand=np.zeros((1, 4)))
        scores = racer.scores(strokes, exact, leave=True)
        value = scores.value - 2.0 * (scores.foul > 0)
        return strokes[np.argsort(-value, kind="stable")[:_SOFT_KEPT]]

    def _race(self, candidates: FloatArray, effort: Effort) -> FloatArray:
        """The finalists: a few for each of the best ideas."""
        racer, men = self.racer, len(self.racer.situation.position)
        for number, (samples, kept) in enumerate(effort.stages):
            draws = racer.draws(effort.samples(samples, men))
            scores = racer.scores(candidates, draws, leave=number > 0)
            order = np.argsort(-scores.value, kind="stable")
            if number == len(effort.stages) - 1:
                order = _varied(order, signatures(scores), effort.ideas, kept)
            candidates = candidates[order[:kept]]
        self.timer.lap("race")
        if effort.local:
            ideas = candidates[: effort.ideas]
            around = [
                neighbours(stroke, racer.placements, racer.skill.hardest_mm_s) for stroke in ideas
            ]
            near = self._legal(np.concatenate([*around, candidates[effort.ideas :]]))
            draws = racer.draws(effort.samples(effort.local, men))
            scores = racer.scores(near, draws, leave=True)
            order = np.argsort(-scores.value, kind="stable")
            order = _varied(order, signatures(scores), effort.ideas, 2 * effort.ideas)
            candidates = near[order]
            self.timer.lap("local")
        return candidates


def _varied(
    order: NDArray[np.int64], ideas: list[tuple[int, int]], different: int, count: int
) -> NDArray[np.int64]:
    """The best of each of ``different`` ideas first, then the next best of anything."""
    first: list[int] = []
    rest: list[int] = []
    seen: set[tuple[int, int]] = set()
    for index in order.tolist():
        idea = ideas[index]
        if idea not in seen and len(seen) < different:
            seen.add(idea)
            first.append(index)
        else:
            rest.append(index)
    return np.array((first + rest)[:count], dtype=np.int64)
