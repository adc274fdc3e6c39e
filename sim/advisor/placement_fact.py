"""How a striker lies, as the fact that the referee judges."""

from __future__ import annotations

from math import hypot, sqrt

from carrom.board_marks import to_seat_frame
from carrom.board_spec import BoardFamily, BoardSpec
from carrom.events import BaseCircle, Placement, Zone
from carrom.pieces import PieceKind
from carrom.seats import Seat

__all__ = ["placement_fact"]

_TOUCH_MM = 1e-6


def placement_fact(
    board: BoardSpec, seat: Seat, placement_mm: tuple[float, float], *, tee_shot: bool = False
) -> Placement:
    """The striker's placement as seen from straight above (GR-07, SE-05, HK-05..07).

    ``placement_mm``: its centre, board frame. ``tee_shot``: judged by the tee spot (HK-05).
    """
    x_mm, y_mm = to_seat_frame(seat, *placement_mm)
    radius_mm = board.radii_mm[PieceKind.STRIKER]
    if board.family is BoardFamily.ICF:
        return _on_base_lines(board, x_mm, y_mm, radius_mm)
    if tee_shot:
        spot = to_seat_frame(seat, *board.tee_spot(seat))
        outline_mm = board.area_line_markings.tee_spot_diameter_mm.value / 2
        away_mm = hypot(x_mm - spot.x_mm, y_mm - spot.y_mm)
        return Placement(touches_tee_outline=away_mm <= outline_mm + radius_mm + _TOUCH_MM)
    zone = board.area_zone(seat, *placement_mm, radius_mm=radius_mm)
    return Placement(on_area_line=zone is Zone.ON_LINE, zone=zone)


def _on_base_lines(board: BoardSpec, x_mm: float, y_mm: float, radius_mm: float) -> Placement:
    marks, lines = board.base_line_markings, board.base_lines_y
    circle_mm = marks.base_circle_diameter_mm.value / 2
    centre_x_mm = marks.base_circle_x(board.half_mm)
    away_mm = hypot(abs(x_mm) - centre_x_mm, y_mm - lines.middle_mm)
    if away_mm <= radius_mm - circle_mm + _TOUCH_MM:
        circle = BaseCircle.COVERED
    elif away_mm < radius_mm + circle_mm - _TOUCH_MM:
        circle = BaseCircle.PARTIAL
    else:
        circle = BaseCircle.NONE
    on_lines = abs(x_mm) <= centre_x_mm and all(
        abs(y_mm - line_mm) <= radius_mm + _TOUCH_MM for line_mm in (lines.near_mm, lines.far_mm)
    )
    arrow_mm = (marks.arrow_width_mm.value) / 2
    off_diagonal_mm = abs(abs(x_mm) + y_mm) / sqrt(2)
    return Placement(
        base_circle=circle,
        touches_both_lines=on_lines,
        touches_diagonal=off_diagonal_mm < radius_mm + arrow_mm,
    )
