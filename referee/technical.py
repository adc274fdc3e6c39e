"""carrom.se and its point game: plikt, who places it, technical fouls (SE-10, SE-24..34, SE-38).

A *plikt* is one own puck sunk earlier that is taken up and placed by the opponent.
"""

from __future__ import annotations

from dataclasses import dataclass

from carrom.seats import Seat, Side, left_of
from referee import indian
from referee.draft import Draft
from referee.options import CarromSeOptions, PointCarromSeOptions
from referee.ruling import Foul, Notice
from referee.state import State

__all__ = ["Plikts", "call_plikts", "lapse_unclaimed", "placer", "placer_at", "retaken_misfire"]

SeOptions = CarromSeOptions | PointCarromSeOptions


@dataclass(frozen=True, slots=True)
class Plikts:
    """How many plikts each offending seat owes for this outcome, and whether the stroke was an
    incorrect one. The shooter's seat is always present."""

    by_seat: dict[Seat, int]
    improper: bool

    @property
    def shooter(self) -> int:
        """Plikts of the seat that struck."""
        return next(iter(self.by_seat.values()))

    def of_side(self, state: State, side: Side) -> int:
        """Plikts of a side: pieces and debts are the side's, whichever partner offended."""
        return sum(count for seat, count in self.by_seat.items() if state.seats[seat] is side)


def call_plikts(draft: Draft, options: SeOptions) -> Plikts:
    """Call the fouls that cost a plikt: the striker sunk, an incorrect stroke, technical fouls.

    With ``technical_fouls: relaxed`` only the sunk striker costs anything (SB-05). With
    ``improper_stroke: icf`` a sunk striker adds nothing to an incorrect stroke (ICF-50).
    """
    facts = draft.facts
    strict = options.technical_fouls == "strict"
    owed = {facts.seat: 0}
    if facts.striker_in:
        draft.foul(Foul.STRIKER_POCKETED, ("SE-28", "SE-29"))
        owed[facts.seat] += 1
    wrong_place = facts.stroke_made and indian.misplaced(facts, lines=True, diagonal=True)
    improper = strict and (bool(facts.improper) or wrong_place)
    if improper:
        draft.foul(
            Foul.IMPROPER_STROKE, ("SE-05", "SE-33", "SE-34") if wrong_place else ("SE-33", "SE-34")
        )
        if not (options.improper_stroke == "icf" and facts.striker_in):
            owed[facts.seat] += 1
    if strict:
        for seat in _technical_seats(draft):
            clauses = ("SE-10", "SE-34") if facts.time_exceeded else ("SE-33", "SE-34")
            draft.foul(Foul.TECHNICAL_FOUL, clauses, seat)
            owed[seat] = owed.get(seat, 0) + 1
    elif facts.improper or list(_technical_seats(draft)):
        draft.cite("SB-05")
    return Plikts(owed, improper)


def _technical_seats(draft: Draft) -> list[Seat]:
    """The seats that committed a technical foul; one plikt each, however often."""
    facts = draft.facts
    seats = [facts.seat] if facts.moved_by_hand or facts.time_exceeded else []
    seats += [violation.seat for violation in facts.violations]
    seats += facts.left_seats
    return list(dict.fromkeys(seats))


def placer(draft: Draft, seat: Seat) -> str:
    """Who places this player's plikt (SE-38)."""
    return placer_at(draft.state, seat)


def placer_at(state: State, seat: Seat) -> str:
    """The opponent of this player places his plikt; with more players the seat on his left
    (SE-38)."""
    if len(state.seats) == 2:
        return next(side for occupied, side in state.seats.items() if occupied is not seat)
    return left_of(seat, state.seats)


def lapse_unclaimed(draft: Draft, options: SeOptions, side: Side) -> None:
    """An owed plikt that could be claimed and was not lapses with the next stroke (SE-26)."""
    facts = draft.facts
    if options.debt_claim == "auto" or not facts.stroke_made:
        return
    if facts.debt_not_claimed or draft.state.pending_claim:
        draft.owe(side, -draft.debts[side], ("SE-26",))
        draft.note(Notice.DEBT_LAPSED)
    draft.pending_claim = False


def retaken_misfire(draft: Draft) -> bool:
    """The striker still touches both lines and hit nothing: the stroke may be retaken (SE-12)."""
    misfire = draft.facts.misfire
    if misfire is None or misfire.hit_piece or not misfire.striker_on_both_lines:
        return False
    facts = draft.facts
    return not (facts.pocketed or facts.off or facts.scratch)
