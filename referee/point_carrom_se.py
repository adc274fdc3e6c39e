"""Three-player point carrom after carrom.se (rules.md C.6, PT-10..14): any puck, no order, the
queen needs no securing; everything else as in carrom.se with "own" = any puck."""

from __future__ import annotations

from carrom.pieces import PieceKind
from carrom.seats import Seat
from referee import indian, technical
from referee.draft import Clauses, Draft
from referee.facts import Facts
from referee.laws import Laws
from referee.options import PointCarromSeOptions
from referee.point_pieces import MEN, board_cleared, captured_men, men_pocketed, penalty_piece
from referee.ruling import From, Notice, Place, QueenState, QueenStatus, Reason, Ruling
from referee.scoring import close_point_board, point_totals
from referee.state import State

__all__ = ["judge"]

QUEEN = PieceKind.QUEEN


def judge(state: State, facts: Facts, laws: Laws, options: PointCarromSeOptions) -> Ruling:
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
    if draft.board_points is None:
        draft.board_points = point_totals(draft.captured, draft.queen, laws.numbers)
    return draft.finish()


def _stroke(draft: Draft, plikts: technical.Plikts, options: PointCarromSeOptions) -> None:
    facts = draft.facts
    lost = plikts.improper and options.improper_stroke == "icf"
    void = facts.striker_in or lost
    sunk = men_pocketed(facts) + facts.pocketed.get(QUEEN, 0)
    _queen(draft, up=void or plikts.improper)
    for kind in MEN:
        _row(draft, kind, facts.off.get(kind, 0), Reason.OFF_BOARD, ("SE-31", "PT-13"))
    clauses = ("SE-29", "PT-13") if facts.striker_in else ("SE-34", "PT-13")
    for kind in MEN if void else ():
        _row(draft, kind, facts.pocketed.get(kind, 0), Reason.VOID_POCKETING, clauses)
    if not void and men_pocketed(facts):
        draft.had_pocketed |= {facts.side}
    _take_plikts(draft, plikts)
    if not void:
        _claim(draft, options)
    if board_cleared(draft):
        close_point_board(draft, ("PT-11", "PT-14"))
    elif indian.missed_break(draft):
        _missed_break(draft)
    elif sunk and not lost:
        indian.strike_again(draft, ("PT-12",))
    else:
        indian.pass_turn(draft, ("PT-12",))


def _queen(draft: Draft, *, up: bool) -> None:
    """The red counts at once (PT-10); sunk with the striker or incorrectly she goes up (SE-34)."""
    facts = draft.facts
    if facts.off.get(QUEEN, 0):
        indian.queen_to_centre(draft, "umpire", ("SE-31", "PT-13"))
    elif facts.pocketed.get(QUEEN, 0):
        if up:
            why = "SE-29" if facts.striker_in else "SE-34"
            indian.queen_to_centre(draft, "umpire", (why, "SE-37", "PT-13"))
        else:
            draft.queen = QueenState(QueenStatus.COVERED, facts.side)
            draft.cite("PT-10", "PT-11")


def _row(
    draft: Draft,
    kind: PieceKind,
    count: int,
    reason: Reason,
    clauses: Clauses,
    seat: Seat | None = None,
) -> None:
    off = reason is Reason.OFF_BOARD
    seat = seat or draft.facts.seat
    draft.give_back(
        kind,
        count,
        to=Place.CENTRE_CIRCLE if off else Place.OUTER_CIRCLE,
        by="umpire" if off else technical.placer(draft, seat),
        source=From.OFF_BOARD if off else From.POCKET,
        reason=reason,
        clauses=clauses,
        owner=draft.state.seats[seat],
    )


def _take_plikts(draft: Draft, plikts: technical.Plikts) -> None:
    for seat, count in plikts.by_seat.items():
        for _ in range(count):
            _take_one(draft, seat)
    draft.merge_rows()


def _take_one(draft: Draft, seat: Seat) -> None:
    """One plikt: the cheapest captured puck, the red only if there is no other (Q-PT-02)."""
    side = draft.state.seats[seat]
    kind = penalty_piece(draft, dearest=False, side=side)
    if kind is None:
        draft.owe(side, 1, ("SE-25", "PT-13"))
    elif kind is QUEEN:
        draft.give_back(
            QUEEN,
            1,
            to=Place.CENTRE_CIRCLE,
            by="umpire",
            source=From.POCKET,
            reason=Reason.PENALTY,
            clauses=("PT-13",),
            owner=side,
        )
        draft.queen = indian.ON_BOARD
    else:
        _row(draft, kind, 1, Reason.PENALTY, ("PT-13", "SE-38"), seat)


def _claim(draft: Draft, options: PointCarromSeOptions) -> None:
    """Owed plikts are claimed from the pucks the debtor sinks, the cheapest first (SE-25)."""
    facts, side = draft.facts, draft.facts.side
    owed = draft.state.debts[side]
    if options.debt_claim == "manual":
        draft.pending_claim = bool(draft.debts[side]) and men_pocketed(facts) > 0
        return
    taken = {}
    for kind in reversed(MEN):
        taken[kind] = min(owed, facts.pocketed.get(kind, 0), captured_men(draft, side, kind))
        owed -= taken[kind]
    for kind in MEN:
        _row(draft, kind, taken[kind], Reason.DEBT, ("SE-25", "PT-13"))
    draft.owe(side, -sum(taken.values()), ("SE-25",))


def _missed_break(draft: Draft) -> None:
    if draft.facts.striker_in or not indian.attempts_left(draft):
        indian.pass_turn(draft, ("SE-28",) if draft.facts.striker_in else ("SE-11",))
    else:
        indian.strike_again(draft, ("SE-11",), counted=False)
