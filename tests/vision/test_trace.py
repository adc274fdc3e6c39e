"""A trace is the evidence of what was called: it must give back exactly what went in, or say so."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carrom.boards import HIKONE_BOARD, ICF_BOARD
from carrom.errors import TraceError
from carrom.pieces import PieceKind
from tests.vision.views import board_at, disc_at
from vision.seen import DiscSeen, Place
from vision.table_view import Look, TableView
from vision.trace import TraceHeader, header_line, read_trace, view_line
from vision.watching.rounding import rounded

HEADER = TraceHeader(ICF_BOARD, board_at(), "a film, 10 Mbit/s é")

places = st.floats(-600, 600, allow_nan=False)
shares = st.floats(0, 1, allow_nan=False)
discs = st.builds(
    DiscSeen,
    st.sampled_from(PieceKind), places, places, places, places, st.floats(0, 40),
    st.floats(0, 40), st.sampled_from(Place), shares, shares,
    st.dictionaries(st.sampled_from(PieceKind), shares, max_size=3), st.booleans(),
).map(rounded)  # fmt: skip
cells = st.integers(0, 2**64 - 1).map(
    lambda seed: np.random.default_rng(seed).random((16, 16)) < 0.2
)
views = st.builds(
    TableView,
    st.floats(0, 1e5).map(lambda t: round(t, 6)), st.integers(0, 10**9),
    st.none() | st.builds(Look, st.tuples(discs, discs), st.tuples(discs)),
    cells, cells, st.booleans(), st.booleans(),
)  # fmt: skip


def same(a: TableView, b: TableView) -> bool:
    """Equal in everything."""
    scalars = (a.t_s, a.seq, a.look, a.usable, a.anew) == (b.t_s, b.seq, b.look, b.usable, b.anew)
    maps = np.array_equal(a.covered, b.covered) and np.array_equal(a.changed, b.changed)
    return scalars and maps and b.covered.dtype == np.bool_ and b.covered.shape == (16, 16)


@settings(max_examples=40)
@given(st.lists(views, max_size=3))
def test_views_come_back_exactly(given_views: list[TableView]) -> None:
    """A replay follows the very numbers that were followed live."""
    ordered = sorted(given_views, key=lambda view: view.t_s)
    header, read = read_trace([header_line(HEADER), *map(view_line, ordered)])
    assert header == HEADER
    back = list(read)
    assert len(back) == len(ordered)
    assert all(map(same, ordered, back))


def test_a_header_needs_no_board() -> None:
    """Traces made from truth have no camera."""
    header, read = read_trace([header_line(TraceHeader(HIKONE_BOARD))])
    assert header == TraceHeader(HIKONE_BOARD)
    assert list(read) == []


def test_a_line_that_breaks_off_at_the_end_is_left_out_and_told() -> None:
    """The program may be killed while it writes; the match before that still counts."""
    lines = [header_line(HEADER), view_line(TableView(1.0, 1)), view_line(TableView(2.0, 2))[:9]]
    notes: list[str] = []
    _, read = read_trace(lines, where="match.jsonl", note=notes.append)
    assert [view.t_s for view in read] == [1.0]
    assert notes == ["match.jsonl:3: breaks off; left out"]


def test_a_whole_last_line_without_its_end_of_line_counts() -> None:
    """Editors drop it."""
    _, read = read_trace([header_line(HEADER), view_line(TableView(1.0, 1)).rstrip()])
    assert [view.t_s for view in read] == [1.0]


GOOD = view_line(TableView(1.0, 1, Look((rounded(disc_at(1, 2)),))))


@pytest.mark.parametrize(
    "line",
    [
        "{\n",
        "[]\n",
        "{}\n",
        '{"t":"1.0","n":1}\n',
        '{"t":true,"n":1}\n',
        '{"t":NaN,"n":1}\n',
        '{"t":1e999,"n":1}\n',
        '{"t":1,"n":1,"cov":"zz"}\n',
        '{"t":1,"n":1,"cov":"00"}\n',
        '{"t":1,"n":1,"discs":[]}\n',
        '{"t":1,"n":1,"discs":[[]],"maybe":[]}\n',
        GOOD.replace('"white"', '"purple"', 1),
        GOOD.replace('"surface"', '"moon"'),
        GOOD.replace("{\"white", "[\"white"),
        GOOD.replace("15.91", "null"),
    ],
)  # fmt: skip
def test_a_bad_line_is_named(line: str) -> None:
    """Whoever reports a bug edits traces by hand."""
    _, read = read_trace([header_line(HEADER), line, GOOD], where="x")
    with pytest.raises(TraceError, match="x:2"):
        list(read)


def test_odds_that_are_no_table_are_named() -> None:
    """One more slip of a hand."""
    start = GOOD.index('{"white"')
    bad = GOOD[:start] + "[1]" + GOOD[GOOD.index("}", start) + 1 :]
    _, read = read_trace([header_line(HEADER), bad], where="x")
    with pytest.raises(TraceError, match="x:2"):
        list(read)


def test_time_that_goes_back_is_named() -> None:
    """Two traces put together are no trace."""
    lines = [header_line(HEADER), view_line(TableView(2.0, 1)), view_line(TableView(1.0, 2))]
    _, read = read_trace(lines, where="x")
    with pytest.raises(TraceError, match="x:3"):
        list(read)


@pytest.mark.parametrize("line", ["", "hello\n", '{"trace": 99}\n', '{"trace": 1}\n', GOOD])
def test_what_is_no_trace_is_refused_at_once(line: str) -> None:
    """A video renamed to .jsonl, a trace of a later version."""
    with pytest.raises(TraceError, match="x:1"):
        read_trace([line] if line else [], where="x")
