"""ICF: break attempts, fouls outside a stroke, and the two ways of losing a board at once."""

from __future__ import annotations

from dataclasses import replace

from carrom.pieces import PieceKind
from carrom.seats import Seat, Side, right_of
from referee import indian
from referee.draft import Clauses, Draft
from referee.facts import Facts
from referee.ruling import BoardReason, Foul, From, Place, Reason
from referee.scoring import close_board
from referee.state import State

__all__ = [
    "before_the_stroke",
    "between_strokes",
    "board_lost",
    "break_before_play",
    "missed_break",
    "own_incident",
    "penalise",
    "technical_fouls_of_others",
]

QUEEN = PieceKind.QUEEN


def board_lost(draft: Draft) -> bool:
    """A seat left during the board (ICF-64) or a stroke out of turn (ICF-24): lost by the
    offender's C/m on the board and the queen if she is on it."""
    facts, state = draft.facts, draft.state
    if facts.left_seats:
        seat, foul, reason, clause = (
            facts.left_seats[0],
            Foul.LEFT_SEAT,
            BoardReason.LEFT_SEAT,
            "ICF-64",
        )
    elif facts.was_out_of_turn:
        seat, foul, reason, clause = (
            facts.seat,
            Foul.OUT_OF_TURN,
            BoardReason.OUT_OF_TURN,
            "ICF-24",
        )
    else:
        return False
    draft.foul(foul, (clause,), seat)
    loser = state.seats[seat]
    winner = indian.other(loser)
    points = draft.on_board[loser.piece] + facts.off.get(loser.piece, 0)
    if state.on_board.get(QUEEN, 0):
        points += draft.laws.numbers.queen_value(state.score.get(winner, 0))
    close_board(draft, winner, max(1, points), reason=reason, clauses=(clause,))
    return True


def break_before_play(draft: Draft) -> None:
    """Everything pocketed out, one penalty C/m, the turn lost (ICF-20)."""
    facts, own = draft.facts, draft.facts.side
    draft.foul(Foul.BREAK_BEFORE_PLAY, ("ICF-20",))
    if facts.pocketed.get(QUEEN, 0) or facts.off.get(QUEEN, 0):
        indian.queen_to_centre(draft, "umpire", ("ICF-20",))
    _overboard(draft)
    for side in (own, indian.other(own)):
        _row(draft, facts.seat, side, facts.pocketed.get(side.piece, 0), Reason.VOID_POCKETING)
    _penalty(draft, facts.seat, ("ICF-20",))
    indian.pass_turn(draft, ("ICF-20",))
    indian.make_break(draft)


def missed_break(draft: Draft, *, lost: bool) -> None:
    """No C/m touched: two more chances; a striker pocketed or an improper stroke loses the turn
    without a due (ICF-18)."""
    _overboard(draft)
    if lost or not indian.attempts_left(draft):
        indian.pass_turn(draft, ("ICF-18",))
    else:
        indian.strike_again(draft, ("ICF-18",), counted=False)


def own_incident(draft: Draft) -> bool:
    """Fouls of the player on turn outside the stroke that he then made.

    Before the first stroke of the turn they are technical fouls and the stroke stands; later they
    are fouls (True): the turn is lost (ICF-36, ICF-37).
    """
    facts = draft.facts
    own = any(violation.seat is facts.seat for violation in facts.violations)
    if not (facts.touched_outside or own):
        return False
    if draft.state.stroke_in_turn > 1:
        return True
    draft.foul(Foul.TECHNICAL_FOUL, ("ICF-36",))
    return False


def technical_fouls_of_others(draft: Draft) -> list[Seat]:
    """Seats not on turn that broke a law: a technical foul each (ICF-36b)."""
    facts = draft.facts
    seats = [v.seat for v in facts.violations if v.seat is not facts.seat]
    for seat in dict.fromkeys(seats):
        draft.foul(Foul.TECHNICAL_FOUL, ("ICF-36",), seat)
    return list(dict.fromkeys(seats))


def penalise(draft: Draft, seats: list[Seat]) -> None:
    """One C/m out for each technical foul of a seat."""
    for seat in seats:
        _penalty(draft, seat, ("ICF-36",))
    draft.merge_rows()


def before_the_stroke(state: State, facts: Facts, first: Draft, seats: list[Seat]) -> Draft:
    """A draft for the stroke from the state after the technical fouls before it: their C/m lie on
    the board again, or are owed."""
    incident = Draft(state, Facts(facts.seat, facts.side), first.laws)
    penalise(incident, seats)
    after = replace(
        state, on_board=incident.on_board, pocketed=incident.pocketed, debts=incident.debts
    )
    draft = Draft(after, facts, first.laws)
    draft.fouls = first.fouls
    draft.restore_moved = first.restore_moved
    draft.returns = incident.returns
    draft.debt_changes = incident.debt_changes
    draft.notices = incident.notices
    return draft


def between_strokes(draft: Draft) -> None:
    """A touch, a violation or the 15 seconds while no stroke was made (ICF-23, 36, 37)."""
    facts, state = draft.facts, draft.state
    own = any(violation.seat is facts.seat for violation in facts.violations)
    late = facts.time_exceeded is not None
    if not (own or late or facts.touched_outside):
        indian.turn_stays(draft, ("ICF-36",) if facts.violations else ())
        return
    extra = ("ICF-23",) if late else ()
    if state.stroke_in_turn == 1:
        draft.foul(Foul.TECHNICAL_FOUL, (*extra, "ICF-36"))
        _penalty(draft, facts.seat, ("ICF-36",))
        indian.turn_stays(draft, ("ICF-36",))
        return
    draft.foul(Foul.FOUL, (*extra, "ICF-37"))
    assert state.queen is not None
    if state.queen.pending:  # the turn is lost, so she was not covered (ICF-69)
        indian.queen_to_centre(draft, "umpire", ("ICF-69",))
    _penalty(draft, facts.seat, ("ICF-37",))
    indian.pass_turn(draft, ("ICF-37",))


def _penalty(draft: Draft, seat: Seat, clauses: Clauses) -> None:
    side = draft.state.seats[seat]
    paid = min(1, draft.pocketed.get(side.piece, 0))
    _row(draft, seat, side, paid, Reason.PENALTY, clauses)
    draft.owe(side, 1 - paid, clauses)


def _row(
    draft: Draft,
    seat: Seat,
    side: Side,
    count: int,
    reason: Reason,
    clauses: Clauses = ("ICF-20",),
) -> None:
    state = draft.state
    by = right_of(seat, state.seats) if state.doubles else indian.other(state.seats[seat])
    draft.give_back(
        side.piece,
        count,
        to=Place.OUTER_CIRCLE,
        by=by,
        source=From.POCKET,
        reason=reason,
        clauses=clauses,
    )


def _overboard(draft: Draft) -> None:
    for side in (draft.facts.side, indian.other(draft.facts.side)):
        draft.give_back(
            side.piece,
            draft.facts.off.get(side.piece, 0),
            to=Place.CENTRE_CIRCLE,
            by="umpire",
            source=From.OFF_BOARD,
            reason=Reason.OFF_BOARD,
            clauses=("ICF-38",),
        )
