"""A player's hand is learned at the table, kept by name, and used for his next suggestions."""

from __future__ import annotations

import random
from dataclasses import replace
from math import atan2, radians

import pytest

from api.table.memory_log import MemoryLog
from api.table.player_hands import Meant, PlayerHands, meant_from
from carrom.seats import Seat
from carrom.stroke import Stroke

SHOWN = Meant(
    Stroke(seat=Seat.SOUTH, placement_mm=(0.0, -252.6), angle_rad=radians(80.0), speed_mm_s=2000.0),
    (69.5, 141.3),
)


def _played(angle_off_deg: float, x_mm: float = 0.0) -> Stroke:
    aim = atan2(SHOWN.aim_mm[1] + 252.6, SHOWN.aim_mm[0] - x_mm)
    return replace(
        SHOWN.stroke, placement_mm=(x_mm, -252.6), angle_rad=aim + radians(angle_off_deg)
    )


def test_a_wild_hand_is_found_and_kept() -> None:
    """Who claims club and scatters three degrees is advised as that, tomorrow too, and nobody else
    is."""
    log, rng = MemoryLog(), random.Random(4)
    hands = PlayerHands(log)
    before = hands.model("Asha", "club").skill
    for _ in range(40):
        assert hands.struck("Asha", [SHOWN], _played(rng.gauss(0.0, 3.0), rng.uniform(-8, 8)))
    tomorrow = PlayerHands(log)
    learned = tomorrow.model("Asha", "club")
    assert learned.strokes == 40
    assert learned.skill.angle_rad > 2.0 * before.angle_rad
    assert learned.skill.place_mm == before.place_mm  # he may lie where he likes
    assert tomorrow.model("Bo", "club").skill == before


def test_the_aim_counts_and_not_the_place() -> None:
    """A striker ten millimetres aside that meets the same spot was struck without an error."""
    meant = meant_from(SHOWN, (10.0, -252.6))
    assert meant is not None
    assert meant.angle_rad == pytest.approx(_played(0.0, 10.0).angle_rad)


def test_another_stroke_teaches_nothing() -> None:
    """Who plays something else must not be taken for one who misses."""
    hands = PlayerHands(MemoryLog())
    assert not hands.struck("Asha", [SHOWN], _played(0.0, 60.0))
    assert not hands.struck("Asha", [SHOWN], _played(35.0))
    assert not hands.struck("Asha", [], _played(0.0))
    assert hands.model("Asha", "club").strokes == 0


def test_only_the_latest_strokes_count() -> None:
    """A beginner becomes better, and the file does not grow."""
    hands = PlayerHands(MemoryLog())
    for k in range(80):
        hands.struck("Asha", [SHOWN], _played(5.0 if k < 20 else 0.1))
    learned = hands.model("Asha", "club")
    assert learned.strokes == 60
    assert learned.skill.angle_rad < radians(1.0)


@pytest.mark.parametrize("kept", [None, 3, {"strokes": 1}, {"strokes": [1, ["x"], ["a", "b"]]}])
def test_damaged_notes_are_no_notes(kept: object) -> None:
    """What an older version or a broken file left there must not end a match."""
    log = MemoryLog()
    log.remember("hand Asha", kept)
    assert PlayerHands(log).model("Asha", "casual").strokes == 0
