"""A network camera: RTSP or HTTP, with timeouts and without a backlog."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING

from carrom.errors import SourceError, SourceTimeoutError
from vision.frames import Frame, SourceInfo, SourceKind
from vision.sources.address import public_address
from vision.sources.video_decoder import VideoDecoder, first_picture_track

if TYPE_CHECKING:
    from av.container import InputContainer

__all__ = ["NetworkStream"]

_PROTOCOLS = "rtsp,rtsps,rtp,srtp,udp,tcp,tls,http,https,httpproxy,crypto"
_CLOSE_S = 0.5


class NetworkStream:
    """Frames of an address, late ones included: whoever wants the newest drops the others.

    ``open_s``, ``read_s``: FFmpeg gives up after so long without data. The id and the name carry no
    user, no password and no value of the query. Raises ``SourceError``; when the camera falls
    silent, ``SourceTimeoutError``.
    """

    def __init__(
        self,
        address: str,
        *,
        open_s: float = 5.0,
        read_s: float = 3.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._public = public_address(address)
        self._lock = Lock()
        self._closed = False
        self._clock = clock
        self._container = _opened(address.strip(), self._public, open_s, read_s)
        try:
            track = first_picture_track(self._container, self._public)
            track.thread_type = "SLICE"
            self._decoder = VideoDecoder(self._container, track, self._public)
            first = self._next()
            if first is None:
                raise SourceError(self._public, "the stream ended before its first picture")
        except SourceError:
            self._container.close()
            raise
        self._first: Frame | None = first
        height, width = first.image_bgr.shape[:2]
        rate = track.average_rate or track.guessed_rate
        self._info = SourceInfo(
            SourceKind.STREAM, self._public, self._public, width, height, live=True,
            fps=float(rate) if rate else None,
        )  # fmt: skip

    @property
    def info(self) -> SourceInfo:
        """What is delivered."""
        return self._info

    def read(self, timeout_s: float = 3.0) -> Frame | None:
        """The next frame; ``None`` when the stream has ended or after ``close``."""
        with self._lock:
            if self._closed:
                return None
            first, self._first = self._first, None
            if first is not None:
                return first
            began_s = self._clock()
            frame = self._next()
            if frame is None and not self._closed and self._clock() - began_s >= timeout_s:
                raise SourceTimeoutError(self._public, f"no picture for {timeout_s:.0f} s")
            return frame

    def _next(self) -> Frame | None:
        frame = self._decoder.next()
        if frame is None and self._decoder.broke_off is not None and not self._closed:
            raise SourceError(self._public, f"the stream broke off: {self._decoder.broke_off}")
        return frame

    def close(self) -> None:
        """Let go. A read that waits for data holds the connection until its own timeout."""
        self._closed = True
        if self._lock.acquire(timeout=_CLOSE_S):
            try:
                self._container.close()
            finally:
                self._lock.release()


def _opened(address: str, public: str, open_s: float, read_s: float) -> InputContainer:
    import av
    from av.error import ExitError, FFmpegError, InvalidDataError

    options = {"fflags": "nobuffer", "flags": "low_delay", "protocol_whitelist": _PROTOCOLS}
    if address.lower().startswith("rtsp"):
        options["rtsp_transport"] = "tcp"
    try:
        return av.open(address, options=options, timeout=(open_s, read_s))
    except ExitError:
        raise SourceTimeoutError(public, f"no answer within {open_s:.0f} s") from None
    except InvalidDataError:
        raise SourceError(public, "answers, but not with video") from None
    except FFmpegError as error:
        why = str(getattr(error, "strerror", None) or type(error).__name__)
        raise SourceError(public, why) from None
    except OSError as error:
        raise SourceError(public, error.strerror or "cannot be reached") from None
