"""carrom.se (rules.md C.4): a plikt for the sunk striker and for technical fouls, sunk pucks stay.

The ends of a board are in ``carrom_se_endings``, plikts and technical fouls in ``technical``.
"""

from __future__ import annotations

from carrom.errors import ContradictionError
from carrom.pieces import PieceKind
from carrom.seats import Seat
from referee import carrom_se_endings, indian, technical
from referee.draft import Draft
from referee.facts import Facts
from referee.laws import Laws
from referee.options import CarromSeOptions
from referee.ruling import (
    BoardStatus,
    From,
    Notice,
    Place,
    QueenState,
    QueenStatus,
    Reason,
    Ruling,
)
from referee.state import State

__all__ = ["judge"]

QUEEN = PieceKind.QUEEN


def judge(state: State, facts: Facts, laws: Laws, options: CarromSeOptions) -> Ruling:
    """The ruling on one outcome. The caller has checked state and facts."""
    draft = Draft(state, facts, laws)
    if facts.was_out_of_turn:
        indian.no_law(draft)
        return draft.finish()
    plikts = technical.call_plikts(draft, options)
    technical.lapse_unclaimed(draft, options, facts.side)
    draft.restore_moved = facts.moved_by_hand
    if not facts.stroke_made or technical.retaken_misfire(draft):
        _take_plikts(draft, plikts)
        indian.turn_stays(draft, ("SE-34",) if plikts.shooter else ())
        if facts.stroke_made:
            draft.note(Notice.MISFIRE_RETAKEN)
            draft.cite("SE-12")
    else:
        _stroke(draft, plikts, options)
        indian.make_break(draft)
    _check_removal(draft)
    return draft.finish()


def _stroke(draft: Draft, plikts: technical.Plikts, options: CarromSeOptions) -> None:
    facts, own = draft.facts, draft.facts.side
    mine = facts.pocketed.get(own.piece, 0)
    lost = plikts.improper and options.improper_stroke == "icf"
    void = facts.striker_in or lost
    queen = _queen_after(draft, 0 if void else mine, mine, plikts, options)
    claim = min(draft.debts[own], 0 if void else mine) if options.debt_claim == "auto" else 0
    unfinished = claim > 0 or plikts.of_side(draft.state, own) > 0
    if carrom_se_endings.end(draft, queen, void=void, unfinished=unfinished):
        _off_board_rows(draft)
        carrom_se_endings.score(draft)
        return
    if queen.state is QueenStatus.ON_BOARD and (
        facts.pocketed.get(QUEEN, 0)
        or (draft.state.queen is not None and draft.state.queen.pending)
    ):
        indian.queen_to_centre(draft, "umpire", ("SE-16", "SE-37"))
    _off_board_rows(draft)
    draft.queen = queen
    if void:
        _row(draft, mine, Reason.VOID_POCKETING, ("SE-29",) if facts.striker_in else ("SE-34",))
    elif mine:
        draft.had_pocketed |= {own}
    _take_plikts(draft, plikts)
    _claim(draft, claim, options, sank_own=mine > 0 and not void)
    _free_removal(draft, options, sank_own=mine > 0 and not void)
    if indian.missed_break(draft):
        _missed_break(draft)
    elif not lost and (
        mine or (queen != draft.state.queen and queen.state is not QueenStatus.ON_BOARD)
    ):
        indian.strike_again(draft, ("SE-08",) if mine else ("SE-13", "SE-14"))
    else:
        indian.pass_turn(draft, ("SE-34",) if lost else ("SE-09",))


def _queen_after(
    draft: Draft,
    valid: int,
    mine: int,
    plikts: technical.Plikts,
    options: CarromSeOptions,
) -> QueenState:
    """What the stroke makes of the queen. ``valid``: own pucks that stay sunk; ``mine``: all."""
    facts, own = draft.facts, draft.facts.side
    queen = draft.state.queen
    assert queen is not None
    if facts.pocketed.get(QUEEN, 0):
        had = indian.had_pocketed(draft.state, own)
        if facts.striker_in or plikts.improper:
            draft.cite("SE-40", "SE-41") if facts.striker_in else draft.cite("SE-34")
            return indian.ON_BOARD
        if not had and not valid:
            draft.cite("SE-17")
            return indian.ON_BOARD
        if options.queen_auto_secured:
            draft.cite("SB-01")
            return QueenState(QueenStatus.COVERED, own)
        if valid >= 2 or (had and valid):
            draft.cite("SE-15")
            return QueenState(QueenStatus.COVERED, own)
        draft.cite("SE-13", "SE-14")
        return QueenState(QueenStatus.POCKETED_UNCOVERED, own)
    if queen.pending:
        if valid:
            draft.cite("SE-14")
            return QueenState(QueenStatus.COVERED, own)
        keeps = (
            facts.striker_in and mine and not (plikts.improper and options.improper_stroke == "icf")
        )
        draft.cite("SE-42" if facts.striker_in else "SE-16")
        return queen if keeps else indian.ON_BOARD
    return queen


