"""What is printed in the middle of a board."""

from collections.abc import Callable
from math import pi

import numpy as np

from sim.camera.arrays import Array
from sim.camera.looks import PrintLook, Rosette
from sim.camera.plane import Plane

__all__ = ["Inks", "draw_rosette"]

Colour = tuple[float, float, float, float]


class Inks:
    """The colours of a print as OpenCV takes them on a BGRA sheet."""

    def __init__(self, look: PrintLook) -> None:
        self.black = _opaque(look.ink)
        self.red = _opaque(look.red)
        self.accent = _opaque(look.accent)


def _opaque(colour: tuple[float, float, float]) -> Colour:
    r, g, b = colour
    return 255 * b, 255 * g, 255 * r, 255.0


class _Pen:
    """Draws about the centre; angles of the rosette, radii in shares of its own."""

    def __init__(self, sheet: Array, plane: Plane, radius_mm: float, turn_rad: float) -> None:
        self.sheet, self.plane, self.radius_mm, self.turn_rad = sheet, plane, radius_mm, turn_rad

    def at(self, share: float, angle: float) -> Array:
        a = angle + self.turn_rad
        return self.radius_mm * share * np.array([np.cos(a), np.sin(a)])

    def ring(self, share: float, colour: Colour, width_mm: float) -> None:
        self.plane.circle(self.sheet, (0.0, 0.0), self.radius_mm * share, colour, width_mm)

    def spot(self, share: float, angle: float, size: float, colour: Colour) -> None:
        x, y = self.at(share, angle)
        self.plane.circle(self.sheet, (x, y), self.radius_mm * size, colour)

    def circle(self, share: float, angle: float, size: float, colour: Colour, w_mm: float) -> None:
        x, y = self.at(share, angle)
        self.plane.circle(self.sheet, (x, y), self.radius_mm * size, colour, w_mm)

    def kite(self, angle: float, out: float, wide: float, halves: tuple[Colour, Colour]) -> None:
        step = pi / 8 * wide
        mid = np.zeros(2)
        for sign, colour in ((1, halves[0]), (-1, halves[1])):
            side = self.at(0.26, angle + sign * step)
            self.plane.fill(self.sheet, np.array([mid, side, self.at(out, angle)]), colour)

    def arc(self, centre: Array, share: float, start: float, sweep: float, colour: Colour) -> None:
        t = np.linspace(start, start + sweep, 24) + self.turn_rad
        points = centre + self.radius_mm * share * np.stack([np.cos(t), np.sin(t)], axis=1)
        self.plane.line(self.sheet, points, colour, 1.6)

    def petal(self, angle: float, near: float, far: float, wide: float, colour: Colour) -> None:
        t = np.linspace(0, 1, 14)
        half = wide * np.sin(pi * t)
        r = near + (far - near) * t
        left = [self.at(a, angle + b / max(a, 0.05)) for a, b in zip(r, half, strict=True)]
        right = [self.at(a, angle - b / max(a, 0.05)) for a, b in zip(r, half, strict=True)]
        self.plane.fill(self.sheet, np.array(left + right[::-1]), colour)


def _star(pen: _Pen, inks: Inks) -> None:
    light = (0.0, 0.0, 0.0, 0.0)
    for k in range(8):
        ink = inks.red if k % 2 == 0 else inks.black
        pen.kite(k * pi / 4, 0.98, 0.9, (ink, light if k % 4 < 2 else inks.black))
    pen.ring(1.0, inks.black, 1.6)


def _ring_star(pen: _Pen, inks: Inks) -> None:
    for k in range(8):
        ink = inks.red if k % 2 == 0 else inks.black
        pen.kite(k * pi / 4, 0.9, 0.8, (ink, inks.black))
    pen.ring(1.0, inks.red, 9.0)
    pen.ring(1.02, inks.black, 1.0)


def _circles(pen: _Pen, inks: Inks) -> None:
    pen.ring(1.0, inks.black, 1.5)
    pen.ring(0.95, inks.black, 1.0)
    pen.ring(0.68, inks.black, 1.2)


def _wheel(pen: _Pen, inks: Inks) -> None:
    pen.ring(1.0, inks.black, 3.5)
    pen.ring(0.92, inks.black, 1.6)
    pen.ring(0.72, inks.black, 2.5)
    for k in range(4):
        angle = pi / 4 + k * pi / 2
        pen.arc(pen.at(0.95, angle), 0.55, angle + 0.62 * pi, 0.76 * pi, inks.black)
        pen.arc(pen.at(0.95, angle), 0.49, angle + 0.62 * pi, 0.76 * pi, inks.black)
        pen.circle(0.55, k * pi / 2, 0.07, inks.black, 2.2)
        pen.spot(0.26, angle, 0.07, inks.black)
    pen.ring(0.2, inks.black, 2.0)


def _mandala(pen: _Pen, inks: Inks) -> None:
    for k in range(16):
        pen.circle(0.9, k * pi / 8, 0.2, inks.black, 2.0)
    pen.ring(0.8, inks.red, 3.5)
    pen.ring(0.73, inks.black, 1.5)
    for k in range(12):
        pen.petal(k * pi / 6, 0.46, 0.72, 0.055, inks.black)
    for k in range(8):
        colour = (inks.red, inks.accent)[k % 2]
        pen.petal(k * pi / 4, 0.16, 0.48, 0.07, colour)


def _sun(pen: _Pen, inks: Inks) -> None:
    for k in range(16):
        ink = (inks.red, inks.black)[k % 2]
        pen.kite(k * pi / 8, (0.98, 0.78)[k % 2], 0.45, (ink, ink))
    pen.ring(1.0, inks.black, 1.6)
    pen.ring(0.5, inks.red, 1.2)


def _nothing(pen: _Pen, inks: Inks) -> None:
    pass


_DRAW: dict[Rosette, Callable[[_Pen, Inks], None]] = {
    Rosette.STAR: _star,
    Rosette.RING_STAR: _ring_star,
    Rosette.CIRCLES: _circles,
    Rosette.WHEEL: _wheel,
    Rosette.MANDALA: _mandala,
    Rosette.SUN: _sun,
    Rosette.NONE: _nothing,
}


def draw_rosette(sheet: Array, plane: Plane, look: PrintLook, radius_mm: float) -> None:
    """Print the rosette of ``look`` on a BGRA sheet, without the red circle in its middle."""
    pen = _Pen(sheet, plane, radius_mm, look.rosette_turn_rad)
    _DRAW[look.rosette](pen, Inks(look))
