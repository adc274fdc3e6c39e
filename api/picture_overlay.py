"""What was seen, drawn over the picture: lines with a dark seam, legible on any background."""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from api.detection_json import upright
from carrom.pieces import PieceKind
from vision.board_crop import BoardCrop
from vision.eyes import CELLS, Sight
from vision.seen import BoardSeen, DiscSeen, Place

__all__ = ["overlay"]

Image = NDArray[Any]
Colour = tuple[int, int, int]

_DARK: Colour = (20, 20, 20)
_LETTER: Colour = (255, 255, 255)
_OUTLINE: Colour = (80, 230, 255)
_COVER: Colour = (255, 60, 255)
_COLOURS: dict[PieceKind, Colour] = {
    PieceKind.WHITE: (255, 255, 255),
    PieceKind.BLACK: (255, 170, 60),
    PieceKind.QUEEN: (130, 70, 255),
    PieceKind.RED: (90, 90, 255),
    PieceKind.GREEN: (90, 235, 90),
    PieceKind.JACK: (0, 220, 255),
    PieceKind.STRIKER: (255, 255, 0),
}
_LETTERS = {kind: kind.value[0].upper() for kind in PieceKind} | {PieceKind.STRIKER: "ST"}
_CORNERS = ("NW", "NE", "SE", "SW")
_FONT = cv2.FONT_HERSHEY_SIMPLEX
_READABLE_PX = 26.0
"""Radius of a disc that a letter and a number fit into."""

_LARGEST_PX = 4096
_SUB = 8
"""Fixed-point bits of OpenCV's sub-pixel drawing are three."""


def overlay(image_bgr: Image, sight: Sight) -> Image:
    """A copy of the picture, made larger where discs are small, with everything that was seen."""
    factor = _factor(image_bgr, sight.discs)
    size = (image_bgr.shape[1] * factor, image_bgr.shape[0] * factor)
    out = cv2.resize(image_bgr, size, interpolation=cv2.INTER_CUBIC) if factor > 1 else image_bgr
    out = np.ascontiguousarray(out).copy()
    pen = max(1, round(max(size) / 1100))
    if sight.board is not None:
        _draw_covered(out, sight, sight.board, factor, pen)
        _draw_board(out, sight.board, factor, pen)
    for disc in sight.discs:
        _draw_disc(out, disc, factor, pen)
    lines = list(sight.warnings)
    if sight.board is None:
        lines.insert(0, "no board")
    _draw_lines(out, lines)
    return out


def _factor(image_bgr: Image, discs: Sequence[DiscSeen]) -> int:
    long_px = int(max(image_bgr.shape[:2]))
    room = _LARGEST_PX // long_px
    if not discs:
        return max(1, min(room, ceil(700 / long_px)))
    radius = float(np.median([disc.radius_px for disc in discs]))
    return max(1, min(room, ceil(_READABLE_PX / max(radius, 1.0)), 4))


def _fixed(points_px: NDArray[np.float64], factor: int) -> NDArray[np.int32]:
    """(n, 1, 2) for OpenCV's drawing with three bits after the point."""
    at = (np.asarray(points_px, dtype=np.float64) + 0.5) * factor - 0.5
    out: NDArray[np.int32] = np.round(np.clip(at, -30_000, 30_000) * _SUB).astype(np.int32)
    return out.reshape(-1, 1, 2)


