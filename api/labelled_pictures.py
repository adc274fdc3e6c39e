"""Photographs in a folder for judging, with labels beside them where there are any.

``labels/NAME.json``: ``boxes`` (``class``, ``xyxy`` in px), ``playing_surface_quad_tl_tr_br_bl``,
``quad_tolerance_px``. ``manifest.csv``: ``file``, ``viewpoint`` (overhead or oblique),
``board_type``, ``whole_board_visible``.
"""

import csv
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import hypot
from pathlib import Path
from typing import Any

import numpy as np

from api.picture_judge import PictureTruth
from api.picture_row import Frame, Setting, TrueDisc
from carrom.board_spec import BoardFamily
from carrom.errors import SchemaError
from carrom.pieces import PieceKind

__all__ = ["PhotoJob", "photo_jobs", "photo_truth"]

PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff")
_DOUBT = re.compile(r"\((\w+) or (\w+)\)")
_NO_DISCS = ("pocket", "hand")


@dataclass(frozen=True, slots=True)
class PhotoJob:
    """A picture file and what the manifest says of it."""

    path: Path
    group: str
    family: BoardFamily | None
    whole: bool

    @property
    def name(self) -> str:
        """Its file name."""
        return self.path.name


def photo_jobs(folder: Path) -> list[PhotoJob]:
    """Every picture of a folder. Raises ``SchemaError`` when there is none."""
    if not folder.is_dir():
        raise SchemaError("--folder", expected="a folder of pictures", got=str(folder))
    manifest = _manifest(folder / "manifest.csv")
    jobs = [
        _job(path, manifest.get(path.name, {}))
        for path in sorted(folder.iterdir())
        if path.suffix.lower() in PICTURE_SUFFIXES
    ]
    if not jobs:
        raise SchemaError("--folder", expected="pictures", got=str(folder))
    return jobs


def _manifest(path: Path) -> dict[str, Mapping[str, str]]:
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    if rows and "file" not in rows[0]:
        raise SchemaError(str(path), expected="a column 'file'", got=list(rows[0]))
    return {row["file"]: row for row in rows}


def _job(path: Path, row: Mapping[str, str]) -> PhotoJob:
    families = {family.value: family for family in BoardFamily}
    labelled = _label_path(path).is_file()
    view = row.get("viewpoint") or "any view"
    group = f"{view}, {'labelled' if labelled else 'not labelled'}"
    return PhotoJob(
        path,
        group,
        families.get(row.get("board_type", "")),
        whole=row.get("whole_board_visible", "y") == "y",
    )


def _label_path(path: Path) -> Path:
    return path.parent / "labels" / f"{path.stem}.json"


def photo_truth(job: PhotoJob) -> PictureTruth:
    """What the labels say. Raises ``SchemaError`` for labels that cannot be read."""
    oblique = job.group.startswith("oblique")
    label_path = _label_path(job.path)
    if not label_path.is_file():
        setting = Setting(
            job.name, job.group, Frame.PICTURE,
            rest=False, whole=job.whole, labelled=False, may_refuse=oblique,
        )  # fmt: skip
        return PictureTruth(setting, family=job.family)
    data = _load(label_path)
    quad = data.get("playing_surface_quad_tl_tr_br_bl")
    try:
        discs = tuple(_disc(box) for box in data["boxes"] if box["class"] not in _NO_DISCS)
        pockets = [box["xyxy"] for box in data["boxes"] if box["class"] == "pocket"]
        corners = None if quad is None else np.array(quad, dtype=np.float64).reshape(4, 2)
    except (KeyError, TypeError, ValueError) as error:
        raise SchemaError(str(label_path), expected="boxes and a quad", got=str(error)) from error
    sides = [] if corners is None else np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    setting = Setting(
        job.name, job.group, Frame.PICTURE,
        rest=not oblique,
        whole=job.whole,
        may_refuse=oblique,
        side=float(np.mean(sides)) if len(sides) else _guessed_side(discs),
        tolerance=None if corners is None else float(data["quad_tolerance_px"]),
    )  # fmt: skip
    return PictureTruth(
        setting,
        discs,
        corners=corners,
        family=job.family,
        ignored_boxes=tuple(tuple(map(float, box)) for box in pockets),  # type: ignore[misc]
    )


def _load(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SchemaError(str(path), expected="labels in JSON", got=str(error)) from error
    if not isinstance(data, dict) or not isinstance(data.get("boxes"), list):
        raise SchemaError(str(path), expected="an object with boxes", got=type(data).__name__)
    return data


def _disc(box: Mapping[str, Any]) -> TrueDisc:
    left, top, right, bottom = map(float, box["xyxy"])
    kinds = [PieceKind(box["class"])]
    doubt = _DOUBT.search(str(box.get("note", "")))
    if doubt is not None and "uncertain" in box["note"]:
        kinds += [PieceKind(word) for word in doubt.groups() if word != kinds[0].value]
    half = hypot(right - left, bottom - top) / hypot(2.0, 2.0)
    return TrueDisc(tuple(kinds), (left + right) / 2, (top + bottom) / 2, half)


def _guessed_side(discs: tuple[TrueDisc, ...]) -> float:
    """From the discs, where no corner is labelled: a man is 31 of 740 mm."""
    halves = [disc.half for disc in discs if PieceKind.STRIKER not in disc.kinds]
    return float(np.median(halves)) * 740.0 / 15.5 if halves else 740.0
