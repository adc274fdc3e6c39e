"""``develop`` for films: the lens sees only what changed, the sensor's grain covers all."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from sim.camera.arrays import Array
from sim.camera.develop import gain, noisy, saturation, sharpened, tone
from sim.camera.scene import Sensor
from sim.camera.window import Window

__all__ = ["Darkroom"]

_MANY = 6


class Darkroom:
    """Develops the frames of one sensor. ``code`` is root-coded 8 bit light, without grain."""

    def __init__(self, sensor: Sensor, shape: tuple[int, int]) -> None:
        self._sensor, self._shape = sensor, shape
        steady = replace(sensor, flicker_depth=0.0)
        self._gain = gain(steady, shape[0], shape[1], 0.0)
        self._margin = int(np.ceil(3 * sensor.defocus_px)) + 2

    def expose_all(self, picture: Array) -> Array:
        """(h, w, 3) uint8 of linear light (h, w, 3) float32, which is kept."""
        return self._exposed(picture, self._gain)

    def expose(self, base: Array, picture: Array, dirty: Sequence[Window]) -> Array:
        """``base`` with the windows of ``picture`` that changed; a new array."""
        code: Array = base.copy()
        for window in _merged(dirty):
            inner = self._wider(window)
            outer = self._wider(inner)
            part = self._exposed(picture[outer.slices], self._gain[outer.slices])
            top, left = inner.top - outer.top, inner.left - outer.left
            height, width = inner.shape
            code[inner.slices] = part[top : top + height, left : left + width]
        return code

    def finish(self, code: Array, sensor: Sensor, *, level: float, t_s: float) -> Array:
        """Grain, tone and sharpening; ``level``: of the automatic exposure."""
        if sensor.flicker_depth > 0:
            code = cv2.multiply(code, self._bands(sensor, t_s), scale=1 / 128)
        curve = tone(sensor.contrast, sensor.haze)
        if level != 1.0:
            index = np.arange(256) * float(np.sqrt(level))
            curve = curve[np.clip(np.round(index), 0, 255).astype(np.uint8)]
        out = cv2.LUT(noisy(code, sensor), curve)
        done: Array = sharpened(out, sensor.sharpen)
        return done

    def _exposed(self, picture: Array, factor: Array) -> Array:
        sensor = self._sensor
        if sensor.defocus_px > 0.05:
            side = 2 * int(np.ceil(2.6 * sensor.defocus_px)) + 1
            picture = cv2.GaussianBlur(picture, (side, side), sensor.defocus_px)
        lit = cv2.multiply(picture, factor)
        code: Array = cv2.convertScaleAbs(cv2.sqrt(lit, dst=lit), alpha=255.0)
        if sensor.saturation != 1.0:
            code = cv2.transform(code, saturation(sensor.saturation))
        return code

    def _bands(self, sensor: Sensor, t_s: float) -> Array:
        """(h, w, 3) uint8, 128 = 1: the root of the light of flickering lamps, row by row."""
        height, width = self._shape
        when = t_s + (np.arange(height) / height - 0.5) * sensor.readout_s
        phase = 2 * np.pi * sensor.flicker_hz * when + sensor.flicker_phase_rad
        root = np.sqrt(1 + sensor.flicker_depth * np.sin(phase)) * 128
        rows = np.round(root).astype(np.uint8)[:, None, None]
        return np.ascontiguousarray(np.broadcast_to(rows, (height, width, 3)))

    def _wider(self, window: Window) -> Window:
        m, (height, width) = self._margin, self._shape
        return Window(
            max(0, window.left - m), max(0, window.top - m),
            min(width, window.right + m), min(height, window.bottom + m),
        )  # fmt: skip


def _merged(windows: Sequence[Window]) -> list[Window]:
    """Windows that overlap become one; many become their common rectangle."""
    todo = [window for window in windows if not window.empty]
    if len(todo) > 4 * _MANY:
        return [_around(todo)]
    done: list[Window] = []
    for window in todo:
        touching = [other for other in done if _touch(window, other)]
        done = [other for other in done if other not in touching]
        done.append(_around([window, *touching]))
    return done


def _touch(a: Window, b: Window) -> bool:
    return a.left < b.right and b.left < a.right and a.top < b.bottom and b.top < a.bottom


def _around(windows: Sequence[Window]) -> Window:
    return Window(
        min(w.left for w in windows), min(w.top for w in windows),
        max(w.right for w in windows), max(w.bottom for w in windows),
    )  # fmt: skip
