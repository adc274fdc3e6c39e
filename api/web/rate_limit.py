"""So many times a second and no more, for each who asks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

__all__ = ["RateLimit"]

_MAX_KEYS = 1000


class RateLimit:
    """A token bucket for each key. ``per_s``: refill; ``burst``: what a full one holds."""

    def __init__(
        self, per_s: float, burst: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_s, self._burst, self._clock = per_s, burst, clock
        self._buckets: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def allow(self, key: str = "") -> bool:
        """Take one, if there is one."""
        now = self._clock()
        with self._lock:
            left, at = self._buckets.pop(key, (self._burst, now))
            left = min(self._burst, left + (now - at) * self._per_s)
            allowed = left >= 1.0
            self._buckets[key] = (left - 1.0 if allowed else left, now)
            if len(self._buckets) > _MAX_KEYS:
                del self._buckets[next(iter(self._buckets))]
        return allowed
