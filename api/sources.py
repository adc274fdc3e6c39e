"""From what a person writes to a source of frames."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from api.virtual_camera import virtual_camera
from carrom.errors import SourceError
from vision.frames import FrameSource
from vision.sources.address import is_address, public_address
from vision.sources.pictures import PICTURE_SUFFIXES, PictureShow, pictures_in
from vision.sources.pushed import PushedFrames
from vision.sources.reader import FrameReader

__all__ = ["SOURCE_WORDS", "SourceChoice", "choose_source"]

SOURCE_WORDS = (
    "a video file, a picture or a folder of pictures, 0 or usb:ID (a camera), "
    "rtsp://… or http://…, phone, virtual:RULES"
)


@dataclass(frozen=True, slots=True)
class SourceChoice:
    """``shown``: what to call it in front of people, without passwords. ``live``: it does not wait
    for whoever looks. ``open``: opens it, the same one each time; raises ``SourceError``."""

    shown: str
    live: bool
    open: Callable[[], FrameSource]

    def reader(self) -> FrameReader:
        """The source with a thread of its own."""
        return FrameReader(self.open, live=self.live, name=self.shown)


def choose_source(
    text: str,
    *,
    phone: PushedFrames | None = None,
    files: bool = True,
    seconds_per_picture: float = 4.0,
) -> SourceChoice:
    """What ``text`` asks for; nothing is opened yet.

    ``phone``: where a phone's browser pushes to. ``files``: paths on this machine are allowed;
    not for what comes over the network. Raises ``SourceError`` for text that cannot be meant.
    """
    word = text.strip()
    if not word:
        raise SourceError("source", f"nothing given; expected {SOURCE_WORDS}")
    if word.lower() == "phone":
        return _phone(phone)
    if word.lower().partition(":")[0].partition("?")[0] == "virtual":
        opened, live = virtual_camera(word)
        return SourceChoice(word, live, opened)
    if is_address(word):
        return _stream(word)
    camera = _camera(word)
    if camera is not None:
        return _usb(camera)
    if not files:
        raise SourceError("source", "files of this machine are chosen on its command line only")
    return _local(Path(word).expanduser(), seconds_per_picture)


def _phone(phone: PushedFrames | None) -> SourceChoice:
    if phone is None:
        raise SourceError("phone", "phones send to the app: start `carrom` and scan its code")
    pushed = phone

    def opened() -> FrameSource:
        pushed.reopen()
        return pushed

    return SourceChoice("phone", live=True, open=opened)


def _stream(address: str) -> SourceChoice:
    def opened() -> FrameSource:
        from vision.sources.streams import NetworkStream

        return NetworkStream(address)

    return SourceChoice(public_address(address), live=True, open=opened)


def _camera(word: str) -> str | None:
    if word.isdigit():
        return word if len(word) <= 3 else None
    if word.lower().startswith("usb:"):
        name = word[4:].strip()
        if not name:
            raise SourceError("usb:", "which camera? `carrom doctor` lists their ids")
        return name
    return word if word.startswith("/dev/") else None


def _usb(camera: str) -> SourceChoice:
    def opened() -> FrameSource:
        from vision.sources.usb import UsbCamera

        return UsbCamera(camera)

    return SourceChoice(f"usb:{camera}", live=True, open=opened)


def _local(path: Path, seconds: float) -> SourceChoice:
    if not path.exists():
        raise SourceError(str(path), f"no such file; expected {SOURCE_WORDS}")
    if path.is_dir():
        found = pictures_in(path)
        name = path.name or str(path)
        return _show(found, seconds, name)
    if path.suffix.lower() in PICTURE_SUFFIXES:
        return _show([path], seconds, path.name)

    def opened() -> FrameSource:
        from vision.sources.files import VideoFile

        return VideoFile(path)

    return SourceChoice(str(path), live=False, open=opened)


def _show(paths: list[Path], seconds: float, name: str) -> SourceChoice:
    return SourceChoice(
        name, live=False, open=lambda: PictureShow(paths, seconds=seconds, name=name)
    )
