"""What a ruling is worth to the player who struck.

Everything comes from the state that the ruling makes: pieces to go, debts, queen, whose turn. The
laws differ in all of that, and so does the advice. A value is given as two numbers, for the case
that the next stroke of whoever is on turn pockets and for the case that it does not; how likely
that is depends on where the pieces lie (``sim.advisor.leave``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from carrom.pieces import PieceKind
from carrom.seats import Side
from referee.laws import Laws
from referee.ruling import BoardStatus, QueenStatus, Ruling
from referee.scoring import point_totals
from referee.state import State
from sim.advisor.race_to_finish import win_chance

__all__ = ["ClearingValue", "PointValue", "Valuation", "WinningValue", "Worth", "valuation_of"]

_POINT = 0.02
"""A board is worth 1, each point of it so much besides (a game of 25 takes about three)."""
_UNCOVERED = 0.6
"""How much of the work on the queen is done once she is pocketed."""

_PIECE = 1.5
"""Strokes that one more piece costs a player who clears the board alone."""


@dataclass(frozen=True, slots=True)
class Worth:
    """Value after the stroke if the next stroke misses, and if it pockets; -1 lost to 1 won.

    ``mine``: whether that next stroke is made by the side that struck.
    """

    miss: float
    hit: float
    mine: bool

    def at(self, chance: float) -> float:
        """The value if the next stroke pockets with this chance."""
        return self.miss + (self.hit - self.miss) * chance


class Valuation(Protocol):
    """What is worth what; ``pot`` is the chance of a common stroke of this player."""

    def of(self, before: State, ruling: Ruling, after: State) -> Worth:
        """The worth of a ruling to the side that struck."""
        ...


@dataclass(frozen=True, slots=True)
class WinningValue:
    """Two sides: the chance to win the board, and a little for its points."""

    laws: Laws
    pot: float

    def of(self, before: State, ruling: Ruling, after: State) -> Worth:
        """See ``Valuation``."""
        me = before.seats[ruling.seat]
        other = next(side for side in before.debts if side is not me)
        if ruling.board.status is BoardStatus.OVER:
            value = _final(ruling, me, other)
            return Worth(value, value, mine=False)
        queen = _POINT * self._queen(after, me, other)
        if ruling.board.status is BoardStatus.NEEDS_HUMAN:
            return Worth(queen, queen, mine=False)
        mover = after.seats[after.turn]
        idle = other if mover is me else me
        needs, theirs = self._needs(after, mover), self._needs(after, idle)
        hit = 2.0 * win_chance(max(needs - 1.0, 0.0), theirs, self.pot) - 1.0
        miss = 1.0 - 2.0 * win_chance(theirs, needs, self.pot)
        sign = 1.0 if mover is me else -1.0
        return Worth(sign * miss + queen, sign * hit + queen, mine=mover is me)

    def _needs(self, state: State, side: Side) -> float:
        """Strokes that this side still has to make."""
        needs = state.on_board.get(side.piece, 0) + float(state.debts[side])
        if self.laws.ruleset.hikone:
            return needs + 1.0
        queen = state.queen
        if queen is None or queen.state is QueenStatus.COVERED:
            return needs
        pending = queen.state is QueenStatus.POCKETED_UNCOVERED and queen.by is side
        return needs + (1.0 - _UNCOVERED if pending else 1.0)

    def _queen(self, state: State, me: Side, other: Side) -> float:
        """Points that the queen is about to bring me, or the other."""
        queen = state.queen
        if queen is None or queen.by is None:
            return 0.0
        share = {QueenStatus.COVERED: 1.0, QueenStatus.POCKETED_UNCOVERED: 0.5}
        holder = queen.by
        points = self.laws.numbers.queen_value(state.score.get(holder, 0))
        sign = 1.0 if holder is me else -1.0
        return sign * points * share.get(queen.state, 0.0)


def _final(ruling: Ruling, me: Side, other: Side) -> float:
    board = ruling.board
    points = dict(board.points or {})
    for side, more in (board.on_demand or {}).items():
        points[side] = points.get(side, 0) + more
    margin = points.get(me, 0) - points.get(other, 0)
    if PieceKind.JACK in ruling.on_board:
        margin = 0  # 112 to what the loser has in: the win is the score (HK-44)
    won = 0.0 if board.winner is None else (1.0 if board.winner is me else -1.0)
    return won + _POINT * margin


@dataclass(frozen=True, slots=True)
class PointValue:
    """Three players: points taken, against the mean of the others, as a share of the board."""

    laws: Laws
    pot: float

    def of(self, before: State, ruling: Ruling, after: State) -> Worth:
        """See ``Valuation``."""
        me = before.seats[ruling.seat]
        totals = point_totals(after.captured, after.queen, self.laws.numbers)
        others = [value for side, value in totals.items() if side is not me]
        numbers = self.laws.numbers
        scale = sum(numbers.man_points.get(k, 0) * 9 for k in (PieceKind.WHITE, PieceKind.BLACK))
        scale += numbers.queen_points
        behind = totals[me] - sum(others) / len(others) - 1.5 * after.debts[me]
        value = behind / scale
        if ruling.board.status is not BoardStatus.ONGOING:
            return Worth(value, value, mine=False)
        queen = after.queen
        if queen is not None and queen.state is QueenStatus.POCKETED_UNCOVERED and queen.by is me:
            value += 0.5 * numbers.queen_points / scale
        mine = after.seats[after.turn] is me
        gain = 3.0 / (1.0 - self.pot) / 2.0 / scale
        return Worth(value, value + (gain if mine else -gain / 2.0), mine=mine)


@dataclass(frozen=True, slots=True)
class ClearingValue:
    """One player alone clears the board: as few strokes as possible, whoever scores them.

    What is left costs ``_PIECE`` strokes a piece, and the next one 3 - 2 p strokes where its chance
    is p: a straight line for 1 / p, which is what it would cost if nothing moved.
    """

    def of(self, before: State, ruling: Ruling, after: State) -> Worth:
        """See ``Valuation``."""
        start = _PIECE * (sum(before.on_board.values()) + 1.0)
        if ruling.board.status is not BoardStatus.ONGOING:
            return Worth(0.0, 0.0, mine=False)
        left = float(sum(after.on_board.values()) + sum(after.debts.values()))
        if after.queen is not None and after.queen.pending:
            left += 0.4  # she may come back
        cost = _PIECE * max(left - 1.0, 0.0)
        return Worth(-(cost + 3.0) / start, -(cost + 1.0) / start, mine=True)


def valuation_of(laws: Laws, pot: float) -> Valuation:
    """What counts under these laws."""
    if laws.ruleset.three_players:
        return PointValue(laws, pot)
    return WinningValue(laws, pot)
