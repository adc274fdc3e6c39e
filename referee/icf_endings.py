"""ICF: the table of strokes that end a board otherwise than by a plain finish (ICF-75..95).

Each ending is a row of data: winner, points, reason, clauses. [22] in the table, the value when the
winner already has 22, is ``queen_value`` being 0 there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from carrom.pieces import PieceKind
from carrom.seats import Side
from referee import indian
from referee.draft import Clauses, Draft
from referee.ruling import BoardReason, BoardRuling, Foul, QueenState, QueenStatus
from referee.scoring import close_board

__all__ = ["end", "score"]

QUEEN = PieceKind.QUEEN


class _Queen(StrEnum):
    """Where the queen was when the last C/m fell."""

    LYING = "lying"
    COVERING = "covering"
    POCKETED_NOW = "pocketed_now"
    COVERED = "covered"


class _Points(StrEnum):
    """How the winner's points are counted."""

    QUEEN = "queen"  # 3, or 1 at 22
    BOTH = "both"  # 3 if the winner covered her, else 1; at 22 the shooter (91) gets 1, the
    # opponent 3: Law 85 has no exception there
    LEFT_AND_QUEEN = "left_and_queen"  # the loser's C/m and 3 (0 at 22)
    LEFT_AND_COVERED = "left_and_covered"  # the loser's C/m and 3 if the winner covered her


@dataclass(frozen=True, slots=True)
class _Ending:
    reason: BoardReason
    points: _Points
    clauses: Clauses
    fouls: tuple[Foul, ...] = ()


_BOTH: Mapping[_Queen, _Ending] = {
    _Queen.LYING: _Ending(
        BoardReason.BOTH_LAST_QUEEN_ON_BOARD,
        _Points.QUEEN,
        ("ICF-78",),
        (Foul.OWN_LAST_QUEEN_ON_BOARD, Foul.OPPONENT_LAST_QUEEN_ON_BOARD),
    ),
    _Queen.COVERING: _Ending(
        BoardReason.BOTH_LAST_WHILE_COVERING, _Points.QUEEN, ("ICF-75", "ICF-82")
    ),
    _Queen.POCKETED_NOW: _Ending(BoardReason.QUEEN_AND_BOTH_LAST, _Points.QUEEN, ("ICF-77",)),
    _Queen.COVERED: _Ending(BoardReason.BOTH_LAST, _Points.BOTH, ("ICF-91", "ICF-95")),
}
_BOTH_WITH_STRIKER: Mapping[_Queen, _Ending] = {
    **_BOTH,
    _Queen.POCKETED_NOW: _Ending(BoardReason.QUEEN_BOTH_LAST_STRIKER, _Points.QUEEN, ("ICF-82",)),
    _Queen.COVERED: _Ending(BoardReason.BOTH_LAST_STRIKER, _Points.BOTH, ("ICF-83", "ICF-85")),
}
_WHILE_COVERING = _Ending(
    BoardReason.OPPONENT_LAST_WHILE_COVERING,
    _Points.LEFT_AND_QUEEN,
    ("ICF-76", "ICF-94"),
    (Foul.OPPONENT_LAST_WHILE_COVERING,),
)
_OPPONENTS: Mapping[_Queen, _Ending] = {
    _Queen.LYING: _Ending(
        BoardReason.OPPONENT_LAST_QUEEN_ON_BOARD,
        _Points.LEFT_AND_QUEEN,
        ("ICF-79", "ICF-84"),
        (Foul.OPPONENT_LAST_QUEEN_ON_BOARD,),
    ),
    _Queen.COVERING: _WHILE_COVERING,
    _Queen.POCKETED_NOW: _WHILE_COVERING,
    _Queen.COVERED: _Ending(BoardReason.OPPONENT_LAST, _Points.LEFT_AND_COVERED, ("ICF-92",)),
}
_OWN_QUEEN_LYING = _Ending(
    BoardReason.OWN_LAST_QUEEN_ON_BOARD,
    _Points.QUEEN,
    ("ICF-80", "ICF-81"),
    (Foul.OWN_LAST_QUEEN_ON_BOARD,),
)


