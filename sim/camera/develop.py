"""From light to a file: optics and electronics between the lens and the 8 bit picture."""

from functools import lru_cache

import cv2
import numpy as np

from sim.camera.arrays import Array
from sim.camera.noise import sensor_tile
from sim.camera.scene import Sensor

__all__ = ["develop", "gain", "noisy", "saturation", "sharpened", "tone"]


@lru_cache(maxsize=32)
def tone(contrast: float, haze: float) -> Array:
    """(256,) uint8: 8 bit levels of root-coded light: gamma, contrast, a veil of stray light."""
    light = (np.arange(256) / 255.0) ** 2
    light = haze + (1 - haze) * light
    code = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    curved = code + contrast * (code - 0.5) * code * (1 - code) * 2.0
    out: Array = np.round(np.clip(curved, 0, 1) * 255.0).astype(np.uint8)
    return out


def develop(picture: Array, sensor: Sensor, *, t_s: float = 0.0) -> Array:
    """(h, w, 3) uint8 BGR of linear light (h, w, 3) float32, which it may overwrite.

    Noise is added to the root of the light, where that of photons is even.
    """
    height, width = picture.shape[:2]
    if sensor.defocus_px > 0.05:
        side = 2 * int(np.ceil(2.6 * sensor.defocus_px)) + 1
        picture = cv2.GaussianBlur(picture, (side, side), sensor.defocus_px)
    picture = cv2.multiply(picture, gain(sensor, height, width, t_s), dst=picture)
    code = cv2.convertScaleAbs(cv2.sqrt(picture, dst=picture), alpha=255.0)
    if sensor.saturation != 1.0:
        code = cv2.transform(code, saturation(sensor.saturation))
    out = cv2.LUT(noisy(code, sensor), tone(sensor.contrast, sensor.haze))
    return _file(sharpened(out, sensor.sharpen), sensor.jpeg_quality)


def saturation(amount: float) -> Array:
    """(3, 3) float32: BGR with more or less colour."""
    luma = np.array([0.114, 0.587, 0.299])
    out: Array = (amount * np.eye(3) + (1 - amount) * luma[None, :]).astype(np.float32)
    return out


def gain(sensor: Sensor, height: int, width: int, t_s: float) -> Array:
    """(h, w, 3) float32: exposure, white balance, dark corners, bands of flickering lamps."""
    y = (np.arange(32) + 0.5) / 32 - 0.5
    r2 = (y[:, None] ** 2 * (height / width) ** 2 + y[None, :] ** 2) * 4
    red, blue = sensor.white_balance
    corner = sensor.exposure / (1.0 + sensor.vignetting * r2) ** 2
    colour = (corner[..., None] * np.array([blue, 1.0, red])).astype(np.float32)
    out: Array = cv2.resize(colour, (width, height), interpolation=cv2.INTER_LINEAR)
    if sensor.flicker_depth > 0:
        when = t_s + (np.arange(height) / height - 0.5) * sensor.readout_s
        phase = 2 * np.pi * sensor.flicker_hz * when + sensor.flicker_phase_rad
        out *= (1 + sensor.flicker_depth * np.sin(phase)).astype(np.float32)[:, None, None]
    return out


def noisy(image: Array, sensor: Sensor) -> Array:
    """Root-coded 8 bit light with the grain of the sensor."""
    if sensor.noise <= 0:
        return image
    height, width = image.shape[:2]
    tile = sensor_tile(min(4, round(4 * sensor.chroma_noise / sensor.noise)))
    y, x = (int(v) for v in np.random.default_rng((sensor.seed, 9)).integers(0, 1024, 2))
    if y + height > tile.shape[0] or x + width > tile.shape[1]:
        tile = np.tile(tile, (2, 2, 1))
    grain = tile[y : y + height, x : x + width]
    share = sensor.noise / 24.0
    return cv2.addWeighted(image, 1.0, grain, share, -128.0 * share)


def sharpened(image: Array, amount: float) -> Array:
    """(h, w, 3) uint8 after the camera's unsharp mask; an ``amount`` of 0 changes nothing."""
    if amount <= 0:
        return image
    soft = cv2.GaussianBlur(image, (0, 0), 1.1)
    return cv2.addWeighted(image, 1 + amount, soft, -amount, 0)


def _file(image: Array, quality: int) -> Array:
    """Through JPEG and back."""
    if quality <= 0:
        return image
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise RuntimeError("OpenCV could not write a JPEG")
    read = cv2.imdecode(data, cv2.IMREAD_COLOR)
    if read is None:
        raise RuntimeError("OpenCV could not read its own JPEG")
    return read
