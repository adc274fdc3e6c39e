"""The discs of the game, by kind, and how many there are of each."""

from collections.abc import Mapping
from enum import StrEnum

__all__ = ["HIKONE_SET", "INDIAN_SET", "Counts", "PieceKind"]


class PieceKind(StrEnum):
    """What a disc is. Men are white, black, red and green; the striker is no piece of the board."""

    WHITE = "white"
    BLACK = "black"
    QUEEN = "queen"
    RED = "red"
    GREEN = "green"
    JACK = "jack"
    STRIKER = "striker"


Counts = Mapping[PieceKind, int]
"""How many discs of each kind; a kind left out means none. Read-only by type."""

INDIAN_SET: Counts = {PieceKind.WHITE: 9, PieceKind.BLACK: 9, PieceKind.QUEEN: 1}
"""The pieces of an Indian board (rules.md B.1: GR-02, SE-01, ICF-14)."""

HIKONE_SET: Counts = {PieceKind.RED: 12, PieceKind.GREEN: 12, PieceKind.JACK: 1}
"""The pieces of a Hikone board (HK-01)."""
