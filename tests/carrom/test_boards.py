"""The two standard boards: published figures, geometry, impossible sizes."""

import copy
import pickle
from math import atan2, dist, hypot, pi, sin, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrom.board_spec import BoardFamily, BoardSpec
from carrom.boards import (
    HIKONE_BOARD,
    ICF_BASE_LINE_LENGTH_MM,
    ICF_BOARD,
    Arc,
    Arrow,
    Certainty,
    Circle,
    Dimension,
    Line,
    MarkName,
    Point,
    Spot,
    board_for,
    from_seat_frame,
    measured,
    published,
    to_seat_frame,
)
from carrom.errors import BoardError
from carrom.events import Zone
from carrom.pieces import HIKONE_SET, INDIAN_SET, PieceKind
from carrom.seats import Pocket, Seat, own_pockets

BOARDS = pytest.mark.parametrize("board", [ICF_BOARD, HIKONE_BOARD], ids=lambda b: b.name)
coordinates = st.floats(-400, 400)


def test_icf_coordinates_of_the_rules():
    """rules.md B.1 lists derived coordinates: we must get the same ones."""
    assert ICF_BOARD.base_lines_y == pytest.approx((-268.5, -236.7))
    left, right = ICF_BOARD.base_circle_centres(Seat.SOUTH)
    assert left == pytest.approx((-220.8, -252.6))
    assert right == pytest.approx((220.8, -252.6))
    assert ICF_BOARD.pocket_centres[Pocket.NORTH_EAST] == pytest.approx((347.75, 347.75))


def test_icf_base_lines_are_47_34_cm_long():
    """Consistency check of rules.md B.1: tangent circles give 47.34, published is 47 +/- 0.30."""
    length_mm = ICF_BOARD.base_line_markings.base_line_length(ICF_BOARD.half_mm)
    assert length_mm == pytest.approx(473.4)
    assert abs(length_mm - ICF_BASE_LINE_LENGTH_MM.high) < 0.5


def test_smaller_legal_surface_keeps_the_published_base_line_length():
    """The Laws allow 73.5 cm as well: there the tangent circles give a length in the range."""
    board = ICF_BOARD.changed({"surface.side_mm": 735.0})
    length_mm = board.base_line_markings.base_line_length(board.half_mm)
    assert ICF_BASE_LINE_LENGTH_MM.low <= length_mm <= ICF_BASE_LINE_LENGTH_MM.high


def test_icf_neighbouring_base_circles_are_1_32_cm_apart():
    """Consistency check of rules.md B.1 (published: about 1.27)."""
    _, south_right = ICF_BOARD.base_circle_centres(Seat.SOUTH)
    east_left, _ = ICF_BOARD.base_circle_centres(Seat.EAST)
    gap_mm = dist(south_right, east_left) - 31.8
    assert gap_mm == pytest.approx(13.2, abs=0.05)


def test_icf_pack_fits_the_outer_circle():
    """ICF-14: the layout is compact within the outer circle, five men across."""
    widest_mm = 5 * ICF_BOARD.disc(PieceKind.WHITE).diameter_mm.high
    assert widest_mm <= 170


def test_hikone_circle_holds_24_packs():
    """rules.md B.2: the centre circle cannot be smaller than 23.0 cm."""
    least_mm = 2 * 15 / sin(pi / 24)
    assert least_mm == pytest.approx(229.8, abs=0.1)
    markings = HIKONE_BOARD.area_line_markings
    assert markings.centre_circle_diameter_mm.low >= least_mm
    with pytest.raises(BoardError, match="centre_circle_diameter_mm"):
        HIKONE_BOARD.changed({"markings.centre_circle_diameter_mm": 229.0})


def test_hikone_striker_and_packs_have_the_same_size():
    """rules.md B.3: they must be told apart by marking, not by size."""
    radii = HIKONE_BOARD.radii_mm
    assert abs(radii[PieceKind.STRIKER] - radii[PieceKind.RED]) <= 0.5
    assert radii[PieceKind.JACK] == 17


@BOARDS
def test_every_dimension_has_a_source_and_a_range(board):
    """Habit 9: constants carry source and tolerance; a guess says so and has room."""
    for path, dimension in board.dimensions().items():
        if dimension is None:
            continue
        assert dimension.source, path
        assert dimension.low <= dimension.value <= dimension.high, path
        if dimension.certainty is Certainty.ASSUMED:
            assert dimension.tolerance > 0, path


