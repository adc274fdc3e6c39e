"""GameRules carrom (rules.md C.3): every foul ends the turn and costs one piece."""

from __future__ import annotations

from carrom.pieces import PieceKind
from carrom.seats import Side
from referee import indian
from referee.draft import Draft
from referee.facts import Facts
from referee.laws import Laws
from referee.options import GamerulesOptions
from referee.ruling import (
    BoardReason,
    Foul,
    From,
    Notice,
    Place,
    QueenState,
    QueenStatus,
    Reason,
    Ruling,
)
from referee.scoring import close_board
from referee.state import State

__all__ = ["call_common_fouls", "eligible_queen", "judge"]

QUEEN = PieceKind.QUEEN
_ABOUT_OPPONENT = frozenset({Foul.OPPONENT_PIECE_POCKETED, Foul.OPPONENT_LAST_POCKETED})
"""Fouls after which own pieces pocketed in the stroke stay in, whatever else happened, unless the
own last fell before the queen (GR-19, GR-20, GR-21, GR-35)."""


def judge(state: State, facts: Facts, laws: Laws, options: GamerulesOptions) -> Ruling:
    """The ruling on one outcome. The caller has checked state and facts."""
    draft = Draft(state, facts, laws)
    if facts.was_out_of_turn:
        indian.no_law(draft)
        return draft.finish()
    call_common_fouls(draft)
    _call_piece_fouls(draft)
    draft.restore_moved = facts.moved_by_hand
    if draft.fouls:
        _foul(draft, options)
    elif not facts.stroke_made:
        if facts.violations or facts.left_seats or facts.time_exceeded:
            draft.note(Notice.NO_LAW)
        indian.turn_stays(draft)
    elif indian.missed_break(draft):
        indian.strike_again(draft, ("GR-06",), counted=False)
    else:
        _clean(draft)
    if facts.stroke_made:
        indian.make_break(draft)
    return draft.finish()


def call_common_fouls(draft: Draft) -> None:
    """Fouls that do not depend on colours: with two sides and with three players (PT-05)."""
    facts = draft.facts
    if facts.striker_in:
        draft.foul(Foul.STRIKER_POCKETED, ("GR-17",))
    if facts.striker_off or facts.striker_on_frame:
        draft.foul(Foul.STRIKER_OFF_BOARD, ("GR-18",))
    if facts.off:
        draft.foul(Foul.PIECE_OFF_BOARD, ("GR-18",))
    if facts.moved_by_hand:
        draft.foul(Foul.PIECE_TOUCHED, ("GR-23",))
    if facts.improper:
        draft.foul(Foul.STRIKE_RULE_VIOLATION, ("GR-08", "GR-09", "GR-24"))
    elif facts.stroke_made and indian.misplaced(facts, lines=True, diagonal=False):
        draft.foul(Foul.STRIKE_RULE_VIOLATION, ("GR-07", "GR-24"))
    missed = facts.stroke_made and indian.missed_break(draft)
    if missed and not indian.attempts_left(draft):
        draft.foul(Foul.BREAK_FAILED, ("GR-06", "GR-22"))


def _call_piece_fouls(draft: Draft) -> None:
    facts, before = draft.facts, draft.state.on_board
    own, opponent = facts.side.piece, indian.other(facts.side).piece
    theirs = facts.pocketed.get(opponent, 0)
    if theirs and theirs == before.get(opponent, 0):
        draft.foul(Foul.OPPONENT_LAST_POCKETED, ("GR-21",))
    elif theirs:
        draft.foul(Foul.OPPONENT_PIECE_POCKETED, ("GR-19",))
    mine = facts.pocketed.get(own, 0)
    if mine and mine == before.get(own, 0) and not _queen_precedes(draft):
        draft.foul(Foul.OWN_LAST_BEFORE_QUEEN, ("GR-20",))


def _queen_precedes(draft: Draft) -> bool:
    """The queen is down before, or with, the own last piece (GR-20, Q-GR-12)."""
    assert draft.state.queen is not None
    status = draft.state.queen.state
    return status in (QueenStatus.COVERED, QueenStatus.POCKETED_UNCOVERED) or bool(
        draft.facts.pocketed.get(QUEEN, 0)
    )


