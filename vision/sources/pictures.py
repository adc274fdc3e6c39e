"""Still pictures as a slow slide show: every picture stays for some seconds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from carrom.errors import PictureError, SourceError
from vision.arrays import Array
from vision.frames import Frame, SourceInfo, SourceKind
from vision.picture_file import read_picture

__all__ = ["PICTURE_SUFFIXES", "PictureShow", "pictures_in"]

PICTURE_SUFFIXES = (
    ".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".avif", ".jp2", ".gif",
    ".ppm", ".pgm", ".heic",
)  # fmt: skip
_LONGEST_SIDE_PX = 1920


def pictures_in(folder: Path) -> list[Path]:
    """The pictures of a folder by name, hidden files apart. Raises ``SourceError``."""
    try:
        found = [
            path for path in sorted(folder.iterdir())
            if path.suffix.lower() in PICTURE_SUFFIXES and not path.name.startswith(".")
        ]  # fmt: skip
    except OSError as error:
        raise SourceError(str(folder), error.strerror or "cannot be read") from None
    if not found:
        raise SourceError(str(folder), "a folder without pictures")
    return found


class PictureShow:
    """Each picture for ``seconds``, ``fps`` frames a second of the show's own time.

    All frames have the size of the first picture that can be read, at most 1920 px long; others
    are fitted into it on grey. A picture that cannot be read is left out with a note. Raises
    ``SourceError`` if none is left.
    """

    def __init__(
        self, paths: Sequence[Path], *, seconds: float = 4.0, fps: float = 5.0, name: str = ""
    ) -> None:
        if not (0.0 < seconds <= 3600.0 and 0.0 < fps <= 240.0):
            got = f"{seconds} s a picture, {fps} frames a second"
            raise SourceError(name or "pictures", f"cannot be shown so: {got}")
        self._paths = list(paths)
        self._each = max(1, round(seconds * fps))
        self._fps = fps
        self._name = name or (self._paths[0].name if self._paths else "pictures")
        self._notes: list[str] = []
        self._at, self._shown, self._seq = 0, 0, 0
        self._closed = False
        self._size: tuple[int, int] | None = None
        image = self._load_next()
        if image is None:
            why = "; ".join(self._notes[:3]) or "no pictures"
            raise SourceError(self._name, f"none of the pictures can be read: {why}")
        self._image: Array | None = image

    @property
    def info(self) -> SourceInfo:
        """What is delivered."""
        width, height = self._size or (0, 0)
        return SourceInfo(
            SourceKind.PICTURES, f"pictures:{self._name}", self._name, width, height, live=False,
            fps=self._fps, duration_s=len(self._paths) * self._each / self._fps,
            notes=tuple(self._notes),
        )  # fmt: skip

    def read(self, timeout_s: float = 3.0) -> Frame | None:
        """The next frame of the show; ``None`` at its end."""
        if self._closed:
            return None
        if self._shown == self._each:
            self._image, self._shown = self._load_next(), 0
        if self._image is None:
            return None
        frame = Frame(self._image.copy(), self._seq / self._fps, self._seq)
        self._seq += 1
        self._shown += 1
        return frame

    def close(self) -> None:
        """End the show."""
        self._closed = True

    def _load_next(self) -> Array | None:
        while self._at < len(self._paths):
            path = self._paths[self._at]
            self._at += 1
            try:
                image = read_picture(path).image_bgr
            except PictureError as error:
                self._notes.append(str(error))
                continue
            if self._size is None:
                height, width = image.shape[:2]
                share = min(1.0, _LONGEST_SIDE_PX / max(width, height))
                self._size = (max(1, round(width * share)), max(1, round(height * share)))
            return _fitted(image, self._size)
        return None


def _fitted(image: Array, size: tuple[int, int]) -> Array:
    """``image`` in the middle of a picture of (width, height) ``size``."""
    height, width = image.shape[:2]
    if (width, height) == size:
        return image
    share = min(size[0] / width, size[1] / height)
    inner = (max(1, round(width * share)), max(1, round(height * share)))
    way = cv2.INTER_AREA if share < 1 else cv2.INTER_LINEAR
    small = cv2.resize(image, inner, interpolation=way)
    if inner == size:
        return small
    out = np.full((size[1], size[0], 3), 114, np.uint8)
    x, y = (size[0] - inner[0]) // 2, (size[1] - inner[1]) // 2
    out[y : y + inner[1], x : x + inner[0]] = small
    return out
