"""What the camera reports, entered into the match: calls, returns, boards out of step."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from api.table.desk import Desk
from api.table.table_service import TableService
from carrom.board_spec import BoardSpec
from carrom.boards import ICF_BOARD
from carrom.events import FirstContact, Pocketed
from carrom.layouts import opening_position
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from carrom.seats import Pocket, Seat
from tests.api.table.tables import begin, tell
from vision.frames import Frame
from vision.pipeline import LiveTable
from vision.table_events import (
    Disturbed,
    Phase,
    Racked,
    Restored,
    RestSeen,
    Returned,
    Sight,
    StrokeSeen,
    TableEvent,
)

_LIVE = LiveTable(Phase.WAITING, None, Sight.GOOD, (), None, None, 1.0, ())
_FRAME = Frame(np.zeros((4, 4, 3), dtype=np.uint8), 1.0, 0)


def _see(table: TableService, *events: TableEvent) -> None:
    table.take_frame(_FRAME, _LIVE, events)


def _opening(spec: BoardSpec = ICF_BOARD) -> Position:
    return opening_position(spec)


def _without(position: Position, kind: PieceKind, count: int = 1) -> Position:
    discs = list(position)
    for _ in range(count):
        discs.remove(next(d for d in discs if d.kind is kind))
    return Position(tuple(discs))


def _scratch(seat: Seat = Seat.SOUTH) -> StrokeSeen:
    before = _opening()
    outcome = StrokeOutcome(
        seat=seat,
        events=(
            FirstContact(piece=PieceKind.WHITE),
            Pocketed(piece=PieceKind.WHITE, pocket=Pocket.NORTH_EAST),
            Pocketed(piece=PieceKind.STRIKER, pocket=Pocket.NORTH_WEST),
        ),
        before=before,
        after=_without(before, PieceKind.WHITE),
        t_start_s=1.0,
        t_end_s=2.0,
    )
    return StrokeSeen(t_s=2.4, number=1, outcome=outcome)


def test_a_stroke_is_called_and_what_goes_back_is_followed() -> None:
    """A disc put back by hand is a restoration, not a new stroke (CameraChessWeb#43)."""
    table = begin()
    _see(table, _scratch())
    shown = table.snapshot()
    assert shown["calls"][-1]["fouls"] == ["striker_pocketed"]
    due = sum(row["count"] for row in shown["state"]["must"])
    assert due >= 1
    assert shown["table"]["in_step"], "what is still to be put back is missing for a reason"
    for order in range(1, due + 1):
        disc = Disc(PieceKind.WHITE, 3.0 * order, 2.0)
        _see(table, Returned(t_s=3.0, disc=disc, order=order))
    must = table.snapshot()["state"]["must"]
    assert [row["done"] for row in must] == [row["count"] for row in must]
    assert len(table.snapshot()["calls"]) == 1


def test_a_stroke_by_the_other_seat_is_out_of_turn() -> None:
    """Never pass a turn silently: whoever struck was seen, whose turn it was is known."""
    table = begin()
    seen = _scratch(Seat.NORTH)
    quiet = replace(seen.outcome, events=(FirstContact(piece=PieceKind.WHITE),), after=None)
    _see(table, replace(seen, outcome=quiet))
    assert "out_of_turn" in str(table.stroke(1)["facts"])


def test_a_board_that_differs_is_said_and_not_repaired() -> None:
    """A visible out-of-step state with ghosts, continue or accept (CameraChessWeb#175)."""
    table = begin()
    missing = _without(_opening(), PieceKind.BLACK, 2)
    _see(table, RestSeen(t_s=1.0, position=missing, confidence=0.9))
    shown = table.snapshot()
    assert not shown["table"]["in_step"]
    assert [ghost["why"] for ghost in shown["table"]["ghosts"]] == ["missing", "missing"]
    assert shown["state"]["on_board"]["black"] == 9
    assert tell(table, "continue")["snapshot"]["table"]["in_step"]


def test_a_stroke_that_cannot_have_happened_waits_for_a_person() -> None:
    """Right or silent: a queen that falls twice is a question, not a call, and no crash."""
    table = begin()
    before = _opening()
    queen = Pocketed(piece=PieceKind.QUEEN, pocket=Pocket.NORTH_EAST)
    outcome = StrokeOutcome(seat=Seat.SOUTH, events=(queen, queen), before=before)
    _see(table, StrokeSeen(t_s=2.0, number=1, outcome=outcome))
    shown = table.snapshot()
    assert shown["calls"] == []
    assert shown["problem"] is not None
    assert not shown["table"]["in_step"]
    entered = tell(table, "stroke", outcome={"seat": "S", "pocketed": []})["snapshot"]
    assert entered["problem"] is None
    assert len(entered["calls"]) == 1, "the stroke entered by hand is the one that was seen"


def test_disturbed_discs_are_to_be_put_right() -> None:
    """Discs pushed aside are asked back, and it is seen when they lie as before."""
    table = begin()
    there = Disc(PieceKind.WHITE, 10.0, 10.0)
    _see(table, Disturbed(t_s=1.0, moved=((there, Disc(PieceKind.WHITE, 40.0, 10.0)),)))
    assert any(row["do"] == "restore" for row in table.snapshot()["state"]["must"])
    _see(table, Restored(t_s=2.0))
    assert table.snapshot()["state"]["must"] == []


def test_a_racked_board_begins_nothing_in_mid_board() -> None:
    """An opening layout seen before the first stroke is no next board."""
    table = begin()
    _see(table, Racked(t_s=1.0, position=_opening()))
    assert table.snapshot()["state"]["board"] == 1


def test_the_desk_alone_is_a_fold_over_its_rows() -> None:
    """What has been put back and confirmed survives a restart without being a match event."""
    table = begin()
    _see(table, _scratch(), Returned(t_s=3.0, disc=Disc(PieceKind.WHITE, 0.0, 0.0), order=1))
    desk = table._keeper.desk
    assert desk is not None
    again = Desk((row.kind, row.body) for row in desk.rows)
    assert again.returned(PieceKind.WHITE) == desk.returned(PieceKind.WHITE) == 1
