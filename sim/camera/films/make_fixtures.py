"""The small clips in ``datasets/fixtures``: one a ruleset, together every kind of incident.

    python -m sim.camera.films.make_fixtures [FOLDER] [NAME...]

Writes the clips, their truth and ``manifest.json`` with seeds, parameters and hashes.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import cv2

from referee.match_events import CODEC
from sim.camera.films.film import film_of, frame_times
from sim.camera.films.incidents import IncidentKind
from sim.camera.films.script import FilmScript, Wish
from sim.camera.films.write import write_film

__all__ = ["FIXTURES", "Fixture", "make_all", "make_one"]

_K = IncidentKind
_COMMAND = "python -m sim.camera.films.make_fixtures"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixture:
    """One clip. ``jitter`` and ``drop``: uneven frame times, see ``frame_times``."""

    name: str
    script: FilmScript
    size_px: tuple[int, int] = (854, 480)
    fps: float = 15.0
    jitter: float = 0.0
    drop: float = 0.0
    crf: int = 27
    every: int = 5


def _script(rules: str, seed: int, strokes: int, *wishes: IncidentKind, **more: Any) -> FilmScript:
    return FilmScript(
        rules=rules, seed=seed, strokes=strokes, wishes=tuple(map(Wish, wishes)), **more
    )


FIXTURES: tuple[Fixture, ...] = (
    Fixture(
        name="icf",
        script=_script(
            "icf", 11, 8, _K.BREAK_MISSED, _K.OVER_FRAME, _K.EARLY_PICKUP, _K.LIP_FALL,
            _K.LEAN_IN, skills=(0.95, 0.9),
        ),
    ),
    Fixture(
        name="hikone",
        script=_script("hikone", 5, 8, _K.WRONG_TURN, _K.SLEEVE_TOUCH, _K.BOARD_NUDGE),
    ),
    Fixture(
        name="gamerules",
        script=_script("gamerules", 12, 8, _K.OFF_LINE, _K.LAMP_SWITCH, skills=(0.95, 0.9)),
        jitter=0.1,
        drop=0.03,
    ),
    Fixture(
        name="carrom_se",
        script=_script("carrom_se", 1, 9, _K.COVER_MISSED, _K.LIP_FALL, skills=(0.9, 0.95)),
    ),
    Fixture(
        name="point_gamerules",
        script=_script("point_gamerules", 4, 8, _K.OVER_FRAME, skills=(0.9, 0.8, 0.7)),
    ),
    Fixture(
        name="point_carrom_se",
        script=_script("point_carrom_se", 6, 7, _K.SLEEVE_TOUCH, _K.EARLY_PICKUP),
        fps=20.0,
        jitter=0.15,
    ),
)  # fmt: skip


def make_one(folder: Path, fixture: Fixture) -> dict[str, Any]:
    """Write a clip and its truth; its row of the manifest."""
    film = film_of(fixture.script, size_px=fixture.size_px)
    video, truth = folder / f"{fixture.name}.mp4", folder / f"{fixture.name}.jsonl"
    times = frame_times(
        film.timeline.duration_s,
        fps=fixture.fps,
        jitter=fixture.jitter,
        drop=fixture.drop,
        seed=fixture.script.seed,
    )
    done = write_film(
        film, times, video, truth=truth, every=fixture.every, fps=fixture.fps, crf=fixture.crf,
        preset="slow",
    )  # fmt: skip
    strokes = film.timeline.strokes
    events = {event.name for stroke in strokes for event in stroke.outcome.events}
    fouls = {call.foul.value for stroke in strokes for call in stroke.ruling.fouls}
    return {
        "name": fixture.name,
        "seed": fixture.script.seed,
        "parameters": CODEC.encode(fixture),
        "frames": done.frames,
        "duration_s": round(done.duration_s, 3),
        "strokes": len(strokes),
        "events": sorted(events),
        "fouls": sorted(fouls),
        "incidents": sorted({incident.kind.value for incident in film.timeline.incidents}),
        "files": {path.name: _file(path) for path in (video, truth)},
        "regenerate": f"{_COMMAND} {folder.as_posix()} {fixture.name}",
    }


def _file(path: Path) -> dict[str, Any]:
    data = path.read_bytes()
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def make_all(folder: Path, names: Sequence[str] = (), executor: Executor | None = None) -> None:
    """Write the clips named (all, if none is) and bring the manifest up to date."""
    folder.mkdir(parents=True, exist_ok=True)
    chosen = [fixture for fixture in FIXTURES if not names or fixture.name in names]
    work = partial(make_one, folder)
    rows = list(map(work, chosen) if executor is None else executor.map(work, chosen))
    manifest = folder / "manifest.json"
    known = json.loads(manifest.read_text("utf-8"))["clips"] if manifest.exists() else []
    merged = {row["name"]: row for row in (*known, *rows)}
    clips = [merged[fixture.name] for fixture in FIXTURES if fixture.name in merged]
    text = json.dumps({"clips": clips}, indent=1, ensure_ascii=False)
    manifest.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("datasets/fixtures")
    with ProcessPoolExecutor(2, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        make_all(place, sys.argv[2:], pool)
