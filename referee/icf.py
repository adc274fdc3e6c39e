"""ICF Laws of Carrom (rules.md C.5): dues, fouls, technical fouls, queen and cover.

The ends of a board are in ``icf_endings``; break attempts and incidents between strokes in
``icf_incidents``.
"""

from __future__ import annotations

from dataclasses import dataclass

from carrom.pieces import PieceKind
from carrom.seats import Seat, Side, right_of
from referee import icf_endings, icf_incidents, indian
from referee.draft import Clauses, Draft
from referee.facts import Facts
from referee.laws import Laws
from referee.ruling import (
    BoardReason,
    Foul,
    From,
    Place,
    QueenState,
    QueenStatus,
    Reason,
    Ruling,
)
from referee.scoring import close_board
from referee.state import State

__all__ = ["judge"]

QUEEN = PieceKind.QUEEN
_ROW_ORDER = (
    Reason.QUEEN_RETURN,
    Reason.OFF_BOARD,
    Reason.VOID_POCKETING,
    Reason.PENALTY,
    Reason.DUE,
)


def _fouls_and_stroke(draft: Draft) -> Draft:
    """Technical fouls come first: the C/m are out before the stroke is judged (ICF-36)."""
    state, facts = draft.state, draft.facts
    if not facts.stroke_made:
        others = icf_incidents.technical_fouls_of_others(draft)
        icf_incidents.between_strokes(draft)
        icf_incidents.penalise(draft, others)
        return draft
    foul = icf_incidents.own_incident(draft) or facts.touched
    seats = icf_incidents.technical_fouls_of_others(draft)
    if any(call.seat is facts.seat for call in draft.fouls):
        seats = [facts.seat, *seats]
    if seats:
        draft = icf_incidents.before_the_stroke(state, facts, draft, seats)
    _stroke(draft, foul=foul)
    indian.make_break(draft)
    return draft


@dataclass(frozen=True, slots=True)
class _Stroke:
    """How the stroke was played: properly or not, with a foul besides, with the striker sunk."""

    striker: bool
    improper: bool
    foul: bool

    @property
    def bad(self) -> bool:
        """The turn is lost whatever fell (ICF-37, ICF-50)."""
        return self.improper or self.foul

    @property
    def void(self) -> bool:
        """Own C/m pocketed come out again (ICF-37, ICF-46, ICF-50)."""
        return self.striker or self.bad


def judge(state: State, facts: Facts, laws: Laws) -> Ruling:
    """The ruling on one outcome. The caller has checked state and facts."""
    draft = Draft(state, facts, laws)
    draft.restore_moved = facts.moved_by_hand
    if icf_incidents.board_lost(draft):
        _off_board_rows(draft)
    elif facts.before_play:
        icf_incidents.break_before_play(draft)
    else:
        draft = _fouls_and_stroke(draft)
    if len(draft.returns) > 1:
        draft.merge_rows()
        draft.order_rows(_ROW_ORDER)
    return draft.finish()


def _stroke(draft: Draft, *, foul: bool) -> None:
    facts, own = draft.facts, draft.facts.side
    improper = bool(facts.improper) or indian.misplaced(facts, lines=True, diagonal=True)
    played = _Stroke(striker=facts.striker_in, improper=improper, foul=foul)
    if indian.missed_break(draft) and not foul:
        icf_incidents.missed_break(draft, lost=played.striker or improper)
        return
    if played.striker:
        draft.foul(Foul.STRIKER_POCKETED, ("ICF-45",))
    if improper:
        draft.foul(Foul.IMPROPER_STROKE, ("ICF-37",))
    if foul:
        draft.foul(Foul.FOUL, ("ICF-37",))
    mine = facts.pocketed.get(own.piece, 0)
    queen, allowed = _queen_after(draft, played, mine)
    valid = 0 if played.void else mine
    repaid = min(draft.debts[own], valid)
    kept_last = not played.void and repaid == 0
    if not foul and icf_endings.end(draft, queen, improper=improper, kept_last=kept_last):
        _off_board_rows(draft)
        icf_endings.score(draft, improper=improper)
        return
    _settle(draft, played, queen, repaid=repaid)
    covers = queen.state is QueenStatus.COVERED
    if valid and draft.on_board[own.piece] == 0 and covers:
        _finish(draft, own)
    elif allowed and not played.bad and (mine or facts.pocketed.get(QUEEN, 0)):
        indian.strike_again(draft, ("ICF-46",) if played.striker else ("ICF-21",))
    else:
        indian.pass_turn(draft, _loss_clauses(draft, played))


