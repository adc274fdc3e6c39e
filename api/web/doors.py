"""What every request passes before a route sees it, and what every answer gets on its way out."""

from __future__ import annotations

from urllib.parse import urlsplit

from fastapi import HTTPException
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.web.access import is_local
from api.web.content_policy import content_policy
from api.web.lan_names import LanNames, host_of
from api.web.plain_door import plain_answer
from api.web.web_settings import WebSettings

__all__ = ["AnswerHeaders", "BodyLimit", "HostAndOrigin", "PlainDoor"]

_SAFE_METHODS = frozenset({"GET", "HEAD"})


async def _refuse(scope: Scope, receive: Receive, send: Send, code: str, message: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": code})
        return
    status = {"too_large": 413, "wrong_host": 400}.get(code, 403)
    await JSONResponse({"error": code, "message": message}, status)(scope, receive, send)


class HostAndOrigin:
    """Refuses names that are not this machine's (DNS rebinding), and whatever another site's page
    sends: Starlette takes a WebSocket from any origin, and cookies alone do not tell."""

    def __init__(self, app: ASGIApp, names: LanNames) -> None:
        self._app, self._names = app, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, or refuse."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._names.knows(host_of(hosts[0])):
            await _refuse(scope, receive, send, "wrong_host", "this server has other names")
        elif _is_foreign(scope, headers, hosts[0]):
            await _refuse(scope, receive, send, "wrong_origin", "asked for by another site's page")
        else:
            await self._app(scope, receive, send)


def _is_foreign(scope: Scope, headers: Headers, host: str) -> bool:
    is_socket = scope["type"] == "websocket"
    site = headers.get("sec-fetch-site", "")
    origin = headers.get("origin")
    changes = is_socket or scope["method"] not in _SAFE_METHODS
    if origin is not None and (changes or site == "cross-site"):
        return not _same(origin, host, secure=scope["scheme"] in ("https", "wss"))
    if changes:
        return site not in ("", "same-origin", "none")
    return site == "cross-site" and headers.get("sec-fetch-mode") != "navigate"


def _same(origin: str, host: str, *, secure: bool) -> bool:
    parts = urlsplit(origin)
    return parts.scheme == ("https" if secure else "http") and parts.netloc.lower() == host.lower()


class BodyLimit:
    """Refuses bodies that are too large: by what they say, and while they come."""

    def __init__(self, app: ASGIApp, settings: WebSettings) -> None:
        self._app, self._settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, counting."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        is_frame = scope["path"] == "/cam/frame"
        most = self._settings.max_frame_bytes if is_frame else self._settings.max_body_bytes
        said = Headers(scope=scope).get("content-length", "0")
        if not said.isdigit() or len(said) > 12 or int(said) > most:
            await _refuse(scope, receive, send, "too_large", f"at most {most} bytes")
            return
        got = 0

        async def counted() -> Message:
            nonlocal got
            message = await receive()
            got += len(message.get("body", b""))
            if got > most:
                raise HTTPException(413, f"at most {most} bytes")
            return message

        await self._app(scope, counted, send)


class AnswerHeaders:
    """What keeps other sites, frames and caches off every answer."""

    def __init__(self, app: ASGIApp, settings: WebSettings, names: LanNames) -> None:
        self._app, self._settings, self._names = app, settings, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, with more headers on the answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        host = Headers(scope=scope).get("host", "")
        host = host if self._names.knows(host_of(host)) else ""
        secure = scope["scheme"] == "https"
        policy = content_policy(self._settings.pages_folder, host, secure=secure)

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Content-Security-Policy"] = policy
                headers["X-Content-Type-Options"] = "nosniff"
                headers["Referrer-Policy"] = "no-referrer"
                headers["Cross-Origin-Resource-Policy"] = "same-origin"
                headers["Cross-Origin-Opener-Policy"] = "same-origin"
                headers["X-Frame-Options"] = "DENY"
                headers["Permissions-Policy"] = "camera=(self), microphone=(), geolocation=()"
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self._app(scope, receive, with_headers)


class PlainDoor:
    """In a LAN, what comes without TLS from another device gets the certificate and the way to the
    encrypted address, nothing else."""

    def __init__(self, app: ASGIApp, settings: WebSettings) -> None:
        self._app, self._settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, or show the way."""
        if scope["type"] not in ("http", "websocket") or not self._is_plain(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await _refuse(scope, receive, send, "needs_tls", "")
        else:
            answer = plain_answer(HTTPConnection(scope), self._settings)
            await answer(scope, receive, send)

    def _is_plain(self, scope: Scope) -> bool:
        if not self._settings.lan or scope["scheme"] in ("https", "wss"):
            return False
        return not is_local(HTTPConnection(scope))
