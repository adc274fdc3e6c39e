"""What the eyes report of one picture: a board, the discs on it, what covers it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from carrom.board_spec import BoardFamily
from carrom.pieces import PieceKind
from vision.board_camera import BoardCamera

__all__ = ["BoardSeen", "Box", "CornerSeen", "DiscSeen", "Label", "Place"]


class Label(StrEnum):
    """The classes of the disc network; the value is the name in the exported model.

    ``RED`` is the queen of an Indian board and a red pack of a Hikone one. ``HAND`` boxes are
    cells of the crop that hands or arms cover, 16 to a side.
    """

    WHITE = "white"
    BLACK = "black"
    RED = "red"
    GREEN = "green"
    JACK = "jack"
    STRIKER = "striker"
    HAND = "hand"


@dataclass(frozen=True, slots=True)
class Box:
    """What a network reports: a class name, a box (left, top, right, bottom px), a score 0 to 1.

    ``odds``: the score of every class at that place, by class name.
    """

    label: str
    left: float
    top: float
    right: float
    bottom: float
    score: float
    odds: Mapping[str, float] = field(default_factory=dict)

    @property
    def middle(self) -> tuple[float, float]:
        """Its centre."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def size(self) -> float:
        """The mean of width and height."""
        return (self.right - self.left + self.bottom - self.top) / 2


@dataclass(frozen=True, slots=True)
class CornerSeen:
    """A corner of the playing surface in the picture; ``seen``: False when it was worked out."""

    x_px: float
    y_px: float
    seen: bool
    confidence: float


@dataclass(frozen=True, slots=True)
class BoardSeen:
    """A board in a picture.

    ``corners``: of the surface, NW NE SE SW of the board frame of ``camera``. ``half_mm``: of the
    surface. ``residual_mm``: root mean square distance, on the board plane, of the edges and marks
    used from where the calibration puts them.
    """

    family: BoardFamily
    camera: BoardCamera
    half_mm: float
    corners: tuple[CornerSeen, CornerSeen, CornerSeen, CornerSeen]
    confidence: float
    residual_mm: float
    warnings: tuple[str, ...] = ()

    @property
    def corners_px(self) -> tuple[tuple[float, float], ...]:
        """NW NE SE SW of the board frame."""
        return tuple((corner.x_px, corner.y_px) for corner in self.corners)


class Place(StrEnum):
    """Where a disc lies."""

    SURFACE = "surface"
    ON_DISC = "on_disc"  # stacked
    HANGING = "hanging"  # over the lip of a pocket
    POCKET = "pocket"  # in the hole or its net
    FRAME = "frame"
    OFF_BOARD = "off_board"


@dataclass(frozen=True, slots=True)
class DiscSeen:
    """A disc; ``x_mm``, ``y_mm`` the middle of its foot on the plane it lies on, board frame.

    ``x_px``, ``y_px``, ``radius_px``: its visible face in the full picture. ``visible``: seen share
    of that face, 0 to 1. ``confidence``: chance that a disc of this kind lies here; ``odds``: the
    chance of every kind, which sums to 1.
    """

    kind: PieceKind
    x_mm: float
    y_mm: float
    x_px: float
    y_px: float
    radius_px: float
    radius_mm: float
    place: Place
    visible: float
    confidence: float
    odds: Mapping[PieceKind, float] = field(default_factory=dict)
    refined: bool = False
    """True: the centre comes from the disc's edge; False: from the network's box."""
