"""JSON with a schema number that reads back exactly, and says where it is broken."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrom import events as ev
from carrom.board_marks import Point
from carrom.codec import SCHEMA, Codec
from carrom.doubts import Answer, Doubt, Question
from carrom.errors import SchemaError
from carrom.evidence import Evidence, Source
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from carrom.seats import Pocket, Seat, Side

CODEC = Codec()
evidence = st.builds(Evidence, source=st.sampled_from(Source))
pieces = st.sampled_from([kind for kind in PieceKind if kind is not PieceKind.STRIKER])
events = st.one_of(
    st.builds(
        ev.Pocketed, piece=pieces, pocket=st.none() | st.sampled_from(Pocket), evidence=evidence
    ),
    st.builds(ev.FirstContact, piece=pieces, zone=st.none() | st.sampled_from(ev.Zone)),
    st.builds(ev.Contact, frame=st.sampled_from(ev.FramePart), piece=st.none()),
    st.builds(ev.Touched, by=st.sampled_from(ev.TouchedBy), piece=pieces, moved=st.booleans()),
    st.builds(ev.Violation, seat=st.sampled_from(Seat), kind=st.text(max_size=8)),
    st.builds(ev.NoContact),
)
answers = st.builds(
    Answer,
    code=st.text(min_size=1, max_size=4),
    likelihood=st.floats(0, 0.5),
    events=st.lists(events, max_size=2).map(tuple),
)
doubts = st.builds(
    Doubt,
    id=st.text(max_size=4),
    question=st.sampled_from(Question),
    answers=st.tuples(answers, answers).filter(lambda pair: pair[0].code != pair[1].code),
)
finite = st.floats(-400, 400)
positions = st.lists(st.builds(Disc, pieces, finite, finite), max_size=5).map(
    lambda discs: Position(tuple(discs))
)
outcomes = st.builds(
    StrokeOutcome,
    seat=st.sampled_from(Seat),
    events=st.lists(events, max_size=6).map(tuple),
    doubts=st.lists(doubts, max_size=1).map(tuple),
    before=st.none() | positions,
    after=st.none() | positions,
    t_start_s=st.none() | st.floats(0, 1),
    t_end_s=st.none() | st.floats(2, 3),
)


@given(outcomes)
def test_an_outcome_reads_back(outcome: StrokeOutcome) -> None:
    """Nothing a camera reports may be lost between it and the log."""
    assert CODEC.loads(StrokeOutcome, CODEC.dumps(outcome)) == outcome


def test_a_named_point_where_a_pair_is_declared_reads_back() -> None:
    """A Point is a tuple, so nothing refused it; its log could be written but not read."""
    outcome = StrokeOutcome(seat=Seat.SOUTH, placement_mm=Point(12.5, -250.0))
    text = Codec().dumps(outcome)
    assert json.loads(text)["placement_mm"] == [12.5, -250.0]
    assert Codec().loads(StrokeOutcome, text) == outcome


def test_the_form_is_short_and_carries_its_version() -> None:
    """Defaults are left out; a reader knows which form it has."""
    outcome = StrokeOutcome(seat=Seat.SOUTH, events=(ev.Pocketed(piece=PieceKind.QUEEN),))
    assert json.loads(CODEC.dumps(outcome)) == {
        "schema": SCHEMA,
        "seat": "S",
        "events": [{"type": "pocketed", "piece": "queen"}],
    }


BROKEN: list[tuple[str, str]] = [
    ("[]", "object"),
    ("{", "JSON"),
    ('{"seat":"S"}', "schema"),
    ('{"schema":99,"seat":"S"}', "99"),
    ('{"schema":1}', "seat"),
    ('{"schema":1,"seat":"Q"}', "Q"),
    ('{"schema":1,"seat":"S","mood":1}', "mood"),
    ('{"schema":1,"seat":"S","events":{}}', "events"),
    ('{"schema":1,"seat":"S","events":[1]}', "events[0]"),
    ('{"schema":1,"seat":"S","events":[{"type":"?"}]}', "type"),
    ('{"schema":1,"seat":"S","events":[{"type":"pocketed"}]}', "piece"),
    ('{"schema":1,"seat":"S","events":[{"type":"contact"}]}', "events[0]"),
    ('{"schema":1,"seat":"S","t_start_s":"soon"}', "t_start_s"),
    ('{"schema":1,"seat":"S","placement_mm":[1]}', "placement_mm"),
]


@pytest.mark.parametrize(("text", "named"), BROKEN)
def test_broken_json_names_the_place(text: str, named: str) -> None:
    """A record from another program or another year."""
    with pytest.raises(SchemaError) as caught:
        CODEC.loads(StrokeOutcome, text)
    assert named in str(caught.value)


@pytest.mark.parametrize(
    ("hint", "data"),
    [(int, True), (int, 1.5), (bool, 1), (str, 1), (float, "1"), (Mapping[Side, int], [1])],
)
def test_a_value_of_another_type_is_refused(hint: Any, data: Any) -> None:
    """True is no number and 1 is no truth."""
    with pytest.raises(SchemaError):
        CODEC.read(hint, data, "x")


def test_what_is_no_domain_type_is_not_written() -> None:
    """Better an error than a record nobody can read back."""
    with pytest.raises(SchemaError):
        CODEC.encode(object())
