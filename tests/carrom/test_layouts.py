"""Opening layouts: counts, colours, contact."""

from math import atan2, dist, hypot, pi, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrom.boards import HIKONE_BOARD, ICF_BOARD
from carrom.errors import BoardError
from carrom.layouts import castle_layout, circle_layout, opening_position, ring_layout
from carrom.pieces import PieceKind
from carrom.position import PositionProblem

LAYOUTS = [
    (ring_layout, ICF_BOARD),
    (circle_layout, HIKONE_BOARD),
    (castle_layout, HIKONE_BOARD),
]
angles = st.floats(-10, 10)


def polar(position):
    """(radius mm, angle rad in [0, 2 pi), kind) of each disc, by radius then angle."""
    found = [
        (round(hypot(d.x_mm, d.y_mm), 6), atan2(d.y_mm, d.x_mm) % (2 * pi), d.kind)
        for d in position
    ]
    return sorted(found)


@pytest.mark.parametrize(("layout", "board"), LAYOUTS)
@given(angle=angles)
def test_full_set_without_problems_at_any_angle(layout, board, angle):
    """Every piece is there, packs touch without counting as overlap."""
    position = layout(board, angle)
    assert position.counts() == board.pieces
    assert position.problems(board, tolerance_mm=1e-6) is PositionProblem.NONE


@given(angle=angles)
def test_rotation_turns_all_discs(angle):
    """The breaker may turn the layout: radii stay, angles shift."""
    for layout, board in LAYOUTS:
        for a, b in zip(layout(board), layout(board, angle), strict=True):
            assert hypot(a.x_mm, a.y_mm) == pytest.approx(hypot(b.x_mm, b.y_mm), abs=1e-9)
            if hypot(a.x_mm, a.y_mm) > 0:
                turned = atan2(b.y_mm, b.x_mm) - atan2(a.y_mm, a.x_mm) - angle
                assert sin(turned / 2) == pytest.approx(0, abs=1e-9)


def test_ring_is_compact_within_the_outer_circle():
    """ICF-14: queen touches six, each of the six touches its neighbours, all inside 17 cm."""
    discs = ring_layout(ICF_BOARD).discs
    touching = [
        (i, j)
        for j in range(19)
        for i in range(j)
        if dist((discs[i].x_mm, discs[i].y_mm), (discs[j].x_mm, discs[j].y_mm)) < 31 + 1e-6
    ]
    assert len(touching) == 42  # all contacts of a hexagonal pack of 19
    assert max(hypot(d.x_mm, d.y_mm) for d in discs) + 15.5 <= 85


def test_ring_colours_alternate_and_form_a_y():
    """ICF-14, GR-05: rings alternate; a white lies straight behind each inner white."""
    ring = polar(ring_layout(ICF_BOARD, 0.001))
    assert ring[0][2] is PieceKind.QUEEN
    inner = sorted(ring[1:7], key=lambda item: item[1])
    outer = sorted(ring[7:], key=lambda item: item[1])
    for found in (inner, outer):
        kinds = [kind for _, _, kind in found]
        assert all(a is not b for a, b in zip(kinds, kinds[1:] + kinds[:1], strict=True))
    for _, angle, kind in inner:
        if kind is PieceKind.WHITE:
            behind = min(outer, key=lambda item: abs(item[1] - angle))
            assert behind[1] == pytest.approx(angle)
            assert behind[2] is PieceKind.WHITE
            assert behind[0] == pytest.approx(62)


def test_the_y_stands_upright_for_south():
    """At rotation 0 the stem of the Y points at South."""
    column = [d for d in ring_layout(ICF_BOARD) if abs(d.x_mm) < 1e-6]
    column.sort(key=lambda disc: disc.y_mm)
    assert [d.y_mm for d in column] == pytest.approx([-62, -31, 0, 31, 62])
    white, black, queen = PieceKind.WHITE, PieceKind.BLACK, PieceKind.QUEEN
    assert [d.kind for d in column] == [white, white, queen, black, white]


def test_circle_alternates_on_the_centre_circle():
    """HK-01: 24 packs on the circle, colours alternating, jack in the centre."""
    ring = polar(circle_layout(HIKONE_BOARD))
    assert ring[0][0] == 0
    assert ring[0][2] is PieceKind.JACK
    packs = sorted(ring[1:], key=lambda item: item[1])
    assert all(radius == pytest.approx(120) for radius, _, _ in packs)
    kinds = [kind for _, _, kind in packs]
    assert all(a is not b for a, b in zip(kinds, kinds[1:] + kinds[:1], strict=True))


def test_castle_is_a_closed_wall():
    """HL-16 (our guess of it): 24 packs touch in a ring around the jack, colours alternating."""
    _, *wall = castle_layout(HIKONE_BOARD).discs
    for a, b in zip(wall, [*wall[1:], wall[0]], strict=True):
        assert dist((a.x_mm, a.y_mm), (b.x_mm, b.y_mm)) == pytest.approx(30)
        assert a.kind is not b.kind


def test_gap_parts_the_discs():
    """Engines may ask for a gap."""
    discs = ring_layout(ICF_BOARD, gap_mm=0.2).discs
    assert dist((0, 0), (discs[1].x_mm, discs[1].y_mm)) == pytest.approx(31.2)


def test_opening_position_is_that_of_the_board():
    """One call for both games; the other game's layout is refused."""
    assert opening_position(ICF_BOARD, 0.5) == ring_layout(ICF_BOARD, 0.5)
    assert opening_position(HIKONE_BOARD) == circle_layout(HIKONE_BOARD)
    for layout, board in ((ring_layout, HIKONE_BOARD), (castle_layout, ICF_BOARD)):
        with pytest.raises(BoardError, match="family"):
            layout(board)
