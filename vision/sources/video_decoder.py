"""Frames of an opened container, one by one, past damage: what files and streams share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from carrom.errors import SourceError
from vision.frames import Frame
from vision.sources.source_clock import SourceClock
from vision.sources.video_picture import MAX_FRAME_PIXELS, picture_of

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.video.stream import VideoStream as Track

__all__ = ["VideoDecoder", "first_picture_track"]

_DAMAGE_LASTS_S = 2.0
"""So long does a damaged frame spoil those predicted from it, where no key frame comes."""


def first_picture_track(container: InputContainer, source: str) -> Track:
    """The video track that is no cover picture. Raises ``SourceError`` if there is none."""
    tracks = [
        track for track in container.streams.video
        if not int(track.disposition) & _attached_picture() and track.codec_context is not None
    ]  # fmt: skip
    if tracks:
        return tracks[0]
    if container.streams.audio:
        raise SourceError(source, "holds sound and no picture")
    raise SourceError(source, "holds no video")


def _attached_picture() -> int:
    from av.stream import Disposition

    return int(Disposition.attached_pic)


class VideoDecoder:
    """Reads ``container``. ``usual_fps``: where time stamps are missing."""

    def __init__(self, container: InputContainer, track: Track, source: str) -> None:
        rate = track.average_rate or track.guessed_rate
        self.clock = SourceClock(1.0 / float(rate) if rate else 1.0 / 30.0)
        self.delivered = self.damaged = self.broken_packets = 0
        self.broke_off: str | None = None
        self._source = source
        self._packets = container.demux(track)
        self._frames = self._decoded()
        self._now_s = 0.0
        self._spoilt_until_s = -1.0

    def next(self) -> Frame | None:
        """The next frame, ``None`` after the last. Raises ``SourceError`` for impossible sizes."""
        return next(self._frames, None)

    def _decoded(self) -> Iterator[Frame]:
        from av.error import FFmpegError

        while True:
            try:
                packet = next(self._packets, None)
            except FFmpegError as error:
                self.broke_off = _reason(error)
                return
            if packet is None:
                return
            broken = bool(packet.is_corrupt)
            try:
                frames = packet.decode()
            except FFmpegError:
                self.broken_packets += 1
                self._spoilt_until_s = self._now_s + _DAMAGE_LASTS_S
                continue
            for frame in frames:
                yield self._frame(frame, broken=broken)

    def _frame(self, frame: object, *, broken: bool) -> Frame:
        import av

        assert isinstance(frame, av.VideoFrame)
        if frame.width * frame.height > MAX_FRAME_PIXELS or min(frame.width, frame.height) < 1:
            raise SourceError(self._source, f"frames of {frame.width} x {frame.height} px")
        length = frame.duration * frame.time_base if frame.duration and frame.time_base else None
        t_s = self.clock.seconds(frame.time, None if length is None else float(length))
        self._now_s = t_s
        if frame.is_corrupt or broken:
            self._spoilt_until_s = t_s + _DAMAGE_LASTS_S
        elif frame.key_frame:
            self._spoilt_until_s = -1.0
        damaged = t_s <= self._spoilt_until_s
        self.damaged += damaged
        seq, self.delivered = self.delivered, self.delivered + 1
        return Frame(picture_of(frame), t_s, seq, damaged=damaged)


def _reason(error: Exception) -> str:
    """What FFmpeg says, without the address it names."""
    return str(getattr(error, "strerror", None) or type(error).__name__)
