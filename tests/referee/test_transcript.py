"""A match as text that people read, and that reads back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from carrom import events as ev
from carrom.doubts import Answer, Doubt, Question
from carrom.errors import CarromError, TranscriptError
from carrom.evidence import DECLARED, Evidence, Source
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from carrom.seats import Pocket, Seat
from referee.event_text import (
    event_from_text,
    event_to_text,
    outcome_from_text,
    outcome_to_text,
)
from referee.match import Match
from referee.match_events import MatchStarted, NextBoard, StrokePlayed
from referee.ruleset_files import load_laws
from referee.transcript import parse_transcript, write_transcript
from tests.referee.test_match import some_match, start, stroke, win_board

S, N = Seat.SOUTH, Seat.NORTH


@settings(max_examples=60, deadline=None)
@given(some_match)
def test_a_transcript_reads_back(match: Match) -> None:
    """Whatever happened, the text tells the same match: same states, same rulings, same text."""
    text = write_transcript(match)
    again = parse_transcript(text)
    assert [frame.after for frame in again.frames] == [frame.after for frame in match.frames]
    assert write_transcript(again) == text


def test_what_it_looks_like() -> None:
    """Golden: a person who has never seen one must be able to follow it."""
    laws = load_laws("carrom_se", {"target": 13})
    players = {S: "Åsa", N: "Bo"}
    match = Match(MatchStarted(id="s", laws=laws, players=players, opener=S))
    match.play(stroke(S, PieceKind.WHITE))
    match.play(stroke(S, PieceKind.STRIKER))
    assert write_transcript(match) == (
        "carrom transcript 1\n"
        'rules carrom_se 1 "carrom.se"\n'
        "number target_points 13\n"
        "option target 13\n"
        "player S Åsa\n"
        "player N Bo\n"
        "opener S\n"
        "\n"
        "1. S first_contact(white) pocketed(white)\n"
        "   | S again; on the board white 8 black 9 queen 1\n"
        "2. S first_contact(white) pocketed(striker)\n"
        "   | striker_pocketed (SE-28, SE-29); back: 1 white to outer_circle by black (penalty); "
        "next N; on the board white 9 black 9 queen 1\n"
    )


OUTCOMES = [
    StrokeOutcome(seat=S),
    StrokeOutcome(
        seat=S,
        events=(
            ev.FirstContact(frame=ev.FramePart.SIDE_OUTSIDE),
            ev.Contact(piece=PieceKind.RED, zone=ev.Zone.ON_LINE, vertical_projection_only=True),
            ev.Touched(by=ev.TouchedBy.CLOTHING, piece=PieceKind.RED, moved=True),
            ev.TimeExceeded(limit_s=10.0, elapsed_s=10.5),
            ev.Placement(on_area_line=False, zone=ev.Zone.INSIDE),
            ev.ImproperStroke(kind="push", evidence=DECLARED),
            ev.Pocketed(
                piece=PieceKind.RED,
                pocket=Pocket.NORTH_EAST,
                evidence=Evidence(source=Source.INFERRED),
            ),
        ),
        placement_mm=(12.5, -252.25),
        before=Position((Disc(PieceKind.RED, 1.0, -2.0),)),
        after=Position(()),
        t_start_s=12.25,
        t_end_s=14.5,
    ),
    StrokeOutcome(
        seat=S,
        events=(ev.FirstContact(piece=PieceKind.WHITE),),
        doubts=(
            Doubt(
                id="d1",
                question=Question.WAS_POCKETED,
                answers=(
                    Answer(
                        code="yes", likelihood=0.7, events=(ev.Pocketed(piece=PieceKind.WHITE),)
                    ),
                    Answer(code="no", likelihood=0.25),
                ),
                at=1,
            ),
        ),
    ),
    StrokeOutcome(
        seat=S,
        events=(
            ev.Violation(seat=N, kind="stand up, now) again"),
            ev.Violation(seat=N, kind="yes"),
            ev.Violation(seat=N, kind="12"),
            ev.Violation(seat=N, kind='a "b" \\ ; }'),
        ),
        doubts=(
            Doubt(
                id="odd id; }",
                question=Question.WHICH_PIECE,
                answers=(
                    Answer(code="a b", likelihood=0.5, events=(ev.Violation(seat=N, kind="; }"),)),
                    Answer(code="c;d}", likelihood=0.125),
                ),
            ),
        ),
        t_start_s=-3.5,
        t_end_s=1e-7,
    ),
]


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_every_part_of_an_outcome_reads_back(outcome: StrokeOutcome) -> None:
    """Times, placement, positions, evidence and doubts are in the line."""
    assert outcome_from_text(S, outcome_to_text(outcome)) == outcome


@pytest.mark.parametrize("name", sorted(ev.EVENT_CLASSES))
def test_every_kind_of_event_has_a_text(name: str) -> None:
    """A new event that the transcript cannot write would be lost without a word."""
    cls = ev.EVENT_CLASSES[name]
    values = {
        "piece": PieceKind.WHITE,
        "seat": S,
        "kind": "push",
        "by": ev.TouchedBy.HAND,
        "moved": True,
        "limit_s": 15.0,
        "elapsed_s": 16.0,
        "striker_on_both_lines": True,
        "hit_piece": False,
    }
    needed = {key: value for key, value in values.items() if key in cls.__dataclass_fields__}
    event = cls(**needed)
    assert event_from_text(event_to_text(event)) == event


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("carrom transcript 1", "carrom transcript 9", "line 1"),
        ("opener S\n", "", "line"),
        ("opener S", "opener X", "X"),
        ("rules icf", "rules snooker", "snooker"),
        ("pocketed(white)", "vanished(white)", "vanished"),
        ("pocketed(white)", "pocketed(pawn)", "pawn"),
        ("pocketed(white)", "pocketed(white", "white"),
        ("1. S", "first S", "first"),
    ],
)
def test_a_broken_transcript_names_the_line(old: str, new: str, named: str) -> None:
    """People edit these by hand."""
    match = start("icf")
    match.play(stroke(S, PieceKind.WHITE))
    text = write_transcript(match)
    assert old in text
    with pytest.raises(CarromError) as caught:
        parse_transcript(text.replace(old, new, 1))
    notes = " ".join(getattr(caught.value, "__notes__", ()))
    assert named in str(caught.value) + notes


def test_what_cannot_have_happened_names_the_line() -> None:
    """Ten whites in a transcript are refused like ten whites from a camera."""
    match = start("icf")
    match.play(stroke(S, PieceKind.WHITE))
    text = write_transcript(match).replace("pocketed(white)", "pocketed(white) " * 10)
    with pytest.raises(CarromError) as caught:
        parse_transcript(text)
    assert any("line" in note for note in caught.value.__notes__)


def test_events_between_strokes_and_called_turns_are_kept() -> None:
    """A next board, and a stroke by a seat that was not called."""
    match = start("icf")
    win_board(match)
    match.push(NextBoard(id="b"))
    match.push(StrokePlayed(id="x", outcome=replace(stroke(S), seat=S)))
    text = write_transcript(match)
    assert "next_board" in text
    assert "\n11. S " in text, "by S, although it was N's turn"
    assert parse_transcript(text).state == match.state


@pytest.mark.parametrize("name", ["", " Asha ", "A\nB", '"quoted"', "|", "Åsa & 花子"])
def test_names_of_any_letters_read_back(name: str) -> None:
    """Whatever a phone keyboard makes."""
    laws = load_laws("icf")
    match = Match(MatchStarted(id="s", laws=laws, players={S: name, N: "Bo"}, opener=S))
    again = parse_transcript(write_transcript(match))
    assert again.state.standing == match.state.standing


@pytest.mark.parametrize(
    "line",
    [
        "1. S ?d:was_x{a 0.5; b 0.5}",
        "1. S ?d:was_pocketed{a b}",
        "1. S ?d:was_pocketed{;}",
        "1. S from(-,e)",
        "1. S @1.2.3..",
        "rules icf 1 bad",
        "number x S",
        "next_board opener=S",
        "clock_started t_s=NaN",
    ],
)
def test_nonsense_is_refused_as_our_own_error(line: str) -> None:
    """Never a ValueError from deep inside."""
    match = start("icf")
    head, _, _ = write_transcript(match).partition("opener")
    text = f"{head}{line}\nopener S\n" if line[0] in "rn" else f"{head}opener S\n{line}\n"
    with pytest.raises(CarromError):
        parse_transcript(text)


def test_an_empty_text_is_no_transcript() -> None:
    """Not even a header."""
    with pytest.raises(TranscriptError):
        parse_transcript("")
