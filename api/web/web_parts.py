"""What the routes work with: the table, its live hub, and who may come in."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from api.table.table import Table
from api.web.lan_names import LanNames
from api.web.live_hub import LiveHub
from api.web.pairing_desk import PairingDesk
from api.web.rate_limit import RateLimit
from api.web.web_settings import WebSettings

__all__ = ["Preferences", "WebParts"]

_MAX_POLLS = 48


class Preferences(Protocol):
    """The settings that a page may read and change."""

    def read(self) -> Mapping[str, Any]:
        """All of them as plain data, without secrets."""
        ...

    def change(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Change some; all of them afterwards. Raises a ``CarromError`` for what cannot be."""
        ...


@dataclass(eq=False)
class WebParts:
    """``metrics``: the text of ``/metrics``; ``ready``: what is in order, by name."""

    table: Table
    settings: WebSettings
    hub: LiveHub
    pairing: PairingDesk
    names: LanNames
    preferences: Preferences | None = None
    metrics: Callable[[], bytes | str] | None = None
    ready: Callable[[], Mapping[str, bool]] | None = None
    polls: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_MAX_POLLS))
    frame_rate: RateLimit = field(init=False)
    pair_rate: RateLimit = field(init=False)
    pair_rate_of_all: RateLimit = field(init=False)

    def __post_init__(self) -> None:
        a_minute = self.settings.max_pairings_per_min
        self.frame_rate = RateLimit(self.settings.max_frames_per_s, 10.0)
        self.pair_rate = RateLimit(a_minute / 60.0, a_minute)
        self.pair_rate_of_all = RateLimit(a_minute / 10.0, 6.0 * a_minute)
