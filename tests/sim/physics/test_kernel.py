"""Compiling: not at import, once, and also where nothing can be written."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import sim.physics
from sim.physics import kernel, warm_up, warming
from sim.physics.kernel import Entry, cache_folder

ROOT = Path(__file__).parents[3]


def double(x: float) -> float:
    return 2.0 * x


@pytest.fixture(autouse=True)
def _forget_folders():
    cache_folder.cache_clear()
    yield
    cache_folder.cache_clear()


def test_everything_exported_exists():
    for name in sim.physics.__all__:
        assert hasattr(sim.physics, name)
    assert list(sim.physics.__all__) == sorted(
        sim.physics.__all__, key=lambda n: (not n.isupper(), not n[0].isupper(), n)
    )


def test_import_compiles_and_writes_nothing(tmp_path):
    code = (
        "import sim.physics, sim.physics.engine as e, sim.physics.declumping as d;"
        "assert all(k._compiled is None for k in (e.run_many, d._separate_one, d._separate_many))"
    )
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path, env=env)
    assert list(tmp_path.iterdir()) == []


def test_the_cache_goes_where_the_user_says(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert Entry(double)(2.0) == 4.0
    assert list(tmp_path.rglob("*.nbi"))


def test_a_read_only_install_uses_the_home_of_the_user(tmp_path, monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(
        kernel,
        "_is_writable",
        lambda folder: tmp_path in folder.parents and not folder.mkdir(parents=True),
    )
    assert Entry(double)(2.0) == 4.0
    assert list(tmp_path.rglob("*.nbi"))


def test_without_any_folder_it_compiles_every_time(monkeypatch):
    monkeypatch.setattr(kernel, "_is_writable", lambda folder: False)
    assert cache_folder(kernel.__name__) is None
    assert Entry(double)(2.0) == 4.0


def test_a_folder_that_cannot_be_made_is_not_writable(tmp_path):
    (tmp_path / "file").write_text("")
    assert not kernel._is_writable(tmp_path / "file" / "folder")


def test_warm_up_tells_what_it_does(monkeypatch):
    lines: list[str] = []
    warm_up(lines.append)
    assert lines[-1] == "The physics engine is ready."
    monkeypatch.setattr(warming, "is_compiled", lambda: False)
    lines.clear()
    warm_up(lines.append)
    assert len(lines) == 2
    assert "ompiling" in lines[0]
    warm_up()
