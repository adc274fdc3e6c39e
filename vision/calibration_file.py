"""A calibration on disk: TOML, versioned, with the size of the picture it is for.

version = 1
family = "icf"
half_mm = 370.0
confidence = 0.93
residual_mm = 0.31
warnings = []

[camera]
width_px = 1280
height_px = 720
focal_px = 905.2
middle_px = [639.5, 359.5]
distortion = 0.05
position_mm = [12.0, -80.5, 1103.0]
rotation = [1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0]

[[corners]]                     # four: NW NE SE SW of the board frame
px = [300.5, 40.2]
seen = true
confidence = 0.9
"""

from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from carrom.board_spec import BoardFamily
from carrom.errors import CalibrationError, SchemaError
from carrom.toml_text import parse_toml, read_text
from vision.board_camera import BoardCamera
from vision.pose import square
from vision.seen import BoardSeen, CornerSeen

__all__ = [
    "CALIBRATION_VERSION",
    "calibration_from_toml",
    "calibration_to_toml",
    "load_calibration",
    "save_calibration",
]

CALIBRATION_VERSION = 1
_LARGEST_PX = 30_000
_CORNERS_OFF_PX = 1.0
"""How far the corners may be from where the camera sees them, px: rounding, no more."""


def save_calibration(board: BoardSeen, path: Path) -> None:
    """Write a file that ``load_calibration`` reads back as an equal board."""
    path.write_text(calibration_to_toml(board), encoding="utf-8")


def load_calibration(path: Path, *, size_px: tuple[int, int] | None = None) -> BoardSeen:
    """Read a calibration. ``size_px``: width and height of the pictures it must be for.

    Raises ``CalibrationError`` naming the file, the field and its value.
    """
    try:
        text = read_text(path)
    except SchemaError as error:
        raise CalibrationError(str(error)) from error
    board = calibration_from_toml(text, where=str(path))
    size = (board.camera.width_px, board.camera.height_px)
    if size_px is not None and size != size_px:
        raise _error(str(path), "camera", f"pictures of {size_px[0]} x {size_px[1]} px", size)
    return board


def calibration_to_toml(board: BoardSeen) -> str:
    """The text of a calibration file."""
    camera = board.camera
    lines = [
        f"version = {CALIBRATION_VERSION}",
        f'family = "{board.family.value}"',
        f"half_mm = {float(board.half_mm)!r}",
        f"confidence = {float(board.confidence)!r}",
        f"residual_mm = {float(board.residual_mm)!r}",
        f"warnings = [{', '.join(_quoted(text) for text in board.warnings)}]",
        "",
        "[camera]",
        f"width_px = {camera.width_px}",
        f"height_px = {camera.height_px}",
        f"focal_px = {float(camera.focal_px)!r}",
        f"middle_px = {_list(camera.middle_px)}",
        f"distortion = {float(camera.distortion)!r}",
        f"position_mm = {_list(camera.position_mm)}",
        f"rotation = {_list(camera.rotation)}",
    ]
    for corner in board.corners:
        lines += [
            "",
            "[[corners]]",
            f"px = {_list((corner.x_px, corner.y_px))}",
            f"seen = {'true' if corner.seen else 'false'}",
            f"confidence = {float(corner.confidence)!r}",
        ]
    return "\n".join(lines) + "\n"


def calibration_from_toml(text: str, *, where: str = "calibration") -> BoardSeen:
    """Parse a calibration; ``where`` begins every error message. Raises ``CalibrationError``."""
    try:
        document = parse_toml(text, where)
    except SchemaError as error:
        raise CalibrationError(str(error)) from error
    if document.get("version") != CALIBRATION_VERSION:
        got = document.get("version")
        raise _error(where, "version", f"{CALIBRATION_VERSION} (calibrate anew)", got)
    families = [family.value for family in BoardFamily]
    family = document.get("family")
    if family not in families:
        raise _error(where, "family", f"one of {families}", family)
    camera = _camera(document.get("camera"), where)
    half_mm = _number(document, "half_mm", where, low=100.0, high=1000.0)
    warnings = document.get("warnings", [])
    if not isinstance(warnings, list) or not all(isinstance(item, str) for item in warnings):
        raise _error(where, "warnings", "a list of texts", warnings)
    board = BoardSeen(
        BoardFamily(family),
        camera,
        half_mm,
        _corners(document.get("corners"), where),
        _number(document, "confidence", where, low=0.0, high=1.0),
        _number(document, "residual_mm", where, low=0.0, high=1000.0),
        tuple(warnings),
    )
    _check_corners(board, where)
    return board


