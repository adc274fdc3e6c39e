"""Hikone karomu: who is next, the round after time-up, and what happens without a stroke."""

from __future__ import annotations

from carrom.pieces import PieceKind
from carrom.seats import Seat, Side, TurnDirection, left_of, next_seat
from referee.draft import Clauses, Draft
from referee.options import HikoneOptions
from referee.ruling import (
    BoardReason,
    BoardRuling,
    BoardStatus,
    Foul,
    From,
    Notice,
    Place,
    Reason,
)

__all__ = [
    "after_stroke",
    "call_scratch",
    "common_break",
    "incident",
    "other",
    "pass_turn",
    "respot_jack",
    "settle_handled",
    "turn_stays",
]

LAST_MINUTE_S = 60.0  # HK-40
PACKS = 12  # HK-01


def other(side: Side) -> Side:
    """The opposing colour."""
    return Side.GREEN if side is Side.RED else Side.RED


def call_scratch(draft: Draft, clauses: Clauses) -> None:
    """Name what became of the striker (HK-17)."""
    facts = draft.facts
    if not facts.scratch:
        return
    for happened, foul in (
        (facts.striker_in, Foul.STRIKER_POCKETED),
        (facts.striker_off, Foul.STRIKER_OFF_BOARD),
        (facts.striker_on_frame, Foul.STRIKER_ON_FRAME),
    ):
        if happened:
            draft.foul(foul, clauses)


def respot_jack(draft: Draft, clauses: Clauses) -> None:
    """A jack that fell or left goes back to the jack spot, after the packs, on top (HK-28)."""
    facts = draft.facts
    off = facts.off.get(PieceKind.JACK, 0)
    back = off or facts.pocketed.get(PieceKind.JACK, 0)
    if not back:
        return
    draft.give_back(
        PieceKind.JACK,
        back,
        to=Place.JACK_SPOT,
        by=other(facts.side),
        source=From.OFF_BOARD if off else From.POCKET,
        reason=Reason.JACK_RESPOT,
        clauses=clauses,
    )


def settle_lifted(draft: Draft) -> None:
    """Pieces that fell in while the shooter lifted and lowered them, before anything goes back:
    they are in, so that a debt of their colour falls due (HK-20, HK-32)."""
    for kind, count in draft.facts.fell_on_lift.items():
        draft.fall(kind, count)
        draft.cite("HK-32")


def settle_handled(draft: Draft) -> None:
    """Pieces that fell in while handled: packs stay in, the jack comes out (HK-30, HK-32)."""
    facts = draft.facts
    if not facts.fell_in:
        return
    for kind, count in facts.fell_in.items():
        replaced = count - facts.fell_on_lift.get(kind, 0)
        if replaced:
            draft.fall(kind, replaced)
            draft.cite("HK-30")
    draft.give_back(
        PieceKind.JACK,
        facts.fell_in.get(PieceKind.JACK, 0),
        to=Place.JACK_SPOT,
        by=other(facts.side),
        source=From.POCKET,
        reason=Reason.JACK_RESPOT_AFTER_COLLAPSE,
        clauses=("HK-32",) if PieceKind.JACK in facts.fell_on_lift else ("HK-30",),
    )


def after_stroke(draft: Draft, options: HikoneOptions, *, valid: int, keeps: bool) -> None:
    """Step 9: the turn goes on if own packs fell and no penalty was drawn (HK-12..15)."""
    draft.tee_shots_due -= {draft.facts.seat}
    if options.multi_pocket_turns == "per_pack":
        left = draft.state.strokes_left - 1 + valid if keeps else 0
        if keeps and draft.facts.striker_in:
            left = max(1, draft.state.strokes_left - 1)  # HL-13: what went back earns nothing
        granted, clauses = valid, ("HL-12",)
    else:
        left = 1 if keeps and valid else 0
        granted, clauses = (1 if valid else 0), ("HK-12",)
    draft.strokes_left = left
    if left:
        draft.continues = True
        draft.next = draft.facts.seat
        draft.strokes_granted = granted
        draft.stroke_in_turn = draft.state.stroke_in_turn + 1
        draft.turn_clauses = clauses
    else:
        pass_turn(draft, options, ("HK-13", "HK-04") if keeps else ("HK-15", "HK-04"))


def turn_stays(draft: Draft) -> None:
    """Nothing that counts has happened: the player whose turn it is strikes."""
    draft.continues = True
    draft.next = draft.state.turn


