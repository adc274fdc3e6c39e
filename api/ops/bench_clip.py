"""The trial run of `carrom doctor --bench`: which clip, which pipeline, what is timed."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from api.ops.bench import Bench, Timed, play, timed
from carrom.seats import Seat
from vision.arrays import Array
from vision.frames import Frame

if TYPE_CHECKING:
    from referee.laws import Laws
    from vision.pipeline import Pipeline

__all__ = ["bench_advice", "bench_clip", "shipped_clip"]

_HERE = Path(__file__).resolve()
_DEMOS = (_HERE.parents[2] / "datasets" / "demo", _HERE.parents[1] / "demo_clips")
"""In a checkout; in an installed program."""
_CLIPS = _HERE.parents[2] / "datasets" / "fixtures"


def shipped_clip(rules: str = "icf") -> Path | None:
    """The film of the demo, or a fixture of a checkout."""
    for folder in (*_DEMOS, _CLIPS):
        path = folder / f"{rules}.mp4"
        if path.is_file():
            return path
    return None


def bench_clip(
    path: Path, rules: str, *, most_s: float, height_px: int | None = None
) -> dict[str, Any]:
    """Follow the first ``most_s`` seconds of a clip, scaled to ``height_px``; the figures.

    The board is found first, as it is before play; without one nothing is followed, and ``board``
    is false. Raises ``SourceError``.
    """
    from api.watch.ledger import Ledger
    from referee.ruleset_files import load_laws

    laws = load_laws(rules)
    players = {seat: seat.value for seat in _seats(path, three=laws.ruleset.three_players)}
    ledger, bench = Ledger(laws, players), Bench()
    pipeline = _pipeline(laws, list(players), bench)
    with_board = _calibrated(path, pipeline.step, height_px)
    bench.stage("look").seconds = 0.0
    decode, sizes = Timed(), [(0, 0)]

    def frames() -> Iterator[Frame]:
        for frame in _frames(path, most_s, height_px, decode):
            sizes[0] = (frame.image_bgr.shape[1], frame.image_bgr.shape[0])
            yield frame

    play(frames(), pipeline, bench, judge=ledger.take)
    data = bench.to_data()
    data["shares"]["follow"] = round(
        data["busy"] - data["shares"].get("look", 0.0) - data["shares"].get("judge", 0.0), 3
    )
    data["shares"]["decode"] = round(decode.seconds / (bench.played_s or 1.0), 3)
    return {"clip": path.name, "board": with_board, "size_px": list(sizes[0]), **data}


def _pipeline(laws: Laws, seats: list[Seat], bench: Bench) -> Pipeline:
    """As `api.watch.following.pipeline_for` makes it, the looks at the discs timed."""
    from api.watch.following import family_of_rules
    from vision.board_finder import BoardFinder
    from vision.detector import Detector
    from vision.network import Network
    from vision.pipeline import Pipeline
    from vision.weights import BOARD_WEIGHTS, DISC_WEIGHTS, weights_path

    finder = BoardFinder(Network(weights_path(BOARD_WEIGHTS), threads=2))
    detector: Any = Detector(Network(weights_path(DISC_WEIGHTS), threads=2))
    detector.look = timed(detector.look, bench.stage("look"))
    return Pipeline(finder, detector, family=family_of_rules(laws), seats=seats)


def _calibrated(path: Path, step: Callable[[Frame], object], height_px: int | None) -> bool:
    """Show the first frames until the board is known; time then begins anew below them."""
    from vision.table_events import Calibrated

    for frame in _frames(path, 6.0, height_px, Timed()):
        early = Frame(frame.image_bgr, frame.t_s - 1000.0, frame.seq)
        events: Any = step(early)
        if any(isinstance(event, Calibrated) for event in events):
            return True
    return False


def _frames(path: Path, most_s: float, height_px: int | None, decode: Timed) -> Iterator[Frame]:
    from vision.sources.files import VideoFile

    video = VideoFile(path)
    read = timed(video.read, decode)
    try:
        while True:
            frame: Frame | None = read()
            if frame is None or frame.t_s > most_s:
                return
            yield frame if height_px is None else _scaled(frame, height_px)
    finally:
        video.close()


def _scaled(frame: Frame, height_px: int) -> Frame:
    import cv2

    high, wide = frame.image_bgr.shape[:2]
    if high == height_px:
        return frame
    size = (round(wide * height_px / high), height_px)
    image: Array = cv2.resize(frame.image_bgr, size, interpolation=cv2.INTER_LINEAR)
    return Frame(image, frame.t_s, frame.seq, frame.damaged, frame.frozen, frame.rejoined)


def _seats(path: Path, *, three: bool) -> tuple[Seat, ...]:
    """Where people sit in the clip: its truth beside it says so, else two face each other."""
    truth = path.with_suffix(".jsonl")
    found: list[Seat] = []
    if truth.is_file():
        with truth.open(encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                if row.get("type") == "stroke":
                    found.append(Seat(row["stroke"]["seat"]))
    if len(set(found)) in (3, 4):
        return tuple(seat for seat in Seat if seat in found)
    return (Seat.SOUTH, Seat.EAST, Seat.NORTH) if three else (Seat.SOUTH, Seat.NORTH)


def bench_advice(rules: str = "icf") -> dict[str, Any]:
    """How long the first suggestion and the whole advice take, in an ordinary position.

    The engine is compiled before, if it is not. Raises ``CarromError`` for unknown rules.
    """
    import os
    from concurrent.futures import ThreadPoolExecutor

    from carrom.board_spec import BoardFamily
    from carrom.boards import board_for
    from carrom.notation import parse_position
    from referee.ruleset_files import load_laws
    from sim.advisor.situation import situation_of
    from sim.advisor.skill import CLUB
    from sim.advisor.suggestion import Stage
    from sim.advisor.thinking import thoughts
    from sim.physics import warm_up
    from sim.physics.warming import is_compiled

    if not is_compiled():
        warm_up(lambda _line: None)
    position = parse_position(_POSITION)
    situation = situation_of(position, load_laws(rules), seat=Seat.SOUTH, players=2,
                             board=board_for(BoardFamily.ICF))  # fmt: skip
    workers = max(1, min(2, os.cpu_count() or 1))
    first_s: float | None = None
    start_s = time.perf_counter()
    with ThreadPoolExecutor(workers, thread_name_prefix="advisor") as pool:
        for advice in thoughts(situation, CLUB, executor=pool, clock=time.perf_counter):
            if first_s is None and advice.stage is Stage.FIRST:
                first_s = time.perf_counter() - start_s
    return {"first_s": None if first_s is None else round(first_s, 2),
            "full_s": round(time.perf_counter() - start_s, 2)}  # fmt: skip


_POSITION = (
    "w+100.0+100.0 w-200.0+40.0 w+30.0-120.0 w-90.0+210.0 w+220.0-60.0 w+0.0+60.0 "
    "b-50.0+80.0 b+180.0+200.0 b-150.0-100.0 b+60.0+250.0 b-240.0+180.0 b+140.0-170.0 q+0.0+0.0"
)
