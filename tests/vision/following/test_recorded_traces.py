"""Films as real eyes saw them, once followed wrongly; made with ``carrom watch --trace``."""

from __future__ import annotations

import gzip
from pathlib import Path

from carrom.events import Pocketed
from carrom.pieces import PieceKind
from carrom.seats import Pocket, Seat
from vision.follower import Follower
from vision.table_events import Disturbed, Returned, StrokeSeen, TableEvent, TakenOff
from vision.trace import read_trace

TRACES = Path(__file__).parent / "traces"


def _followed(name: str) -> list[TableEvent]:
    with gzip.open(TRACES / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        header, views = read_trace(lines)
        follower = Follower(header.spec)
        events = [event for view in views for event in follower.step(view)]
    return [*events, *follower.finish()]


def test_a_striker_half_under_the_hand_that_aims_it() -> None:
    """The eyes took it for a tenth white man and the break was missed; print that looked like a man
    filled the place of the man in the second pocket; a hand that hid men had them all disturbed."""
    events = _followed("striker_half_under_the_hand")
    strokes = [event for event in events if isinstance(event, StrokeSeen)]
    assert [stroke.outcome.seat for stroke in strokes] == [Seat.WEST, Seat.WEST]
    for stroke in strokes:
        assert not stroke.outcome.doubts
        fell = [e for e in stroke.outcome.events if isinstance(e, Pocketed)]
        assert [(e.piece, e.pocket) for e in fell] == [(PieceKind.WHITE, Pocket.NORTH_EAST)]
    assert not [e for e in events if isinstance(e, Disturbed | Returned | TakenOff)]


def test_a_hand_over_the_board_from_the_first_look_on() -> None:
    """The board was never seen free of hands before the break, so there was no rest to break."""
    (stroke,) = [
        event
        for event in _followed("hand_over_the_board_from_the_first_look")
        if isinstance(event, StrokeSeen)
    ]
    assert stroke.outcome.seat is Seat.NORTH
    fell = [e for e in stroke.outcome.events if isinstance(e, Pocketed)]
    assert [(e.piece, e.pocket) for e in fell] == [(PieceKind.BLACK, Pocket.SOUTH_WEST)]
