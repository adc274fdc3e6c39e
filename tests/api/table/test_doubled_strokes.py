"""A stroke that was seen and entered by hand counts once: the table asks, a person says."""

from __future__ import annotations

from typing import Any

import pytest

from api.table.conflict import ConflictError
from api.table.memory_log import MemoryLog
from api.table.table_service import TableService
from carrom.pieces import PieceKind
from carrom.seats import Seat
from tests.api.table.seen_strokes import OPENING, see, seen_stroke, without
from tests.api.table.tables import begin, tell

_WHITE = {"seat": "S", "pocketed": [{"piece": "white", "pocket": "NE"}]}


def test_a_stroke_entered_while_it_was_seen_is_asked_about() -> None:
    """The hand was quicker than the camera (the clock of the tests stands at 100 s)."""
    table = begin()
    tell(table, "stroke", outcome=_WHITE)
    see(table, seen_stroke(PieceKind.WHITE, start_s=98.0, end_s=101.0))
    shown = table.snapshot()
    assert len(shown["calls"]) == 1
    assert shown["problem"]["code"] == "entered_by_hand"
    dropped = tell(table, "delete")["snapshot"]
    assert dropped["problem"] is None
    assert len(dropped["calls"]) == 1
    assert dropped["state"]["on_board"]["white"] == 8


def test_the_next_stroke_after_one_by_hand_is_no_double() -> None:
    """A stroke that began after the entry is another one."""
    table = begin()
    tell(table, "stroke", outcome=_WHITE)
    see(table, seen_stroke(start_s=104.0, end_s=105.0))
    shown = table.snapshot()
    assert shown["problem"] is None
    assert len(shown["calls"]) == 2


def test_entering_what_was_just_seen_is_asked_once() -> None:
    """The camera was quicker: the same stroke by hand is refused, said again it is meant."""
    table = begin()
    see(table, seen_stroke(PieceKind.WHITE))
    with pytest.raises(ConflictError) as caught:
        tell(table, "stroke", outcome=_WHITE)
    assert caught.value.since[0]["n"] == 1
    assert len(table.snapshot()["calls"]) == 1
    assert len(tell(table, "stroke", outcome=_WHITE)["snapshot"]["calls"]) == 2


def test_another_stroke_by_hand_is_not_asked_about() -> None:
    """What differs from what was seen cannot be the same."""
    table = begin()
    see(table, seen_stroke(PieceKind.WHITE))
    nothing = {"seat": "S", "pocketed": []}
    assert len(tell(table, "stroke", outcome=nothing)["snapshot"]["calls"]) == 2


def _waiting(log: MemoryLog) -> TableService:
    table = begin(log=log)
    see(table, seen_stroke(PieceKind.QUEEN, PieceKind.QUEEN, before=_two_queens()))
    assert table.snapshot()["problem"] is not None
    return table


def _two_queens() -> Any:
    from carrom.position import Disc, Position

    return Position((*OPENING, Disc(PieceKind.QUEEN, 200.0, 200.0)))


def test_a_stroke_that_waits_survives_a_restart() -> None:
    """Killed while a question is open: the question is still there, word for word."""
    log = MemoryLog()
    table = _waiting(log)
    again = TableService(log)
    assert again.snapshot()["problem"] == table.snapshot()["problem"]
    entered = tell(again, "stroke", outcome=_WHITE)["snapshot"]
    assert entered["problem"] is None
    assert again.stroke(1)["before"], "positions and times of what was seen are kept"
    assert TableService(log).snapshot()["problem"] is None


