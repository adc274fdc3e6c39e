"""Positions: counts, order, and what is odd about them."""

import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrom.boards import HIKONE_BOARD, ICF_BOARD
from carrom.errors import PositionError
from carrom.layouts import circle_layout, ring_layout
from carrom.pieces import HIKONE_SET, INDIAN_SET, PieceKind
from carrom.position import Disc, Fault, Position, PositionProblem

W, B, Q, S = PieceKind.WHITE, PieceKind.BLACK, PieceKind.QUEEN, PieceKind.STRIKER
R, G, J = PieceKind.RED, PieceKind.GREEN, PieceKind.JACK
P = PositionProblem

coordinates = st.floats(-400, 400)
discs = st.builds(Disc, st.sampled_from(PieceKind), coordinates, coordinates)
positions = st.lists(discs, max_size=12).map(lambda found: Position(tuple(found)))

SYMMETRIES = [
    lambda x, y: (x, y),
    lambda x, y: (-y, x),
    lambda x, y: (-x, -y),
    lambda x, y: (y, -x),
    lambda x, y: (-x, y),
    lambda x, y: (x, -y),
    lambda x, y: (y, x),
    lambda x, y: (-y, -x),
]


def place(*found):
    """A position from (kind, x, y) triples."""
    return Position(tuple(Disc(*disc) for disc in found))


@given(positions, st.randoms())
def test_canonical_forgets_the_order(position, random):
    """Two cameras list discs in different orders: canonical positions compare equal."""
    shuffled = list(position.discs)
    random.shuffle(shuffled)
    canonical = position.canonical()
    assert Position(tuple(shuffled)).canonical() == canonical
    assert canonical.canonical() == canonical
    assert canonical.counts() == position.counts()


def test_counts_and_kinds():
    """Counting is per kind; absent kinds are absent."""
    position = place((W, 0, 0), (B, 50, 0), (W, 100, 0))
    assert position.counts() == {W: 2, B: 1}
    assert [disc.x_mm for disc in position.of_kind(W)] == [0, 100]
    assert len(position) == 3
    assert [disc.kind for disc in position] == [W, B, W]
    assert Position().counts() == {}


@given(positions, st.sampled_from([ICF_BOARD, HIKONE_BOARD]))
def test_the_eight_symmetries(position, board):
    """Boards look the same from every seat and in a mirror: so must the problems."""
    wanted = position.faults(board)
    for turn in SYMMETRIES:
        turned = place(*((d.kind, *turn(d.x_mm, d.y_mm)) for d in position))
        assert turned.faults(board) == wanted


@given(positions)
def test_flags_are_those_of_the_faults(position):
    """``problems`` says no more and no less than ``faults``."""
    flags = P.NONE
    for fault in position.faults(ICF_BOARD):
        assert fault.discs
        assert all(0 <= index < len(position) for index in fault.discs)
        flags |= fault.problem
    assert position.problems(ICF_BOARD) == flags


@pytest.mark.parametrize(
    ("position", "faults"),
    [
        (place(), []),
        (place((W, 0, 0), (B, 31, 0)), []),  # touching
        (place((W, 0, 0), (B, 30.1, 0)), []),  # within the tolerance
        (place((W, 0, 0), (B, 29.9, 0)), [(P.OVERLAP, (0, 1))]),
        (place((W, 0, 0), (B, 0, 200), (S, 5, 0)), [(P.OVERLAP, (0, 2))]),
        (place((W, 0, 0), (W, 0, 0)), [(P.OVERLAP, (0, 1))]),
        (place((W, 354.5, 0)), []),  # touches the frame
        (place((W, 0, 0), (W, 0, 355.6)), [(P.OUTSIDE, (1,))]),
        (place((S, -600, 0), (W, 0, 900)), [(P.OUTSIDE, (0, 1))]),
        (place((S, 347, 347)), [(P.IN_POCKET, (0,))]),
        (place((W, 330, 330)), []),  # hangs over the lip: on the board (rules.md B.4)
        (place((S, 0, 0), (S, 100, 0)), [(P.TWO_STRIKERS, (0, 1))]),
        (place((Q, 0, 0), (Q, 100, 0)), [(P.TOO_MANY_QUEEN, (0, 1))]),
        (place((R, 0, 0), (S, 100, 0)), [(P.WRONG_SET, (0,))]),
        (
            place((W, 100, 0), (R, 0, 0), (J, 0, 90)),
            [(P.MIXED_SETS, (1, 2)), (P.WRONG_SET, (1, 2))],
        ),
    ],
)
def test_faults(position, faults):
    """Each problem, with the discs concerned, on an ICF board."""
    assert position.faults(ICF_BOARD) == tuple(Fault(*fault) for fault in faults)


