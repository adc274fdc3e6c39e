"""Serves a table until it is told to stop: one listener on this machine, two in a LAN."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import signal
import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import uvicorn
from fastapi import FastAPI

from api.table.table import Table
from api.web.application import create_app
from api.web.lan_names import LanNames
from api.web.pairing_codes import address_for, qr_text
from api.web.roles import Role
from api.web.serve_error import ServeError
from api.web.web_parts import Preferences, WebParts
from api.web.web_settings import LOCAL_NAMES, WebSettings

__all__ = ["Running", "serve"]

_log = logging.getLogger(__name__)
_MAX_SOCKET_MESSAGE = 4096
_PORTS_TRIED = 20


@dataclass(frozen=True, slots=True)
class _Listener:
    sock: socket.socket
    tls: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Running:
    """A server that answers at ``url``. ``stop`` may be called from any thread, and twice."""

    url: str
    app: FastAPI
    stop: Callable[[], None]


class _Server(uvicorn.Server):
    """One of several in a loop: signals are ours to take, or the process dies in the first one."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take none."""
        yield


def serve(
    table: Table,
    *,
    host: str = "127.0.0.1",
    settings: WebSettings | None = None,
    open_browser: bool = False,
    more_names: Iterable[str] = (),
    preferences: Preferences | None = None,
    metrics: Callable[[], bytes | str] | None = None,
    ready: Callable[[], Mapping[str, bool]] | None = None,
    say: Callable[[str], None] = lambda _: None,
    started: Callable[[Running], None] | None = None,
) -> None:
    """Serve ``table`` until Ctrl-C or SIGTERM; the table stays the caller's to close.

    Without ``settings.lan`` only this machine gets in, and ``host`` must be a loopback address.
    ``say`` gets lines for the terminal; ``started`` what runs, once it
    answers. Raises ``ServeError`` with what to do: port taken, address not ours, no certificate.
    """
    settings = settings or WebSettings()
    _check_host(host, settings)
    names = LanNames(lan=settings.lan, more=more_names)
    plain = _Listener(_listen("0.0.0.0" if settings.lan else host, settings.http_port), {})  # noqa: S104
    settings = replace(settings, http_port=plain.sock.getsockname()[1])
    listeners = [plain]
    try:
        if settings.lan:
            secure = _secure(names, settings)
            listeners.append(secure)
            settings = replace(settings, https_port=secure.sock.getsockname()[1])
        app = create_app(
            table, settings, names=names, preferences=preferences, metrics=metrics, ready=ready
        )
        url = f"http://{_shown_host(host, settings)}:{settings.http_port}/"
        say(f"The table is at {url}  (Ctrl-C ends)")
        if settings.lan:
            _invite(app, say)
        asyncio.run(_run(app, listeners, url, open_browser=open_browser, started=started))
    finally:
        for listener in listeners:
            listener.sock.close()


def _check_host(host: str, settings: WebSettings) -> None:
    if not settings.lan and host not in LOCAL_NAMES:
        raise ServeError(
            f"{host} would let other machines in without encryption: use --lan for that"
        )
    if settings.lan and settings.data_folder is None:
        raise ServeError("serving a LAN needs a folder for certificates")


def _shown_host(host: str, settings: WebSettings) -> str:
    if settings.lan:
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
        sock.listen(256)
    except OSError as error:
        sock.close()
        raise ServeError(_why(host, port, error)) from None
    sock.setblocking(False)  # noqa: FBT003 - the socket module takes no other form
    return sock


def _why(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        free = _free_port_after(host, port)
        hint = f": use --port {free}, or end the other program" if free else ""
        return f"port {port} is taken, perhaps by another carrom{hint}"
    if error.errno == errno.EACCES:
        return f"port {port} may not be used by ordinary programs: use one above 1023"
    if error.errno in (errno.EADDRNOTAVAIL, socket.EAI_NONAME):
        return f"{host} is no address of this machine"
    return f"cannot listen on {host}, port {port}: {error.strerror or error}"


def _free_port_after(host: str, port: int) -> int | None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(port + 1, min(port + 1 + _PORTS_TRIED, 65536)):
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with contextlib.suppress(OSError):
                probe.bind((host, candidate))
                return candidate
    return None


def _secure(names: LanNames, settings: WebSettings) -> _Listener:
    from api.web.certificates import certificate_for

    assert settings.data_folder is not None
    try:
        made = certificate_for(names.names, settings.data_folder)
    except OSError as error:
        where = settings.data_folder
        raise ServeError(f"cannot keep a certificate in {where}: {error.strerror}") from None
    tls = {"ssl_certfile": str(made.certificate), "ssl_keyfile": str(made.key)}
    return _Listener(_listen("0.0.0.0", settings.https_port), tls)  # noqa: S104


def _invite(app: FastAPI, say: Callable[[str], None]) -> None:
    web: WebParts = app.state.web
    if not web.names.addresses:
        say("This machine has no address in a network: nobody else can come in.")
        return
    host, port = web.names.addresses[0], web.settings.https_port
    say(f"In the network: https://{host}:{port}/  (certificate: http://{host}:"
        f"{web.settings.http_port}/ca)")  # fmt: skip
    url = address_for(host, port, Role.REFEREE, web.pairing.new_token(Role.REFEREE))
    say("Umpire's phone, once within 15 minutes:")
    say(qr_text(url))
    say("More codes, for viewers and for a phone as the camera, are on the page.")


def _config(app: FastAPI, listener: _Listener, *, first: bool) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        lifespan="on" if first else "off",
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,  # a forged X-Forwarded-For would make a stranger local
        ws_per_message_deflate=False,  # zlib over JPEG doubles the work for nothing
        ws_max_size=_MAX_SOCKET_MESSAGE,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        h11_max_incomplete_event_size=32 * 1024,
        limit_concurrency=400,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=2,  # without it an open stream keeps the process for ever
        **listener.tls,
    )


async def _run(
    app: FastAPI,
    listeners: list[_Listener],
    url: str,
    *,
    open_browser: bool,
    started: Callable[[Running], None] | None,
) -> None:
    loop = asyncio.get_running_loop()
    servers = [
        _Server(_config(app, listener, first=index == 0))
        for index, listener in enumerate(listeners)
    ]

    def stop() -> None:
        app.state.web.hub.close()  # viewers leave at once, not when their time is over
        for server in servers:
            server.should_exit = True

    if threading.current_thread() is threading.main_thread():
        _stop_by_signals(loop, stop)
    tasks = [
        asyncio.create_task(server.serve(sockets=[listener.sock]))
        for server, listener in zip(servers, listeners, strict=True)
    ]
    while not all(server.started for server in servers) and not any(t.done() for t in tasks):
        await asyncio.sleep(0.02)
    if started is not None:
        started(Running(url, app, lambda: _soon(loop, stop)))
    if open_browser:
        import webbrowser

        await asyncio.to_thread(webbrowser.open, url)
    await asyncio.gather(*tasks)


def _soon(loop: asyncio.AbstractEventLoop, stop: Callable[[], None]) -> None:
    with contextlib.suppress(RuntimeError):  # it has stopped by itself
        loop.call_soon_threadsafe(stop)


def _stop_by_signals(loop: asyncio.AbstractEventLoop, stop: Callable[[], None]) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stop)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop))
