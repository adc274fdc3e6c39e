"""The description of a board: one immutable value from which everything geometric follows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from math import hypot, sqrt
from typing import Any, cast

from carrom.board_dimensions import Dimension, board_error, check_text, measured
from carrom.board_markings import (
    AreaLineMarkings,
    BaseLineMarkings,
    BaseLinesY,
    PocketPlan,
)
from carrom.board_marks import Mark, Point, from_seat_frame, to_seat_frame
from carrom.errors import BoardError
from carrom.events import Zone
from carrom.pieces import HIKONE_SET, INDIAN_SET, Counts, PieceKind
from carrom.seats import Pocket, Seat

__all__ = [
    "BoardFamily",
    "BoardSpec",
    "Changes",
    "DiscSpec",
    "FrameSpec",
    "PocketSpec",
    "SurfaceSpec",
]

Changes = Mapping[str, Dimension | float | None]
"""New dimensions by path (``"discs.white.diameter_mm"``); a bare number counts as measured."""

_POCKET_SIGNS = {
    Pocket.SOUTH_WEST: (-1, -1),
    Pocket.SOUTH_EAST: (1, -1),
    Pocket.NORTH_EAST: (1, 1),
    Pocket.NORTH_WEST: (-1, 1),
}
_SECTIONS = ("surface", "pockets", "frame", "markings")
_MAY_BE_ZERO = {
    "pockets.inset_mm",
    "frame.corner_radius_mm",
    "markings.arrow_from_pocket_mm",
}
_SMALLEST_SIDE_MM, _LARGEST_SIDE_MM = 200.0, 2000.0
"""Toy boards and the giant board of a festival (108.8 cm, rules.md B.2) fit in between."""


class BoardFamily(StrEnum):
    """Which game a board is painted for."""

    ICF = "icf"
    HIKONE = "hikone"

    @property
    def pieces(self) -> Counts:
        """The full set of pieces, without strikers."""
        return INDIAN_SET if self is BoardFamily.ICF else HIKONE_SET


@dataclass(frozen=True, slots=True)
class SurfaceSpec:
    """The playing surface, a square between the frames."""

    side_mm: Dimension


@dataclass(frozen=True, slots=True)
class PocketSpec:
    """The four corner holes, circles of the surface plane.

    ``inset_mm``: from each of the two frames to the centre of the circle. ``None``: the circle is
    tangent to both; 0: its centre is the corner, so the opening is a quarter of a circle.
    """

    diameter_mm: Dimension
    inset_mm: Dimension | None = None


@dataclass(frozen=True, slots=True)
class FrameSpec:
    """The wooden border; ``corner_radius_mm`` (inside, from above) ``None``: the pocket's inset."""

    height_mm: Dimension
    breadth_mm: Dimension
    corner_radius_mm: Dimension | None = None


@dataclass(frozen=True, slots=True)
class DiscSpec:
    """One kind of disc."""

    kind: PieceKind
    diameter_mm: Dimension
    thickness_mm: Dimension
    mass_g: Dimension


