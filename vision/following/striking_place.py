"""Where strikers are struck from, by seat; and what is wrong with a placement.

Clauses: between and touching both base lines, a base circle wholly or not at all, not on the arrow
(GR-07, SE-05, ICF-38..41); Hikone: on the own area line (HK-08, HK-09).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

from carrom.board_marks import to_seat_frame
from carrom.board_spec import BoardFamily, BoardSpec
from carrom.events import BaseCircle, Placement
from carrom.pieces import PieceKind
from carrom.seats import Seat

__all__ = ["PlacementFacts", "StrikingPlaces"]

_NEAR_MM = 70.0
"""A striker so near to the middle of the lines is meant to be struck from there."""


@dataclass(frozen=True, slots=True)
class PlacementFacts:
    """``facts``: what is wrong, ``None`` if nothing is; ``margin_mm``: how far the nearest verdict
    is from turning over; ``line_margin_mm``: that on the lines alone."""

    facts: Placement | None
    margin_mm: float
    line_margin_mm: float = 0.0


class StrikingPlaces:
    """The striking places of a board, all four seats."""

    def __init__(self, spec: BoardSpec) -> None:
        self._spec = spec
        self.striker_mm = spec.radii_mm[PieceKind.STRIKER]
        half = spec.half_mm
        if spec.family is BoardFamily.ICF:
            marks = spec.base_line_markings
            lines = marks.base_lines_y(half)
            self._y_mm = lines.middle_mm
            self._reach_mm = marks.base_circle_x(half)
            self._near_edge = lines.near_mm + marks.near_line_width_mm.value / 2
            self._far_edge = lines.far_mm - marks.far_line_width_mm.value / 2
            self._circle_mm = marks.base_circle_diameter_mm.value / 2
        else:
            self._y_mm = spec.area_line_y_mm
            self._reach_mm = spec.half_mm - self.striker_mm
            self._tee_mm = spec.area_line_markings.tee_spot_diameter_mm.value / 2

    def seat_of(self, x_mm: float, y_mm: float) -> Seat | None:
        """The seat from whose lines a striker here is struck; ``None`` if it lies elsewhere."""
        if self._spec.pocket_at(x_mm, y_mm) is not None:
            return None
        best, least = None, _NEAR_MM
        for seat in Seat:
            x, y = to_seat_frame(seat, x_mm, y_mm)
            beyond = max(0.0, abs(x) - self._reach_mm)
            off = hypot(y - self._y_mm, beyond)
            if self._spec.family is BoardFamily.HIKONE:
                tee = self._spec.tee_spot(seat)
                off = min(off, hypot(x_mm - tee.x_mm, y_mm - tee.y_mm))
            if off < least:
                best, least = seat, off
        return best

    def facts(self, seat: Seat, x_mm: float, y_mm: float) -> PlacementFacts:
        """What is wrong with a striker of ``seat`` here."""
        x, y = to_seat_frame(seat, x_mm, y_mm)
        if self._spec.family is BoardFamily.ICF:
            return self._on_base_lines(abs(x), y)
        return self._on_area_line(seat, x_mm, y_mm)

    def _on_base_lines(self, x: float, y: float) -> PlacementFacts:
        radius = self.striker_mm
        # Positive: overlaps the line's inner edge by so much.
        near, far = radius - (y - self._near_edge), radius - (self._far_edge - y)
        lines_mm = min(near, far)
        apart = hypot(x - self._reach_mm, y - self._y_mm)
        touches_mm = radius + self._circle_mm - apart
        covers_mm = radius - (self._circle_mm + apart)
        on_end = covers_mm >= 0
        partial = touches_mm > 0 and not on_end and x > self._reach_mm - self._circle_mm - radius
        margins = [abs(lines_mm), abs(touches_mm)]
        if touches_mm > 0:
            margins.append(abs(covers_mm))
        wrong_lines = lines_mm < 0
        if not wrong_lines and not partial:
            return PlacementFacts(None, min(margins), abs(lines_mm))
        facts = Placement(
            touches_both_lines=False if wrong_lines else None,
            base_circle=BaseCircle.PARTIAL if partial else None,
        )
        return PlacementFacts(facts, min(margins), abs(lines_mm))

    def _on_area_line(self, seat: Seat, x_mm: float, y_mm: float) -> PlacementFacts:
        """Both lawful places are told: which of them is due, the laws know (HK-05..HK-07)."""
        spec, radius = self._spec, self.striker_mm
        off_mm = abs(spec.area_line_offset_mm(seat, x_mm, y_mm)) - radius
        tee = spec.tee_spot(seat)
        tee_mm = hypot(x_mm - tee.x_mm, y_mm - tee.y_mm) - radius - self._tee_mm
        facts = Placement(
            on_area_line=off_mm <= 0,
            touches_tee_outline=tee_mm <= 0,
            zone=spec.area_zone(seat, x_mm, y_mm, radius_mm=radius),
        )
        return PlacementFacts(facts, min(abs(off_mm), abs(tee_mm)), abs(off_mm))