def test_what_is_unknown_is_flagged():
    """Vision varies what nobody published: exactly these of section B are placeholders."""
    guesses = [
        path
        for path, dimension in ICF_BOARD.dimensions().items()
        if dimension is not None and dimension.certainty is Certainty.ASSUMED
    ]
    assert guesses == [
        "markings.far_line_width_mm",
        "markings.arrow_length_mm",
        "markings.arrow_from_pocket_mm",
        "markings.arrow_width_mm",
        "markings.arrow_arch_diameter_mm",
        "markings.outline_width_mm",
    ]
    for path, dimension in HIKONE_BOARD.dimensions().items():
        if path.startswith("markings.") and dimension is not None:
            assert dimension.certainty is Certainty.ASSUMED, path


@BOARDS
@pytest.mark.parametrize("end", ["low", "high"])
def test_every_end_of_every_range_is_a_possible_board(board, end):
    """The simulated camera draws from the ranges, so their ends must build."""
    for path, dimension in board.dimensions().items():
        if dimension is not None:
            board.changed({path: getattr(dimension, end)})


@BOARDS
@given(data=st.data())
def test_any_draw_from_the_ranges_is_a_possible_board(board, data):
    """All dimensions may vary at once."""
    known = {path: d for path, d in board.dimensions().items() if d is not None}
    board.changed({p: data.draw(st.floats(d.low, d.high), label=p) for p, d in known.items()})


@BOARDS
def test_marks_per_seat(board):
    """Each seat owns the same marks; arrows belong to pockets; the centre to nobody."""
    owners = {owner: [m for m in board.marks if m.owner is owner] for owner in (*Seat, *Pocket)}
    names = [[m.name for m in owners[seat]] for seat in Seat]
    assert all(row == names[0] for row in names)
    centre = {m.name for m in board.marks if m.owner is None}
    if board is ICF_BOARD:
        assert len(names[0]) == 6
        assert all(len(owners[pocket]) == 2 for pocket in Pocket)
        assert centre == {MarkName.CENTRE_CIRCLE, MarkName.OUTER_CIRCLE}
    else:
        assert names[0] == [MarkName.AREA_LINE, MarkName.TEE_SPOT]
        assert centre == {MarkName.CENTRE_CIRCLE, MarkName.JACK_SPOT}


@BOARDS
def test_marks_repeat_by_quarter_turns(board):
    """A mark of a seat, seen from that seat, is the mark of South."""
    south = {m.name: m for m in board.marks if m.owner is Seat.SOUTH}
    for mark in board.marks:
        if not isinstance(mark.owner, Seat):
            continue
        if isinstance(mark, Line):
            assert to_seat_frame(mark.owner, *mark.start) == south[mark.name].start
            assert to_seat_frame(mark.owner, *mark.end) == south[mark.name].end
        elif isinstance(mark, Circle | Spot):
            assert to_seat_frame(mark.owner, *mark.centre) == south[mark.name].centre


@BOARDS
def test_marks_lie_on_the_surface(board):
    """Paint ends at the frame."""
    for mark in board.marks:
        if isinstance(mark, Line):
            points = [mark.start, mark.end]
        elif isinstance(mark, Arrow):
            points = [mark.tail, mark.tip]
        else:
            points = [mark.centre]
        assert all(max(abs(p.x_mm), abs(p.y_mm)) <= board.half_mm for p in points)


def test_arrows_point_at_their_pockets():
    """rules.md B.1: 45 degrees, 26.7 cm long, 5 cm short of the pocket, between base circles."""
    arrows = [m for m in ICF_BOARD.marks if isinstance(m, Arrow)]
    assert len(arrows) == 4
    for arrow in arrows:
        pocket = ICF_BOARD.pocket_centres[arrow.owner]
        assert dist(arrow.tip, pocket) == pytest.approx(22.25 + 50)
        assert dist(arrow.tail, arrow.tip) == pytest.approx(267)
        assert abs(arrow.tip.x_mm) == pytest.approx(abs(arrow.tip.y_mm))
        along = atan2(arrow.tip.y_mm - arrow.tail.y_mm, arrow.tip.x_mm - arrow.tail.x_mm)
        assert along == pytest.approx(atan2(pocket.y_mm, pocket.x_mm))
        for circle in (m for m in ICF_BOARD.marks if isinstance(m, Circle)):
            if circle.owner is not None:
                off_mm = abs(
                    circle.centre.x_mm * sin(along) - circle.centre.y_mm * sin(pi / 2 - along)
                )
                assert off_mm > circle.radius_mm


