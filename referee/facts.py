"""One pass over the events of an outcome: what the judges ask, counted and checked once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from carrom import events as ev
from carrom.errors import ContradictionError
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.seats import Pocket, Seat, Side
from referee.laws import Laws, Ruleset
from referee.state import State

__all__ = ["Facts", "gather"]

_STRIKER = PieceKind.STRIKER

IMPROPER_KINDS: Mapping[str, frozenset[str]] = {
    family: frozenset(words.split())
    for family, words in {
        "hikone": "both_hands push on_edge leaning palm pocket_underside finger_on_top board_moved "
        "body_outside",
        "gamerules": "push not_across_base_line hand_beyond_diagonal arm_beyond_diagonal "
        "leg_beyond_diagonal",
        "carrom_se": "push hand_moving wrong_finger_side elbow_beyond_diagonal "
        "body_beyond_diagonal elbow_over_surface body_on_board",
        "icf": "push elbow_beyond_diagonal body_beyond_diagonal hand_supported",
    }.items()
}
"""Words for ``ImproperStroke.kind`` by ruleset family (rules.md F.7)."""


class Facts:
    """Counts and flags of one outcome. Made by ``gather``; read by the judges; never kept.

    ``pocketed`` and ``off`` count pieces by kind, the striker apart. ``off`` includes pieces on the
    frame (HK-31). ``fell_in`` are pieces that fell in while handled: in, but by nobody's stroke.
    """

    __slots__ = (
        "before_play",
        "chosen_penalty",
        "contacts",
        "debt_not_claimed",
        "declared_out_of_turn",
        "fell_in",
        "fell_on_lift",
        "improper",
        "left_seats",
        "mentioned",
        "misfire",
        "no_contact",
        "nothing_fell",
        "off",
        "on_frame",
        "own_pocket_falls",
        "placement",
        "pocketed",
        "recalled_early",
        "removed",
        "seat",
        "seen",
        "side",
        "simultaneous",
        "stalemate",
        "standing",
        "striker_in",
        "striker_off",
        "striker_on_frame",
        "stroke_made",
        "time_exceeded",
        "toppled",
        "touched",
        "touched_outside",
        "violations",
        "was_out_of_turn",
    )

    def __init__(self, seat: Seat, side: Side) -> None:
        self.seat = seat
        self.side = side
        self.was_out_of_turn = False
        self.declared_out_of_turn = False
        self.stroke_made = False
        self.pocketed: dict[PieceKind, int] = {}
        self.own_pocket_falls: list[tuple[PieceKind, Pocket]] = []
        self.off: dict[PieceKind, int] = {}
        self.fell_in: dict[PieceKind, int] = {}
        self.fell_on_lift: dict[PieceKind, int] = {}
        self.removed: dict[PieceKind, int] = {}
        self.standing: list[PieceKind] = []
        self.contacts: list[ev.Contact] = []
        self.mentioned: set[PieceKind] = set()
        self.no_contact = False
        self.nothing_fell = False
        self.striker_in = False
        self.striker_off = False
        self.striker_on_frame = False
        self.on_frame: set[PieceKind] = set()
        self.seen: set[type[ev.Event]] = set()
        self.touched = False
        self.touched_outside: list[PieceKind] = []
        self.recalled_early = False
        self.improper: list[str] = []
        self.placement: ev.Placement | None = None
        self.misfire: ev.Misfire | None = None
        self.violations: list[ev.Violation] = []
        self.left_seats: list[Seat] = []
        self.before_play = False
        self.time_exceeded: ev.TimeExceeded | None = None
        self.debt_not_claimed = False
        self.simultaneous = False
        self.stalemate = False
        self.toppled = False
        self.chosen_penalty: PieceKind | None = None

    @property
    def touched_a_piece(self) -> bool:
        """The striker reached a piece: the break is made (GR-06, ICF-17)."""
        if any(contact.piece is not None for contact in self.contacts):
            return True
        if self.misfire is not None and self.misfire.hit_piece:
            return True
        return bool(self.pocketed or self.off) and not self.no_contact

    @property
    def scratch(self) -> bool:
        """The striker was pocketed, left the board or rests on the frame (HK-17)."""
        return self.striker_in or self.striker_off or self.striker_on_frame

    @property
    def moved_by_hand(self) -> bool:
        """A piece was moved by hand, body or clothing, in the stroke or outside it."""
        return self.touched or bool(self.touched_outside)


def gather(state: State, outcome: StrokeOutcome, laws: Laws) -> Facts:
    """The facts of an outcome. Raises ``ContradictionError`` if they cannot have happened here."""
    facts = Facts(outcome.seat, state.side(outcome.seat))
    facts.was_out_of_turn = outcome.seat is not state.turn
    for event in outcome.events:
        kind = type(event)
        _HANDLERS[kind](facts, event)
        facts.seen.add(kind)
        if kind in _STROKE_EVENTS:
            facts.stroke_made = True
    if facts.fell_in and not laws.ruleset.hikone:
        _handled_are_pocketed(facts)
    if facts.touched:
        facts.stroke_made = True
    if facts.time_exceeded is not None and facts.stroke_made:
        raise ContradictionError(
            "time_exceeded", expected="no stroke in the same outcome", got="events of a stroke"
        )
    _check(facts, state, laws)
    return facts


def _count(where: dict[PieceKind, int], kind: PieceKind) -> None:
    where[kind] = where.get(kind, 0) + 1


def _striker_ends(facts: Facts, how: str) -> None:
    if facts.scratch:
        raise ContradictionError("striker", expected="one end", got="more than one")
    setattr(facts, how, True)


def _pocketed(facts: Facts, event: ev.Pocketed) -> None:
    if event.piece is _STRIKER:
        _striker_ends(facts, "striker_in")
        return
    _count(facts.pocketed, event.piece)
    if event.pocket is not None:
        facts.own_pocket_falls.append((event.piece, event.pocket))


def _fell_on_removal(facts: Facts, event: ev.FellInOnRemoval) -> None:
    if event.piece is _STRIKER:
        _striker_ends(facts, "striker_in")
    else:
        _count(facts.pocketed, event.piece)


def _off_board(facts: Facts, event: ev.OffBoard) -> None:
    if event.piece is _STRIKER:
        _striker_ends(facts, "striker_off")
    else:
        _count(facts.off, event.piece)


def _on_frame(facts: Facts, event: ev.OnFrame) -> None:
    if event.piece is _STRIKER:
        _striker_ends(facts, "striker_on_frame")
        return
    _count(facts.off, event.piece)
    facts.on_frame.add(event.piece)


def _mention(facts: Facts, event: Any) -> None:
    """The event changes no count, but it is about a piece that must exist."""
    facts.mentioned.add(event.piece)


def _standing(facts: Facts, event: ev.Standing) -> None:
    facts.mentioned.add(event.piece)
    facts.standing.append(event.piece)


def _on_striker(facts: Facts, event: Any) -> None:
    if event.piece is _STRIKER:
        raise ContradictionError(event.name, expected="a piece", got="the striker itself")
    facts.mentioned.add(event.piece)


def _contact(facts: Facts, event: ev.Contact) -> None:
    if event.piece is not None:
        facts.mentioned.add(event.piece)
    facts.contacts.append(event)


def _touched(facts: Facts, event: ev.Touched) -> None:
    facts.mentioned.add(event.piece)
    if not event.moved or event.piece is _STRIKER:
        return
    if event.before_stroke:
        facts.touched_outside.append(event.piece)
    else:
        facts.touched = True


def _first_contact(facts: Facts, event: ev.FirstContact) -> None:
    if any(isinstance(contact, ev.FirstContact) for contact in facts.contacts):
        raise ContradictionError("first_contact", expected="one in a stroke", got="a second one")
    _contact(facts, event)


def _lifted(facts: Facts, event: ev.FellDuringLift) -> None:
    _count(facts.fell_in, event.piece)
    _count(facts.fell_on_lift, event.piece)


def _handled_are_pocketed(facts: Facts) -> None:
    """Outside Hikone a piece that falls in while pieces are handled is pocketed like any other:
    "for any reason" (ICF-42..44, ICF-86); only HK-30 and HK-32 say otherwise."""
    for kind, count in facts.fell_in.items():
        facts.pocketed[kind] = facts.pocketed.get(kind, 0) + count
    facts.fell_in, facts.fell_on_lift = {}, {}
    facts.stroke_made = True


def _once(name: str) -> Callable[[Facts, ev.Event], None]:
    """A handler for an event of which one says it all."""

    def handle(facts: Facts, event: ev.Event) -> None:
        setattr(facts, name, True)

    return handle


def _keep(name: str) -> Callable[[Facts, ev.Event], None]:
    """A handler that keeps the event itself; a second one is a contradiction."""

    def handle(facts: Facts, event: ev.Event) -> None:
        if getattr(facts, name) is not None:
            raise ContradictionError(event.name, expected="one in an outcome", got="a second one")
        setattr(facts, name, event)

    return handle


def _nothing(facts: Facts, event: ev.Event) -> None:
    """The event changes no count: pieces that stay where they are."""


_HANDLERS: Mapping[type[ev.Event], Callable[[Facts, Any], None]] = {
    ev.FirstContact: _first_contact,
    ev.Contact: lambda facts, event: _contact(facts, event),
    ev.NoContact: _once("no_contact"),
    ev.NoPiecePocketed: _once("nothing_fell"),
    ev.Pocketed: _pocketed,
    ev.OffBoard: _off_board,
    ev.OnFrame: _on_frame,
    ev.BouncedBack: _mention,
    ev.Standing: _standing,
    ev.RestingOnStriker: _on_striker,
    ev.StrikerOnPiece: _on_striker,
    ev.FellInOnRemoval: _fell_on_removal,
    ev.FellDuringLift: _lifted,
    ev.FellDuringReplacement: lambda facts, event: _count(facts.fell_in, event.piece),
    ev.JackToppledDuringStacking: _once("toppled"),
    ev.Touched: _touched,
    ev.StrikerRecalledEarly: _once("recalled_early"),
    ev.StrikerNudged: _nothing,
    ev.ImproperStroke: lambda facts, event: facts.improper.append(event.kind),
    ev.Placement: _keep("placement"),
    ev.Misfire: _keep("misfire"),
    ev.OutOfTurn: _once("declared_out_of_turn"),
    ev.Violation: lambda facts, event: facts.violations.append(event),
    ev.LeftSeat: lambda facts, event: facts.left_seats.append(event.seat),
    ev.BeforePlayCall: _once("before_play"),
    ev.TimeExceeded: _keep("time_exceeded"),
    ev.DebtNotClaimed: _once("debt_not_claimed"),
    ev.OptionRemoval: lambda facts, event: _count(facts.removed, event.piece),
    ev.SimultaneousBreak: _once("simultaneous"),
    ev.Stalemate: _once("stalemate"),
    ev.PenaltyPieceChosen: lambda facts, event: setattr(facts, "chosen_penalty", event.piece),
}

_STROKE_EVENTS = frozenset(
    {
        ev.FirstContact,
        ev.Contact,
        ev.NoContact,
        ev.NoPiecePocketed,
        ev.Pocketed,
        ev.OffBoard,
        ev.OnFrame,
        ev.BouncedBack,
        ev.Standing,
        ev.RestingOnStriker,
        ev.StrikerOnPiece,
        ev.FellInOnRemoval,
        ev.FellDuringLift,
        ev.StrikerRecalledEarly,
        ev.StrikerNudged,
        ev.ImproperStroke,
        ev.Misfire,
        ev.OutOfTurn,
        ev.BeforePlayCall,
        ev.SimultaneousBreak,
    }
)
"""Events that only a stroke can bring. The others may stand alone: an incident between strokes."""


_ONLY_IN: Mapping[type[ev.Event], frozenset[Ruleset]] = {
    ev.BeforePlayCall: frozenset({Ruleset.ICF}),
    ev.DebtNotClaimed: frozenset({Ruleset.CARROM_SE, Ruleset.POINT_CARROM_SE}),
    ev.JackToppledDuringStacking: frozenset({Ruleset.HIKONE}),
    ev.OptionRemoval: frozenset({Ruleset.CARROM_SE}),
    ev.PenaltyPieceChosen: frozenset({Ruleset.POINT_GAMERULES}),
    ev.SimultaneousBreak: frozenset({Ruleset.HIKONE}),
    ev.Stalemate: frozenset({Ruleset.HIKONE}),
}
"""Declared facts and choices that exist in some rulesets only."""
_RARE = frozenset(_ONLY_IN)


def _check(facts: Facts, state: State, laws: Laws) -> None:
    _check_ruleset(facts, state, laws)
    _check_counts(facts, state)
    _check_contacts(facts)
    for seat in (*facts.left_seats, *(violation.seat for violation in facts.violations)):
        state.side(seat)


def _check_ruleset(facts: Facts, state: State, laws: Laws) -> None:
    """Events, pieces and words that this ruleset does not have."""
    for cls in () if facts.seen.isdisjoint(_RARE) else facts.seen & _RARE:
        if laws.ruleset not in _ONLY_IN[cls]:
            rulesets = " or ".join(sorted(_ONLY_IN[cls]))
            raise ContradictionError(
                cls.name, expected=f"an event of {rulesets}", got=laws.ruleset.value
            )
    kinds = laws.ruleset.pieces
    for pieces in (facts.mentioned, facts.pocketed, facts.off, facts.fell_in, facts.removed):
        for piece in pieces:
            if piece not in kinds and piece is not _STRIKER:
                expected = f"pieces of {laws.ruleset.value}"
                raise ContradictionError("piece", expected=expected, got=piece.value)
    for word in facts.improper:
        family = laws.ruleset.value.removeprefix("point_")
        if word not in IMPROPER_KINDS[family]:
            words = ", ".join(sorted(IMPROPER_KINDS[family]))
            raise ContradictionError("improper_stroke.kind", expected=f"one of {words}", got=word)
    if facts.declared_out_of_turn and not facts.was_out_of_turn:
        raise ContradictionError(
            "out_of_turn.seat", expected="a seat that is not on turn", got=facts.seat.value
        )
    if facts.before_play and state.break_done:
        raise ContradictionError("before_play_call", expected="a break", got="a broken board")


def _check_counts(facts: Facts, state: State) -> None:
    """No more pieces gone than lay there."""
    for kind in (*facts.pocketed, *facts.off):
        gone = facts.pocketed.get(kind, 0) + facts.off.get(kind, 0)
        if gone > state.on_board.get(kind, 0):
            raise ContradictionError(
                f"{kind.value} pocketed or off the board",
                expected=f"at most the {state.on_board.get(kind, 0)} on the board",
                got=gone,
            )
    if facts.nothing_fell and facts.pocketed:
        names = [kind.value for kind in facts.pocketed]
        raise ContradictionError("no_piece_pocketed", expected="nothing pocketed", got=names)


def _check_contacts(facts: Facts) -> None:
    """What was touched and what is said about it."""
    touched = any(contact.piece is not None for contact in facts.contacts)
    if facts.no_contact and (touched or facts.pocketed):
        raise ContradictionError("no_contact", expected="no piece touched", got="a piece")
    if facts.misfire is not None and touched and not facts.misfire.hit_piece:
        raise ContradictionError("misfire.hit_piece", expected="true, for a contact", got="false")
