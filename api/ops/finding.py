"""What a check found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from api.ops.remedies import REMEDIES

__all__ = ["Finding", "Level", "finding"]


class Level(StrEnum):
    """How bad."""

    OK = "ok"
    NOTE = "note"  # good to know
    WARNING = "warning"  # it will work, but worse
    PROBLEM = "problem"  # it will not work


@dataclass(frozen=True, slots=True)
class Finding:
    """``check``: what was looked at; ``code``: of ``api.ops.remedies``, empty if all is well;
    ``text``: what was found, with figures."""

    check: str
    level: Level
    text: str
    code: str = ""

    @property
    def advice(self) -> str:
        """What to do."""
        return REMEDIES[self.code].todo if self.code else ""

    def to_data(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "check": self.check, "level": self.level.value, "code": self.code,
            "text": self.text, "advice": self.advice,
        }  # fmt: skip


def finding(check: str, text: str, code: str = "", level: Level = Level.PROBLEM) -> Finding:
    """A finding; without a code all is well. Raises ``KeyError`` for a code without a remedy."""
    if code:
        assert REMEDIES[code]
        return Finding(check, level, text, code)
    return Finding(check, Level.OK, text)