def test_arches_open_towards_their_pockets():
    """The middle of the open quarter of each arch faces the pocket."""
    for arc in (m for m in ICF_BOARD.marks if isinstance(m, Arc)):
        pocket = ICF_BOARD.pocket_centres[arc.owner]
        opening = arc.start_rad + arc.sweep_rad + (2 * pi - arc.sweep_rad) / 2
        wanted = atan2(pocket.y_mm, pocket.x_mm)
        assert sin((opening - wanted) / 2) == pytest.approx(0, abs=1e-9)


def test_lines_end_where_the_base_circles_touch_them():
    """Both base lines are tangent to both circles of the seat."""
    lines = [m for m in ICF_BOARD.marks if isinstance(m, Line) and m.owner is Seat.WEST]
    left, right = ICF_BOARD.base_circle_centres(Seat.WEST)
    for line in lines:
        assert dist(line.start, left) == pytest.approx(15.9)
        assert dist(line.end, right) == pytest.approx(15.9)


def test_base_circles_follow_a_smaller_board():
    """A home file that changes only the side must not leave the circles behind."""
    board = ICF_BOARD.changed({"surface.side_mm": 720.0})
    _, right = board.base_circle_centres(Seat.SOUTH)
    assert right.x_mm == pytest.approx(220.8 - 10)
    assert board.name == "icf"


@given(st.sampled_from(Seat), coordinates, coordinates)
def test_seat_frame_round_trip_is_exact(seat, x_mm, y_mm):
    """Quarter turns must lose nothing."""
    there = to_seat_frame(seat, x_mm, y_mm)
    assert from_seat_frame(seat, *there) == (x_mm, y_mm)
    assert hypot(*there) == hypot(x_mm, y_mm)


def test_own_pockets_are_near_and_the_right_hand_is_right():
    """Seat frame agrees with carrom.seats: own pockets have a negative y, S-W-N-E is clockwise."""
    for seat in Seat:
        seen = {p: to_seat_frame(seat, *c) for p, c in ICF_BOARD.pocket_centres.items()}
        assert {p for p, at in seen.items() if at.y_mm < 0} == set(own_pockets(seat))
    assert to_seat_frame(Seat.EAST, 370, 0) == (0, -370)
    assert to_seat_frame(Seat.EAST, 0, 370) == (370, 0)
    assert to_seat_frame(Seat.WEST, 0, -370) == (370, 0)


@pytest.mark.parametrize("seat", Seat)
@pytest.mark.parametrize(
    ("offset_mm", "zone"),
    [
        (-16.6, Zone.INSIDE),
        (-16.4, Zone.ON_LINE),  # HK-37: any overlap with the line counts
        (0.0, Zone.ON_LINE),
        (16.4, Zone.ON_LINE),
        (16.5, Zone.OUTSIDE),  # edges meet: no overlap
        (200.0, Zone.OUTSIDE),
    ],
)
def test_area_zone(seat, offset_mm, zone):
    """A pack of radius 15 against a line 3 mm wide, from every seat."""
    x_mm, y_mm = from_seat_frame(seat, 40.0, HIKONE_BOARD.area_line_y_mm + offset_mm)
    assert HIKONE_BOARD.area_line_offset_mm(seat, x_mm, y_mm) == pytest.approx(offset_mm)
    assert HIKONE_BOARD.area_zone(seat, x_mm, y_mm, radius_mm=15.0) is zone


def test_pocket_at():
    """A centre over the hole is in it; the lip is not."""
    assert ICF_BOARD.pocket_at(-347.75, 347.75) is Pocket.NORTH_WEST
    assert ICF_BOARD.pocket_at(347.75 - 22.3, 347.75) is None
    assert HIKONE_BOARD.pocket_at(270, -270) is Pocket.SOUTH_EAST
    assert HIKONE_BOARD.pocket_at(300 - 50 / sqrt(2) - 0.1, -(300 - 50 / sqrt(2))) is None


def test_corners_follow_the_pockets():
    """A tangent pocket rounds the corner; a quarter-circle pocket leaves it square."""
    assert ICF_BOARD.corner_radius_mm == ICF_BOARD.pocket_radius_mm == 22.25
    assert HIKONE_BOARD.corner_radius_mm == 0
    assert ICF_BOARD.surface_corners[0] == Point(-370, 370)


def test_families():
    """A board knows its set and its standard."""
    assert ICF_BOARD.pieces == INDIAN_SET
    assert HIKONE_BOARD.pieces == HIKONE_SET
    assert board_for(BoardFamily.HIKONE) is HIKONE_BOARD


