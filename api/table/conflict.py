"""A command that came too late: the log had gone on."""

from collections.abc import Mapping, Sequence
from typing import Any

from carrom.errors import MatchError

__all__ = ["ConflictError"]


class ConflictError(MatchError):
    """Two people corrected at once. ``seq``: of the latest event; ``since``: calls the later one
    did not know of."""

    def __init__(self, seq: int, since: Sequence[Mapping[str, Any]]) -> None:
        self.seq = seq
        self.since = tuple(since)
        super().__init__(f"the log has gone on to event {seq}: look again, then repeat")
