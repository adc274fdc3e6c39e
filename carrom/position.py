"""Where the discs lie: an immutable position, and what is wrong with it."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntFlag, auto
from math import sqrt

from carrom.board_spec import BoardSpec
from carrom.errors import PositionError
from carrom.pieces import HIKONE_SET, INDIAN_SET, PieceKind

__all__ = [
    "COORDINATE_LIMIT_MM",
    "POSITION_TOLERANCE_MM",
    "Disc",
    "Fault",
    "Position",
    "PositionProblem",
]

COORDINATE_LIMIT_MM = 10_000.0
"""No disc of a game lies farther from the centre; a coordinate beyond it is a bug or a joke."""

POSITION_TOLERANCE_MM = 1.0
"""Default slack of ``Position.faults``. Men differ from the nominal diameter by up to 0.8 mm
(30.2-31.8, rules.md B.1), so discs that touch may seem to overlap by that much. Give more for
positions seen by a camera (95 % within 1.5 mm each), less for simulated ones."""

_ORDER = {kind: index for index, kind in enumerate(PieceKind)}


class PositionProblem(IntFlag):
    """What is odd about a position. Odd is not impossible: stacks overlap, discs hang over."""

    NONE = 0
    OVERLAP = auto()  # two discs share more room than the tolerance
    OUTSIDE = auto()  # over the frame or beyond it
    IN_POCKET = auto()  # the centre is over a pocket, where nothing can rest
    TOO_MANY_WHITE = auto()
    TOO_MANY_BLACK = auto()
    TOO_MANY_QUEEN = auto()
    TOO_MANY_RED = auto()
    TOO_MANY_GREEN = auto()
    TOO_MANY_JACK = auto()
    TWO_STRIKERS = auto()  # more than one striker
    MIXED_SETS = auto()  # Indian and Hikone pieces together
    WRONG_SET = auto()  # pieces of the game this board is not painted for


_TOO_MANY = {kind: PositionProblem[f"TOO_MANY_{kind.name}"] for kind in (*INDIAN_SET, *HIKONE_SET)}


@dataclass(frozen=True, slots=True)
class Disc:
    """A disc that lies flat; centre in the board frame, mm."""

    kind: PieceKind
    x_mm: float
    y_mm: float

    def __post_init__(self) -> None:
        if not isinstance(self.kind, PieceKind):
            raise PositionError(f"kind: expected a PieceKind, got {self.kind!r}")
        limit_mm = COORDINATE_LIMIT_MM
        try:
            near = -limit_mm <= self.x_mm <= limit_mm and -limit_mm <= self.y_mm <= limit_mm
        except TypeError:
            near = False
        if not near:
            got = (self.x_mm, self.y_mm)
            raise PositionError(f"x_mm, y_mm: expected two numbers within {limit_mm}, got {got!r}")


@dataclass(frozen=True, slots=True)
class Fault:
    """One problem and the discs concerned, as indexes into ``Position.discs``."""

    problem: PositionProblem
    discs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Position:
    """The discs on the board, in the order given; equality minds the order.

    Built at camera rate: construction checks only the types. Use ``canonical()`` to compare.
    """

    discs: tuple[Disc, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.discs, tuple) or not all(isinstance(d, Disc) for d in self.discs):
            raise PositionError(f"discs: expected a tuple of Disc, got {self.discs!r}")

    def __len__(self) -> int:
        return len(self.discs)

    def __iter__(self) -> Iterator[Disc]:
        return iter(self.discs)

    def canonical(self) -> "Position":
        """The same discs sorted by kind (order of ``PieceKind``), x and y."""
        return Position(tuple(sorted(self.discs, key=_sort_key)))

    def of_kind(self, kind: PieceKind) -> tuple[Disc, ...]:
        """The discs of one kind, in order."""
        return tuple(disc for disc in self.discs if disc.kind is kind)

    def counts(self) -> dict[PieceKind, int]:
        """How many discs of each kind; kinds without a disc are left out."""
        counts: dict[PieceKind, int] = {}
        for disc in self.discs:
            counts[disc.kind] = counts.get(disc.kind, 0) + 1
        return counts

    def problems(
        self, board: BoardSpec, *, tolerance_mm: float = POSITION_TOLERANCE_MM
    ) -> PositionProblem:
        """All flags that ``faults`` finds; falsy if there are none."""
        flags = PositionProblem.NONE
        for fault in self.faults(board, tolerance_mm=tolerance_mm):
            flags |= fault.problem
        return flags

    def faults(
        self, board: BoardSpec, *, tolerance_mm: float = POSITION_TOLERANCE_MM
    ) -> tuple[Fault, ...]:
        """What is odd and which discs are concerned, in the order of the flags.

        ``tolerance_mm``: how far two discs may overlap, or a disc reach over the frame. A disc over
        a pocket is IN_POCKET, never OUTSIDE. Discs of the other game count as the board's smallest.
        """
        smallest_mm = min(board.radii_mm.values())
        radii = [board.radii_mm.get(disc.kind, smallest_mm) for disc in self.discs]
        return (
            *self._overlaps(radii, tolerance_mm),
            *self._misplaced(board, radii, tolerance_mm),
            *self._miscounted(board),
        )

    def _overlaps(self, radii: list[float], tolerance_mm: float) -> Iterator[Fault]:
        for j, b in enumerate(self.discs):
            for i in range(j):
                a = self.discs[i]
                least_mm = radii[i] + radii[j] - tolerance_mm
                dx, dy = b.x_mm - a.x_mm, b.y_mm - a.y_mm
                if least_mm > 0 and dx * dx + dy * dy < least_mm * least_mm:
                    yield Fault(PositionProblem.OVERLAP, (i, j))

    def _misplaced(
        self, board: BoardSpec, radii: list[float], tolerance_mm: float
    ) -> Iterator[Fault]:
        inside: list[int] = []
        outside: list[int] = []
        for index, disc in enumerate(self.discs):
            if board.pocket_at(disc.x_mm, disc.y_mm) is not None:
                inside.append(index)
            elif _overhang_mm(board, disc, radii[index]) > tolerance_mm:
                outside.append(index)
        if outside:
            yield Fault(PositionProblem.OUTSIDE, tuple(outside))
        if inside:
            yield Fault(PositionProblem.IN_POCKET, tuple(inside))

    def _miscounted(self, board: BoardSpec) -> Iterator[Fault]:
        by_kind: dict[PieceKind, list[int]] = {}
        for index, disc in enumerate(self.discs):
            by_kind.setdefault(disc.kind, []).append(index)
        for kind, flag in _TOO_MANY.items():
            most = INDIAN_SET.get(kind, 0) or HIKONE_SET[kind]
            if len(by_kind.get(kind, ())) > most:
                yield Fault(flag, tuple(by_kind[kind]))
        strikers = by_kind.pop(PieceKind.STRIKER, [])
        if len(strikers) > 1:
            yield Fault(PositionProblem.TWO_STRIKERS, tuple(strikers))
        wrong = sorted(
            i for kind, found in by_kind.items() if kind not in board.pieces for i in found
        )
        if wrong and any(kind in board.pieces for kind in by_kind):
            yield Fault(PositionProblem.MIXED_SETS, tuple(wrong))
        if wrong:
            yield Fault(PositionProblem.WRONG_SET, tuple(wrong))


def _sort_key(disc: Disc) -> tuple[int, float, float]:
    return _ORDER[disc.kind], disc.x_mm, disc.y_mm


def _overhang_mm(board: BoardSpec, disc: Disc, radius_mm: float) -> float:
    """How far the disc reaches over the inner edge of the frame; negative = not at all."""
    half_mm, corner_mm = board.half_mm, board.corner_radius_mm
    x_mm, y_mm = abs(disc.x_mm), abs(disc.y_mm)
    straight_mm = max(x_mm, y_mm) + radius_mm - half_mm
    dx, dy = x_mm - (half_mm - corner_mm), y_mm - (half_mm - corner_mm)
    if dx <= 0 or dy <= 0:
        return straight_mm
    return max(straight_mm, sqrt(dx * dx + dy * dy) + radius_mm - corner_mm)