def test_questions_of_the_other_game_are_refused():
    """No board answers for lines or discs it does not have."""
    for ask in (
        lambda: ICF_BOARD.area_line_y_mm,
        lambda: ICF_BOARD.tee_spot(Seat.SOUTH),
        lambda: HIKONE_BOARD.base_lines_y,
        lambda: HIKONE_BOARD.disc(PieceKind.QUEEN),
    ):
        with pytest.raises(BoardError):
            ask()


def test_tee_spot_of_each_seat():
    """The default tee spot sits on the middle of the area line; its own distance overrides."""
    assert HIKONE_BOARD.tee_spot(Seat.EAST) == Point(210, 0)
    board = HIKONE_BOARD.changed({"markings.tee_spot_from_frame_mm": 120.0})
    assert board.tee_spot(Seat.NORTH) == Point(0, 180)


@BOARDS
def test_boards_are_values(board):
    """Boards are cache keys and travel to worker processes."""
    twin = pickle.loads(pickle.dumps(board))
    assert twin == board == copy.deepcopy(board)
    assert hash(twin) == hash(board)
    assert twin.marks == board.marks


@pytest.mark.parametrize(
    ("board", "path", "value"),
    [
        (ICF_BOARD, "surface.side_mm", 150.0),
        (ICF_BOARD, "surface.side_mm", 7400.0),
        (ICF_BOARD, "pockets.diameter_mm", 41.0),  # the striker could not fall
        (ICF_BOARD, "pockets.diameter_mm", 200.0),
        (ICF_BOARD, "pockets.inset_mm", 300.0),
        (ICF_BOARD, "frame.height_mm", 0.0),
        (ICF_BOARD, "frame.corner_radius_mm", 300.0),
        (ICF_BOARD, "discs.striker.diameter_mm", 75.0),  # CarromAICoach's striker
        (ICF_BOARD, "discs.white.mass_g", 0.0),
        (ICF_BOARD, "markings.base_disc_diameter_mm", 40.0),
        (ICF_BOARD, "markings.base_circle_x_mm", 5.0),
        (ICF_BOARD, "markings.near_line_from_frame_mm", 360.0),
        (ICF_BOARD, "markings.outer_circle_diameter_mm", 800.0),
        (ICF_BOARD, "markings.arrow_length_mm", 500.0),
        (ICF_BOARD, "markings.arrow_arch_diameter_mm", 300.0),
        (HIKONE_BOARD, "discs.jack.diameter_mm", 75.0),  # the frame keeps its centre out
        (HIKONE_BOARD, "markings.area_line_from_frame_mm", 301.0),
        (HIKONE_BOARD, "markings.area_line_length_mm", 700.0),
        (HIKONE_BOARD, "markings.tee_spot_from_frame_mm", 301.0),
        (HIKONE_BOARD, "markings.jack_spot_diameter_mm", 250.0),
        (ICF_BOARD, "surface.side_mm", None),  # follows from nothing
        (ICF_BOARD, "surface.side_cm", 74.0),
        (ICF_BOARD, "markings.area_line_width_mm", 3.0),
    ],
)
def test_impossible_boards(board, path, value):
    """Each is refused, and the error names what is wrong."""
    with pytest.raises(BoardError, match=path.rpartition(".")[2]):
        board.changed({path: value})


@pytest.mark.parametrize(
    "build",
    [
        lambda: measured(float("nan")),
        lambda: measured(float("inf")),
        lambda: measured(-1.0),
        lambda: measured(True),
        lambda: measured("740"),  # type: ignore[arg-type]
        lambda: published(5.0, "x", low=6.0, high=7.0),
        lambda: published(5.0, "", low=5.0, high=5.0),
        lambda: published(5.0, "two\nlines", low=5.0, high=5.0),
        lambda: Dimension(1.0, 1.0, 1.0, "x", "published"),  # type: ignore[arg-type]
    ],
)
def test_impossible_dimensions(build):
    """Numbers that are none, ranges without their value, sources that say nothing."""
    with pytest.raises(BoardError, match="expected"):
        build()


@pytest.mark.parametrize(
    "change",
    [
        {"discs": HIKONE_BOARD.discs},
        {"discs": ICF_BOARD.discs[:-1]},
        {"discs": (*ICF_BOARD.discs, ICF_BOARD.discs[0])},
        {"markings": HIKONE_BOARD.markings},
        {"name": ""},
        {"name": "a\tb"},
    ],
)
def test_parts_that_do_not_belong(change):
    """A board holds one of each of its own kinds and its own family of marks."""
    parts = {
        key: getattr(ICF_BOARD, key)
        for key in ("name", "family", "surface", "pockets", "frame", "markings", "discs")
    }
    with pytest.raises(BoardError):
        BoardSpec(**{**parts, **change})
