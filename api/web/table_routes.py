"""The state of the table, and commands to it."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Request

from api.web.access import Looking, Refereeing, WebOf, role_of
from api.web.error_answers import PlainAnswer
from api.web.plain_data import check_plain
from api.web.rules_catalogue import rules_catalogue

__all__ = ["actor_of", "router"]

router = APIRouter(tags=["table"])


def actor_of(request: Request, web: WebOf) -> str:
    """Who said so, for the log: his role and the address he came from."""
    role = role_of(request, web)
    where = request.client.host if request.client else "?"
    return f"{role.value if role else 'stranger'}@{where}"


@router.get("/api/table", dependencies=[Looking])
def table(web: WebOf) -> PlainAnswer:
    """The snapshot (``docs/protocol.md``)."""
    return PlainAnswer({**web.table.snapshot(), "viewers": web.hub.viewers})


@router.post("/api/table/commands", dependencies=[Refereeing])
def command(request: Request, web: WebOf, data: Annotated[dict[str, Any], Body()]) -> PlainAnswer:
    """One command: ``{"do": NAME, "seq": N, ...}``. 409 when the log has gone on."""
    check_plain(data)
    return PlainAnswer(web.table.command(data, actor=actor_of(request, web)))


@router.get("/api/rules", dependencies=[Looking])
def rules() -> PlainAnswer:
    """Rulesets with their options, boards, languages."""
    return PlainAnswer(rules_catalogue())
