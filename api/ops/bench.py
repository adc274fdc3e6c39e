"""How fast this computer follows a table: a clip played as a camera would deliver it.

The clock is a virtual one: a frame arrives at its own time, the follower takes the newest there is
when it is free and is busy for as long as it really worked. So nothing waits, and a slow computer
drops the frames it would drop at the table. Decoding and the pages work beside it: see ``shares``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from vision.frames import Frame
from vision.table_events import StrokeSeen, TableEvent

__all__ = ["Bench", "Follower", "Timed", "play", "timed"]


class Follower(Protocol):
    """What is tried: ``vision.pipeline.Pipeline``."""

    def step(self, frame: Frame) -> tuple[TableEvent, ...]:
        """Take one frame; what became certain with it."""
        ...


@dataclass(slots=True)
class Timed:
    """Work of one kind: seconds in all, how often."""

    seconds: float = 0.0
    calls: int = 0

    def add(self, seconds: float) -> None:
        """Once more."""
        self.seconds += seconds
        self.calls += 1


def timed(work: Callable[..., Any], into: Timed) -> Callable[..., Any]:
    """The same work, its time added up."""

    def measured(*args: Any, **names: Any) -> Any:
        start_s = time.perf_counter()
        try:
            return work(*args, **names)
        finally:
            into.add(time.perf_counter() - start_s)

    return measured


@dataclass(slots=True)
class Bench:
    """What came of it. ``late_s``: from a frame's arrival to its end, one a frame; ``call_s``: from
    the last motion of a stroke to when it was reported; ``stages``: work by name."""

    frames: int = 0
    taken: int = 0
    played_s: float = 0.0
    busy_s: float = 0.0
    late_s: list[float] = field(default_factory=list)
    call_s: list[float] = field(default_factory=list)
    stages: dict[str, Timed] = field(default_factory=dict)

    @property
    def kept_up(self) -> float:
        """Share of the frames that were looked at."""
        return self.taken / self.frames if self.frames else 0.0

    def stage(self, name: str) -> Timed:
        """The work of this name."""
        return self.stages.setdefault(name, Timed())

    def to_data(self) -> dict[str, Any]:
        """Plain data: rates, milliseconds, shares of one core."""
        played_s = self.played_s or 1.0
        return {
            "frames": self.frames,
            "kept_up": round(self.kept_up, 4),
            "frames_per_second": round(self.frames / played_s, 1),
            "busy": round(self.busy_s / played_s, 3),
            "frame_ms": {"median": _ms(self.late_s, 0.5), "p95": _ms(self.late_s, 0.95)},
            "rest_to_call_ms": {"median": _ms(self.call_s, 0.5), "most": _ms(self.call_s, 1.0)},
            "strokes": len(self.call_s),
            "shares": {
                name: round(work.seconds / played_s, 3) for name, work in self.stages.items()
            },
        }


def play(
    frames: Iterable[Frame],
    follower: Follower,
    bench: Bench,
    *,
    judge: Callable[[TableEvent], object] | None = None,
) -> None:
    """Play the frames to the follower in virtual time; its events to ``judge``."""
    free_s: float | None = None
    waiting: Frame | None = None
    last_s = first_s = None
    for frame in frames:
        first_s = frame.t_s if first_s is None else first_s
        last_s = frame.t_s
        bench.frames += 1
        if waiting is not None and free_s is not None and free_s < frame.t_s:
            free_s = _take(waiting, follower, bench, judge, max(free_s, waiting.t_s))
        waiting = frame
        if free_s is None or free_s <= frame.t_s:
            free_s = _take(frame, follower, bench, judge, frame.t_s)
            waiting = None
    if last_s is not None and first_s is not None:
        bench.played_s += last_s - first_s


def _take(
    frame: Frame,
    follower: Follower,
    bench: Bench,
    judge: Callable[[TableEvent], object] | None,
    begun_s: float,
) -> float:
    """When it is free again."""
    start_s = time.perf_counter()
    events = follower.step(frame)
    for event in events if judge is not None else ():
        assert judge is not None
        timed(judge, bench.stage("judge"))(event)
    took_s = time.perf_counter() - start_s
    free_s = begun_s + took_s
    bench.taken += 1
    bench.busy_s += took_s
    bench.late_s.append(free_s - frame.t_s)
    for event in events:
        if isinstance(event, StrokeSeen) and event.outcome.t_end_s is not None:
            bench.call_s.append(free_s - event.outcome.t_end_s)
    return free_s


def _ms(seconds: list[float], share: float) -> float | None:
    if not seconds:
        return None
    ordered = sorted(seconds)
    return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)
