"""The measures of the painted marks, and how they become marks.

Two families: base lines (Indian boards, rules.md B.1) and area lines (Hikone, rules.md B.2). Each
is described once, for one seat, and repeated by quarter turns. A field that may be ``None`` then
follows from the others, so that a board file which changes the side needs to change nothing else.
"""

from dataclasses import dataclass
from math import pi, sin, sqrt
from typing import NamedTuple

from carrom.board_dimensions import Dimension, board_error
from carrom.board_marks import (
    Arc,
    Arrow,
    Circle,
    Ink,
    Line,
    Mark,
    MarkName,
    Point,
    Spot,
    from_seat_frame,
    right_pocket,
    seat_rotation_rad,
)
from carrom.seats import Seat

__all__ = ["AreaLineMarkings", "BaseLineMarkings", "BaseLinesY", "PocketPlan"]

_ORIGIN = Point(0.0, 0.0)
_ARCH_SWEEP_RAD = 1.5 * pi
"""Assumed: three quarters of a circle, open towards the pocket."""
_HIKONE_RING = 24


class PocketPlan(NamedTuple):
    """What marks need to know of the board: half its side, and its pockets (all mm)."""

    half_mm: float
    pocket_radius_mm: float
    pocket_inset_mm: float

    @property
    def reach_mm(self) -> float:
        """From the centre of the board along a diagonal to the near edge of the pocket."""
        return sqrt(2) * (self.half_mm - self.pocket_inset_mm) - self.pocket_radius_mm


class BaseLinesY(NamedTuple):
    """y of the middles of the two base lines in the seat frame, mm (negative)."""

    near_mm: float
    far_mm: float

    @property
    def middle_mm(self) -> float:
        """y of the centre of a striker that lies evenly on both lines."""
        return (self.near_mm + self.far_mm) / 2


