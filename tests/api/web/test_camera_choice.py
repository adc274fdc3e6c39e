"""What a page may ask a table to open: cameras, never this machine's files (docs/security.md)."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from tests.api.web.serving import Served, serving


@pytest.fixture(scope="module")
def local() -> Iterator[Served]:
    with serving() as one:
        yield one


@pytest.mark.parametrize(
    "source",
    ["/etc/passwd", "file:///etc/passwd", "~/film.mp4", "film.mp4", "../film.mp4",
     "ftp://example/film", "gopher://example/", "concat:/etc/passwd", "usb:../../etc/passwd",
     "usb:", "rtsp://", "http://host\nevil", "C:\\film.mp4", "subfile,,start,0:/etc/passwd"],
)  # fmt: skip
def test_pages_open_no_files(local: Served, source: str) -> None:
    """Through a page nobody reads this machine's files, nor speaks other protocols."""
    opened = list(local.table.opened)
    with local.http() as http:
        answer = http.post("/api/camera", json={"source": source})
    assert answer.status_code == 400
    assert local.table.opened == opened


@pytest.mark.parametrize(
    "source", ["phone", "virtual", "usb:0", "0", "rtsp://u:p@10.0.0.5/main", "http://cam.local/v"]
)
def test_cameras_are_opened(local: Served, source: str) -> None:
    """What a person chooses, as he wrote it."""
    with local.http() as http:
        answer = http.post("/api/camera", json={"source": source})
    assert answer.status_code == 202
    assert local.table.opened[-1] == source
    assert "u:p" not in answer.text


def test_no_credentials_leave(local: Served, caplog: pytest.LogCaptureFixture) -> None:
    """Neither answers nor logs repeat a password."""
    address = "rtsp://umpire:hunter2@unreachable/main"
    with caplog.at_level(logging.DEBUG), local.http() as http:
        answer = http.post("/api/camera", json={"source": address})
        refused = http.post("/api/camera", json={"source": "ftp://umpire:hunter2@host/"})
        wrong = http.post("/api/pair", json={"token": "sesame", "more": "hunter2"})
    assert answer.status_code == 400
    assert "unreachable" in answer.text
    for text in (answer.text, refused.text, wrong.text):
        assert "hunter2" not in text
    ours = [r.getMessage() for r in caplog.records if not r.name.startswith(("httpx", "httpcore"))]
    assert not any("hunter2" in line or "sesame" in line for line in ours)
