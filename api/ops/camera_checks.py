"""Checks through a camera: does it give pictures, how many, how good, and is the board seen."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from api.ops.finding import Finding, Level, finding
from carrom.errors import CalibrationError, SourceError, SourceTimeoutError, WeightsError
from vision.arrays import Array
from vision.frames import Frame, FrameSource
from vision.seen import BoardSeen

__all__ = ["PictureQuality", "check_camera", "list_cameras", "quality_of", "rate_of"]

_DARK, _BRIGHT_SHARE, _SHARP = 45.0, 0.04, 0.022
"""``_SHARP``: 25 of 26 real overhead pictures lie above 0.06, blurred by 2 px below 0.02."""
_FPS_LEAST, _DISC_PX_LEAST, _RESIDUAL_MM = 20.0, 14.0, 2.0
_WATCH_S = 2.5


@dataclass(frozen=True, slots=True)
class PictureQuality:
    """``level``: mean brightness 0 to 255; ``white``: share of px at the top of the scale;
    ``sharp``: detail at one size over that at a quarter of it, at two sizes; the lesser."""

    level: float
    white: float
    sharp: float


def quality_of(image_bgr: Array) -> PictureQuality:
    """Of a picture, or of the part with the board."""
    grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    white = float((image_bgr.min(axis=2) >= 250).mean())
    half = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    sharp = min(_detail(grey), _detail(half))
    return PictureQuality(float(grey.mean()), white, sharp)


def _detail(grey: Array) -> float:
    small = cv2.resize(grey, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    coarse = float(cv2.Laplacian(small, cv2.CV_32F).var())
    return float(cv2.Laplacian(grey, cv2.CV_32F).var()) / coarse if coarse > 1.0 else 0.0


def rate_of(times_s: Sequence[float]) -> float:
    """Frames a second of these times of frames; 0 for less than two."""
    if len(times_s) < 2 or times_s[-1] <= times_s[0]:
        return 0.0
    return (len(times_s) - 1) / (times_s[-1] - times_s[0])


def list_cameras() -> Iterator[Finding]:
    """The USB cameras that the system knows."""
    from vision.sources.usb_list import list_usb_cameras

    cameras = list_usb_cameras()
    for camera in cameras:
        yield finding("camera", f"{camera.name} (usb:{camera.id})")
    if not cameras:
        yield finding("camera", "none", "camera_none", Level.NOTE)


def check_camera(source: str) -> Iterator[Finding]:
    """Open it, watch for a few seconds, look for the board."""
    from api.sources import choose_source

    try:
        choice = choose_source(source)
        opened = choice.open()
    except SourceError as error:
        yield finding("camera", str(error), "camera_silent")
        return
    try:
        info = opened.info
        frames = list(_watch(opened))
    except SourceError as error:
        yield finding("camera", str(error), "camera_silent")
        return
    finally:
        opened.close()
    yield finding("camera", f"{info.name}, {info.width_px} x {info.height_px}")
    for note in info.notes:
        yield finding("camera", note, "camera_slow", Level.NOTE)
    if not frames:
        yield finding("camera", choice.shown, "camera_silent")
        return
    yield _rate([frame.t_s for frame in frames])
    if frames[-1].frozen:
        yield finding("camera", "the same picture again and again", "frozen", Level.WARNING)
    yield from _board(frames[-1].image_bgr)


def _watch(source: FrameSource) -> Iterator[Frame]:
    until_s = time.monotonic() + _WATCH_S
    while time.monotonic() < until_s:
        try:
            frame = source.read(timeout_s=_WATCH_S)
        except SourceTimeoutError:
            return
        if frame is None:
            return
        yield frame


def _rate(times_s: Sequence[float]) -> Finding:
    fps = rate_of(times_s)
    slow = fps < _FPS_LEAST and len(times_s) > 1
    text = f"{fps:.1f} frames a second" if len(times_s) > 1 else "one picture"
    return finding("frame rate", text, "camera_slow" if slow else "", Level.WARNING)


def _board(image_bgr: Array) -> Iterator[Finding]:
    from vision.board_finder import BoardFinder
    from vision.network import Network
    from vision.weights import BOARD_WEIGHTS, weights_path

    try:
        found = BoardFinder(Network(weights_path(BOARD_WEIGHTS), threads=2)).find(image_bgr)
    except (WeightsError, CalibrationError) as error:
        yield finding("board", str(error), "no_board")
        return
    if found.board is None:
        yield from _picture(quality_of(image_bgr))
        yield finding("board", "; ".join(found.reasons) or "not found", "no_board", Level.WARNING)
        return
    yield from _picture(quality_of(_cut(image_bgr, found.board)))
    yield from _seen(found.board)


def _picture(quality: PictureQuality) -> Iterator[Finding]:
    text = f"brightness {quality.level:.0f} of 255, {100 * quality.white:.1f} % white"
    if quality.level < _DARK:
        yield finding("light", text, "too_dark", Level.WARNING)
    elif quality.white > _BRIGHT_SHARE:
        yield finding("light", text, "too_bright", Level.WARNING)
    else:
        yield finding("light", text)
    blurred = quality.sharp < _SHARP
    yield finding("focus", f"sharpness {quality.sharp:.2f}", "blurred" if blurred else "",
                  Level.WARNING)  # fmt: skip


def _seen(board: BoardSeen) -> Iterator[Finding]:
    corners = np.array(board.corners_px)
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    disc_px = 31.0 * float(sides.min()) / (2 * board.half_mm)
    text = f"{board.family.value}, a man is {disc_px:.0f} px wide"
    small = disc_px < _DISC_PX_LEAST
    yield finding("board", text, "picture_small" if small else "", Level.WARNING)
    if board.residual_mm > _RESIDUAL_MM:
        text = f"edges lie {board.residual_mm:.1f} mm beside where they should"
        yield finding("board", text, "fits_badly", Level.WARNING)


def _cut(image_bgr: Array, board: BoardSeen) -> Array:
    """The part of the picture around the board."""
    corners = np.array(board.corners_px)
    high, wide = image_bgr.shape[:2]
    left, top = np.clip(corners.min(axis=0).astype(int), 0, (wide - 2, high - 2))
    right, bottom = np.clip(corners.max(axis=0).astype(int), (left + 2, top + 2), (wide, high))
    part: Array = image_bgr[top:bottom, left:right]
    return part
