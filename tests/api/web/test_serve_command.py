"""``carrom`` as a person starts it: the real table, store and settings behind the pages."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.cli import serve_command
from api.settings.places import places
from api.store.store_error import StoreInUseError
from api.web.serve import Running


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing of the person who runs the tests is read or written."""
    monkeypatch.setenv("CARROM_HOME", str(tmp_path))
    return tmp_path


@contextmanager
def started(run: Callable[..., None], **options: Any) -> Iterator[httpx.Client]:
    """The command in a thread, until the block ends."""
    news: queue.Queue[Any] = queue.Queue()

    def work() -> None:
        try:
            run(browser=False, started=news.put, **options)
        except BaseException as error:
            news.put(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    got = news.get(timeout=60)
    if isinstance(got, BaseException):
        raise got
    assert isinstance(got, Running)
    try:
        with httpx.Client(base_url=got.url, trust_env=False, timeout=20) as http:
            yield http
    finally:
        got.stop()
        thread.join(15)
        assert not thread.is_alive()


def free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.slow
def test_match_by_hand_outlives_the_process(home: Path) -> None:
    """Begun, one stroke entered, ended, started again: it goes on where it was."""
    stroke = {"seat": "S", "pocketed": [{"piece": "white", "pocket": "NE"}], "striker": "ok",
              "first": "white"}  # fmt: skip
    with started(serve_command.run, port=free_port()) as http:
        made = http.post(
            "/api/matches",
            json={"rules": "icf", "players": {"S": "Asha", "N": "Bo"}, "opener": "S"},
        )
        assert made.status_code == 201, made.text
        seq = http.get("/api/table").json()["seq"]
        entered = http.post(
            "/api/table/commands", json={"do": "stroke", "seq": seq, "outcome": stroke}
        )
        assert entered.status_code == 200, entered.text
        before = entered.json()["snapshot"]
        assert before["calls"]
    with started(serve_command.run, port=free_port()) as http:
        after = http.get("/api/table").json()
        assert after["match"]["id"] == made.json()["id"]
        assert after["calls"] == before["calls"]
        assert after["state"] == before["state"]


def test_a_hook_in_the_settings_hears_of_the_match(home: Path) -> None:
    """Outputs were built and nothing called them: what the settings name is told."""
    got: queue.Queue[dict[str, Any]] = queue.Queue()

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_args: object) -> None:
            """Silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Hook)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    port = server.server_address[1]
    places().settings_file.parent.mkdir(parents=True, exist_ok=True)
    places().settings_file.write_text(
        f'[outputs.webhooks.lights]\nurl = "http://127.0.0.1:{port}/hook"\n', "utf-8"
    )
    try:
        with started(serve_command.run, port=free_port()) as http:
            match = {"rules": "icf", "players": {"S": "Asha", "N": "Bo"}, "opener": "S"}
            made = http.post("/api/matches", json=match)
            assert made.status_code == 201, made.text
            first = got.get(timeout=20)
            assert first["match"] == made.json()["id"]
            assert first["seq"] == 1
    finally:
        server.shutdown()
        thread.join(5)
        server.server_close()


def test_second_process_is_told(home: Path) -> None:
    """Two programs writing one log would lose events."""
    with (
        started(serve_command.run, port=free_port()),
        pytest.raises(StoreInUseError, match="another carrom"),
        started(serve_command.run, port=free_port()),
    ):
        pass


def test_settings_are_kept(home: Path) -> None:
    """What a page changes is in the user's file; what it must not change is refused."""
    with started(serve_command.run, port=free_port()) as http:
        changed = http.patch("/api/settings", json={"table": {"language": "sv"}})
        assert changed.status_code == 200, changed.text
        assert changed.json()["table"]["language"] == "sv"
        assert http.patch("/api/settings", json={"serve": {"lan": True}}).status_code == 400
        assert http.get("/metrics").status_code == 200
        assert http.get("/readyz").status_code == 200
    assert 'language = "sv"' in places().settings_file.read_text("utf-8")


@pytest.mark.slow
def test_demo_keeps_nothing(home: Path) -> None:
    """A demo has a match and a camera at once, and leaves the person's matches alone."""
    with started(serve_command.run_demo, port=free_port(), virtual=True) as http:
        told = http.get("/api/table").json()
        assert told["match"]["players"] == {"S": "Asha", "N": "Bo"}
        assert told["camera"]["state"] != "none"
        until = time.monotonic() + 60
        while "carrom_frames_out_total 0.0" in (figures := http.get("/metrics").text):
            assert time.monotonic() < until
            time.sleep(0.2)
        assert 'carrom_stage_seconds_count{stage="follow"}' in figures
    assert not (home / "matches.db").exists()
