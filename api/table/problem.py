"""A stroke that was seen and waits for a person: it could not be entered, or was entered before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from carrom.codec import Codec
from carrom.outcome import StrokeOutcome

__all__ = ["Problem"]

_CODEC = Codec({})


@dataclass(frozen=True, slots=True)
class Problem:
    """``number``: the camera's; ``code``: ``contradiction`` (the record cannot hold it),
    ``entered_by_hand`` (perhaps the one that a person has entered already), ``not_kept`` (the log
    could not be written)."""

    number: int
    outcome: StrokeOutcome
    reason: str
    code: str = "contradiction"

    def to_data(self) -> dict[str, Any]:
        """As JSON, for the log."""
        outcome = _CODEC.encode(self.outcome)
        return {"number": self.number, "outcome": outcome, "reason": self.reason, "code": self.code}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Problem:
        """From ``to_data``. Raises ``SchemaError``."""
        outcome = _CODEC.decode(StrokeOutcome, data["outcome"])
        return cls(data["number"], outcome, data["reason"], data["code"])
