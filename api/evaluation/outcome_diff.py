"""What differs between the facts that were seen and the true ones, as far as the laws care.

Facts that a person declared are left out: no camera sees them. Contacts after the first matter only
in Hikone doubles, through their zones. Places count as equal within 3 mm. Whatever the facts, the
ruling is what people feel: it is judged on both by the same referee.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import hypot

from carrom import events as ev
from carrom.errors import CarromError
from carrom.evidence import Source
from carrom.outcome import StrokeOutcome
from carrom.position import Position
from referee.adjudicate import adjudicate
from referee.laws import Laws
from referee.ruling import Ruling
from referee.state import State

__all__ = ["Difference", "difference_of", "rest_equal", "ruling_key"]

_PLACE_MM = 3.0
_IGNORED = (
    ev.Contact,
    ev.NoPiecePocketed,
    ev.NoContact,
    ev.BeforePlayCall,
    ev.Violation,
    ev.LeftSeat,
    ev.Stalemate,
    ev.DebtNotClaimed,
    ev.PenaltyPieceChosen,
    ev.OutOfTurn,
)
"""Contacts have a comparison of their own; the rest is not for a camera to see."""


@dataclass(frozen=True, slots=True)
class Difference:
    """``facts``: words of what differs (``-`` missing, ``+`` too many); ``ruling``: the rulings
    differ; ``asked``: the outcome leaves a question; ``rest``: the rest after is not exact."""

    facts: tuple[str, ...]
    ruling: bool
    asked: bool
    rest: bool


def difference_of(
    seen: StrokeOutcome, true: StrokeOutcome, before: State, laws: Laws
) -> Difference:
    """Compare; ``before``: the state in which the stroke was made."""
    mine, theirs = Counter(_words(seen)), Counter(_words(true))
    facts = [f"-{word}" for word in (theirs - mine).elements()]
    facts += [f"+{word}" for word in (mine - theirs).elements()]
    if seen.seat is not true.seat:
        facts.append(f"seat {seen.seat} for {true.seat}")
    rest = (
        seen.after is not None and true.after is not None and not rest_equal(seen.after, true.after)
    )
    return Difference(
        tuple(sorted(facts)),
        _ruled(seen, before, laws) != _ruled(true, before, laws),
        _asks(seen, before, laws),
        rest,
    )


def _words(outcome: StrokeOutcome) -> list[str]:
    out = []
    for event in outcome.events:
        if event.evidence.source is Source.DECLARED:
            continue
        if isinstance(event, ev.FirstContact):
            out.append(_first(event))
        elif isinstance(event, ev.Placement):
            if event.touches_both_lines is False or event.base_circle is not None:
                out.append("placement")
        elif isinstance(event, ev.Pocketed):
            out.append(f"pocketed:{event.piece}:{event.pocket}")
        elif not isinstance(event, _IGNORED):
            out.append(f"{event.name}:{getattr(event, 'piece', '')}")
    return out


def _first(event: ev.FirstContact) -> str:
    """What the laws ask of the first contact: a piece at all, its zone, the part of the frame; its
    kind is for talking about (rules.md: no law names it)."""
    if event.frame is not None:
        return f"first:{event.frame}"
    return "first:piece" if event.zone is None else f"first:{event.zone}"


def rest_equal(one: Position, other: Position) -> bool:
    """The same discs within 3 mm, the striker apart."""
    return not _unmatched(one, other)


def _unmatched(one: Position, other: Position) -> int:
    left = [d for d in other if d.kind != "striker"]
    wrong = 0
    for disc in one:
        if disc.kind == "striker":
            continue
        near = [
            d for d in left
            if d.kind is disc.kind and hypot(d.x_mm - disc.x_mm, d.y_mm - disc.y_mm) < _PLACE_MM
        ]  # fmt: skip
        if near:
            left.remove(near[0])
        else:
            wrong += 1
    return wrong + len(left)


def _ruled(outcome: StrokeOutcome, before: State, laws: Laws) -> object:
    try:
        return ruling_key(adjudicate(before, outcome.most_likely(), laws))
    except CarromError as error:
        return f"{type(error).__name__}: {error}"


def _asks(outcome: StrokeOutcome, before: State, laws: Laws) -> bool:
    """Whether a doubt is left that changes the ruling; no other is asked (``referee.doubts``)."""
    if not outcome.doubts:
        return False
    try:
        return bool(adjudicate(before, outcome, laws).questions)
    except CarromError:
        return True


def ruling_key(ruling: Ruling) -> object:
    """What of a ruling people feel: fouls, returns, dues, turn, score, board."""
    return (
        tuple(sorted(call.foul for call in ruling.fouls)),
        tuple(sorted((row.piece, row.count, row.to) for row in ruling.returns)),
        dict(ruling.debts),
        ruling.turn.next,
        dict(ruling.score),
        ruling.board.status,
        dict(ruling.on_board),
    )
