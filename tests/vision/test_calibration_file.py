"""A calibration that is read wrongly is worse than none: it must come back equal or not at all."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from carrom.board_spec import BoardFamily
from carrom.errors import CalibrationError
from vision.board_camera import BoardCamera
from vision.calibration_file import (
    calibration_from_toml,
    calibration_to_toml,
    load_calibration,
    save_calibration,
)
from vision.pose import square
from vision.seen import BoardSeen, CornerSeen

_CAMERA = BoardCamera(
    1280,
    720,
    905.25,
    (639.5, 359.5),
    0.051,
    (12.0, -80.5, 1103.0),
    (1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0),
)
_PX = _CAMERA.board_to_px(square(370.0))
_CORNERS = tuple(CornerSeen(float(x), float(y), k != 1, 0.9) for k, (x, y) in enumerate(_PX))
_BOARD = BoardSeen(
    BoardFamily.ICF, _CAMERA, 370.0, _CORNERS, 0.93, 0.31, ('a "quoted" \\ warning',)
)
_TEXT = calibration_to_toml(_BOARD)


def test_round_trip_is_exact(tmp_path: Path) -> None:
    assert calibration_from_toml(_TEXT) == _BOARD
    path = tmp_path / "camera.toml"
    save_calibration(_BOARD, path)
    assert load_calibration(path, size_px=(1280, 720)) == _BOARD


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("version = 1", "version = 7", "7"),
        ('family = "icf"', 'family = "chess"', "chess"),
        ("half_mm = 370.0", "half_mm = nan", "nan"),
        ("half_mm = 370.0", 'half_mm = "wide"', "wide"),
        ("width_px = 1280", "width_px = 0", "width_px"),
        ("width_px = 1280", "width_px = true", "True"),
        ("focal_px = 905.25", "focal_px = -3", "-3"),
        ("position_mm = [12.0, -80.5, 1103.0]", "position_mm = [12.0, -80.5, -1.0]", "-1.0"),
        ("rotation = [1.0, 0.0", "rotation = [0.5, 0.0", "0.5"),
        ("confidence = 0.93", "confidence = 2", "2"),
        ("seen = false", "seen = 3", "corners[1]"),
        ("[camera]", "[kamera]", "camera"),
        ("half_mm = 370.0", "half_mm = 300.0", "corners"),
        ("version", "][", "TOML"),
    ],
)
def test_foreign_values_are_named(old: str, new: str, named: str) -> None:
    assert old in _TEXT
    with pytest.raises(CalibrationError) as error:
        calibration_from_toml(_TEXT.replace(old, new, 1), where="file.toml")
    assert named in str(error.value)
    assert "file.toml" in str(error.value)


def test_another_picture_size_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "camera.toml"
    save_calibration(replace(_BOARD, warnings=()), path)
    with pytest.raises(CalibrationError, match="1920 x 1080"):
        load_calibration(path, size_px=(1920, 1080))
    with pytest.raises(CalibrationError, match="nowhere"):
        load_calibration(tmp_path / "nowhere.toml")


def test_the_file_says_where_the_discs_are() -> None:
    again = calibration_from_toml(_TEXT)
    places = np.array([[0.0, 0.0], [100.0, -200.0]])
    assert np.array_equal(again.camera.board_to_px(places), _CAMERA.board_to_px(places))
