"""How things look: plain values that a manifest can record and a cache can hash.

Colours are sRGB albedos (red, green, blue), 0 to 1. Every ``seed`` fixes the grain, stains and
scratches of one object; equal looks give equal pixels.
"""

from dataclasses import dataclass
from enum import StrEnum

from carrom.pieces import PieceKind

__all__ = [
    "BaseCircleStyle",
    "BoardLook",
    "CornerStyle",
    "DiscLook",
    "DiscPattern",
    "FrameLook",
    "FrameStyle",
    "Grain",
    "NetLook",
    "NetStyle",
    "PrintLook",
    "Rgb",
    "Rosette",
]

Rgb = tuple[float, float, float]
"""Red, green, blue; sRGB encoded, 0 to 1."""


class Grain(StrEnum):
    """The structure of a surface."""

    BIRCH = "birch"  # pale ply, soft streaks
    FLOWER = "flower"  # plain-sawn veneer with cathedrals
    QUARTER = "quarter"  # straight fine lines
    FLECKED = "flecked"  # beech with short dark dashes
    LAMINATE = "laminate"  # nearly even


class Rosette(StrEnum):
    """What is printed in the middle."""

    STAR = "star"  # eight two-tone points in a circle
    RING_STAR = "ring_star"  # a star inside a thick coloured ring
    CIRCLES = "circles"  # plain circles
    WHEEL = "wheel"  # ring with arcs and small circles
    MANDALA = "mandala"  # petals and rings in three colours
    SUN = "sun"  # sixteen thin points
    NONE = "none"


class BaseCircleStyle(StrEnum):
    """How the ends of the base lines are drawn."""

    RED_IN_RING = "red_in_ring"  # filled, thin ring, wood between
    RED_IN_BLACK = "red_in_black"  # filled right up to a thick ring
    FULL = "full"  # one filled circle as large as a man
    OUTLINE = "outline"
    NONE = "none"  # the lines simply cross


class FrameStyle(StrEnum):
    """What the frame is made of."""

    BLACK = "black"
    WORN_BLACK = "worn_black"
    WOOD = "wood"
    DARK_WOOD = "dark_wood"
    METAL = "metal"
    PAINTED = "painted"


class CornerStyle(StrEnum):
    """What covers the corners of the frame."""

    PLAIN = "plain"
    METAL_CAP = "metal_cap"
    PRINTED = "printed"
    BRASS = "brass"


class NetStyle(StrEnum):
    """What is seen in a pocket."""

    HOLE = "hole"  # nothing but dark
    NET = "net"  # a mesh
    CLOTH = "cloth"
    CHEQUERED = "chequered"
    PLASTIC = "plastic"  # a moulded cup with small holes


class DiscPattern(StrEnum):
    """What is turned or printed on the face of a disc."""

    PLAIN = "plain"
    RINGS = "rings"  # a few turned grooves
    MANY_RINGS = "many_rings"
    DISH = "dish"  # a hollow with a rim
    DOT = "dot"
    COLOUR_RING = "colour_ring"  # a printed ring: striker marking
    FLOWER = "flower"
    STAR = "star"
    TEXT = "text"
    SWIRL = "swirl"
    TARGET = "target"
    TWO_RINGS = "two_rings"  # a printed ring of each colour: a jack
    HALVES = "halves"  # two colours side by side: a jack
    CORE = "core"  # two colours, one inside the other: a jack


@dataclass(frozen=True, slots=True)
class PrintLook:
    """The printed marks: ``strength`` 1 = new, 0 = gone; ``patchy`` 0 to 1 = how unevenly worn."""

    ink: Rgb = (0.08, 0.08, 0.09)
    red: Rgb = (0.75, 0.10, 0.12)
    accent: Rgb = (0.10, 0.35, 0.20)
    rosette: Rosette = Rosette.STAR
    base_circles: BaseCircleStyle = BaseCircleStyle.RED_IN_RING
    double_line: bool = False
    arrows: bool = True
    arrow_arches: bool = True
    arrow_heads: bool = True
    small_rings: bool = True
    texts: tuple[str, ...] = ()
    text_red: bool = False
    strength: float = 1.0
    patchy: float = 0.0
    rosette_turn_rad: float = 0.0


@dataclass(frozen=True, slots=True)
class FrameLook:
    """The frame and its corners."""

    style: FrameStyle = FrameStyle.BLACK
    colour: Rgb = (0.07, 0.07, 0.08)
    corner: CornerStyle = CornerStyle.PLAIN
    corner_size_mm: float = 90.0
    text: str = ""
    text_colour: Rgb = (0.9, 0.9, 0.9)
    inlay: bool = False
    wear: float = 0.1
    gloss: float = 0.4
    outer_radius_mm: float = 6.0


@dataclass(frozen=True, slots=True)
class NetLook:
    """The pockets; ``depth_mm`` is how far down the net hangs."""

    style: NetStyle = NetStyle.NET
    colour: Rgb = (0.08, 0.08, 0.08)
    second: Rgb = (0.8, 0.8, 0.8)
    depth_mm: float = 30.0


@dataclass(frozen=True, slots=True)
class BoardLook:
    """Everything that is seen of a board but its sizes.

    ``contrast`` of the grain, ``stain`` of large patches, ``dust`` of powder, ``scratches``: 0 to
    1. ``gloss``: strength of reflections, ``roughness``: how much they spread (rad).
    """

    grain: Grain = Grain.BIRCH
    light: Rgb = (0.90, 0.80, 0.63)
    dark: Rgb = (0.78, 0.65, 0.46)
    contrast: float = 0.6
    grain_scale: float = 1.0
    grain_turned: bool = False
    stain: float = 0.15
    dust: float = 0.0
    scratches: float = 0.1
    gloss: float = 0.3
    roughness: float = 0.15
    marks: PrintLook = PrintLook()
    frame: FrameLook = FrameLook()
    nets: NetLook = NetLook()
    seed: int = 0


@dataclass(frozen=True, slots=True)
class DiscLook:
    """The look of one kind of disc of this set.

    ``spread`` is how much the men of a set differ from each other (0 to 1), ``alpha`` below 1 is
    translucent.
    """

    kind: PieceKind
    colour: Rgb
    side: Rgb
    second: Rgb = (0.5, 0.5, 0.5)
    pattern: DiscPattern = DiscPattern.RINGS
    bevel_mm: float = 1.0
    groove: float = 0.5
    gloss: float = 0.3
    wear: float = 0.2
    spread: float = 0.3
    alpha: float = 1.0
    seed: int = 0
