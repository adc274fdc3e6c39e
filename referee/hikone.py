"""Hikone karomu: the resolution procedure of the Carrom Japan Championship (rules.md C.1, C.2).

``judge`` follows the procedure's steps. Void strokes are in ``hikone_void``, turns, rounds and the
clock in ``hikone_turn``.
"""

from __future__ import annotations

from carrom.errors import ContradictionError
from carrom.pieces import PieceKind
from carrom.seats import Side, own_pockets
from referee import hikone_turn, hikone_void
from referee.draft import Draft
from referee.facts import Facts
from referee.laws import Laws
from referee.options import HikoneOptions
from referee.ruling import (
    Action,
    BoardReason,
    BoardRuling,
    BoardStatus,
    Foul,
    From,
    NextPlacement,
    Notice,
    Place,
    Reason,
    Ruling,
)
from referee.state import State

__all__ = ["judge"]

JACK = PieceKind.JACK
MISSED_JACK_PACKS = 5  # HL-15 names five, whatever the jack penalty is


def judge(state: State, facts: Facts, laws: Laws, options: HikoneOptions) -> Ruling:
    """The ruling on one outcome. The caller has checked state and facts."""
    draft = Draft(state, facts, laws)
    if facts.simultaneous:
        if not options.simultaneous_break:
            raise ContradictionError(
                "simultaneous_break", expected="the option of that name (HL-01)", got="default laws"
            )
        hikone_turn.common_break(draft)
    elif not facts.stroke_made:
        hikone_turn.incident(draft, options)
    elif grounds := hikone_void.grounds(state, facts, options):
        hikone_void.judge(draft, grounds, options)
    elif "board_moved" in facts.improper:
        hikone_void.board_moved(draft)
    else:
        _stroke(draft, options)
    _remember(draft, options)
    return draft.finish()


def _stroke(draft: Draft, options: HikoneOptions) -> None:
    facts = draft.facts
    own, opponent = facts.side, hikone_turn.other(facts.side)
    valid = facts.pocketed.get(own.piece, 0) - _own_side_falls(facts, options)
    hikone_turn.settle_lifted(draft)
    jack_penalty = _jack_penalty(draft, options, valid)
    jack_in = facts.pocketed.get(JACK, 0) > 0
    scratch_bars = facts.scratch and options.winning_jack_with_scratch != "win"
    won = jack_in and not jack_penalty and not scratch_bars
    hikone_turn.call_scratch(draft, ("HK-17",))
    _return_opponents(draft, opponent)
    if facts.off:
        _own_off_board(draft, own, opponent)
    if won:
        hikone_turn.settle_handled(draft)
        _win(draft, own, opponent)
        return
    keeps = _settle_own(draft, options, valid=valid, jack_penalty=jack_penalty)
    barred = jack_in and not jack_penalty  # all own packs were in, but for the scratch: a win
    hikone_turn.respot_jack(draft, ("HK-47", "HK-28") if barred else ("HK-28",))
    if facts.toppled:
        draft.note(Notice.JACK_RESTACKED)
        draft.cite("HK-26")
    hikone_turn.settle_handled(draft)
    if draft.board.status is BoardStatus.OVER:
        return
    hikone_turn.after_stroke(draft, options, valid=valid, keeps=keeps)


def _own_off_board(draft: Draft, own: Side, opponent: Side) -> None:
    """Step 5: own packs off the board go back, without a penalty (HK-27)."""
    off = draft.facts.off
    draft.give_back(
        own.piece,
        off.get(own.piece, 0),
        to=Place.JACK_SPOT,
        by=opponent,
        source=From.OFF_BOARD,
        reason=Reason.OFF_BOARD,
        clauses=("HK-27",),
    )
    if off.get(own.piece, 0) + off.get(opponent.piece, 0):
        draft.note(Notice.PACK_OFF_BOARD)


