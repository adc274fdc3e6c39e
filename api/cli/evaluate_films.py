"""``carrom evaluate films``: strokes, facts and rulings on films whose truth is known."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from api.cli.output_paths import check_output
from api.evaluation.film_jobs import FIRST_SEED, FilmJob, film_jobs
from api.evaluation.film_row import FilmRow
from api.evaluation.film_tables import film_data, film_table
from api.evaluation.films import judge_by_truth, judge_by_video
from carrom.codec import Codec
from carrom.errors import SchemaError

if TYPE_CHECKING:
    from sim.camera.films import Film
    from vision.pipeline import Pipeline

__all__ = ["run"]

EYES = ("video", "truth")


def run(
    *,
    films: int = 24,
    first_seed: int = FIRST_SEED,
    rules: Sequence[str] = (),
    eyes: str = "video",
    strokes: int = 8,
    resume: Path | None = None,
    json_path: Path | None = None,
    workers: int = 1,
    notes: bool = False,
    traces: Path | None = None,
) -> None:
    """Judge the films and print the table. ``traces``: a folder for what the eyes saw of each film,
    to follow it again with ``carrom watch`` without drawing it. Raises ``CarromError`` for what
    cannot be meant."""
    if eyes not in EYES:
        raise SchemaError("--eyes", expected=" or ".join(EYES), got=eyes)
    if workers < 1:
        raise SchemaError("--workers", expected="1 or more", got=workers)
    for option, path in (("--json", json_path), ("--resume", resume)):
        if path is not None:
            check_output(option, path)
    if traces is not None:
        traces.mkdir(parents=True, exist_ok=True)
    jobs = film_jobs(films, first_seed=first_seed, rules=rules, strokes=strokes)
    store = _RowFile(resume, about=f"{eyes}, {strokes} strokes")
    due = [job for job in jobs if job.name not in store.rows]
    console = Console(stderr=True, highlight=False)
    start = time.perf_counter()
    for done, row in enumerate(_judged(due, eyes, workers, traces), 1):
        store.add(row)
        each_s = (time.perf_counter() - start) / done
        said = f"{row.name}: {row.ruled} of {row.strokes} ruled alike"
        console.print(f"{done} of {len(due)} films, {each_s:.1f} s each; {said}", style="dim")
        if notes:
            for note in row.notes:
                console.print(f"  {note}", markup=False, soft_wrap=True)
    rows = [store.rows[job.name] for job in jobs]
    sys.stdout.write(film_table(rows, eyes=eyes))
    if json_path is not None:
        data = {"eyes": eyes, "first_seed": first_seed, "groups": film_data(rows)}
        json_path.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", "utf-8")


def _judge(job: FilmJob, eyes: str, traces: Path | None) -> FilmRow:
    if eyes == "truth":
        return judge_by_truth(job)
    from api.watch.following import pipeline_for_film

    if traces is None:
        return judge_by_video(job, pipeline_for_film)
    from api.watch.trace_file import TraceWriter

    with TraceWriter(traces / f"{job.rules}_{job.seed}.jsonl", job.name) as writer:

        def recorded(film: Film) -> Pipeline:
            writer.pipeline = pipeline = pipeline_for_film(film)
            pipeline.on_view = writer.write
            return pipeline

        return judge_by_video(job, recorded)


def _judged(
    jobs: Sequence[FilmJob], eyes: str, workers: int, traces: Path | None
) -> Iterator[FilmRow]:
    if workers == 1 or len(jobs) < 2:
        yield from (_judge(job, eyes, traces) for job in jobs)
        return
    judge: Callable[[FilmJob, str, Path | None], FilmRow] = _judge
    with ProcessPoolExecutor(workers) as pool:
        for done in as_completed([pool.submit(judge, job, eyes, traces) for job in jobs]):
            yield done.result()


class _RowFile:
    """Judged films by name, each also a line of a file when there is one; a line that an
    interruption cut off is left out. A file about something else raises ``SchemaError``."""

    def __init__(self, path: Path | None, *, about: str) -> None:
        self.rows: dict[str, FilmRow] = {}
        self._path, self._codec = path, Codec()
        if path is None:
            return
        head = json.dumps({"films": about})
        if not path.is_file() or path.stat().st_size == 0:
            path.write_text(head + "\n", "utf-8")
            return
        first, *lines = path.read_text("utf-8").split("\n")
        if first != head:
            got = f"{path}: {first[:80]}"
            raise SchemaError("--resume", expected=f"films judged by {about}", got=got)
        for line in lines[:-1]:
            row = self._codec.loads(FilmRow, line)
            self.rows[row.name] = row
        if lines and lines[-1]:
            path.write_text("\n".join([first, *lines[:-1], ""]), "utf-8")

    def add(self, row: FilmRow) -> None:
        """Keep a row."""
        self.rows[row.name] = row
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(self._codec.dumps(row) + "\n")
