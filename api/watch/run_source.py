"""Drives an analysis over a source: files from their start once the board is known, live ones as
they come, traces without pictures."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from api.sources import SourceChoice
from api.watch.analysis import Analysis
from api.watch.lines import source_line
from carrom.errors import SourceTimeoutError
from vision.frames import Frame, FrameSource, SourceInfo
from vision.pipeline import Pipeline
from vision.seen import BoardSeen
from vision.sources.reader import FrameReader
from vision.sources.reader_state import ReaderState
from vision.table_view import TableView

__all__ = ["find_board_in_file", "run_live", "run_recording", "run_views"]

_READ_S = 2.0

Progress = Callable[[Frame, float | None], None]
"""A frame, and the seconds that the source declares, if it does."""


def find_board_in_file(choice: SourceChoice, pipeline: Pipeline) -> BoardSeen | None:
    """Look through a recording until the board is known; ``None`` if it never shows.

    What ``pipeline`` followed meanwhile is of no use: begin again with the board.
    """
    source: FrameSource = choice.open()
    try:
        while (frame := source.read()) is not None:
            pipeline.step(frame)
            if pipeline.calibrated is not None:
                return pipeline.calibrated
        return None
    finally:
        source.close()


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


def run_views(views: Iterable[TableView], analysis: Analysis, follow: Callable[..., Any]) -> None:
    """A trace; ``follow``: takes a view, gives events."""
    start = time.perf_counter()
    for view in views:
        analysis.pace.frames += 1
        analysis.pace.source_s = view.t_s
        analysis.take(follow(view))
    analysis.end()
    analysis.pace.took_s = time.perf_counter() - start
