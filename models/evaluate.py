"""Figures of a network by itself, on rendered pictures of a folder made by ``datasets/``.

    python models/evaluate.py models/discs.onnx --data FOLDER [--split val] [--card]

Average precision by ultralytics' own validator, per class. ``--card`` writes it into the network's
card. How well the whole product sees is measured by ``carrom evaluate pictures`` instead. Needs the
training dependencies (`models/README.md`).
"""

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

os.environ.setdefault("YOLO_OFFLINE", "true")
os.environ.setdefault("YOLO_AUTOINSTALL", "false")


def main() -> None:
    """Validate and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("network", type=Path)
    parser.add_argument("--task", choices=("discs", "board"), help="its file name unless given")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--split", default="val")
    parser.add_argument("--size-px", type=int, default=448)
    parser.add_argument("--card", action="store_true")
    given = parser.parse_args()
    figures = _figures(given)
    sys.stdout.write(json.dumps(figures, indent=2) + "\n")
    if given.card:
        path = given.network.with_suffix(".json")
        card = json.loads(path.read_text(encoding="utf-8"))
        card["figures"][f"network alone, {given.split} renders"] = figures
        path.write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _figures(given: argparse.Namespace) -> dict[str, Any]:
    from ultralytics import YOLO

    data = given.data / (given.task or given.network.stem) / "data.yaml"
    pictures = len(list((data.parent / "images" / given.split).glob("*.jpg")))
    model = YOLO(str(given.network), task="detect")
    result = model.val(
        data=str(data), split=given.split, imgsz=given.size_px, batch=1, device="cpu", workers=0,
        plots=False, verbose=False, iou=0.5,
    )  # fmt: skip
    box = result.box
    classes = {
        result.names[c]: {
            "precision": round(float(box.p[k]), 4),
            "recall": round(float(box.r[k]), 4),
            "mAP50": round(float(box.ap50[k]), 4),
            "mAP50-95": round(float(box.ap[k]), 4),
        }
        for k, c in enumerate(box.ap_class_index)
    }
    whole = {"mAP50": round(float(box.map50), 4), "mAP50-95": round(float(box.map), 4)}
    return {"pictures": pictures, **whole, "classes": classes}


if __name__ == "__main__":
    main()
