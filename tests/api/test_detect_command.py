"""``carrom detect``: the JSON that others rely on, exit codes, bad files, drawings."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from typer.testing import CliRunner

from api.cli import detect_command
from api.cli.app import app
from api.picture_overlay import overlay
from carrom.board_spec import BoardFamily
from carrom.errors import CarromError, PictureError
from sim.camera import Picture, Scene, render, sample_scene
from tests.api.perfect_sight import perfect_sight
from vision.eyes import Sight
from vision.seen import Place

CONTRACT = {"file", "width_px", "height_px", "board", "pieces", "warnings"}
PIECE = {"kind", "x_px", "y_px", "radius_px", "x_mm", "y_mm", "confidence"}
Image = NDArray[Any]


@cache
def scene_and_picture() -> tuple[Scene, Picture]:
    scene = sample_scene(9_000_003, family=BoardFamily.ICF, size_px=(480, 360))
    scene = replace(scene, hands=())
    return scene, render(scene)


class FakeEyes:
    """Reports the same sight of every picture, and remembers what it was asked."""

    def __init__(self, answer: Callable[[Image], Sight]) -> None:
        self.answer = answer
        self.asked: list[tuple[BoardFamily | None, Any]] = []

    def look(
        self,
        image_bgr: Image,
        *,
        family: BoardFamily | None = None,
        corners_px: Sequence[tuple[float, float]] | None = None,
    ) -> Sight:
        self.asked.append((family, corners_px))
        return self.answer(image_bgr)


def flawless(turns: int = 0) -> FakeEyes:
    scene, picture = scene_and_picture()
    sight = perfect_sight(scene, picture, turns=turns)
    covered = np.zeros((16, 16), dtype=np.bool_)
    covered[0, 2:5] = True
    return FakeEyes(lambda image: replace(sight, covered=covered, warnings=("seen through smoke",)))


def blind() -> FakeEyes:
    return FakeEyes(lambda image: Sight(None, warnings=("no corner of a board",)))


@pytest.fixture
def shot(tmp_path: Path) -> Path:
    path = tmp_path / "shot.png"
    cv2.imwrite(str(path), scene_and_picture()[1].image_bgr)
    return path


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("turns", range(4))
def test_the_json_of_the_contract(
    turns: int, shot: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Corners go round from the picture's NW, and mm agree with them.

    Whichever side the eyes took for north: who holds the NW corner in the picture finds
    (-half, half) there.
    """
    assert detect_command.run([shot], as_json=True, eyes=flawless(turns)) == 0
    (data,) = lines(capsys)
    assert set(data) >= CONTRACT
    assert (data["width_px"], data["height_px"]) == (480, 360)
    assert data["warnings"] == ["seen through smoke"]
    board = data["board"]
    assert board["spec"] == "icf"
    assert np.array(board["corners_px"]).shape == (4, 2)
    truth = scene_and_picture()[1].truth
    assert np.allclose(board["corners_px"], truth.corners_as_seen(), atol=0.02)
    half = board["side_mm"] / 2
    flat_ones = [piece for piece in data["pieces"] if piece["place"] == "surface"]
    px = np.array([[piece["x_px"], piece["y_px"]] for piece in flat_ones])
    mm = np.array([[piece["x_mm"], piece["y_mm"]] for piece in flat_ones])
    square = half * np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]], dtype=np.float32)
    there, _ = cv2.findHomography(np.array(board["corners_px"], dtype=np.float32), square)
    flat = cv2.perspectiveTransform(px.reshape(-1, 1, 2), there).reshape(-1, 2)
    assert np.abs(flat - mm).max() < 25  # parallax and the lens, nothing like a quarter turn
    assert all(set(piece) >= PIECE for piece in data["pieces"])
    assert len(data["covered"]) == 16
    assert sum(row.count("#") for row in data["covered"]) == 3


