"""Draws a board and the paths of a stroke as SVG text, in millimetres. Pure: returns a string."""

from __future__ import annotations

import math
from collections.abc import Iterator
from xml.sax.saxutils import escape

from carrom.board_marks import Arc, Arrow, Circle, Ink, Line, Mark, Spot
from carrom.board_spec import BoardSpec
from carrom.pieces import PieceKind
from carrom.position import Position
from sim.physics.trajectory import Trajectory

__all__ = ["position_svg", "trajectory_svg"]

_DISC_FILL = {
    PieceKind.WHITE: "#f3e7c4",
    PieceKind.BLACK: "#35312d",
    PieceKind.QUEEN: "#c2185b",
    PieceKind.RED: "#c0392b",
    PieceKind.GREEN: "#2e8b57",
    PieceKind.JACK: "#8e6bbf",
    PieceKind.STRIKER: "#fdfdfb",
}
_PATH = {**_DISC_FILL, PieceKind.WHITE: "#a08544", PieceKind.STRIKER: "#1565c0"}
"""Lines of pale discs need a darker colour than the discs themselves."""
_INK = {Ink.BLACK: "#222222", Ink.RED: "#b3262e", Ink.WHITE: "#ffffff"}
_WOOD, _FRAME, _HOLE = "#e2bd86", "#6d4527", "#1c1512"
_MARGIN_MM = 10.0


def position_svg(position: Position, board: BoardSpec, *, title: str = "") -> str:
    """The board with discs on it."""
    body = [*_board(board), *_discs(position, board)]
    return _document(board, body, title or "A carrom position")


def trajectory_svg(trajectory: Trajectory, *, title: str = "") -> str:
    """The board before a stroke, faint, every path, and where the discs come to rest."""
    board = trajectory.board
    start = [*zip(trajectory.kinds, map(tuple, trajectory.start_mm), strict=True)]
    body = [*_board(board)]
    for kind, (x_mm, y_mm) in start:
        body.append(_disc(kind, float(x_mm), float(y_mm), board, opacity=0.35))
    for disc, kind in enumerate(trajectory.kinds):
        body += _path(trajectory, disc, kind)
    body += _discs(trajectory.end_position, board)
    return _document(board, body, title or "A simulated stroke")


def _document(board: BoardSpec, body: list[str], title: str) -> str:
    reach = board.half_mm + board.frame.breadth_mm.value + _MARGIN_MM
    size = 2 * reach
    inside = "\n".join(body)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-reach:.1f} {-reach:.1f} '
        f'{size:.1f} {size:.1f}" width="{size:.0f}" height="{size:.0f}" role="img">\n'
        f"<title>{escape(title)}</title>\n"
        f'<g transform="scale(1,-1)">\n{inside}\n</g>\n</svg>\n'
    )


def _board(board: BoardSpec) -> Iterator[str]:
    """Frame, surface, pockets, marks; y grows upwards inside the group."""
    half, breadth = board.half_mm, board.frame.breadth_mm.value
    outer = half + breadth
    yield (
        f'<rect x="{-outer:.1f}" y="{-outer:.1f}" width="{2 * outer:.1f}" '
        f'height="{2 * outer:.1f}" rx="12" fill="{_FRAME}"/>'
    )
    yield (
        f'<rect x="{-half:.1f}" y="{-half:.1f}" width="{2 * half:.1f}" height="{2 * half:.1f}" '
        f'rx="{board.corner_radius_mm:.1f}" fill="{_WOOD}"/>'
    )
    # The frame overhangs holes that are wider than the corner: only what lies on the surface shows.
    yield (
        f'<clipPath id="surface"><rect x="{-half:.1f}" y="{-half:.1f}" width="{2 * half:.1f}" '
        f'height="{2 * half:.1f}"/></clipPath>'
    )
    for centre in board.pocket_centres.values():
        yield (
            f'<circle cx="{centre.x_mm:.1f}" cy="{centre.y_mm:.1f}" '
            f'r="{board.pocket_radius_mm:.1f}" fill="{_HOLE}" clip-path="url(#surface)"/>'
        )
    for mark in board.marks:
        yield _mark(mark)


