"""How a fact is known."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from carrom.errors import OutcomeError

__all__ = ["DECLARED", "OBSERVED", "Evidence", "Source"]


class Source(StrEnum):
    """Where a fact comes from."""

    OBSERVED = "observed"
    """Seen by the camera, or computed by the simulator."""
    INFERRED = "inferred"
    """Follows from the rest states before and after."""
    DECLARED = "declared"
    """A person pressed a button."""
    UNKNOWN = "unknown"
    """Taken over from a record that does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The source of a fact and the span of time (monotonic seconds) in which it was seen."""

    source: Source
    t_start_s: float | None = None
    t_end_s: float | None = None

    def __post_init__(self) -> None:
        start, end = self.t_start_s, self.t_end_s
        if start is not None and end is not None and end < start:
            raise OutcomeError(f"evidence ends before it starts: {start!r} s to {end!r} s")


OBSERVED = Evidence(source=Source.OBSERVED)
DECLARED = Evidence(source=Source.DECLARED)
