"""A position on one line, to paste into a command, a test or a bug report.

    position = "-" | disc { space disc }
    disc     = letter x y
    letter   = "w" white | "b" black | "q" queen | "r" red | "g" green | "j" jack | "s" striker
    x, y     = sign digits "." digit          mm in the board frame: x right, y away from South

    q+0.0+0.0 s+12.5-252.6 w-31.0+0.0         queen on the spot, striker on South's base lines

``format_position`` writes this form: discs sorted by kind (w b q r g j s), x and y, one blank
between, 0.1 mm, no ``-0.0``; ``-`` is the empty position. ``parse_position`` is kinder: any order
and white space, the ``+`` of x and the decimal may be missing, letters may be capitals.

Round trip: ``parse_position(format_position(p)) == rounded(p)``, and what ``format_position``
wrote is written again to the letter.
"""

import re

from carrom.errors import NotationError, PositionError
from carrom.pieces import PieceKind
from carrom.position import Disc, Position

__all__ = ["KIND_LETTERS", "format_position", "parse_position", "rounded"]

KIND_LETTERS = {
    PieceKind.WHITE: "w",
    PieceKind.BLACK: "b",
    PieceKind.QUEEN: "q",
    PieceKind.RED: "r",
    PieceKind.GREEN: "g",
    PieceKind.JACK: "j",
    PieceKind.STRIKER: "s",
}
_KINDS = {letter: kind for kind, letter in KIND_LETTERS.items()}
_EMPTY = "-"
_TOKEN = re.compile(r"([wbqrgjs])([+-]?[0-9]{1,5}(?:\.[0-9])?)([+-][0-9]{1,5}(?:\.[0-9])?)")
_EXPECTED = "a disc such as w+12.3-45.0 (w b q r g j s, mm, at most one decimal)"


def format_position(position: Position) -> str:
    """The line that stands for ``position``, to the nearest 0.1 mm."""
    tokens = [
        f"{KIND_LETTERS[disc.kind]}{disc.x_mm:+.1f}{disc.y_mm:+.1f}"
        for disc in rounded(position).discs
    ]
    return " ".join(tokens) or _EMPTY


def parse_position(text: str, *, where: str = "position") -> Position:
    """The position that a line stands for, canonical. Raises ``NotationError`` with the token."""
    if text.strip() == _EMPTY:
        return Position()
    tokens = text.split()
    if not tokens:
        raise NotationError(where, expected="discs, or - for none", got=text)
    discs = (_disc(token, f"{where}: disc {n}") for n, token in enumerate(tokens, start=1))
    return rounded(Position(tuple(discs)))


def rounded(position: Position) -> Position:
    """Canonical form with every coordinate at the nearest 0.1 mm and no ``-0.0``."""
    discs = (
        Disc(disc.kind, round(disc.x_mm, 1) + 0.0, round(disc.y_mm, 1) + 0.0)
        for disc in position.discs
    )
    return Position(tuple(discs)).canonical()


def _disc(token: str, where: str) -> Disc:
    match = _TOKEN.fullmatch(token.lower())
    if match is None:
        raise NotationError(where, expected=_EXPECTED, got=token)
    letter, x, y = match.groups()
    try:
        return Disc(_KINDS[letter], float(x), float(y))
    except PositionError as problem:
        raise NotationError(where, expected=str(problem), got=token) from problem
