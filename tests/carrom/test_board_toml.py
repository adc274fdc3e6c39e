"""Board files: exact round trip, short files, bad input."""

import contextlib
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrom import board_toml
from carrom.board_toml import board_from_toml, board_to_toml, load_board, save_board
from carrom.boards import HIKONE_BOARD, ICF_BOARD, Certainty, Dimension
from carrom.errors import BoardError, CarromError, SchemaError
from carrom.pieces import PieceKind

texts = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=20)


@st.composite
def boards(draw):
    """A standard board with some dimensions redrawn inside their ranges, and any name."""
    board = draw(st.sampled_from([ICF_BOARD, HIKONE_BOARD]))
    known = {path: d for path, d in board.dimensions().items() if d is not None}
    changes = {}
    for path in draw(st.lists(st.sampled_from(sorted(known)), max_size=4, unique=True)):
        old = known[path]
        value = draw(st.floats(old.low, old.high))
        full = Dimension(value, old.low, old.high, draw(texts), draw(st.sampled_from(Certainty)))
        changes[path] = draw(st.sampled_from([value, full]))
    if draw(st.booleans()):
        changes["pockets.inset_mm"] = None
    return board.changed(changes, name=draw(texts))


@given(boards())
def test_round_trip_is_exact(board):
    """What is saved is what is loaded, to the last bit."""
    text = board_to_toml(board)
    assert board_from_toml(text) == board
    assert board_to_toml(board_from_toml(text)) == text


@pytest.mark.parametrize("board", [ICF_BOARD, HIKONE_BOARD], ids=lambda b: b.name)
def test_a_standard_board_is_one_line(board):
    """Nothing differs from the base, so nothing is written."""
    assert board_to_toml(board) == f'base = "{board.name}"\n'


def test_the_example_of_the_docstring():
    """The documentation must parse: a board of 72 cm with circles of 38 mm."""
    text = board_toml.__doc__.partition("\n\n")[2].partition("Sections and keys")[0]
    board = board_from_toml(text)
    assert board.name == "grandfather's board"
    assert board.surface.side_mm.value == 720
    assert board.surface.side_mm.certainty is Certainty.MEASURED
    assert board.base_line_markings.line_gap_mm.source == "W:chessnboards"
    assert board.radii_mm[PieceKind.STRIKER] == 20.25
    assert board.pockets == ICF_BOARD.pockets


def test_files(tmp_path):
    """Save and load through the disk, letters of any alphabet included."""
    board = HIKONE_BOARD.changed({"pockets.diameter_mm": 95.5}, name='彦根 "カロム" \\ 1')
    path = tmp_path / "home.toml"
    save_board(board, path)
    assert load_board(path) == board
    assert tomllib.loads(path.read_text(encoding="utf-8"))["pockets"] == {"diameter_mm": 95.5}


def test_unreadable_files_name_themselves(tmp_path):
    """A missing file, a folder and a file that is no text are one kind of error."""
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    for name in ("missing.toml", "binary.toml", "."):
        with pytest.raises(SchemaError, match=r"expected a readable file") as caught:
            load_board(tmp_path / name)
        assert str(tmp_path) in caught.value.where


@pytest.mark.parametrize(
    ("text", "error", "where"),
    [
        ("", SchemaError, "base"),
        ('base = "crokinole"', SchemaError, "base"),
        ("base = 1", SchemaError, "base"),
        ("base = [", SchemaError, "board"),
        ('base = "icf"\nname = 3', SchemaError, "name"),
        ('base = "icf"\nname = ""', BoardError, "name"),
        ('base = "icf"\nside_mm = 3', SchemaError, "side_mm"),
        ('base = "icf"\nsurface = 740', SchemaError, "surface"),
        ('base = "icf"\ndiscs = 3', SchemaError, "discs"),
        ('base = "icf"\n[discs]\nwhite = 3', SchemaError, "discs.white"),
        ('base = "icf"\n[discs.jack]\ndiameter_mm = 34', SchemaError, "discs.jack"),
        ('base = "icf"\n[discs.white]\nradius_mm = 15', SchemaError, "discs.white.radius_mm"),
        ('base = "icf"\n[surface]\nside_cm = 74', SchemaError, "surface.side_cm"),
        ('base = "icf"\n[markings]\narea_line_width_mm = 3', SchemaError, "area_line_width_mm"),
        ('base = "icf"\n[surface]\nside_mm = "740"', SchemaError, "surface.side_mm"),
        ('base = "icf"\n[surface]\nside_mm = true', SchemaError, "surface.side_mm"),
        ('base = "icf"\n[surface]\nside_mm = nan', BoardError, "surface.side_mm"),
        ('base = "icf"\n[surface]\nside_mm = -1', BoardError, "surface.side_mm"),
        ('base = "icf"\n[surface]\nside_mm = 74.0', BoardError, "surface.side_mm"),  # cm
        ('base = "icf"\n[surface]\nside_mm = "derived"', BoardError, "surface.side_mm"),
        (f'base = "icf"\n[surface]\nside_mm = 1{"0" * 400}', SchemaError, "surface.side_mm"),
        ('base = "icf"\n[surface]\nside_mm = {value = 740}', SchemaError, "surface.side_mm"),
        (
            'base = "icf"\n[surface.side_mm]\nvalue=1\nlow=1\nhigh=1\nsource="x"\ncertainty="sure"',
            SchemaError,
            "side_mm.certainty",
        ),
        (
            'base = "icf"\n[surface.side_mm]\nvalue=1\nlow=1\nhigh=1\nsource=2\n'
            'certainty="assumed"',
            SchemaError,
            "side_mm.source",
        ),
        (
            'base="icf"\n[surface.side_mm]\nvalue=1\nlow="a"\nhigh=1\nsource="x"\ncertainty="assumed"',
            SchemaError,
            "side_mm.low",
        ),
        ('base = "icf"\n[discs.striker]\ndiameter_mm = 75', BoardError, "discs.striker"),
    ],
)
def test_bad_files(text, error, where):
    """Unknown keys, wrong types, impossible sizes: path, expected and got are named."""
    with pytest.raises(error) as caught:
        board_from_toml(text)
    assert where in str(caught.value)
    assert "expected" in str(caught.value)
    assert str(caught.value).startswith("board")


@given(st.text(max_size=60))
def test_any_text_is_a_board_or_a_carrom_error(text):
    """A board file comes from outside: it may be anything."""
    for head in ("", 'base = "icf"\n', 'base = "hikone"\n[markings]\n'):
        with contextlib.suppress(CarromError):
            board_from_toml(head + text)
