"""A USB camera through OpenCV, found again by its id."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from threading import Lock
from typing import Any, Protocol

import numpy as np

from carrom.errors import SourceError, SourceTimeoutError
from vision.frames import Frame, SourceInfo, SourceKind
from vision.sources.usb_list import UsbCameraName, list_usb_cameras

__all__ = ["Capture", "UsbCamera", "short_device_timeouts"]

_CLOSE_S = 0.5
_DEVICE_TIMEOUT_S = 2


class Capture(Protocol):
    """What of ``cv2.VideoCapture`` is used."""

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        """Whether there is a camera behind it."""
        ...

    def read(self) -> tuple[bool, Any]:
        """Whether a frame came, and the frame."""
        ...

    def get(self, prop: int, /) -> float:
        """A property."""
        ...

    def set(self, prop: int, value: float, /) -> bool:
        """Ask for a property."""
        ...

    def release(self) -> None:
        """Let go."""
        ...


def short_device_timeouts() -> None:
    """Let OpenCV wait 2 s for a frame of a device, not 10. It reads this once, when it is first
    imported: call this before. A value that is set already stays."""
    os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", str(_DEVICE_TIMEOUT_S))


class UsbCamera:
    """``camera``: an id of ``list_usb_cameras``, or an index (``0``).

    MJPG is asked for before the size and the size before the rate: few cameras give 1080p30
    uncompressed. What is not granted stands in ``info.notes``. ``t_s`` is ``clock``'s time when the
    frame came: the time stamps of drivers cannot be relied on. Raises ``SourceError``.
    """

    def __init__(
        self,
        camera: str,
        *,
        size_px: tuple[int, int] = (1920, 1080),
        fps: float = 30.0,
        open_capture: Callable[[str | int], Capture] | None = None,
        cameras: Callable[[], list[UsbCameraName]] = list_usb_cameras,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        short_device_timeouts()
        self._clock = clock
        self._lock = Lock()
        self._closed = False
        self._seq, self._last_s = 0, float("-inf")
        found = _found(camera, cameras())
        self._source = f"usb:{found.id}"
        self._capture = (open_capture or _open_capture)(found.device)
        if not self._capture.isOpened():
            self._capture.release()
            raise SourceError(self._source, f"{found.name} cannot be opened; is it in use?")
        notes = _ask(self._capture, size_px, fps)
        frame = self._grab(tries=5)
        if frame is None:
            self._capture.release()
            raise SourceError(self._source, f"{found.name} opens, but gives no picture")
        self._first: Frame | None = frame
        height, width = frame.image_bgr.shape[:2]
        if (width, height) != size_px:
            asked = f"{size_px[0]} x {size_px[1]}"
            notes.append(f"asked for {asked} px, gives {width} x {height}")
        granted = _get(self._capture, "CAP_PROP_FPS")
        self._info = SourceInfo(
            SourceKind.USB, self._source, found.name, width, height, live=True,
            fps=granted if granted > 0 else None, notes=tuple(notes),
        )  # fmt: skip

    @property
    def info(self) -> SourceInfo:
        """What is delivered, and what was asked for in vain."""
        return self._info

    def read(self, timeout_s: float = 3.0) -> Frame | None:
        """The next frame. A camera that was pulled out raises ``SourceError``."""
        with self._lock:
            if self._closed:
                return None
            first, self._first = self._first, None
            if first is not None:
                return first
            began_s = self._clock()
            frame = self._grab(tries=1)
            if frame is not None or self._closed:
                return frame
            if self._clock() - began_s >= min(timeout_s, 0.9 * _DEVICE_TIMEOUT_S):
                raise SourceTimeoutError(self._source, "no picture in time")
            raise SourceError(self._source, "gives no more pictures; was it unplugged?")

    def _grab(self, *, tries: int) -> Frame | None:
        import cv2

        for _ in range(tries):
            try:
                done, image = self._capture.read()
            except cv2.error:
                done, image = False, None
            if done and image is not None and image.size:
                self._last_s = max(self._last_s, self._clock())
                seq, self._seq = self._seq, self._seq + 1
                return Frame(_bgr(image), self._last_s, seq)
        return None

    def lock(self) -> tuple[str, ...]:
        """Hold exposure, focus and white balance as they are now; what could not be held.

        Call it when the board is calibrated and the light is right: a camera that adapts to a hand
        changes the colour of every disc.
        """
        failed: list[str] = []
        with self._lock:
            if self._closed:
                return ()
            manual = 1.0 if sys.platform.startswith("linux") else 0.25
            exposure = _get(self._capture, "CAP_PROP_EXPOSURE")
            if not _set(self._capture, "CAP_PROP_AUTO_EXPOSURE", manual):
                failed.append("exposure cannot be locked")
            elif not _set(self._capture, "CAP_PROP_EXPOSURE", exposure):
                _set(self._capture, "CAP_PROP_AUTO_EXPOSURE", 3.0 if manual == 1.0 else 0.75)
                failed.append("exposure cannot be locked")
            if not _set(self._capture, "CAP_PROP_AUTOFOCUS", 0.0):
                failed.append("focus cannot be locked")
            if not _set(self._capture, "CAP_PROP_AUTO_WB", 0.0):
                failed.append("white balance cannot be locked")
            notes = (*self._info.notes, *failed)
            self._info = replace(self._info, notes=tuple(dict.fromkeys(notes)))
        return tuple(failed)

    def close(self) -> None:
        """Let go. A read that hangs in the driver holds the device until its own timeout."""
        self._closed = True
        if self._lock.acquire(timeout=_CLOSE_S):
            try:
                self._capture.release()
            finally:
                self._lock.release()


def _found(camera: str, cameras: list[UsbCameraName]) -> UsbCameraName:
    for one in cameras:
        if camera in (one.id, str(one.device)):
            return one
    if camera.isdigit():
        nodes = [one for one in cameras if one.id == f"video{camera}"]
        return nodes[0] if nodes else UsbCameraName(camera, f"camera {camera}", int(camera))
    if camera.startswith("/dev/"):
        return UsbCameraName(camera, camera, camera)
    there = ", ".join(one.id for one in cameras) or "no camera at all"
    raise SourceError(f"usb:{camera}", f"not plugged in; there is: {there}")


def _open_capture(device: str | int) -> Capture:
    import cv2

    backend = cv2.CAP_V4L2 if sys.platform.startswith("linux") else cv2.CAP_ANY
    return cv2.VideoCapture(device, backend)


def _ask(capture: Capture, size_px: tuple[int, int], fps: float) -> list[str]:
    """Ask for compression, size, rate, in this order; what was not granted."""
    import cv2

    wanted = cv2.VideoWriter.fourcc(*"MJPG")
    _set(capture, "CAP_PROP_FOURCC", wanted)
    _set(capture, "CAP_PROP_FRAME_WIDTH", size_px[0])
    _set(capture, "CAP_PROP_FRAME_HEIGHT", size_px[1])
    _set(capture, "CAP_PROP_FPS", fps)
    _set(capture, "CAP_PROP_BUFFERSIZE", 1)
    notes = []
    code = int(_get(capture, "CAP_PROP_FOURCC"))
    if code != wanted:
        name = "".join(chr(code >> 8 * k & 0xFF) for k in range(4)) if code > 0 else ""
        shown = name if name.isprintable() and name.strip() else "another format"
        notes.append(f"asked for MJPG, gives {shown}")
    granted = _get(capture, "CAP_PROP_FPS")
    if granted > 0 and granted < 0.9 * fps:
        notes.append(f"asked for {fps:g} frames a second, gives {granted:g}")
    return notes


def _get(capture: Capture, name: str) -> float:
    import cv2

    return float(capture.get(getattr(cv2, name)))


def _set(capture: Capture, name: str, value: float) -> bool:
    import cv2

    return bool(capture.set(getattr(cv2, name), float(value)))


def _bgr(image: Any) -> Any:
    """Three channels: infrared cameras give one."""
    return image if image.ndim == 3 and image.shape[2] == 3 else np.dstack([np.squeeze(image)] * 3)