def _seamed_line(
    out: Image, points: NDArray[np.int32], colour: Colour, pen: int, *, closed: bool
) -> None:
    for tone, width in ((_DARK, pen + 2 * max(1, pen // 2)), (colour, pen)):
        cv2.polylines(out, [points], closed, tone, width, cv2.LINE_AA, 3)


def _draw_board(out: Image, board: BoardSeen, factor: int, pen: int) -> None:
    """The outline as the lens bends it, and the corners: filled where seen, hollow where not."""
    half = board.half_mm
    ring = half * np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0], [-1.0, 1.0]])
    steps = np.linspace(0.0, 1.0, 24, endpoint=False)[:, None]
    sides = [a + (b - a) * steps for a, b in pairwise(ring)]
    outline = board.camera.board_to_px(np.concatenate(sides))
    if np.isfinite(outline).all():
        _seamed_line(out, _fixed(outline, factor), _OUTLINE, pen, closed=True)
    ring_of = upright(board).order
    for name, corner in zip(_CORNERS, (board.corners[k] for k in ring_of), strict=True):
        (point,) = _fixed(np.array([[corner.x_px, corner.y_px]]), factor)[0]
        at = (int(point[0]), int(point[1]))
        radius = 5 * pen * _SUB
        cv2.circle(
            out, at, radius + pen * _SUB, _DARK, -1 if corner.seen else 3 * pen, cv2.LINE_AA, 3
        )
        cv2.circle(out, at, radius, _OUTLINE, -1 if corner.seen else pen, cv2.LINE_AA, 3)
        where = (at[0] // _SUB + 8 * pen, at[1] // _SUB + 18 * pen)
        _text(out, f"{name} {corner.confidence:.2f}", where, 0.5 * pen, _OUTLINE)


def _draw_covered(out: Image, sight: Sight, board: BoardSeen, factor: int, pen: int) -> None:
    crop = BoardCrop(board.half_mm, CELLS)
    washed = out.copy()
    for row, column in zip(*np.nonzero(sight.covered), strict=True):
        square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) + np.array([column, row]) - 0.5
        cell = board.camera.board_to_px(crop.crop_to_mm(square))
        if np.isfinite(cell).all():
            cv2.fillPoly(washed, [_fixed(cell, factor)], _COVER, cv2.LINE_AA, 3)
            cv2.polylines(out, [_fixed(cell, factor)], True, _COVER, pen, cv2.LINE_AA, 3)  # noqa: FBT003
    cv2.addWeighted(washed, 0.35, out, 0.65, 0.0, dst=out)


def _draw_disc(out: Image, disc: DiscSeen, factor: int, pen: int) -> None:
    colour = _COLOURS[disc.kind]
    at = (np.array([disc.x_px, disc.y_px]) + 0.5) * factor - 0.5
    radius = disc.radius_px * factor
    middle = (round(float(at[0]) * _SUB), round(float(at[1]) * _SUB))
    for tone, width in ((_DARK, 3 * pen), (colour, pen)):
        cv2.circle(out, middle, round(radius * _SUB), tone, width, cv2.LINE_AA, 3)
    letter = _LETTERS[disc.kind] + ("" if disc.place is Place.SURFACE else "*")
    share = f"{100 * disc.confidence:.0f}"
    scale = radius / 34.0
    x, y = float(at[0]), float(at[1])
    _text(out, letter, (round(x), round(y - 0.12 * radius)), scale, _LETTER, centred=True)
    _text(out, share, (round(x), round(y + 0.62 * radius)), 0.8 * scale, _LETTER, centred=True)


def _draw_lines(out: Image, lines: Sequence[str]) -> None:
    scale = max(0.45, out.shape[1] / 2200)
    step = round(34 * scale)
    for k, line in enumerate(lines):
        _text(out, line, (step // 2, step * (k + 1)), scale, (120, 220, 255))


def _text(
    out: Image,
    words: str,
    at: tuple[int, int],
    scale: float,
    colour: Colour,
    *,
    centred: bool = False,
) -> None:
    """Letters with a dark seam; ``at``: left (or middle) of the base line.

    The seam is the same letters moved about: a wider pen would also be a wider font.
    """
    pen = max(1, round(1.6 * scale))
    x, y = at
    if centred:
        x -= cv2.getTextSize(words, _FONT, scale, pen)[0][0] // 2
    step = max(1, round(1.8 * scale))
    around = [(a, b) for a in (-step, 0, step) for b in (-step, 0, step)]
    for a, b in around:
        cv2.putText(out, words, (x + a, y + b), _FONT, scale, _DARK, pen, cv2.LINE_AA)
    cv2.putText(out, words, (x, y), _FONT, scale, colour, pen, cv2.LINE_AA)
