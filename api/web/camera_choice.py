"""Which sources a page may ask for: never a file of this machine, never another protocol."""

from __future__ import annotations

from carrom.errors import SourceError
from vision.sources.address import is_address, public_address

__all__ = ["check_camera_choice"]

_WORDS = ("phone", "virtual")


def check_camera_choice(source: str) -> str:
    """The source without blanks around it. Raises ``SourceError`` for what only the command line
    may open, the file system above all; network cameras by rtsp, rtsps, http and https only."""
    word = source.strip()
    lower = word.lower()
    if any(ord(letter) < 32 for letter in word):
        raise SourceError("camera", "an address of one line was expected")
    if lower in _WORDS or lower.startswith(("virtual:", "virtual?")):
        return word
    if lower.isdigit() or (lower.startswith("usb:") and _is_plain_id(word[4:])):
        return word
    if is_address(word):
        public_address(word)
        return word
    raise SourceError("camera", "files of this machine are chosen on its command line only")


def _is_plain_id(text: str) -> bool:
    return bool(text) and len(text) <= 200 and ".." not in text and not text.startswith("~")
