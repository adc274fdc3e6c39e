"""Three-player point carrom after GameRules (rules.md C.6, PT-01..08): no colours, every piece has
its points, fouls as in gamerules."""

from __future__ import annotations

from carrom.pieces import PieceKind
from carrom.seats import next_seat
from referee import indian
from referee.draft import Clauses, Draft
from referee.facts import Facts
from referee.gamerules import call_common_fouls, eligible_queen
from referee.laws import Laws
from referee.options import PointGamerulesOptions
from referee.point_pieces import MEN, board_cleared, captured_men, men_pocketed, penalty_piece
from referee.ruling import From, Notice, Place, QueenState, QueenStatus, Reason, Ruling
from referee.scoring import close_point_board, point_totals
from referee.state import State

__all__ = ["judge"]

QUEEN = PieceKind.QUEEN


def judge(state: State, facts: Facts, laws: Laws, options: PointGamerulesOptions) -> Ruling:
    """The ruling on one outcome. The caller has checked state and facts."""
    draft = Draft(state, facts, laws)
    if facts.was_out_of_turn:
        indian.no_law(draft)
        return draft.finish()
    call_common_fouls(draft)
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
        _clean(draft, options)
    if facts.stroke_made:
        indian.make_break(draft)
    if draft.board_points is None:
        draft.board_points = point_totals(draft.captured, draft.queen, laws.numbers)
    return draft.finish()


def _foul(draft: Draft, options: PointGamerulesOptions) -> None:
    """PT-05, PT-06: the turn ends, everything from the stroke goes back, and one penalty piece."""
    facts = draft.facts
    assert draft.state.queen is not None
    gone = facts.pocketed.get(QUEEN, 0) + facts.off.get(QUEEN, 0)
    if gone or draft.state.queen.pending:
        indian.queen_to_centre(draft, _next(draft), ("GR-15", "PT-06"))
    for kind in MEN:
        _row(draft, kind, facts.off.get(kind, 0), Reason.OFF_BOARD, ("GR-18",))
    for kind in MEN:
        _row(draft, kind, facts.pocketed.get(kind, 0), Reason.VOID_POCKETING, ("PT-06",))
    _penalty(draft, options)
    indian.pass_turn(draft, ("PT-05", "GR-16"))


def _penalty(draft: Draft, options: PointGamerulesOptions) -> None:
    kind = penalty_piece(draft, dearest=options.penalty_piece == "dearest")
    if kind is None:
        draft.owe(draft.facts.side, 1, ("PT-07",))
    elif kind is QUEEN:
        draft.give_back(
            QUEEN,
            1,
            to=Place.CENTRE_CIRCLE,
            by=_next(draft),
            source=From.POCKET,
            reason=Reason.PENALTY,
            clauses=("PT-06",),
        )
        draft.queen = indian.ON_BOARD
    else:
        _row(draft, kind, 1, Reason.PENALTY, ("PT-05", "PT-06"))


def _next(draft: Draft) -> str:
    """The next seat in order of play puts pieces back (F.6)."""
    state = draft.state
    return next_seat(draft.facts.seat, state.seats, draft.laws.numbers.direction)


def _row(draft: Draft, kind: PieceKind, count: int, reason: Reason, clauses: Clauses) -> None:
    draft.give_back(
        kind,
        count,
        to=Place.OUTER_CIRCLE,
        by=_next(draft),
        source=From.OFF_BOARD if reason is Reason.OFF_BOARD else From.POCKET,
        reason=reason,
        clauses=clauses,
    )


def _clean(draft: Draft, options: PointGamerulesOptions) -> None:
    facts, state = draft.facts, draft.state
    assert state.queen is not None
    men = men_pocketed(facts)
    goes_on = men > 0 or facts.pocketed.get(QUEEN, 0) > 0
    draft.queen = _queen_after(draft, options, men)
    stranded = draft.queen.state is QueenStatus.POCKETED_INELIGIBLE
    if stranded and not any(draft.on_board.values()):
        goes_on = False  # nothing is left to strike at: the turn ends, and she goes back (GR-14)
    if (state.queen.pending or stranded) and not goes_on:
        indian.queen_to_centre(draft, _next(draft), ("GR-14", "GR-15", "PT-04"))
    if men:
        draft.had_pocketed |= {facts.side}
    _repay(draft)
    if board_cleared(draft):
        close_point_board(draft, ("PT-02", "PT-08"))
    elif goes_on:
        indian.strike_again(draft, ("PT-03",))
    else:
        indian.pass_turn(draft, ("PT-03",))


def _queen_after(draft: Draft, options: PointGamerulesOptions, men: int) -> QueenState:
    """PT-04: GR-12..15 with "own piece" = any piece. As the last piece on the board she needs no
    cover: nothing is left to cover her with."""
    facts = draft.facts
    if facts.pocketed.get(QUEEN, 0) and not options.queen_cover:
        return QueenState(QueenStatus.COVERED, facts.side)
    had = indian.had_pocketed(draft.state, facts.side)
    queen = eligible_queen(draft, men, had)
    last = not any(draft.on_board[kind] for kind in MEN)
    if last and queen.state is QueenStatus.POCKETED_UNCOVERED:
        return QueenState(QueenStatus.COVERED, facts.side)
    return queen


def _repay(draft: Draft) -> None:
    """PT-07: a player's debt is returned from his first pieces, the cheapest of the stroke."""
    side = draft.facts.side
    owed = draft.debts[side]
    taken = {}
    for kind in reversed(MEN):
        taken[kind] = min(owed, draft.facts.pocketed.get(kind, 0), captured_men(draft, side, kind))
        owed -= taken[kind]
    for kind in MEN:
        _row(draft, kind, taken[kind], Reason.DEBT, ("PT-07", "GR-33"))
    draft.owe(side, -sum(taken.values()), ("PT-07",))
