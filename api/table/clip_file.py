"""A replay as an mp4 that every browser and phone plays, the overlay burnt in."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import cv2
import numpy as np

from api.table.replay_ring import Kept
from vision.arrays import Array

__all__ = ["write_replay"]

_TICKS = 90_000
_COLOURS = {
    "white": (190, 220, 240), "black": (60, 60, 60), "queen": (60, 60, 230), "red": (60, 60, 230),
    "green": (80, 170, 60), "jack": (0, 200, 255), "striker": (255, 160, 60),
}  # fmt: skip


def write_replay(
    path: Path, frames: Sequence[Kept], *, call: str, homography: list[list[float]] | None
) -> Path:
    """Write the frames with circles on the discs and the call below; returns ``path``.

    ``homography``: board mm to px of the full picture; without one no circles are drawn.
    """
    import av

    matrix = None if homography is None else np.array(homography)
    partial = path.with_suffix(".part.mp4")
    with av.open(str(partial), "w", format="mp4", options={"movflags": "+faststart"}) as out:
        stream = None
        for kept in frames:
            image = cv2.imdecode(np.frombuffer(kept.jpeg, np.uint8), cv2.IMREAD_COLOR)
            if image is None:
                continue
            image = image[: image.shape[0] // 2 * 2, : image.shape[1] // 2 * 2]
            if stream is None:
                stream = out.add_stream("libx264", rate=30, options={"preset": "veryfast"})
                stream.width, stream.height = image.shape[1], image.shape[0]
                stream.pix_fmt = "yuv420p"
                stream.time_base = Fraction(1, _TICKS)
            picture = av.VideoFrame.from_ndarray(_drawn(image, kept, matrix, call), format="bgr24")
            picture.pts = round((kept.t_s - frames[0].t_s) * _TICKS)
            picture.time_base = Fraction(1, _TICKS)
            out.mux(stream.encode(picture))
        if stream is not None:
            out.mux(stream.encode())
    partial.replace(path)
    return path


def _drawn(image: Array, kept: Kept, matrix: Array | None, call: str) -> Array:
    out = np.ascontiguousarray(image)
    if matrix is not None:
        for disc in kept.table.get("discs", ()):
            edge = np.array([[disc["x"], disc["y"], 1.0], [disc["x"] + 16.0, disc["y"], 1.0]])
            px = edge @ matrix.T
            px = px[:, :2] / px[:, 2:] * kept.scale
            radius = max(3, round(float(np.hypot(*(px[1] - px[0])))))
            centre = (round(float(px[0, 0])), round(float(px[0, 1])))
            cv2.circle(out, centre, radius, _COLOURS.get(disc["kind"], (255, 255, 255)), 2)
    height = out.shape[0]
    cv2.rectangle(out, (0, height - 34), (out.shape[1], height), (0, 0, 0), -1)
    words = call.encode("ascii", "replace").decode()
    cv2.putText(out, words, (10, height - 11), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (255, 255, 255), 1)
    return out