@dataclass(frozen=True, slots=True)
class BaseLineMarkings:
    """Marks of an Indian board; distances are between middles of lines.

    ``base_circle_x_mm``: middle of the side to the centre of a base circle. ``None``: the circle
    touches the extension of the neighbour's far line, as the Laws have it (W:carrom.de node6).
    """

    near_line_from_frame_mm: Dimension
    line_gap_mm: Dimension
    near_line_width_mm: Dimension
    far_line_width_mm: Dimension
    base_circle_diameter_mm: Dimension
    base_disc_diameter_mm: Dimension
    arrow_length_mm: Dimension
    arrow_from_pocket_mm: Dimension
    arrow_width_mm: Dimension
    arrow_arch_diameter_mm: Dimension
    centre_circle_diameter_mm: Dimension
    outer_circle_diameter_mm: Dimension
    outline_width_mm: Dimension
    base_circle_x_mm: Dimension | None = None

    def base_lines_y(self, half_mm: float) -> BaseLinesY:
        """y of the two base lines in the seat frame on a board of ``half_mm`` half side."""
        near_mm = self.near_line_from_frame_mm.value - half_mm
        return BaseLinesY(near_mm, near_mm + self.line_gap_mm.value)

    def base_circle_x(self, half_mm: float) -> float:
        """x (> 0) of the centre of the right base circle in the seat frame, mm."""
        if self.base_circle_x_mm is not None:
            return self.base_circle_x_mm.value
        return -self.base_lines_y(half_mm).far_mm - self.base_circle_diameter_mm.value / 2

    def base_line_length(self, half_mm: float) -> float:
        """Overall length of the base lines with their circles, mm (published: 470 +/- 3)."""
        return 2 * self.base_circle_x(half_mm) + self.base_circle_diameter_mm.value

    def check(self, plan: PocketPlan) -> None:
        """Raise ``BoardError`` for marks that cannot be painted on such a board."""
        half_mm = plan.half_mm
        radius_mm = self.base_circle_diameter_mm.value / 2
        _at_most("base_disc_diameter_mm", self.base_disc_diameter_mm, 2 * radius_mm)
        _at_most(
            "centre_circle_diameter_mm",
            self.centre_circle_diameter_mm,
            self.outer_circle_diameter_mm.value,
        )
        _at_most("outer_circle_diameter_mm", self.outer_circle_diameter_mm, 2 * half_mm)
        _at_most(
            "near_line_from_frame_mm",
            self.near_line_from_frame_mm,
            half_mm - self.line_gap_mm.value,
        )
        x_mm = self.base_circle_x(half_mm)
        if not radius_mm < x_mm < half_mm - radius_mm:
            expected = f"base circles on the side ({radius_mm} < x < {half_mm - radius_mm})"
            raise board_error("markings.base_circle_x_mm", expected=expected, got=x_mm)
        room_mm = plan.reach_mm - self.arrow_from_pocket_mm.value
        _at_most("arrow_length_mm", self.arrow_length_mm, room_mm)
        _at_most(
            "arrow_arch_diameter_mm",
            self.arrow_arch_diameter_mm,
            self.arrow_length_mm.value,
        )

    def build(self, plan: PocketPlan) -> tuple[Mark, ...]:
        """All marks in the board frame: seat by seat (S, W, N, E), then the centre."""
        seats = [mark for seat in Seat for mark in self._seat_marks(seat, plan)]
        centre_mm = self.centre_circle_diameter_mm.value / 2
        outer_mm = self.outer_circle_diameter_mm.value / 2
        width_mm = self.outline_width_mm.value
        return (
            *seats,
            Spot(MarkName.CENTRE_CIRCLE, None, Ink.RED, _ORIGIN, centre_mm),
            Circle(MarkName.OUTER_CIRCLE, None, Ink.BLACK, _ORIGIN, outer_mm, width_mm),
        )

    def _seat_marks(self, seat: Seat, plan: PocketPlan) -> tuple[Mark, ...]:
        lines_y = self.base_lines_y(plan.half_mm)
        x_mm = self.base_circle_x(plan.half_mm)
        left = from_seat_frame(seat, -x_mm, lines_y.middle_mm)
        right = from_seat_frame(seat, x_mm, lines_y.middle_mm)
        ring_mm = self.base_circle_diameter_mm.value / 2
        disc_mm = self.base_disc_diameter_mm.value / 2
        width_mm = self.outline_width_mm.value
        return (
            self._line(seat, MarkName.NEAR_BASE_LINE, x_mm, lines_y.near_mm),
            self._line(seat, MarkName.FAR_BASE_LINE, x_mm, lines_y.far_mm),
            Circle(MarkName.LEFT_BASE_CIRCLE, seat, Ink.BLACK, left, ring_mm, width_mm),
            Spot(MarkName.LEFT_BASE_DISC, seat, Ink.RED, left, disc_mm),
            Circle(MarkName.RIGHT_BASE_CIRCLE, seat, Ink.BLACK, right, ring_mm, width_mm),
            Spot(MarkName.RIGHT_BASE_DISC, seat, Ink.RED, right, disc_mm),
            *self._arrow(seat, plan),
        )

    # The lines end where the base circles touch them; the published length counts the circles.
    def _line(self, seat: Seat, name: MarkName, x_mm: float, y_mm: float) -> Line:
        near = name is MarkName.NEAR_BASE_LINE
        width = self.near_line_width_mm if near else self.far_line_width_mm
        start, end = (
            from_seat_frame(seat, -x_mm, y_mm),
            from_seat_frame(seat, x_mm, y_mm),
        )
        return Line(name, seat, Ink.BLACK, start, end, width.value)

    def _arrow(self, seat: Seat, plan: PocketPlan) -> tuple[Arrow, Arc]:
        tip_mm = plan.reach_mm - self.arrow_from_pocket_mm.value
        tail_mm = tip_mm - self.arrow_length_mm.value
        arch_mm = self.arrow_arch_diameter_mm.value / 2

        def on_diagonal(distance_mm: float) -> Point:
            return from_seat_frame(seat, distance_mm / sqrt(2), -distance_mm / sqrt(2))

        pocket, width_mm = right_pocket(seat), self.arrow_width_mm.value
        opening_rad = seat_rotation_rad(seat) - pi / 4
        return (
            Arrow(
                MarkName.ARROW,
                pocket,
                Ink.BLACK,
                on_diagonal(tail_mm),
                on_diagonal(tip_mm),
                width_mm,
            ),
            Arc(
                MarkName.ARROW_ARCH,
                pocket,
                Ink.BLACK,
                on_diagonal(tail_mm + arch_mm),
                arch_mm,
                opening_rad + pi / 4,
                _ARCH_SWEEP_RAD,
                width_mm,
            ),
        )


