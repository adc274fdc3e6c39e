"""The pages: small shells that load one module each, and their files."""

from __future__ import annotations

import mimetypes
from pathlib import Path

from fastapi import APIRouter, HTTPException
from fastapi.responses import FileResponse

from api.web.access import WebOf

__all__ = ["PAGES", "router"]

router = APIRouter(include_in_schema=False)
PAGES = {
    "/": "table",
    "/setup": "setup",
    "/tv": "tv",
    "/obs": "obs",
    "/pad": "pad",
    "/cam": "cam",
    "/matches": "matches",
    "/settings": "settings",
    "/pair": "pair",
}
_KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
}
_FRESH = {"Cache-Control": "no-cache"}


def _file(folder: Path, name: str) -> FileResponse:
    root = folder.resolve()
    path = (root / name).resolve()
    if "\x00" in name or not path.is_relative_to(root) or not path.is_file():
        raise HTTPException(404, "there is no such page")
    kind = _KINDS.get(path.suffix) or mimetypes.guess_type(path.name)[0]
    return FileResponse(path, media_type=kind or "application/octet-stream", headers=_FRESH)


def _add(path: str, name: str) -> None:
    def page(web: WebOf) -> FileResponse:
        return _file(web.settings.pages_folder, f"{name}.html")

    router.add_api_route(path, page, methods=["GET", "HEAD"], name=name)


for _path, _name in PAGES.items():
    _add(_path, _name)


@router.get("/stroke/{number}")
def stroke_page(web: WebOf, number: int) -> FileResponse:
    """The page of one stroke; its module reads the number from the address."""
    return _file(web.settings.pages_folder, "stroke.html")


@router.get("/pages/{name:path}")
def page_file(web: WebOf, name: str) -> FileResponse:
    """A file of the pages."""
    if "\x00" in name:
        raise HTTPException(404, "there is no such page")
    return _file(web.settings.pages_folder, name)


@router.get("/favicon.ico")
def icon(web: WebOf) -> FileResponse:
    """What browsers ask for unasked."""
    return _file(web.settings.pages_folder, "icon.svg")
