"""Traces on disk: written while a source is watched, followed again without it."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from types import TracebackType

from carrom.board_spec import BoardSpec
from carrom.errors import SourceError
from carrom.seats import Seat
from vision.follower import Follower
from vision.frames import Frame
from vision.pipeline import LiveTable, Pipeline
from vision.seen import BoardSeen
from vision.table_events import Sight, TableEvent
from vision.table_view import TableView
from vision.trace import TraceHeader, header_line, view_line

__all__ = ["TraceFollower", "TraceWriter", "is_trace"]

_HEAD = b'{"trace"'


def is_trace(path: Path) -> bool:
    """Whether a file is a trace, by its first bytes."""
    try:
        with path.open("rb") as file:
            return file.read(len(_HEAD)) == _HEAD
    except OSError:
        return False


class TraceWriter:
    """Writes every view of ``pipeline``, which must be set before the first comes."""

    def __init__(self, path: Path, source: str) -> None:
        self._path, self._source = path, source
        self.pipeline: Pipeline | None = None
        self._begun = False
        try:
            self._file = path.open("w", encoding="utf-8", buffering=1 << 16)
        except OSError as error:
            raise SourceError(str(path), error.strerror or "cannot be written") from error

    def write(self, view: TableView) -> None:
        """One more view; the header goes before the first."""
        if not self._begun and self.pipeline is not None:
            header = TraceHeader(self.pipeline.spec, self.pipeline.calibrated, self._source)
            self._file.write(header_line(header))
            self._begun = True
        self._file.write(view_line(view))

    def __enter__(self) -> TraceWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self._file.close()


class TraceFollower:
    """A follower of views behind the interface of a pipeline."""

    def __init__(self, header: TraceHeader, seats: Collection[Seat]) -> None:
        self.header = header
        self._follower = Follower(header.spec, seats=seats)

    @property
    def spec(self) -> BoardSpec:
        """Sizes of the board."""
        return self.header.spec

    @property
    def calibrated(self) -> BoardSeen | None:
        """The board as it lay."""
        return self.header.board

    @property
    def live(self) -> LiveTable:
        """The table as it is now."""
        follower = self._follower
        return LiveTable(
            follower.phase,
            follower.seat,
            Sight.GOOD,
            follower.discs,
            None,
            self.calibrated,
            1.0,
            (),
        )

    def step(self, frame: Frame) -> tuple[TableEvent, ...]:
        """A trace has no frames."""
        raise SourceError("trace", "holds views, not frames")

    def step_view(self, view: TableView) -> tuple[TableEvent, ...]:
        """Follow one view."""
        return self._follower.step(view)

    def finish(self) -> tuple[TableEvent, ...]:
        """The end of the trace."""
        return self._follower.finish()
