"""Doubts: which of them change the ruling, and what each answer would mean."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from dataclasses import replace

from carrom.doubts import Answer, Doubt, Question
from carrom.errors import ContradictionError, OutcomeError
from carrom.events import PenaltyPieceChosen
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from referee.laws import Laws
from referee.options import PointGamerulesOptions
from referee.ruling import Alternative, OpenQuestion, Ruling
from referee.state import State

__all__ = ["PENALTY_PIECE", "weigh", "with_choices"]

PENALTY_PIECE = "penalty_piece"
"""The id of the doubt that asks a three-player offender which piece he gives back (PT-06)."""

MAX_WORLDS = 256
"""More combinations of answers than this are not laid out; then every doubt is asked whose answer
could not be shown to be irrelevant, which is every one."""

Judge = Callable[[State, StrokeOutcome, Laws], Ruling]


def with_choices(state: State, outcome: StrokeOutcome, laws: Laws) -> StrokeOutcome:
    """The outcome with a doubt for each choice that the laws leave to a player.

    Only one exists: ``penalty_piece: offender_choice`` when he holds men of both colours.
    """
    options = laws.options
    if not isinstance(options, PointGamerulesOptions) or options.penalty_piece != "offender_choice":
        return outcome
    if any(isinstance(event, PenaltyPieceChosen) for event in outcome.events):
        return outcome
    taken = state.captured[state.side(outcome.seat)]
    kinds = [kind for kind in (PieceKind.BLACK, PieceKind.WHITE) if taken.get(kind, 0)]
    if len(kinds) < 2 or any(doubt.id == PENALTY_PIECE for doubt in outcome.doubts):
        return outcome
    answers = tuple(
        Answer(code=kind.value, likelihood=0.5, events=(PenaltyPieceChosen(piece=kind),))
        for kind in kinds
    )
    choice = Doubt(id=PENALTY_PIECE, question=Question.WHICH_PIECE, answers=answers)
    return replace(outcome, doubts=(*outcome.doubts, choice))


def weigh(state: State, outcome: StrokeOutcome, laws: Laws, judge: Judge) -> Ruling:
    """The ruling if no doubt matters; otherwise a pending ruling with every question that does.

    Answers that cannot be true here (a piece that is not on the board) are left out. Raises
    ``ContradictionError`` if no combination of answers is possible.
    """
    doubts = outcome.doubts
    if math.prod(len(doubt.answers) for doubt in doubts) > MAX_WORLDS:
        return _ask_all(state, outcome, laws, judge)
    combinations = itertools.product(*(doubt.ranked for doubt in doubts))
    worlds = _worlds(state, outcome, laws, judge, combinations)
    verdicts = [_verdict(ruling) for _, ruling in worlds]
    likeliest = worlds[0][1]
    if all(verdict == verdicts[0] for verdict in verdicts):
        return likeliest
    questions = tuple(
        question
        for index, doubt in enumerate(doubts)
        if (question := _question(doubt, index, worlds)) is not None
    )
    return likeliest._replace(questions=questions)


World = tuple[tuple[Answer, ...], Ruling]


def _ask_all(state: State, outcome: StrokeOutcome, laws: Laws, judge: Judge) -> Ruling:
    """Too many doubts to lay out: each is asked, its alternatives beside the likeliest world."""
    likeliest = tuple(doubt.ranked[0] for doubt in outcome.doubts)
    combinations = [likeliest]
    for index, doubt in enumerate(outcome.doubts):
        for answer in doubt.ranked[1:]:
            combinations.append((*likeliest[:index], answer, *likeliest[index + 1 :]))
    worlds = _worlds(state, outcome, laws, judge, combinations)
    questions = tuple(
        OpenQuestion(
            doubt=doubt.id,
            question=doubt.question,
            alternatives=_alternatives(index, worlds),
        )
        for index, doubt in enumerate(outcome.doubts)
    )
    return worlds[0][1]._replace(questions=questions)


def _worlds(
    state: State,
    outcome: StrokeOutcome,
    laws: Laws,
    judge: Judge,
    combinations: Iterable[tuple[Answer, ...]],
) -> list[World]:
    """Every possible combination of answers with its ruling, the likeliest first."""
    doubts = outcome.doubts
    combinations = sorted(combinations, key=lambda c: -_chance(c))
    worlds: list[World] = []
    refused: ContradictionError | None = None
    for answers in combinations:
        settled = {doubt.id: answer.code for doubt, answer in zip(doubts, answers, strict=True)}
        try:
            worlds.append((answers, judge(state, outcome.resolve(settled), laws)))
        except (ContradictionError, OutcomeError) as error:
            refused = error if isinstance(error, ContradictionError) else refused
    if not worlds:
        raise refused or ContradictionError("doubts", expected="a possible answer", got="none")
    return worlds


def _chance(answers: tuple[Answer, ...]) -> float:
    product = 1.0
    for answer in answers:
        product *= answer.likelihood
    return product


def _question(doubt: Doubt, index: int, worlds: list[World]) -> OpenQuestion | None:
    """The question, if some answers to the others leave rulings that differ by this one alone."""
    groups: dict[tuple[str, ...], list[tuple[Answer, Ruling]]] = {}
    for answers, ruling in worlds:
        others = tuple(a.code for i, a in enumerate(answers) if i != index)
        groups.setdefault(others, []).append((answers[index], ruling))
    matters = any(
        any(_verdict(ruling) != _verdict(group[0][1]) for _, ruling in group)
        for group in groups.values()
    )
    if not matters:
        return None
    alternatives = _alternatives(index, worlds)
    return OpenQuestion(doubt=doubt.id, question=doubt.question, alternatives=alternatives)


def _alternatives(index: int, worlds: list[World]) -> tuple[Alternative, ...]:
    """The rulings for each answer to one doubt; the likeliest world stands for each answer."""
    shown: dict[str, tuple[Answer, Ruling]] = {}
    for answers, ruling in worlds:
        shown.setdefault(answers[index].code, (answers[index], ruling))
    return tuple(
        Alternative(answer=answer.code, likelihood=answer.likelihood, ruling=ruling)
        for answer, ruling in shown.values()
    )


def _verdict(ruling: Ruling) -> Ruling:
    """The ruling without what nobody acts on (words and clause IDs), so that a doubt about those
    alone is not asked."""
    game = ruling.game
    return ruling._replace(
        notices=(),
        clauses=(),
        fouls=tuple(replace(call, clauses=()) for call in ruling.fouls),
        returns=tuple(replace(row, clauses=()) for row in ruling.returns),
        debt_changes=(),
        turn=replace(ruling.turn, clauses=()),
        board=replace(ruling.board, clauses=()),
        game=None if game is None else replace(game, clauses=()),
    )
