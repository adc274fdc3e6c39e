"""Frames or views in, lines out: pipeline, match, clips and pictures of one watched table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import cv2
import numpy as np

from api.watch.clips import ClipWriter
from api.watch.following import Follows
from api.watch.ledger import Ledger
from api.watch.overlay import StrokeOverlay
from api.watch.report import StrokePictures
from api.watch.ring import KeptFrame, Ring
from api.watch.summary import Pace
from carrom.board_spec import BoardSpec
from referee.explain import explain
from referee.match import StrokeRecord
from referee.phrases import Language
from vision.frames import Frame
from vision.table_events import StrokeSeen, TableEvent

__all__ = ["Analysis"]

_KEY_WIDTH_PX = 420
_BEFORE_S = 0.15


class Analysis:
    """One table from its first frame to its last. ``emit`` gets every line as plain data.

    ``ring``: keeps the last seconds, for ``clips`` and, with ``key_pictures``, for the report.
    """

    def __init__(
        self,
        follows: Follows,
        ledger: Ledger,
        spec: BoardSpec,
        emit: Callable[[dict[str, Any]], None],
        *,
        ring: Ring | None = None,
        clips: ClipWriter | None = None,
        key_pictures: bool = False,
    ) -> None:
        self.follows, self.ledger, self.spec = follows, ledger, spec
        self.pace = Pace()
        self.pictures: dict[int, StrokePictures] = {}
        self._emit, self._ring, self._clips = emit, ring, clips
        self._key_pictures = key_pictures

    def frame(self, frame: Frame) -> None:
        """Take one frame."""
        pace = self.pace
        pace.frames += 1
        pace.damaged += frame.damaged
        pace.source_s = frame.t_s
        if self._ring is not None:
            self._ring.put(frame)
        self.take(self.follows.step(frame))
        if self._clips is not None:
            self._clips.tick(frame.t_s)

    def take(self, events: Iterable[TableEvent]) -> None:
        """Take what became certain."""
        for event in events:
            known = len(self.ledger.seen)
            rows = self.ledger.take(event)
            for row in rows:
                self._emit(row)
            if isinstance(event, StrokeSeen) and len(self.ledger.seen) > known:
                record = self.ledger.seen[-1][1]
                if record is not None:
                    self._keep(event, record)

    def end(self) -> None:
        """The source has ended."""
        self.take(self.follows.finish())

    def _keep(self, seen: StrokeSeen, record: StrokeRecord) -> None:
        ring = self._ring
        if ring is None:
            return
        if self._key_pictures:
            begin = seen.outcome.t_start_s
            self.pictures[record.number] = StrokePictures(
                _key(None if begin is None else ring.nearest(begin - _BEFORE_S)),
                _key(ring.nearest(seen.t_s)),
            )
        board = self.follows.calibrated
        if self._clips is not None and board is not None:
            said = explain(
                record.ruling, Language.ENGLISH, self.ledger.laws, state=record.before
            )  # fmt: skip
            title = f"{record.number}  {self.ledger.player(record.outcome.seat)}"
            overlay = StrokeOverlay(seen, board, self.spec, title, said.call)
            self._clips.stroke(record.number, overlay, seen.t_s)


def _key(kept: KeptFrame | None) -> bytes | None:
    """A kept frame as a small JPEG."""
    if kept is None:
        return None
    image = cv2.imdecode(np.frombuffer(kept.jpeg, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        return None
    share = min(1.0, _KEY_WIDTH_PX / image.shape[1])
    small = cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    done, data = cv2.imencode(".jpg", small, [int(cv2.IMWRITE_JPEG_QUALITY), 72])
    return data.tobytes() if done else None
