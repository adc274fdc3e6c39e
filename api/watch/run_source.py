"""Drives an analysis over a source: files from their start once the board is known, live ones as
they come, traces without pictures."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from api.sources import SourceChoice
from api.watch.analysis import Analysis
from api.watch.following import Follows
from api.watch.lines import source_line
from carrom.errors import SourceTimeoutError
from carrom.seats import Seat
from vision.frames import Frame, FrameSource, SourceInfo
from vision.seen import BoardSeen
from vision.sources.reader import FrameReader
from vision.sources.reader_state import ReaderState
from vision.table_events import StrikerPlaced, StrokeBegun, TableEvent
from vision.table_view import TableView

__all__ = ["FirstLook", "look_through", "run_live", "run_recording", "run_views", "sits_across"]

_READ_S = 2.0
_SEATS_S = 60.0
_ACROSS = (Seat.EAST, Seat.WEST)

Follow = Callable[[TableView], tuple[TableEvent, ...]]
Progress = Callable[[Frame, float | None], None]
"""A frame, and the seconds that the source declares, if it does."""


@dataclass(frozen=True, slots=True)
class FirstLook:
    """What a first look through a recording found. ``across``: the first striker was placed East
    or West, so that two players sit there; ``None``: nobody placed one in time."""

    board: BoardSeen
    across: bool | None


def look_through(choice: SourceChoice, pipeline: Follows, *, for_seats: bool) -> FirstLook | None:
    """Look through a recording until the board is known; ``None`` if it never shows.

    ``for_seats``: go on until a striker has been placed, a minute at most. What ``pipeline``
    followed meanwhile is of no use: begin again with the board.
    """
    source: FrameSource = choice.open()
    found: BoardSeen | None = None
    found_s = 0.0
    try:
        while (frame := source.read()) is not None:
            for event in pipeline.step(frame):
                if isinstance(event, StrikerPlaced | StrokeBegun) and found is not None:
                    return FirstLook(found, event.seat in _ACROSS)
            if found is None and pipeline.calibrated is not None:
                found, found_s = pipeline.calibrated, frame.t_s
            if found is not None and not (for_seats and frame.t_s - found_s < _SEATS_S):
                break
        return None if found is None else FirstLook(found, None)
    finally:
        source.close()


def sits_across(views: Iterable[TableView], follow: Follow) -> bool:
    """Whether the first striker of a trace is placed East or West."""
    for view in views:
        for event in follow(view):
            if isinstance(event, StrikerPlaced | StrokeBegun):
                return event.seat in _ACROSS
    return False


def run_recording(
    choice: SourceChoice,
    analysis: Analysis,
    emit: Callable[[dict[str, Any]], None],
    *,
    progress: Progress | None = None,
) -> SourceInfo:
    """Every frame of a recording; its final description."""
    reader = choice.reader()
    start = time.perf_counter()
    try:
        emit(source_line(reader.info))
        while (frame := _patiently(reader)) is not None:
            analysis.frame(frame)
            if progress is not None:
                progress(frame, reader.info.duration_s)
        analysis.end()
        return reader.info
    finally:
        analysis.pace.took_s = time.perf_counter() - start
        reader.close()


def _patiently(reader: FrameReader) -> Frame | None:
    """The next frame of a recording, however long its disc or decoder takes."""
    while True:
        try:
            return reader.read(_READ_S)
        except SourceTimeoutError:
            if reader.state is ReaderState.FAILED:
                raise


def run_live(
    choice: SourceChoice,
    analysis: Analysis,
    emit: Callable[[dict[str, Any]], None],
    *,
    progress: Progress | None = None,
) -> SourceInfo:
    """A live source to its end, or until the user stops it (``KeyboardInterrupt``)."""
    reader = choice.reader()
    start = time.perf_counter()
    lost = False
    t_s = 0.0
    info: SourceInfo | None = None
    try:
        info = reader.info
        emit(source_line(info))
        while True:
            try:
                frame = reader.read(_READ_S)
            except SourceTimeoutError as error:
                if not lost:
                    row = {"type": "camera_lost", "t_s": round(t_s, 3), "sight": "lost"}
                    emit({**row, "note": error.reason})
                lost = True
                continue
            if frame is None:
                info = reader.info
                break
            t_s = frame.t_s
            if lost:
                emit({"type": "camera_back", "t_s": round(t_s, 3), "sight": "good"})
            lost = False
            analysis.frame(frame)
            if progress is not None:
                progress(frame, reader.info.duration_s)
    except KeyboardInterrupt:
        if info is None:
            raise
    finally:
        counters, pace = reader.counters, analysis.pace
        pace.took_s = time.perf_counter() - start
        pace.dropped, pace.reconnects = counters.dropped, counters.reconnects
        reader.close()
    analysis.end()
    return info


def run_views(views: Iterable[TableView], analysis: Analysis, follow: Follow) -> None:
    """A trace; ``follow``: takes a view, gives events."""
    start = time.perf_counter()
    for view in views:
        analysis.pace.frames += 1
        analysis.pace.source_s = view.t_s
        analysis.take(follow(view))
    analysis.end()
    analysis.pace.took_s = time.perf_counter() - start
