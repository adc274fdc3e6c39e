"""The board that was seen held against the record: counts, and where the difference lies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import hypot

from carrom import events as ev
from carrom.errors import MatchError
from carrom.evidence import DECLARED
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from referee.state import State

__all__ = ["as_board_lies", "count_differences", "extra_discs", "missing_discs"]


def count_differences(
    board: Position, state: State, returned: Mapping[PieceKind, int]
) -> dict[PieceKind, int]:
    """Board less record, by kind; what is still to be put back may be missing."""
    seen: Counter[PieceKind] = Counter(disc.kind for disc in board)
    del seen[PieceKind.STRIKER]
    due: Counter[PieceKind] = Counter()
    for row in state.due_back:
        due[row.piece] += row.count
    out = {}
    for kind in dict.fromkeys([*seen, *state.on_board]):
        most = state.on_board.get(kind, 0)
        least = most - max(0, due[kind] - returned.get(kind, 0))
        if seen[kind] > most:
            out[kind] = seen[kind] - most
        elif seen[kind] < least:
            out[kind] = seen[kind] - least
    return out


def missing_discs(board: Position, before: Position, kind: PieceKind, count: int) -> list[Disc]:
    """Of a kind of which ``count`` are missing: where those lay that moved furthest from all."""
    return _furthest(before.of_kind(kind), board.of_kind(kind), count)


def extra_discs(board: Position, before: Position, kind: PieceKind, count: int) -> list[Disc]:
    """Of a kind of which ``count`` are too many: those that lay there least."""
    return _furthest(board.of_kind(kind), before.of_kind(kind), count)


def _furthest(these: Sequence[Disc], those: Sequence[Disc], count: int) -> list[Disc]:
    """The discs left over when pairs are made, the nearest first."""
    pairs = sorted(
        (hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm), i, j)
        for i, a in enumerate(these)
        for j, b in enumerate(those)
    )
    mine: set[int] = set()
    taken: set[int] = set()
    for _, i, j in pairs:
        if i not in mine and j not in taken and len(mine) < len(these) - count:
            mine.add(i)
            taken.add(j)
    return [disc for i, disc in enumerate(these) if i not in mine][:count]


def as_board_lies(outcome: StrokeOutcome, differs: Mapping[PieceKind, int]) -> StrokeOutcome:
    """The stroke as it must have been for the board to lie as it does: what is missing fell, what
    is too many did not. Raises ``MatchError`` if this one stroke cannot explain it."""
    events = [e for e in outcome.events if not isinstance(e, ev.NoPiecePocketed)]
    for kind, number in differs.items():
        events += [ev.Pocketed(piece=kind, evidence=DECLARED)] * -number
        for _ in range(number):
            fell = [e for e in events if isinstance(e, ev.Pocketed) and e.piece is kind]
            if not fell:
                raise MatchError(
                    f"the last stroke does not explain {number} {kind.value} too many: correct the "
                    "strokes, or go on with the record"
                )
            events.remove(fell[-1])
    if not any(isinstance(e, ev.Pocketed) for e in events):
        events.append(ev.NoPiecePocketed(evidence=DECLARED))
    return replace(outcome, events=tuple(events))
