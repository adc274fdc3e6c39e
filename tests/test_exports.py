"""The front door of each package lists what is public, and only that is importable from it."""

from __future__ import annotations

import importlib
import types

import pytest


@pytest.mark.parametrize("name", ["carrom", "referee"])
def test_the_front_door_lists_what_is_importable(name: str) -> None:
    """A name missing is private by accident; one too many is a promise nobody keeps."""
    package = importlib.import_module(name)
    public = {
        key
        for key, value in vars(package).items()
        if not key.startswith("_") and not isinstance(value, types.ModuleType)
    }
    modules = {key for key, v in vars(package).items() if isinstance(v, types.ModuleType)}
    assert public - set(package.__all__) == set()
    assert set(package.__all__) - public - modules == set()
    assert package.__all__ == sorted(package.__all__, key=_ruff_order)


def _ruff_order(name: str) -> tuple[int, str]:
    """SCREAMING_CASE, then CamelCase, then lower_case: how ruff sorts __all__."""
    kind = 0 if name.isupper() else 1 if name[0].isupper() else 2
    return kind, name


@pytest.mark.parametrize("name", ["carrom", "referee", "sim", "vision", "api"])
def test_importing_does_nothing(name: str) -> None:
    """No settings, no folders, no compilation: importing a package is free of side effects."""
    import subprocess
    import sys

    code = (
        "import sys, threading, pathlib\n"
        "before = set(pathlib.Path('.').iterdir())\n"
        f"import {name}\n"
        "assert threading.active_count() == 1\n"
        "assert set(pathlib.Path('.').iterdir()) == before\n"
        "heavy = {'numpy', 'numba', 'pymunk', 'cv2', 'rich', 'typer'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
