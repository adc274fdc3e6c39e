"""Strokes as a camera reports them, for the tests of the table service."""

from __future__ import annotations

import numpy as np

from api.table.table_service import TableService
from carrom.boards import ICF_BOARD
from carrom.events import FirstContact, Pocketed
from carrom.layouts import opening_position
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.position import Position
from carrom.seats import Pocket, Seat
from vision.frames import Frame
from vision.pipeline import LiveTable
from vision.table_events import Phase, Sight, StrokeSeen, TableEvent

__all__ = ["LIVE", "OPENING", "see", "seen_stroke", "without"]

LIVE = LiveTable(Phase.WAITING, None, Sight.GOOD, (), None, None, 1.0, ())
OPENING = opening_position(ICF_BOARD)


def see(table: TableService, *events: TableEvent, t_s: float = 1.0) -> None:
    """A frame with which these events became certain."""
    table.take_frame(Frame(np.zeros((4, 4, 3), dtype=np.uint8), t_s, 0), LIVE, events)


def without(position: Position, *kinds: PieceKind) -> Position:
    """A position that lacks one disc of each."""
    discs = list(position)
    for kind in kinds:
        discs.remove(next(disc for disc in discs if disc.kind is kind))
    return Position(tuple(discs))


def seen_stroke(
    *fell: PieceKind,
    seat: Seat = Seat.SOUTH,
    number: int = 1,
    start_s: float = 98.0,
    end_s: float = 99.0,
    before: Position = OPENING,
) -> StrokeSeen:
    """A stroke in which these fell."""
    pocketed = [Pocketed(piece=kind, pocket=Pocket.NORTH_EAST) for kind in fell]
    men = [kind for kind in fell if kind is not PieceKind.STRIKER]
    outcome = StrokeOutcome(
        seat=seat,
        events=(FirstContact(piece=PieceKind.WHITE), *pocketed),
        before=before,
        after=without(before, *men),
        t_start_s=start_s,
        t_end_s=end_s,
    )
    return StrokeSeen(t_s=end_s + 0.3, number=number, outcome=outcome)