def end(draft: Draft, queen: QueenState, *, improper: bool, kept_last: bool) -> bool:
    """True if the stroke ends the board by this table; ``score`` then counts the points.

    ``queen`` is what the stroke makes of her. ``kept_last``: own C/m of the stroke stay pocketed.
    """
    facts, state, own = draft.facts, draft.state, draft.facts.side
    opponent = indian.other(own)
    mine, theirs = facts.pocketed.get(own.piece, 0), facts.pocketed.get(opponent.piece, 0)
    own_last = mine > 0 and mine == state.on_board[own.piece]
    opponent_last = theirs > 0 and theirs == state.on_board[opponent.piece]
    where = _where_queen(draft)
    if own_last and opponent_last:
        table = _BOTH_WITH_STRIKER if facts.striker_in else _BOTH
        won = kept_last and not improper and where is not _Queen.LYING
        _decide(draft, own if won else opponent, table[where])
        if won:
            draft.queen = queen
    elif opponent_last:
        if where is _Queen.POCKETED_NOW and queen.state is QueenStatus.COVERED:
            draft.queen = queen  # covered by this very stroke (Law 70): not as 76
            where = _Queen.COVERED
        _decide(draft, opponent, _OPPONENTS[where])
    elif own_last and where is _Queen.LYING:
        _decide(draft, opponent, _OWN_QUEEN_LYING)
    else:
        return False
    if facts.pocketed.get(QUEEN, 0) and draft.queen is state.queen:
        draft.queen = QueenState(QueenStatus.POCKETED_UNCOVERED, own)
    return True


def _where_queen(draft: Draft) -> _Queen:
    assert draft.state.queen is not None
    if draft.facts.pocketed.get(QUEEN, 0):
        return _Queen.POCKETED_NOW
    status = draft.state.queen.state
    if status is QueenStatus.COVERED:
        return _Queen.COVERED
    return _Queen.LYING if status is QueenStatus.ON_BOARD else _Queen.COVERING


def _decide(draft: Draft, winner: Side, ending: _Ending) -> None:
    for foul in ending.fouls:
        draft.foul(foul, ending.clauses)
    draft.board = BoardRuling(winner=winner, reason=ending.reason, clauses=ending.clauses)


def score(draft: Draft, *, improper: bool) -> None:
    """Points of the decided board; "+d" on demand when the loser played it (ICF-75..95)."""
    board, queen = draft.board, draft.queen
    winner, reason = board.winner, board.reason
    assert winner is not None
    assert reason is not None
    assert queen is not None
    value = draft.laws.numbers.queen_value(draft.state.score.get(winner, 0))
    covered = value if queen.state is QueenStatus.COVERED and queen.by is winner else 0
    left = draft.on_board[indian.other(winner).piece]
    points = {
        _Points.QUEEN: max(1, value),
        _Points.BOTH: max(1, covered if winner is draft.facts.side else _uncapped(draft, winner)),
        _Points.LEFT_AND_QUEEN: left + value,
        _Points.LEFT_AND_COVERED: left + covered,
    }[_counting(reason)]
    lost_by_stroke = winner is not draft.facts.side
    demand = (draft.facts.striker_in + improper) if lost_by_stroke else 0
    close_board(
        draft, winner, max(1, points), reason=reason, clauses=board.clauses, on_demand=demand
    )


def _uncapped(draft: Draft, winner: Side) -> int:
    """The queen's value in ICF-85 and 95, which do not ask for the score."""
    queen = draft.queen
    assert queen is not None
    own = queen.state is QueenStatus.COVERED and queen.by is winner
    return draft.laws.numbers.queen_points if own else 0


def _counting(reason: BoardReason) -> _Points:
    for ending in (
        *_BOTH.values(),
        *_BOTH_WITH_STRIKER.values(),
        *_OPPONENTS.values(),
        _OWN_QUEEN_LYING,
    ):
        if ending.reason is reason:
            return ending.points
    raise AssertionError(f"no ending for {reason!r}")
