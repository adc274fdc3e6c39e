"""The application: routes over one table, behind its doors."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager

from fastapi import FastAPI

from api.table.table import Table
from api.web import (
    camera_routes,
    live_routes,
    match_routes,
    ops_routes,
    page_routes,
    pairing_routes,
    settings_routes,
    stroke_routes,
    table_routes,
)
from api.web.doors import AnswerHeaders, BodyLimit, HostAndOrigin, PlainDoor
from api.web.error_answers import add_error_answers
from api.web.lan_names import LanNames
from api.web.live_hub import LiveHub
from api.web.pairing_desk import PairingDesk
from api.web.web_parts import Preferences, WebParts
from api.web.web_settings import WebSettings

__all__ = ["create_app"]

_ROUTERS = (
    table_routes.router,
    match_routes.router,
    stroke_routes.router,
    camera_routes.router,
    pairing_routes.router,
    settings_routes.router,
    ops_routes.router,
    live_routes.router,
    page_routes.router,
)


def create_app(
    table: Table,
    settings: WebSettings | None = None,
    *,
    pairing: PairingDesk | None = None,
    names: LanNames | None = None,
    more_names: Iterable[str] = (),
    preferences: Preferences | None = None,
    metrics: Callable[[], bytes | str] | None = None,
    ready: Callable[[], Mapping[str, bool]] | None = None,
) -> FastAPI:
    """The application over ``table``, which stays the caller's to close. Loopback by default."""
    settings = settings or WebSettings()
    folder = settings.data_folder
    web = WebParts(
        table=table,
        settings=settings,
        hub=LiveHub(table, max_viewers=settings.max_viewers),
        pairing=pairing or PairingDesk(None if folder is None else folder / "paired.json"),
        names=names or LanNames(lan=settings.lan, more=more_names),
        preferences=preferences,
        metrics=metrics,
        ready=ready,
    )

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        web.hub.start()
        try:
            yield
        finally:
            web.hub.close()
            await web.hub.join()

    app = FastAPI(
        title="Carrom umpire",
        version="1",
        description="One table: see docs/protocol.md.",
        lifespan=lifespan,
        docs_url=None,  # the viewers of these documents come from other servers
        redoc_url=None,
        openapi_url=None,
    )
    app.state.web = web
    for router in _ROUTERS:
        app.include_router(router)
    add_error_answers(app)
    app.add_middleware(PlainDoor, settings=settings)
    app.add_middleware(BodyLimit, settings=settings)
    app.add_middleware(HostAndOrigin, names=web.names)
    app.add_middleware(AnswerHeaders, settings=settings, names=web.names)
    return app