def _off_board_rows(draft: Draft) -> None:
    """Pucks that jumped off go to the centre, the queen first, without a plikt (SE-31, SE-37)."""
    facts = draft.facts
    if not facts.off:
        return
    if facts.off.get(QUEEN, 0):
        indian.queen_to_centre(draft, "umpire", ("SE-31", "SE-37"))
    for side in (facts.side, indian.other(facts.side)):
        draft.give_back(
            side.piece,
            facts.off.get(side.piece, 0),
            to=Place.CENTRE_CIRCLE,
            by="umpire",
            source=From.OFF_BOARD,
            reason=Reason.OFF_BOARD,
            clauses=("SE-31", "SE-37"),
        )


def _row(
    draft: Draft, count: int, reason: Reason, clauses: tuple[str, ...], seat: Seat | None = None
) -> None:
    seat = seat or draft.facts.seat
    draft.give_back(
        draft.state.seats[seat].piece,
        count,
        to=Place.OUTER_CIRCLE,
        by=technical.placer(draft, seat),
        source=From.POCKET,
        reason=reason,
        clauses=clauses,
    )


def _take_plikts(draft: Draft, plikts: technical.Plikts) -> None:
    """Take up the plikts, the shooter's side first; what is not there is owed (SE-24, SE-25)."""
    own = draft.facts.side
    order = sorted(plikts.by_seat, key=lambda seat: draft.state.seats[seat] is not own)
    owed: dict[Seat, int] = {}
    for seat in order:  # partners' plikts make one row of their colour
        if not plikts.by_seat[seat]:
            continue
        first = next((s for s in owed if draft.state.seats[s] is draft.state.seats[seat]), seat)
        owed[first] = owed.get(first, 0) + plikts.by_seat[seat]
    for seat, count in owed.items():
        side = draft.state.seats[seat]
        paid = min(count, draft.pocketed.get(side.piece, 0))
        _row(draft, paid, Reason.PENALTY, ("SE-24", "SE-38"), seat)
        draft.owe(side, count - paid, ("SE-25",))


def _claim(draft: Draft, claim: int, options: CarromSeOptions, *, sank_own: bool) -> None:
    """Owed plikts are claimed when the debtor himself sinks an own puck (SE-25, SE-26)."""
    own = draft.facts.side
    if claim:
        claim = min(claim, draft.pocketed.get(own.piece, 0))
        _row(draft, claim, Reason.DEBT, ("SE-25",))
        draft.owe(own, -claim, ("SE-25",))
    if options.debt_claim == "manual" and sank_own and draft.debts[own]:
        draft.pending_claim = True


def _free_removal(draft: Draft, options: CarromSeOptions, *, sank_own: bool) -> None:
    """SB-03: after sinking an own puck one more may be taken off while enough are left (SB-04)."""
    if not options.free_removal or not sank_own:
        return
    facts, own = draft.facts, draft.facts.side
    least = options.free_removal_min_left
    if not isinstance(least, int):
        least = least.get(facts.seat.value, least.get(own.value, 2))
    left = draft.on_board[own.piece] + facts.removed.get(own.piece, 0)
    draft.free_removal_allowed = left > least
    if facts.removed:
        draft.cite("SB-03")


def _check_removal(draft: Draft) -> None:
    removed = draft.facts.removed
    if not removed:
        return
    over = draft.board.status is BoardStatus.OVER
    if over or not draft.free_removal_allowed or removed != {draft.facts.side.piece: 1}:
        raise ContradictionError(
            "option_removal",
            expected="one own puck, where SB-03 allows it",
            got={kind.value: count for kind, count in removed.items()},
        )


def _missed_break(draft: Draft) -> None:
    """SE-11: up to three tries; a sunk striker ends them (SE-28)."""
    if draft.facts.striker_in or not indian.attempts_left(draft):
        indian.pass_turn(draft, ("SE-28",) if draft.facts.striker_in else ("SE-11",))
    else:
        indian.strike_again(draft, ("SE-11",), counted=False)
