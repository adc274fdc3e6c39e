"""Opening layouts: where the pieces lie before the break.

All functions give discs in the board frame, mm. ``rotation_rad`` turns the whole layout
counter-clockwise about the centre: the laws leave it free (Q-ICF-06, SE-04).
"""

from collections.abc import Iterable, Sequence
from math import cos, pi, sin, sqrt

from carrom.board_spec import BoardFamily, BoardSpec
from carrom.errors import BoardError
from carrom.pieces import PieceKind
from carrom.position import Disc, Position

__all__ = ["castle_layout", "circle_layout", "opening_position", "ring_layout"]

_Place = tuple[PieceKind, float, float]


def opening_position(board: BoardSpec, rotation_rad: float = 0.0) -> Position:
    """The layout of the board's own game: rings and Y (ICF-14, GR-05) or circle (HK-01)."""
    if board.family is BoardFamily.ICF:
        return ring_layout(board, rotation_rad)
    return circle_layout(board, rotation_rad)


def ring_layout(board: BoardSpec, rotation_rad: float = 0.0, *, gap_mm: float = 0.0) -> Position:
    """Indian layout (ICF-14, GR-05): queen, ring of 6, ring of 12, hexagonally packed.

    Both rings alternate. The three whites of the inner ring and the three behind them form the Y;
    at rotation 0 its stem points at South and its arms at 30 and 150 degrees. Neighbours touch;
    ``gap_mm`` parts them (engines dislike exact contact, and real packs have gaps).
    """
    _need(board, BoardFamily.ICF)
    radii = [board.radii_mm[kind] for kind in board.pieces]
    pitch_mm = 2 * max(radii) + gap_mm
    places: list[_Place] = [(PieceKind.QUEEN, 0.0, 0.0)]
    for k in range(6):
        places.append((_alternate(_INDIAN, k), pitch_mm, -pi / 2 + k * pi / 3))
    for k in range(12):
        # Corners of the hexagon (even k) lie behind the men of the inner ring, the others between.
        distance_mm = pitch_mm * (2.0 if k % 2 == 0 else sqrt(3))
        places.append((_alternate(_INDIAN, k), distance_mm, -pi / 2 + k * pi / 6))
    return _from_polar(places, rotation_rad)


def circle_layout(board: BoardSpec, rotation_rad: float = 0.0) -> Position:
    """Hikone layout (HK-01): 24 packs alternate on the centre circle, jack on the jack spot.

    At rotation 0 a red pack lies in front of each seat; the laws do not say where to begin.
    """
    _need(board, BoardFamily.HIKONE)
    radius_mm = board.area_line_markings.ring_radius_mm
    places: list[_Place] = [(PieceKind.JACK, 0.0, 0.0)]
    places += [(_alternate(_HIKONE, k), radius_mm, -pi / 2 + k * pi / 12) for k in range(24)]
    return _from_polar(places, rotation_rad)


def castle_layout(board: BoardSpec, rotation_rad: float = 0.0, *, gap_mm: float = 0.0) -> Position:
    """Hikone "castle" layout (HL-16): a wall to break down around the jack.

    The text says "like a stone wall" and points at a picture that we do not have. Assumed: a
    square wall, 7 packs a side, 24 in all, colours alternating, the jack as the keep.
    """
    _need(board, BoardFamily.HIKONE)
    pitch_mm = 2 * max(board.radii_mm[PieceKind.RED], board.radii_mm[PieceKind.GREEN]) + gap_mm
    steps = [(i, -3) for i in range(-3, 3)]
    wall = list(steps)
    for _ in range(3):
        steps = [(-y, x) for x, y in steps]
        wall += steps
    discs = [Disc(PieceKind.JACK, 0.0, 0.0)]
    for k, (x, y) in enumerate(wall):
        discs.append(_turned(_alternate(_HIKONE, k), x * pitch_mm, y * pitch_mm, rotation_rad))
    return Position(tuple(discs))


_INDIAN = (PieceKind.WHITE, PieceKind.BLACK)
_HIKONE = (PieceKind.RED, PieceKind.GREEN)


def _alternate(kinds: Sequence[PieceKind], k: int) -> PieceKind:
    return kinds[k % 2]


def _from_polar(places: Iterable[_Place], rotation_rad: float) -> Position:
    discs = (
        Disc(kind, distance_mm * cos(angle + rotation_rad), distance_mm * sin(angle + rotation_rad))
        for kind, distance_mm, angle in places
    )
    return Position(tuple(discs))


def _turned(kind: PieceKind, x_mm: float, y_mm: float, rotation_rad: float) -> Disc:
    c, s = cos(rotation_rad), sin(rotation_rad)
    return Disc(kind, c * x_mm - s * y_mm, s * x_mm + c * y_mm)


def _need(board: BoardSpec, family: BoardFamily) -> None:
    if board.family is not family:
        raise BoardError(
            f"board {board.name!r}: expected family {family.value!r}, got {board.family.value!r}"
        )
