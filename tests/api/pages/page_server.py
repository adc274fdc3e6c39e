"""The pages and their protocol over a fake table, under the strictest policy: the tests' server."""

from __future__ import annotations

import json
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import uvicorn
from anyio import to_thread
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from tests.api.pages.fake_table import ConflictError, FakeTable, call

__all__ = ["PAGES", "serving"]

PAGES = Path(__file__).resolve().parents[3] / "api" / "web" / "pages"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self' ws: wss:; media-src 'self' blob:; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
ROUTES = {
    "/": "table",
    "/setup": "setup",
    "/tv": "tv",
    "/obs": "obs",
    "/pad": "pad",
    "/cam": "cam",
    "/matches": "matches",
    "/settings": "settings",
    "/pair": "pair",
    "/stroke/{n:int}": "stroke",
}


CODE = (
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>"
    "<path d='M0 0h3v3H0zM6 0h3v3H6zM0 6h3v3H0zM4 4h2v1H4zM6 7h2v2H6z'/></svg>"
)
ANSWERS: dict[str, Any] = {
    "rules": {},
    "matches": [
        {"id": "b2c4", "rules": "icf", "players": {"S": "Asha", "N": "Bo"}, "over": False,
         "started": "2026-12-01T10:00:00Z", "score": {"white": 7, "black": 0}},
        {"id": "a001", "rules": "hikone", "players": {"S": "Ken", "N": "Mia"}, "over": True,
         "started": "2026-11-30T18:00:00Z", "score": {}},
    ],
    "cameras": [{"id": "usb:0", "name": "Desk camera", "thumbnail": None}],
    "pairing": {
        "addresses": [{"url": "https://192.168.1.20:8443/#token", "role": "viewer", "qr": CODE}]
    },
    "settings": {"camera": {"rotate": 0}, "advice": {"enabled": True}},
}  # fmt: skip


class StrictPolicy:
    """Adds the policy to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, with one more header."""

        async def with_policy(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*message["headers"], (b"content-security-policy", POLICY.encode())]
                message = {**message, "headers": headers}
            await send(message)

        await self._app(scope, receive, with_policy)


