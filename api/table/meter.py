"""What a table counts while it runs; ``api.ops.metrics`` keeps the figures."""

from __future__ import annotations

from typing import Protocol

__all__ = ["Meter", "NoMeter"]


class Meter(Protocol):
    """Counters of a running table; every method may be called from any thread."""

    def frame_in(self, count: int = 1) -> None:
        """The source gave so many frames."""
        ...

    def frame_out(self, count: int = 1) -> None:
        """So many were followed."""
        ...

    def dropped(self, count: int) -> None:
        """So many were left out because a newer one was there."""
        ...

    def reconnected(self) -> None:
        """The source is back."""
        ...

    def stage(self, name: str, seconds: float) -> None:
        """A stage of the work took so long."""
        ...

    def called(self, rest_to_call_s: float) -> None:
        """A call was made so long after the discs came to rest."""
        ...

    def corrected(self) -> None:
        """A person changed a call."""
        ...

    def event(self, kind: str) -> None:
        """Something happened at the table."""
        ...


class NoMeter:
    """Counts nothing."""

    def frame_in(self, count: int = 1) -> None:
        """Nothing."""

    def frame_out(self, count: int = 1) -> None:
        """Nothing."""

    def dropped(self, count: int) -> None:
        """Nothing."""

    def reconnected(self) -> None:
        """Nothing."""

    def stage(self, name: str, seconds: float) -> None:
        """Nothing."""

    def called(self, rest_to_call_s: float) -> None:
        """Nothing."""

    def corrected(self) -> None:
        """Nothing."""

    def event(self, kind: str) -> None:
        """Nothing."""