def _foul(draft: Draft, options: GamerulesOptions) -> None:
    """GR-16: the turn ends; what must go back goes back, and one penalty piece (GR-34)."""
    facts, own = draft.facts, draft.facts.side
    opponent = indian.other(own)
    _queen_back(draft, opponent)
    for side in (own, opponent) if facts.off else ():
        count = facts.off.get(side.piece, 0)
        _row(draft, side.piece, count, Reason.OFF_BOARD, ("GR-18",), source=From.OFF_BOARD)
    stay = _opponents_back(draft, options)
    mine = facts.pocketed.get(own.piece, 0)
    names = {call.foul for call in draft.fouls}
    keeps = bool(names & _ABOUT_OPPONENT) and Foul.OWN_LAST_BEFORE_QUEEN not in names
    if not keeps:
        _row(draft, own.piece, mine, Reason.VOID_POCKETING, ("GR-35",))
    elif mine:
        draft.had_pocketed |= {own}
    if draft.pocketed.get(own.piece, 0):
        _row(draft, own.piece, 1, Reason.PENALTY, ("GR-16", "GR-34"))
    else:
        draft.owe(own, 1, ("GR-33",))
    if keeps:
        _repay(draft, own, mine)
    _repay(draft, opponent, stay)
    indian.pass_turn(draft, ("GR-11", "GR-16"))


def _queen_back(draft: Draft, opponent: Side) -> None:
    """Any foul sends an uncovered queen back, whatever fell with her (GR-15, GR-19)."""
    facts = draft.facts
    assert draft.state.queen is not None
    gone = facts.pocketed.get(QUEEN, 0) + facts.off.get(QUEEN, 0)
    if gone or draft.state.queen.pending:
        indian.queen_to_centre(draft, opponent, ("GR-15",))


def _opponents_back(draft: Draft, options: GamerulesOptions) -> int:
    """Return the opponents' pieces that may not stay (GR-19 option, GR-21); how many stay in."""
    facts, piece = draft.facts, indian.other(draft.facts.side).piece
    pocketed = facts.pocketed.get(piece, 0)
    last = any(call.foul is Foul.OPPONENT_LAST_POCKETED for call in draft.fouls)
    back = 1 if last else 0
    _row(draft, piece, back, Reason.OPPONENT_LAST_RETURN, ("GR-21",))
    if options.opponent_piece == "returned":
        _row(draft, piece, pocketed - back, Reason.OPPONENT_PIECE_RETURN, ("GR-19",))
        return 0
    return pocketed - back


def _row(
    draft: Draft,
    piece: PieceKind,
    count: int,
    reason: Reason,
    clauses: tuple[str, ...],
    *,
    source: From = From.POCKET,
) -> None:
    draft.give_back(
        piece,
        count,
        to=Place.OUTER_CIRCLE,
        by=indian.other(draft.facts.side),
        source=source,
        reason=reason,
        clauses=clauses,
    )


def _repay(draft: Draft, side: Side, pocketed: int) -> None:
    """GR-33: a debt is returned from the first of its pieces that stay pocketed."""
    repaid = min(draft.state.debts[side], pocketed, draft.pocketed.get(side.piece, 0))
    if not repaid:
        return
    _row(draft, side.piece, repaid, Reason.DEBT, ("GR-33",))
    draft.owe(side, -repaid, ("GR-33",))


def _clean(draft: Draft) -> None:
    """A stroke without a foul: queen, debt, end of the board, or the next stroke."""
    facts, state, own = draft.facts, draft.state, draft.facts.side
    opponent = indian.other(own)
    mine = facts.pocketed.get(own.piece, 0)
    assert state.queen is not None
    goes_on = mine > 0 or facts.pocketed.get(QUEEN, 0) > 0
    draft.queen = eligible_queen(draft, mine, indian.had_pocketed(state, own))
    if state.queen.pending and not goes_on:
        indian.queen_to_centre(draft, opponent, ("GR-14", "GR-15"))
    if mine:
        draft.had_pocketed |= {own}
    _repay(draft, own, mine)
    if mine and draft.on_board[own.piece] == 0 and draft.queen.state is QueenStatus.COVERED:
        points = draft.on_board[opponent.piece]
        if draft.queen.by is own:
            points += draft.laws.numbers.queen_points
        close_board(
            draft,
            own,
            points,
            reason=BoardReason.ALL_OWN_POCKETED,
            clauses=("GR-28", "GR-29", "GR-30"),
        )
    elif goes_on:
        indian.strike_again(draft, ("GR-10",))
    else:
        indian.pass_turn(draft, ("GR-11",))


def eligible_queen(draft: Draft, mine: int, had: bool) -> QueenState:
    """What a stroke without a foul makes of the queen (GR-12..14, GR-36)."""
    queen, own = draft.state.queen, draft.facts.side
    assert queen is not None
    if draft.facts.pocketed.get(QUEEN, 0):
        if mine >= 2 or (had and mine):
            draft.cite("GR-36")
            return QueenState(QueenStatus.COVERED, own)
        if had or mine:
            draft.cite("GR-12", "GR-13")
            return QueenState(QueenStatus.POCKETED_UNCOVERED, own)
        draft.cite("GR-14")
        return QueenState(QueenStatus.POCKETED_INELIGIBLE, own)
    if queen.state is QueenStatus.POCKETED_UNCOVERED and mine:
        draft.cite("GR-13")
        return QueenState(QueenStatus.COVERED, own)
    return queen
