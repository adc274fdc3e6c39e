"""Draws what was followed over the pictures of a stroke: paths, discs, the call."""

from __future__ import annotations

import textwrap
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from carrom.board_spec import BoardSpec
from carrom.pieces import PieceKind
from vision.arrays import Array
from vision.seen import BoardSeen
from vision.table_events import StrokeSeen

__all__ = ["StrokeOverlay"]

_DARK = (20, 20, 20)
_COLOURS: dict[PieceKind, tuple[int, int, int]] = {
    PieceKind.WHITE: (255, 255, 255),
    PieceKind.BLACK: (255, 170, 60),
    PieceKind.QUEEN: (130, 70, 255),
    PieceKind.RED: (90, 90, 255),
    PieceKind.GREEN: (90, 235, 90),
    PieceKind.JACK: (0, 220, 255),
    PieceKind.STRIKER: (255, 255, 0),
}
_FONT = cv2.FONT_HERSHEY_SIMPLEX
_SUB = 8
_LINES = 3

Path = Sequence[tuple[float, float, float]]


@dataclass(frozen=True, slots=True)
class StrokeOverlay:
    """``board``: as calibrated; ``call``: shown once the discs lie still. OpenCV draws Latin
    letters only: give it in English."""

    seen: StrokeSeen
    board: BoardSeen
    spec: BoardSpec
    title: str
    call: str

    def draw(self, image_bgr: Array, t_s: float, scale: float) -> Array:
        """A copy of a frame of time ``t_s``; ``scale``: its pixels over the camera's."""
        out = np.ascontiguousarray(image_bgr).copy()
        pen = max(1, round(out.shape[1] / 900))
        for kind, path in self.seen.paths_mm:
            self._draw_path(out, kind, path, t_s, scale, pen)
        _write(out, [self.title], top=True)
        end_s = self.seen.outcome.t_end_s
        if end_s is not None and t_s >= end_s:
            width = max(20, int(out.shape[1] / (9.5 * _letter(out))))
            _write(out, textwrap.wrap(self.call, width)[:_LINES], top=False)
        return out

    def _draw_path(
        self, out: Array, kind: PieceKind, path: Path, t_s: float, scale: float, pen: int
    ) -> None:
        """The way so far, and a ring where the disc is."""
        upto = bisect_right(path, t_s, key=lambda point: point[0])
        if upto == 0:
            return
        places = np.array([(x, y) for _, x, y in path[:upto]], dtype=np.float64)
        points = self.board.camera.board_to_px(places) * scale
        points = points[np.isfinite(points).all(axis=1)]
        if not len(points):
            return
        line = np.round(np.clip(points, -4000, 12_000) * _SUB).astype(np.int32).reshape(-1, 1, 2)
        colour = _COLOURS[kind]
        for tone, width in ((_DARK, pen + 2), (colour, pen)):
            cv2.polylines(out, [line], False, tone, width, cv2.LINE_AA, 3)  # noqa: FBT003
        radius = self._radius_px(kind, places[-1]) * scale
        if radius > 0:
            at = (int(line[-1, 0, 0]), int(line[-1, 0, 1]))
            for tone, width in ((_DARK, pen + 2), (colour, pen + 1)):
                cv2.circle(out, at, round(radius * _SUB), tone, width, cv2.LINE_AA, 3)

    def _radius_px(self, kind: PieceKind, at_mm: Array) -> float:
        radius = self.spec.radii_mm.get(kind, 16.0)
        beside = at_mm + np.array([radius, 0.0])
        pair = self.board.camera.board_to_px(np.stack([at_mm, beside]))
        length = float(np.hypot(*(pair[1] - pair[0])))
        return length if np.isfinite(length) and length < 1000 else 0.0


def _letter(out: Array) -> float:
    return max(0.4, float(out.shape[1]) / 1600)


def _write(out: Array, rows: Sequence[str], *, top: bool) -> None:
    """Rows of text on a dark band at the upper or lower edge."""
    if not rows:
        return
    size = _letter(out)
    step = round(30 * size)
    height = step * len(rows) + step // 2
    start = 0 if top else out.shape[0] - height
    band = out[start : start + height]
    np.copyto(band, (band * 0.35).astype(np.uint8))
    pen = max(1, round(1.5 * size))
    for k, row in enumerate(rows):
        text = row.encode("ascii", "replace").decode("ascii")
        at = (step // 2, start + step * (k + 1) - step // 8)
        cv2.putText(out, text, at, _FONT, size, (255, 255, 255), pen, cv2.LINE_AA)
