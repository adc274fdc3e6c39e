"""The printed marks of a board on a sheet of ink."""

from math import atan2, cos, pi, sin

import cv2
import numpy as np

from carrom.board_marks import (
    Arc,
    Arrow,
    Circle,
    Line,
    Mark,
    MarkName,
    Spot,
    from_seat_frame,
)
from carrom.board_spec import BoardFamily, BoardSpec
from carrom.seats import Seat
from sim.camera.arrays import Array
from sim.camera.lettering import paste_word
from sim.camera.looks import BaseCircleStyle, PrintLook
from sim.camera.plane import Plane
from sim.camera.rosettes import Inks, draw_rosette

__all__ = ["ink_sheet"]

_BASE_RINGS = (MarkName.LEFT_BASE_CIRCLE, MarkName.RIGHT_BASE_CIRCLE)
_BASE_DISCS = (MarkName.LEFT_BASE_DISC, MarkName.RIGHT_BASE_DISC)


def ink_sheet(board: BoardSpec, look: PrintLook, plane: Plane) -> Array:
    """(n, n, 4) uint8: ink colour (BGR, premultiplied) and how much covers the wood."""
    fine = Plane(plane.half_mm, plane.px_per_mm * (2 if plane.px_per_mm < 1.6 else 1))
    sheet: Array = np.zeros((fine.size_px, fine.size_px, 4), dtype=np.uint8)
    inks = Inks(look)
    if board.family is BoardFamily.ICF:
        outer_mm = board.base_line_markings.outer_circle_diameter_mm.value / 2
        draw_rosette(sheet, fine, look, outer_mm)
    for mark in board.marks:
        _draw(sheet, fine, mark, look, inks)
    if board.family is BoardFamily.ICF:
        _small_rings(sheet, fine, board, look, inks)
        _texts(sheet, fine, board, look, inks)
    if fine.size_px != plane.size_px:
        size = (plane.size_px, plane.size_px)
        sheet = cv2.resize(sheet, size, interpolation=cv2.INTER_AREA)
    return sheet


def _draw(sheet: Array, plane: Plane, mark: Mark, look: PrintLook, inks: Inks) -> None:
    black = inks.black
    if isinstance(mark, Line):
        _line(sheet, plane, mark, look, inks)
    elif isinstance(mark, Spot):
        _spot(sheet, plane, mark, look, inks)
    elif isinstance(mark, Circle):
        _circle(sheet, plane, mark, look, inks)
    elif isinstance(mark, Arrow) and look.arrows:
        plane.line(sheet, np.array([mark.tail, mark.tip]), black, mark.width_mm)
        if look.arrow_heads:
            angle = atan2(mark.tip.y_mm - mark.tail.y_mm, mark.tip.x_mm - mark.tail.x_mm)
            _head(sheet, plane, mark.tip, angle, inks, 9.0)
    elif isinstance(mark, Arc) and look.arrow_arches:
        _arch(sheet, plane, mark, look, inks)


def _line(sheet: Array, plane: Plane, mark: Line, look: PrintLook, inks: Inks) -> None:
    points = np.array([mark.start, mark.end])
    if mark.name is MarkName.NEAR_BASE_LINE and look.double_line:
        along = points[1] - points[0]
        side = np.array([-along[1], along[0]]) / np.linalg.norm(along)
        for sign in (-1, 1):
            shifted = points + sign * side * mark.width_mm * 0.45
            plane.line(sheet, shifted, inks.black, 1.0)
        return
    colour = inks.red if look.text_red and mark.name is MarkName.FAR_BASE_LINE else inks.black
    plane.line(sheet, points, colour, mark.width_mm)


def _spot(sheet: Array, plane: Plane, mark: Spot, look: PrintLook, inks: Inks) -> None:
    if mark.name is MarkName.CENTRE_CIRCLE:
        if look.base_circles is BaseCircleStyle.NONE:
            plane.circle(sheet, mark.centre, mark.radius_mm, inks.black, 1.0)
            return
        plane.circle(sheet, mark.centre, mark.radius_mm * 1.06, inks.black)
        plane.circle(sheet, mark.centre, mark.radius_mm * 0.96, inks.red)
        return
    if look.base_circles in (BaseCircleStyle.OUTLINE, BaseCircleStyle.NONE):
        return
    full = look.base_circles is BaseCircleStyle.FULL
    plane.circle(sheet, mark.centre, mark.radius_mm * (1.2 if full else 1.0), inks.red)


