"""Time of a frame in the eyes, next to ultralytics' own CPU path in the same run.

    python -m benchmarks.bench_eyes [--seconds S] [--json FILE]

Per size and number of threads: the disc step on a frame (crop, network, refinement, kinds), of it
the network alone, and the search for the board (once at the start, then now and then). Beside them
``ultralytics.YOLO(discs.onnx)`` and, given ``--checkpoint``, the same network in torch, on the same
crop without any of the rest: what a frame costs there at the least. Rounds are interleaved and the
quickest counts; on a shared machine compare ratios, not milliseconds. Without ultralytics (it is no
dependency of the product) its columns are left out.

Then memory and start-up, each in a fresh process.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import cv2

from carrom.board_spec import BoardFamily
from sim.camera import render, sample_scene
from vision.arrays import Array
from vision.board_finder import BoardFinder
from vision.detector import Detector
from vision.network import Network
from vision.weights import BOARD_WEIGHTS, DISC_WEIGHTS, weights_path

SIZES = ((1280, 720), (1920, 1080))
THREADS = (1, 2)
SEED = 9_000_100
TARGET_RATIO, TARGET_START_S = 3.0, 2.0

START = """
import time
start = time.perf_counter()
from pathlib import Path
import sys
from vision.eyes import Eyes
import numpy as np
eyes = Eyes.load(weights=[Path(p) for p in sys.argv[1:]], threads=1)
loaded = time.perf_counter() - start
eyes.look(np.random.default_rng(0).integers(0, 255, (720, 1280, 3), dtype=np.uint8))
done = time.perf_counter() - start
lines = Path("/proc/self/status").read_text().splitlines()  # ru_maxrss begins at the parent's
print(loaded, done, next(line.split()[1] for line in lines if line.startswith("VmHWM")))
"""


def scene_with_board(size: tuple[int, int], finder: BoardFinder) -> tuple[Array, Any]:
    """The first judge picture of this size in which the board is found, and the board."""
    for seed in range(SEED, SEED + 20):
        image = render(sample_scene(seed, family=BoardFamily.ICF, size_px=size), hands=()).image_bgr
        found = finder.find(image)
        if found.board is not None:
            return image, found.board
    raise SystemExit("no board found in 20 pictures: are these trained weights?")


def rounds(jobs: dict[str, Callable[[], object]], seconds: float) -> dict[str, float]:
    """Fewest milliseconds of each job, taken in turn so that all meet the same weather."""
    for job in jobs.values():
        job()
    took: dict[str, list[float]] = {name: [] for name in jobs}
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(next(iter(took.values()))) < 5:
        for name, job in jobs.items():
            start = time.perf_counter()
            job()
            took[name].append(1000 * (time.perf_counter() - start))
    return {name: min(times) for name, times in took.items()}


def ultralytics_jobs(
    crop: Array, networks: dict[str, Path], threads: int
) -> dict[str, Callable[[], object]]:
    """The same networks on the same crop by ultralytics; empty where it is not installed."""
    os.environ.setdefault("YOLO_OFFLINE", "true")
    os.environ.setdefault("YOLO_AUTOINSTALL", "false")
    try:
        torch, ultralytics = import_module("torch"), import_module("ultralytics")
    except ImportError:
        return {}
    torch.set_num_threads(threads)
    size = crop.shape[0]
    models = {name: ultralytics.YOLO(str(path), task="detect") for name, path in networks.items()}
    return {
        name: partial(model.predict, crop, imgsz=size, device="cpu", verbose=False)
        for name, model in models.items()
    }


def measure(options: argparse.Namespace) -> list[dict[str, Any]]:
    rows = []
    board_path = options.board or weights_path(BOARD_WEIGHTS)
    disc_path = options.discs or weights_path(DISC_WEIGHTS)
    others = {"ultralytics onnx": disc_path}
    if options.checkpoint is not None:
        others["ultralytics torch"] = options.checkpoint
    for size in SIZES:
        for threads in THREADS:
            cv2.setNumThreads(threads)
            finder = BoardFinder(Network(board_path, threads=threads))
            network = Network(disc_path, threads=threads)
            detector = Detector(network)
            image, board = scene_with_board(size, finder)
            _, crop = detector.crop_of(image, board)
            jobs: dict[str, Callable[[], object]] = {
                "disc step": partial(detector.look, image, board),
                "network alone": partial(network.look, crop),
                **ultralytics_jobs(crop, others, threads),
            }
            times = rounds(jobs, options.seconds)
            times |= rounds({"board search": partial(finder.find, image)}, options.seconds / 2)
            rows.append({"size": f"{size[0]}x{size[1]}", "threads": threads, "ms": times})
    return rows


def start_up(options: argparse.Namespace) -> dict[str, float]:
    """Best of three fresh processes: seconds until loaded, until a picture is done, peak MB."""
    weights = [str(p) for p in (options.board, options.discs) if p is not None]
    best = [float("inf")] * 3
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-c", START, *weights], capture_output=True, text=True, check=True
        )
        best = [min(a, float(b)) for a, b in zip(best, done.stdout.split(), strict=True)]
    return {"loaded_s": best[0], "first_picture_s": best[1], "peak_mb": best[2] / 1024}


def show(rows: list[dict[str, Any]]) -> None:
    names = list(rows[0]["ms"])
    print("| size | threads | " + " | ".join(f"{name} ms" for name in names) + " | ratio |")
    print("|---|---:|" + "---:|" * (len(names) + 1))
    for row in rows:
        own = row["ms"]["disc step"]
        theirs = [ms for name, ms in row["ms"].items() if name.startswith("ultralytics")]
        ratio = " / ".join(f"{ms / own:.2f}" for ms in theirs) or "-"
        cells = " | ".join(f"{row['ms'][name]:.1f}" for name in names)
        print(f"| {row['size']} | {row['threads']} | {cells} | {ratio} |")
    if not any(name.startswith("ultralytics") for name in names):
        print("\nultralytics is not installed here: its columns are left out")
    print(f"\nratio: ultralytics over the whole disc step (target {TARGET_RATIO:g})", flush=True)


def show_start(start: dict[str, float]) -> None:
    print(
        f"start-up: networks loaded after {start['loaded_s']:.2f} s (target {TARGET_START_S:g}), "
        f"first picture after {start['first_picture_s']:.2f} s, peak {start['peak_mb']:.0f} MB"
        f"\nthis process at its peak: "
        f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB (with the renderer)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=6.0, help="for each size and threads")
    parser.add_argument("--discs", type=Path, help="another disc network (.onnx)")
    parser.add_argument("--board", type=Path, help="another corner network (.onnx)")
    parser.add_argument("--checkpoint", type=Path, help="the disc network's .pt, for torch")
    parser.add_argument("--json", type=Path, help="figures into this file")
    options = parser.parse_args()
    rows = measure(options)
    show(rows)
    start = start_up(options)
    show_start(start)
    if options.json is not None:
        text = json.dumps({"rows": rows, "start_up": start}, indent=1) + "\n"
        options.json.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
