"""Frames that somebody else pushes, such as a phone's browser: the newest one only."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Condition

import cv2
import numpy as np

from carrom.errors import PictureError, SourceTimeoutError
from vision.frames import Frame, SourceInfo, SourceKind
from vision.picture_header import read_header

__all__ = ["MAX_PUSHED_BYTES", "MAX_PUSHED_PIXELS", "PushedFrames"]

MAX_PUSHED_BYTES = 8 * 1024 * 1024
MAX_PUSHED_PIXELS = 4096 * 3072
_END = b"\xff\xd9"
_FORGET_S = 30.0
"""The sender's clock is compared with ours anew after so long: clocks drift."""


class PushedFrames:
    """``push`` from any thread; one other thread reads. A frame nobody took in time is dropped.

    ``t_s`` is ``clock``'s time of the exposure as far as that is known: the sender's time stamps
    plus the least delay seen, so that a jam on the air does not look like a jump of the discs.
    """

    def __init__(self, name: str = "phone", *, clock: Callable[[], float] = time.monotonic) -> None:
        self._name, self._clock = name, clock
        self._change = Condition()
        self._waiting: tuple[bytes, float, int] | None = None
        self._size = (0, 0)
        self._pushed = 0
        self._closed = False
        self._offset_s: float | None = None
        self._offset_at_s = 0.0
        self._last_s = float("-inf")

    @property
    def info(self) -> SourceInfo:
        """What is delivered; no size before the first frame."""
        width, height = self._size
        return SourceInfo(
            SourceKind.PUSHED, f"pushed:{self._name}", self._name, width, height, live=True
        )

    def push(self, jpeg: bytes, *, taken_ms: float | None = None) -> None:
        """Take one JPEG; ``taken_ms``: the sender's clock at its exposure, milliseconds.

        Its header is read before anything is decoded. Raises ``PictureError`` for what is no JPEG
        or too large. After ``close`` it is dropped.
        """
        if len(jpeg) > MAX_PUSHED_BYTES:
            expected = f"at most {MAX_PUSHED_BYTES >> 20} MiB"
            raise PictureError(self._name, expected=expected, got=f"{len(jpeg)} bytes")
        header = read_header(jpeg, self._name)
        if header.kind != "JPEG":
            raise PictureError(self._name, expected="a JPEG", got=header.kind)
        if header.width_px * header.height_px > MAX_PUSHED_PIXELS:
            got = f"{header.width_px} x {header.height_px} px"
            expected = f"at most {MAX_PUSHED_PIXELS // 1_000_000} megapixels"
            raise PictureError(self._name, expected=expected, got=got)
        now_s = self._clock()
        with self._change:
            if self._closed:
                return
            self._waiting = (jpeg, self._time_of(now_s, taken_ms), self._pushed)
            self._pushed += 1
            self._size = (header.width_px, header.height_px)
            self._change.notify_all()

    def _time_of(self, now_s: float, taken_ms: float | None) -> float:
        if taken_ms is None or not 0.0 <= taken_ms < 1e14:
            return now_s
        offset = now_s - taken_ms / 1000.0
        stale = now_s - self._offset_at_s > _FORGET_S
        if self._offset_s is None or stale or offset <= self._offset_s:
            self._offset_s, self._offset_at_s = offset, now_s
        t_s = taken_ms / 1000.0 + self._offset_s
        if now_s - t_s > 5.0:  # the sender's clock was set back
            self._offset_s, self._offset_at_s = offset, now_s
            return now_s
        return t_s

    def read(self, timeout_s: float = 3.0) -> Frame | None:
        """The newest frame that was not taken yet; ``None`` after ``close``."""
        until_s = self._clock() + timeout_s
        while True:
            with self._change:
                self._change.wait_for(
                    lambda: self._waiting is not None or self._closed,
                    max(0.0, until_s - self._clock()),
                )
                if self._closed:
                    return None
                item, self._waiting = self._waiting, None
            if item is None:
                raise SourceTimeoutError(self._name, f"sent no picture for {timeout_s:.0f} s")
            frame = self._decoded(*item)
            if frame is not None:
                return frame

    def _decoded(self, jpeg: bytes, t_s: float, seq: int) -> Frame | None:
        whole = jpeg.rstrip(b"\0").endswith(_END)
        jpeg = jpeg if whole else jpeg + _END  # without an end OpenCV gives nothing
        try:
            image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        except cv2.error:
            image = None
        if image is None:
            return None
        self._last_s = max(self._last_s, t_s)
        return Frame(image, self._last_s, seq, damaged=not whole)

    def reopen(self) -> None:
        """Deliver again after ``close``."""
        with self._change:
            self._closed = False
            self._waiting = None

    def close(self) -> None:
        """Nothing is delivered after this."""
        with self._change:
            self._closed = True
            self._change.notify_all()
