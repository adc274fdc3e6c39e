"""A simulated stroke as one whole number: everything about it that a law asks for.

Tens of thousands of strokes have a few dozen different codes, so few rulings judge them all. What
a code holds, lowest digit first: how many of each kind fell, whether the striker fell, whether a
piece was touched; where the laws ask for it also pieces off the board, own men in the player's own
two pockets (HL-10), a forbidden direction (GR-09) and a forbidden direct hit (HK-35).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from carrom import events as ev
from carrom.board_markings import AreaLineMarkings
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.seats import Pocket, Seat, own_pockets
from referee.options import HikoneOptions
from sim.advisor.legal_direction import crosses_base_line, must_cross_base_line
from sim.advisor.situation import Situation
from sim.physics.arrays import FloatArray, IntArray, Table
from sim.physics.batch import Batch
from sim.physics.state import F_FRAMES_BEFORE, OFF_BOARD

__all__ = ["OutcomeCodes"]

_OWN_HOLES = (0, 1)
"""SW and SE: the player's own pockets in his own frame."""
_BEYOND = sum(1 << bit for bit in (3 * 1 + 1, 3 * 1 + 2, 6, 7, 8, 3 * 3 + 1, 3 * 3 + 2))
"""Frame regions beyond South's line: the opposite frame and the side frames but their own band."""


@dataclass(frozen=True, slots=True)
class _Digit:
    """One digit of the code: what it means and how many values it has."""

    name: str
    kind: PieceKind | None = None
    columns: tuple[int, ...] = ()

    @property
    def base(self) -> int:
        return max(2, len(self.columns) + 1)


class OutcomeCodes:
    """The code of one situation's strokes. ``any_direction``: no law on it is asked (one player
    alone)."""

    def __init__(self, situation: Situation, table: Table, *, any_direction: bool) -> None:
        self._situation, self._table = situation, table
        laws, state = situation.laws, situation.state
        self._kinds = tuple(dict.fromkeys(table.kinds[:-1]))
        options = laws.options if isinstance(laws.options, HikoneOptions) else None
        self._own_pockets = options is not None and options.own_side_pockets == "forbidden"
        self._direct = state.doubles and options is not None and options.doubles_area_line_rule
        self._direction = must_cross_base_line(laws) and not any_direction
        self._leaves = situation.surface.leave_speed_mm_s is not None
        self._inside = self._inside_own_area()
        self._digits = tuple(self._layout())

    def _layout(self) -> Iterator[_Digit]:
        for kind in self._kinds:
            yield _Digit("in", kind, self._discs(kind))
        yield from (_Digit("striker_in"), _Digit("touched"))
        if self._own_pockets:
            own = self._situation.side.piece
            yield _Digit("own_pocket", own, self._discs(own))
        if self._direction:
            yield _Digit("not_across")
        if self._direct:
            yield _Digit("direct")
        if self._leaves:
            for kind in self._kinds:
                yield _Digit("off", kind, self._discs(kind))
            yield _Digit("striker_off")

    def _discs(self, kind: PieceKind) -> tuple[int, ...]:
        return tuple(i for i, k in enumerate(self._table.kinds[:-1]) if k is kind)

    def of(self, batch: Batch, strokes: FloatArray) -> IntArray:
        """(S,) int64. ``strokes``: (S, 4), the seat's frame, as simulated."""
        codes = np.zeros(len(strokes), dtype=np.int64)
        place = 1
        for digit in self._digits:
            codes += place * self._values(digit, batch, strokes)
            place *= digit.base
        return codes

    def _values(
        self, digit: _Digit, batch: Batch, strokes: FloatArray
    ) -> IntArray | NDArray[np.bool_]:
        hole, striker = batch.pocket[:, digit.columns], batch.pocket[:, -1]
        match digit.name:
            case "in":
                return np.asarray(((hole >= 0) & (hole < OFF_BOARD)).sum(axis=1))
            case "striker_in":
                return np.asarray((striker >= 0) & (striker < OFF_BOARD))
            case "touched":
                return np.asarray(batch.first_struck >= 0)
            case "own_pocket":
                return np.asarray(np.isin(hole, _OWN_HOLES).sum(axis=1))
            case "not_across":
                men, radii = self._table.men_mm, self._table.radius_mm[:-1]
                return ~crosses_base_line(strokes, self._situation.board, men, radii)
            case "direct":
                inside = np.append(self._inside, [False])[batch.first_struck]
                return np.asarray(inside & (batch.facts[:, F_FRAMES_BEFORE] & _BEYOND == 0))
            case "off":
                return np.asarray((hole == OFF_BOARD).sum(axis=1))
        return np.asarray(striker == OFF_BOARD)

    def _inside_own_area(self) -> NDArray[np.bool_]:
        """(m,) bool: the man lies wholly inside the shooter's own area (HK-35)."""
        board = self._situation.board
        if not isinstance(board.markings, AreaLineMarkings):
            return np.zeros(self._table.count - 1, dtype=np.bool_)
        radii = self._table.radius_mm[:-1]
        zones = [
            board.area_zone(Seat.SOUTH, float(x), float(y), radius_mm=float(radius))
            for (x, y), radius in zip(self._table.men_mm, radii, strict=True)
        ]
        return np.array([zone is ev.Zone.INSIDE for zone in zones], dtype=np.bool_)

    def _read(self, code: int) -> dict[tuple[str, PieceKind | None], int]:
        found = {}
        for digit in self._digits:
            found[digit.name, digit.kind] = code % digit.base
            code //= digit.base
        return found

    def outcome(self, code: int) -> StrokeOutcome:
        """The facts that the code stands for, for the referee."""
        value = self._read(code)
        seat = self._situation.seat
        events: list[ev.Event] = [self._contact(value)]
        if value.get(("not_across", None)):
            events.append(ev.ImproperStroke(kind="not_across_base_line"))
        own = value.get(("own_pocket", self._situation.side.piece), 0) if self._own_pockets else 0
        for kind in self._kinds:
            for n in range(value["in", kind]):
                in_own = kind.value == self._situation.side.value and n < own
                events.append(ev.Pocketed(piece=kind, pocket=_pocket(seat, own=in_own)))
            events += [ev.OffBoard(piece=kind)] * value.get(("off", kind), 0)
        if value["striker_in", None]:
            events.append(ev.Pocketed(piece=PieceKind.STRIKER))
        if value.get(("striker_off", None)):
            events.append(ev.OffBoard(piece=PieceKind.STRIKER))
        return StrokeOutcome(seat=seat, events=tuple(events))

    def _contact(self, value: dict[tuple[str, PieceKind | None], int]) -> ev.Event:
        if not value["touched", None]:
            return ev.NoContact()
        direct = bool(value.get(("direct", None)))
        zone = None
        if self._direct:
            zone = ev.Zone.INSIDE if direct else ev.Zone.OUTSIDE
        return ev.FirstContact(piece=self._kinds[0], zone=zone)


def _pocket(seat: Seat, *, own: bool) -> Pocket | None:
    """One of the player's own pockets, or one that no law asks for."""
    return own_pockets(seat)[0] if own else None