class Server:
    """The routes over one table."""

    def __init__(self, table: FakeTable) -> None:
        self.table = table
        self.posts: list[tuple[str, Any]] = []
        self.frames: list[bytes] = []
        self.sockets = 0

    def app(self) -> Starlette:
        """The application."""
        pages = [Route(path, self._page(name)) for path, name in ROUTES.items()]
        return Starlette(
            middleware=[Middleware(StrictPolicy)],
            routes=[
                *pages,
                Mount("/pages", StaticFiles(directory=PAGES)),
                Route("/favicon.ico", self._icon),
                Route("/api/table", self._table),
                Route("/api/table/commands", self._command, methods=["POST"]),
                Route("/api/live", self._poll),
                Route("/api/strokes/{n:int}", self._stroke),
                Route("/api/strokes/{n:int}/replay", self._replay),
                Route("/cam/frame", self._frame, methods=["POST"]),
                Route("/snapshot.jpg", self._still),
                Route("/api/{rest:path}", self._rest, methods=["GET", "POST", "PATCH", "DELETE"]),
                WebSocketRoute("/ws/live", self._live),
            ],
        )

    def _page(self, name: str) -> Any:
        async def page(_: Request) -> Response:
            return FileResponse(PAGES / f"{name}.html")

        return page

    async def _icon(self, _: Request) -> Response:
        return FileResponse(PAGES / "icon.svg")

    async def _table(self, _: Request) -> Response:
        return JSONResponse(self.table.snapshot())

    async def _command(self, request: Request) -> Response:
        try:
            return JSONResponse(self.table.command(await request.json()))
        except ConflictError:
            now = self.table.snapshot()
            body = {"error": "conflict", "seq": now["seq"], "since": now["calls"][-1:]}
            return JSONResponse(body, status_code=409)

    async def _poll(self, request: Request) -> Response:
        after = int(request.query_params["after"])
        now = await to_thread.run_sync(self.table.wait_after, after, 1.0)
        table = (now or self.table.snapshot())["table"]
        return JSONResponse(
            {"seq": 1, "t_s": 0.0, "table": table, "snapshot": now, "say": self.table.say}
        )

    async def _stroke(self, request: Request) -> Response:
        number = request.path_params["n"]
        found = [c for c in self.table.snapshot()["calls"] if c["n"] == number]
        if not found:
            return JSONResponse({"error": "unknown"}, status_code=404)
        outcome = {"seat": found[0]["seat"], "pocketed": [], "striker": "pocketed"}
        likely = [{"text": call(1, "N", "The striker stayed on the board")["call"],
                   "outcome": {"seat": found[0]["seat"], "pocketed": [
                       {"piece": "black", "pocket": "SW"}], "striker": "ok"}}]  # fmt: skip
        return JSONResponse({**found[0], "outcome": outcome, "doubts": [], "likely": likely})

    async def _replay(self, request: Request) -> Response:
        discs = self.table.snapshot()["table"]["discs"]
        frames = [
            {"t_s": 90 + i / 30, "jpeg": None, "discs": [_moved(d, 8.0 * i) for d in discs]}
            for i in range(12)
        ]
        return JSONResponse({"frames": frames if request.path_params["n"] == 12 else []})

    async def _frame(self, request: Request) -> Response:
        self.frames.append(await request.body())
        return Response(status_code=204)

    async def _still(self, _: Request) -> Response:
        if self.table.jpeg is None:
            return Response(status_code=404)
        return Response(self.table.jpeg, media_type="image/jpeg")

    async def _rest(self, request: Request) -> Response:
        path = request.path_params["rest"]
        if request.method == "GET":
            return JSONResponse(ANSWERS.get(path, {}))
        body = await request.body()
        self.posts.append((path, json.loads(body) if body else None))
        if path == "camera/calibrate" and self.posts[-1][1].get("corners_px"):
            corners = self.posts[-1][1]["corners_px"]
            self.table.change(lambda s: s["camera"].update(corners_px=corners, calibrated=True))
        if path == "pair":
            known = self.posts[-1][1]["token"] == "good-token"
            return JSONResponse({"role": "referee"} if known else {}, 200 if known else 401)
        return JSONResponse({"id": "new1"})

    async def _live(self, socket: WebSocket) -> None:
        if self.table.refuses_sockets:
            await socket.close()
            return
        await socket.accept()
        self.sockets += 1
        rev, seq = 0, 0
        with suppress(WebSocketDisconnect, RuntimeError):
            while not self.table.refuses_sockets:
                now = await to_thread.run_sync(self.table.wait_after, rev, 0.1)
                if now is None:
                    continue
                rev, seq = now["rev"], seq + 1
                data = {"seq": seq, "t_s": 0.1 * seq, "table": now["table"], "snapshot": now,
                        "say": self.table.say}  # fmt: skip
                head = json.dumps(data).encode()
                await socket.send_bytes(
                    struct.pack(">I", len(head)) + head + (self.table.jpeg or b"")
                )
                await socket.receive_text()
            await socket.close()


def _moved(disc: dict[str, Any], by_mm: float) -> dict[str, Any]:
    return disc | {"y": disc["y"] + (by_mm if disc["kind"] == "striker" else 0.0)}


@contextmanager
def serving(table: FakeTable) -> Iterator[tuple[str, Server]]:
    """Serve until the block ends; the address without a slash at the end, and the server."""
    server = Server(table)
    config = uvicorn.Config(server.app(), port=0, log_level="error", lifespan="off")
    runner = uvicorn.Server(config)
    started = threading.Event()
    startup = runner.startup

    async def tell(sockets: Any = None) -> None:
        await startup(sockets=sockets)
        started.set()

    runner.startup = tell  # type: ignore[method-assign]
    thread = threading.Thread(target=runner.run, daemon=True)
    thread.start()
    if not started.wait(10):
        raise RuntimeError("the server of the pages did not start")
    port = runner.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}", server
    finally:
        table.refuses_sockets = True
        runner.should_exit = True
        runner.force_exit = True
        thread.join(10)
