"""Manual play is complete: everything a person can tell the table."""

from __future__ import annotations

from typing import Any

import pytest

from api.table.conflict import ConflictError
from carrom.errors import CarromError, MatchError, SchemaError
from tests.api.table.tables import PLAYERS, begin, miss, tell


def _score(table: Any) -> dict[str, int]:
    return dict(table.snapshot()["state"]["score"])


@pytest.mark.parametrize("rules", PLAYERS)
def test_a_stroke_entered_by_hand_is_judged_in_every_ruleset(rules: str) -> None:
    """Nobody is locked out by a missing camera (users.md, setting up)."""
    table = begin(rules)
    seat = table.snapshot()["state"]["turn"]
    shown = miss(table)["snapshot"]
    assert len(shown["calls"]) == 1
    assert shown["calls"][0]["seat"] == seat
    assert set(shown["calls"][0]["call"]) == {"en", "ja", "sv", "hi"}


def test_a_striker_in_a_pocket_asks_for_a_piece_and_says_where() -> None:
    """What to put back, how many and where is half of the umpire's work (ICF-45)."""
    table = begin()
    tell(table, "stroke", outcome={"seat": "S", "pocketed": [{"piece": "white", "pocket": "NE"}]})
    shown = tell(table, "stroke", outcome={"seat": "S", "striker": "pocketed"})["snapshot"]
    assert shown["calls"][-1]["fouls"] == ["striker_pocketed"]
    (due,) = shown["state"]["must"]
    assert (due["do"], due["piece"], due["count"]) == ("return", "white", 1)
    assert len(due["at"]) == 2


def test_a_later_log_refuses_an_earlier_sender_and_changes_nothing() -> None:
    """Two umpires correct at once: the later one sees what changed (design, bad input)."""
    table = begin()
    known = table.snapshot()["seq"]
    miss(table)
    before = table.snapshot()
    with pytest.raises(ConflictError) as caught:
        table.command({"do": "undo", "seq": known}, actor="other")
    assert caught.value.seq == before["seq"]
    assert caught.value.since[-1]["n"] == 1
    assert table.snapshot()["state"] == before["state"]


def test_a_command_sent_twice_with_its_id_happens_once() -> None:
    """A phone repeats what it has no answer for; a stroke must not count twice (dartlodge#548)."""
    table = begin()
    seat = table.snapshot()["state"]["turn"]
    data = {
        "do": "stroke", "seq": table.snapshot()["seq"], "id": "a1",
        "outcome": {"seat": seat, "pocketed": []},
    }  # fmt: skip
    first = table.command(data, actor="phone")
    again = table.command(data, actor="phone")
    assert first == again
    assert len(table.snapshot()["calls"]) == 1


def test_a_correction_shows_its_difference_before_it_is_accepted() -> None:
    """Everything after a corrected stroke is judged anew, and the difference seen first."""
    table = begin()
    tell(table, "stroke", outcome={"seat": "S", "pocketed": [{"piece": "white", "pocket": "NE"}]})
    tell(table, "stroke", outcome={"seat": "S", "pocketed": []})
    before = table.snapshot()
    nothing = {"seat": "S", "pocketed": []}
    rows = tell(table, "amend", stroke=1, outcome=nothing, accept=False)["difference"]
    assert table.snapshot()["state"] == before["state"]
    assert [row["n"] for row in rows if "n" in row] == [1, 2]
    shown = tell(table, "amend", stroke=1, outcome=nothing)["snapshot"]
    assert shown["calls"][0]["amended"]
    assert shown["state"]["on_board"]["white"] == 9


def test_undo_and_redo_reach_the_start_and_back() -> None:
    """Undo works past the end of a board or match (lidarts#229)."""
    table = begin()
    states = [table.snapshot()["state"]]
    for _ in range(6):
        states.append(miss(table)["snapshot"]["state"])
    for state in reversed(states[:-1]):
        assert tell(table, "undo")["snapshot"]["state"] == state
    assert not table.snapshot()["undo"]
    for state in states[1:]:
        assert tell(table, "redo")["snapshot"]["state"] == state
    assert not table.snapshot()["redo"]


