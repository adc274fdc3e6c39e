"""``carrom evaluate pictures``: boards and discs in pictures whose truth is known."""

from __future__ import annotations

import hashlib
import json
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from rich.console import Console

from api.cli.output_paths import check_output
from api.judge_renders import FIRST_SEED, RenderJob, render_jobs, rendered
from api.labelled_pictures import PhotoJob, photo_jobs, photo_truth
from api.picture_judge import judge
from api.picture_row import PictureRow
from api.picture_scores import Scores, scores_of
from api.picture_tables import markdown, scores_data
from carrom.codec import Codec
from carrom.errors import PictureError, SchemaError
from sim.camera.many import prepare_worker
from vision.eyes import Eyes, Sight
from vision.picture_file import read_picture

__all__ = ["run"]

Job = RenderJob | PhotoJob
_EVERY = 20


def run(
    *,
    renders: int | None = None,
    folder: Path | None = None,
    sizes: str = "1280x720,1920x1080",
    json_path: Path | None = None,
    resume: Path | None = None,
    weights: Sequence[Path] = (),
    workers: int = 1,
    first_seed: int = FIRST_SEED,
) -> None:
    """Judge the pictures and print the tables. Raises ``CarromError`` for what cannot be meant."""
    if (renders is None) == (folder is None):
        raise SchemaError("--renders, --folder", expected="one of them", got=(renders, folder))
    for option, path in (("--json", json_path), ("--resume", resume)):
        if path is not None:
            check_output(option, path)
    if workers < 1:
        raise SchemaError("--workers", expected="1 or more", got=workers)
    networks = Eyes.load(weights=weights, threads=1).paths
    jobs: list[Job] = list(_jobs(renders, folder, sizes, first_seed))
    store = RowFile(resume, about="+".join(_sha256(path)[:16] for path in networks))
    due = [job for job in jobs if job.name not in store.rows]
    console = Console(stderr=True, highlight=False)
    start = time.perf_counter()
    for done, row in enumerate(_judged(due, weights, workers), 1):
        store.add(row)
        if done % _EVERY == 0 or done == len(due):
            each_s = (time.perf_counter() - start) / done
            console.print(f"{done} of {len(due)} pictures, {each_s:.2f} s each", style="dim")
    rows = [store.rows[job.name] for job in jobs]
    groups = grouped(rows)
    sys.stdout.write(markdown(groups))
    if json_path is not None:
        about = {"networks": {path.name: _sha256(path) for path in networks}}
        data = {**about, "groups": scores_data(groups)}
        json_path.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", "utf-8")


def grouped(rows: Iterable[PictureRow]) -> dict[str, Scores]:
    """The figures of each group, and of all together when there is more than one."""
    by_group: dict[str, list[PictureRow]] = {}
    for row in rows:
        by_group.setdefault(row.setting.group, []).append(row)
    out = {name: scores_of(group) for name, group in sorted(by_group.items())}
    out["all"] = scores_of([row for group in by_group.values() for row in group])
    return out


class RowFile:
    """Judged pictures by name, each also a line of a file when there is one.

    The first line says of which networks; a file of others raises ``SchemaError``. A line cut off
    by an interruption is left out.
    """

    def __init__(self, path: Path | None, *, about: str) -> None:
        self.rows: dict[str, PictureRow] = {}
        self._path, self._codec = path, Codec()
        if path is None:
            return
        if path.is_file() and path.stat().st_size > 0:
            self._read(path, about)
        else:
            path.write_text(json.dumps({"networks": about}) + "\n", "utf-8")

    def _read(self, path: Path, about: str) -> None:
        head, *lines = path.read_text("utf-8").split("\n")
        if head != json.dumps({"networks": about}):
            expected = "rows of these networks, or a new file"
            raise SchemaError("--resume", expected=expected, got=f"{path}: {head[:80]}")
        whole, last = lines[:-1], lines[-1]
        for line in whole:
            row = self._codec.loads(PictureRow, line)
            self.rows[row.setting.name] = row
        if last:
            path.write_text("\n".join([head, *whole, ""]), "utf-8")

    def add(self, row: PictureRow) -> None:
        """Keep a row."""
        self.rows[row.setting.name] = row
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(self._codec.dumps(row) + "\n")


def _jobs(renders: int | None, folder: Path | None, sizes: str, first_seed: int) -> Iterator[Job]:
    if folder is not None:
        yield from photo_jobs(folder)
    elif renders is not None:
        if renders < 1:
            raise SchemaError("--renders", expected="1 or more", got=renders)
        yield from render_jobs(renders, sizes_px=_sizes(sizes), first_seed=first_seed)


def _sizes(text: str) -> list[tuple[int, int]]:
    found = [re.fullmatch(r"(\d{2,4})x(\d{2,4})", word) for word in text.split(",")]
    sizes = [(int(size[1]), int(size[2])) for size in found if size is not None]
    if len(sizes) != len(found) or any(min(size) < 64 for size in sizes):
        raise SchemaError("--sizes", expected="such as 1280x720,640x480", got=text)
    return sizes


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _judged(jobs: Sequence[Job], weights: Sequence[Path], workers: int) -> Iterator[PictureRow]:
    """Rows as they come."""
    if workers == 1 or len(jobs) < 2:
        look = _look_with(Eyes.load(weights=weights, threads=1))
        yield from (judge_job(job, look) for job in jobs)
        return
    with ProcessPoolExecutor(workers, initializer=_start, initargs=(tuple(weights),)) as pool:
        for done in as_completed([pool.submit(_work, job) for job in jobs]):
            yield done.result()


_WORKER: dict[str, Callable[..., Sight]] = {}
"""The eyes of a worker process, loaded once."""


def _start(weights: tuple[Path, ...]) -> None:
    prepare_worker()
    _WORKER["look"] = _look_with(Eyes.load(weights=weights, threads=1))


def _work(job: Job) -> PictureRow:
    return judge_job(job, _WORKER["look"])


def _look_with(eyes: Eyes) -> Callable[..., Sight]:
    return eyes.look


def judge_job(job: Job, look: Callable[..., Sight]) -> PictureRow:
    """Make or read the picture, look, and compare. In an unreadable file no board is found."""
    if isinstance(job, RenderJob):
        image, truth = rendered(job)
    else:
        truth = photo_truth(job)
        try:
            image = read_picture(job.path).image_bgr
        except PictureError as error:
            return judge(truth, Sight(None, warnings=(str(error),)))
    start = time.perf_counter()
    sight = look(image)
    return judge(truth, sight, seconds=time.perf_counter() - start)
