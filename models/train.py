"""Train a network by a recipe; stop and start again at will.

    python models/train.py models/recipes/discs.toml --data FOLDER [--start WEIGHTS.pt]

Needs the training dependencies (`models/README.md`). Checkpoints go to ``models/runs/NAME``; a run
that was cut off goes on where its last epoch ended. ``--hours`` fits the number of epochs (and the
cosine of the learning rate) to a time. ``--start`` begins a new round from older weights.
"""

import argparse
import ctypes
import os
import tomllib
from pathlib import Path
from typing import Any

os.environ.setdefault("YOLO_OFFLINE", "true")
os.environ.setdefault("YOLO_AUTOINSTALL", "false")
os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # spinning threads starve a shared machine
os.environ.setdefault("GOMP_SPINCOUNT", "0")

HERE = Path(__file__).resolve().parent


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recipe", type=Path)
    parser.add_argument("--data", type=Path, required=True, help="made by datasets/")
    parser.add_argument("--name", help="of the run; the recipe's task unless given")
    parser.add_argument("--start", type=Path, help="weights of an earlier round")
    parser.add_argument("--hours", type=float)
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--rate", type=float, help="learning rate instead of the recipe's")
    parser.add_argument("--pictures", help="folder of --data instead of the recipe's")
    parser.add_argument("--size-px", type=int, help="instead of the recipe's")
    parser.add_argument("--batch", type=int, help="instead of the recipe's")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--bf16", action="store_true", help="for CPUs with AVX512-BF16 or AMX")
    train(parser.parse_args())


def train(given: argparse.Namespace) -> None:
    """One run, new or continued."""
    import torch
    from ultralytics import YOLO

    torch.set_num_threads(given.threads)
    _keep_memory()
    recipe = tomllib.loads(given.recipe.read_text(encoding="utf-8"))
    name = given.name or recipe["task"]
    last = HERE / "runs" / name / "weights" / "last.pt"
    trainer = _trainer(given.threads, bf16=given.bf16)
    if last.is_file() and not _finished(last):
        YOLO(str(last)).train(trainer=trainer, resume=True)
        return
    architecture = recipe["architecture"]
    own = HERE / architecture
    model = YOLO(str(own) if own.is_file() else architecture, task="detect", verbose=False)
    if given.start:
        model.load(str(given.start))
    model.train(trainer=trainer, **_settings(recipe, given, name))


def _keep_memory() -> None:
    """Let glibc keep what was freed: a third of a step went into fetching the pages again."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if os.name == "posix" else None
    if mallopt is not None:
        for parameter in (-1, -3):  # M_TRIM_THRESHOLD, M_MMAP_THRESHOLD
            mallopt(parameter, 1 << 30)


def _finished(last: Path) -> bool:
    """Whether a checkpoint's run had ended: then ultralytics has stripped its optimizer."""
    import torch

    return torch.load(last, map_location="cpu", weights_only=False).get("optimizer") is None


def _settings(recipe: dict[str, Any], given: argparse.Namespace, name: str) -> dict[str, Any]:
    rate = given.rate or recipe["learning_rate"]
    out = {
        "data": str(given.data / (given.pictures or recipe["pictures"]) / "data.yaml"),
        "imgsz": given.size_px or recipe["size_px"],
        "epochs": given.epochs or recipe["epochs"],
        "batch": given.batch or recipe["batch"],
        "nbs": given.batch or recipe["batch"],  # a step a batch; the default gathers 64 pictures
        "device": given.device,
        "workers": 1 if given.device == "cpu" else 8,
        "cache": "ram",
        "amp": given.device != "cpu",
        "optimizer": "AdamW",
        "lr0": rate,
        "lrf": 0.01,
        "cos_lr": True,
        "warmup_epochs": 0.5,
        "warmup_bias_lr": rate,
        "weight_decay": recipe["weight_decay"],
        "mosaic": 0.0,  # the renderer composes
        "close_mosaic": 0,
        "hsv_h": recipe["hue"],
        "hsv_s": recipe["saturation"],
        "hsv_v": recipe["value"],
        "degrees": recipe["turn_deg"],
        "translate": recipe["shift"],
        "scale": recipe["scale"],
        "fliplr": recipe["flips"],
        "flipud": recipe["flips"],
        "erasing": 0.0,
        "val": False,
        "plots": False,
        "patience": 0,
        "seed": 0,
        "deterministic": False,
        "project": str(HERE / "runs"),
        "name": name,
        "exist_ok": True,
        "verbose": False,
    }
    if given.hours:
        out["time"] = given.hours
    return out


def _trainer(threads: int, *, bf16: bool) -> type:
    """A trainer that keeps to its threads and, where asked, to bfloat16 on the CPU."""
    import torch
    from ultralytics.models.yolo.detect import DetectionTrainer

    class Trainer(DetectionTrainer):
        def _setup_train(self, *arguments: Any) -> None:
            super()._setup_train(*arguments)
            torch.set_num_threads(threads)
            if bf16:
                self.amp = True
                self.scaler = torch.amp.GradScaler("cpu", enabled=False)

    return Trainer


if __name__ == "__main__":
    main()
