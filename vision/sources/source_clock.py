"""Seconds from the time stamps of a file or stream, whatever they do."""

from __future__ import annotations

__all__ = ["SourceClock"]

_OUT_OF_ORDER_S = 1.0
_LEAP_S = 600.0
_LEAST_STEP_S = 1e-3


class SourceClock:
    """Turns time stamps into seconds that begin at 0 and never go back.

    A stamp a little early is out of order and lifted to just after the frame before. One that leaps
    (a counter that wrapped around, a recording that was pasted together) begins a new count where
    the old one ended. A missing one is guessed: the frame before and its length.
    """

    def __init__(self, usual_s: float = 1.0 / 30.0) -> None:
        self._usual_s = usual_s if 1e-4 < usual_s < 10.0 else 1.0 / 30.0
        self._zero_s: float | None = None
        self._last_s = 0.0
        self._begun = False
        self.guessed = 0
        self.mended = 0

    def seconds(self, stamp_s: float | None, length_s: float | None = None) -> float:
        """The time of the next frame; ``length_s``: how long it is shown, if that is known."""
        step = length_s if length_s is not None and 1e-4 < length_s < 10.0 else self._usual_s
        if not self._begun:
            self._begun = True
            self._zero_s = stamp_s
            self.guessed += stamp_s is None
            return 0.0
        if stamp_s is None:
            self.guessed += 1
            t_s = self._last_s + step
        else:
            t_s = self._of_stamp(stamp_s, step)
        self._last_s = t_s
        return t_s

    def _of_stamp(self, stamp_s: float, step_s: float) -> float:
        if self._zero_s is None:
            self._zero_s = stamp_s - self._last_s - step_s
        t_s = stamp_s - self._zero_s
        if t_s < self._last_s - _OUT_OF_ORDER_S or t_s > self._last_s + _LEAP_S:
            self.mended += 1
            t_s = self._last_s + step_s
            self._zero_s = stamp_s - t_s
        elif t_s <= self._last_s:
            self.mended += 1
            t_s = self._last_s + _LEAST_STEP_S
        return t_s
