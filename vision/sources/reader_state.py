"""What a frame reader says of itself."""

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["ReaderCounters", "ReaderState"]


class ReaderState(StrEnum):
    """How the source does."""

    OPENING = "opening"
    LIVE = "live"  # frames come
    LOST = "lost"  # it is tried again and again
    ENDED = "ended"
    FAILED = "failed"
    CLOSED = "closed"


@dataclass(slots=True)
class ReaderCounters:
    """Counts since the reader began. ``dropped``: nobody took them in time; ``abandoned``: threads
    that hang in a driver and were left to themselves."""

    frames: int = 0
    delivered: int = 0
    dropped: int = 0
    damaged: int = 0
    frozen: int = 0
    timeouts: int = 0
    lost: int = 0
    failed_openings: int = 0
    reconnects: int = 0
    abandoned: int = 0