def _circle(sheet: Array, plane: Plane, mark: Circle, look: PrintLook, inks: Inks) -> None:
    if mark.name is MarkName.OUTER_CIRCLE:
        return
    if mark.name in _BASE_RINGS:
        if look.base_circles is BaseCircleStyle.NONE:
            return
        if look.base_circles is BaseCircleStyle.RED_IN_BLACK:
            plane.circle(sheet, mark.centre, mark.radius_mm, inks.black)
            return
        # The lines end under the ring; wood shows between ring and filled disc.
        plane.circle(sheet, mark.centre, mark.radius_mm, (0, 0, 0, 0))
    plane.circle(sheet, mark.centre, mark.radius_mm, inks.black, mark.width_mm)


def _arch(sheet: Array, plane: Plane, mark: Arc, look: PrintLook, inks: Inks) -> None:
    t = mark.start_rad + np.linspace(0, mark.sweep_rad, 48)
    radius_mm = mark.radius_mm - mark.width_mm / 2
    points = np.array(mark.centre) + radius_mm * np.stack([np.cos(t), np.sin(t)], axis=1)
    plane.line(sheet, points, inks.black, mark.width_mm)
    if look.arrow_heads:
        _head(sheet, plane, points[0], float(t[0]) - pi / 2, inks, 7.0)
        _head(sheet, plane, points[-1], float(t[-1]) + pi / 2, inks, 7.0)


def _head(
    sheet: Array, plane: Plane, tip: Array | tuple[float, float], angle: float, inks: Inks, s: float
) -> None:
    base = np.array(tip) + 0.4 * s * np.array([cos(angle), sin(angle)])
    wings = [
        base - s * np.array([cos(angle + turn), sin(angle + turn)]) for turn in (-0.38, 0.0, 0.38)
    ]
    wings[1] = base - 0.7 * (base - wings[1])
    plane.fill(sheet, np.array([base, *wings]), inks.black)


def _small_rings(sheet: Array, plane: Plane, board: BoardSpec, look: PrintLook, inks: Inks) -> None:
    """Where an arrow passes between two base circles there often is a little ring."""
    if not look.small_rings:
        return
    markings = board.base_line_markings
    y_mm = board.base_lines_y.middle_mm
    x_mm = markings.base_circle_x(board.half_mm)
    for seat in Seat:
        right = np.array(from_seat_frame(seat, x_mm, y_mm))
        mirrored = np.array(from_seat_frame(seat, -y_mm, -x_mm))
        x, y = (right + mirrored) / 2
        gap_mm = float(np.linalg.norm(right - mirrored)) - markings.base_circle_diameter_mm.value
        plane.circle(sheet, (x, y), max(3.0, gap_mm / 2), inks.black, 1.2)


def _texts(sheet: Array, plane: Plane, board: BoardSpec, look: PrintLook, inks: Inks) -> None:
    if not look.texts:
        return
    y_mm = board.base_lines_y.middle_mm
    colour = inks.red if look.text_red else inks.black
    mask = np.zeros(sheet.shape[:2], dtype=np.uint8)
    for k, seat in enumerate(Seat):
        text = look.texts[k % len(look.texts)]
        if not text:
            continue
        centre = plane.mm_to_px(np.array(from_seat_frame(seat, 0.0, y_mm)))
        turn = {Seat.SOUTH: 0.0, Seat.EAST: pi / 2, Seat.NORTH: pi, Seat.WEST: -pi / 2}[seat]
        paste_word(
            mask,
            text,
            centre_px=(float(centre[0]), float(centre[1])),
            height_px=plane.px_per_mm * 24.0,
            turn_rad=turn,
            font=len(text) + len(look.texts[0]),
            bold=5 + len(text) % 4,
            slant=(0.0, 0.25)[len(text) % 2],
        )
    spots = np.flatnonzero(mask)
    share = mask.ravel()[spots][:, None].astype(np.float32) / 255.0
    flat = sheet.reshape(-1, 4)
    flat[spots] = np.maximum(flat[spots], (share * np.array(colour)).astype(np.uint8))
