"""How long to wait before a lost source is tried again."""

from __future__ import annotations

import random

__all__ = ["Backoff"]


class Backoff:
    """Doubles from ``first_s`` to ``most_s``; each wait is shortened by up to a quarter by chance,
    so that several boards do not knock at once."""

    def __init__(
        self, first_s: float = 0.5, most_s: float = 30.0, rng: random.Random | None = None
    ) -> None:
        self._first_s, self._most_s = first_s, most_s
        self._rng = rng if rng is not None else random.Random()  # noqa: S311 - no secret
        self._next_s = first_s

    def next_s(self) -> float:
        """The next wait, seconds."""
        wait_s, self._next_s = self._next_s, min(2 * self._next_s, self._most_s)
        return wait_s * (1.0 - 0.25 * self._rng.random())

    def reset(self) -> None:
        """It worked: begin short again."""
        self._next_s = self._first_s
