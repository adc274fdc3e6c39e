"""One judged picture: what was true, what was seen, and how they compare. A line of a file."""

from dataclasses import dataclass
from enum import StrEnum

from carrom.pieces import PieceKind

__all__ = ["Frame", "Lie", "PictureRow", "SeenDisc", "Setting", "TrueDisc"]


class Lie(StrEnum):
    """How a disc truly lies."""

    FLAT = "flat"
    MOVING = "moving"
    STACKED = "stacked"
    LEANING = "leaning"
    STANDING = "standing"
    HANGING = "hanging"
    AWAY = "away"  # in a pocket, on the frame, off the board: not on the surface


class Frame(StrEnum):
    """In what places and sizes are measured: px of the picture, or mm of the true board frame."""

    PICTURE = "px"
    BOARD = "mm"


@dataclass(frozen=True, slots=True)
class TrueDisc:
    """A disc that is there. ``kinds``: those that count as right, more than one where labels doubt.

    ``half``: half the side of its box, the radius; unit and frame as the row says. ``visible``:
    seen share. ``under_hand``: a hand hides part of it.
    """

    kinds: tuple[PieceKind, ...]
    x: float
    y: float
    half: float
    lie: Lie = Lie.FLAT
    visible: float = 1.0
    under_hand: bool = False

    @property
    def due(self) -> bool:
        """Whether it counts against the eyes when they do not report it."""
        return self.lie not in (Lie.AWAY, Lie.MOVING) and self.visible >= 0.5

    @property
    def reach(self) -> float:
        """How far off a report may be and still mean this disc.

        A disc on its edge has no foot to speak of.
        """
        return self.half * (1.2 if self.lie in (Lie.STANDING, Lie.LEANING) else 0.5)


@dataclass(frozen=True, slots=True)
class SeenDisc:
    """A disc as reported. ``on_surface``: False for one said to lie in a pocket or on the frame.

    ``sure``: False for one that is rather not there; only average precision looks at it.
    """

    kind: PieceKind
    x: float
    y: float
    half: float
    confidence: float
    on_surface: bool = True
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Setting:
    """Which picture it is and how to look at the row.

    ``group``: the rows of a table. ``board``: one is there. ``rest``: everything lies still and can
    be seen, so that the position must come out exactly. ``whole``: the whole surface is inside the
    picture. ``labelled``: the discs are known. ``may_refuse``: so oblique that no board need be
    found. ``side``: of the surface, in the unit of the row. ``tolerance``: largest error of a
    corner, same unit; none: the corners are not known.
    """

    name: str
    group: str
    frame: Frame
    board: bool = True
    rest: bool = True
    whole: bool = True
    labelled: bool = True
    may_refuse: bool = False
    side: float = 740.0
    tolerance: float | None = None


@dataclass(frozen=True, slots=True)
class PictureRow:
    """A picture judged. Errors of corners in the order of the truth, unit of the setting.

    ``hands``: cells that hands cover and that were said to be covered: both, said only, true only.
    """

    setting: Setting
    found: bool
    truths: tuple[TrueDisc, ...] = ()
    seen: tuple[SeenDisc, ...] = ()
    family_right: bool | None = None
    corner_errors: tuple[float, ...] = ()
    ignored_boxes: tuple[tuple[float, float, float, float], ...] = ()
    hands: tuple[int, int, int] = (0, 0, 0)
    seconds: float = 0.0
    warnings: tuple[str, ...] = ()
