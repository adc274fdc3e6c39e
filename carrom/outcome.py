"""What happened in one stroke: the one type that camera and simulator both produce."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from carrom.doubts import Doubt
from carrom.errors import OutcomeError
from carrom.events import Event, OutOfTurn
from carrom.evidence import Source
from carrom.position import Position
from carrom.seats import Seat

__all__ = ["StrokeOutcome"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StrokeOutcome:
    """Facts of one stroke, or of one incident between strokes, once everything is at rest.

    ``seat`` is who struck. ``events`` holds what is certain, in the order observed; what is not
    certain is a ``Doubt`` whose answers bring their own events. ``before`` and ``after`` are the
    rest positions in the board frame (mm), ``placement_mm`` the striker's centre before launch,
    times are monotonic seconds. Nothing here says what is a foul: that is the referee's word.
    """

    seat: Seat
    events: tuple[Event, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    placement_mm: tuple[float, float] | None = None
    before: Position | None = None
    after: Position | None = None
    t_start_s: float | None = None
    t_end_s: float | None = None

    def __post_init__(self) -> None:
        if self.t_start_s is not None and self.t_end_s is not None:
            if not self.t_end_s >= self.t_start_s:
                raise OutcomeError(
                    f"outcome ends before it starts: {self.t_start_s!r} s to {self.t_end_s!r} s"
                )
        if self.placement_mm is not None and not all(map(math.isfinite, self.placement_mm)):
            raise OutcomeError(f"placement_mm: expected finite numbers, got {self.placement_mm!r}")
        for event in self.events:
            if isinstance(event, OutOfTurn) and event.seat is not self.seat:
                raise OutcomeError(
                    f"out_of_turn: expected the striking seat {self.seat.value!r}, "
                    f"got {event.seat.value!r}"
                )
        if self.doubts:
            self._check_doubts()

    def _check_doubts(self) -> None:
        ids = [doubt.id for doubt in self.doubts]
        if len(set(ids)) != len(ids):
            raise OutcomeError(f"doubts: expected distinct ids, got {ids!r}")
        for doubt in self.doubts:
            if doubt.at is not None and not 0 <= doubt.at <= len(self.events):
                raise OutcomeError(
                    f"doubt {doubt.id!r}: at expected 0 to {len(self.events)}, got {doubt.at!r}"
                )

    @property
    def declared(self) -> tuple[Event, ...]:
        """The events that a person declared."""
        return tuple(e for e in self.events if e.evidence.source is Source.DECLARED)

    def resolve(self, answers: Mapping[str, str]) -> StrokeOutcome:
        """The outcome with these doubts (id to answer code) settled; the others stay open.

        Raises ``OutcomeError`` for an id or a code that does not exist.
        """
        unknown = set(answers) - {doubt.id for doubt in self.doubts}
        if unknown:
            raise OutcomeError(f"no such doubt: {sorted(unknown)!r}")
        events: list[Event] = []
        end: list[Event] = []
        moved: dict[int, int] = {}
        for index in range(len(self.events) + 1):
            moved[index] = len(events)
            for doubt in self.doubts:
                if doubt.id in answers and doubt.at == index:
                    events.extend(doubt.answer(answers[doubt.id]).events)
            if index < len(self.events):
                events.append(self.events[index])
        for doubt in self.doubts:
            if doubt.id in answers and doubt.at is None:
                end.extend(doubt.answer(answers[doubt.id]).events)
        still_open = tuple(
            doubt if doubt.at is None else replace(doubt, at=moved[doubt.at])
            for doubt in self.doubts
            if doubt.id not in answers
        )
        return replace(self, events=(*events, *end), doubts=still_open)

    def most_likely(self) -> StrokeOutcome:
        """The outcome with every doubt settled by its likeliest answer."""
        return self.resolve({doubt.id: doubt.ranked[0].code for doubt in self.doubts})
