"""Strokes of the match that is played: facts, replays, clips."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, HTTPException
from fastapi import Path as InPath
from fastapi.responses import FileResponse, Response

from api.web.access import Looking, WebOf
from api.web.error_answers import PlainAnswer
from api.web.web_parts import WebParts

__all__ = ["router"]

router = APIRouter(tags=["strokes"])
Number = Annotated[int, InPath(ge=0, le=100_000)]


def _check_known(web: WebParts, number: int) -> None:
    if all(one.get("n") != number for one in web.table.strokes()):
        raise HTTPException(404, f"there is no stroke {number}")


@router.get("/api/strokes", dependencies=[Looking])
def strokes(web: WebOf) -> PlainAnswer:
    """Every call of the match."""
    return PlainAnswer(web.table.strokes())


@router.get("/api/strokes/{number}", dependencies=[Looking])
def stroke(web: WebOf, number: Number) -> PlainAnswer:
    """One with facts, doubts and likely corrections."""
    _check_known(web, number)
    return PlainAnswer(web.table.stroke(number))


@router.get("/api/strokes/{number}/replay", dependencies=[Looking])
def replay(web: WebOf, number: Number) -> PlainAnswer:
    """The frames kept of a stroke."""
    _check_known(web, number)
    return PlainAnswer(web.table.replay(number))


@router.get(
    "/api/strokes/{number}/replay/{index}.jpg", dependencies=[Looking], response_class=Response
)
def replay_frame(web: WebOf, number: Number, index: Number) -> Response:
    """One of them."""
    _check_known(web, number)
    try:
        jpeg = web.table.replay_jpeg(number, index)
    except LookupError:
        raise HTTPException(404, f"stroke {number} has no frame {index}") from None
    return Response(jpeg, media_type="image/jpeg", headers={"Cache-Control": "private, max-age=60"})


@router.get("/api/strokes/{number}/clip.mp4", dependencies=[Looking], response_class=FileResponse)
def clip(web: WebOf, number: Number) -> FileResponse:
    """An mp4 with the overlay burnt in."""
    _check_known(web, number)
    try:
        path = web.table.clip(number)
    except (LookupError, FileNotFoundError):
        raise HTTPException(404, f"stroke {number} has no clip") from None
    if not path.is_file():
        raise HTTPException(404, f"stroke {number} has no clip")
    return FileResponse(path, media_type="video/mp4", filename=f"stroke-{number}.mp4")