def _loss_clauses(draft: Draft, played: _Stroke) -> Clauses:
    if played.improper:
        return ("ICF-37", "ICF-49", "ICF-50") if draft.facts.pocketed else ("ICF-37",)
    if played.foul:
        return ("ICF-37",)
    return ("ICF-45", "ICF-47") if played.striker else ("ICF-21",)


def _queen_after(draft: Draft, played: _Stroke, mine: int) -> tuple[QueenState, bool]:
    """What the stroke makes of the queen, and False if it loses the turn for her sake (ICF-68)."""
    facts, state, own = draft.facts, draft.state, draft.facts.side
    queen = state.queen
    assert queen is not None
    if facts.pocketed.get(QUEEN, 0):
        return _queen_pocketed(draft, played, mine)
    if queen.pending:
        if played.bad or not mine:
            draft.cite(("ICF-74" if mine else "ICF-73") if played.striker else "ICF-69")
            return indian.ON_BOARD, False
        if played.striker:
            draft.cite("ICF-74")
            return queen, True
        draft.cite("ICF-65")
        return QueenState(QueenStatus.COVERED, own), True
    return queen, True


def _queen_pocketed(draft: Draft, played: _Stroke, mine: int) -> tuple[QueenState, bool]:
    state, own = draft.state, draft.facts.side
    nine_on_board = state.pocketed.get(own.piece, 0) == 0
    if state.debts[own]:
        draft.cite("ICF-68")
        return indian.ON_BOARD, False
    if not mine and not indian.had_pocketed(state, own):
        draft.cite("ICF-68")
        return indian.ON_BOARD, False
    if played.striker and nine_on_board and not mine:
        draft.cite("ICF-68")
        return indian.ON_BOARD, False
    if played.void:
        draft.cite("ICF-71" if mine else "ICF-72") if played.striker else draft.cite("ICF-37")
        return indian.ON_BOARD, True
    if mine >= 2 or (mine and not nine_on_board):
        draft.cite("ICF-70")
        return QueenState(QueenStatus.COVERED, own), True
    draft.cite("ICF-70" if mine else "ICF-65")
    return QueenState(QueenStatus.POCKETED_UNCOVERED, own), True


def _settle(draft: Draft, played: _Stroke, queen: QueenState, *, repaid: int) -> None:
    """Put everything back and take the dues (ICF-37..50, ICF-51, ICF-71..74)."""
    facts, own = draft.facts, draft.facts.side
    assert draft.state.queen is not None
    mine = facts.pocketed.get(own.piece, 0)
    queen_out = queen.state is QueenStatus.ON_BOARD and (
        facts.pocketed.get(QUEEN, 0) > 0 or draft.state.queen.pending
    )
    if queen_out:
        indian.queen_to_centre(draft, "umpire", ("ICF-66", "ICF-67"))
    _off_board_rows(draft)
    draft.queen = queen
    by = _placer(draft, facts.seat)
    if played.void:
        clauses: Clauses = ("ICF-37", "ICF-50") if played.improper else ("ICF-37",)
        if not played.bad:
            clauses = ("ICF-46",)
        _row(draft, own, mine, Reason.VOID_POCKETING, by=by, clauses=clauses)
        if played.foul:  # Law 37(b) brings out everything pocketed with the foul
            opponent = indian.other(own)
            theirs = facts.pocketed.get(opponent.piece, 0)
            _row(draft, opponent, theirs, Reason.VOID_POCKETING, by=by, clauses=("ICF-37",))
    elif mine:
        draft.had_pocketed |= {own}
    dues, penalties = _price(draft, played)
    if not (dues or penalties or repaid):
        if not played.foul:
            _repay_opponent(draft)
        return
    paid_penalty = min(penalties, draft.pocketed.get(own.piece, 0))
    _row(draft, own, paid_penalty, Reason.PENALTY, by=by, clauses=("ICF-37",))
    paid_due = min(dues, draft.pocketed.get(own.piece, 0))
    repaid = min(repaid, draft.pocketed.get(own.piece, 0) - paid_due)
    _row(draft, own, paid_due + repaid, Reason.DUE, by=by, clauses=_due_clauses(draft, played))
    draft.owe(own, dues + penalties - paid_due - paid_penalty - repaid, ("ICF-45", "ICF-51"))
    if not played.foul:
        _repay_opponent(draft)