def _camera(table: object, where: str) -> BoardCamera:
    if not isinstance(table, Mapping):
        raise _error(where, "camera", "a table", table)
    here = f"{where}: camera"
    rotation = _numbers(table, "rotation", here, 9)
    axes = np.array(rotation).reshape(3, 3)
    if not np.allclose(axes @ axes.T, np.eye(3), atol=1e-6) or np.linalg.det(axes) < 0:
        raise _error(here, "rotation", "three axes at right angles", rotation)
    x, y, z = _numbers(table, "position_mm", here, 3)
    if z <= 0:
        raise _error(here, "position_mm", "a place above the board", (x, y, z))
    u, v = _numbers(table, "middle_px", here, 2)
    return BoardCamera(
        _size(table, "width_px", here),
        _size(table, "height_px", here),
        _number(table, "focal_px", here, low=1.0, high=1e6),
        (u, v),
        _number(table, "distortion", here, low=-1.0, high=2.0),
        (x, y, z),
        rotation,
    )


def _corners(rows: object, where: str) -> tuple[CornerSeen, CornerSeen, CornerSeen, CornerSeen]:
    if not isinstance(rows, list) or len(rows) != 4:
        raise _error(where, "corners", "four", rows)
    out = []
    for k, row in enumerate(rows):
        here = f"{where}: corners[{k}]"
        if not isinstance(row, Mapping) or not isinstance(row.get("seen"), bool):
            raise _error(where, f"corners[{k}]", "px, seen (true or false), confidence", row)
        x, y = _numbers(row, "px", here, 2)
        out.append(CornerSeen(x, y, row["seen"], _number(row, "confidence", here, low=0, high=1)))
    return out[0], out[1], out[2], out[3]


def _check_corners(board: BoardSeen, where: str) -> None:
    """Numbers changed by hand, or a camera of another board, would put the discs elsewhere."""
    due = board.camera.board_to_px(square(board.half_mm))
    off = np.linalg.norm(due - np.array(board.corners_px), axis=1)
    if not (off <= _CORNERS_OFF_PX).all():
        got = board.corners_px
        raise _error(where, "corners", f"them where the camera sees them: {due.tolist()}", got)


def _number(table: Mapping[str, Any], key: str, where: str, *, low: float, high: float) -> float:
    value = table.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _error(where, key, "a number", value)
    if not low <= value <= high:  # also refuses nan
        raise _error(where, key, f"{low} to {high}", value)
    return float(value)


def _size(table: Mapping[str, Any], key: str, where: str) -> int:
    value = table.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _LARGEST_PX:
        raise _error(where, key, f"a whole number from 1 to {_LARGEST_PX}", value)
    return value


def _numbers(table: Mapping[str, Any], key: str, where: str, count: int) -> tuple[float, ...]:
    value = table.get(key)
    if not isinstance(value, list) or len(value) != count:
        raise _error(where, key, f"{count} numbers", value)
    for item in value:
        plain = isinstance(item, int | float) and not isinstance(item, bool)
        if not plain or not isfinite(item):
            raise _error(where, key, f"{count} finite numbers", value)
    return tuple(float(item) for item in value)


def _list(values: tuple[float, ...]) -> str:
    return "[" + ", ".join(repr(float(value)) for value in values) + "]"


def _quoted(text: str) -> str:
    plain = "".join(char if char.isprintable() else " " for char in text)
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _error(where: str, field: str, expected: str, got: object) -> CalibrationError:
    return CalibrationError(f"{where}: {field}: expected {expected}, got {got!r}")
