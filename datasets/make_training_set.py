"""Render the pictures that the networks learn from; stop and start again at will.

    python -m datasets.make_training_set datasets/recipes/training.toml --out FOLDER

Writes ``FOLDER/discs`` and ``FOLDER/board`` in the layout that ultralytics reads (``images/``,
``labels/``, ``data.yaml``). Seeds already there are skipped, so a longer recipe adds to a shorter
one. Pictures are not committed: the recipe makes them again.
"""

import argparse
import sys
import tomllib
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import cv2

from datasets.training_set import BOARD_CLASSES, DISC_CLASSES, Example, Task, examples_of
from sim.camera.many import prepare_worker

_JPEG = [cv2.IMWRITE_JPEG_QUALITY, 94]


def main() -> None:
    """Read the recipe, render what is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recipe", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    recipe = tomllib.loads(arguments.recipe.read_text(encoding="utf-8"))
    for task in Task:
        names = BOARD_CLASSES if task is Task.BOARD else DISC_CLASSES
        _describe(arguments.out / task, names)
    for part in recipe["parts"]:
        _render(part, arguments.out, arguments.workers)


def _render(part: dict[str, Any], out: Path, workers: int) -> None:
    """All missing scenes of one part of a recipe."""
    for task in Task:
        for folder in ("images", "labels"):
            (out / task / folder / part["split"]).mkdir(parents=True, exist_ok=True)
    done = out / f"done_{part['split']}"
    done.mkdir(exist_ok=True)
    seeds = range(part["first_seed"], part["first_seed"] + part["scenes"])
    due = [seed for seed in seeds if not (done / str(seed)).exists()]
    with ProcessPoolExecutor(workers, initializer=prepare_worker) as pool:
        jobs = ((seed, part, out) for seed in due)
        for count, seed in enumerate(pool.map(_one, jobs, chunksize=4), 1):
            (done / str(seed)).touch()
            if count % 100 == 0 or count == len(due):
                sys.stdout.write(f"{part['split']}: {count} of {len(due)} scenes\n")
                sys.stdout.flush()


def _one(job: tuple[int, dict[str, Any], Path]) -> int:
    seed, part, out = job
    shares = {name: part[name] for name in ("home_share", "tight_share") if name in part}
    for example in examples_of(seed, **shares):
        _write(example, out / example.task, part["split"])
    return seed


def _write(example: Example, folder: Path, split: str) -> None:
    size = example.image_bgr.shape[0]
    cv2.imwrite(str(folder / "images" / split / f"{example.name}.jpg"), example.image_bgr, _JPEG)
    lines = []
    for label, left, top, right, bottom in example.boxes:
        middle = ((left + right) / 2 / size, (top + bottom) / 2 / size)
        extent = ((right - left) / size, (bottom - top) / size)
        lines.append(" ".join([str(label), *(f"{v:.6f}" for v in (*middle, *extent))]))
    text = "".join(f"{line}\n" for line in lines)
    (folder / "labels" / split / f"{example.name}.txt").write_text(text, encoding="utf-8")


def _describe(folder: Path, names: tuple[str, ...]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f"path: {folder.resolve()}", "train: images/train", "val: images/val", "names:"]
    lines += [f"  {k}: {name}" for k, name in enumerate(names)]
    (folder / "data.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
