"""A film on disk: H.264 with the true times of its frames, and the truth as JSON lines."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np

from sim.camera.arrays import Array
from sim.camera.films.film import Film
from sim.camera.films.truth_lines import closing_lines, frame_line, header_line

__all__ = ["Written", "read_times", "write_film", "write_video"]

TICKS_PER_S = 90_000
"""Resolution of the frames' times: the clock of MPEG, 11 us."""


@dataclass(frozen=True, slots=True)
class Written:
    """What was written."""

    frames: int
    duration_s: float
    video: Path
    truth: Path | None


def write_film(
    film: Film,
    times_s: Iterable[float],
    video: Path,
    *,
    truth: Path | None = None,
    every: int = 1,
    fps: float = 30.0,
    crf: int = 23,
    preset: str = "veryfast",
) -> Written:
    """Render and encode the frames of ``times_s``; ``truth`` gets every ``every``-th frame.

    ``crf``: 18 (nearly lossless) to 35 (blocky). ``fps`` is only what the file announces.
    """
    lines: list[str] = [header_line(film)]
    count, last = 0, 0.0

    def shown() -> Iterator[tuple[float, Array]]:
        nonlocal count, last
        for frame in film.frames(times_s, truth_every=0 if truth is None else every):
            if frame.truth is not None:
                lines.append(frame_line(film, frame))
            count, last = frame.index + 1, frame.t_s
            yield frame.t_s, frame.image_bgr

    write_video(video, shown(), fps=fps, crf=crf, preset=preset)
    if truth is not None:
        truth.write_text("".join([*lines, *closing_lines(film, last)]), "utf-8")
    return Written(count, last, video, truth)


def write_video(
    path: Path,
    frames: Iterable[tuple[float, Array]],
    *,
    fps: float = 30.0,
    crf: int = 23,
    preset: str = "veryfast",
) -> None:
    """Encode (t_s, (h, w, 3) uint8 BGR) as H.264; the times are kept to 1/90 000 s."""
    with av.open(str(path), "w", options={"movflags": "+faststart"}) as container:
        stream: Any = None
        for t_s, image in frames:
            if stream is None:
                rate = Fraction(fps).limit_denominator(1001)
                stream = container.add_stream("libx264", rate=rate)
                stream.width, stream.height = image.shape[1], image.shape[0]
                stream.pix_fmt = "yuv420p"
                stream.options = {"crf": str(crf), "preset": preset, "threads": "1"}
                stream.codec_context.time_base = Fraction(1, TICKS_PER_S)
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(image), format="bgr24")
            frame.pts = round(t_s * TICKS_PER_S)
            frame.time_base = Fraction(1, TICKS_PER_S)
            for packet in stream.encode(frame):
                container.mux(packet)
        if stream is not None:
            for packet in stream.encode():
                container.mux(packet)


def read_times(path: Path) -> list[float]:
    """The times of the frames of a video, s."""
    with av.open(str(path)) as container:
        return [float(frame.time or 0.0) for frame in container.decode(video=0)]
