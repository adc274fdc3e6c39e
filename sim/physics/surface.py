"""How slippery and how bouncy a board is: the physical parameters of the engine.

Nothing here is published for carrom (``notes/physics.md``, section 4): every prior is a proxy from
another field or a guess, and says so. ``sim.physics.fit`` replaces them from recorded strokes.

The model, in the words of the fields:

- a moving disc slows down by ``friction_* * gravity_mm_s2`` along its velocity and keeps its spin;
  when it comes to rest its spin is gone;
- discs meet with restitution ``restitution_disc`` along the line of centres and a rim impulse of at
  most ``rim_friction`` times the normal one across it ("throw"), which spins both;
- the frame answers the same way with ``restitution_frame`` and ``frame_friction``;
- a normal approach of at most ``v_cut_mm_s`` counts as plastic (restitution 0), and discs part with
  at least ``v_sep_mm_s``: the cure of inelastic collapse, too small to see (2 um, no energy);
- a disc whose centre is over a pocket falls if it is no faster than ``capture_speed_mm_s``: at the
  lip, after any impact over the hole, or when it stops there. A faster disc flies on, rattles on
  the frame behind the hole and, if it leaves the hole again, keeps ``lip_speed_kept`` of its speed;
- a disc that meets the frame with a normal speed above ``leave_speed_mm_s`` hops over it.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields

from carrom.board_dimensions import Dimension, assumed, board_error, published
from carrom.board_spec import BoardFamily, BoardSpec
from carrom.pieces import PieceKind

__all__ = [
    "HIKONE_SURFACE",
    "ICF_SURFACE",
    "SURFACE_LIMITS",
    "SURFACE_PRIORS",
    "SurfaceParams",
    "surface_for",
]

STANDARD_GRAVITY_MM_S2 = 9806.65

_POWDER = (
    "no carrom measurement found; boric acid 0.05-0.1 (osti.gov 7258000, 7257960), discs on starch "
    "powder over plywood 0.06-0.14 (nagare.or.jp/mm/99/iizawa)"
)
_FALL = (
    "no measurement: a disc crosses the hole and back in 70 mm / v and has to sink 4 mm meanwhile "
    "(28 ms), which gives 2.5 m/s; 12 m/s is no limit at all"
)

SURFACE_PRIORS: Mapping[str, Dimension] = {
    "friction_men": assumed(0.10, _POWDER, low=0.05, high=0.20),
    "friction_queen": assumed(0.10, _POWDER, low=0.05, high=0.20),
    "friction_striker": assumed(0.10, _POWDER, low=0.05, high=0.20),
    "restitution_disc": assumed(
        0.80,
        "crokinole discs clearly inelastic (fortuitouspress.com/crokinole), air-table pucks 0.93",
        low=0.60,
        high=0.95,
    ),
    "restitution_frame": assumed(0.70, "hobby codes 0.7-0.82; IITB 0.7", low=0.55, high=0.85),
    "rim_friction": assumed(
        0.10, "puck study 0.12 (ilovetranslation.com), billiard balls 0.01-0.1", low=0.03, high=0.20
    ),
    "frame_friction": assumed(0.10, "no source; as the rim", low=0.0, high=0.30),
    "capture_speed_mm_s": assumed(2500.0, _FALL, low=1500.0, high=12_000.0),
    "lip_speed_kept": assumed(0.80, "no source", low=0.30, high=1.0),
    "v_cut_mm_s": assumed(5.0, "numerical: notes/physics.md 3.3", low=0.5, high=20.0),
    "v_sep_mm_s": assumed(1.0, "numerical: notes/physics.md 3.3", low=0.1, high=5.0),
    "gravity_mm_s2": published(
        STANDARD_GRAVITY_MM_S2, "standard gravity; 9.764-9.834 on Earth", low=9764.0, high=9834.0
    ),
}
"""Prior value, believable range and source of every field that a fit or a sampler may vary."""

SURFACE_LIMITS: Mapping[str, tuple[float, float]] = {
    "friction_men": (0.01, 1.0),
    "friction_queen": (0.01, 1.0),
    "friction_striker": (0.01, 1.0),
    "restitution_disc": (0.0, 1.0),
    "restitution_frame": (0.0, 1.0),
    "rim_friction": (0.0, 2.0),
    "frame_friction": (0.0, 2.0),
    "capture_speed_mm_s": (1.0, 1e6),
    "lip_speed_kept": (0.0, 1.0),
    "leave_speed_mm_s": (1.0, 1e6),
    "v_cut_mm_s": (1e-3, 100.0),
    "v_sep_mm_s": (1e-3, 100.0),
    "gravity_mm_s2": (1000.0, 30_000.0),
}
"""What the engine accepts (inclusive): far wider than the priors, so that a fit may look around."""

_MAY_BE_NONE = frozenset({"capture_speed_mm_s", "leave_speed_mm_s"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SurfaceParams:
    """Physical parameters of one board and its set; the defaults are the priors.

    ``capture_speed_mm_s`` ``None``: whatever comes over a pocket falls. ``leave_speed_mm_s``
    ``None``: no disc ever leaves over the frame. Raises ``BoardError`` (field, expected, got).
    """

    friction_men: float = 0.10
    friction_queen: float = 0.10
    """Queen and jack."""
    friction_striker: float = 0.10
    restitution_disc: float = 0.80
    restitution_frame: float = 0.70
    rim_friction: float = 0.10
    frame_friction: float = 0.10
    capture_speed_mm_s: float | None = 2500.0
    lip_speed_kept: float = 0.80
    leave_speed_mm_s: float | None = None
    v_cut_mm_s: float = 5.0
    v_sep_mm_s: float = 1.0
    gravity_mm_s2: float = STANDARD_GRAVITY_MM_S2

    def __post_init__(self) -> None:
        for item in fields(self):
            number = getattr(self, item.name)
            if number is None and item.name in _MAY_BE_NONE:
                continue
            low, high = SURFACE_LIMITS[item.name]
            if isinstance(number, bool) or not isinstance(number, int | float):
                raise board_error(f"surface.{item.name}", expected="a number", got=number)
            if not (math.isfinite(number) and low <= number <= high):
                expected = f"{low:g} to {high:g}"
                raise board_error(f"surface.{item.name}", expected=expected, got=number)
            object.__setattr__(self, item.name, float(number))

    def friction(self, kind: PieceKind) -> float:
        """Coefficient of sliding friction of a kind of disc on the board."""
        if kind is PieceKind.STRIKER:
            return self.friction_striker
        if kind in (PieceKind.QUEEN, PieceKind.JACK):
            return self.friction_queen
        return self.friction_men

    def deceleration_mm_s2(self, kind: PieceKind) -> float:
        """How fast a moving disc of this kind loses speed."""
        return self.friction(kind) * self.gravity_mm_s2


ICF_SURFACE = SurfaceParams()
"""A powdered Indian board."""

HIKONE_SURFACE = SurfaceParams()
"""A Hikone board. Nothing at all is known about it, so it has the priors of the Indian one."""


def surface_for(board: BoardSpec) -> SurfaceParams:
    """The default parameters of a board's family."""
    return ICF_SURFACE if board.family is BoardFamily.ICF else HIKONE_SURFACE
