"""Random situations to measure the advisor on, and how often its strokes really succeed.

The situation of a trial follows from its number alone. Numbers below ``FIRST_JUDGE`` were used to
build and tune the advisor; figures that are shown come from numbers at or above it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from carrom import events as ev
from carrom.board_spec import BoardFamily
from carrom.boards import board_for
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.seats import Seat
from referee.adjudicate import adjudicate
from referee.laws import Laws, Ruleset
from sim.advisor.judge import is_foul, is_success
from sim.advisor.legal_direction import crosses_base_line, must_cross_base_line
from sim.advisor.noise import noisy_strokes
from sim.advisor.race import Racer, racer_for
from sim.advisor.random_positions import random_position
from sim.advisor.seat_view import seat_stroke, seat_table, turned_points
from sim.advisor.situation import QueenSays, Situation, situation_of
from sim.advisor.skill import CASUAL, CLUB, STRONG, Skill
from sim.advisor.workers import Workers
from sim.physics.arrays import FloatArray, position_of, surface_vector
from sim.physics.outcome_of import outcome_of
from sim.physics.pymunk_reference import simulate_pymunk
from sim.physics.surface import SurfaceParams

__all__ = ["FIRST_JUDGE", "Trial", "fast_hits", "pymunk_hits", "trial_of"]

FIRST_JUDGE = 100_000

_SKILLS = (("club", CLUB), ("strong", STRONG), ("casual", CASUAL))
_FEWEST = 1


@dataclass(frozen=True, slots=True)
class Trial:
    """One situation and the player who asks."""

    number: int
    situation: Situation
    skill_name: str
    skill: Skill


def trial_of(number: int, laws_of: dict[Ruleset, Laws]) -> Trial:
    """The trial of that number: rulesets, skills and seats in turn, men at random."""
    rng = np.random.default_rng((number, 2024))
    ruleset = list(Ruleset)[number % len(Ruleset)]
    laws = laws_of[ruleset]
    board = board_for(BoardFamily.HIKONE if ruleset.hikone else BoardFamily.ICF)
    counts = {}
    for kind, most in ruleset.pieces.items():
        counts[kind] = int(rng.integers(_FEWEST, most + 1))
    if PieceKind.QUEEN in counts:
        counts[PieceKind.QUEEN] = int(rng.integers(0, 2))
    position = random_position(board, counts, rng)
    seats = (Seat.SOUTH, Seat.EAST, Seat.NORTH) if ruleset.three_players else tuple(Seat)
    queen = (QueenSays.MINE, QueenSays.THEIRS, QueenSays.UNCOVERED)[int(rng.integers(3))]
    situation = situation_of(
        position,
        laws,
        seat=seats[int(rng.integers(len(seats)))],
        players=4 if number % 4 == 3 else 2,
        queen=queen,
        board=board,
    )
    name, skill = _SKILLS[number // len(Ruleset) % len(_SKILLS)]
    return Trial(number, situation, name, skill)


def _racer(trial: Trial, rng: np.random.Generator) -> Racer:
    table = seat_table(trial.situation)
    return racer_for(trial.situation, table, trial.skill, rng, Workers())


def fast_hits(
    trial: Trial, stroke: FloatArray, count: int, rng: np.random.Generator, *, safe: bool
) -> int:
    """How many of ``count`` fresh strokes of the fast engine succeed; of a safe one: are no foul.

    ``stroke``: (4,) float64, the seat's frame.
    """
    racer = _racer(trial, rng)
    verdicts = racer.sample(stroke[None], racer.draws(count), leave=False).verdicts
    good = ~verdicts.foul if safe else verdicts.success
    return int(good.sum())


def pymunk_hits(
    trial: Trial,
    stroke: FloatArray,
    count: int,
    rng: np.random.Generator,
    *,
    safe: bool,
    dt_s: float,
) -> int:
    """The same in the independent engine: its own physics, facts and rulings, the same noise."""
    racer = _racer(trial, rng)
    draws = racer.draws(count)
    rows = noisy_strokes(stroke[None], draws, trial.skill, racer.placements)
    situation, seat = trial.situation, trial.situation.seat
    hits = 0
    for row, men_mm, surface in zip(rows, draws.men_mm, draws.surfaces, strict=True):
        places = np.array(turned_points(seat, men_mm)).reshape(len(men_mm), 2)
        position = position_of(racer.table.kinds[:-1], places)
        run = simulate_pymunk(
            position,
            seat_stroke(seat, row),
            situation.board,
            _params(situation.surface, surface),
            dt_s=dt_s,
        )
        outcome = _with_direction(outcome_of(run), trial, racer, row)
        ruling = adjudicate(situation.state, outcome, situation.laws)
        hits += (not is_foul(ruling)) if safe else is_success(ruling, situation.side)
    return hits


def _with_direction(
    outcome: StrokeOutcome, trial: Trial, racer: Racer, row: FloatArray
) -> StrokeOutcome:
    """The fact that an engine does not state: whether the base line was crossed (GR-09)."""
    if not must_cross_base_line(trial.situation.laws):
        return outcome
    men, radii = racer.table.men_mm, racer.table.radius_mm[:-1]
    if crosses_base_line(row[None], trial.situation.board, men, radii)[0]:
        return outcome
    backward = ev.ImproperStroke(kind="not_across_base_line")
    return replace(outcome, events=(*outcome.events, backward))


def _params(base: SurfaceParams, row: FloatArray) -> SurfaceParams:
    """A row of surface columns as parameters; what is "never" stays never."""
    same = surface_vector(base) == row
    changes = {}
    for item, number, unchanged in zip(fields(base), row.tolist(), same, strict=True):
        if not unchanged:
            changes[item.name] = float(number)
    return replace(base, **changes)
