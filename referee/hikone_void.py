"""Void strokes of Hikone karomu: what makes a stroke void, and what follows (HK-48)."""

from __future__ import annotations

from collections.abc import Mapping

from carrom.events import FramePart, Placement, Zone
from carrom.pieces import PieceKind
from referee import hikone_turn
from referee.draft import Clauses, Draft
from referee.facts import Facts
from referee.options import HikoneOptions
from referee.ruling import Foul, From, Notice, Place, Reason
from referee.state import State

__all__ = ["board_moved", "grounds", "judge"]

_ALLOWED_BY: Mapping[str, str] = {
    "push": "allow_push",  # HL-03
    "leaning": "allow_leaning_smash",  # HL-04
    "pocket_underside": "allow_pocket_lip_jump",  # HL-05
    "palm": "allow_palm_shot",  # HL-06
}
"""Ways of striking that a local option makes legal."""


def grounds(state: State, facts: Facts, options: HikoneOptions) -> list[tuple[Foul, Clauses]]:
    """Every ground that makes this stroke void; empty if it counts (procedure step 1)."""
    found: list[tuple[Foul, Clauses]] = []
    if facts.was_out_of_turn:
        found.append((Foul.OUT_OF_TURN, ("HK-34",)))
    if facts.touched:
        found.append((Foul.TOUCHED_PIECE, ("HK-33",)))
    if facts.recalled_early:
        found.append((Foul.STRIKER_RECALLED_EARLY, ("HK-33",)))
    if any(_illegal(kind, options) for kind in facts.improper):
        found.append((Foul.IMPROPER_STROKE, ("HK-11",)))
    elif facts.placement is not None and _misplaced(state, facts, facts.placement, options):
        found.append((Foul.IMPROPER_STROKE, ("HK-06", "HK-07")))
    if state.doubles and options.doubles_area_line_rule and _direct_hit(facts):
        found.append((Foul.AREA_LINE_DIRECT_HIT, ("HK-35", "HK-38")))
    return found


def _illegal(kind: str, options: HikoneOptions) -> bool:
    if kind == "board_moved":
        return False  # forbidden, but no stroke (HK-11)
    option = _ALLOWED_BY.get(kind)
    return option is None or not getattr(options, option)


def _misplaced(state: State, facts: Facts, placement: Placement, options: HikoneOptions) -> bool:
    """Seen after the stroke it is an improper stroke (Q-HK-11)."""
    if facts.seat in state.tee_shots_due:
        return placement.touches_tee_outline is False  # HK-05, HK-06
    if options.striker_placement == "anywhere_in_area":
        return placement.zone is Zone.OUTSIDE  # HL-02
    wrong_zone = placement.zone in (Zone.OUTSIDE, Zone.INSIDE) and not placement.on_area_line
    return placement.on_area_line is False or wrong_zone  # HK-07


def _direct_hit(facts: Facts) -> bool:
    """The striker reached a piece wholly inside the own area before anything that makes the
    contact indirect: a piece outside or on the line, or a frame part beyond the line (HK-36)."""
    for contact in facts.contacts:
        if contact.piece is None:
            if contact.frame in (FramePart.FRONT, FramePart.SIDE_OUTSIDE):
                return False
        else:
            return contact.zone is Zone.INSIDE
    return False


def judge(draft: Draft, found: list[tuple[Foul, Clauses]], options: HikoneOptions) -> None:
    """HK-48: everything back, exactly one own pack as penalty, no jack foul, no debt repaid."""
    facts, state = draft.facts, draft.state
    own, opponent = facts.side, hikone_turn.other(facts.side)
    hikone_turn.settle_lifted(draft)
    for foul, clauses in found:
        draft.foul(foul, (*clauses, "HK-48"))
    hikone_turn.call_scratch(draft, ("HK-17", "HK-48"))
    for side in (opponent, own):
        stays = side is opponent and options.void_opponent_packs == "stay"
        _row(draft, side.piece, facts.off.get(side.piece, 0), Reason.OFF_BOARD)
        if not stays:
            _row(draft, side.piece, facts.pocketed.get(side.piece, 0), Reason.VOID_POCKETING)
    paid = min(options.void_penalty_packs, draft.pocketed[own.piece])
    _row(draft, own.piece, paid, Reason.PENALTY)
    draft.owe(own, options.void_penalty_packs - paid, ("HK-20", "HK-48"))
    hikone_turn.respot_jack(draft, ("HK-48",))
    draft.restore_moved = True
    draft.tee_shots_due -= {facts.seat}
    hikone_turn.settle_handled(draft)
    if facts.was_out_of_turn:
        draft.next = state.turn
        draft.turn_clauses = ("HK-34",)
        draft.skip_next += (facts.seat,)  # a second offence costs a second turn
        return
    draft.strokes_left = 0
    hikone_turn.pass_turn(draft, options, ("HK-48", "HK-04"))


def board_moved(draft: Draft) -> None:
    """Moving the board is forbidden but no stroke: restore, the umpire decides (HK-11)."""
    facts = draft.facts
    hikone_turn.settle_lifted(draft)
    hikone_turn.settle_handled(draft)
    for side in (hikone_turn.other(facts.side), facts.side):
        _row(draft, side.piece, facts.off.get(side.piece, 0), Reason.OFF_BOARD)
        _row(draft, side.piece, facts.pocketed.get(side.piece, 0), Reason.VOID_POCKETING)
    hikone_turn.respot_jack(draft, ("HK-48",))
    draft.restore_moved = True
    draft.note(Notice.NO_LAW)
    draft.cite("HK-11")
    hikone_turn.turn_stays(draft)


def _row(draft: Draft, piece: PieceKind, count: int, reason: Reason) -> None:
    draft.give_back(
        piece,
        count,
        to=Place.JACK_SPOT,
        by=hikone_turn.other(draft.facts.side),
        source=From.OFF_BOARD if reason is Reason.OFF_BOARD else From.POCKET,
        reason=reason,
        clauses=("HK-48",),
    )
