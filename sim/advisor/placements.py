"""Where the laws let the striker lie, in the frame of the seat that strikes.

Indian boards: between the base lines touching both, clear of the base circles, or covering a base
circle wholly and not touching the diagonal (GR-07, SE-05; the strictest reading serves all).
Hikone: on the area line (HK-07), anywhere in the area (HL-02), a first stroke from the tee spot or,
if it is blocked, touching its outline (HK-05, HK-06). The striker touches no piece, which is legal
everywhere (HK-08).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, sin, sqrt, tau

import numpy as np
from numpy.typing import NDArray

from carrom.board_spec import BoardFamily, BoardSpec
from carrom.pieces import PieceKind
from carrom.seats import Seat
from referee.laws import Laws
from referee.options import HikoneOptions
from sim.physics.arrays import FloatArray

__all__ = ["Placements", "legal_placements"]

_CLEARANCES_MM = (2.0, 0.5, 0.02)
"""Room for the hand's noise, and less where there is less."""
_FINE = 401
_TEE_SLACK_MM = 1.5
_CIRCLE_SLACK_MM = 0.5
"""Kept inside what the laws allow: the eye of the umpire is no micrometer."""


@dataclass(frozen=True, slots=True, eq=False)
class Placements:
    """``places_mm``: (k, 2) float64, mm, the seat's frame: legal, free of men, along the line.
    ``low_mm``, ``high_mm``: (r,) float64: the stretches of x that are legal. ``slack_mm``: where
    only the neighbourhood of each place is legal, how far it reaches."""

    places_mm: FloatArray
    low_mm: FloatArray
    high_mm: FloatArray
    slack_mm: float | None = None

    def __len__(self) -> int:
        return len(self.places_mm)

    def limits(self, x_mm: FloatArray) -> tuple[FloatArray, FloatArray]:
        """For each x (c,) the legal stretch around it: lowest and highest x, (c,) each."""
        if self.slack_mm is not None:
            return x_mm - self.slack_mm, x_mm + self.slack_mm
        middle = (self.low_mm + self.high_mm) / 2
        reach = (self.high_mm - self.low_mm) / 2
        outside = np.abs(x_mm[:, None] - middle) - reach
        nearest = np.argmin(outside, axis=1)
        return self.low_mm[nearest], self.high_mm[nearest]

    def spread(self, count: int) -> FloatArray:
        """(at most count, 2): some of the places, evenly, the first and last among them; copies."""
        if len(self) <= count:
            return self.places_mm.copy()
        picks = np.unique(np.linspace(0, len(self) - 1, count).round().astype(np.int64))
        return self.places_mm[picks]


def legal_placements(
    board: BoardSpec, laws: Laws, *, men_mm: FloatArray, radii_mm: FloatArray, tee_shot: bool
) -> Placements:
    """All places for the striker; none if every one is blocked.

    ``men_mm``: (m, 2) float64, mm, the seat's frame; ``radii_mm``: (m,) float64.
    """
    striker_mm = board.radii_mm[PieceKind.STRIKER]
    if board.family is BoardFamily.ICF:
        tries = [_between_base_lines(board, striker_mm)]
    elif tee_shot:
        tries = [_on_tee_spot(board), _around_tee_spot(board, striker_mm)]
    else:
        tries = list(_in_area(board, laws, striker_mm))
    for placements in tries:
        for clearance_mm in _CLEARANCES_MM:
            free = _free(placements.places_mm, men_mm, radii_mm + striker_mm + clearance_mm)
            if free.any():
                return replace(placements, places_mm=placements.places_mm[free])
    return Placements(np.empty((0, 2)), np.zeros(1), np.zeros(1))


def _free(places_mm: FloatArray, men_mm: FloatArray, reach_mm: FloatArray) -> NDArray[np.bool_]:
    away = np.linalg.norm(places_mm[:, None] - men_mm[None], axis=2)
    free: NDArray[np.bool_] = (away > reach_mm).all(axis=1)
    return free


def _rows(xs: FloatArray, y_mm: float) -> FloatArray:
    return np.column_stack([xs, np.full(len(xs), y_mm)])