def test_one_object_a_line_and_bad_files_among_good_ones(
    shot: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The others go on; a program finds the same keys and the reason."""
    bad = tmp_path / "broken.jpg"
    bad.write_bytes(b"\xff\xd8\xff\xe0 nothing")
    missing = tmp_path / "none.png"
    code = detect_command.run([shot, bad, missing, tmp_path, shot], as_json=True, eyes=flawless())
    assert code == 1
    rows = lines(capsys)
    assert [row["file"] for row in rows] == [str(p) for p in (shot, bad, missing, tmp_path, shot)]
    assert ["error" in row for row in rows] == [False, True, True, True, False]
    for row in rows[1:4]:
        assert set(row) >= CONTRACT
        assert row["board"] is None
        assert row["pieces"] == []
        assert row["file"] in row["error"]


def test_people_read_a_table(
    shot: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert detect_command.run([shot, tmp_path / "none.png"], eyes=flawless()) == 1
    said = capsys.readouterr()
    assert "icf board" in said.out
    assert "striker" in said.out
    assert "seen through smoke" in said.out
    assert "no such file" in said.err


def test_a_picture_without_a_board(shot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert detect_command.run([shot], eyes=blind()) == 1
    out = capsys.readouterr().out
    assert "no board" in out
    assert "no corner of a board" in out
    assert detect_command.run([shot], as_json=True, eyes=blind()) == 1
    (data,) = lines(capsys)
    assert data["board"] is None
    assert data["pieces"] == []
    assert data["warnings"] == ["no corner of a board"]


def test_a_picture_too_small_for_the_finder_is_one_bad_file(
    shot: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(image: Image) -> Sight:
        raise PictureError("picture", expected="100 px or more", got=image.shape)

    assert detect_command.run([shot], eyes=FakeEyes(refuse)) == 1
    assert "100 px" in capsys.readouterr().err


def test_family_and_clicked_corners_reach_the_eyes(shot: Path) -> None:
    eyes = flawless()
    detect_command.run([shot], board="hikone", corners="1,2 3.5,4;5,6 -7,8", eyes=eyes)
    family, corners = eyes.asked[0]
    assert family is BoardFamily.HIKONE
    assert np.allclose(corners, [(1, 2), (3.5, 4), (5, 6), (-7, 8)])


@pytest.mark.parametrize(
    "options",
    [
        {"board": "chess"},
        {"corners": "1,2 3,4 5,6"},
        {"corners": "1,2 3,4 5,6 7;8"},
        {"draw": Path("no-such-folder/x.png")},
        {"draw": Path("x.txt")},
        {"threads": 0},
        {"weights": (Path("none.onnx"),), "eyes": None},
    ],
)
def test_what_cannot_be_meant_is_refused(
    options: dict[str, Any], shot: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(CarromError):
        detect_command.run([shot], **{"eyes": flawless(), **options})
    assert capsys.readouterr().out == ""


def test_the_command_line_explains_itself() -> None:
    said = CliRunner().invoke(app, ["detect", "--help"], env={"COLUMNS": "200"})
    assert said.exit_code == 0
    for word in ("--json", "--draw", "--board", "--corners", "--weights", "--threads", "Exit"):
        assert word in said.output
    assert CliRunner().invoke(app, ["detect"]).exit_code == 2


def test_one_drawing_is_a_file_several_are_a_folder(shot: Path, tmp_path: Path) -> None:
    out = tmp_path / "seen.jpg"
    detect_command.run([shot], draw=out, eyes=flawless())
    assert cv2.imread(str(out)) is not None
    folder = tmp_path / "all"
    detect_command.run([shot, shot], draw=folder, eyes=flawless())
    assert sorted(p.name for p in folder.iterdir()) == ["shot_seen.png", "shot_seen_2.png"]
    with pytest.raises(CarromError):
        detect_command.run([shot, shot], draw=out, eyes=flawless())


@pytest.mark.parametrize("tone", [0, 128, 255])
def test_the_drawing_can_be_seen_on_any_background(tone: int) -> None:
    """Every line has a dark and a light part, so one of them differs from what is below."""
    scene, picture = scene_and_picture()
    sight = perfect_sight(scene, picture)
    plain = np.full((360, 480, 3), tone, dtype=np.uint8)
    drawn = overlay(plain, sight)
    factor = drawn.shape[0] // 360
    for disc in sight.discs:
        middle = (np.array([disc.x_px, disc.y_px]) + 0.5) * factor - 0.5
        turn = np.linspace(0, 2 * np.pi, 40)
        ring = middle + disc.radius_px * factor * np.stack([np.cos(turn), np.sin(turn)], axis=-1)
        x, y = np.round(ring).astype(int).T
        inside = (x >= 2) & (y >= 2) & (x < drawn.shape[1] - 2) & (y < drawn.shape[0] - 2)
        near = [
            np.abs(drawn[b - 2 : b + 3, a - 2 : a + 3].astype(int) - tone).max()
            for a, b in zip(x[inside], y[inside], strict=True)
        ]
        assert min(near, default=255) > 80
    assert (plain == tone).all()


def test_what_was_not_seen_is_drawn_too() -> None:
    plain = np.zeros((100, 4000, 3), dtype=np.uint8)
    assert overlay(plain, Sight(None, warnings=("nothing",))).max() > 200
    scene, picture = scene_and_picture()
    sight = perfect_sight(scene, picture)
    odd = replace(sight, discs=tuple(replace(d, place=Place.POCKET) for d in sight.discs))
    assert overlay(picture.image_bgr, odd).shape[2] == 3
