"""``carrom evaluate pictures``: which pictures, what is kept, what goes on after a stop."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from api.cli import evaluate_pictures
from api.labelled_pictures import photo_jobs, photo_truth
from carrom.board_spec import BoardFamily
from carrom.errors import CarromError
from carrom.pieces import PieceKind
from sim.camera import render, sample_scene
from tests.api.perfect_sight import perfect_sight
from vision.eyes import Sight


class FakeEyes:
    """Sees nothing; counts how often it was asked."""

    looks: ClassVar[list[int]] = []
    files: ClassVar[tuple[Path, ...]] = ()
    answer: ClassVar[Sight] = Sight(None, warnings=("no board found",))

    @property
    def paths(self) -> tuple[Path, ...]:
        return self.files

    @classmethod
    def load(cls, *, weights: object = (), threads: int = 1) -> FakeEyes:
        return cls()

    def look(self, image_bgr: NDArray[Any]) -> Sight:
        self.looks.append(image_bgr.shape[0])
        return self.answer


@pytest.fixture(autouse=True)
def eyes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> type[FakeEyes]:
    network = tmp_path / "discs.onnx"
    network.write_bytes(b"first")
    monkeypatch.setattr(FakeEyes, "files", (network,))
    monkeypatch.setattr(FakeEyes, "looks", [])
    monkeypatch.setattr(evaluate_pictures, "Eyes", FakeEyes)
    return FakeEyes


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three photographs: labelled from above, labelled oblique, without labels; and a bad file."""
    folder = tmp_path / "photos"
    (folder / "labels").mkdir(parents=True)
    image = np.full((200, 300, 3), 120, dtype=np.uint8)
    for name in ("a.jpg", "b.jpg", "c.jpg"):
        cv2.imwrite(str(folder / name), image)
    (folder / "d.jpg").write_bytes(b"no picture")
    boxes = [
        {"class": "black", "xyxy": [10, 20, 40, 50], "note": "class uncertain (black or queen)"},
        {"class": "striker", "xyxy": [100, 100, 140, 140]},
        {"class": "pocket", "xyxy": [0, 0, 20, 20]},
    ]
    quad = [[0, 0], [199, 0], [199, 199], [0, 199]]
    label = {"boxes": boxes, "playing_surface_quad_tl_tr_br_bl": quad, "quad_tolerance_px": 5}
    (folder / "labels" / "a.json").write_text(json.dumps(label), "utf-8")
    label = {"boxes": [], "playing_surface_quad_tl_tr_br_bl": None, "quad_tolerance_px": 5}
    (folder / "labels" / "b.json").write_text(json.dumps(label), "utf-8")
    (folder / "manifest.csv").write_text(
        "file,viewpoint,board_type,whole_board_visible\na.jpg,overhead,icf,y\nb.jpg,oblique,icf,n\n",
        "utf-8",
    )
    return folder


def test_labels_are_read(folder: Path) -> None:
    jobs = {job.name: job for job in photo_jobs(folder)}
    truth = photo_truth(jobs["a.jpg"])
    man, striker = truth.discs
    assert man.kinds == (PieceKind.BLACK, PieceKind.QUEEN)
    assert (man.x, man.y, man.half) == (25.0, 35.0, 15.0)
    assert striker.kinds == (PieceKind.STRIKER,)
    assert truth.ignored_boxes == ((0.0, 0.0, 20.0, 20.0),)
    assert truth.family is BoardFamily.ICF
    assert truth.setting.rest
    assert (truth.setting.tolerance, truth.setting.side) == (5.0, 199.0)
    oblique = photo_truth(jobs["b.jpg"]).setting
    assert (oblique.may_refuse, oblique.rest, oblique.tolerance) == (True, False, None)
    assert not photo_truth(jobs["c.jpg"]).setting.labelled


@pytest.mark.parametrize("text", ["{", "[]", '{"boxes": [{"class": "black"}]}', '{"boxes": 3}'])
def test_labels_that_cannot_be_read_name_their_file(text: str, folder: Path) -> None:
    (folder / "labels" / "a.json").write_text(text, "utf-8")
    job = next(job for job in photo_jobs(folder) if job.name == "a.jpg")
    with pytest.raises(CarromError, match=r"a\.json"):
        photo_truth(job)


def test_a_folder_is_judged_file_by_file(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that is no picture is a picture in which no board was found."""
    out = tmp_path / "figures.json"
    evaluate_pictures.run(folder=folder, json_path=out)
    table = capsys.readouterr().out
    assert "| overhead, labelled |" in table
    data = json.loads(out.read_text("utf-8"))
    assert set(data["networks"]) == {"discs.onnx"}
    assert data["groups"]["all"]["pictures"] == 4
    assert data["groups"]["all"]["boards_found"] == [0, 4]
    assert data["groups"]["overhead, labelled"]["recall"] == [0, 2]
    assert data["groups"]["oblique, labelled"]["recall"] == [0, 0]


def test_renders_are_judged_and_an_interrupted_run_goes_on(
    eyes: type[FakeEyes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is judged stays judged, a line half written is judged again."""
    rows = tmp_path / "rows.jsonl"
    options: dict[str, Any] = {"sizes": "128x96", "resume": rows}
    evaluate_pictures.run(renders=1, **options)
    assert len(eyes.looks) == 2
    whole = rows.read_text("utf-8")
    rows.write_text(whole[:-40], "utf-8")
    evaluate_pictures.run(renders=1, **options)
    assert len(eyes.looks) == 3
    assert sorted(rows.read_text("utf-8").splitlines()) == sorted(
        line for line in rows.read_text("utf-8").split("\n") if line
    )
    evaluate_pictures.run(renders=1, **options)
    assert len(eyes.looks) == 3
    assert "hikone 128x96" in capsys.readouterr().out


def test_rows_of_other_networks_are_not_mixed(
    eyes: type[FakeEyes], folder: Path, tmp_path: Path
) -> None:
    rows = tmp_path / "rows.jsonl"
    evaluate_pictures.run(folder=folder, resume=rows)
    eyes.files[0].write_bytes(b"second")
    with pytest.raises(CarromError, match="these networks"):
        evaluate_pictures.run(folder=folder, resume=rows)


def test_a_found_board_is_judged(
    eyes: type[FakeEyes], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scene = sample_scene(9_000_000, family=BoardFamily.ICF, size_px=(320, 240))
    sight = perfect_sight(scene, render(scene))
    monkeypatch.setattr(eyes, "answer", replace(sight, warnings=()))
    evaluate_pictures.run(renders=1, sizes="320x240")
    icf = next(line for line in capsys.readouterr().out.splitlines() if "icf 320x240" in line)
    assert "100.00 % (1/1)" in icf


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"renders": 1, "folder": Path()},
        {"renders": 0},
        {"renders": 1, "sizes": "big"},
        {"renders": 1, "sizes": "10x10"},
        {"renders": 1, "workers": 0},
        {"renders": 1, "json_path": Path("no-such-folder/x.json")},
        {"renders": 1, "resume": Path("no-such-folder/x.jsonl")},
        {"folder": Path("no-such-folder")},
    ],
)
def test_what_cannot_be_meant_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(CarromError):
        evaluate_pictures.run(**options)
