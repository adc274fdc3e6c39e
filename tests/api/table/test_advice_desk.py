"""Suggestions at the table: a stroke made after one teaches how its player strikes."""

from __future__ import annotations

import threading
from math import radians

from api.table.advice import AdviceDesk
from api.table.memory_log import MemoryLog
from api.table.player_hands import PlayerHands
from carrom.boards import ICF_BOARD
from carrom.layouts import opening_position
from carrom.seats import Seat
from carrom.stroke import Stroke
from referee.ruleset_files import load_laws
from referee.setup import start_match

LAWS = load_laws("icf")
STATE = start_match(LAWS, {Seat.SOUTH: "Asha", Seat.NORTH: "Bo"}, Seat.SOUTH)
BOARD = opening_position(ICF_BOARD)
PATIENCE_S = 60.0


def _thought(desk: AdviceDesk, news: threading.Event) -> dict[str, object]:
    """The first suggestion that is shown."""
    news.clear()
    desk.think(BOARD, STATE, LAWS)
    assert news.wait(PATIENCE_S)
    items = desk.data()["items"]
    assert items
    first: dict[str, object] = items[0]
    return first


def _as_shown(item: dict[str, object], off_rad: float = 0.0) -> Stroke:
    x, y = item["placement"]  # type: ignore[misc]
    return Stroke(
        seat=Seat.SOUTH,
        placement_mm=(x, y),
        angle_rad=float(item["angle_rad"]) + off_rad,  # type: ignore[arg-type]
        speed_mm_s=1000.0 * float(item["speed_m_s"]),  # type: ignore[arg-type]
    )


def test_a_stroke_after_a_suggestion_is_learned_from_once() -> None:
    """The next suggestion for the same player says from how many strokes it knows him; the same
    stroke told twice, or one that nothing was suggested for, teaches nothing."""
    news = threading.Event()
    log = MemoryLog()
    desk = AdviceDesk(news.set, PlayerHands(log), workers=1)
    try:
        item = _thought(desk, news)
        assert desk.data()["learned"] == 0
        desk.stop("thinking")  # the striker moves
        desk.struck("Asha", _as_shown(item, radians(1.0)))
        desk.struck("Asha", _as_shown(item, radians(1.0)))
        _thought(desk, news)
        assert desk.data()["learned"] == 1
        assert PlayerHands(log).model("Bo", "club").strokes == 0
    finally:
        desk.close()
