"""One viewer of the live connection: what it was sent, what it has drawn, what it gets next."""

from __future__ import annotations

import json
import struct
from collections import deque
from dataclasses import dataclass, field

from api.web.live_hub import LiveHub, Moment, Want

__all__ = ["LiveViewer", "pack"]

_WINDOW: dict[Want, int] = {"full": 2, "960": 2, "h264": 8}
"""Video over a slow link is late, not thick: more may be under way than of single pictures."""


def pack(head: bytes, picture: bytes) -> bytes:
    """One message of the live protocol."""
    return struct.pack(">I", len(head)) + head + picture


@dataclass(eq=False)
class LiveViewer:
    """Pure bookkeeping, no sockets. ``want``: the form of its pictures."""

    want: Want
    hub: LiveHub
    stamp: int = 0
    rev: int = -1
    said: int = -1
    unit: int = -1
    needs_key: bool = True
    flying: deque[int] = field(default_factory=deque)
    strays: int = 0

    def __post_init__(self) -> None:
        if self.said < 0:
            self.said = self.hub.said_count

    @property
    def has_room(self) -> bool:
        """One more message may be sent before the next answer."""
        return len(self.flying) < _WINDOW[self.want]

    def acknowledge(self, text: str) -> bool:
        """Take ``{"ack": seq}``; ``False`` for anything else, and for too many that fit nothing."""
        try:
            seq = json.loads(text)["ack"]
        except (ValueError, TypeError, KeyError, RecursionError):
            return False
        if not isinstance(seq, int) or isinstance(seq, bool):
            return False
        if seq not in self.flying:
            self.strays += 1
            return self.strays < 100
        while self.flying.popleft() != seq:
            pass
        return True

    def message(self, moment: Moment) -> bytes:
        """The message of this moment, taken down as sent."""
        picture, kind = self._picture(moment)
        parts = [b'{"seq":%d,"t_s":%.3f,"codec":"%s"' % (moment.seq, moment.t_s, kind)]
        parts.append(b',"table":' + moment.table_json)
        if moment.rev != self.rev:
            parts.append(b',"snapshot":' + moment.snapshot_json)
        said = self.hub.said_since(self.said)
        if said:
            parts.append(b',"say":[' + b",".join(one.json for one in said) + b"]")
            self.said = said[-1].number
        self.stamp, self.rev = moment.stamp, moment.rev
        self.flying.append(moment.seq)
        return pack(b"".join(parts) + b"}", picture)

    def _picture(self, moment: Moment) -> tuple[bytes, bytes]:
        if self.want == "h264":
            return self._video(moment), b"h264"
        if moment.pictures is None:
            return b"", b"jpeg"
        return moment.pictures.jpeg(self.want), b"jpeg"

    def _video(self, moment: Moment) -> bytes:
        unit = moment.unit
        if unit is None:
            return b""
        if unit.number != self.unit + 1:
            self.needs_key = True
        self.unit = unit.number
        if self.needs_key and not unit.is_key:
            self.hub.want_key()
            return b""
        self.needs_key = False
        return unit.data
