"""Starting and ending: what a person meets first."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from api.web.lan_names import LanNames, host_of
from api.web.serve import serve
from api.web.serve_error import ServeError
from api.web.web_settings import WebSettings
from tests.api.web.fake_table import FakeTable

ROOT = Path(__file__).resolve().parents[3]


def test_taken_port_names_a_free_one() -> None:
    """The second process says so, and what to type."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ServeError, match=rf"port {port} is taken.*--port \d+"):
            serve(FakeTable(), settings=WebSettings(http_port=port))


def test_lan_needs_a_folder() -> None:
    """Certificates that vanish would make phones ask every day."""
    with pytest.raises(ServeError, match="folder"):
        serve(FakeTable(), settings=WebSettings(lan=True))


def test_unwritable_folder_is_named(tmp_path: Path) -> None:
    """A read-only home is told, not traced back."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    settings = WebSettings(http_port=0, https_port=0, lan=True, data_folder=blocked)
    with pytest.raises(ServeError, match="certificate"):
        serve(FakeTable(), settings=settings)


@pytest.mark.slow
def test_signal_ends_it_cleanly(tmp_path: Path) -> None:
    """Ctrl-C with a stream open: the process is gone within three seconds, with status 0."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "api.web.dev", "--port", str(port)]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=dict(os.environ)
    )
    try:
        assert process.stdout is not None
        assert str(port).encode() in process.stdout.readline()
        with httpx.Client(trust_env=False, timeout=20) as http:
            url = f"http://127.0.0.1:{port}"
            for _ in range(200):
                try:
                    http.get(f"{url}/healthz")
                    break
                except httpx.ConnectError:
                    time.sleep(0.05)
            with http.stream("GET", f"{url}/stream.mjpg") as stream:
                next(stream.iter_bytes())
                process.send_signal(signal.SIGINT)
                assert process.wait(10) == 0
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize(
    ("header", "host"),
    [("Table.Local:8443", "table.local"), ("[::1]:8000", "::1"), ("10.0.0.1", "10.0.0.1"),
     ("localhost.", "localhost"), ("", "")],
)  # fmt: skip
def test_host_of(header: str, host: str) -> None:
    """Ports, brackets and capitals do not make another host."""
    assert host_of(header) == host


def test_new_addresses_are_found_while_running() -> None:
    """The router gave this machine another address: looked up again, but not for every stranger."""
    now, known, asked = [0.0], ["10.0.0.5"], []

    def addresses() -> list[str]:
        asked.append(now[0])
        return list(known)

    names = LanNames(lan=True, addresses=addresses, clock=lambda: now[0])
    known.append("10.0.0.6")
    assert not names.knows("10.0.0.6")
    now[0] = 11.0
    assert names.knows("10.0.0.6")
    assert not names.knows("evil.example")
    assert len(asked) == 2
    assert not LanNames(lan=False, addresses=addresses).knows("10.0.0.5")
