"""A process may be killed at any moment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the script forks")
@pytest.mark.parametrize("seed", [1, 2])
def test_no_acknowledged_event_is_lost(seed: int) -> None:
    """Two hundred kills in all: what ``append`` returned from is there, in order and whole; what
    it did not return from is there whole or not at all; a store is usable at once."""
    script = ROOT / "tests/api/store/kill_points.py"
    done = subprocess.run(
        [sys.executable, str(script), str(seed), "100"],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["wrong"] == []
    assert report["kills"] == 100
    assert report["acknowledged"] > 50
