"""One-line positions: exact round trip, kind reading, clear errors."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrom.boards import HIKONE_BOARD, ICF_BOARD
from carrom.errors import CarromError, NotationError
from carrom.layouts import opening_position
from carrom.notation import KIND_LETTERS, format_position, parse_position, rounded
from carrom.pieces import PieceKind
from carrom.position import COORDINATE_LIMIT_MM, Disc, Position

coordinates = st.floats(-COORDINATE_LIMIT_MM, COORDINATE_LIMIT_MM) | st.integers(-370, 370)
discs = st.builds(Disc, st.sampled_from(PieceKind), coordinates, coordinates)
positions = st.lists(discs, max_size=30).map(lambda found: Position(tuple(found)))


@given(positions)
def test_round_trip_at_a_tenth_of_a_millimetre(position):
    """Formatting loses the order and less than 0.05 mm, parsing nothing."""
    line = format_position(position)
    assert parse_position(line) == rounded(position)
    assert format_position(parse_position(line)) == line
    assert "-0.0" not in line
    assert "\n" not in line


@given(positions, st.randoms())
def test_order_and_space_do_not_matter_to_the_reader(position, random):
    """People shuffle, wrap and indent lines."""
    tokens = format_position(position).split(" ")
    random.shuffle(tokens)
    assert parse_position("  " + " \n\t".join(tokens) + "\n") == rounded(position)


@given(positions)
def test_rounded_moves_nothing_far(position):
    """Rounding stays within half a step of the disc it came from."""
    assert rounded(position).counts() == position.counts()
    assert rounded(rounded(position)) == rounded(position)


def test_known_lines():
    """The form is a contract: bug reports and fixtures of old versions must still read."""
    position = Position(
        (
            Disc(PieceKind.WHITE, 12.34, -45.0),
            Disc(PieceKind.STRIKER, -0.04, -252.6),
            Disc(PieceKind.QUEEN, 0.0, 0.0),
            Disc(PieceKind.WHITE, -31, 0),
        )
    )
    line = "w-31.0+0.0 w+12.3-45.0 q+0.0+0.0 s+0.0-252.6"
    assert format_position(position) == line
    assert parse_position(line) == rounded(position)
    assert format_position(Position()) == "-"
    assert parse_position(" - ") == Position()


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("w12.3-45.0", "w+12.3-45.0"),
        ("W+12.3-45", "w+12.3-45.0"),
        ("w1+2", "w+1.0+2.0"),
        ("w-0-0", "w+0.0+0.0"),
        ("b1+1 w1+1", "w+1.0+1.0 b+1.0+1.0"),
    ],
)
def test_kind_reading(text, same):
    """What a person types by hand is understood."""
    assert format_position(parse_position(text)) == same


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("w+1.0+2.0 x+1.0+2.0", "x+1.0+2.0"),
        ("w+1.0 b+1.0+2.0", "w+1.0"),
        ("w+1.02.0", "w+1.02.0"),
        ("w+1.25+2.0", "w+1.25+2.0"),  # more than we keep: refused, not rounded in silence
        ("w+1.+2.0", "w+1.+2.0"),
        ("w+nan+2.0", "w+nan+2.0"),
        ("w+1e3+2.0", "w+1e3+2.0"),
        ("w+99999.0+0.0", "w+99999.0+0.0"),
        ("w+1,0+2,0", "w+1,0+2,0"),
        ("w+١+2", "w+١+2"),  # digits of other alphabets
        ("- w+1.0+2.0", "-"),
        ("w+1.0+2.0w+1.0+2.0", "w+1.0+2.0w+1.0+2.0"),
    ],
)
def test_errors_name_the_token(text, token):
    """The offending token, not the whole line, is what the reader needs."""
    with pytest.raises(NotationError) as caught:
        parse_position(text, where="case 3")
    assert caught.value.got == token
    assert caught.value.where.startswith("case 3: disc ")
    assert caught.value.expected


@pytest.mark.parametrize("text", ["", "   ", "\n"])
def test_nothing_is_no_position(text):
    """An empty line is more likely a mistake than an empty board, which is written ``-``."""
    with pytest.raises(NotationError, match="or - for none"):
        parse_position(text)


@given(st.text(max_size=40) | st.text("wbqrgjs+-.0123456789 ", max_size=40))
def test_any_text_is_a_position_or_a_carrom_error(text):
    """Lines come from outside: nothing else may escape."""
    try:
        parsed = parse_position(text)
    except CarromError:
        return
    assert parse_position(format_position(parsed)) == parsed


def test_letters_are_distinct_and_complete():
    """One letter per kind."""
    assert set(KIND_LETTERS) == set(PieceKind)
    assert len(set(KIND_LETTERS.values())) == len(PieceKind)


@pytest.mark.parametrize("board", [ICF_BOARD, HIKONE_BOARD], ids=lambda b: b.name)
def test_a_full_board_is_short(board):
    """An opening fits in a bug report."""
    assert len(format_position(opening_position(board))) < 400
