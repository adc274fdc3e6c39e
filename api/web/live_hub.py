"""One thread takes what is newest from the table; any number of viewers take it from here."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from api.table.table import LiveItem, Table
from api.web.picture_encoder import FramePictures, PictureSize, VideoEncoder, VideoUnit
from api.web.plain_data import to_json

__all__ = ["LiveHub", "Moment", "Want"]

_log = logging.getLogger(__name__)
Want = Literal["full", "960", "h264"]
_WAIT_S = 0.5
_SAID_KEPT = 40


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """What every viewer may be sent now. ``stamp`` counts moments; ``rev`` names ``snapshot_json``;
    ``pictures`` is ``None`` without a camera; ``unit`` only while somebody wants video."""

    stamp: int
    seq: int
    t_s: float
    rev: int
    table_json: bytes
    snapshot_json: bytes
    pictures: FramePictures | None
    unit: VideoUnit | None


@dataclass(frozen=True, slots=True)
class Said:
    """Something to speak: its number here, the snapshot it came with, its JSON."""

    number: int
    rev: int
    json: bytes


class LiveHub:
    """Between the table's blocking subscription and the event loop's viewers."""

    def __init__(self, table: Table, *, max_viewers: int) -> None:
        self._table = table
        self._max_viewers = max_viewers
        self._wanted: Counter[Want] = Counter()
        self._said: deque[Said] = deque(maxlen=_SAID_KEPT)
        self._said_count = 0
        self._key_wanted = threading.Event()
        self._stopping = threading.Event()
        self._video: VideoEncoder | None = None
        self._newest: Moment | None = None
        self._lock = threading.Lock()
        self._is_scheduled = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._changed = asyncio.Event()
        self._rev, self._snapshot_json = -1, b"null"
        self.moment: Moment | None = None
        self.viewers = 0
        self.is_closed = False

    def start(self) -> None:
        """Begin; from within the event loop that serves."""
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, name="live", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Send every viewer away and stop the thread; from within the event loop."""
        self.is_closed = True
        self._stopping.set()
        self._wake()

    async def join(self) -> None:
        """Wait for the thread, after ``close``."""
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join, 2.0)

    def may_join(self) -> bool:
        """Whether there is room for one more viewer."""
        return not self.is_closed and self.viewers < self._max_viewers

    @contextmanager
    def viewing(self, want: Want) -> Iterator[None]:
        """Count as a viewer who wants pictures in this form."""
        self.viewers += 1
        self._wanted[want] += 1
        if want == "h264":
            self.want_key()
        try:
            yield
        finally:
            self.viewers -= 1
            self._wanted[want] -= 1

    def want_key(self) -> None:
        """The next unit of video shall be decodable by itself."""
        self._key_wanted.set()

    @property
    def said_count(self) -> int:
        """How many things were said so far: where a new viewer begins to listen."""
        return self._said_count

    def said_since(self, count: int) -> list[Said]:
        """What was said after the first ``count`` things, as far as it is kept."""
        return [said for said in self._said if said.number > count]

    def said_after_rev(self, rev: int) -> list[Said]:
        """What was said with snapshots after this one."""
        return [said for said in self._said if said.rev > rev]

    async def next(self, stamp: int, timeout_s: float) -> Moment | None:
        """The newest moment after ``stamp``; ``None``: nothing in time, or closed."""
        ends = asyncio.get_running_loop().time() + timeout_s
        while not self.is_closed:
            moment = self.moment
            if moment is not None and moment.stamp > stamp:
                return moment
            left = ends - asyncio.get_running_loop().time()
            if left <= 0:
                return None
            try:
                await asyncio.wait_for(self._changed.wait(), left)
            except TimeoutError:
                return None
        return None

    def _run(self) -> None:
        place = self._table.subscribe()
        try:
            while not self._stopping.is_set():
                item = place.next(_WAIT_S)
                if item is None:
                    self._stopping.wait(0.01)
                    continue
                try:
                    self._take(item)
                except Exception:
                    _log.exception("frame %d could not be shown", item.seq)
        finally:
            place.close()

    def _take(self, item: LiveItem) -> None:
        if item.snapshot is not None:
            shown: Mapping[str, Any] = {**item.snapshot, "viewers": self.viewers}
            self._rev, self._snapshot_json = int(item.snapshot["rev"]), to_json(shown)
        said = [to_json(one) for one in item.say]
        pictures = None if item.image_bgr is None else self._pictures_of(item)
        unit = self._unit_of(item)
        with self._lock:
            for one in said:
                self._said_count += 1
                self._said.append(Said(self._said_count, self._rev, one))
            stamp = 1 if self._newest is None else self._newest.stamp + 1
            self._newest = Moment(
                stamp, item.seq, item.t_s, self._rev, to_json(item.table), self._snapshot_json,
                pictures, unit,
            )  # fmt: skip
            schedule, self._is_scheduled = not self._is_scheduled, True
        if schedule and self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._publish)

    def _pictures_of(self, item: LiveItem) -> FramePictures:
        assert item.image_bgr is not None
        before = self._newest.pictures if self._newest is not None else None
        if before is not None and before.image_bgr is item.image_bgr:
            return before
        pictures = FramePictures(item.image_bgr)
        sizes: tuple[PictureSize, ...] = ("full", "960")
        for size in sizes:
            if self._wanted[size] > 0:
                pictures.jpeg(size)
        return pictures

    def _unit_of(self, item: LiveItem) -> VideoUnit | None:
        if item.image_bgr is None or self._wanted["h264"] <= 0:
            return None
        if self._video is None:
            self._video = VideoEncoder()
        key = self._key_wanted.is_set()
        self._key_wanted.clear()
        return self._video.encode(item.image_bgr, item.t_s, key=key)

    def _publish(self) -> None:
        with self._lock:
            self._is_scheduled = False
            self.moment = self._newest
        self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
