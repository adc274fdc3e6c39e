"""A real server over the table in memory, on a free port, in a thread."""

from __future__ import annotations

import queue
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from api.web.serve import serve
from api.web.web_settings import WebSettings
from tests.api.web.fake_table import FakeTable


@dataclass
class Served:
    """``url`` without a slash at the end; ``table`` behind it; ``stop`` as Ctrl-C would."""

    url: str
    table: FakeTable
    stop: Any
    thread: threading.Thread
    lines: list[str]
    web: Any

    def http(self, **more: Any) -> httpx.Client:
        """A client that trusts no proxy settings of this machine."""
        return httpx.Client(base_url=self.url, trust_env=False, timeout=10.0, **more)

    def socket(self, query: str = "", *, name: str = "127.0.0.1", **more: Any) -> ClientConnection:
        """A live connection; ``name``: the host that it asks for."""
        port = int(self.url.rpartition(":")[2])
        url = f"ws://{name}:{port}/ws/live{query}"
        sock = socket.create_connection(("127.0.0.1", port), timeout=10)
        return connect(url, sock=sock, proxy=None, max_size=None, open_timeout=10, **more)


@contextmanager
def serving(
    settings: WebSettings | None = None, *, table: FakeTable | None = None, **more: Any
) -> Iterator[Served]:
    """Serve until the block ends."""
    table = table or FakeTable()
    settings = settings or WebSettings(http_port=0, poll_s=0.4)
    started: queue.Queue[Any] = queue.Queue()
    lines: list[str] = []

    def run() -> None:
        try:
            serve(table, settings=settings, say=lines.append,
                  started=started.put, **more)  # fmt: skip
        except BaseException as error:
            started.put(error)
            raise

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    got = started.get(timeout=30)
    if isinstance(got, BaseException):
        raise got
    try:
        web = got.app.state.web
        yield Served(got.url.rstrip("/"), table, got.stop, thread, lines, web)
    finally:
        got.stop()
        table.close()
        thread.join(10)
