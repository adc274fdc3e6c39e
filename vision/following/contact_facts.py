"""Contacts as the laws need them: what was touched first, in which zone, off which frame.

Only Hikone doubles asks for more than whether a piece was touched: a piece inside the shooter's
own area must not be hit before something makes the hit indirect (HK-35..38). So the kind of the
first disc is told as it is likeliest, and a question is asked only where the answer could matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, sqrt

from carrom.board_spec import BoardFamily, BoardSpec
from carrom.doubts import Answer, Doubt, Question
from carrom.events import Contact, Event, FirstContact, FramePart, NoContact, Zone
from carrom.evidence import Evidence
from carrom.seats import Seat
from vision.following.contacts import ContactChain, Touched
from vision.following.rest import RestDisc

__all__ = ["ContactFacts", "contact_facts"]

_ASK = 0.12
_PLACE_MM = 0.5
"""Deviation of a disc's place across the area line."""
_INDIRECT = (FramePart.FRONT, FramePart.SIDE_OUTSIDE)


@dataclass(frozen=True, slots=True)
class ContactFacts:
    """``events`` in order; ``doubt``: instead of them, where directness cannot be told."""

    events: tuple[Event, ...]
    doubt: Doubt | None = None


def contact_facts(
    spec: BoardSpec, seat: Seat, chains: Sequence[ContactChain], when: Evidence, *, at: int
) -> ContactFacts:
    """From the likely chains, best first. ``at``: index that a doubt's events take."""
    if not chains:
        return ContactFacts((NoContact(evidence=when),))
    told = _events(spec, seat, chains[0], when)
    if spec.family is not BoardFamily.HIKONE:
        return ContactFacts(told)
    weights = {True: 0.0, False: 0.0}
    best: dict[bool, tuple[float, tuple[Event, ...]]] = {}
    for chain in chains:
        for direct, share in _direct(spec, seat, chain).items():
            weight = share * chain.chance
            weights[direct] += weight
            if weight > best.get(direct, (0.0, ()))[0]:
                best[direct] = (weight, _events(spec, seat, chain, when, direct=direct))
    total = sum(weights.values())
    likelier = weights[True] > weights[False]
    if min(weights.values()) < _ASK * total or len(best) < 2:
        return ContactFacts(best[likelier][1])
    answers = tuple(
        Answer(
            code="direct" if direct else "indirect",
            likelihood=round(min(1.0, weights[direct] / max(total, 1.0)), 4),
            events=best[direct][1],
        )
        for direct in (True, False)
    )
    doubt = Doubt(id="first_contact", question=Question.FIRST_CONTACT, answers=answers, at=at)
    return ContactFacts((), doubt)


def _events(
    spec: BoardSpec,
    seat: Seat,
    chain: ContactChain,
    when: Evidence,
    *,
    direct: bool | None = None,
) -> tuple[Event, ...]:
    """Every part of the frame once, and the first disc. ``direct``: how the zone of a disc at the
    line is told."""
    out: list[Event] = []
    seen: set[FramePart] = set()
    for one in chain.contacts:
        cls = Contact if out else FirstContact
        if one.disc is not None:
            zone = _zone(spec, seat, one.disc)
            if direct is not None and zone is not None and _is_first_piece_direct(chain, one):
                zone = Zone.INSIDE if direct else Zone.ON_LINE if zone is Zone.INSIDE else zone
            out.append(cls(piece=one.disc.kind, zone=zone, evidence=when))
        elif one.frame is not None and one.frame not in seen:
            seen.add(one.frame)
            out.append(cls(frame=one.frame, evidence=when))
    if chain.first_disc is None:
        out.append(NoContact(evidence=when))
    return tuple(out)


def _zone(spec: BoardSpec, seat: Seat, disc: RestDisc) -> Zone | None:
    if spec.family is not BoardFamily.HIKONE:
        return None
    return spec.area_zone(seat, disc.x_mm, disc.y_mm, radius_mm=spec.radii_mm[disc.kind])


def _is_first_piece_direct(chain: ContactChain, one: Touched) -> bool:
    """Whether this piece is reached before the frame makes the hit indirect."""
    for before in chain.contacts:
        if before is one:
            return True
        if before.disc is not None or before.frame in _INDIRECT:
            return False
    return False


def _direct(spec: BoardSpec, seat: Seat, chain: ContactChain) -> dict[bool, float]:
    """How likely it is that the chain is a direct hit of a piece inside the own area."""
    for one in chain.contacts:
        if one.frame in _INDIRECT:
            return {False: 1.0}
        if one.disc is not None:
            # Wholly inside: its rim keeps clear of the line's near edge (HK-37).
            reach = spec.radii_mm[one.disc.kind]
            reach += spec.area_line_markings.area_line_width_mm.value / 2
            spare = -spec.area_line_offset_mm(seat, one.disc.x_mm, one.disc.y_mm) - reach
            inside = 0.5 * (1.0 + erf(spare / (_PLACE_MM * sqrt(2.0))))
            if inside < 0.01 or inside > 0.99:
                return {inside > 0.5: 1.0}
            return {True: inside, False: 1.0 - inside}
    return {False: 1.0}
