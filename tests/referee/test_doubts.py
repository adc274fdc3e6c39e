"""Right or silent: a doubt is asked only if something hangs on it, and then with what."""

from __future__ import annotations

from dataclasses import replace

import pytest

from carrom import events as ev
from carrom.doubts import Answer, Doubt, Question
from carrom.errors import ContradictionError, MatchError
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.seats import Pocket, Seat
from referee.adjudicate import adjudicate
from referee.apply import apply
from referee.ruleset_files import load_laws
from referee.setup import start_match

S, N = Seat.SOUTH, Seat.NORTH
WHITE, STRIKER = PieceKind.WHITE, PieceKind.STRIKER
LAWS = load_laws("icf")
STATE = replace(start_match(LAWS, {S: "A", N: "B"}, S), break_done=True)
FIRST = ev.FirstContact(piece=WHITE)


def doubt(name: str, *answers: tuple[str, float, tuple[ev.Event, ...]]) -> Doubt:
    return Doubt(
        id=name,
        question=Question.WAS_POCKETED,
        answers=tuple(Answer(code=c, likelihood=p, events=e) for c, p, e in answers),
    )


def outcome(*doubts: Doubt, events: tuple[ev.Event, ...] = (FIRST,)) -> StrokeOutcome:
    return StrokeOutcome(seat=S, events=events, doubts=doubts)


FELL = doubt("fell", ("yes", 0.6, (ev.Pocketed(piece=WHITE),)), ("no", 0.4, ()))
SCRATCH = doubt("scratch", ("yes", 0.1, (ev.Pocketed(piece=STRIKER),)), ("no", 0.9, ()))
POCKET = doubt(
    "pocket",
    ("NE", 0.5, (ev.Pocketed(piece=WHITE, pocket=Pocket.NORTH_EAST),)),
    ("NW", 0.5, (ev.Pocketed(piece=WHITE, pocket=Pocket.NORTH_WEST),)),
)


def test_a_doubt_that_changes_nothing_is_not_asked() -> None:
    """Which pocket a man fell into makes no difference in the ICF laws."""
    assert not adjudicate(STATE, outcome(POCKET), LAWS).pending


def test_the_same_doubt_is_asked_where_it_matters() -> None:
    """HL-10 forbids own packs in the own pockets: now the pocket decides about the turn."""
    laws = load_laws("hikone", {"own_side_pockets": "forbidden"})
    state = start_match(laws, {S: "A", N: "B"}, S)
    red = PieceKind.RED
    which = doubt(
        "pocket",
        ("SW", 0.5, (ev.Pocketed(piece=red, pocket=Pocket.SOUTH_WEST),)),
        ("NW", 0.5, (ev.Pocketed(piece=red, pocket=Pocket.NORTH_WEST),)),
    )
    ruling = adjudicate(state, outcome(which, events=(ev.FirstContact(piece=red),)), laws)
    (question,) = ruling.questions
    assert {a.answer: a.ruling.turn.continues for a in question.alternatives} == {
        "SW": False,
        "NW": True,
    }


def test_alternatives_stand_side_by_side_the_likeliest_first() -> None:
    """The person sees what hangs on the answer."""
    ruling = adjudicate(STATE, outcome(FELL), LAWS)
    (question,) = ruling.questions
    assert [a.answer for a in question.alternatives] == ["yes", "no"]
    assert [a.ruling.turn.next for a in question.alternatives] == [S, N]


def test_two_doubts_and_only_the_one_that_matters_is_asked() -> None:
    """A pocket that is irrelevant beside a striker that is not."""
    ruling = adjudicate(STATE, outcome(POCKET, SCRATCH), LAWS)
    assert [question.doubt for question in ruling.questions] == ["scratch"]


def test_a_doubt_may_matter_only_together_with_another() -> None:
    """Each is asked if some answer to the other makes it matter."""
    ruling = adjudicate(STATE, outcome(FELL, SCRATCH), LAWS)
    assert [question.doubt for question in ruling.questions] == ["fell", "scratch"]


def test_an_impossible_answer_is_no_alternative() -> None:
    """Nine whites lie there: that a tenth fell is not asked."""
    nine = tuple(ev.Pocketed(piece=WHITE) for _ in range(9))
    ruling = adjudicate(STATE, outcome(FELL, events=(FIRST, *nine)), LAWS)
    assert not ruling.pending


def test_no_possible_answer_is_a_contradiction() -> None:
    """If nothing the camera offers can be true, it is not the referee who decides."""
    ten = tuple(ev.Pocketed(piece=WHITE) for _ in range(10))
    never = doubt("never", ("a", 0.5, ten), ("b", 0.5, ten))
    with pytest.raises(ContradictionError):
        adjudicate(STATE, outcome(never), LAWS)


def test_many_doubts_do_not_silence_the_one_that_matters() -> None:
    """Nine doubts have 512 combinations, too many to lay out: then every doubt is asked, rather
    than none (once the question that mattered was dropped)."""
    others = [
        doubt(f"d{i}", ("a", 0.5, (ev.Standing(piece=WHITE),)), ("b", 0.5, ())) for i in range(8)
    ]
    ruling = adjudicate(STATE, outcome(FELL, *others), LAWS)
    assert "fell" in [question.doubt for question in ruling.questions]
    assert not adjudicate(STATE, outcome(*others), LAWS).pending, "256 are still laid out"


def test_a_pending_ruling_is_not_applied_by_mistake() -> None:
    """Only who says so lets play go on while a question is open."""
    ruling = adjudicate(STATE, outcome(FELL), LAWS)
    with pytest.raises(MatchError, match="fell"):
        apply(STATE, ruling)
    assert apply(STATE, ruling, provisional=True).on_board[WHITE] == 8


def test_the_place_of_a_doubtful_contact_matters() -> None:
    """Hikone doubles: was a pack outside touched before the one inside (HK-36)?"""
    laws = load_laws("hikone")
    state = start_match(laws, {seat: seat.value for seat in Seat}, S)
    red = PieceKind.RED
    outside = ev.FirstContact(piece=red, zone=ev.Zone.OUTSIDE)
    inside = ev.Contact(piece=red, zone=ev.Zone.INSIDE)
    first = Doubt(
        id="first",
        question=Question.FIRST_CONTACT,
        answers=(
            Answer(code="outside", likelihood=0.8, events=(outside,)),
            Answer(code="nothing", likelihood=0.2),
        ),
        at=0,
    )
    ruling = adjudicate(state, StrokeOutcome(seat=S, events=(inside,), doubts=(first,)), laws)
    (question,) = ruling.questions
    fouls = {a.answer: bool(a.ruling.fouls) for a in question.alternatives}
    assert fouls == {"outside": False, "nothing": True}


def test_the_offenders_choice_is_asked() -> None:
    """PT-06 with ``offender_choice``: he has both colours, so he is asked which he gives back."""
    laws = load_laws("point_gamerules", {"penalty_piece": "offender_choice"})
    seats = {S: "A", Seat.EAST: "B", N: "C"}
    state = start_match(laws, seats, S)
    white, black = PieceKind.WHITE, PieceKind.BLACK
    falls = (ev.Pocketed(piece=white), ev.Pocketed(piece=black))
    contact = ev.FirstContact(piece=white)
    state = apply(state, adjudicate(state, StrokeOutcome(seat=S, events=(contact, *falls)), laws))
    scratch = StrokeOutcome(seat=S, events=(contact, ev.Pocketed(piece=STRIKER)))
    (question,) = adjudicate(state, scratch, laws).questions
    given = {a.answer: a.ruling.returns[0].piece for a in question.alternatives}
    assert given == {"white": white, "black": black}
