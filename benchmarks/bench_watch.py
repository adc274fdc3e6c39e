"""What it costs to turn frames into views, and how much of a clip's own time that is.

    python -m benchmarks.bench_watch [CLIP...] [--threads N] [--scale S] [--fps F] [--json FILE]
    python -m benchmarks.bench_watch --memory MINUTES [CLIP]

Per clip (default: the fixtures): frames a second, share of frames in which the discs were looked
at, CPU milliseconds a frame of each stage, and CPU time over the clip's own time, as it is and as
it would be at ``--fps``. CPU time counts all threads, so that on two cores a ratio under 2 keeps up
at best and one under 1 surely does; on a shared machine compare ratios, not milliseconds.
``--scale``: frames are enlarged first, which costs nothing here but makes later stages work on as
many pixels as a larger camera gives.

``--memory``: frames of a clip, over and over, with the resident memory after every minute of them.
"""

import argparse
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import av
import cv2

from carrom.board_spec import BoardFamily
from vision.board_finder import BoardFinder
from vision.detector import Detector
from vision.frames import Frame
from vision.network import Network
from vision.pipeline import Pipeline
from vision.seen import BoardSeen
from vision.table_view import TableView
from vision.watching.change_map import ChangeMap
from vision.watching.nudge_watch import NudgeWatch
from vision.watching.watcher import Watcher
from vision.weights import BOARD_WEIGHTS, DISC_WEIGHTS, weights_path

FIXTURES = Path(__file__).parents[1] / "datasets" / "fixtures"


class Stopwatch:
    """CPU seconds by name; wraps functions that it is to time."""

    def __init__(self) -> None:
        self.took_s: dict[str, float] = {}
        self.calls: dict[str, int] = {}

    def wrap(self, owner: object, method: str, name: str) -> Callable[[], None]:
        """Time a method of a class; call what is returned to undo it."""
        inner = getattr(owner, method)

        def timed(*args: Any, **options: Any) -> Any:
            start = time.process_time()
            try:
                return inner(*args, **options)
            finally:
                self.took_s[name] = self.took_s.get(name, 0.0) + time.process_time() - start
                self.calls[name] = self.calls.get(name, 0) + 1

        setattr(owner, method, timed)
        return lambda: setattr(owner, method, inner)


STAGES: tuple[tuple[type, str, str], ...] = (
    (Detector, "look", "look"),
    (Detector, "crop_of", "crop"),
    (Network, "look", "network"),
    (ChangeMap, "look", "changes"),
    (NudgeWatch, "look", "nudges"),
    (Watcher, "view", "views"),
    (Pipeline, "step_view", "following"),
    (Pipeline, "step", "all"),
)


def family_of(path: Path) -> BoardFamily:
    """By the name of the clip."""
    return BoardFamily.HIKONE if "hikone" in path.name else BoardFamily.ICF


def frames_of(path: Path, scale: float = 1.0) -> Iterator[Frame]:
    """Every frame of a clip with its own time."""
    with av.open(str(path)) as clip:
        for number, picture in enumerate(clip.decode(video=0)):
            image = picture.to_ndarray(format="bgr24")
            if scale != 1.0:
                image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR)
            yield Frame(image, float(picture.time or 0.0), number)


def pipeline_of(
    path: Path,
    threads: int,
    board: BoardSeen | None = None,
    on_view: Callable[[TableView], None] | None = None,
) -> Pipeline:
    """The shipped networks before a follower."""
    networks = [Network(weights_path(n), threads=threads) for n in (BOARD_WEIGHTS, DISC_WEIGHTS)]
    return Pipeline(
        BoardFinder(networks[0]),
        Detector(networks[1]),
        family=family_of(path),
        board=board,
        on_view=on_view,
    )


def board_in(path: Path, threads: int, scale: float) -> BoardSeen | None:
    """The board of a clip: a first pass over its beginning."""
    pipeline = pipeline_of(path, threads)
    for frame in frames_of(path, scale):
        pipeline.step(frame)
        if pipeline.calibrated is not None:
            return pipeline.calibrated
        if frame.t_s > 20.0:
            break
    return None


