"""A scene: everything a picture of a board depends on, as one immutable value."""

from dataclasses import dataclass, field
from enum import StrEnum
from math import isfinite

from carrom.board_spec import BoardSpec
from carrom.boards import ICF_BOARD
from carrom.codec import Codec
from carrom.errors import SceneError
from carrom.pieces import PieceKind
from carrom.position import Position
from sim.camera.camera import Camera
from sim.camera.hands_look import HandLook
from sim.camera.hands_types import HandPose
from sim.camera.looks import BoardLook, DiscLook, Rgb

__all__ = [
    "DiscState",
    "Gobo",
    "Lamp",
    "LampShape",
    "Light",
    "Prop",
    "PropKind",
    "Scene",
    "SceneDisc",
    "SceneHand",
    "Sensor",
    "Table",
    "TableKind",
    "discs_of",
]


class DiscState(StrEnum):
    """How a disc lies."""

    FLAT = "flat"
    STACKED = "stacked"  # on another disc
    LEANING = "leaning"  # one edge up, on another disc or the frame
    STANDING = "standing"  # on its rim
    HANGING = "hanging"  # over the lip of a pocket
    ON_FRAME = "on_frame"
    IN_POCKET = "in_pocket"
    OFF_BOARD = "off_board"


@dataclass(frozen=True, slots=True)
class SceneDisc:
    """A disc and how it lies; board frame.

    ``z_mm``: height of the centre of its lower face. ``lean_rad``: angle between its axis and
    straight up, tipped towards ``lean_towards_rad`` (the axis' upper end moves there).
    ``spin_rad`` turns its print. Sizes ``None`` are those of the board.
    """

    kind: PieceKind
    x_mm: float
    y_mm: float
    z_mm: float = 0.0
    lean_rad: float = 0.0
    lean_towards_rad: float = 0.0
    spin_rad: float = 0.0
    state: DiscState = DiscState.FLAT
    velocity_mm_s: tuple[float, float] = (0.0, 0.0)
    radius_mm: float | None = None
    thickness_mm: float | None = None
    seed: int = 0


class LampShape(StrEnum):
    """The outline of a lamp seen from the board."""

    ROUND = "round"
    TUBE = "tube"
    WINDOW = "window"


@dataclass(frozen=True, slots=True)
class Lamp:
    """A lamp at a place above the board (mm); ``share`` of the light at the centre of the board.

    ``size_mm``: radius of a round lamp, half length of a tube, half side of a window: soft shadows.
    """

    position_mm: tuple[float, float, float]
    share: float = 0.6
    colour: Rgb = (1.0, 1.0, 1.0)
    size_mm: float = 60.0
    shape: LampShape = LampShape.ROUND
    turn_rad: float = 0.0


class Gobo(StrEnum):
    """What stands between the first lamp and the board."""

    NONE = "none"
    STRIPES = "stripes"  # a blind or a grille
    LEAVES = "leaves"  # patches
    STAND = "stand"  # the arm of the lamp or of the camera stand
    PERSON = "person"  # a large soft edge


@dataclass(frozen=True, slots=True)
class Light:
    """All light. The shares of the lamps and ``ambient`` add up to the level at the centre."""

    lamps: tuple[Lamp, ...] = (Lamp((300.0, 500.0, 1500.0)),)
    ambient: float = 0.4
    ambient_colour: Rgb = (1.0, 1.0, 1.0)
    gobo: Gobo = Gobo.NONE
    gobo_strength: float = 0.4
    gobo_seed: int = 0


class TableKind(StrEnum):
    """What lies around the board."""

    WOOD = "wood"
    CLOTH = "cloth"
    CHECK = "check"
    PATCHWORK = "patchwork"
    GRASS = "grass"
    TILES = "tiles"
    CARPET = "carpet"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Table:
    """The table, cloth or floor; its plane lies ``drop_mm`` below the playing surface."""

    kind: TableKind = TableKind.PLAIN
    colour: Rgb = (0.45, 0.40, 0.35)
    second: Rgb = (0.30, 0.25, 0.22)
    drop_mm: float = 30.0
    pattern_mm: float = 60.0
    seed: int = 0


class PropKind(StrEnum):
    """Things that lie or sit around."""

    CUP = "cup"
    BOTTLE = "bottle"  # of powder, upright
    LYING_BOTTLE = "lying_bottle"
    PHONE = "phone"
    PAPER = "paper"
    KNEE = "knee"
    FOOT = "foot"
    CABLE = "cable"
    GANTRY = "gantry"
    CLOTH = "cloth"


@dataclass(frozen=True, slots=True)
class Prop:
    """A thing of the world; ``x_mm``, ``y_mm`` its middle, ``z_mm`` the height of its foot."""

    kind: PropKind
    x_mm: float
    y_mm: float
    z_mm: float = 0.0
    turn_rad: float = 0.0
    scale: float = 1.0
    colour: Rgb = (0.8, 0.8, 0.8)
    second: Rgb = (0.3, 0.2, 0.15)
    seed: int = 0


@dataclass(frozen=True, slots=True)
class SceneHand:
    """A hand over the board: whose (how it looks) and doing what."""

    look: HandLook
    pose: HandPose


