"""Whole matches by hand, in every ruleset, without a camera."""

from __future__ import annotations

import random
from typing import Any

import pytest

from api.table.memory_log import MemoryLog
from api.table.table_service import TableService
from carrom.errors import CarromError, MatchError
from tests.api.table.tables import PLAYERS, begin, tell

_MOST = 900


def _strike(table: TableService, shown: dict[str, Any], rng: random.Random) -> None:
    """The seat on turn strikes, mostly well."""
    seat = shown["state"]["turn"]
    kinds = [kind for kind, left in shown["state"]["on_board"].items() if left]
    mine = shown["match"]["colours"][seat]
    likely = [mine] if mine in kinds and rng.random() < 0.8 else kinds
    fell = [{"piece": rng.choice(likely), "pocket": "SW"}] if rng.random() < 0.8 else []
    outcome = {"seat": seat, "pocketed": fell, "striker": "ok"}
    if shown["match"]["board"] == "hikone":
        outcome["first"] = mine if mine in kinds else "jack"
    tell(table, "stroke", outcome=outcome)


def _go_on(table: TableService, shown: dict[str, Any], rng: random.Random) -> None:
    """Whatever is due; after a stroke that cannot have happened, one in which nothing fell."""
    phase = shown["state"]["phase"]
    steps = {"board_over": "next_board", "game_over": "next_game"}
    if phase in steps:
        try:
            tell(table, steps[phase])
        except MatchError:  # an extra board: a toss says who has the break (ICF-29)
            tell(table, steps[phase], opener="N")
        return
    try:
        _strike(table, shown, rng)
    except CarromError:
        tell(table, "stroke", outcome={"seat": shown["state"]["turn"], "pocketed": []})


@pytest.mark.parametrize("rules", PLAYERS)
def test_a_match_by_hand_ends_and_is_the_same_from_its_log(rules: str) -> None:
    """Manual play is complete: from the break to a winner, board after board (users.md)."""
    log, rng = MemoryLog(), random.Random(rules)
    table = begin(rules, log=log)
    shown = table.snapshot()
    boards = 0
    for _ in range(_MOST):
        if shown["state"]["phase"] == "match_over":
            break
        boards += shown["state"]["phase"] == "board_over"
        _go_on(table, shown, rng)
        shown = table.snapshot()
    assert shown["state"]["phase"] == "match_over", shown["state"]
    assert shown["match"]["over"]
    assert log.matches()[0].over
    again = TableService(log)
    again.resume_match(shown["match"]["id"])
    assert again.snapshot()["state"] == shown["state"]
