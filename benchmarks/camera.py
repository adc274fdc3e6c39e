"""How many stills a second the simulated camera renders on one core.

    python -m benchmarks.camera [--stills N] [--size 1280x720]

CPU time of one thread (``process_time``) after the noise banks are made: what one free core does.
A still has its own board, discs, light and camera, so no texture is used twice; or four stills in
a row share a board (``render_many(..., stills_per_kit=4)``), as for training. The last row is a
film's frame: a still board, only the discs move.

The ratio compares with a gaussian blur (sigma 3) of a float32 1280x720x3 picture measured in the
same run, because a shared core has no speed of its own: compare ratios, not seconds.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from carrom.board_spec import BoardFamily
from sim.camera import prepare, prepare_worker, render, sample_scene

TARGET_PER_S = 5.0
WARM_UP = 24


def cpu_s(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def blur_s() -> float:
    picture = np.random.default_rng(0).random((720, 1280, 3), dtype=np.float32)
    return min(cpu_s(lambda: cv2.GaussianBlur(picture, (0, 0), 3.0)) for _ in range(10))


def stills(size: tuple[int, int], seeds: range, *, hands: bool, per_kit: int = 1) -> float:
    """Mean CPU seconds a still."""

    def one(seed: int) -> None:
        scene = sample_scene(seed, size_px=size, kit=None if per_kit == 1 else seed // per_kit)
        render(scene if hands else replace(scene, hands=()))

    return sum(cpu_s(lambda seed=seed: one(seed)) for seed in seeds) / len(seeds)  # type: ignore[misc]


def frames(size: tuple[int, int], count: int) -> float:
    """Mean CPU seconds a frame of a film without hands."""
    scene = replace(sample_scene(3, family=BoardFamily.ICF, size_px=size), hands=())
    stage = prepare(scene)
    return sum(cpu_s(lambda: render(scene, stage=stage)) for _ in range(count)) / count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stills", type=int, default=60)
    parser.add_argument("--size", default="1280x720")
    options = parser.parse_args()
    wide, tall = (int(part) for part in options.size.split("x"))
    prepare_worker()
    for seed in range(10_000, 10_000 + WARM_UP):
        render(sample_scene(seed, size_px=(320, 240)))
    unit = blur_s()
    seeds = range(options.stills)
    rows = [
        ("stills without hands", stills((wide, tall), seeds, hands=False)),
        ("four stills a board, no hands", stills((wide, tall), seeds, hands=False, per_kit=4)),
        ("stills with hands", stills((wide, tall), seeds, hands=True)),
        ("four stills a board, hands", stills((wide, tall), seeds, hands=True, per_kit=4)),
        ("frames of a still board", frames((wide, tall), 20)),
    ]
    print(f"{options.size}, target {TARGET_PER_S:g} stills/s a core; blur {1000 * unit:.1f} ms")
    for name, seconds in rows:
        print(f"{name:30} {1 / seconds:6.1f}/s  {seconds / unit:6.1f} blurs")


if __name__ == "__main__":
    main()