def _mark(mark: Mark) -> str:
    colour = _INK.get(mark.ink, "#222222")
    if isinstance(mark, Spot):
        x_mm, y_mm = mark.centre
        return f'<circle cx="{x_mm:.2f}" cy="{y_mm:.2f}" r="{mark.radius_mm:.2f}" fill="{colour}"/>'
    stroke = f'fill="none" stroke="{colour}" stroke-width="{max(mark.width_mm, 0.8):.2f}"'
    if isinstance(mark, Circle):
        x_mm, y_mm = mark.centre
        radius = mark.radius_mm - mark.width_mm / 2
        return f'<circle cx="{x_mm:.2f}" cy="{y_mm:.2f}" r="{radius:.2f}" {stroke}/>'
    if isinstance(mark, Line):
        return _line(mark.start, mark.end, stroke)
    if isinstance(mark, Arrow):
        return _line(mark.tail, mark.tip, stroke) + _head(mark, colour)
    assert isinstance(mark, Arc)
    return _arc(mark, stroke)


def _line(start: tuple[float, float], end: tuple[float, float], stroke: str) -> str:
    return (
        f'<line x1="{start[0]:.2f}" y1="{start[1]:.2f}" x2="{end[0]:.2f}" y2="{end[1]:.2f}" '
        f"{stroke}/>"
    )


def _head(mark: Arrow, colour: str) -> str:
    angle = math.atan2(mark.tip.y_mm - mark.tail.y_mm, mark.tip.x_mm - mark.tail.x_mm)
    corners = [(0.0, 0.0), (-9.0, 4.0), (-9.0, -4.0)]
    points = " ".join(
        f"{mark.tip.x_mm + x * math.cos(angle) - y * math.sin(angle):.2f},"
        f"{mark.tip.y_mm + x * math.sin(angle) + y * math.cos(angle):.2f}"
        for x, y in corners
    )
    return f'<polygon points="{points}" fill="{colour}"/>'


def _arc(mark: Arc, stroke: str) -> str:
    ends = []
    for angle in (mark.start_rad, mark.start_rad + mark.sweep_rad):
        ends.append(
            f"{mark.centre.x_mm + mark.radius_mm * math.cos(angle):.2f} "
            f"{mark.centre.y_mm + mark.radius_mm * math.sin(angle):.2f}"
        )
    large = 1 if abs(mark.sweep_rad) > math.pi else 0
    sweep = 1 if mark.sweep_rad > 0 else 0
    radius = f"{mark.radius_mm:.2f} {mark.radius_mm:.2f}"
    return f'<path d="M {ends[0]} A {radius} 0 {large} {sweep} {ends[1]}" {stroke}/>'


def _discs(position: Position, board: BoardSpec) -> list[str]:
    return [_disc(disc.kind, disc.x_mm, disc.y_mm, board) for disc in position]


def _disc(
    kind: PieceKind, x_mm: float, y_mm: float, board: BoardSpec, *, opacity: float = 1.0
) -> str:
    return (
        f'<circle cx="{x_mm:.2f}" cy="{y_mm:.2f}" r="{board.radii_mm[kind]:.2f}" '
        f'fill="{_DISC_FILL[kind]}" stroke="#00000088" stroke-width="0.8" opacity="{opacity}">'
        f"<title>{kind.value}</title></circle>"
    )


def _path(trajectory: Trajectory, disc: int, kind: PieceKind) -> list[str]:
    corners = trajectory.path_mm(disc)
    if len(corners) < 2:
        return []
    points = " ".join(f"{x_mm:.2f},{y_mm:.2f}" for x_mm, y_mm in corners)
    width = 3.0 if kind is PieceKind.STRIKER else 2.2
    return [
        f'<polyline points="{points}" fill="none" stroke="{_PATH[kind]}" '
        f'stroke-width="{width}" stroke-linejoin="round" stroke-linecap="round"/>'
    ]
