"""How well each player strikes, learned from strokes made after suggestions and kept by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import atan2, hypot, remainder, tau
from typing import TYPE_CHECKING, Any

from api.table.event_log import EventLog
from carrom.boards import ICF_BOARD
from carrom.errors import CarromError
from carrom.seats import Seat
from carrom.stroke import Stroke
from carrom.stroke_text import format_stroke, parse_stroke
from referee.state import State

if TYPE_CHECKING:
    from sim.advisor.learning import PlayerModel

__all__ = ["Meant", "PlayerHands", "meant_from", "player_at"]

_KEPT = 60
"""Pairs kept of each player: what he did a hundred strokes ago says little of today."""
_ASIDE_MM = 15.0
"""A striker laid down further from the suggested place aims at something of its own."""


@dataclass(frozen=True, slots=True)
class Meant:
    """A suggestion that was on the screen; ``aim_mm``: the centre of the striker at its first
    contact, board frame."""

    stroke: Stroke
    aim_mm: tuple[float, float]


def meant_from(shown: Meant, placement_mm: tuple[float, float]) -> Stroke | None:
    """The suggestion as a player means it who laid the striker down here: the same aim from
    another place. ``None`` if it lies too far off to be this suggestion."""
    (x, y), (to_x, to_y) = placement_mm, shown.aim_mm
    at_x, at_y = shown.stroke.placement_mm
    if hypot(x - at_x, y - at_y) > _ASIDE_MM or hypot(to_x - x, to_y - y) < 1.0:
        return None
    angle = atan2(to_y - y, to_x - x)
    return replace(shown.stroke, placement_mm=placement_mm, angle_rad=angle)


def player_at(state: State, seat: Seat) -> str:
    """The name of who sits there; the seat's, where nobody gave one."""
    players = {} if state.standing is None else state.standing.players
    return players.get(seat) or seat.name.title()


class PlayerHands:
    """Models by player's name, kept beside the matches. Not for several threads at once."""

    def __init__(self, log: EventLog) -> None:
        self._log = log

    def model(self, player: str, level: str) -> PlayerModel:
        """What is believed of a player who claims this level (``Level``)."""
        from sim.advisor.learning import PlayerModel
        from sim.advisor.skill import skill_of

        model = PlayerModel.of(skill_of(level))
        for meant, tracked in self._pairs(player):
            model = model.after(meant, tracked, placed_freely=True)
        return model

    def struck(self, player: str, shown: Sequence[Meant], tracked: Stroke) -> bool:
        """Learn from a stroke, if it can have been one of those shown: the nearest of them counts.
        Whether something was learned."""
        from sim.advisor.learning import is_the_suggested_one

        aimed = (meant_from(one, tracked.placement_mm) for one in shown)
        tries = [one for one in aimed if one is not None and is_the_suggested_one(one, tracked)]
        if not tries:
            return False
        meant = min(tries, key=lambda one: _angle_between(one, tracked))
        rows = [*self._rows(player), [format_stroke(meant), format_stroke(tracked)]]
        self._log.remember(_key(player), {"strokes": rows[-_KEPT:]})
        return True

    def _pairs(self, player: str) -> list[tuple[Stroke, Stroke]]:
        out = []  # the board only matters for a stroke without a place, which is never kept
        for row in self._rows(player):
            try:
                meant, tracked = (parse_stroke(text, ICF_BOARD) for text in row)
            except (CarromError, ValueError, TypeError, AttributeError):
                continue  # kept by another version: learned anew
            out.append((meant, tracked))
        return out

    def _rows(self, player: str) -> list[Any]:
        kept = self._log.recall(_key(player))
        rows = kept.get("strokes") if isinstance(kept, Mapping) else None
        return list(rows) if isinstance(rows, list) else []


def _key(player: str) -> str:
    return f"hand {player}"


def _angle_between(one: Stroke, other: Stroke) -> float:
    return abs(remainder(one.angle_rad - other.angle_rad, tau))
