"""``carrom film``: a simulated match as a video, with its truth beside it."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
from rich.console import Console

from api.cli.output_paths import check_output
from carrom.errors import SchemaError
from sim.camera import contact_sheet
from sim.camera.films import (
    Film,
    FilmScript,
    IncidentKind,
    Wish,
    film_of,
    frame_times,
    load_script,
)
from sim.physics import warm_up
from sim.physics.warming import is_compiled

__all__ = ["run"]

SHEET_STILLS = 48
FILM_SUFFIXES = (".mp4", ".mkv", ".mov")
SHEET_SUFFIXES = (".png", ".jpg", ".jpeg")


def run(
    *,
    rules: str = "icf",
    seed: int = 0,
    minutes: float = 1.0,
    output: Path | None = None,
    fps: float = 30.0,
    size: str = "1280x720",
    incidents: Sequence[str] = (),
    script: Path | None = None,
    sheet: Path | None = None,
    truth_every: int = 1,
) -> None:
    """Write the film and ``.jsonl`` beside it, a sheet of stills, or both.

    ``script``: a TOML file; its rules, seed and length count then. Raises ``CarromError`` for input
    that cannot be meant.
    """
    console = Console(stderr=True, highlight=False)
    if output is not None:
        check_output("--output", output, FILM_SUFFIXES)
    if sheet is not None:
        check_output("--sheet", sheet, SHEET_SUFFIXES)
        cv2.imwrite(str(sheet), contact_sheet(range(seed, seed + SHEET_STILLS)))
        console.print(
            f"{SHEET_STILLS} stills of the seeds from {seed}: {sheet}", markup=False, soft_wrap=True
        )
    if output is None:
        if sheet is None:
            raise SchemaError("--output", expected="a file for the film, or --sheet", got=None)
        return
    wanted = _script(rules, seed, minutes, incidents, script)
    size_px = _size(size)
    if not 1.0 <= fps <= 240.0:
        raise SchemaError("--fps", expected="1 to 240", got=fps)
    if not is_compiled():
        warm_up(lambda line: console.print(line, style="dim", markup=False))
    film = film_of(wanted, size_px=size_px)
    _write(console, film, output, fps, minutes if script is None else None, truth_every)


def _script(
    rules: str, seed: int, minutes: float, incidents: Sequence[str], script: Path | None
) -> FilmScript:
    wishes = tuple(Wish(_incident(name)) for name in incidents)
    if script is not None:
        loaded = load_script(script)
        return replace(loaded, wishes=(*loaded.wishes, *wishes))
    return FilmScript(rules=rules, seed=seed, seconds=60.0 * minutes, wishes=wishes)


def _incident(name: str) -> IncidentKind:
    try:
        return IncidentKind(name.replace("-", "_"))
    except ValueError:
        names = ", ".join(IncidentKind)
        raise SchemaError("--incident", expected=names, got=name) from None


def _size(text: str) -> tuple[int, int]:
    """Width and height from ``1280x720``; even numbers, as H.264 needs them."""
    match = re.fullmatch(r"(\d{2,4})x(\d{2,4})", text)
    size = (int(match[1]), int(match[2])) if match else (0, 0)
    if match is None or size[0] % 2 or size[1] % 2 or min(size) < 64:
        raise SchemaError("--size", expected="even numbers such as 1280x720", got=text)
    return size


def _write(
    console: Console, film: Film, output: Path, fps: float, minutes: float | None, every: int
) -> None:
    from sim.camera.films.write import write_film  # PyAV is wanted here alone

    timeline = film.timeline
    length_s = timeline.duration_s if minutes is None else min(timeline.duration_s, 60.0 * minutes)
    truth = output.with_suffix(".jsonl")
    start = time.perf_counter()
    done = write_film(
        film, frame_times(length_s, fps=fps), output, truth=truth, every=every, fps=fps
    )
    took = time.perf_counter() - start
    strokes = sum(1 for stroke in timeline.strokes if stroke.t_end_s <= length_s)
    console.print(
        f"{output}: {done.frames} frames, {length_s:.1f} s, {strokes} strokes, "
        f"{done.frames / max(took, 1e-9):.1f} frames/s\n{truth}: the truth",
        markup=False,
        soft_wrap=True,
    )
    for incident in timeline.incidents:
        if incident.t_end_s <= length_s:
            console.print(
                f"{incident.t_start_s:8.2f} s  {incident.kind.value}", markup=False, soft_wrap=True
            )