def pass_turn(draft: Draft, options: HikoneOptions, clauses: Clauses) -> None:
    """The turn ends: next seat clockwise, skips counted as played, the round finished after
    time-up and the packs compared at its end (HK-04, HK-34, HK-41..43)."""
    state = draft.state
    time_up = state.final_round or (state.clock is not None and state.clock.time_up)
    last = next_seat(state.first_seat, state.seats, TurnDirection.COUNTER_CLOCKWISE)
    skips = list(draft.skip_next)
    draft.turn_clauses = clauses
    draft.stroke_in_turn = 1
    seat: Seat = state.turn
    while True:
        if time_up and seat is last and _compared(draft, options):
            draft.skip_next = tuple(skips)
            draft.final_round = True
            return
        seat = left_of(seat, state.seats)
        if seat not in skips:
            break
        skips.remove(seat)
        draft.note(Notice.TURN_SKIPPED)
        draft.cite("HK-34")
    draft.skip_next = tuple(skips)
    draft.next = seat
    if time_up:
        draft.note(Notice.TIME_UP_FINISH_ROUND)
        draft.cite("HK-41")
        draft.final_round = True


def _compared(draft: Draft, options: HikoneOptions) -> bool:
    """The round is complete: decide the board, or start an extra round (HK-42, HK-43)."""
    left = {side: draft.on_board[side.piece] for side in (Side.RED, Side.GREEN)}
    points = {side: PACKS - count for side, count in left.items()}
    if options.debts_count_at_time_up:  # Q-HK-10
        left = {side: count + draft.debts[side] for side, count in left.items()}
    if left[Side.RED] != left[Side.GREEN]:
        winner = Side.RED if left[Side.RED] < left[Side.GREEN] else Side.GREEN
        draft.end_board(
            BoardRuling(
                status=BoardStatus.OVER,
                winner=winner,
                points=points,
                reason=BoardReason.TIME_FEWER_PACKS,
                clauses=("HK-41", "HK-42", "HK-44"),
            )
        )
        return True
    if draft.facts.stalemate:
        draft.end_board(
            BoardRuling(
                status=BoardStatus.NEEDS_HUMAN, reason=BoardReason.JANKEN, clauses=("HK-43",)
            )
        )
        return True
    draft.note(Notice.EXTRA_ROUND)
    draft.cite("HK-43")
    return False


def incident(draft: Draft, options: HikoneOptions) -> None:
    """No stroke was made: the ten seconds ran out, or something was touched or declared."""
    facts = draft.facts
    settle_lifted(draft)
    if facts.time_exceeded is not None and _ten_seconds_apply(draft, options):
        draft.note(Notice.TEN_SECOND_SKIP)
        draft.strokes_left = 0
        settle_handled(draft)
        pass_turn(draft, options, ("HK-40", "HK-04"))
        return
    disturbed = [
        kind
        for kind in facts.touched_outside
        if not (options.rearrange_own_in_area and kind is facts.side.piece)  # HL-09
    ]
    draft.restore_moved = bool(disturbed)
    if facts.violations or facts.left_seats:
        draft.note(Notice.NO_LAW)
    settle_handled(draft)
    if facts.stalemate and _round_is_level(draft):
        _compared(draft, options)
        return
    turn_stays(draft)


def _round_is_level(draft: Draft) -> bool:
    """A declared stuck position in an extra round that has just begun (HK-43)."""
    state = draft.state
    level = draft.on_board[PieceKind.RED] == draft.on_board[PieceKind.GREEN]
    begins = state.turn is state.first_seat and state.stroke_in_turn == 1
    return state.final_round and begins and level


def _ten_seconds_apply(draft: Draft, options: HikoneOptions) -> bool:
    """HK-40: from one minute before the end, and in the rounds after time-up; never in a final."""
    state = draft.state
    if options.match_stage == "final":
        return False
    if state.final_round or state.clock is None:
        return True
    remaining = state.clock.match_remaining_s
    return remaining is not None and remaining <= LAST_MINUTE_S


def common_break(draft: Draft) -> None:
    """HL-01: what fell counts for its colour, nobody's turn, everybody's tee shot (Q-HL-06)."""
    facts, state = draft.facts, draft.state
    for side in (other(facts.side), facts.side):
        draft.give_back(
            side.piece,
            facts.off.get(side.piece, 0),
            to=Place.JACK_SPOT,
            by=other(facts.side),
            source=From.OFF_BOARD,
            reason=Reason.OFF_BOARD,
            clauses=("HL-01", "HK-27"),
        )
    respot_jack(draft, ("HL-01",))
    settle_lifted(draft)
    settle_handled(draft)
    draft.tee_shots_due = frozenset()
    draft.next = state.first_seat
    draft.turn_clauses = ("HL-01",)
    draft.stroke_in_turn = 1
