"""The two standard boards, every number with its source (``rules.md``, section B).

Tags: L = Laws of Carrom; W:name = a web page listed in rules.md B.5; S0, S1 = the Hikone texts.
The numbers are priors: home boards vary and are calibrated, or described by a file
(``carrom.board_toml``).
"""

from carrom.board_dimensions import (
    Certainty,
    Dimension,
    assumed,
    derived,
    measured,
    published,
)
from carrom.board_markings import AreaLineMarkings, BaseLineMarkings, BaseLinesY
from carrom.board_marks import (
    Arc,
    Arrow,
    Circle,
    Ink,
    Line,
    Mark,
    MarkName,
    MarkOwner,
    Point,
    Spot,
    from_seat_frame,
    to_seat_frame,
)
from carrom.board_spec import (
    BoardFamily,
    BoardSpec,
    Changes,
    DiscSpec,
    FrameSpec,
    PocketSpec,
    SurfaceSpec,
)
from carrom.pieces import PieceKind

__all__ = [
    "HIKONE_BOARD",
    "ICF_BASE_LINE_LENGTH_MM",
    "ICF_BOARD",
    "Arc",
    "AreaLineMarkings",
    "Arrow",
    "BaseLineMarkings",
    "BaseLinesY",
    "BoardFamily",
    "BoardSpec",
    "Certainty",
    "Changes",
    "Circle",
    "Dimension",
    "DiscSpec",
    "FrameSpec",
    "Ink",
    "Line",
    "Mark",
    "MarkName",
    "MarkOwner",
    "PocketSpec",
    "Point",
    "Spot",
    "SurfaceSpec",
    "assumed",
    "board_for",
    "derived",
    "from_seat_frame",
    "measured",
    "published",
    "to_seat_frame",
]

_LINES = "W:carrom.de node6"
_ARROW = "rules.md B.1 recalled; same figure in a hobby code that cites indiancarrom.co.in"
_MEN = "W:indiancarrom.co.in, W:carromgamez"
_STRIKER = "W:indiancarrom.co.in, W:carrom.blog114"
_NOT_PUBLISHED = "not published (rules.md B)"
_HIKONE_GUESS = "not published (rules.md B.2); our guess"

ICF_BASE_LINE_LENGTH_MM = published(470, _LINES, low=467, high=473)
"""Published overall length of the base lines. A check, no input: the circles fix it to 473.4."""


def _indian_disc(kind: PieceKind) -> DiscSpec:
    return DiscSpec(
        kind=kind,
        diameter_mm=published(31.0, f"middle of 30.2-31.8, {_MEN}", low=30.2, high=31.8),
        thickness_mm=published(8.0, f"middle of 7-9, {_MEN}", low=7.0, high=9.0),
        mass_g=published(
            5.3,
            f"<= 5.5, {_MEN}; low end 5.25 (Indian federation) or 5.0 (assumed); 5.3 fits both",
            low=5.0,
            high=5.5,
        ),
    )


ICF_BOARD = BoardSpec(
    name="icf",
    family=BoardFamily.ICF,
    surface=SurfaceSpec(
        published(740, "L; W:carrom.org, W:carrom.ch; S4: 740", low=735, high=740),
    ),
    pockets=PocketSpec(
        published(44.5, "W:pdfslide, W:biggamehunters: 44.5 +/- 1.5", low=43.0, high=46.0),
    ),
    frame=FrameSpec(
        height_mm=published(22.2, "middle of 19.0-25.4, W:carrom.org", low=19.0, high=25.4),
        breadth_mm=published(70, "about the middle of 63.5-76, W:carrom.org", low=63.5, high=76),
    ),
    markings=BaseLineMarkings(
        near_line_from_frame_mm=published(
            101.5,
            f"{_LINES}; to the middle of the line (assumed)",
            low=98.25,
            high=104.75,
        ),
        line_gap_mm=published(31.8, f"{_LINES}; between the middles", low=31.8, high=31.8),
        near_line_width_mm=published(5.75, f"middle of 5.0-6.5, {_LINES}", low=5.0, high=6.5),
        far_line_width_mm=assumed(1.5, _NOT_PUBLISHED, low=1.0, high=3.0),
        base_circle_diameter_mm=published(31.8, _LINES, low=31.8, high=31.8),
        base_disc_diameter_mm=published(25.4, _LINES, low=25.4, high=25.4),
        arrow_length_mm=assumed(267, _ARROW, low=200, high=267),
        arrow_from_pocket_mm=assumed(50, _ARROW, low=40, high=70),
        arrow_width_mm=assumed(1.5, f"<= 1.5, {_ARROW}", low=0.8, high=1.5),
        arrow_arch_diameter_mm=assumed(63.5, f"{_ARROW}; diameter", low=30, high=80),
        centre_circle_diameter_mm=published(31.8, "W:sportstoon", low=31.8, high=31.8),
        outer_circle_diameter_mm=published(170, "W:sportstoon", low=170, high=170),
        outline_width_mm=assumed(1.5, _NOT_PUBLISHED, low=0.8, high=3.0),
    ),
    discs=(
        *(_indian_disc(kind) for kind in (PieceKind.WHITE, PieceKind.BLACK, PieceKind.QUEEN)),
        DiscSpec(
            kind=PieceKind.STRIKER,
            diameter_mm=published(
                41.3, f"<= 41.3, {_STRIKER}; lower end assumed", low=39.0, high=41.3
            ),
            thickness_mm=published(7.25, f"in practice 6.5-8, {_STRIKER}", low=6.5, high=8.0),
            mass_g=published(15.0, f"<= 15, {_STRIKER}; lower end assumed", low=12.0, high=15.0),
        ),
    ),
)
"""Tournament board of the International Carrom Federation (rules.md B.1)."""

