"""Pictures for viewers: each frame is encoded once for all who want it in one form."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import cv2
import numpy as np

from vision.arrays import Array

__all__ = ["FramePictures", "PictureSize", "VideoEncoder", "VideoUnit", "small_enough"]

PictureSize = Literal["full", "960"]
_QUALITY = 80
_SMALL_PX = 960
_VIDEO_PX = 1280
_CLOCK_HZ = 90_000


def small_enough(image_bgr: Array, width_px: int) -> Array:
    """The picture, at most so wide; never made larger."""
    height, width = image_bgr.shape[:2]
    if width <= width_px:
        return image_bgr
    size = (width_px, max(1, round(height * width_px / width)))
    return np.asarray(cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA))


class FramePictures:
    """The JPEGs of one frame. Safe for several threads. ``encodings`` counts the work done."""

    def __init__(self, image_bgr: Array) -> None:
        self._image = image_bgr
        self._made: dict[str, bytes] = {}
        self._lock = threading.Lock()
        self.encodings = 0

    @property
    def image_bgr(self) -> Array:
        """(h, w, 3) uint8; nobody writes on it."""
        return self._image

    def jpeg(self, size: PictureSize) -> bytes:
        """The frame as JPEG, full or at most 960 px wide."""
        with self._lock:
            made = self._made.get(size)
            if made is None:
                image = self._image if size == "full" else small_enough(self._image, _SMALL_PX)
                made = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[
                    1
                ].tobytes()
                self._made[size] = made
                self.encodings += 1
            return made


@dataclass(frozen=True, slots=True)
class VideoUnit:
    """One H.264 access unit (Annex B). ``number`` counts without gaps within one stream."""

    number: int
    is_key: bool
    data: bytes


class VideoEncoder:
    """One H.264 stream for all viewers that can decode it; at most 1280 px wide, no B-frames.

    For one thread. A frame of another size begins the stream anew with a key frame.
    """

    def __init__(self) -> None:
        self._context: Any = None
        self._size = (0, 0)
        self._number = 0
        self._last_pts = -1

    def encode(self, image_bgr: Array, t_s: float, *, key: bool) -> VideoUnit | None:
        """The next unit; ``key``: decodable without those before it."""
        import av
        from av.video.frame import PictureType

        image = small_enough(image_bgr, _VIDEO_PX)
        height, width = image.shape[0] // 2 * 2, image.shape[1] // 2 * 2
        if (width, height) != self._size:
            self._open(width, height)
            key = True
        planes = cv2.cvtColor(np.ascontiguousarray(image[:height, :width]), cv2.COLOR_BGR2YUV_I420)
        pixels = planes.astype(np.uint8, copy=False)
        frame: Any = av.VideoFrame.from_ndarray(pixels, format="yuv420p")
        self._last_pts = max(self._last_pts + 1, round(t_s * _CLOCK_HZ))
        frame.pts, frame.time_base = self._last_pts, Fraction(1, _CLOCK_HZ)
        frame.pict_type = PictureType.I if key else PictureType.NONE
        packets = self._context.encode(frame)
        if not packets:
            return None
        self._number += 1
        is_key = any(packet.is_keyframe for packet in packets)
        return VideoUnit(self._number, is_key, b"".join(bytes(packet) for packet in packets))

    def _open(self, width: int, height: int) -> None:
        import av

        context: Any = av.CodecContext.create("libx264", "w")
        context.width, context.height, context.pix_fmt = width, height, "yuv420p"
        context.time_base, context.framerate = Fraction(1, _CLOCK_HZ), Fraction(30)
        context.options = {
            "preset": "ultrafast",
            "tune": "zerolatency",
            "crf": "24",
            "g": "60",
            "forced-idr": "1",
        }
        context.thread_count = 1
        self._context, self._size, self._last_pts = context, (width, height), -1
