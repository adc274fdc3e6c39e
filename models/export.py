"""A checkpoint becomes the network that the product runs.

    python models/export.py models/runs/discs/weights/last.pt --name discs

Writes ``models/NAME.onnx`` (weights stored as 16 bit, calculated in 32) and ``models/NAME.json``,
its card: classes, input, SHA-256, recipe, how long it learned. Figures are added by
``models/evaluate.py``. Needs the training dependencies (`models/README.md`).
"""

import argparse
import hashlib
import json
import os
import subprocess
from pathlib import Path
from typing import Any

os.environ.setdefault("YOLO_OFFLINE", "true")
os.environ.setdefault("YOLO_AUTOINSTALL", "false")

HERE = Path(__file__).resolve().parent
_FEWEST_NUMBERS = 256  # smaller tables are not worth a node of their own


def main() -> None:
    """Export one checkpoint."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--name", required=True, choices=("discs", "board"))
    parser.add_argument(
        "--size-px", type=int, help="side of the input; that of training unless given"
    )
    parser.add_argument("--rounds", default="", help="a line on how it was trained, for the card")
    given = parser.parse_args()
    target = HERE / f"{given.name}.onnx"
    names, size_px = _export(given.checkpoint, target, given.size_px)
    card = {
        "network": target.name,
        "sha256": hashlib.sha256(target.read_bytes()).hexdigest(),
        "bytes": target.stat().st_size,
        "classes": names,
        "input": f"1 x 3 x {size_px} x {size_px}, RGB, 0 to 1",
        "recipe": f"recipes/{given.name}.toml",
        "rounds": given.rounds,
        "renderer": _renderer(),
        "licence": "AGPL-3.0-or-later",
        "figures": {},
    }
    text = json.dumps(card, indent=2, ensure_ascii=False) + "\n"
    (HERE / f"{given.name}.json").write_text(text, encoding="utf-8")


def _export(checkpoint: Path, target: Path, size_px: int | None) -> tuple[list[str], int]:
    """Write the network; its classes and the side of its input."""
    import onnx
    from ultralytics import YOLO

    model = YOLO(str(checkpoint))
    size_px = size_px or int(model.ckpt["train_args"]["imgsz"])
    written = model.export(format="onnx", imgsz=size_px, simplify=True, dynamic=False, nms=False)
    network = onnx.load(written)
    for entry in network.metadata_props:
        if entry.key == "description":  # ultralytics writes the path of the training data here
            entry.value = f"Carrom umpire: {target.stem}"
    _halve(network)
    onnx.checker.check_model(network)
    onnx.save(network, str(target))
    Path(written).unlink()
    return [model.names[k] for k in sorted(model.names)], size_px


def _halve(network: Any) -> None:
    """Store large tables as 16 bit floats with a cast, which the runtime folds when it loads."""
    import numpy as np
    from onnx import TensorProto, helper, numpy_helper

    graph, casts = network.graph, []
    for table in list(graph.initializer):
        if table.data_type != TensorProto.FLOAT or np.prod(table.dims) <= _FEWEST_NUMBERS:
            continue
        half = numpy_helper.to_array(table).astype(np.float16)
        stored = f"{table.name}_half"
        casts.append(helper.make_node("Cast", [stored], [table.name], to=TensorProto.FLOAT))
        graph.initializer.remove(table)
        graph.initializer.append(numpy_helper.from_array(half, stored))
    for node in reversed(casts):
        graph.node.insert(0, node)


def _renderer() -> str:
    """The version of the simulated camera: the newest commit that touched it."""
    command = ["git", "log", "-1", "--format=%h %cs", "--", "sim/camera"]
    done = subprocess.run(command, cwd=HERE.parent, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


if __name__ == "__main__":
    main()
