"""The small clips in ``datasets/fixtures``: together every kind of event and of incident.

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

from carrom.errors import SchemaError
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
    fps: float = 12.0
    jitter: float = 0.0
    drop: float = 0.0
    crf: int = 27
    every: int = 5


def _script(rules: str, seed: int, strokes: int, *wishes: IncidentKind, **more: Any) -> FilmScript:
    return FilmScript(
        rules=rules, seed=seed, strokes=strokes, wishes=tuple(map(Wish, wishes)), **more
    )


_SOFT = {
    2: "N@-60 280deg 0.9m/s",
    3: "S@40 85deg 0.8m/s",
    4: "N@30 265deg 0.9m/s",
    5: "S@-50 95deg 0.9m/s",
    6: "N@80 260deg 0.8m/s",
    7: "S@0 90deg 0.9m/s",
}
"""Strokes that pocket nothing, so that the board is level when its time is up."""

FIXTURES: tuple[Fixture, ...] = (
    Fixture(
        name="icf",
        script=_script(
            "icf", 11, 10, _K.BEFORE_PLAY_CALL, _K.FELL_IN_ON_REMOVAL, _K.ON_FRAME,
            _K.STRIKER_ON_PIECE, _K.OVER_FRAME, _K.EARLY_PICKUP, _K.LEAN_IN, _K.TIME_EXCEEDED,
            _K.VIOLATION, skills=(0.95, 0.9),
        ),
    ),
    Fixture(
        name="hikone",
        script=_script(
            "hikone", 5, 9, _K.STRIKER_NUDGED, _K.FELL_DURING_LIFT, _K.FELL_DURING_REPLACEMENT,
            _K.JACK_TOPPLED, _K.WRONG_TURN, _K.BOARD_NUDGE, skills=(0.9, 0.9),
        ),
    ),
    Fixture(
        name="hikone_time",
        script=_script(
            "hikone", 2, 7, _K.SIMULTANEOUS_BREAK, _K.STALEMATE, _K.TIME_EXCEEDED,
            _K.TIME_EXCEEDED, forced=_SOFT, clock=True,
            options={"simultaneous_break": True, "match_minutes": 1},
        ),
    ),
    Fixture(
        name="gamerules",
        script=_script(
            "gamerules", 12, 8, _K.BREAK_MISSED, _K.IMPROPER_STROKE, _K.OFF_LINE,
            _K.LAMP_SWITCH, skills=(0.95, 0.9),
        ),
        jitter=0.1,
        drop=0.03,
    ),
    Fixture(
        name="carrom_se",
        script=_script(
            "carrom_se", 3, 9, _K.COVER_MISSED, _K.LIP_FALL, _K.STANDING, skills=(0.9, 0.95)
        ),
    ),
    Fixture(
        name="carrom_se_beginners",
        script=_script(
            "carrom_se", 13, 7, _K.MISFIRE, _K.STRIKER_POCKETED, _K.OPTION_REMOVAL,
            _K.DEBT_NOT_CLAIMED, _K.RESTING_ON_STRIKER, skills=(0.95, 0.95),
            options={"free_removal": True, "debt_claim": "manual"},
        ),
    ),
    Fixture(
        name="point_gamerules",
        script=_script(
            "point_gamerules", 4, 8, _K.OVER_FRAME, _K.PENALTY_PIECE_CHOSEN,
            skills=(0.9, 0.9, 0.9), options={"penalty_piece": "offender_choice"},
        ),
    ),
    Fixture(
        name="point_carrom_se",
        script=_script("point_carrom_se", 6, 7, _K.SLEEVE_TOUCH, _K.EARLY_PICKUP, _K.LEFT_SEAT),
        fps=15.0,
        jitter=0.15,
        crf=34,  # a grainy camera
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
    strokes, judged = film.timeline.strokes, film.timeline.judged
    events = {event.name for item in judged for event in item.outcome.events}
    fouls = {call.foul.value for item in judged for call in item.ruling.fouls}
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
        "regenerate": f"{_COMMAND} datasets/fixtures {fixture.name}",
    }


def _file(path: Path) -> dict[str, Any]:
    data = path.read_bytes()
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def make_all(folder: Path, names: Sequence[str] = (), executor: Executor | None = None) -> None:
    """Write the clips named (all, if none is) and bring the manifest up to date.

    Raises ``SchemaError`` for a name that no clip has.
    """
    known_names = [fixture.name for fixture in FIXTURES]
    for name in names:
        if name not in known_names:
            raise SchemaError("NAME", expected=", ".join(known_names), got=name)
    folder.mkdir(parents=True, exist_ok=True)
    chosen = [fixture for fixture in FIXTURES if not names or fixture.name in names]
    work = partial(make_one, folder)
    for row in map(work, chosen) if executor is None else executor.map(work, chosen):
        _add_row(folder / "manifest.json", row)


def _add_row(manifest: Path, row: dict[str, Any]) -> None:
    """At once, so that a run that is stopped keeps the clips it has made."""
    known = json.loads(manifest.read_text("utf-8"))["clips"] if manifest.exists() else []
    merged = {old["name"]: old for old in (*known, row)}
    clips = [merged[fixture.name] for fixture in FIXTURES if fixture.name in merged]
    text = json.dumps({"clips": clips}, indent=1, ensure_ascii=False)
    manifest.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("datasets/fixtures")
    with ProcessPoolExecutor(2, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        make_all(place, sys.argv[2:], pool)
