"""Small videos, made when a test needs one."""

import struct
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from vision.arrays import Array

WIDTH, HEIGHT = 64, 48


def picture(k: int, size: tuple[int, int] = (WIDTH, HEIGHT)) -> Array:
    """A bright bar that grows with ``k`` over noise; red above, blue below."""
    width, height = size
    image = np.random.default_rng(k).integers(0, 60, (height, width, 3)).astype(np.uint8)
    image[: height // 2, :, 2] += 120
    image[height // 2 :, :, 0] += 120
    image[:, : (k * 4) % width] += 60
    return image


def clip(
    path: Path,
    *,
    frames: int = 12,
    codec: str = "libx264",
    pixels: str = "yuv420p",
    size: tuple[int, int] = (WIDTH, HEIGHT),
    times: Iterable[int] | None = None,
    options: Mapping[str, str] | None = None,
) -> Path:
    """A video of 30 frames a second, or with these time stamps in thousandths of a second."""
    stamps = list(times) if times is not None else None
    count = frames if stamps is None else len(stamps)
    with av.open(str(path), "w") as out:
        track = out.add_stream(codec, rate=30, options=dict(options or {"g": "6", "bf": "0"}))
        track.width, track.height, track.pix_fmt = *size, pixels
        track.time_base = Fraction(1, 1000)
        track.codec_context.time_base = Fraction(1, 1000)
        for k in range(count):
            frame = av.VideoFrame.from_ndarray(picture(k, size), format="bgr24")
            frame.pts = round(k * 1000 / 30) if stamps is None else stamps[k]
            frame.time_base = Fraction(1, 1000)
            out.mux(track.encode(frame))
        out.mux(track.encode())
    return path


def spoilt(path: Path, *, flips: int = 20, seed: int = 1) -> Path:
    """The same file with bytes of its middle third flipped."""
    data = bytearray(path.read_bytes())
    for at in np.random.default_rng(seed).integers(len(data) // 3, 2 * len(data) // 3, flips):
        data[at] ^= 0xFF
    path.write_bytes(data)
    return path


def turned(path: Path, degrees: int) -> Path:
    """An MP4 with the flag that a player turns it by so much, counter-clockwise.

    The matrix of the track header (ISO/IEC 14496-12, 8.3.2) is written over.
    """
    cos, sin = {90: (0, 1), 180: (-1, 0), 270: (0, -1)}[degrees]
    one = 1 << 16
    matrix = (cos * one, -sin * one, 0, sin * one, cos * one, 0, 0, 0, 1 << 30)
    data = bytearray(path.read_bytes())
    at = data.index(b"tkhd") + 4 + 40
    data[at : at + 36] = struct.pack(">9i", *matrix)
    path.write_bytes(data)
    return path
