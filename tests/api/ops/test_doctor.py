"""`carrom doctor`: says what is wrong, and only that."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
from pathlib import Path

import cv2
import numpy as np
import pytest

from api.cli import doctor_command
from api.ops.camera_checks import check_camera, quality_of, rate_of
from api.ops.file_checks import check_settings, check_store, check_weights
from api.ops.finding import Level, finding
from api.ops.machine_checks import check_disk, check_packages, check_ports, check_python
from api.ops.remedies import REMEDIES, troubleshooting_page
from api.settings.places import Places
from api.settings.tree import ServeSettings, Settings
from api.store.match_store import MatchStore

ROOT = Path(__file__).parents[3]


@pytest.fixture
def where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    for name in list(os.environ):
        if name.startswith("CARROM_"):
            monkeypatch.delenv(name)
    return Places(tmp_path, tmp_path, tmp_path)


def codes(findings: object) -> list[str]:
    return [found.code for found in findings if found.code]  # type: ignore[attr-defined]


def test_the_page_is_the_table() -> None:
    """Anew: ``python -m api.ops.remedies > docs/troubleshooting.md``."""
    page = (ROOT / "docs/troubleshooting.md").read_text("utf-8")
    assert page == troubleshooting_page()


def test_every_remedy_is_used_and_every_code_has_one() -> None:
    """A remedy nobody gets is a page nobody needs; a code without one would be a crash."""
    sources = "".join(
        path.read_text("utf-8")
        for path in [*(ROOT / "api/ops").glob("*.py"), ROOT / "api/cli/doctor_command.py"]
        if path.name != "remedies.py"
    )
    assert [code for code in REMEDIES if f'"{code}"' not in sources] == []
    with pytest.raises(KeyError):
        finding("x", "y", "no_such_code")


def test_a_sound_home_has_nothing_to_say(where: Places) -> None:
    """Warnings that are always there are not read."""
    settings, found = check_settings(where)
    assert codes(found) == []
    assert codes(check_store(where, settings)) == []
    assert codes(check_packages()) == []
    assert codes([check_python()]) == []
    assert not [f for f in check_disk(where, settings) if f.level is Level.PROBLEM]
    assert list(where.config.iterdir()) == []  # and nothing was made


def test_wrong_settings_are_named_and_the_rest_is_checked_with_defaults(where: Places) -> None:
    """One typo must not hide a full disk."""
    where.settings_file.write_text("[serve]\nprot = 1\n[voice]\nrate = 99\n")
    where.secrets_file.write_text("")
    where.secrets_file.chmod(0o644)
    settings, found = check_settings(where)
    assert settings == Settings()
    assert codes(found)[:2] == ["settings_wrong", "settings_wrong"]
    if os.name == "posix":
        assert codes(found)[2] == "secrets_open"


def test_the_state_of_the_matches_is_told_without_touching_them(where: Places) -> None:
    """The doctor may run beside the app."""
    path = where.data / "matches.db"
    store = MatchStore(f"sqlite:///{path}")
    assert codes(check_store(where, Settings())) == ["store_in_use"]
    store.close()
    assert codes(check_store(where, Settings())) == []
    connection = sqlite3.connect(path)
    connection.execute("UPDATE alembic_version SET version_num='9000'")
    connection.commit()
    connection.close()
    assert codes(check_store(where, Settings())) == ["store_newer"]
    path.write_bytes(b"no database at all, but long enough to be looked at")
    assert codes(check_store(where, Settings())) == ["store_damaged"]
    assert path.read_bytes().startswith(b"no database")


def test_a_port_that_is_taken_is_told() -> None:
    """Most often it is the app itself."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        [found] = check_ports(Settings(serve=ServeSettings(port=port)))
        assert (found.code, found.level) == ("port_taken", Level.WARNING)
    [found] = check_ports(Settings(serve=ServeSettings(port=port)))
    assert found.code == ""


def test_networks_are_those_of_the_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures were published for these files and no others."""
    assert codes(check_weights()) == []
    for name in ("board.onnx", "discs.onnx"):
        (tmp_path / name).write_bytes(b"others")
        (tmp_path / name).with_suffix(".json").write_text('{"sha256": "00"}')
    import vision.weights

    monkeypatch.setattr(vision.weights, "weights_path", lambda name: tmp_path / name)
    assert codes(check_weights()) == ["weights_changed", "weights_changed"]


def test_an_old_python_is_told() -> None:
    """Before it fails with something nobody understands."""
    assert check_python((3, 10, 4)).code == "python_old"


def test_blur_and_darkness_are_seen() -> None:
    """Blurred by two px at 480 lines is what a wrong focus looks like."""
    board = np.full((480, 480, 3), 150, np.uint8)
    chance = np.random.default_rng(1)
    for x, y in chance.integers(20, 460, (60, 2)):
        cv2.circle(board, (int(x), int(y)), 12, (30, 30, 30), -1, cv2.LINE_AA)
    sharp = quality_of(board)
    soft = quality_of(cv2.GaussianBlur(board, (0, 0), 3.0))
    assert sharp.sharp > 0.022 > soft.sharp
    assert quality_of(board // 5).level < 45 < sharp.level
    assert quality_of(np.full_like(board, 255)).white == 1.0


def test_rates_come_from_times() -> None:
    """What the camera declares is a wish."""
    assert rate_of([0.0, 0.1, 0.2, 0.3]) == pytest.approx(10.0)
    assert rate_of([1.0]) == rate_of([]) == rate_of([1.0, 1.0]) == 0.0


@pytest.mark.parametrize("source", ["no_such_file.mp4", "ftp://x/y", "phone", ""])
def test_a_source_that_gives_nothing_is_told(source: str) -> None:
    """Not a traceback."""
    assert codes(check_camera(source)) == ["camera_silent"]


def test_the_command_tells_programs_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One JSON object, and the exit status for scripts."""
    monkeypatch.setenv("CARROM_HOME", str(tmp_path))
    (tmp_path / "settings.toml").write_text("[serve]\nport = 0\n")
    assert doctor_command.run(as_json=True) == 1
    data = json.loads(capsys.readouterr().out)
    wrong = [row for row in data["findings"] if row["level"] == "problem"]
    assert [row["code"] for row in wrong] == ["settings_wrong"]
    assert wrong[0]["advice"] == REMEDIES["settings_wrong"].todo
