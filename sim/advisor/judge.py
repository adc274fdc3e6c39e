"""The referee's word on simulated strokes, asked once for each kind of outcome."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from carrom import events as ev
from carrom.errors import ContradictionError
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.seats import Seat, Side
from referee.adjudicate import adjudicate
from referee.apply import apply
from referee.ruling import BoardStatus, Ruling
from referee.state import Phase, State
from sim.advisor.outcome_code import OutcomeCodes
from sim.advisor.situation import Situation
from sim.advisor.value import Valuation, Worth
from sim.physics.arrays import FloatArray, IntArray, Table
from sim.physics.batch import Batch

__all__ = ["Judge", "Judged", "Verdicts", "is_foul", "is_success"]


@dataclass(frozen=True, slots=True)
class Judged:
    """One kind of outcome. ``success``: the player strikes again without a foul, or his side has
    won the board. ``foul``: one of his. ``wanted``: kinds that the next player can lawfully pocket
    to go on; ``mover``: his seat, ``None`` when the board is over."""

    ruling: Ruling
    worth: Worth
    success: bool
    foul: bool
    mover: Seat | None
    wanted: frozenset[PieceKind]


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """Rows of a batch judged. ``kind``: (S,) int64 index into ``judged``; the others (S,)."""

    kind: IntArray
    judged: tuple[Judged, ...]
    success: NDArray[np.bool_]
    foul: NDArray[np.bool_]
    miss: FloatArray
    hit: FloatArray
    mine: NDArray[np.bool_]

    def value(self, chance: FloatArray | float) -> FloatArray:
        """(S,): worth if whoever is next pockets with this chance."""
        return self.miss + (self.hit - self.miss) * chance


def is_foul(ruling: Ruling) -> bool:
    """Whether the shooter committed one."""
    return any(call.seat is ruling.seat for call in ruling.fouls)


def is_success(ruling: Ruling, side: Side) -> bool:
    """Whether the shooter strikes again without a foul, or his ``side`` has won the board."""
    if ruling.board.status is BoardStatus.OVER:
        return ruling.board.winner is side
    goes_on = ruling.turn.continues and ruling.break_done  # a missed break is no success
    return goes_on and not is_foul(ruling)


class Judge:
    """Rules on the strokes of one situation; remembers every kind of outcome it has seen.

    ``alone``: one player clears the board by himself, in any direction; the turn always comes back
    to him.
    """

    def __init__(
        self, situation: Situation, table: Table, valuation: Valuation, *, alone: bool = False
    ) -> None:
        self._situation, self._valuation, self._alone = situation, valuation, alone
        self._codes = OutcomeCodes(situation, table, any_direction=alone)
        self._seen: dict[int, int] = {}
        self._judged: list[Judged] = []
        self._wanted: dict[object, frozenset[PieceKind]] = {}
        self.adjudications = 0
        """Questions put to the referee so far."""

    @property
    def alone(self) -> bool:
        """One player clears the board by himself."""
        return self._alone

    def verdicts(self, batch: Batch, strokes: FloatArray) -> Verdicts:
        """The rulings on every row. ``strokes``: (S, 4), the seat's frame, as simulated."""
        codes, inverse = np.unique(self._codes.of(batch, strokes), return_inverse=True)
        kind = np.array([self._index(int(code)) for code in codes], dtype=np.int64)
        rows = kind[inverse.ravel()]
        judged = tuple(self._judged)
        return Verdicts(
            kind=rows,
            judged=judged,
            success=np.array([j.success for j in judged], dtype=np.bool_)[rows],
            foul=np.array([j.foul for j in judged], dtype=np.bool_)[rows],
            miss=np.array([j.worth.miss for j in judged])[rows],
            hit=np.array([j.worth.hit for j in judged])[rows],
            mine=np.array([j.worth.mine for j in judged], dtype=np.bool_)[rows],
        )

    def wanted_now(self) -> frozenset[PieceKind]:
        """What the player on turn can pocket alone to strike again."""
        return self._wanted_in(self._situation.state)

    def _index(self, code: int) -> int:
        known = self._seen.get(code)
        if known is None:
            known = self._seen[code] = len(self._judged)
            self._judged.append(self._judge(self._codes.outcome(code)))
        return known

    def _judge(self, outcome: StrokeOutcome) -> Judged:
        state, laws = self._situation.state, self._situation.laws
        ruling = adjudicate(state, outcome, laws)
        self.adjudications += 1
        after = apply(state, ruling, provisional=True)
        if self._alone:
            after = replace(after, turn=state.turn)
        mover = after.turn if after.phase is Phase.PLAY else None
        return Judged(
            ruling=ruling,
            worth=self._valuation.of(state, ruling, after),
            success=is_success(ruling, self._situation.side),
            foul=is_foul(ruling),
            mover=mover,
            wanted=frozenset() if mover is None else self._wanted_in(after),
        )

    def _wanted_in(self, state: State) -> frozenset[PieceKind]:
        """What the seat on turn can pocket alone to strike again, by the referee's word."""
        counts = tuple(sorted((kind.value, n) for kind, n in state.on_board.items()))
        key = (state.turn, counts, state.queen, tuple(state.debts.items()), state.had_pocketed)
        found = self._wanted.get(key)
        if found is None:
            kinds = [kind for kind, number in state.on_board.items() if number]
            found = frozenset(kind for kind in kinds if self._goes_on(state, kind))
            self._wanted[key] = found
        return found

    def _goes_on(self, state: State, kind: PieceKind) -> bool:
        events = (ev.FirstContact(piece=kind), ev.Pocketed(piece=kind))
        outcome = StrokeOutcome(seat=state.turn, events=events)
        try:
            ruling = adjudicate(replace(state, clock=None), outcome, self._situation.laws)
        except ContradictionError:
            return False
        self.adjudications += 1
        if ruling.board.status is BoardStatus.OVER:
            return ruling.board.winner is state.seats[state.turn]
        return ruling.turn.continues and not ruling.fouls
