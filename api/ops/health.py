"""Is the process well, and can it judge now: ``/healthz`` and ``/readyz``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Health"]

_STALE_S, _STUCK_S = 2.0, 15.0


@dataclass(frozen=True, slots=True)
class Health:
    """What is known at one moment. ``frame_age_s``: ``None`` without a camera, which is well: a
    match can be kept by hand. ``loop_age_s``: since the thread that follows the table last came
    round. ``store``: why the log cannot be written, or empty."""

    loop_age_s: float | None
    frame_age_s: float | None
    camera_wanted: bool
    calibrated: bool
    models_loaded: bool
    store: str = ""

    @property
    def alive(self) -> bool:
        """False: restart me."""
        return not self.store and (self.loop_age_s is None or self.loop_age_s < _STUCK_S)

    @property
    def ready(self) -> bool:
        """Whether calls can be made now: by hand, or with a fresh picture of a known board."""
        if not self.alive:
            return False
        return not self.camera_wanted or not self.reasons()

    def reasons(self) -> tuple[str, ...]:
        """Codes of what is missing."""
        out = []
        if self.store:
            out.append("store")
        if self.loop_age_s is not None and self.loop_age_s >= _STUCK_S:
            out.append("stuck")
        if self.camera_wanted:
            if self.frame_age_s is None or self.frame_age_s >= _STALE_S:
                out.append("camera_stale")
            if not self.models_loaded:
                out.append("models_not_loaded")
            if not self.calibrated:
                out.append("not_calibrated")
        return tuple(out)

    def healthz(self) -> tuple[int, Mapping[str, Any]]:
        """HTTP status and body."""
        return (200 if self.alive else 503), {"ok": self.alive, "store": self.store or "ok"}

    def readyz(self) -> tuple[int, Mapping[str, Any]]:
        """HTTP status and body."""
        body = {"ready": self.ready, "reasons": list(self.reasons())}
        return (200 if self.ready else 503), body
