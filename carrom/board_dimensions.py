"""A size or a mass with its source, its range and how sure we are of it."""

import math
from dataclasses import dataclass
from enum import StrEnum

from carrom.errors import BoardError

__all__ = [
    "Certainty",
    "Dimension",
    "assumed",
    "board_error",
    "derived",
    "measured",
    "published",
]

_MEASURED_SOURCE = "measured on this board"


class Certainty(StrEnum):
    """Where a number comes from, best first."""

    MEASURED = "measured"  # on the very board: by its owner or by calibration
    PUBLISHED = "published"  # read in a source
    DERIVED = "derived"  # computed from published numbers
    ASSUMED = "assumed"  # a placeholder: nothing readable says it


@dataclass(frozen=True, slots=True)
class Dimension:
    """One number of a board; its unit is that of the field that holds it (``_mm``, ``_g``).

    ``low`` and ``high`` (inclusive, same unit) are what a board of this make may have: the range
    the source allows, or, for an assumed number, the range we think possible. Code that makes up
    boards (the simulated camera) draws from it; ``value`` is the default for everybody else.
    """

    value: float
    low: float
    high: float
    source: str
    certainty: Certainty

    def __post_init__(self) -> None:
        for field in ("value", "low", "high"):
            number = getattr(self, field)
            if isinstance(number, bool) or not isinstance(number, int | float):
                raise board_error(field, expected="a number", got=number)
            if not math.isfinite(number) or number < 0:
                raise board_error(field, expected="a finite number >= 0", got=number)
            object.__setattr__(self, field, float(number))
        if not self.low <= self.value <= self.high:
            got = (self.low, self.value, self.high)
            raise board_error("value", expected="low <= value <= high", got=got)
        check_text("source", self.source)
        if not isinstance(self.certainty, Certainty):
            raise board_error("certainty", expected="a Certainty", got=self.certainty)

    @property
    def tolerance(self) -> float:
        """The largest distance from ``value`` to an end of the range."""
        return max(self.high - self.value, self.value - self.low)


def board_error(path: str, *, expected: str, got: object) -> BoardError:
    """The error of a board whose number at ``path`` cannot be."""
    return BoardError(f"{path}: expected {expected}, got {got!r}")


def check_text(path: str, text: object) -> None:
    """Refuse names and sources that a line of TOML, a log or a page could not show."""
    if not isinstance(text, str) or not text or not text.isprintable():
        raise board_error(path, expected="a non-empty line of printable text", got=text)


def published(value: float, source: str, *, low: float, high: float) -> Dimension:
    """A number read in ``source`` with the range that it allows."""
    return Dimension(value, low, high, source, Certainty.PUBLISHED)


def derived(value: float, source: str, *, low: float, high: float) -> Dimension:
    """A number computed as ``source`` says."""
    return Dimension(value, low, high, source, Certainty.DERIVED)


def assumed(value: float, source: str, *, low: float, high: float) -> Dimension:
    """A placeholder; ``source`` says why this one, ``low`` and ``high`` what is thinkable."""
    return Dimension(value, low, high, source, Certainty.ASSUMED)


def measured(value: float, source: str = _MEASURED_SOURCE) -> Dimension:
    """A number known for this very board, without a range."""
    return Dimension(value, value, value, source, Certainty.MEASURED)
