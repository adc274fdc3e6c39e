"""The verdict on an outcome, and what it makes of the state. Both are pure functions."""

from __future__ import annotations

from carrom.errors import MatchError
from carrom.outcome import StrokeOutcome
from referee import (
    carrom_se,
    doubts,
    gamerules,
    hikone,
    icf,
    point_carrom_se,
    point_gamerules,
)
from referee.citing import silent_clauses
from referee.facts import Facts, gather
from referee.laws import Laws
from referee.options import (
    CarromSeOptions,
    GamerulesOptions,
    HikoneOptions,
    PointCarromSeOptions,
    PointGamerulesOptions,
)
from referee.ruling import Ruling
from referee.state import Phase, State

__all__ = ["adjudicate"]


def adjudicate(state: State, outcome: StrokeOutcome, laws: Laws) -> Ruling:
    """The ruling on one stroke or incident.

    A doubt that changes the ruling makes it *pending*: ``ruling.questions`` then holds the question
    with the alternatives' rulings side by side. A doubt that changes nothing is not asked.
    Raises ``ContradictionError`` if the facts cannot have happened in this state, ``MatchError`` if
    no stroke can be made now. State and laws are trusted: check a foreign state with
    ``check_state`` first.
    """
    if state.phase is not Phase.PLAY:
        raise MatchError(
            f"no stroke can be judged now: the match is in phase {state.phase.value!r}"
        )
    outcome = doubts.with_choices(state, outcome, laws)
    if outcome.doubts:
        return doubts.weigh(state, outcome, laws, judge_certain)
    return judge_certain(state, outcome, laws)


def judge_certain(state: State, outcome: StrokeOutcome, laws: Laws) -> Ruling:
    """The ruling on an outcome without doubts."""
    facts = gather(state, outcome, laws)
    ruling = _judged(state, facts, laws)
    silent = silent_clauses(state, outcome, facts, laws, ruling)
    return ruling._replace(clauses=ruling.clauses + silent) if silent else ruling


def _judged(state: State, facts: Facts, laws: Laws) -> Ruling:
    match laws.options:
        case HikoneOptions() as options:
            return hikone.judge(state, facts, laws, options)
        case GamerulesOptions() as options:
            return gamerules.judge(state, facts, laws, options)
        case CarromSeOptions() as options:
            return carrom_se.judge(state, facts, laws, options)
        case PointGamerulesOptions() as options:
            return point_gamerules.judge(state, facts, laws, options)
        case PointCarromSeOptions() as options:
            return point_carrom_se.judge(state, facts, laws, options)
    return icf.judge(state, facts, laws)
