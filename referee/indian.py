"""What the Indian rulesets share: colours, the queen's row, the break, who is next."""

from __future__ import annotations

from carrom.events import BaseCircle
from carrom.pieces import PieceKind
from carrom.seats import Side, next_seat
from referee.draft import Clauses, Draft
from referee.facts import Facts
from referee.ruling import (
    BoardReason,
    BoardRuling,
    BoardStatus,
    From,
    Notice,
    Place,
    QueenState,
    QueenStatus,
    Reason,
)
from referee.state import State

__all__ = [
    "ON_BOARD",
    "attempts_left",
    "had_pocketed",
    "make_break",
    "misplaced",
    "missed_break",
    "no_law",
    "other",
    "pass_turn",
    "queen_to_centre",
    "strike_again",
    "turn_stays",
]

ON_BOARD = QueenState(QueenStatus.ON_BOARD)


def other(side: Side) -> Side:
    """The opposing colour."""
    return Side.BLACK if side is Side.WHITE else Side.WHITE


def had_pocketed(state: State, side: Side) -> bool:
    """The side has pocketed an own piece in this board, even if none is in now (GR-12, SE-13,
    ICF-68c)."""
    if side in state.had_pocketed:
        return True
    if state.captured:
        taken = state.captured[side]
        return taken.get(PieceKind.WHITE, 0) + taken.get(PieceKind.BLACK, 0) > 0
    return state.pocketed.get(side.piece, 0) > 0


def misplaced(facts: Facts, *, lines: bool, diagonal: bool) -> bool:
    """The striker lay wrongly before launch (GR-07, SE-05); which marks count is the ruleset's."""
    placement = facts.placement
    if placement is None:
        return False
    covered = placement.base_circle is BaseCircle.COVERED
    if placement.base_circle is BaseCircle.PARTIAL:
        return True
    if lines and placement.touches_both_lines is False and not covered:
        return True
    return diagonal and placement.touches_diagonal is True


def missed_break(draft: Draft) -> bool:
    """A break attempt that touched no piece."""
    return not draft.state.break_done and not draft.facts.touched_a_piece


def make_break(draft: Draft) -> None:
    """Count the attempt, once it is known who goes on (GR-06, SE-11, ICF-18)."""
    if draft.state.break_done:
        return
    if draft.facts.touched_a_piece:
        draft.break_done = True
        draft.break_attempts = 0
    else:
        draft.note(Notice.BREAK_MISSED)
        draft.break_attempts = draft.state.break_attempts + 1 if draft.continues else 0


def attempts_left(draft: Draft) -> bool:
    """One more try is left after this missed one."""
    allowed = draft.laws.numbers.break_attempts or 1
    return draft.state.break_attempts + 1 < allowed


def strike_again(draft: Draft, clauses: Clauses, *, counted: bool = True) -> None:
    """The same player strikes again; ``counted``: this stroke counts in the turn (F.2)."""
    draft.continues = True
    draft.next = draft.state.turn
    draft.turn_clauses = clauses
    draft.stroke_in_turn = draft.state.stroke_in_turn + (1 if counted else 0)


def turn_stays(draft: Draft, clauses: Clauses = ()) -> None:
    """No stroke was made: the player whose turn it is strikes."""
    strike_again(draft, clauses, counted=False)


def pass_turn(draft: Draft, clauses: Clauses) -> None:
    """The turn goes to the next player in the direction of play."""
    state = draft.state
    draft.continues = False
    draft.next = next_seat(state.turn, state.seats, draft.laws.numbers.direction)
    if not state.break_done:
        draft.break_attempts = 0  # the break passes on, with all its chances (F.5)
    draft.turn_clauses = clauses
    draft.stroke_in_turn = 1


def queen_to_centre(draft: Draft, by: str, clauses: Clauses) -> None:
    """Put the queen back if she was pocketed and may not stay, or left the board. First of all
    rows."""
    facts = draft.facts
    off = facts.off.get(PieceKind.QUEEN, 0)
    draft.give_back(
        PieceKind.QUEEN,
        1,
        to=Place.CENTRE_CIRCLE,
        by=by,
        source=From.OFF_BOARD if off else From.POCKET,
        reason=Reason.OFF_BOARD if off else Reason.QUEEN_RETURN,
        clauses=clauses,
    )
    draft.queen = ON_BOARD


def no_law(draft: Draft) -> None:
    """The ruleset has no clause for what happened: the umpire decides.

    The stroke is not judged: until he has decided the counts are those before it. If he lets it
    stand, it is played again in the log after ``PlayResumed`` for the seat that struck.
    """
    draft.as_before()
    draft.note(Notice.NO_LAW)
    draft.end_board(BoardRuling(status=BoardStatus.NEEDS_HUMAN, reason=BoardReason.NO_LAW))
