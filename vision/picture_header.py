"""What a picture file says of itself before anything is decoded: format, size, more than one frame.

Decoding a file of a few kilobytes can take gigabytes; its header tells.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from carrom.errors import PictureError

__all__ = ["PictureHeader", "read_header"]

_KNOWN = "a picture (JPEG, PNG, WebP, GIF, BMP, TIFF, AVIF, JPEG 2000 or PNM)"
_NO_PICTURES = (
    (0, b"%PDF", "a PDF"),
    (0, b"\x1a\x45\xdf\xa3", "a video (Matroska or WebM; see `carrom watch`)"),
    (8, b"AVI ", "a video (AVI; see `carrom watch`)"),
    (0, b"PK\x03\x04", "a ZIP archive"),
    (0, b"\x1f\x8b", "a gzip archive"),
    (0, b"<svg", "an SVG drawing"),
    (0, b"<?xml", "XML or an SVG drawing"),
    (0, b"8BPS", "a Photoshop file"),
)
_HEIF_BRANDS = (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1")
_JPEG_BARE = {0x01, 0xD8, *range(0xD0, 0xD8)}
_JPEG_FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}


@dataclass(frozen=True, slots=True)
class PictureHeader:
    """``width_px``, ``height_px`` as stored, before any EXIF rotation.

    ``animated``: True when the header says that there is more than one frame or page; a GIF's says
    nothing.
    """

    kind: str
    width_px: int
    height_px: int
    animated: bool = False


def read_header(data: bytes, where: str) -> PictureHeader:
    """The header of a file's bytes. Raises ``PictureError`` for what is no picture, or broken."""
    if not data:
        raise PictureError(where, expected="a picture", got="an empty file")
    try:
        header = _header(data, where)
    except (struct.error, IndexError, ValueError):
        raise PictureError(
            where, expected="a whole picture", got="a file that breaks off"
        ) from None
    if header is None:
        raise PictureError(where, expected=_KNOWN, got=_guess(data))
    if min(header.width_px, header.height_px) < 1:
        got = f"{header.width_px} x {header.height_px} px"
        raise PictureError(where, expected="a picture with a size", got=got)
    return header


def _header(data: bytes, where: str) -> PictureHeader | None:
    if data.startswith(b"\xff\xd8\xff"):
        return _jpeg(data)
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        width, height = struct.unpack_from(">II", data, 16)
        return PictureHeader("PNG", width, height, b"acTL" in data[: data.index(b"IDAT")])
    if data[:6] in (b"GIF87a", b"GIF89a"):
        return PictureHeader("GIF", *struct.unpack_from("<HH", data, 6))
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _webp(data)
    if data[:2] == b"BM":
        return _bmp(data)
    if data[:4] in (b"II*\0", b"MM\0*"):
        return _tiff(data, "<" if data[:1] == b"I" else ">")
    if data[4:8] == b"ftyp":
        return _iso_media(data, where)
    if data.startswith(b"\x00\x00\x00\x0cjP  \r\n\x87\n"):
        height, width = struct.unpack_from(">II", data, data.index(b"ihdr") + 4)
        return PictureHeader("JPEG 2000", width, height)
    if data[:1] == b"P" and data[1:2] in b"123456" and data[2:3].isspace():
        return _pnm(data)
    return None


def _jpeg(data: bytes) -> PictureHeader:
    """The first frame header among the marker segments."""
    at = 2
    while True:
        if data[at] != 0xFF:
            raise ValueError
        marker = data[at + 1]
        if marker == 0xFF:  # fill byte
            at += 1
        elif marker in _JPEG_BARE:
            at += 2
        elif marker in _JPEG_FRAMES:
            height, width = struct.unpack_from(">HH", data, at + 5)
            return PictureHeader("JPEG", width, height)
        elif marker in (0xD9, 0xDA):
            raise ValueError
        else:
            at += 2 + int(struct.unpack_from(">H", data, at + 2)[0])


def _webp(data: bytes) -> PictureHeader:
    kind = data[12:16]
    if kind == b"VP8X":
        width = 1 + int.from_bytes(data[24:27], "little")
        height = 1 + int.from_bytes(data[27:30], "little")
        return PictureHeader("WebP", width, height, bool(data[20] & 2))
    if kind == b"VP8L":
        bits = int(struct.unpack_from("<I", data, 21)[0])
        return PictureHeader("WebP", 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF))
    width, height = struct.unpack_from("<HH", data, 26)
    return PictureHeader("WebP", width & 0x3FFF, height & 0x3FFF)


def _bmp(data: bytes) -> PictureHeader:
    if struct.unpack_from("<I", data, 14)[0] == 12:  # the header of OS/2
        return PictureHeader("BMP", *struct.unpack_from("<HH", data, 18))
    width, height = struct.unpack_from("<ii", data, 18)
    return PictureHeader("BMP", width, abs(height))  # rows from the top are a negative height


def _tiff(data: bytes, order: str) -> PictureHeader:
    start = int(struct.unpack_from(order + "I", data, 4)[0])
    count = int(struct.unpack_from(order + "H", data, start)[0])
    tags = {}
    for k in range(count):
        entry = start + 2 + 12 * k
        tag, form = struct.unpack_from(order + "HH", data, entry)
        tags[tag] = struct.unpack_from(order + ("H" if form == 3 else "I"), data, entry + 8)[0]
    following = struct.unpack_from(order + "I", data, start + 2 + 12 * count)[0]
    return PictureHeader("TIFF", tags.get(256, 0), tags.get(257, 0), bool(following))


def _iso_media(data: bytes, where: str) -> PictureHeader:
    brand = data[8:12]
    if brand in (b"avif", b"avis"):
        sizes = [struct.unpack_from(">II", data, at + 8) for at in _places(data, b"ispe")]
        width, height = max(sizes, key=lambda size: int(size[0]) * int(size[1]))
        return PictureHeader("AVIF", width, height, brand == b"avis")
    if brand in _HEIF_BRANDS:
        expected = "a picture saved as JPEG or PNG (export it from the phone as JPEG)"
        raise PictureError(where, expected=expected, got="HEIC")
    raise PictureError(where, expected=_KNOWN, got="a video (MP4; see `carrom watch`)")


def _places(data: bytes, word: bytes) -> Iterator[int]:
    at = data.find(word)
    if at < 0:
        raise ValueError
    while at >= 0:
        yield at
        at = data.find(word, at + 4)


def _pnm(data: bytes) -> PictureHeader:
    words: list[bytes] = []
    for line in data[2:512].splitlines():
        words += line.split(b"#")[0].split()
    return PictureHeader("PNM", int(words[0]), int(words[1]))


def _guess(data: bytes) -> str:
    for at, magic, name in _NO_PICTURES:
        if data[at : at + len(magic)] == magic:
            return name
    text = data[:64].decode("utf-8", errors="ignore")
    return "text" if text and all(c.isprintable() or c.isspace() for c in text) else "other data"