def _own_side_falls(facts: Facts, options: HikoneOptions) -> int:
    """Own packs that went into the shooter's own two pockets where that is forbidden (HL-10)."""
    if options.own_side_pockets == "allowed":
        return 0
    forbidden = own_pockets(facts.seat)
    own = facts.side.piece
    return sum(kind is own and pocket in forbidden for kind, pocket in facts.own_pocket_falls)


def _jack_penalty(draft: Draft, options: HikoneOptions, valid: int) -> bool:
    """Call the jack fouls; True if the stroke draws the jack penalty (step 2, HK-22..24)."""
    facts, own = draft.facts, draft.facts.side.piece
    if facts.off.get(JACK, 0):
        on_frame = JACK in facts.on_frame
        draft.foul(Foul.JACK_ON_FRAME if on_frame else Foul.JACK_OFF_BOARD, ("HK-23",))
        return True
    if not facts.pocketed.get(JACK, 0):
        return False
    left_before = draft.state.on_board.get(own, 0)
    if left_before == 0:
        if facts.scratch and options.winning_jack_with_scratch == "jack_penalty":
            draft.foul(Foul.PREMATURE_JACK, ("HK-47",))
            return True
        return False
    if options.last_pack_and_jack == "win" and valid == left_before and not facts.scratch:
        draft.cite("HL-14")
        return False
    with_own = facts.pocketed.get(own, 0) > 0
    draft.foul(Foul.PREMATURE_JACK, ("HK-22", "HK-24") if with_own else ("HK-22",))
    return True


def _return_opponents(draft: Draft, opponent: Side) -> None:
    """Step 4: their packs off the board, then their debt from their packs just pocketed."""
    facts, piece = draft.facts, opponent.piece
    if not (facts.off or piece in facts.pocketed or facts.fell_on_lift):
        return
    draft.give_back(
        piece,
        facts.off.get(piece, 0),
        to=Place.JACK_SPOT,
        by=opponent,
        source=From.OFF_BOARD,
        reason=Reason.OFF_BOARD,
        clauses=("HK-27", "HK-28"),
    )
    pocketed = facts.pocketed.get(piece, 0)
    if pocketed:
        draft.note(Notice.SERVICE_TO_OPPONENT)
        draft.cite("HK-19" if facts.scratch else "HK-14")
    repaid = min(draft.debts[opponent], pocketed + facts.fell_on_lift.get(piece, 0))
    draft.give_back(
        piece,
        repaid,
        to=Place.JACK_SPOT,
        by=facts.side,
        source=From.POCKET,
        reason=Reason.DEBT,
        clauses=("HK-20",),
    )
    draft.owe(opponent, -repaid, ("HK-20",))


def _win(draft: Draft, own: Side, opponent: Side) -> None:
    points = {own: 112, opponent: 12 - draft.on_board[opponent.piece]}
    draft.end_board(
        BoardRuling(
            status=BoardStatus.OVER,
            winner=own,
            points=points,
            reason=BoardReason.JACK_POCKETED,
            clauses=("HL-14", "HK-44") if "HL-14" in draft.clauses else ("HK-21", "HK-44"),
        )
    )


def _settle_own(draft: Draft, options: HikoneOptions, *, valid: int, jack_penalty: bool) -> bool:
    """Steps 6 and 7; True if the stroke drew no penalty, so that the turn may go on."""
    facts, own = draft.facts, draft.facts.side
    _own_row(draft, _own_side_falls(facts, options), Reason.OWN_SIDE_POCKET, ("HL-10",))
    if facts.striker_in and valid and not jack_penalty:
        if options.scratch_with_own == "two_back_continue":
            return _two_back(draft, valid)
    if facts.scratch or jack_penalty:
        _penalise(draft, options, valid=valid, jack_penalty=jack_penalty)
        return False
    repaid = min(draft.debts[own], valid + facts.fell_on_lift.get(own.piece, 0))
    _own_row(draft, repaid, Reason.DEBT, ("HK-20",))
    draft.owe(own, -repaid, ("HK-20",))
    if repaid and not options.debt_repay_keeps_turn:
        return False
    return not _jack_missed(draft, options)


