"""A picture file as the eyes want it: 8 bit BGR, upright, opaque, of a size that can be worked on.

OpenCV decodes; this file asks for sizes first, turns what it says on stderr into warnings, and
answers every file that is no usable picture with a ``PictureError``.
"""

import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import IO

import cv2
import numpy as np

from carrom.errors import PictureError
from vision.arrays import Array
from vision.picture_header import PictureHeader, read_header

__all__ = [
    "MAX_FILE_BYTES",
    "MAX_JPEG_PIXELS",
    "MAX_PIXELS",
    "MIN_SIDE_PX",
    "WORK_PIXELS",
    "PictureFile",
    "decode_picture",
    "read_picture",
]

MAX_PIXELS = 120_000_000
"""Largest picture decoded whole: 0.5 GB in memory with alpha, 1 GB with 16 bits."""

MAX_JPEG_PIXELS = 260_000_000
"""JPEG decodes into a smaller picture at once: the 200 megapixels of a phone are no bomb."""

WORK_PIXELS = 20_000_000
"""Larger pictures are made smaller: a disc is then still more than 100 px across."""

MAX_FILE_BYTES = 512 * 1024 * 1024
MIN_SIDE_PX = 32
"""Nothing smaller is a photograph; ``BoardFinder`` asks for more."""

_WORK_SIDE_PX = 16_000
"""OpenCV cannot remap from sides above 32 767 px."""

_BACKGROUND = 114
"""Behind what is transparent: the grey of ``BoardCrop`` and ``letterbox``."""

_ONE_AT_A_TIME = threading.Lock()
_DAMAGE = ("corrupt", "error", "premature")


@dataclass(frozen=True, slots=True)
class PictureFile:
    """``image_bgr``: (h, w, 3) uint8, upright; smaller than the file's picture when that is large.

    ``width_px``, ``height_px``: of the file's picture, upright.
    """

    image_bgr: Array
    width_px: int
    height_px: int
    warnings: tuple[str, ...] = ()

    @property
    def scale(self) -> float:
        """Pixels of the file over pixels of ``image_bgr``."""
        return self.width_px / float(self.image_bgr.shape[1])

    def to_file_px(self, x_px: float, y_px: float) -> tuple[float, float]:
        """A point of ``image_bgr`` in pixels of the file."""
        scale = self.scale
        return (x_px + 0.5) * scale - 0.5, (y_px + 0.5) * scale - 0.5

    def to_image_px(self, x_px: float, y_px: float) -> tuple[float, float]:
        """A point in pixels of the file in those of ``image_bgr``."""
        scale = self.scale
        return (x_px + 0.5) / scale - 0.5, (y_px + 0.5) / scale - 0.5


def read_picture(path: Path) -> PictureFile:
    """The picture of a file. Raises ``PictureError`` (which names the file) if there is none."""
    where = str(path)
    try:
        if path.is_dir():
            raise PictureError(where, expected="a picture file", got="a folder")
        if not path.exists():
            raise PictureError(where, expected="a picture file", got="no such file")
        if not path.is_file():
            raise PictureError(where, expected="a picture file", got="a device or a pipe")
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            expected = f"at most {MAX_FILE_BYTES >> 20} MiB"
            raise PictureError(where, expected=expected, got=f"{size >> 20} MiB")
        data = path.read_bytes()
    except OSError as error:
        got = error.strerror or str(error)
        raise PictureError(where, expected="a file that may be read", got=got) from error
    return decode_picture(data, where)


def decode_picture(data: bytes, where: str) -> PictureFile:
    """The picture of a file's bytes; ``where`` names it in errors. Raises ``PictureError``."""
    header = read_header(data, where)
    _check_size(header, where)
    loader = _jpeg if header.kind == "JPEG" else _other
    image, said = _quietly(lambda: loader(data, header), where)
    if image is None:
        got = f"a {header.kind} file that is damaged or breaks off"
        raise PictureError(where, expected="a whole picture", got=got)
    return _finished(image, data, header, said)


def _finished(image: Array, data: bytes, header: PictureHeader, said: str) -> PictureFile:
    """The picture with its upright size and what to say of it."""
    warnings = []
    if any(word in said.lower() for word in _DAMAGE):
        warnings.append("the file is damaged: parts of the picture may be wrong")
    if header.animated or (header.kind == "GIF" and _frames_of_gif(data) > 1):
        warnings.append("more than one frame or page in the file: the first is used")
    width, height = header.width_px, header.height_px
    if (width > height) != (image.shape[1] > image.shape[0]):
        width, height = height, width
    image = _smaller(image)
    if image.shape[1] != width:
        got = f"{image.shape[1]} x {image.shape[0]}"
        warnings.append(f"{width} x {height} px is more than needed: looked at as {got} px")
    return PictureFile(image, width, height, tuple(warnings))


def _check_size(header: PictureHeader, where: str) -> None:
    size = f"{header.width_px} x {header.height_px} px"
    if min(header.width_px, header.height_px) < MIN_SIDE_PX:
        raise PictureError(where, expected=f"at least {MIN_SIDE_PX} px a side", got=size)
    most = MAX_JPEG_PIXELS if header.kind == "JPEG" else MAX_PIXELS
    if header.width_px * header.height_px > most:
        expected = f"at most {most // 1_000_000} megapixels in a {header.kind} file"
        raise PictureError(where, expected=expected, got=size)


