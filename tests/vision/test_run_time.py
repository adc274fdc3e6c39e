"""What a player installs and runs: no torch, no network, weights from a checkout and a wheel."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

from carrom.errors import WeightsError
from vision import weights
from vision.weights import BOARD_WEIGHTS, DISC_WEIGHTS, weights_path

ROOT = Path(__file__).parents[2]
FORBIDDEN = {"torch", "torchvision", "ultralytics", "ultralytics-opencv-headless", "tensorflow"}
NETWORKS = [ROOT / "models" / name for name in (BOARD_WEIGHTS, DISC_WEIGHTS)]
needs_networks = pytest.mark.skipif(
    not all(path.is_file() for path in NETWORKS), reason="no weights in models/ yet"
)


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def requirements_of(name: str) -> set[str]:
    """Names that an installed distribution asks for without extras, or nothing if not installed."""
    try:
        lines = metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return set()
    needed = [line for line in lines if "extra ==" not in line.partition(";")[2]]
    return {plain(re.split(r"[\s;<>=!~\[(]", line, maxsplit=1)[0]) for line in needed}


def test_no_requirement_leads_to_torch() -> None:
    """It is 3 GB to download; whoever plays needs none of it."""
    known: set[str] = set()
    due = requirements_of("carrom-umpire")
    assert "onnxruntime" in due
    while due:
        name = due.pop()
        if name not in known:
            known.add(name)
            due |= requirements_of(name)
    assert "numpy" in known
    assert known & FORBIDDEN == set()


def test_nothing_imports_torch_or_asks_the_network() -> None:
    """Every module of the eyes and of the commands, in a process whose sockets are shut."""
    code = """
import socket, sys
def shut(*args, **kwargs):
    raise AssertionError("the network was asked for")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = shut
import pkgutil, importlib, vision, api.cli
for package in (vision, api.cli):
    for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
from vision.eyes import Eyes
from carrom.errors import WeightsError
import numpy as np
try:
    Eyes.load(threads=1).look(np.full((480, 640, 3), 90, dtype=np.uint8))
except WeightsError:
    pass
assert not {"torch", "ultralytics"} & set(sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_weights_inside_the_package_come_before_those_of_a_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "vision"
    for folder in (package / "weights_files", tmp_path / "models"):
        folder.mkdir(parents=True)
    monkeypatch.setattr(weights, "__file__", str(package / "weights.py"))
    with pytest.raises(WeightsError):
        weights_path("x.onnx")
    (tmp_path / "models" / "x.onnx").write_bytes(b"checkout")
    assert weights_path("x.onnx").read_bytes() == b"checkout"
    (package / "weights_files" / "x.onnx").write_bytes(b"wheel")
    assert weights_path("x.onnx").read_bytes() == b"wheel"


@needs_networks
def test_an_installed_wheel_finds_its_weights(tmp_path: Path) -> None:
    """Built as it is published, unpacked as pip would, run far away from the checkout."""
    if importlib.util.find_spec("hatchling") is None:
        pytest.skip("hatchling is not installed: no wheel can be built without the network")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    (wheel,) = tmp_path.glob("*.whl")
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        archive.extractall(site)
    assert {f"vision/weights_files/{path.name}" for path in NETWORKS} <= set(names)
    code = (
        "from vision.eyes import Eyes; import vision\n"
        f"assert vision.__file__.startswith({str(site)!r}), vision.__file__\n"
        f"assert all(str(p).startswith({str(site)!r}) for p in Eyes.load().paths)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(site)!r})\n{code}"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_the_wheel_is_told_to_carry_the_weights() -> None:
    """Where no builder is installed, at least the recipe of the wheel is looked at."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    if not all(path.is_file() for path in NETWORKS):
        pytest.skip("no weights in models/ yet")
    for path in NETWORKS:
        name = f"models/{path.name}"
        assert wheel["force-include"][name] == f"vision/weights_files/{path.name}"
