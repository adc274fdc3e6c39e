"""Judges the chain on films whose truth is known: by true views, or by pictures and networks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from api.evaluation.film_jobs import FilmJob
from api.evaluation.film_row import FilmRow
from api.evaluation.follow_truth import Tally, compare_strokes
from carrom.position import Position
from sim.camera.films import Film, Timeline, film_of, frame_times
from vision.frames import Frame
from vision.table_events import Calibrated, StrokeSeen, TableEvent

if TYPE_CHECKING:
    from api.watch.following import Follows

__all__ = ["judge_by_truth", "judge_by_video", "row_of", "scaled"]


def judge_by_truth(job: FilmJob) -> FilmRow:
    """Follow the film's true views, with the errors that eyes make; no picture is drawn."""
    from api.evaluation.true_views import views_of
    from vision.follower import Follower

    timeline = film_of(job.script).timeline
    follower = Follower(timeline.board, seats=tuple(timeline.match.state.seats))
    seen: list[TableEvent] = []
    start = time.perf_counter()
    for view in views_of(timeline, fps=job.fps, seed=job.seed):
        seen += follower.step(view)
    seen += follower.finish()
    took = time.perf_counter() - start
    return row_of(job, timeline, seen, work_s=took, no_board=False)


def judge_by_video(job: FilmJob, pipeline_of: Callable[[Film], Follows]) -> FilmRow:
    """Draw the film and hand every frame to a pipeline; only the pipeline's work is timed."""
    film = film_of(job.script, size_px=job.size_px)
    timeline = film.timeline
    pipeline = pipeline_of(film)
    work, seen, board = 0.0, list[TableEvent](), False
    frames = (
        Frame(shot.image_bgr, shot.t_s, shot.index)
        for shot in film.frames(frame_times(timeline.duration_s, fps=job.fps), truth_every=0)
    )
    for events, took in _steps(pipeline, frames):
        work += took
        seen += events
        board = board or any(isinstance(event, Calibrated) for event in events)
    if pipeline.calibrated is not None:
        seen = scaled(seen, timeline.board.half_mm / pipeline.calibrated.half_mm)
    return row_of(job, timeline, seen, work_s=work, no_board=not board)


def _steps(
    pipeline: Follows, frames: Iterator[Frame]
) -> Iterator[tuple[tuple[TableEvent, ...], float]]:
    for frame in frames:
        start = time.perf_counter()
        events = pipeline.step(frame)
        yield events, time.perf_counter() - start
    yield pipeline.finish(), 0.0


def scaled(events: Sequence[TableEvent], share: float) -> list[TableEvent]:
    """The same with the rests of strokes in the millimetres of the film's board. A picture does not
    tell how large a board is: all is seen in the measures of the standard one."""
    out: list[TableEvent] = []
    for event in events:
        if isinstance(event, StrokeSeen) and event.outcome.after is not None:
            after = tuple(
                replace(disc, x_mm=disc.x_mm * share, y_mm=disc.y_mm * share)
                for disc in event.outcome.after
            )
            outcome = replace(event.outcome, after=Position(after))
            out.append(replace(event, outcome=outcome))
        else:
            out.append(event)
    return out


def row_of(
    job: FilmJob, timeline: Timeline, seen: list[TableEvent], *, work_s: float, no_board: bool
) -> FilmRow:
    """Compare what was seen with the truth."""
    tally: Tally = compare_strokes(timeline, seen, label=job.name)
    return FilmRow(
        name=job.name, group=job.rules, strokes=tally.strokes, found=tally.found,
        false=tally.false, exact=tally.exact, ruled=tally.ruled, asked=tally.asked,
        wrong_unasked=tally.wrong_unasked, rest_exact=tally.rests,
        call_s=tuple(round(s, 3) for s in tally.call_s), film_s=round(timeline.duration_s, 3),
        work_s=round(work_s, 3), no_board=no_board,
        differences=tuple(tally.differences.elements()), notes=tuple(tally.notes),
    )  # fmt: skip