@dataclass(frozen=True, slots=True)
class AreaLineMarkings:
    """Marks of a Hikone board; nearly all of them unpublished (rules.md B.2).

    ``area_line_length_mm`` ``None``: it ends at the neighbours' area lines.
    ``tee_spot_from_frame_mm`` (to the centre of the spot) ``None``: it sits on the area line.
    """

    area_line_from_frame_mm: Dimension
    area_line_width_mm: Dimension
    tee_spot_diameter_mm: Dimension
    jack_spot_diameter_mm: Dimension
    centre_circle_diameter_mm: Dimension
    outline_width_mm: Dimension
    area_line_length_mm: Dimension | None = None
    tee_spot_from_frame_mm: Dimension | None = None

    def area_line_y(self, half_mm: float) -> float:
        """y of the middle of the area line in the seat frame, mm (negative)."""
        return self.area_line_from_frame_mm.value - half_mm

    def tee_spot_y(self, half_mm: float) -> float:
        """y of the centre of the tee spot in the seat frame, mm (negative)."""
        given = self.tee_spot_from_frame_mm or self.area_line_from_frame_mm
        return given.value - half_mm

    def area_line_length(self, half_mm: float) -> float:
        """Length of the area line, mm."""
        if self.area_line_length_mm is not None:
            return self.area_line_length_mm.value
        return -2 * self.area_line_y(half_mm)

    def check(self, plan: PocketPlan) -> None:
        """Raise ``BoardError`` for marks that cannot be painted on such a board."""
        _at_most("area_line_from_frame_mm", self.area_line_from_frame_mm, plan.half_mm)
        _at_most(
            "centre_circle_diameter_mm",
            self.centre_circle_diameter_mm,
            2 * plan.half_mm,
        )
        _at_most("jack_spot_diameter_mm", self.jack_spot_diameter_mm, 2 * self.ring_radius_mm)
        if self.tee_spot_from_frame_mm is not None:
            _at_most("tee_spot_from_frame_mm", self.tee_spot_from_frame_mm, plan.half_mm)
        if self.area_line_length_mm is not None:
            longest_mm = 2 * plan.half_mm + self.area_line_width_mm.value
            _at_most("area_line_length_mm", self.area_line_length_mm, longest_mm)

    def check_ring(self, pack_diameter_mm: float) -> None:
        """Raise ``BoardError`` if 24 packs cannot lie side by side on the centre circle."""
        least_mm = pack_diameter_mm / sin(pi / _HIKONE_RING)
        got_mm = self.centre_circle_diameter_mm.value
        if got_mm < least_mm:
            expected = f"at least {least_mm:.1f} mm, room for {_HIKONE_RING} packs"
            raise board_error("markings.centre_circle_diameter_mm", expected=expected, got=got_mm)

    @property
    def ring_radius_mm(self) -> float:
        """Radius of the centre circle, on which the packs are lined up (HK-01)."""
        return self.centre_circle_diameter_mm.value / 2

    def build(self, plan: PocketPlan) -> tuple[Mark, ...]:
        """All marks in the board frame: seat by seat (S, W, N, E), then the centre."""
        seats = [mark for seat in Seat for mark in self._seat_marks(seat, plan.half_mm)]
        jack_mm, width_mm = (
            self.jack_spot_diameter_mm.value / 2,
            self.outline_width_mm.value,
        )
        ring_mm = self.ring_radius_mm
        return (
            *seats,
            Circle(MarkName.JACK_SPOT, None, Ink.WHITE, _ORIGIN, jack_mm, width_mm),
            Circle(MarkName.CENTRE_CIRCLE, None, Ink.WHITE, _ORIGIN, ring_mm, width_mm),
        )

    def _seat_marks(self, seat: Seat, half_mm: float) -> tuple[Mark, ...]:
        x_mm, y_mm = self.area_line_length(half_mm) / 2, self.area_line_y(half_mm)
        start, end = (
            from_seat_frame(seat, -x_mm, y_mm),
            from_seat_frame(seat, x_mm, y_mm),
        )
        tee = from_seat_frame(seat, 0.0, self.tee_spot_y(half_mm))
        tee_mm, width_mm = (
            self.tee_spot_diameter_mm.value / 2,
            self.outline_width_mm.value,
        )
        return (
            Line(
                MarkName.AREA_LINE,
                seat,
                Ink.WHITE,
                start,
                end,
                self.area_line_width_mm.value,
            ),
            Circle(MarkName.TEE_SPOT, seat, Ink.WHITE, tee, tee_mm, width_mm),
        )


def _at_most(field: str, dimension: Dimension, limit_mm: float) -> None:
    if dimension.value > limit_mm:
        expected = f"at most {limit_mm:.6g}"
        raise board_error(f"markings.{field}", expected=expected, got=dimension.value)
