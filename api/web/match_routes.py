"""Matches: list, begin, resume, remove, export."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, HTTPException
from fastapi import Path as InPath
from fastapi.responses import Response

from api.web.access import Looking, Refereeing, WebOf
from api.web.error_answers import PlainAnswer
from api.web.plain_data import check_plain
from api.web.web_parts import WebParts

__all__ = ["router"]

router = APIRouter(tags=["matches"])
MatchId = Annotated[str, InPath(pattern=r"^[A-Za-z0-9_\-]{1,64}$")]
_KINDS = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "sol": "application/octet-stream",
    "html": "text/html; charset=utf-8",
}


def _check_known(web: WebParts, match_id: str) -> None:
    if all(str(one.get("id")) != match_id for one in web.table.matches()):
        raise HTTPException(404, f"there is no match {match_id}")


@router.get("/api/matches", dependencies=[Looking])
def matches(web: WebOf) -> PlainAnswer:
    """All stored matches, the latest first."""
    return PlainAnswer(web.table.matches())


@router.post("/api/matches", dependencies=[Refereeing])
def begin(web: WebOf, data: Annotated[dict[str, Any], Body()]) -> PlainAnswer:
    """Begin one: ``{"rules", "options", "players", "opener", "mode", "title"}``; its id."""
    check_plain(data)
    return PlainAnswer({"id": web.table.new_match(data)}, 201)


@router.post("/api/matches/{match_id}/resume", dependencies=[Refereeing])
def resume(web: WebOf, match_id: MatchId) -> PlainAnswer:
    """Make a stored match the table's."""
    _check_known(web, match_id)
    web.table.resume_match(match_id)
    return PlainAnswer({"id": match_id})


@router.delete("/api/matches/{match_id}", dependencies=[Refereeing], status_code=204)
def delete(web: WebOf, match_id: MatchId) -> None:
    """Remove one; not the one that is played."""
    _check_known(web, match_id)
    web.table.delete_match(match_id)


@router.get(
    "/api/matches/{match_id}/export.{form}", dependencies=[Looking], response_class=Response
)
def export(web: WebOf, match_id: MatchId, form: Literal["json", "csv", "sol"]) -> Response:
    """A match as a file."""
    _check_known(web, match_id)
    named = {"Content-Disposition": f'attachment; filename="match-{match_id}.{form}"'}
    return Response(web.table.export(match_id, form), media_type=_KINDS[form], headers=named)


@router.get("/matches/{match_id}/sheet", dependencies=[Looking], response_class=Response)
def sheet(web: WebOf, match_id: MatchId) -> Response:
    """The score sheet, to print."""
    _check_known(web, match_id)
    return Response(web.table.export(match_id, "html"), media_type=_KINDS["html"])
