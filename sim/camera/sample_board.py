"""Boards at random: sizes from their published ranges, looks from what real boards show."""

from math import pi

from carrom.board_spec import BoardFamily, BoardSpec
from carrom.boards import HIKONE_BOARD, ICF_BOARD
from carrom.errors import BoardError
from sim.camera.draw_of import Rng, chance, jitter, one_of, tone, uniform, weighted
from sim.camera.looks import (
    BaseCircleStyle,
    BoardLook,
    CornerStyle,
    FrameLook,
    FrameStyle,
    Grain,
    NetLook,
    NetStyle,
    PrintLook,
    Rgb,
    Rosette,
)

__all__ = ["sample_board", "sample_board_look"]

_HOME_ICF = {
    "pockets.diameter_mm": (43.0, 56.0),
    "frame.breadth_mm": (35.0, 80.0),
    "frame.height_mm": (14.0, 28.0),
    "markings.far_line_width_mm": (0.8, 3.0),
    "markings.near_line_width_mm": (1.0, 8.0),
    "markings.line_gap_mm": (26.0, 38.0),
    "markings.base_circle_diameter_mm": (26.0, 38.0),
    "markings.centre_circle_diameter_mm": (22.0, 40.0),
    "markings.outer_circle_diameter_mm": (130.0, 200.0),
    "markings.near_line_from_frame_mm": (85.0, 125.0),
}
"""Wider ranges of home boards, mm: recreational pages (rules.md B.1), pictures of real boards."""

_WOODS: tuple[tuple[Rgb, Rgb], ...] = (
    ((0.93, 0.85, 0.70), (0.84, 0.73, 0.56)),
    ((0.90, 0.79, 0.62), (0.80, 0.66, 0.47)),
    ((0.92, 0.82, 0.58), (0.83, 0.69, 0.42)),
    ((0.93, 0.74, 0.55), (0.82, 0.59, 0.38)),
    ((0.80, 0.62, 0.42), (0.66, 0.46, 0.27)),
    ((0.72, 0.52, 0.34), (0.58, 0.38, 0.22)),
    ((0.88, 0.82, 0.74), (0.79, 0.71, 0.62)),
    ((0.95, 0.92, 0.86), (0.87, 0.82, 0.74)),
    ((0.83, 0.70, 0.60), (0.74, 0.60, 0.50)),
    ((0.60, 0.42, 0.28), (0.44, 0.29, 0.18)),
)
_INKS: tuple[Rgb, ...] = (
    (0.06, 0.06, 0.07),
    (0.10, 0.09, 0.10),
    (0.16, 0.10, 0.08),
    (0.10, 0.12, 0.25),
)
_REDS: tuple[Rgb, ...] = (
    (0.80, 0.10, 0.12),
    (0.70, 0.12, 0.16),
    (0.72, 0.18, 0.30),
    (0.85, 0.25, 0.20),
)
_WORDS = (
    "TARANG",
    "Shuddh",
    "MADE IN INDIA",
    "SITARA 77",
    "Kesari",
    "NAVARAJ",
    "BULL'S EYE",
    "Deccan Sports",
)
_FRAME_WORDS = ("TARANG", "NAVARAJ", "KESARI SPORTS", "Sitara", "CLUB CHAMPION", "DECCAN")

_ROSETTES = {
    Rosette.STAR: 0.36,
    Rosette.RING_STAR: 0.14,
    Rosette.CIRCLES: 0.14,
    Rosette.WHEEL: 0.1,
    Rosette.MANDALA: 0.12,
    Rosette.SUN: 0.1,
    Rosette.NONE: 0.04,
}
_BASE_CIRCLES = {
    BaseCircleStyle.RED_IN_RING: 0.5,
    BaseCircleStyle.RED_IN_BLACK: 0.2,
    BaseCircleStyle.FULL: 0.12,
    BaseCircleStyle.OUTLINE: 0.08,
    BaseCircleStyle.NONE: 0.1,
}
_CORNERS = {
    CornerStyle.PLAIN: 0.6,
    CornerStyle.METAL_CAP: 0.16,
    CornerStyle.PRINTED: 0.14,
    CornerStyle.BRASS: 0.1,
}


