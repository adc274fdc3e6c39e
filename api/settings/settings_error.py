"""Settings that cannot be meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from carrom.errors import CarromError

__all__ = ["SettingsError", "SettingsProblem"]


@dataclass(frozen=True, slots=True)
class SettingsProblem:
    """``key``: dotted, or empty for a file as a whole; ``origin``: file, environment, option."""

    key: str
    message: str
    origin: str = ""

    def __str__(self) -> str:
        where = f" ({self.origin})" if self.origin else ""
        return f"{self.key}: {self.message}{where}" if self.key else f"{self.message}{where}"


class SettingsError(CarromError):
    """All that is wrong at once, so that nobody mends one line to be told of the next."""

    def __init__(self, problems: Sequence[SettingsProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__("settings: " + "; ".join(map(str, self.problems)))

    def by_field(self) -> dict[str, str]:
        """Messages by dotted key, for a page."""
        return {problem.key: problem.message for problem in self.problems}