def _jpeg(data: bytes, header: PictureHeader) -> Array | None:
    """Upright BGR; large ones at a half, a quarter or an eighth."""
    pixels = header.width_px * header.height_px
    flag = cv2.IMREAD_COLOR
    if pixels > 16 * WORK_PIXELS:
        flag = cv2.IMREAD_REDUCED_COLOR_8
    elif pixels > 4 * WORK_PIXELS:
        flag = cv2.IMREAD_REDUCED_COLOR_4
    elif pixels > WORK_PIXELS:
        flag = cv2.IMREAD_REDUCED_COLOR_2
    return cv2.imdecode(np.frombuffer(data, dtype=np.uint8), flag)


def _other(data: bytes, header: PictureHeader) -> Array | None:
    """Upright BGR of a format that may have alpha, 16 bits, one channel and EXIF data."""
    buffer = np.frombuffer(data, dtype=np.uint8)
    raw, types, metadata = cv2.imdecodeWithMetadata(buffer, flags=cv2.IMREAD_UNCHANGED)
    if raw is None or raw.size == 0:
        return None
    image = _opaque(_eight_bits(raw))
    exif = [k for k, kind in enumerate(np.ravel(types)) if kind == cv2.IMAGE_METADATA_EXIF]
    if not exif or header.kind == "TIFF":  # OpenCV has turned a TIFF already
        return image
    return _turned(image, [np.asarray(metadata[k]) for k in exif])


def _eight_bits(raw: Array) -> Array:
    """16 bit levels to 8; a sensor's 10, 12 or 14 bits in a 16 bit file become bright again."""
    if raw.dtype == np.uint8:
        return raw
    if raw.dtype.kind == "f":
        colours: Array = np.clip(np.nan_to_num(raw) * 255.0, 0, 255).astype(np.uint8)
        return colours
    colour = raw[..., :3] if raw.ndim == 3 else raw
    shift = max(8, int(colour.max()).bit_length()) - 8
    out: Array = (raw >> shift).astype(np.uint8)
    if raw.ndim == 3 and raw.shape[2] == 4:
        out[..., 3] = raw[..., 3] >> 8
    return out


def _opaque(image: Array) -> Array:
    """BGR: grey in three channels; what is transparent laid on grey."""
    if image.ndim == 2 or image.shape[2] == 1:
        return cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    if image.shape[2] == 3:
        return image
    colour, alpha = np.ascontiguousarray(image[..., :3]), image[..., 3]
    if int(alpha.min()) == 255:
        return colour
    share = cv2.merge([alpha, alpha, alpha]).astype(np.uint16)
    mixed = colour * share + np.uint16(_BACKGROUND) * (255 - share) + 127
    return (mixed // 255).astype(np.uint8)


def _turned(image: Array, exif: Sequence[Array]) -> Array | None:
    """Turned as its EXIF data say: OpenCV does it while it decodes, not to alpha channels."""
    kinds = [int(cv2.IMAGE_METADATA_EXIF)] * len(exif)
    options = [int(cv2.IMWRITE_PNG_COMPRESSION), 1]
    done, buffer = cv2.imencodeWithMetadata(".png", image, kinds, list(exif), options)
    return cv2.imdecode(buffer, cv2.IMREAD_COLOR) if done else None


def _smaller(image: Array) -> Array:
    height, width = image.shape[:2]
    share = min(1.0, sqrt(WORK_PIXELS / (width * height)), _WORK_SIDE_PX / max(width, height))
    if share == 1.0:
        return image
    size = (max(1, round(width * share)), max(1, round(height * share)))
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA)


def _frames_of_gif(data: bytes) -> int:
    buffer = np.frombuffer(data, dtype=np.uint8)
    with _stderr_into(None):
        done, animation = cv2.imdecodeanimation(buffer, start=0, count=2)
    return len(animation.frames) if done else 1


def _quietly(load: Callable[[], Array | None], where: str) -> tuple[Array | None, str]:
    """What was loaded, and what the C libraries printed meanwhile."""
    with tempfile.TemporaryFile() as heard:
        try:
            with _stderr_into(heard):
                image = load()
        except cv2.error:
            image = None
        except MemoryError as error:
            got = "more than this machine's memory holds"
            raise PictureError(where, expected="a smaller picture", got=got) from error
        heard.seek(0)
        return image, heard.read(20_000).decode("utf-8", errors="replace")


@contextmanager
def _stderr_into(file: IO[bytes] | None) -> Iterator[None]:
    """libjpeg, libpng and OpenCV write to file descriptor 2 themselves: turn it away meanwhile."""
    with _ONE_AT_A_TIME:
        try:
            sys.stderr.flush()
            saved = os.dup(2)
        except (OSError, ValueError, AttributeError):  # a program without stderr
            yield
            return
        target = os.open(os.devnull, os.O_WRONLY) if file is None else os.dup(file.fileno())
        os.dup2(target, 2)
        os.close(target)
        try:
            yield
        finally:
            os.dup2(saved, 2)
            os.close(saved)
