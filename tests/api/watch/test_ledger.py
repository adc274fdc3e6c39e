"""What the table reports becomes lines and a match."""

import json
from typing import Any

from api.watch.ledger import Ledger
from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from carrom.seats import Seat
from referee.phrases import Language
from referee.ruleset_files import load_laws
from tests.api.watch.scripted import B, K, W, board_seen, doubt, stroke
from vision.table_events import (
    BoardMoved,
    Calibrated,
    Disturbed,
    HandsSeen,
    RestSeen,
    Returned,
    Sight,
    SightChanged,
    TableEvent,
    TakenOff,
)

NAMES = {Seat.SOUTH: "Asha", Seat.NORTH: "Bo"}


def _ledger(**more: Any) -> Ledger:
    return Ledger(load_laws("icf"), NAMES, **more)


def _types(rows: list[dict[str, Any]]) -> list[str]:
    return [row["type"] for row in rows]


def test_stroke_line_has_what_the_contract_names() -> None:
    """Programs rely on these keys."""
    (row,) = _ledger().take(stroke(1, Seat.SOUTH, W))
    assert {
        "type", "t_s", "n", "seat", "t_start_s", "t_end_s", "placement_mm", "events", "before",
        "after", "doubts", "ruling",
    } <= set(row)  # fmt: skip
    assert {"fouls", "returns", "debts", "next", "board", "clauses", "text"} <= set(row["ruling"])
    assert row["events"][1] == {
        "type": "pocketed", "evidence": "observed", "t_s": 1.0, "piece": "white",
    }  # fmt: skip
    assert row["ruling"]["next"] == "S"
    assert json.loads(json.dumps(row)) == row


def test_whoever_strikes_first_has_the_break() -> None:
    """Nobody tells a recording who won the toss; unless somebody does."""
    ledger = _ledger()
    (row,) = ledger.take(stroke(1, Seat.NORTH))
    assert row["ruling"]["fouls"] == []
    row, *_ = _ledger(opener=Seat.SOUTH).take(stroke(1, Seat.NORTH))
    assert [foul["foul"] for foul in row["ruling"]["fouls"]] == ["out_of_turn"]


def test_foul_is_explained_in_the_language() -> None:
    """A call in the language of the table."""
    for language, word in ((Language.ENGLISH, "Foul"), (Language.SWEDISH, "Foul")):
        ledger = _ledger(language=language)
        ledger.take(stroke(1, Seat.SOUTH, W))
        (row,) = ledger.take(stroke(2, Seat.SOUTH, K))
        assert word in row["ruling"]["text"]
        assert row["ruling"]["reasons"]


def test_doubt_becomes_a_question() -> None:
    """What is not certain is asked, not called."""
    ledger = _ledger()
    rows = ledger.take(stroke(1, Seat.SOUTH, doubts=(doubt(),)))
    assert _types(rows) == ["stroke", "question"]
    assert rows[0]["ruling"]["pending"]
    assert [answer["code"] for answer in rows[1]["answers"]] == ["yes", "no"]


def test_impossible_stroke_is_told_and_not_judged() -> None:
    """Ten white men of nine: the record is kept, no foul is invented."""
    ledger = _ledger()
    ledger.take(stroke(1, Seat.SOUTH))
    (row,) = ledger.take(stroke(2, Seat.NORTH, *[W] * 10))
    assert row["ruling"] is None
    assert row["problem"]
    (row,) = ledger.take(stroke(3, Seat.NORTH))
    assert row["n"] == 2
    assert len(ledger.seen) == 3


def test_board_that_ends_is_told_once() -> None:
    """All own men and the queen gone: the board is over, the next begins when it is struck at."""
    ledger = _ledger()
    rows = ledger.take(stroke(1, Seat.SOUTH, *[W] * 8, PieceKind.QUEEN))
    rows += ledger.take(stroke(2, Seat.SOUTH, W))
    assert _types(rows).count("board_over") == 1
    rows = ledger.take(stroke(3, Seat.NORTH))
    assert _types(rows) == ["stroke"]
    assert ledger.match is not None
    assert ledger.match.state.board_number == 2


def test_what_hands_do_is_told() -> None:
    """Everything that is no stroke has a line of its own, before the match has begun as well."""
    disc = Disc(W, 1.0, 2.0)
    ledger = _ledger()
    events: list[tuple[TableEvent, str]] = [
        (Calibrated(t_s=0.1, board=board_seen()), "calibrated"),
        (HandsSeen(t_s=0.2, over=True), "hands"),
        (Returned(t_s=0.3, disc=disc, order=1), "returned"),
        (TakenOff(t_s=0.4, disc=disc), "disturbed"),
        (Disturbed(t_s=0.5, moved=((disc, Disc(W, 9.0, 9.0)),)), "disturbed"),
        (BoardMoved(t_s=0.6, corner_mm=12.0), "disturbed"),
        (SightChanged(t_s=0.7, sight=Sight.MOVED), "camera_lost"),
        (SightChanged(t_s=0.8, sight=Sight.GOOD), "camera_back"),
        (SightChanged(t_s=0.9, sight=Sight.DAMAGED), "camera_lost"),
    ]
    for event, name in events:
        (row,) = ledger.take(event)
        assert row["type"] == name
        assert row["t_s"] == event.t_s
        assert json.loads(json.dumps(row)) == row


def test_board_that_differs_is_asked_about_once() -> None:
    """Men are missing and no stroke took them: say so, do not repair it in silence."""
    ledger = _ledger()
    ledger.take(stroke(1, Seat.SOUTH))
    ledger.take(HandsSeen(t_s=2.9, over=False))
    rest = RestSeen(t_s=3.0, position=Position((Disc(B, 0.0, 0.0),)), confidence=0.9)
    (row,) = ledger.take(rest)
    assert row["question"] == "board_differs"
    assert row["board_less_record"] == {"black": -8, "queen": -1, "white": -9}
    assert ledger.take(rest) == []


def test_missed_stroke_makes_no_foul_of_the_next() -> None:
    """Men are gone and the other player strikes: a stroke was missed, nobody is out of turn."""
    ledger = _ledger()
    ledger.take(stroke(1, Seat.SOUTH, W))
    left = Position((Disc(B, 0.0, 0.0), Disc(W, 50.0, 0.0)))
    ledger.take(RestSeen(t_s=3.0, position=left, confidence=0.9))
    (row,) = ledger.take(stroke(4, Seat.NORTH))
    assert row["ruling"] is None
    assert "not seen" in row["problem"]
    assert ledger.match is not None
    assert ledger.match.state.last_board is None