_PACK_THICKNESS = assumed(
    10.5, "10-11, from the height of a striker (S0), rules.md B.2", low=9.0, high=12.0
)


def _pack(kind: PieceKind) -> DiscSpec:
    return DiscSpec(
        kind=kind,
        diameter_mm=published(30, "W:ganbareshiga, W:cadiy3d; range ours", low=29.5, high=30.5),
        thickness_mm=_PACK_THICKNESS,
        mass_g=assumed(4.8, "unknown; solid wood of 0.65 g/cm3", low=3.5, high=6.5),
    )


HIKONE_BOARD = BoardSpec(
    name="hikone",
    family=BoardFamily.HIKONE,
    surface=SurfaceSpec(
        published(
            600,
            "W:the-carom: inside commonly 60 cm square; rules.md B.2 derives 540 from copies",
            low=540,
            high=600,
        ),
    ),
    pockets=PocketSpec(
        diameter_mm=assumed(
            100,
            "unknown but well above 44.5 (W:the-carom); our guess",
            low=80,
            high=130,
        ),
        inset_mm=assumed(
            0,
            "quarter circle at the corner (W:board-game-party); exact place ours",
            low=0,
            high=25,
        ),
    ),
    frame=FrameSpec(
        height_mm=assumed(20, _HIKONE_GUESS, low=9, high=30),
        breadth_mm=derived(
            25,
            "(650 overall, W:dada-journal 1792, - 600) / 2; 30 in W:cadiy3d",
            low=20,
            high=30,
        ),
    ),
    markings=AreaLineMarkings(
        area_line_from_frame_mm=assumed(90, _HIKONE_GUESS, low=60, high=130),
        area_line_width_mm=assumed(3, _HIKONE_GUESS, low=1.5, high=8),
        tee_spot_diameter_mm=assumed(34, _HIKONE_GUESS, low=10, high=40),
        jack_spot_diameter_mm=assumed(36, _HIKONE_GUESS, low=10, high=50),
        centre_circle_diameter_mm=assumed(
            240,
            "rules.md B.2: >= 230 (24 packs side by side); our guess",
            low=235,
            high=270,
        ),
        outline_width_mm=assumed(2, _HIKONE_GUESS, low=1, high=5),
    ),
    discs=(
        _pack(PieceKind.RED),
        _pack(PieceKind.GREEN),
        DiscSpec(
            kind=PieceKind.JACK,
            diameter_mm=published(34, "W:ganbareshiga, W:cadiy3d; range ours", low=33, high=35),
            thickness_mm=_PACK_THICKNESS,
            mass_g=assumed(6.2, "unknown; solid wood of 0.65 g/cm3", low=4.5, high=8.5),
        ),
        DiscSpec(
            kind=PieceKind.STRIKER,
            diameter_mm=published(30.5, "middle of 29.5-31.5, S0", low=29.5, high=31.5),
            thickness_mm=published(11.25, "middle of 10.5-12.0, S0", low=10.5, high=12.0),
            mass_g=assumed(5.3, "unknown; solid wood of 0.65 g/cm3", low=3.5, high=8.0),
        ),
    ),
)
"""Board of Hikone karomu (rules.md B.2). Most marks are guesses: see ``certainty``."""


def board_for(family: BoardFamily) -> BoardSpec:
    """The standard board of a family."""
    return ICF_BOARD if family is BoardFamily.ICF else HIKONE_BOARD