def measure(path: Path, threads: int, scale: float, fps: float) -> dict[str, Any]:
    """One clip from its start to its end."""
    board = board_in(path, threads, scale)
    if board is None:
        return {"clip": path.name, "board": False}
    views: list[TableView] = []
    pipeline = pipeline_of(path, threads, board, views.append)
    watch = Stopwatch()
    undo = [watch.wrap(*stage) for stage in STAGES]
    start_s, frames, t_s = time.process_time(), 0, 0.0
    wall_s = time.perf_counter()
    try:
        for frame in frames_of(path, scale):
            pipeline.step(frame)
            frames, t_s = frames + 1, frame.t_s
    finally:
        for call in undo:
            call()
    total_s, wall_s = time.process_time() - start_s, time.perf_counter() - wall_s
    looks = sum(view.look is not None for view in views)
    per_frame = {name: 1000 * took / frames for name, took in watch.took_s.items()}
    per_frame["decoding"] = 1000 * total_s / frames - per_frame["all"]
    return {
        "clip": path.name,
        "board": True,
        "frames": frames,
        "frames_per_wall_s": frames / wall_s,
        "looks": looks / frames,
        "stirred": sum(bool(view.changed.any()) for view in views) / frames,
        "usable": sum(view.usable for view in views) / frames,
        "ms_per_frame": per_frame,
        "ms_per_look": 1000 * watch.took_s.get("look", 0.0) / max(1, looks),
        "cpu_over_clip": total_s / t_s,
        "cpu_over_fps": total_s / frames * fps,
    }


def show(row: dict[str, Any], fps: float) -> None:
    """A paragraph a clip."""
    if not row["board"]:
        print(f"{row['clip']}: no board found")
        return
    stages = "  ".join(f"{k} {v:.1f}" for k, v in row["ms_per_frame"].items())
    print(
        f"{row['clip']}: {row['frames']} frames, {row['frames_per_wall_s']:.1f} a second; "
        f"looked at {row['looks']:.0%}, stirred {row['stirred']:.0%}, usable {row['usable']:.1%}; "
        f"CPU over clip {row['cpu_over_clip']:.2f}, at {fps:.0f} fps {row['cpu_over_fps']:.2f}\n"
        f"    ms a frame: {stages};  a look {row['ms_per_look']:.1f}",
        flush=True,
    )


def resident_mb() -> float:
    """Resident memory of this process, MB."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmRSS"))) / 1024


def memory(path: Path, minutes: float, threads: int) -> list[float]:
    """Resident MB after every minute of frames."""
    board = board_in(path, threads, 1.0)
    pipeline = pipeline_of(path, threads, board)
    out, base_s, number = [resident_mb()], 0.0, 0
    print(f"{path.name}: {out[0]:.1f} MB at the start", flush=True)
    while base_s < 60 * minutes:
        last_s = 0.0
        for frame in frames_of(path):
            number, last_s = number + 1, frame.t_s
            pipeline.step(Frame(frame.image_bgr, base_s + frame.t_s, number))
            if base_s + frame.t_s >= 60 * len(out):
                out.append(resident_mb())
                print(f"    minute {len(out) - 1}: {out[-1]:.1f} MB", flush=True)
        base_s += last_s + 1 / 12
    return out


def main() -> None:
    """Measure clips, or memory."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("clips", nargs="*", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--fps", type=float, default=30.0)
    parser.add_argument("--memory", type=float, default=0.0, metavar="MINUTES")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    clips = given.clips or sorted(FIXTURES.glob("*.mp4"))
    if given.memory:
        rows: list[Any] = [memory(clips[0], given.memory, given.threads)]
    else:
        rows = []
        for path in clips:
            rows.append(measure(path, given.threads, given.scale, given.fps))
            show(rows[-1], given.fps)
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