def test_the_board_that_lies_there_is_taken_over_as_the_last_stroke() -> None:
    """Accepting the board corrects the last stroke, visibly, and can be undone."""
    table = begin()
    see(table, seen_stroke())
    seen = without(OPENING, PieceKind.BLACK)
    from vision.table_events import RestSeen

    see(table, RestSeen(t_s=103.0, position=seen, confidence=0.9))
    shown = table.snapshot()
    assert shown["table"]["differs"] == {"black": -1}
    (ghost,) = shown["table"]["ghosts"]
    lost = next(disc for disc in OPENING if disc.kind is PieceKind.BLACK)
    assert (ghost["x"], ghost["y"]) == (round(lost.x_mm, 1), round(lost.y_mm, 1))
    rows = tell(table, "accept_board", accept=False)["difference"]
    assert rows
    assert table.snapshot()["state"] == shown["state"]
    after = tell(table, "accept_board")["snapshot"]
    assert after["table"]["in_step"]
    assert after["state"]["on_board"]["black"] == 8
    assert tell(table, "undo")["snapshot"]["state"] == shown["state"]


def test_a_board_that_no_stroke_explains_is_not_taken_over() -> None:
    """Never repaired silently: without a stroke there is nothing to correct."""
    from carrom.errors import MatchError
    from vision.table_events import RestSeen

    table = begin()
    see(table, RestSeen(t_s=1.0, position=without(OPENING, PieceKind.BLACK), confidence=0.9))
    with pytest.raises(MatchError):
        tell(table, "accept_board")
    assert not table.snapshot()["table"]["in_step"]


def test_hands_at_the_table_do_not_refuse_a_command() -> None:
    """A disc put back between looking and tapping is no conflict; a stroke is."""
    from carrom.position import Disc
    from vision.table_events import Returned

    table = begin()
    see(table, seen_stroke(PieceKind.WHITE, PieceKind.STRIKER))
    seq = table.snapshot()["seq"]
    see(table, Returned(t_s=103.0, disc=Disc(PieceKind.WHITE, 0.0, 0.0), order=1))
    assert table.snapshot()["seq"] == seq + 1
    table.command({"do": "undo", "seq": seq}, actor="test")
    with pytest.raises(ConflictError):
        table.command({"do": "redo", "seq": seq}, actor="test")


def test_the_wrong_place_and_the_wrong_hand_are_told() -> None:
    """What, where and by whom: a due goes to the middle, put there by the opponent (ICF-58)."""
    from carrom.position import Disc
    from vision.table_events import Returned

    table = begin()
    see(table, seen_stroke(PieceKind.WHITE, PieceKind.STRIKER))
    disc = Disc(PieceKind.WHITE, 300.0, 250.0)
    see(table, Returned(t_s=103.0, disc=disc, order=1, seat=Seat.SOUTH))
    row = table.snapshot()["state"]["must"][0]
    assert row["done"] == 1
    assert "where" in row["wrong"]
    assert ("who" in row["wrong"]) is (row["by"] not in ("umpire", "white", "S"))


def test_what_was_put_back_is_known_again_after_undo() -> None:
    """Undo goes to the state before, with the discs that had been put back already."""
    from carrom.position import Disc
    from vision.table_events import Returned

    table = begin()
    see(table, seen_stroke(PieceKind.WHITE, PieceKind.STRIKER))
    see(table, Returned(t_s=103.0, disc=Disc(PieceKind.WHITE, 0.0, 0.0), order=1))
    must = table.snapshot()["state"]["must"]
    turn = table.snapshot()["state"]["turn"]
    tell(table, "stroke", outcome={"seat": turn, "pocketed": []})
    assert tell(table, "undo")["snapshot"]["state"]["must"] == must


def test_the_first_stroke_begins_the_next_board() -> None:
    """In casual play nobody has to tap between two boards: the break that is seen begins one."""
    from referee.match_events import NextBoard
    from referee.state import Phase as Play
    from tests.api.table.test_scoring_traps import win_board

    table = begin()
    win_board(table, queen=False)
    see(table, seen_stroke(seat=Seat.NORTH, number=2, start_s=104.0, end_s=105.0))
    desk = table._keeper.playing()
    assert desk.match.state.phase is Play.PLAY
    assert any(isinstance(frame.event, NextBoard) for frame in desk.match.frames)
    assert table.snapshot()["problem"] is None
