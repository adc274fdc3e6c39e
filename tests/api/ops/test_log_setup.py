"""Log lines: readable, one a line, and without passwords."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from api.ops.log_setup import about, set_up_logs
from api.settings.tree import LogSettings


@pytest.fixture
def stream(tmp_path: Path) -> Iterator[io.StringIO]:
    out = io.StringIO()
    close, trouble = set_up_logs(LogSettings(), tmp_path / "logs", out)
    assert trouble is None
    yield out
    close()


def lines(out: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_lines_are_json_where_nobody_reads_them(stream: io.StringIO, tmp_path: Path) -> None:
    """With match and camera on each, from our code and from libraries."""
    about(match="m1", camera="usb:1")
    structlog.get_logger("carrom").info("stroke", n=3, name="勝")
    logging.getLogger("uvicorn.error").info("listens on %s", "x")
    about(match=None)
    structlog.get_logger().warning("no match")
    first, second, third = lines(stream)
    assert (first["event"], first["n"], first["name"], first["match"]) == ("stroke", 3, "勝", "m1")
    assert (second["event"], second["camera"]) == ("listens on x", "usb:1")
    assert "match" not in third
    assert third["level"] == "warning"
    assert "timestamp" in third
    file = (tmp_path / "logs" / "carrom.log").read_text("utf-8")
    assert len(file.splitlines()) == 3


def test_no_password_gets_into_a_line(stream: io.StringIO) -> None:
    """Logs are posted when something does not work, camera address and all."""
    log = structlog.get_logger()
    address = "rtsp://me:geheim@cam/1?key=geheim"
    log.info("open", source=address, deep={"a": [address]}, token="geheim", password="geheim")
    logging.getLogger("x").warning("cannot open %s", address)
    try:
        raise OSError(f"cannot open {address}")
    except OSError:
        log.exception("failed")
    text = stream.getvalue()
    assert "cam/1" in text
    assert "geheim" not in text
    assert len(lines(stream)) == 3


def test_people_get_lines_to_read(tmp_path: Path) -> None:
    """On a terminal."""
    out = io.StringIO()
    settings = LogSettings(json_lines="never", file=False)
    close, _ = set_up_logs(settings, tmp_path / "logs", out)
    structlog.get_logger().info("board found", sure=0.9)
    close()
    assert "board found" in out.getvalue()
    assert not out.getvalue().startswith("{")
    assert not (tmp_path / "logs").exists()


def test_a_log_folder_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    """The match goes on, and the reason is told."""
    blocked = tmp_path / "file"
    blocked.touch()
    out = io.StringIO()
    close, trouble = set_up_logs(LogSettings(), blocked / "logs", out)
    structlog.get_logger().info("goes on")
    close()
    assert trouble is not None
    assert "no log file" in trouble
    assert "goes on" in out.getvalue()


def test_the_level_counts(tmp_path: Path) -> None:
    """Debug lines of a hall for a week fill disks."""
    out = io.StringIO()
    close, _ = set_up_logs(LogSettings(level="warning", file=False), tmp_path, out)
    structlog.get_logger("a").info("no")
    structlog.get_logger("a").warning("yes")
    close()
    assert [line["event"] for line in lines(out)] == ["yes"]