def _own_row(draft: Draft, count: int, reason: Reason, clauses: tuple[str, ...]) -> None:
    if not count:
        return
    own = draft.facts.side
    draft.give_back(
        own.piece,
        count,
        to=Place.JACK_SPOT,
        by=hikone_turn.other(own),
        source=From.POCKET,
        reason=reason,
        clauses=clauses,
    )


def _penalise(draft: Draft, options: HikoneOptions, *, valid: int, jack_penalty: bool) -> None:
    own = draft.facts.side
    with_scratch = draft.facts.scratch
    _own_row(draft, valid, Reason.VOID_POCKETING, ("HK-24",) if jack_penalty else ("HK-18",))
    scratch = options.scratch_penalty_packs if with_scratch else 0
    jack = options.jack_penalty_packs if jack_penalty else 0
    if scratch and jack:
        draft.cite("HK-46")
        if not options.penalties_cumulate:
            scratch, jack = (0, jack) if jack >= scratch else (scratch, 0)
    available = draft.pocketed[own.piece]
    paid_scratch = min(scratch, available)
    paid_jack = min(jack, available - paid_scratch)
    _own_row(draft, paid_scratch, Reason.PENALTY, ("HK-17",))
    _own_row(draft, paid_jack, Reason.JACK_PENALTY, ("HK-22", "HK-25"))
    draft.owe(own, scratch - paid_scratch, ("HK-20",))
    draft.owe(own, jack - paid_jack, ("HK-25",))
    draft.turn_clauses = ("HK-15",)


def _two_back(draft: Draft, valid: int) -> bool:
    """HL-13: exactly two packs back, whatever n and whatever is owed, and the turn goes on; with
    fewer in, the stroke's own packs go back and the turn ends without a debt (Q-HL-03)."""
    own = draft.facts.side
    if draft.pocketed[own.piece] < 2:
        _own_row(draft, valid, Reason.VOID_POCKETING, ("HL-13",))
        return False
    _own_row(draft, 2, Reason.SCRATCH_WITH_OWN_OPTION, ("HL-13",))
    return True


def _jack_missed(draft: Draft, options: HikoneOptions) -> bool:
    """HL-15: all own packs were in and the jack was not pocketed."""
    own = draft.facts.side
    if options.jack_one_shot == "off" or draft.state.on_board.get(own.piece, 0):
        return False
    draft.foul(Foul.JACK_MISSED, ("HL-15",))
    if options.jack_one_shot == "lose":
        draft.end_board(
            BoardRuling(
                status=BoardStatus.OVER,
                winner=hikone_turn.other(own),
                reason=BoardReason.JACK_MISSED,
                clauses=("HL-15",),
            )
        )
        return True
    paid = min(MISSED_JACK_PACKS, draft.pocketed[own.piece])
    _own_row(draft, paid, Reason.JACK_MISSED, ("HL-15",))
    draft.owe(own, MISSED_JACK_PACKS - paid, ("HL-15",))
    return True


def _remember(draft: Draft, options: HikoneOptions) -> None:
    """What every ruling says besides: tilted packs, the stack, the next placement."""
    facts = draft.facts
    for kind in facts.standing:
        if options.flatten_tilted and kind in (PieceKind.RED, PieceKind.GREEN):  # S1: packs only
            draft.actions.append(Action("flatten", kind, "same_place"))
            draft.cite("HL-08")
        else:
            draft.note(Notice.LEFT_AS_IS)
    draft.stack += tuple(row.piece for row in draft.returns for _ in range(row.count))
    due = facts.seat in draft.tee_shots_due
    draft.next_placement = NextPlacement.TEE_SPOT if due else NextPlacement.AREA_LINE
