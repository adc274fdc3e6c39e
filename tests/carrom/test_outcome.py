"""Outcomes and doubts check themselves, and settle doubts without losing the order of contacts."""

from __future__ import annotations

import pytest

from carrom import events as ev
from carrom.doubts import Answer, Doubt, Question
from carrom.errors import OutcomeError
from carrom.evidence import DECLARED, Evidence, Source
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.seats import Seat

S = Seat.SOUTH
WHITE, BLACK = PieceKind.WHITE, PieceKind.BLACK
HIT = ev.FirstContact(piece=WHITE)
FELL = ev.Pocketed(piece=WHITE)


def doubt(name: str, at: int | None = None, likelihood: float = 0.6) -> Doubt:
    yes = Answer(code="yes", likelihood=likelihood, events=(ev.Contact(piece=BLACK),))
    return Doubt(
        id=name,
        question=Question.FIRST_CONTACT,
        answers=(Answer(code="no", likelihood=1 - likelihood), yes),
        at=at,
    )


def test_an_answer_puts_its_events_where_the_doubt_says() -> None:
    """Before the first event, between two, or at the end."""
    outcome = StrokeOutcome(seat=S, events=(HIT, FELL), doubts=(doubt("a", at=1), doubt("b")))
    settled = outcome.resolve({"a": "yes", "b": "yes"})
    assert [event.name for event in settled.events] == [
        "first_contact",
        "contact",
        "pocketed",
        "contact",
    ]
    assert settled.doubts == ()


def test_settling_one_doubt_moves_the_place_of_the_others() -> None:
    """Answering in any order gives the same outcome."""
    outcome = StrokeOutcome(
        seat=S, events=(HIT, FELL), doubts=(doubt("a", at=0), doubt("b", at=1), doubt("c", at=2))
    )
    at_once = outcome.resolve({"a": "yes", "b": "yes", "c": "yes"})
    one_by_one = outcome.resolve({"b": "yes"}).resolve({"a": "yes"}).resolve({"c": "yes"})
    assert one_by_one.events == at_once.events


def test_most_likely_takes_the_likeliest_answers() -> None:
    """What a provisional ruling is made of."""
    outcome = StrokeOutcome(seat=S, events=(HIT,), doubts=(doubt("a"), doubt("b", likelihood=0.2)))
    assert [event.name for event in outcome.most_likely().events] == ["first_contact", "contact"]


def test_declared_facts_are_told_apart() -> None:
    """A button was pressed; the camera saw the rest."""
    push = ev.ImproperStroke(kind="push", evidence=DECLARED)
    assert StrokeOutcome(seat=S, events=(push, HIT)).declared == (push,)


@pytest.mark.parametrize(
    "make",
    [
        lambda: StrokeOutcome(seat=S, t_start_s=2.0, t_end_s=1.0),
        lambda: StrokeOutcome(seat=S, placement_mm=(float("nan"), 0.0)),
        lambda: StrokeOutcome(seat=S, events=(ev.OutOfTurn(seat=Seat.NORTH),)),
        lambda: StrokeOutcome(seat=S, doubts=(doubt("a"), doubt("a"))),
        lambda: StrokeOutcome(seat=S, doubts=(doubt("a", at=3),)),
        lambda: StrokeOutcome(seat=S, doubts=(doubt("a"),)).resolve({"b": "yes"}),
        lambda: StrokeOutcome(seat=S, doubts=(doubt("a"),)).resolve({"a": "perhaps"}),
        lambda: Answer(code="x", likelihood=1.5),
        lambda: Doubt(id="d", question=Question.WHICH_PIECE, answers=()),
        lambda: doubt("d", likelihood=0.6).__class__(
            id="d",
            question=Question.WHICH_PIECE,
            answers=(Answer(code="a", likelihood=0.9), Answer(code="b", likelihood=0.9)),
        ),
        lambda: Evidence(source=Source.OBSERVED, t_start_s=3.0, t_end_s=1.0),
    ],
)
def test_what_contradicts_itself_cannot_be_made(make: object) -> None:
    """Checked once, at the border; inner loops trust."""
    with pytest.raises(OutcomeError):
        make()  # type: ignore[operator]