@pytest.mark.parametrize("kind", [*INDIAN_SET, *HIKONE_SET])
def test_too_many_of_each_kind(kind):
    """A full set is fine; one more is flagged for its own kind, and names all of them."""
    board = ICF_BOARD if kind in INDIAN_SET else HIKONE_BOARD
    full = board.pieces[kind]
    row = [(kind, -200 + 35 * (i % 12), 40.0 * (i // 12)) for i in range(full + 1)]
    assert place(*row[:full]).problems(board) is P.NONE
    flag = P[f"TOO_MANY_{kind.name}"]
    assert place(*row).faults(board) == (Fault(flag, tuple(range(full + 1))),)


def test_no_flag_is_forgotten():
    """Every kind of piece has its own TOO_MANY flag and none is a combination."""
    names = {f"TOO_MANY_{kind.name}" for kind in (*INDIAN_SET, *HIKONE_SET)}
    assert names == {flag.name for flag in P if flag.name.startswith("TOO_MANY")}


def test_tolerance_is_the_callers():
    """A camera allows more than an engine."""
    position = place((W, 0, 0), (B, 29.5, 0))
    assert position.problems(ICF_BOARD) is P.OVERLAP
    assert position.problems(ICF_BOARD, tolerance_mm=3.0) is P.NONE
    assert place((W, 0, 0), (B, 30.99, 0)).problems(ICF_BOARD, tolerance_mm=0.0) is P.OVERLAP


def test_hikone_pockets_are_quarter_circles():
    """A pack in the opening is in the pocket and never outside, even right in the corner."""
    assert place((R, 299, 299)).problems(HIKONE_BOARD) is P.IN_POCKET
    assert place((R, 287, 240)).problems(HIKONE_BOARD) is P.OUTSIDE


def test_packs_touch_without_overlap():
    """Opening layouts are what the camera sees first: they must be clean."""
    assert ring_layout(ICF_BOARD, 0.3).problems(ICF_BOARD) is P.NONE
    assert circle_layout(HIKONE_BOARD, 0.3).problems(HIKONE_BOARD) is P.NONE


@pytest.mark.parametrize(
    ("kind", "x_mm", "y_mm"),
    [
        ("white", 0.0, 0.0),
        (None, 0.0, 0.0),
        (W, math.nan, 0.0),
        (W, 0.0, math.inf),
        (W, -10_001.0, 0.0),
        (W, "1", 0.0),
        (W, None, 0.0),
    ],
)
def test_impossible_discs(kind, x_mm, y_mm):
    """What no disc can be is refused at once, naming what was got."""
    with pytest.raises(PositionError, match="expected"):
        Disc(kind, x_mm, y_mm)


@pytest.mark.parametrize("bad", [[], None, (1,), "w", (Disc(W, 0, 0), None)])
def test_impossible_positions(bad):
    """A list could change under our feet; anything but discs is a bug."""
    with pytest.raises(PositionError, match="discs"):
        Position(bad)


def test_positions_are_values():
    """Hashable and immutable, for caches and logs."""
    position = place((W, 1, 2))
    assert hash(position) == hash(place((W, 1, 2)))
    with pytest.raises(AttributeError):
        position.discs = ()


def test_cheap_enough_for_a_camera():
    """Building and checking a full board takes a small part of a frame (33 ms); bound is lax."""
    layout = ring_layout(ICF_BOARD)
    start_s = time.perf_counter()
    for _ in range(20):
        Position(tuple(Disc(d.kind, d.x_mm, d.y_mm) for d in layout)).problems(ICF_BOARD)
    assert (time.perf_counter() - start_s) / 20 < 0.005
