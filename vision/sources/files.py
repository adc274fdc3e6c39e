"""A recorded video, every frame of it, with the time stamps of the file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from carrom.errors import SourceError
from vision.frames import Frame, SourceInfo, SourceKind
from vision.sources.video_decoder import VideoDecoder, first_picture_track

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.video.stream import VideoStream as Track

__all__ = ["VideoFile"]

_CLOSE_S = 0.5
_SHORT_S = 1.0
"""A file that ends so much before its declared length was cut off."""


class VideoFile:
    """Frames of a file. Raises ``SourceError`` for a file that has none.

    Damaged packets are passed over and the frames that suffer are marked. A file that breaks off
    gives what it has; ``info.notes`` says after the end what was wrong.
    """

    def __init__(self, path: Path) -> None:
        self._name = path.name or str(path)
        self._lock = Lock()
        self._closed = False
        self._container, track = _opened(path, self._name)
        self._decoder = VideoDecoder(self._container, track, str(path))
        self._last_s = 0.0
        first = self._look_at_first(path)
        self._first: Frame | None = first
        self._info = _info(path, self._container, track, first)

    def _look_at_first(self, path: Path) -> Frame:
        try:
            first = self._decoder.next()
        except SourceError:
            self.close()
            raise
        if first is None:
            self.close()
            why = self._decoder.broke_off or "no frame in it can be decoded"
            raise SourceError(str(path), why)
        return first

    @property
    def info(self) -> SourceInfo:
        """What is delivered; the notes grow until the end."""
        return self._info

    def read(self, timeout_s: float = 3.0) -> Frame | None:
        """The next frame; ``None`` at the end. A file makes nobody wait: ``timeout_s`` is kept by
        itself."""
        with self._lock:
            if self._closed:
                return None
            first, self._first = self._first, None
            frame = first if first is not None else self._decoder.next()
            if frame is None:
                self._info = replace(self._info, notes=(*self._info.notes, *self._ending()))
                self._container.close()
                self._closed = True
            else:
                self._last_s = frame.t_s
            return frame

    def _ending(self) -> list[str]:
        decoder, out = self._decoder, []
        declared = self._info.duration_s
        if decoder.broke_off is not None:
            out.append(f"the file breaks off after {self._last_s:.1f} s: {decoder.broke_off}")
        elif declared is not None and self._last_s < declared - max(_SHORT_S, 0.02 * declared):
            out.append(f"the file breaks off after {self._last_s:.1f} s of {declared:.1f} s")
        for count, text in (
            (decoder.damaged, "damaged frames"),
            (decoder.broken_packets, "packets that cannot be decoded"),
            (decoder.clock.guessed, "frames without a time, guessed"),
            (decoder.clock.mended, "times that went back or leapt, mended"),
        ):
            if count:
                out.append(f"{text}: {count}")
        return out

    def close(self) -> None:
        """Let go of the file, after the frame that is being decoded."""
        self._closed = True
        if self._lock.acquire(timeout=_CLOSE_S):
            try:
                self._container.close()
            finally:
                self._lock.release()


def _opened(path: Path, name: str) -> tuple[InputContainer, Track]:
    import av
    from av.error import FFmpegError

    source = str(path)
    if path.is_dir():
        raise SourceError(source, "a folder, not a video")
    if not path.exists():
        raise SourceError(source, "no such file")
    try:
        if path.is_file() and path.stat().st_size == 0:
            raise SourceError(source, "an empty file")
        container = av.open(str(path), options={"protocol_whitelist": "file,pipe"})
    except FFmpegError as error:
        raise SourceError(source, _why(error)) from None
    except OSError as error:
        raise SourceError(source, error.strerror or str(error)) from None
    try:
        track = first_picture_track(container, source)
    except SourceError:
        container.close()
        raise
    track.thread_type = "AUTO"
    return container, track


def _why(error: Exception) -> str:
    from av.error import InvalidDataError

    if isinstance(error, InvalidDataError):
        return "no video, or one that breaks off before its index (an MP4 keeps it at the end)"
    return str(getattr(error, "strerror", None) or error)


def _info(path: Path, container: InputContainer, track: Track, first: Frame) -> SourceInfo:
    height, width = first.image_bgr.shape[:2]
    rate = track.average_rate or track.guessed_rate
    length_s: float | None = None
    if track.duration is not None and track.time_base is not None:
        length_s = float(track.duration * track.time_base)
    elif container.duration is not None:
        length_s = container.duration / 1e6
    return SourceInfo(
        SourceKind.FILE, f"file:{path.resolve()}", path.name, width, height, live=False,
        fps=float(rate) if rate else None,
        duration_s=length_s if length_s is not None and 0 < length_s < 1e6 else None,
    )  # fmt: skip
