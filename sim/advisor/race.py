"""Racing: many candidates with few samples, then few with many, all with the same samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sim.advisor.judge import Judge, Verdicts
from sim.advisor.leave import leave_chances
from sim.advisor.noise import Draws, draw, noisy_strokes
from sim.advisor.placements import Placements
from sim.advisor.seat_view import seat_placements
from sim.advisor.situation import Situation
from sim.advisor.skill import Skill, usual_pot
from sim.advisor.value import ClearingValue, Valuation, valuation_of
from sim.advisor.workers import Workers, repeat_rows
from sim.physics.arrays import FloatArray, IntArray, Table
from sim.physics.batch import Batch

__all__ = ["Racer", "Sample", "Scores", "neighbours", "racer_for", "signatures"]

_USUAL_CHANCE = 0.5
_LOCAL_RAD = (-0.012, -0.005, 0.005, 0.012)
_LOCAL_SPEED = (0.82, 1.22)
_LOCAL_MM = (-8.0, 8.0)


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Means over samples for c candidates, (c,) each; ``target``: (c,) the disc that falls most
    often in successes (-1: none) and ``hole`` (c,) the pocket in the seat's frame it falls in."""

    value: FloatArray
    success: FloatArray
    foul: FloatArray
    target: IntArray
    hole: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """n noisy strokes of one candidate with everything that came of them."""

    strokes: FloatArray
    batch: Batch
    verdicts: Verdicts
    leave: FloatArray
    men_mm: FloatArray
    surfaces: FloatArray


@dataclass(frozen=True, slots=True)
class Racer:
    """Everything that a race needs to know; ``rng`` is used up as it goes."""

    situation: Situation
    table: Table
    judge: Judge
    skill: Skill
    placements: Placements
    workers: Workers
    rng: np.random.Generator

    def draws(self, count: int) -> Draws:
        """Fresh samples."""
        x_mm, y_mm = self.placements.places_mm[len(self.placements) // 2]
        return draw(self.table, self.skill, count, (float(x_mm), float(y_mm)), self.rng)

    def sample(self, candidates: FloatArray, draws: Draws, *, leave: bool) -> Sample:
        """All candidates (c, 4) with all samples, (c * n) rows, candidate by candidate."""
        times = len(candidates)
        strokes = noisy_strokes(candidates, draws, self.skill, self.placements)
        men, surfaces = repeat_rows(draws.men_mm, times), repeat_rows(draws.surfaces, times)
        batch = self.workers.simulate(self.table, strokes, men_mm=men, surfaces=surfaces)
        verdicts = self.judge.verdicts(batch, strokes)
        self.workers.check()
        chances = np.full(len(strokes), _USUAL_CHANCE)
        if leave:
            chances = leave_chances(
                self.table,
                self.situation.board,
                batch,
                verdicts,
                self.situation.seat,
                self.skill,
                check=self.workers.check,
            )
        return Sample(strokes, batch, verdicts, chances, men, surfaces)

    def scores(self, candidates: FloatArray, draws: Draws, *, leave: bool) -> Scores:
        """Means of every candidate."""
        sample = self.sample(candidates, draws, leave=leave)
        shape = (len(candidates), len(draws))
        target, hole = _targets(sample, shape)
        return Scores(
            value=sample.verdicts.value(sample.leave).reshape(shape).mean(axis=1),
            success=sample.verdicts.success.reshape(shape).mean(axis=1),
            foul=sample.verdicts.foul.reshape(shape).mean(axis=1),
            target=target,
            hole=hole,
        )


def racer_for(
    situation: Situation,
    table: Table,
    skill: Skill,
    rng: np.random.Generator,
    workers: Workers,
    *,
    alone: bool = False,
) -> Racer:
    """A racer for the men of ``table`` (``seat_table``). ``alone``: see ``thoughts``."""
    placements = seat_placements(situation, table)
    pot = usual_pot(skill)
    valuation: Valuation = ClearingValue() if alone else valuation_of(situation.laws, pot)
    judge = Judge(situation, table, valuation, alone=alone)
    return Racer(situation, table, judge, skill, placements, workers, rng)


def _targets(sample: Sample, shape: tuple[int, int]) -> tuple[IntArray, IntArray]:
    """Per candidate the disc that is pocketed in most of its successes, and where."""
    c, n = shape
    men = sample.batch.pocket.shape[1] - 1
    if not men:
        return np.full(c, -1), np.full(c, -1)
    hole = sample.batch.pocket[:, :men].reshape(c, n, men)
    good = sample.verdicts.success.reshape(c, n, 1)
    counts = np.stack([((hole == k) & good).sum(axis=1) for k in range(4)], axis=2)
    target = counts.sum(axis=2).argmax(axis=1)
    chosen = counts[np.arange(c), target]
    found = chosen.sum(axis=1) > 0
    return np.where(found, target, -1), np.where(found, chosen.argmax(axis=1), -1)


def signatures(scores: Scores) -> list[tuple[int, int]]:
    """What makes two strokes the same idea: the same piece into the same pocket."""
    return list(zip(scores.target.tolist(), scores.hole.tolist(), strict=True))


def neighbours(stroke: FloatArray, placements: Placements, hardest_mm_s: float) -> FloatArray:
    """(9, 4): the stroke and small changes of its angle, speed and place, all legal and no harder
    than that."""
    rows = [stroke]
    for turn in _LOCAL_RAD:
        rows.append(stroke + np.array([0.0, 0.0, turn, 0.0]))
    for times in _LOCAL_SPEED:
        rows.append(stroke * np.array([1.0, 1.0, 1.0, times]))
    places = placements.places_mm
    for step in _LOCAL_MM:
        wanted = stroke[:2] + np.array([step, 0.0])
        near = places[np.argmin(np.hypot(*(places - wanted).T))]
        rows.append(np.array([*near, stroke[2], stroke[3]]))
    moved = np.array(rows)
    moved[:, 3] = np.clip(moved[:, 3], 200.0, hardest_mm_s)
    return moved
