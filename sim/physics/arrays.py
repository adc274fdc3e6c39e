"""The flat arrays that kernels take, and how the words of the game become them.

Everything is in the board frame: mm, s, g. Discs are numbered as in the position, its striker left
out; THE STRIKER OF THE STROKE IS THE LAST DISC. Pockets are numbered SW, SE, NE, NW (the order of
``carrom.seats.Pocket``), sides of the frame S, E, N, W.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from carrom.board_markings import AreaLineMarkings
from carrom.board_spec import BoardSpec
from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from carrom.seats import Pocket, Seat
from sim.physics.surface import SURFACE_LIMITS, SurfaceParams

__all__ = [
    "POCKETS",
    "SIDES",
    "ByteArray",
    "FloatArray",
    "IntArray",
    "Table",
    "geometry_vector",
    "position_of",
    "side_line_mm",
    "surface_bounds",
    "surface_vector",
    "table_of",
]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
ByteArray = NDArray[np.int8]

POCKETS = (Pocket.SOUTH_WEST, Pocket.SOUTH_EAST, Pocket.NORTH_EAST, Pocket.NORTH_WEST)
SIDES = (Seat.SOUTH, Seat.EAST, Seat.NORTH, Seat.WEST)

# Columns of the geometry vector, (5,) float64, mm.
G_HALF = 0  # half the side of the playing surface
G_CORNER = 1  # radius of the inner corners of the frame; 0 = square
G_POCKET_AT = 2  # |x| and |y| of the four pocket centres
G_POCKET_RADIUS = 3
G_SIDE_LINE = 4  # see side_line_mm; without its sign
GEOMETRY_COLUMNS = 5

# Columns of the surface vector, (13,) float64; "never" is inf.
S_FRICTION_MEN = 0
S_FRICTION_QUEEN = 1
S_FRICTION_STRIKER = 2
S_E_DISC = 3
S_E_FRAME = 4
S_RIM = 5
S_FRAME_FRICTION = 6
S_CAPTURE = 7
S_LIP = 8
S_LEAVE = 9
S_V_CUT = 10
S_V_SEP = 11
S_GRAVITY = 12
SURFACE_COLUMNS = 13

_SURFACE_FIELDS = (
    "friction_men",
    "friction_queen",
    "friction_striker",
    "restitution_disc",
    "restitution_frame",
    "rim_friction",
    "frame_friction",
    "capture_speed_mm_s",
    "lip_speed_kept",
    "leave_speed_mm_s",
    "v_cut_mm_s",
    "v_sep_mm_s",
    "gravity_mm_s2",
)
"""The fields of ``SurfaceParams`` in the order of the columns."""

# Friction classes: which of the first three surface columns holds a disc's coefficient.
MEN_CLASS, QUEEN_CLASS, STRIKER_CLASS = S_FRICTION_MEN, S_FRICTION_QUEEN, S_FRICTION_STRIKER


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """One board with its discs, as arrays; new arrays, owned by this object, not to be written.

    ``men_mm``: (n - 1, 2) float64, mm, board frame; ``radius_mm``, ``mass_g``: (n,) float64;
    ``friction_class``: (n,) int64; the striker is number n - 1. ``geometry``: (5,) float64 (columns
    ``G_*``), ``surface``: (13,) float64 (columns ``S_*``).
    """

    kinds: tuple[PieceKind, ...]
    men_mm: FloatArray
    radius_mm: FloatArray
    mass_g: FloatArray
    friction_class: IntArray
    geometry: FloatArray
    surface: FloatArray

    @property
    def count(self) -> int:
        """Number of discs, the striker included."""
        return len(self.kinds)

    @property
    def deceleration_mm_s2(self) -> FloatArray:
        """(n,) float64, mm/s^2; a new array."""
        coefficients: FloatArray = self.surface[self.friction_class]
        return coefficients * float(self.surface[S_GRAVITY])


def geometry_vector(board: BoardSpec) -> FloatArray:
    """(5,) float64, mm: the columns ``G_*``; a new array."""
    pocket_at_mm = board.half_mm - board.pocket_inset_mm
    return np.array(
        [
            board.half_mm,
            board.corner_radius_mm,
            pocket_at_mm,
            board.pocket_radius_mm,
            abs(side_line_mm(board)),
        ]
    )


def side_line_mm(board: BoardSpec) -> float:
    """y, in any seat's frame, of the line that divides his side frames: the area line (HK-36), on
    Indian boards the far base line."""
    if isinstance(board.markings, AreaLineMarkings):
        return board.area_line_y_mm
    return board.base_lines_y.far_mm


def surface_vector(surface: SurfaceParams) -> FloatArray:
    """(13,) float64: the columns ``S_*``; a new array."""
    return np.array([_or_never(getattr(surface, name)) for name in _SURFACE_FIELDS])


def surface_bounds() -> tuple[FloatArray, FloatArray]:
    """Least and greatest surface vector that ``SurfaceParams`` accepts ("never" included)."""
    low, high = zip(*(SURFACE_LIMITS[name] for name in _SURFACE_FIELDS), strict=True)
    highest = np.array(high)
    highest[[S_CAPTURE, S_LEAVE]] = math.inf
    return np.array(low), highest


def table_of(position: Position, board: BoardSpec, surface: SurfaceParams) -> Table:
    """Convert; the position is taken as it is (``sim.physics.declumping`` checks and repairs).

    A striker in the position is left out: the stroke says where the striker starts.
    """
    men = [disc for disc in position if disc.kind is not PieceKind.STRIKER]
    kinds = (*(disc.kind for disc in men), PieceKind.STRIKER)
    places = np.array([(disc.x_mm, disc.y_mm) for disc in men], dtype=np.float64)
    return Table(
        kinds=kinds,
        men_mm=places.reshape(len(men), 2),
        radius_mm=np.array([board.radii_mm[kind] for kind in kinds]),
        mass_g=np.array([board.disc(kind).mass_g.value for kind in kinds]),
        friction_class=np.array([_friction_class(kind) for kind in kinds], dtype=np.int64),
        geometry=geometry_vector(board),
        surface=surface_vector(surface),
    )


def position_of(kinds: tuple[PieceKind, ...], xy_mm: FloatArray) -> Position:
    """A position from (n, 2) float64, mm, board frame."""
    places = zip(kinds, xy_mm, strict=True)
    return Position(tuple(Disc(kind, float(x), float(y)) for kind, (x, y) in places))


def _or_never(number: float | None) -> float:
    return math.inf if number is None else number


def _friction_class(kind: PieceKind) -> int:
    if kind is PieceKind.STRIKER:
        return STRIKER_CLASS
    return QUEEN_CLASS if kind in (PieceKind.QUEEN, PieceKind.JACK) else MEN_CLASS
