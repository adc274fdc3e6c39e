"""Totals equal the sum of the boards, in every form of the sheet."""

from __future__ import annotations

import csv
import io
import json

from referee.match import Match
from referee.match_events import NextBoard
from referee.score_sheet import score_sheet
from referee.state import Team
from tests.referee.test_match import start, win_board


def two_boards() -> Match:
    match = start("icf")
    win_board(match)
    match.push(NextBoard(id="b2"))
    win_board(match)
    return match


def test_text_csv_and_json_tell_the_same() -> None:
    """One source, three forms."""
    sheet = score_sheet(two_boards().state)
    assert sheet.totals == ({Team.A: 12, Team.B: 12},)
    rows = list(csv.DictReader(io.StringIO(sheet.to_csv())))
    assert [
        (r["winner"], r["points_A"], r["points_B"], r["total_A"], r["total_B"]) for r in rows
    ] == [
        ("A", "12", "0", "12", "0"),
        ("B", "0", "12", "12", "12"),
    ]
    data = json.loads(json.dumps(sheet.to_data()))
    assert data["totals"] == [{"A": 12, "B": 12}]
    assert data["boards"][0]["queen"] == "A"
    text = sheet.to_text()
    assert "South" in text
    assert "Q 12" in text


def test_a_board_without_a_match_has_an_empty_sheet() -> None:
    """Scenario states have no match around them."""
    from dataclasses import replace

    state = replace(start("icf").state, standing=None)
    assert score_sheet(state).boards == ()


def test_a_game_won_names_the_winner() -> None:
    """25 points: three boards of twelve."""
    match = start("carrom_se")
    for board in range(5):
        if board:
            match.push(NextBoard(id=f"b{board}"))
        win_board(match)
        if match.state.phase.value == "match_over":
            break
    sheet = score_sheet(match.state)
    assert sheet.winner is Team.A
    assert "Winner: South" in sheet.to_text()
    assert sheet.totals[0][Team.A] == sum((b.points or {})[Team.A] for b in sheet.boards)