def test_tournament_calls_wait_for_the_umpire() -> None:
    """Tournament play wants every call confirmed by a tap (CameraChessWeb#71)."""
    table = begin(mode="tournament")
    shown = miss(table)["snapshot"]
    assert shown["pending_call"]["n"] == 1
    assert not shown["calls"][0]["confirmed"]
    shown = tell(table, "confirm", stroke=1)["snapshot"]
    assert shown["pending_call"] is None
    tell(table, "suggest", on=True)
    assert table.snapshot()["suggestions"]["state"] == "locked"


def test_a_foul_that_no_camera_sees_is_declared() -> None:
    """The pad declares technical fouls; they carry who said so."""
    table = begin()
    miss(table)
    shown = tell(table, "declare", stroke=1, event={"type": "improper_stroke", "kind": "push"})
    call = shown["snapshot"]["calls"][0]
    assert call["fouls"]
    facts = table.stroke(1)["facts"]
    declared = [fact for fact in facts if fact["type"] == "improper_stroke"]
    assert declared[0]["evidence"]["source"] == "declared"


def test_likely_corrections_are_whole_outcomes() -> None:
    """One tap among likely candidates, nothing-happened included (tools-for-autodarts#97)."""
    table = begin()
    tell(table, "stroke", outcome={"seat": "S", "pocketed": [{"piece": "white", "pocket": "NE"}]})
    likely = table.stroke(1)["likely"]
    assert any(not one["outcome"]["pocketed"] for one in likely)
    for one in likely:
        assert set(one["text"]) == {"en", "ja", "sv", "hi"}
        try:
            tell(table, "amend", stroke=1, outcome=one["outcome"], accept=False)
        except MatchError as error:  # a correction may be impossible, but it must be understood
            pytest.fail(str(error))


def test_likely_corrections_are_distinct_and_name_what_was_missed() -> None:
    """Two men of a kind gave every answer twice; a miss offered no man that may have fallen."""
    table = begin()
    two = [{"piece": "white", "pocket": "NE"}, {"piece": "white", "pocket": "NE"}]
    tell(table, "stroke", outcome={"seat": "S", "pocketed": two})
    outcomes = [one["outcome"] for one in table.stroke(1)["likely"]]
    assert all(one not in outcomes[:k] for k, one in enumerate(outcomes))
    other = begin()
    miss(other)
    texts = [one["text"] for one in other.stroke(1)["likely"]]
    assert "White fell in" in [text["en"] for text in texts]
    assert "Damen gick ner" in [text["sv"] for text in texts]  # as the calls name her


@pytest.mark.parametrize(
    "data",
    [
        {"do": "nonsense"},
        {"do": "stroke"},
        {"do": "stroke", "outcome": []},
        {"do": "stroke", "outcome": {"seat": "X"}},
        {"do": "stroke", "outcome": {"seat": "S", "pocketed": [{"piece": "gold"}]}},
        {"do": "stroke", "outcome": {"seat": "S", "striker": "flying"}},
        {"do": "answer", "stroke": 1, "doubt": "x", "code": "y"},
        {"do": "amend", "stroke": 99, "outcome": {"seat": "S"}},
        {"do": "clock", "run": "yes"},
        {"do": "mode", "mode": "war"},
        {"do": "declare", "event": {"type": "unheard_of"}},
        {"do": "waive_debt", "seat": 7},
    ],
)
def test_nonsense_is_refused_and_changes_nothing(data: dict[str, Any]) -> None:
    """Whatever a page sends, the match stays as it was and the reason is said."""
    table = begin()
    miss(table)
    before = table.snapshot()
    with pytest.raises(CarromError):
        table.command({"seq": before["seq"], **data}, actor="test")
    after = table.snapshot()
    assert after["state"] == before["state"]
    assert after["seq"] == before["seq"]


def test_a_command_needs_the_number_it_knew() -> None:
    """Without it two devices would overwrite each other unseen."""
    table = begin()
    with pytest.raises(SchemaError):
        table.command({"do": "undo"}, actor="test")
