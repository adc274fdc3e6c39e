"""Three-player point carrom: which pieces a player has, and which he gives back."""

from __future__ import annotations

from carrom.pieces import PieceKind
from carrom.seats import Side
from referee.draft import Draft
from referee.facts import Facts
from referee.ruling import QueenStatus

__all__ = ["MEN", "board_cleared", "captured_men", "men_pocketed", "penalty_piece"]

MEN = (PieceKind.WHITE, PieceKind.BLACK)
"""White before black within a reason (F.6); black is the cheaper one (PT-02, PT-11)."""


def men_pocketed(facts: Facts) -> int:
    """Men of either colour pocketed by the stroke."""
    return sum(facts.pocketed.get(kind, 0) for kind in MEN)


def captured_men(draft: Draft, side: Side, kind: PieceKind) -> int:
    """Men of one colour that this seat has captured and not yet given back."""
    return draft.captured[side].get(kind, 0)


def penalty_piece(draft: Draft, *, dearest: bool, side: Side | None = None) -> PieceKind | None:
    """The piece the offender gives back: the one he chose, else the cheapest (or dearest) man he
    has captured, else the queen he has covered; ``None`` if he has nothing (PT-06)."""
    side = side or draft.facts.side
    chosen = draft.facts.chosen_penalty
    if chosen is not None and captured_men(draft, side, chosen) > 0:
        return chosen
    for kind in MEN if dearest else reversed(MEN):
        if captured_men(draft, side, kind) > 0:
            return kind
    queen = draft.queen
    has_queen = queen is not None and queen.state is QueenStatus.COVERED and queen.by is side
    return PieceKind.QUEEN if has_queen else None


def board_cleared(draft: Draft) -> bool:
    """Nothing is left on the board and the queen counts for somebody."""
    assert draft.queen is not None
    if any(draft.on_board.values()):
        return False
    return draft.queen.state is QueenStatus.COVERED