def _between_base_lines(board: BoardSpec, striker_mm: float) -> Placements:
    marks, y_mm = board.base_line_markings, board.base_lines_y.middle_mm
    circle_mm = marks.base_circle_diameter_mm.value / 2
    centre_mm = marks.base_circle_x(board.half_mm)
    inner_mm = centre_mm - circle_mm - striker_mm - _CIRCLE_SLACK_MM
    xs = np.linspace(-inner_mm, inner_mm, _FINE)
    low, high = [-inner_mm], [inner_mm]
    spare_mm = striker_mm - circle_mm - _CIRCLE_SLACK_MM
    arrow_mm = marks.arrow_width_mm.value / 2 + _CIRCLE_SLACK_MM
    reach_mm = min(centre_mm + spare_mm, -y_mm - sqrt(2) * (striker_mm + arrow_mm))
    if spare_mm >= 0 and reach_mm >= centre_mm - spare_mm:
        circle_x = min(centre_mm, reach_mm)
        xs = np.concatenate([[-circle_x], xs, [circle_x]])
        low += [-reach_mm, centre_mm - spare_mm]
        high += [spare_mm - centre_mm, reach_mm]
    return Placements(_rows(xs, y_mm), np.array(low), np.array(high))


def _in_area(board: BoardSpec, laws: Laws, striker_mm: float) -> list[Placements]:
    """The area line; then, beside its middle, wherever an overlap is left; the whole area first
    where a local option opens it."""
    marks, half_mm = board.area_line_markings, board.half_mm
    line_mm = board.area_line_y_mm
    half_line_mm = marks.area_line_length(half_mm) / 2
    reach_mm = min(half_line_mm, half_mm - striker_mm - 1.0)
    xs = np.linspace(-reach_mm, reach_mm, _FINE)
    tilt_mm = 0.7 * striker_mm
    rows = [[line_mm], [line_mm - tilt_mm, line_mm + tilt_mm]]
    options = laws.options
    if isinstance(options, HikoneOptions) and options.striker_placement == "anywhere_in_area":
        back_mm = -half_mm + striker_mm + 1.0
        rows.insert(0, [line_mm, (line_mm + back_mm) / 2, back_mm])
    found = []
    for heights in rows:
        places = np.concatenate([_rows(xs, y_mm) for y_mm in heights])
        away = np.hypot(np.abs(places[:, 0]) - _pocket_at(board), places[:, 1] + _pocket_at(board))
        places = places[away > board.pocket_radius_mm + 10.0]
        low, high = np.array([places[:, 0].min()]), np.array([places[:, 0].max()])
        found.append(Placements(places, low, high))
    return found


def _pocket_at(board: BoardSpec) -> float:
    return board.half_mm - board.pocket_inset_mm


def _on_tee_spot(board: BoardSpec) -> Placements:
    spot = board.tee_spot(Seat.SOUTH)
    here = np.array([spot.x_mm])
    return Placements(np.array([[spot.x_mm, spot.y_mm]]), here, here, slack_mm=_TEE_SLACK_MM)


def _around_tee_spot(board: BoardSpec, striker_mm: float) -> Placements:
    """Touching the outline of a blocked spot, the nearest places first (HK-06)."""
    spot = board.tee_spot(Seat.SOUTH)
    edge_mm = board.area_line_markings.tee_spot_diameter_mm.value / 2
    limit_mm = edge_mm + striker_mm - _TEE_SLACK_MM
    inside_mm = board.half_mm - striker_mm - 0.5
    places = []
    for away_mm in np.linspace(2.0, limit_mm, 12):
        for turn in np.arange(24) * (tau / 24):
            x_mm, y_mm = spot.x_mm + away_mm * cos(turn), spot.y_mm + away_mm * sin(turn)
            if abs(y_mm) <= inside_mm:
                places.append((x_mm, y_mm))
    here = np.array([spot.x_mm])
    return Placements(np.array(places), here, here, slack_mm=_TEE_SLACK_MM)
