"""A stroke on one line, as people say it: degrees and metres per second.

    stroke = seat [ "@" place ] angle "deg" speed "m/s"
    place  = along                  mm along the seat's own line, to the player's right
           | x "," y                mm, board frame

    S@12.5 90.0deg 2.40m/s          South, 12.5 mm right of the middle, straight ahead

Without a place the striker lies in the middle of the seat's own line (``default_placement``). The
angle is that of the board frame: 0 = to South's right, 90 = away from South, counter-clockwise.
``format_stroke`` writes x and y to 0.1 mm, the angle to 0.01 degrees, the speed to 1 mm/s; what it
wrote reads back to the letter.
"""

import math
import re

from carrom.board_marks import Point, from_seat_frame
from carrom.board_spec import BoardFamily, BoardSpec
from carrom.errors import NotationError, PositionError
from carrom.seats import Seat
from carrom.stroke import Stroke

__all__ = ["default_placement", "format_stroke", "parse_stroke"]

_NUMBER = r"[+-]?\d+(?:\.\d+)?"
_STROKE = re.compile(
    rf"(?P<seat>[SWNE])(?:@(?P<first>{_NUMBER})(?:,(?P<second>{_NUMBER}))?)?"
    rf"\s+(?P<angle>{_NUMBER})deg\s+(?P<speed>{_NUMBER})m/s"
)
_EXPECTED = "a stroke such as 'S@12.5 90deg 2.4m/s' or 'N@-30,252.6 -85deg 1.1m/s'"


def default_placement(board: BoardSpec, seat: Seat, along_mm: float = 0.0) -> Point:
    """Where a striker lies by the laws, ``along_mm`` to the player's right of the middle of his own
    line: between the base lines, or on the area line (GR-07, SE-05, HK-07). Board frame, mm."""
    if board.family is BoardFamily.ICF:
        return from_seat_frame(seat, along_mm, board.base_lines_y.middle_mm)
    return from_seat_frame(seat, along_mm, board.area_line_y_mm)


def format_stroke(stroke: Stroke) -> str:
    """The line that stands for a stroke."""
    x_mm, y_mm = (round(value, 1) + 0.0 for value in stroke.placement_mm)
    angle_deg = round(math.degrees(math.remainder(stroke.angle_rad, math.tau)), 2) + 0.0
    speed_m_s = stroke.speed_mm_s / 1000
    return f"{stroke.seat.value}@{x_mm:.1f},{y_mm:.1f} {angle_deg:.2f}deg {speed_m_s:.3f}m/s"


def parse_stroke(text: str, board: BoardSpec, *, where: str = "stroke") -> Stroke:
    """The stroke that a line stands for. Raises ``NotationError`` with the text."""
    match = _STROKE.fullmatch(text.strip())
    if match is None:
        raise NotationError(where, expected=_EXPECTED, got=text)
    seat = Seat(match["seat"])
    first = float(match["first"] or 0.0)
    placement = (
        (first, float(match["second"]))
        if match["second"]
        else tuple(default_placement(board, seat, first))
    )
    try:
        return Stroke(
            seat=seat,
            placement_mm=(placement[0], placement[1]),
            angle_rad=math.radians(float(match["angle"])),
            speed_mm_s=1000 * float(match["speed"]),
        )
    except PositionError as error:
        raise NotationError(where, expected=_EXPECTED, got=f"{text} ({error})") from error
