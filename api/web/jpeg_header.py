"""The size of a JPEG, read from its header before anybody decodes it (ITU-T T.81, annex B)."""

from __future__ import annotations

from carrom.errors import PictureError

__all__ = ["jpeg_size"]

_FRAME_MARKERS = frozenset({0xC0, 0xC1, 0xC2})
_BARE_MARKERS = frozenset({0x01, *range(0xD0, 0xD8)})
_MAX_HEADER_BYTES = 256 * 1024
_EXPECTED = "a JPEG picture"


def jpeg_size(data: bytes, where: str = "picture") -> tuple[int, int]:
    """(width, height) in px. Raises ``PictureError`` for what is no JPEG, grey or in colours."""
    if data[:2] != b"\xff\xd8":
        raise PictureError(where, expected=_EXPECTED, got=data[:4])
    at, end = 2, min(len(data), _MAX_HEADER_BYTES)
    while at + 4 <= end:
        if data[at] != 0xFF:
            break
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if marker in _BARE_MARKERS:
            at += 2
            continue
        length = int.from_bytes(data[at + 2 : at + 4], "big")
        if marker in _FRAME_MARKERS:
            return _size_in(data[at + 4 : at + 2 + length], where)
        if marker == 0xDA or length < 2:
            break
        at += 2 + length
    raise PictureError(where, expected=_EXPECTED, got="no size in its header")


def _size_in(segment: bytes, where: str) -> tuple[int, int]:
    if len(segment) < 6 or segment[0] != 8 or segment[5] not in (1, 3):
        raise PictureError(where, expected="8 bits, 1 or 3 channels", got=segment[:6])
    height = int.from_bytes(segment[1:3], "big")
    width = int.from_bytes(segment[3:5], "big")
    if width == 0 or height == 0:
        raise PictureError(where, expected="a size above zero", got=(width, height))
    return width, height