@dataclass(frozen=True, slots=True)
class Sensor:
    """Optics and electronics after the lens; neutral by default.

    ``exposure`` multiplies light; ``white_balance`` are the gains of red and blue. ``defocus_px``
    and ``noise`` (standard deviation at mid grey, 8 bit levels), ``sharpen`` (amount),
    ``jpeg_quality`` 0 = none. ``shutter_s`` blurs what moves; ``readout_s`` from first to last row.
    """

    exposure: float = 1.0
    white_balance: tuple[float, float] = (1.0, 1.0)
    saturation: float = 1.0
    contrast: float = 0.0
    haze: float = 0.0
    vignetting: float = 0.0
    defocus_px: float = 0.0
    noise: float = 0.0
    chroma_noise: float = 0.0
    sharpen: float = 0.0
    jpeg_quality: int = 0
    shutter_s: float = 0.0
    readout_s: float = 0.0
    flicker_depth: float = 0.0
    flicker_hz: float = 100.0
    flicker_phase_rad: float = 0.0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Scene:
    """A board with discs under lamps before a camera.

    Raises ``SceneError`` for what no camera could look at: a disc of the other game without a
    look, a camera under the board, numbers that are not finite.
    """

    camera: Camera
    board: BoardSpec = ICF_BOARD
    board_look: BoardLook = field(default_factory=BoardLook)
    discs: tuple[SceneDisc, ...] = ()
    disc_looks: tuple[DiscLook, ...] = ()
    light: Light = Light()
    table: Table = Table()
    props: tuple[Prop, ...] = ()
    hands: tuple[SceneHand, ...] = ()
    sensor: Sensor = Sensor()
    seed: int | None = field(default=None)

    def __post_init__(self) -> None:
        known = {look.kind for look in self.disc_looks}
        if len(known) != len(self.disc_looks):
            raise SceneError("disc_looks", expected="one look of a kind", got=self.disc_looks)
        for index, disc in enumerate(self.discs):
            if disc.kind not in known or disc.kind not in self.board.radii_mm:
                expected = f"a kind with a look that this board knows, of {sorted(known)}"
                raise SceneError(f"discs[{index}].kind", expected=expected, got=disc.kind)
            _check_disc(index, disc)
        self._check_sensor()
        if self.camera.position_mm[2] < 100.0:
            got = self.camera.position_mm
            raise SceneError("camera.position_mm", expected="100 mm or more above it", got=got)
        if not isfinite(self.camera.px_per_mm()):
            looks = self.camera.look_at_mm
            raise SceneError("camera.look_at_mm", expected="the board before it", got=looks)
        for index, lamp in enumerate(self.light.lamps):
            if not all(map(isfinite, lamp.position_mm)) or lamp.position_mm[2] < 100.0:
                where = f"light.lamps[{index}].position_mm"
                raise SceneError(where, expected="100 mm or more above", got=lamp.position_mm)

    def _check_sensor(self) -> None:
        sensor = self.sensor
        if not 0 <= sensor.jpeg_quality <= 100:
            got: object = sensor.jpeg_quality
            raise SceneError("sensor.jpeg_quality", expected="0 to 100", got=got)
        for name in ("exposure", "defocus_px", "noise", "shutter_s", "readout_s"):
            value = getattr(sensor, name)
            if not (isfinite(value) and value >= 0):
                raise SceneError(f"sensor.{name}", expected="a finite number >= 0", got=value)

    def to_json(self) -> str:
        """One line that ``from_json`` reads back."""
        return Codec().dumps(self)

    @classmethod
    def from_json(cls, text: str) -> "Scene":
        """The scene of ``to_json``. Raises ``SchemaError``."""
        return Codec().loads(cls, text)

    def look_of(self, kind: PieceKind) -> DiscLook:
        """The look of a kind; every disc of the scene has one."""
        return next(look for look in self.disc_looks if look.kind is kind)

    def radius_mm(self, disc: SceneDisc) -> float:
        """The radius of a disc of this scene."""
        return self.board.radii_mm[disc.kind] if disc.radius_mm is None else disc.radius_mm

    def thickness_mm(self, disc: SceneDisc) -> float:
        """The thickness of a disc of this scene."""
        if disc.thickness_mm is not None:
            return disc.thickness_mm
        return self.board.disc(disc.kind).thickness_mm.value


def _check_disc(index: int, disc: SceneDisc) -> None:
    numbers = (disc.x_mm, disc.y_mm, disc.z_mm, disc.lean_rad, *disc.velocity_mm_s)
    if not all(map(isfinite, numbers)):
        raise SceneError(f"discs[{index}]", expected="finite numbers", got=disc)
    for name in ("radius_mm", "thickness_mm"):
        size = getattr(disc, name)
        if size is not None and not 1.0 <= size <= 200.0:
            raise SceneError(f"discs[{index}].{name}", expected="1 to 200 mm", got=size)


def discs_of(position: Position, *, seed: int = 0) -> tuple[SceneDisc, ...]:
    """The discs of a position lying flat, each turned its own way."""
    return tuple(
        SceneDisc(
            disc.kind,
            disc.x_mm,
            disc.y_mm,
            spin_rad=((seed + index) * 2.399963) % 6.283185,
            seed=seed + index,
        )
        for index, disc in enumerate(position)
    )
