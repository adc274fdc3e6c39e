"""Programs that choose strokes: the advisor itself, and a simple one to beat."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass
from math import hypot
from typing import Protocol

import numpy as np

from carrom.stroke import Stroke
from sim.advisor.effort import MATCH, Effort
from sim.advisor.ghost_disc import ghost_strokes
from sim.advisor.race import Racer, racer_for
from sim.advisor.seat_view import seat_stroke, seat_table
from sim.advisor.situation import Situation
from sim.advisor.skill import Skill
from sim.advisor.thinking import best_advice, thoughts
from sim.advisor.workers import Workers
from sim.physics.arrays import FloatArray

__all__ = ["AdvisorPlayer", "GreedyPlayer", "Player"]


class Player(Protocol):
    """Chooses a stroke; ``skill`` is how well the hand makes it."""

    @property
    def skill(self) -> Skill:
        """How well the hand does what was chosen."""
        ...

    def choose(self, situation: Situation, seed: int) -> Stroke:
        """The stroke to try, as meant."""
        ...


@dataclass(frozen=True, slots=True)
class AdvisorPlayer:
    """Plays the stroke of the highest value. ``alone``: clears the board by himself."""

    skill: Skill
    effort: Effort = MATCH
    alone: bool = False
    executor: Executor | None = None

    def choose(self, situation: Situation, seed: int) -> Stroke:
        """See ``Player``."""
        stream = thoughts(
            situation,
            self.skill,
            seed=seed,
            efforts=(self.effort,),
            alone=self.alone,
            executor=self.executor,
        )
        best = best_advice(stream).best
        return _anything(situation, seed) if best is None else best.stroke


@dataclass(frozen=True, slots=True)
class GreedyPlayer:
    """The wanted piece nearest to a pocket, straight or over one frame, from the place with the
    fullest hit; if no way is free, a blow at it. Knows nothing of fouls, leaves or chances."""

    skill: Skill

    def choose(self, situation: Situation, seed: int) -> Stroke:
        """See ``Player``."""
        table = seat_table(situation)
        racer = racer_for(situation, table, self.skill, np.random.default_rng(seed), Workers())
        if not len(racer.placements):
            return _anything(situation, seed)
        for disc in _nearest_first(racer):
            wanted = np.arange(table.count - 1) == disc
            places = racer.placements.spread(15)
            shots = ghost_strokes(table, situation.board, situation.surface, wanted, places)
            if len(shots):
                return seat_stroke(situation.seat, _fullest(shots, table.men_mm[disc]))
        return _anything(situation, seed)


def _nearest_first(racer: Racer) -> list[int]:
    kinds = racer.judge.wanted_now()
    corners = [tuple(c) for c in racer.situation.board.pocket_centres.values()]
    found = []
    for disc, kind in enumerate(racer.table.kinds[:-1]):
        if kind in kinds:
            x, y = racer.table.men_mm[disc]
            found.append((min(hypot(x - a, y - b) for a, b in corners), disc))
    return [disc for _, disc in sorted(found)]


def _fullest(shots: FloatArray, man_mm: FloatArray) -> FloatArray:
    """The stroke that points most directly at the man, at the middle of the three speeds."""
    way = man_mm - shots[:, :2]
    off = np.abs(np.arctan2(way[:, 1], way[:, 0]) - shots[:, 2])
    best = int(np.lexsort((np.abs(shots[:, 3] - 2000.0), off.round(3)))[0])
    row: FloatArray = shots[best]
    return row


def _anything(situation: Situation, seed: int) -> Stroke:
    """A blow at a piece ahead, from the first free place; the break too."""
    table = seat_table(situation)
    racer = racer_for(
        situation, table, Skill(angle_rad=0.01, speed_share=0.05, place_mm=1.0),
        np.random.default_rng(seed), Workers(),
    )  # fmt: skip
    places = racer.placements.places_mm
    if not len(places):
        middle = racer.situation.board.half_mm
        places = np.array([[0.0, -0.7 * middle]])
    place = places[len(places) // 2]
    own = [k in racer.judge.wanted_now() for k in table.kinds[:-1]]
    ahead = [(not o, -y, i) for i, (o, (_, y)) in enumerate(zip(own, table.men_mm, strict=True))]
    target = table.men_mm[min(ahead)[2]] if ahead else np.zeros(2)
    angle = float(np.arctan2(target[1] - place[1], target[0] - place[0]))
    angle = min(max(angle, 0.15), float(np.pi) - 0.15)
    return seat_stroke(situation.seat, [*place, angle, 5000.0])
