"""A frame, and what delivers frames."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from vision.arrays import Array

__all__ = ["Frame", "FrameSource", "SourceInfo", "SourceKind"]


class SourceKind(StrEnum):
    """Where frames come from."""

    USB = "usb"
    FILE = "file"
    STREAM = "stream"
    PICTURES = "pictures"
    PUSHED = "pushed"  # by a browser
    SIMULATED = "simulated"


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """What a source is. ``id``: stable across restarts, without credentials; ``name``: for people.

    ``live``: frames come in their own time and late ones are useless. ``fps``, ``duration_s``: as
    declared, if at all; never a base of time. ``notes``: what was asked for and not granted.
    """

    kind: SourceKind
    id: str
    name: str
    width_px: int
    height_px: int
    live: bool
    fps: float | None = None
    duration_s: float | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """``image_bgr``: (h, w, 3) uint8, upright, nobody else's. ``t_s``: seconds of the source's own
    clock (files, streams) or monotonic ones (cameras), never less than the frame before.

    ``seq``: counts what the source delivered, gaps are frames that were dropped. ``damaged``: the
    decoder reported errors. ``frozen``: exactly the picture before it, for longer than a camera's
    noise allows. ``rejoined``: the first frame after the source was lost and found again.
    """

    image_bgr: Array
    t_s: float
    seq: int
    damaged: bool = False
    frozen: bool = False
    rejoined: bool = False


class FrameSource(Protocol):
    """Delivers frames one by one. One thread reads; any thread may ``close``."""

    @property
    def info(self) -> SourceInfo:
        """What is delivered."""
        ...

    def read(self, timeout_s: float = 3.0) -> Frame | None:
        """The next frame; ``None`` at the end, and after ``close``.

        Raises ``SourceTimeoutError`` when none came in time, ``SourceError`` when none will.
        """
        ...

    def close(self) -> None:
        """Let go of the device or file within a second. More than once does no harm."""
        ...