def sample_board(rng: Rng, family: BoardFamily) -> BoardSpec:
    """A board of a family: every dimension from its range; some homes go beyond."""
    base = ICF_BOARD if family is BoardFamily.ICF else HIKONE_BOARD
    for _ in range(8):
        changes = _changes(rng, base)
        try:
            return base.changed(changes, name=f"{base.name}-sample")
        except BoardError:
            continue
    return base


def _changes(rng: Rng, base: BoardSpec) -> dict[str, float]:
    changes: dict[str, float] = {}
    for path, dimension in base.dimensions().items():
        if dimension is not None:
            changes[path] = round(uniform(rng, dimension.low, dimension.high), 3)
    if base.family is BoardFamily.ICF and chance(rng, 0.5):
        for path, (low, high) in _HOME_ICF.items():
            if chance(rng, 0.6):
                changes[path] = round(uniform(rng, low, high), 3)
    if base.family is BoardFamily.HIKONE:
        if chance(rng, 0.3):
            side_mm = changes["surface.side_mm"]
            changes["markings.tee_spot_from_frame_mm"] = round(
                side_mm * uniform(rng, 0.08, 0.25), 3
            )
        if chance(rng, 0.4):
            changes["pockets.inset_mm"] = round(uniform(rng, 0.0, 45.0), 3)
    return changes


def sample_board_look(rng: Rng, family: BoardFamily) -> BoardLook:
    """How a board looks; one in twelve is nearly blank."""
    light, dark = one_of(rng, _WOODS if chance(rng, 0.55) else _WOODS[:4])
    worn = weighted(rng, {"new": 0.4, "used": 0.4, "worn": 0.12, "gone": 0.08})
    marks = _icf_marks(rng, worn) if family is BoardFamily.ICF else _hikone_marks(rng)
    grain = weighted(
        rng,
        {
            Grain.BIRCH: 0.4,
            Grain.FLOWER: 0.18,
            Grain.QUARTER: 0.12,
            Grain.FLECKED: 0.12,
            Grain.LAMINATE: 0.18,
        },
    )
    dusty = chance(rng, 0.45 if worn in ("new", "used") else 0.8)
    return BoardLook(
        grain=grain,
        light=jitter(rng, light, 0.04),
        dark=jitter(rng, dark, 0.04),
        contrast=uniform(rng, 0.25, 0.9),
        grain_scale=uniform(rng, 0.7, 1.6),
        grain_turned=chance(rng, 0.35),
        stain=uniform(rng, 0.05, 0.4 if worn == "new" else 0.7),
        dust=uniform(rng, 0.1, 0.9) if dusty else 0.0,
        scratches=uniform(rng, 0.0, 0.3 if worn == "new" else 1.0),
        gloss=weighted(rng, {0.15: 0.25, 0.6: 0.4, 1.4: 0.35}) * uniform(rng, 0.6, 1.3),
        roughness=uniform(rng, 0.03, 0.25),
        marks=marks,
        frame=_frame(rng, family, dark),
        nets=_nets(rng),
        seed=int(rng.integers(1 << 30)),
    )


def _icf_marks(rng: Rng, worn: str) -> PrintLook:
    rosette = weighted(rng, _ROSETTES)
    circles = weighted(rng, _BASE_CIRCLES)
    strength, patchy = {
        "new": (uniform(rng, 0.9, 1.0), 0.0),
        "used": (uniform(rng, 0.7, 1.0), uniform(rng, 0.0, 0.5)),
        "worn": (uniform(rng, 0.4, 0.8), uniform(rng, 0.4, 0.9)),
        "gone": (uniform(rng, 0.08, 0.3), uniform(rng, 0.2, 0.8)),
    }[worn]
    bare = circles is BaseCircleStyle.NONE
    texts = tuple(one_of(rng, _WORDS) for _ in range(1 + int(rng.integers(3))))
    return PrintLook(
        ink=tone(rng, _INKS),
        red=tone(rng, _REDS),
        accent=tone(rng, ((0.05, 0.35, 0.20), (0.08, 0.15, 0.50), (0.75, 0.55, 0.10))),
        rosette=rosette,
        base_circles=circles,
        double_line=chance(rng, 0.15) or bare,
        arrows=chance(rng, 0.95),
        arrow_arches=chance(rng, 0.9) and not bare,
        arrow_heads=chance(rng, 0.85) and not bare,
        small_rings=chance(rng, 0.7) and not bare,
        texts=texts if chance(rng, 0.6) else (),
        text_red=chance(rng, 0.3),
        strength=strength,
        patchy=patchy,
        rosette_turn_rad=0.0 if chance(rng, 0.7) else uniform(rng, 0, pi / 4),
    )