@dataclass(frozen=True, slots=True)
class BoardSpec:
    """A board and its discs. Board frame, mm; every number is a default that a home may replace.

    ``marks`` follow from ``markings``. Raises ``BoardError`` (path, expected, got) for sizes that
    no board can have. Equal descriptions are equal and hash alike; pickles.
    """

    name: str
    family: BoardFamily
    surface: SurfaceSpec
    pockets: PocketSpec
    frame: FrameSpec
    markings: BaseLineMarkings | AreaLineMarkings
    discs: tuple[DiscSpec, ...]
    marks: tuple[Mark, ...] = field(init=False, repr=False, compare=False)
    half_mm: float = field(init=False, repr=False, compare=False)
    pocket_radius_mm: float = field(init=False, repr=False, compare=False)
    pocket_centres: Mapping[Pocket, Point] = field(init=False, repr=False, compare=False)
    radii_mm: Mapping[PieceKind, float] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_text("name", self.name)
        self._check_kinds()
        self._check_positive()
        self._fill()
        self._check_sizes()
        plan = PocketPlan(self.half_mm, self.pocket_radius_mm, self.pocket_inset_mm)
        self.markings.check(plan)
        if isinstance(self.markings, AreaLineMarkings):
            packs = (self.radii_mm[PieceKind.RED], self.radii_mm[PieceKind.GREEN])
            self.markings.check_ring(2 * max(packs))
        object.__setattr__(self, "marks", self.markings.build(plan))

    def _fill(self) -> None:
        half_mm = self.surface.side_mm.value / 2
        object.__setattr__(self, "half_mm", half_mm)
        object.__setattr__(self, "pocket_radius_mm", self.pockets.diameter_mm.value / 2)
        reach_mm = half_mm - self.pocket_inset_mm
        centres = {
            pocket: Point(sx * reach_mm, sy * reach_mm)
            for pocket, (sx, sy) in _POCKET_SIGNS.items()
        }
        object.__setattr__(self, "pocket_centres", centres)
        radii = {disc.kind: disc.diameter_mm.value / 2 for disc in self.discs}
        object.__setattr__(self, "radii_mm", radii)

    def _check_kinds(self) -> None:
        due = {*self.family.pieces, PieceKind.STRIKER}
        got = [disc.kind for disc in self.discs]
        if len(got) != len(due) or set(got) != due:
            expected = f"one of each of {sorted(due)}"
            raise board_error("discs", expected=expected, got=sorted(got))
        wanted = BaseLineMarkings if self.family is BoardFamily.ICF else AreaLineMarkings
        if not isinstance(self.markings, wanted):
            got_type = type(self.markings).__name__
            raise board_error("markings", expected=wanted.__name__, got=got_type)

    def _check_positive(self) -> None:
        for path, dimension in self.dimensions().items():
            if dimension is not None and dimension.value == 0 and path not in _MAY_BE_ZERO:
                raise board_error(path, expected="more than 0", got=dimension.value)

    def _check_sizes(self) -> None:
        side_mm = self.surface.side_mm.value
        if not _SMALLEST_SIDE_MM <= side_mm <= _LARGEST_SIDE_MM:
            expected = f"{_SMALLEST_SIDE_MM} to {_LARGEST_SIDE_MM} mm"
            raise board_error("surface.side_mm", expected=expected, got=side_mm)
        pocket_mm = self.pockets.diameter_mm.value
        limits = [
            ("pockets.diameter_mm", pocket_mm, side_mm / 4),
            ("pockets.inset_mm", self.pocket_inset_mm, side_mm / 4),
            ("frame.corner_radius_mm", self.corner_radius_mm, side_mm / 4),
        ]
        for path, got_mm, limit_mm in limits:
            if got_mm > limit_mm:
                raise board_error(path, expected=f"at most {limit_mm:.6g} mm", got=got_mm)
        self._check_discs(min(pocket_mm, side_mm / 5))

    def _check_discs(self, limit_mm: float) -> None:
        for disc in self.discs:
            path, got_mm = f"discs.{disc.kind}.diameter_mm", disc.diameter_mm.value
            if got_mm > limit_mm:
                raise board_error(path, expected=f"at most {limit_mm:.6g} mm", got=got_mm)
            # The frame keeps a disc away from a pocket whose centre is near the corner.
            nearest_mm = sqrt(2) * max(0.0, got_mm / 2 - self.pocket_inset_mm)
            if nearest_mm >= self.pocket_radius_mm:
                raise board_error(path, expected="a disc that can reach a pocket", got=got_mm)

    @property
    def pieces(self) -> Counts:
        """The full set of pieces, without strikers."""
        return self.family.pieces

    @property
    def pocket_inset_mm(self) -> float:
        """From each of two frames to the centre of a pocket."""
        inset = self.pockets.inset_mm
        return self.pockets.diameter_mm.value / 2 if inset is None else inset.value

    @property
    def corner_radius_mm(self) -> float:
        """Radius of the inner corners of the frame, seen from above; 0 = square."""
        radius = self.frame.corner_radius_mm
        return self.pocket_inset_mm if radius is None else radius.value

    @property
    def surface_corners(self) -> tuple[Point, Point, Point, Point]:
        """Corners of the playing surface, order NW NE SE SW."""
        h = self.half_mm
        return Point(-h, h), Point(h, h), Point(h, -h), Point(-h, -h)

    def disc(self, kind: PieceKind) -> DiscSpec:
        """Sizes and mass of a kind. Raises ``BoardError`` for a kind of the other game."""
        for disc in self.discs:
            if disc.kind is kind:
                return disc
        raise BoardError(f"a {self.family.value} board has no {kind.value}")

    def pocket_at(self, x_mm: float, y_mm: float) -> Pocket | None:
        """The pocket whose circle holds this point, if any."""
        for pocket, centre in self.pocket_centres.items():
            if hypot(x_mm - centre.x_mm, y_mm - centre.y_mm) < self.pocket_radius_mm:
                return pocket
        return None

    @property
    def base_line_markings(self) -> BaseLineMarkings:
        """The markings of an Indian board. Raises ``BoardError`` on another."""
        if not isinstance(self.markings, BaseLineMarkings):
            raise BoardError(f"board {self.name!r} has no base lines")
        return self.markings

    @property
    def area_line_markings(self) -> AreaLineMarkings:
        """The markings of a Hikone board. Raises ``BoardError`` on another."""
        if not isinstance(self.markings, AreaLineMarkings):
            raise BoardError(f"board {self.name!r} has no area lines")
        return self.markings

    @property
    def base_lines_y(self) -> BaseLinesY:
        """y of the two base lines in any seat's own frame (Indian boards)."""
        return self.base_line_markings.base_lines_y(self.half_mm)

    def base_circle_centres(self, seat: Seat) -> tuple[Point, Point]:
        """Centres of the left and right base circle of a seat (Indian boards), board frame."""
        x_mm = self.base_line_markings.base_circle_x(self.half_mm)
        y_mm = self.base_lines_y.middle_mm
        return from_seat_frame(seat, -x_mm, y_mm), from_seat_frame(seat, x_mm, y_mm)

    @property
    def area_line_y_mm(self) -> float:
        """y of the middle of the area line in any seat's own frame (Hikone boards)."""
        return self.area_line_markings.area_line_y(self.half_mm)

    def tee_spot(self, seat: Seat) -> Point:
        """Centre of the tee spot of a seat (Hikone boards), board frame."""
        return from_seat_frame(seat, 0.0, self.area_line_markings.tee_spot_y(self.half_mm))

    def area_line_offset_mm(self, seat: Seat, x_mm: float, y_mm: float) -> float:
        """From the middle of the seat's area line to a point; negative towards its own frame.

        The line counts as going on to the side frames, as the area is a strip (rules.md A).
        """
        return to_seat_frame(seat, x_mm, y_mm).y_mm - self.area_line_y_mm

    def area_zone(self, seat: Seat, x_mm: float, y_mm: float, *, radius_mm: float) -> Zone:
        """Where a disc lies with respect to the seat's own area line (Hikone boards).

        Judged from straight above, any overlap is on the line (HK-07, HK-37); to touch its edge
        from one side is no overlap.
        """
        offset_mm = self.area_line_offset_mm(seat, x_mm, y_mm)
        if abs(offset_mm) < radius_mm + self.area_line_markings.area_line_width_mm.value / 2:
            return Zone.ON_LINE
        return Zone.INSIDE if offset_mm < 0 else Zone.OUTSIDE

    def dimensions(self) -> dict[str, Dimension | None]:
        """Every number by path; ``None`` where it follows from the others."""
        return dict(self._walk())

    def _walk(self) -> Iterator[tuple[str, Dimension | None]]:
        for name in _SECTIONS:
            section = getattr(self, name)
            for item in fields(section):
                yield f"{name}.{item.name}", getattr(section, item.name)
        for disc in self.discs:
            for key in ("diameter_mm", "thickness_mm", "mass_g"):
                yield f"discs.{disc.kind}.{key}", getattr(disc, key)

    def changed(self, changes: Changes, *, name: str | None = None) -> "BoardSpec":
        """A board with other dimensions (and name). Raises ``BoardError`` for an unknown path."""
        sections: dict[str, dict[str, Any]] = {}
        known = self.dimensions()
        for path, new in changes.items():
            if path not in known:
                raise board_error(path, expected="a dimension of this board", got="unknown path")
            if new is None and path not in _OPTIONAL:
                raise board_error(path, expected="a dimension, it follows from nothing", got=None)
            section, _, key = path.rpartition(".")
            keep = new is None or isinstance(new, Dimension)
            sections.setdefault(section, {})[key] = new if keep else measured(cast(float, new))
        parts: dict[str, Any] = {
            part: replace(getattr(self, part), **sections[part])
            for part in _SECTIONS
            if part in sections
        }
        parts["discs"] = tuple(
            replace(disc, **sections.get(f"discs.{disc.kind}", {})) for disc in self.discs
        )
        return replace(self, name=self.name if name is None else name, **parts)


_OPTIONAL = frozenset(
    f"{name}.{item.name}"
    for name, section in (
        ("pockets", PocketSpec),
        ("frame", FrameSpec),
        ("markings", BaseLineMarkings),
        ("markings", AreaLineMarkings),
    )
    for item in fields(section)
    if item.default is None
)
"""Paths that may be ``None``."""
