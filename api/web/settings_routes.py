"""Settings that a page may read and change."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body

from api.web.access import Refereeing, WebOf
from api.web.error_answers import PlainAnswer
from api.web.plain_data import check_plain

__all__ = ["router"]

router = APIRouter(tags=["settings"])


@router.get("/api/settings", dependencies=[Refereeing])
def settings(web: WebOf) -> PlainAnswer:
    """All of them, without secrets."""
    return PlainAnswer({} if web.preferences is None else web.preferences.read())


@router.patch("/api/settings", dependencies=[Refereeing])
def change(web: WebOf, data: Annotated[dict[str, Any], Body()]) -> PlainAnswer:
    """Change some; all of them afterwards."""
    check_plain(data)
    return PlainAnswer({} if web.preferences is None else web.preferences.change(data))