def _price(draft: Draft, played: _Stroke) -> tuple[int, int]:
    """Dues and penalty C/m of the stroke.

    An improper stroke costs a due if C/m fell or the striker did (ICF-45..50), a penalty if not
    (ICF-37); with the striker and the queen involved two dues (ICF-71..74).
    """
    facts = draft.facts
    assert draft.state.queen is not None
    with_queen = facts.pocketed.get(QUEEN, 0) > 0 or draft.state.queen.pending
    men = any(kind is not QUEEN for kind in facts.pocketed)
    penalties = 1 if played.foul else 0
    if played.striker:
        return (2 if played.improper and with_queen else 1), penalties
    if played.improper:
        return (1, penalties) if men else (0, penalties + 1)
    return 0, penalties


def _due_clauses(draft: Draft, played: _Stroke) -> Clauses:
    facts = draft.facts
    opponent = indian.other(facts.side)
    if not played.striker and not played.improper:
        return ("ICF-51",)
    if facts.pocketed.get(QUEEN, 0):
        return ("ICF-71",) if facts.pocketed.get(facts.side.piece, 0) else ("ICF-72",)
    assert draft.state.queen is not None
    if draft.state.queen.pending and played.striker:
        return ("ICF-74",) if facts.pocketed.get(facts.side.piece, 0) else ("ICF-73",)
    mine, theirs = facts.pocketed.get(facts.side.piece, 0), facts.pocketed.get(opponent.piece, 0)
    if played.improper and (mine or theirs):
        return ("ICF-50",) if mine else ("ICF-49",)
    if mine:
        return ("ICF-48",) if theirs else ("ICF-46",)
    return ("ICF-47",) if theirs else ("ICF-45",)


def _repay_opponent(draft: Draft) -> None:
    """Their outstanding due becomes available by this stroke: the shooter places it (ICF-51)."""
    facts = draft.facts
    opponent = indian.other(facts.side)
    repaid = min(draft.debts[opponent], facts.pocketed.get(opponent.piece, 0))
    if not repaid:
        return
    by = facts.seat if draft.state.doubles else facts.side
    _row(draft, opponent, repaid, Reason.DUE, by=by, clauses=("ICF-51",))
    draft.owe(opponent, -repaid, ("ICF-51",))


def _placer(draft: Draft, seat: Seat) -> str:
    """Who places this player's C/m: his opponent, in doubles the seat on his right (ICF-51)."""
    seats = draft.state.seats
    return right_of(seat, seats) if draft.state.doubles else indian.other(seats[seat])


def _row(
    draft: Draft, side: Side, count: int, reason: Reason, *, by: str, clauses: Clauses
) -> None:
    draft.give_back(
        side.piece,
        count,
        to=Place.OUTER_CIRCLE,
        by=by,
        source=From.POCKET,
        reason=reason,
        clauses=clauses,
    )


def _off_board_rows(draft: Draft) -> None:
    """Overboard: queen first, then the shooter's C/m, then the opponents' (ICF-38)."""
    facts = draft.facts
    if not facts.off:
        return
    if facts.off.get(QUEEN, 0):
        indian.queen_to_centre(draft, "umpire", ("ICF-38",))
    for side in (facts.side, indian.other(facts.side)):
        draft.give_back(
            side.piece,
            facts.off.get(side.piece, 0),
            to=Place.CENTRE_CIRCLE,
            by="umpire",
            source=From.OFF_BOARD,
            reason=Reason.OFF_BOARD,
            clauses=("ICF-38",),
        )


def _finish(draft: Draft, own: Side) -> None:
    """All own C/m pocketed and the queen covered: the board is won (ICF-25..28)."""
    assert draft.queen is not None
    points = draft.on_board[indian.other(own).piece]
    if draft.queen.by is own:
        points += draft.laws.numbers.queen_value(draft.state.score.get(own, 0))
    close_board(
        draft,
        own,
        points,
        reason=BoardReason.ALL_OWN_POCKETED,
        clauses=("ICF-25", "ICF-26", "ICF-27"),
    )
