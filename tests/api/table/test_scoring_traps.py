"""Traps that manual scoreboards for carrom fell into (one test each), through the table service."""

from __future__ import annotations

from typing import Any

import pytest

from api.table.memory_log import MemoryLog
from api.table.table_service import TableService
from carrom.errors import CarromError
from tests.api.table.tables import begin, miss, tell


def fall(table: TableService, *pieces: str, **more: Any) -> dict[str, Any]:
    """The seat on turn pockets these."""
    fell = [{"piece": piece, "pocket": "NE"} for piece in pieces]
    shown = miss(table, pocketed=fell, **more)["snapshot"]
    assert isinstance(shown, dict)
    return shown


def win_board(table: TableService, *, queen: bool) -> dict[str, Any]:
    """The opener takes all his men, the queen after the first."""
    seat = table.snapshot()["state"]["turn"]
    mine = table.snapshot()["match"]["colours"][seat]
    if queen:
        fall(table, mine)
        fall(table, "queen")
    shown = table.snapshot()
    while shown["state"]["phase"] == "play":
        shown = fall(table, mine)
    return shown


def test_the_queen_counts_once() -> None:
    """Nine of the opponent's men and the queen are 12, not 15."""
    shown = win_board(begin(), queen=True)
    assert sorted(shown["state"]["score"].values()) == [0, 12]


def test_a_board_gives_points_to_one_side_only() -> None:
    """Without the queen nine men are nine points; the loser gets none for his."""
    table = begin()
    seat = table.snapshot()["state"]["turn"]
    mine = table.snapshot()["match"]["colours"][seat]
    other = "black" if mine == "white" else "white"
    fall(table, mine)
    fall(table, "queen", mine)
    fall(table)
    fall(table, other)
    fall(table)
    shown = table.snapshot()
    while shown["state"]["phase"] == "play":
        shown = fall(table, mine)
    points = shown["state"]["score"]
    assert points[other] == 0
    assert points[mine] == 8 + 3


def test_a_queen_held_by_the_loser_gives_nothing() -> None:
    """Her three points go to the winner of the board or to nobody (ICF-76)."""
    table = begin()
    seat = table.snapshot()["state"]["turn"]
    mine = table.snapshot()["match"]["colours"][seat]
    other = "black" if mine == "white" else "white"
    fall(table, mine)
    fall(table, "queen", mine)
    fall(table)
    shown = table.snapshot()
    while shown["state"]["phase"] == "play":
        shown = fall(table, other)
    assert shown["state"]["score"] == {other: 7, mine: 0}


def test_the_queen_gives_nothing_from_22_points_on() -> None:
    """From 22 points of 25 on she is worth nothing to that side (ICF-76)."""
    table = begin()
    totals = []
    for _ in range(8):
        before = table.snapshot()["state"]
        seat = before["turn"]
        queen = before["points_of"][seat] < 22
        shown = win_board(table, queen=True)
        after = shown["state"]["points_of"]
        gained = after[seat] - before["points_of"][seat]
        totals.append((before["points_of"][seat], gained))
        assert gained == (12 if queen else 9), totals
        if shown["state"]["phase"] != "board_over":
            break
        tell(table, "next_board")
    assert shown["state"]["phase"] in ("game_over", "match_over")


def test_no_point_and_no_board_come_after_the_last() -> None:
    """A stray point after the end made a ninth board of eight."""
    table = begin()
    while True:
        shown = win_board(table, queen=True)
        if shown["state"]["phase"] != "board_over":
            break
        tell(table, "next_board")
    for do, more in (
        ("stroke", {"outcome": {"seat": "S", "pocketed": [{"piece": "white"}]}}),
        ("next_board", {}),
    ):
        with pytest.raises(CarromError):
            tell(table, do, **more)
    assert table.snapshot()["state"] == shown["state"]


def test_a_repeated_command_adds_one_board() -> None:
    """A command repeated by a nervous phone kept adding boards."""
    table = begin()
    seq = win_board(table, queen=False)["seq"]
    for _ in range(3):
        table.command({"do": "next_board", "seq": seq, "id": "once"}, actor="phone")
    assert table.snapshot()["state"]["board"] == 2
    with pytest.raises(CarromError):
        table.command({"do": "next_board", "seq": seq}, actor="phone")
    assert table.snapshot()["state"]["board"] == 2


def test_the_break_goes_round() -> None:
    """The wrong player broke: the log knows who opened, nobody has to remember (ICF-15)."""
    table = begin()
    openers = []
    for _ in range(3):
        openers.append(table.snapshot()["state"]["turn"])
        if win_board(table, queen=False)["state"]["phase"] != "board_over":
            break
        tell(table, "next_board")
    assert openers[:2] == ["S", "N"]


def test_resuming_writes_nothing() -> None:
    """Resume wrote zeros over the saved match before loading it."""
    log = MemoryLog()
    table = begin(log=log)
    win_board(table, queen=True)
    match_id = table.snapshot()["match"]["id"]
    rows, state = log.load(match_id), table.snapshot()["state"]
    for _ in range(2):
        again = TableService(log)
        assert again.snapshot()["state"] == state
        again.resume_match(match_id)
        assert again.snapshot()["state"] == state
    assert log.load(match_id) == rows


def test_looking_changes_no_total() -> None:
    """A cumulative column grew with each redraw."""
    table = begin()
    win_board(table, queen=True)
    first = table.snapshot()["state"]
    for _ in range(5):
        assert table.snapshot()["state"] == first


def test_a_match_that_is_undone_from_its_end_is_open_again() -> None:
    """Undo past the end: after a restart the match is found and goes on (lidarts#229)."""
    log = MemoryLog()
    table = begin(log=log)
    while win_board(table, queen=True)["state"]["phase"] == "board_over":
        tell(table, "next_board")
    while table.snapshot()["state"]["phase"] == "game_over":
        tell(table, "next_game")
        while win_board(table, queen=True)["state"]["phase"] == "board_over":
            tell(table, "next_board")
    assert log.matches()[0].over
    tell(table, "undo")
    assert not log.matches()[0].over
    assert TableService(log).snapshot()["state"] == table.snapshot()["state"]
