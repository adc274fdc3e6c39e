"""Suggestions drawn on the board, as SVG text in millimetres. Pure: returns strings."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from carrom.board_marks import Point
from carrom.pieces import PieceKind
from sim.advisor.situation import Situation
from sim.advisor.skill import CLUB, Skill
from sim.advisor.suggestion import Advice, Suggestion
from sim.physics.board_svg import position_svg

__all__ = ["advice_svg", "sheet_svg"]

_COLOURS = ("#0b57d0", "#d35400", "#7b1fa2")
_SAFE = "#455a64"
_CELL_MM, _CAPTION_MM, _LINE_MM = 860.0, 150.0, 27.0


def advice_svg(
    situation: Situation, advice: Advice, *, skill: Skill = CLUB, title: str = ""
) -> str:
    """The position with every suggestion: where the striker lies, which way it goes as far as that
    may be drawn, the spread of the hand, and where the target ends in a few samples."""
    body: list[str] = []
    for number, suggestion in enumerate(advice.suggestions):
        body += _suggestion(situation, suggestion, str(number + 1), _COLOURS[number % 3], skill)
    if advice.safe is not None:
        body += _suggestion(situation, advice.safe, "S", _SAFE, skill)
    plain = position_svg(situation.position, situation.board, title=title or "Suggestions")
    head, end, tail = plain.rpartition("</g>\n</svg>")
    return head + "\n".join(body) + "\n" + end + tail


def _suggestion(
    situation: Situation, suggestion: Suggestion, label: str, colour: str, skill: Skill
) -> Iterator[str]:
    x, y = suggestion.stroke.placement_mm
    radius = situation.board.radii_mm[PieceKind.STRIKER]
    yield f'<g stroke="{colour}" fill="none" stroke-linecap="round" stroke-linejoin="round">'
    yield _spread(suggestion, colour, skill)
    for place in suggestion.ends_mm:
        yield _dot(place, colour)
    for leg in suggestion.path:
        width = 3.2 if leg.piece is PieceKind.STRIKER else 2.4
        dash = "" if leg.piece is PieceKind.STRIKER else ' stroke-dasharray="9 6"'
        points = " ".join(f"{p.x_mm:.1f},{p.y_mm:.1f}" for p in leg.points_mm)
        yield f'<polyline points="{points}" stroke-width="{width}"{dash}/>'
    yield (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="#ffffff" fill-opacity="0.85" '
        'stroke-width="3"/>'
    )
    yield _text(label, x, y, colour, 24.0)
    yield "</g>"
    if suggestion.pocket is not None:
        centre = situation.board.pocket_centres[suggestion.pocket]
        reach = 0.86
        text = f"{label}: {100 * suggestion.chance.value:.0f} %"
        drop = 26.0 * (ord(label[0]) % 3 - 1)
        yield _text(text, reach * centre.x_mm, reach * centre.y_mm + drop, colour, 22.0)


def _spread(suggestion: Suggestion, colour: str, skill: Skill) -> str:
    """A wedge of one standard deviation either way, as long as the first way of the striker."""
    first = suggestion.path[0].points_mm if suggestion.path else ()
    if len(first) < 2:
        return ""
    length = math.dist(first[0], first[1])
    sigma = skill.angle_rad_at(suggestion.stroke.speed_mm_s)
    corners = [first[0]]
    for turn in (-sigma, sigma):
        angle = suggestion.stroke.angle_rad + turn
        corners.append(
            Point(
                first[0].x_mm + length * math.cos(angle), first[0].y_mm + length * math.sin(angle)
            )
        )
    points = " ".join(f"{p.x_mm:.1f},{p.y_mm:.1f}" for p in corners)
    return f'<polygon points="{points}" fill="{colour}" fill-opacity="0.15" stroke="none"/>'


def _dot(place: Point, colour: str) -> str:
    return (
        f'<circle cx="{place.x_mm:.1f}" cy="{place.y_mm:.1f}" r="2.5" fill="{colour}" '
        'fill-opacity="0.35" stroke="none"/>'
    )


def _text(text: str, x_mm: float, y_mm: float, colour: str, size_mm: float) -> str:
    return (
        f'<text transform="translate({x_mm:.1f},{y_mm:.1f}) scale(1,-1)" font-size="{size_mm:.0f}" '
        f'font-family="sans-serif" font-weight="bold" text-anchor="middle" dy="0.35em" '
        f'fill="{colour}" stroke="#ffffff" stroke-width="4" paint-order="stroke">'
        f"{escape(text)}</text>"
    )


def sheet_svg(
    pictures: Sequence[tuple[str, Sequence[str]]], *, columns: int = 4, title: str = "Suggestions"
) -> str:
    """Many pictures on one sheet, each an SVG of ``advice_svg`` with lines of text below."""
    rows = -(-len(pictures) // columns)
    height = _CELL_MM + _CAPTION_MM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {columns * _CELL_MM:.0f} '
        f'{rows * height:.0f}" width="{columns * _CELL_MM / 2:.0f}" '
        f'height="{rows * height / 2:.0f}" role="img">',
        f"<title>{escape(title)}</title>",
        '<rect width="100%" height="100%" fill="#fbf7ef"/>',
    ]
    for number, (picture, lines) in enumerate(pictures):
        x, y = number % columns * _CELL_MM, number // columns * height
        parts.append(_cell(picture, x, y, number))
        for row, line in enumerate(lines):
            parts.append(
                f'<text x="{x + 24:.0f}" y="{y + _CELL_MM + 8 + row * _LINE_MM:.0f}" '
                f'font-size="19" font-family="sans-serif" fill="#222222">{escape(line)}</text>'
            )
    return "\n".join([*parts, "</svg>"]) + "\n"


def _cell(picture: str, x: float, y: float, number: int) -> str:
    """One picture at a place of the sheet; names inside it made its own."""
    own = picture.replace('id="surface"', f'id="surface{number}"')
    own = own.replace("url(#surface)", f"url(#surface{number})")
    head, _, rest = own.partition(">")
    view = head.partition('viewBox="')[2].partition('"')[0]
    side = _CELL_MM - 30.0
    return (
        f'<svg x="{x + 15:.0f}" y="{y + 5:.0f}" width="{side:.0f}" height="{side:.0f}" '
        f'viewBox="{view}">{rest}'
    )