def _hikone_marks(rng: Rng) -> PrintLook:
    white: Rgb = (0.93, 0.93, 0.90)
    ink = (
        white
        if chance(rng, 0.7)
        else tone(rng, ((0.1, 0.1, 0.1), (0.6, 0.1, 0.1), (0.1, 0.2, 0.5)))
    )
    return PrintLook(
        ink=ink,
        red=ink,
        rosette=Rosette.NONE,
        strength=uniform(rng, 0.5, 1.0),
        patchy=uniform(rng, 0.0, 0.6) if chance(rng, 0.5) else 0.0,
    )


def _frame(rng: Rng, family: BoardFamily, dark: Rgb) -> FrameLook:
    weights = {
        FrameStyle.BLACK: 0.44,
        FrameStyle.WORN_BLACK: 0.2,
        FrameStyle.WOOD: 0.18,
        FrameStyle.DARK_WOOD: 0.14,
        FrameStyle.METAL: 0.07,
        FrameStyle.PAINTED: 0.07,
    }
    if family is BoardFamily.HIKONE:
        weights = {FrameStyle.WOOD: 0.6, FrameStyle.DARK_WOOD: 0.2, FrameStyle.BLACK: 0.2}
    style = weighted(rng, weights)
    colour = {
        FrameStyle.BLACK: (0.07, 0.07, 0.08),
        FrameStyle.WORN_BLACK: (0.10, 0.10, 0.12),
        FrameStyle.WOOD: dark,
        FrameStyle.DARK_WOOD: one_of(
            rng, ((0.30, 0.16, 0.09), (0.42, 0.20, 0.10), (0.22, 0.14, 0.10))
        ),
        FrameStyle.METAL: (0.66, 0.66, 0.68),
        FrameStyle.PAINTED: one_of(
            rng, ((0.05, 0.20, 0.12), (0.45, 0.05, 0.06), (0.08, 0.12, 0.30))
        ),
    }[style]
    corner = weighted(rng, _CORNERS)
    worded = chance(rng, 0.4) and family is BoardFamily.ICF
    wear = uniform(rng, 0.2, 0.8) if style is FrameStyle.WORN_BLACK else uniform(rng, 0.0, 0.35)
    return FrameLook(
        style=style,
        colour=jitter(rng, colour, 0.1),
        corner=corner,
        corner_size_mm=uniform(rng, 60, 140),
        text=one_of(rng, _FRAME_WORDS) if worded else "",
        text_colour=one_of(rng, ((0.92, 0.92, 0.92), (0.78, 0.62, 0.30), (0.85, 0.2, 0.2))),
        inlay=chance(rng, 0.1) and not worded,
        wear=wear,
        gloss=uniform(rng, 0.2, 2.2),
        outer_radius_mm=uniform(rng, 2, 18) if chance(rng, 0.8) else uniform(rng, 18, 40),
    )


def _nets(rng: Rng) -> NetLook:
    style = weighted(
        rng,
        {
            NetStyle.HOLE: 0.22,
            NetStyle.NET: 0.34,
            NetStyle.CLOTH: 0.14,
            NetStyle.CHEQUERED: 0.12,
            NetStyle.PLASTIC: 0.18,
        },
    )
    colour = tone(
        rng,
        (
            (0.08, 0.08, 0.09),
            (0.55, 0.85, 0.15),
            (0.80, 0.12, 0.10),
            (0.10, 0.25, 0.65),
            (0.75, 0.73, 0.68),
            (0.12, 0.40, 0.25),
        ),
        0.1,
    )
    second = tone(rng, ((0.9, 0.9, 0.9), (0.1, 0.2, 0.55), (0.06, 0.06, 0.07), (0.85, 0.75, 0.2)))
    return NetLook(style, colour, second, uniform(rng, 12, 45))
