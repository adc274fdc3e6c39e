"""The README is executed: its Python must print what it says."""

from __future__ import annotations

import doctest
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_python_of_the_readme_runs() -> None:
    """A newcomer copies it."""
    failed, attempted = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert attempted > 0
    assert failed == 0


def test_the_files_the_readme_points_to_exist() -> None:
    """A picture slot without a picture."""
    import re

    text = (ROOT / "README.md").read_text("utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        if not target.startswith("http"):
            assert (ROOT / target).exists(), target
