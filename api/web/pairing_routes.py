"""Letting devices in: codes to scan, and the exchange of a token for a cookie."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, HTTPException, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from api.web.access import Refereeing, WebOf, cookie_name, role_of
from api.web.error_answers import PlainAnswer
from api.web.pairing_codes import pairing_addresses
from api.web.pairing_desk import DEVICE_LIFE_S
from api.web.plain_door import CA_PATH, ca_answer
from api.web.roles import Role

__all__ = ["router"]

router = APIRouter(tags=["pairing"])


class Token(BaseModel):
    """The token of a code, once."""

    model_config = ConfigDict(extra="forbid")
    token: str = Field(min_length=1, max_length=200)


@router.get("/api/pairing")
def pairing(request: Request, web: WebOf) -> PlainAnswer:
    """Addresses with fresh tokens, as QR: all roles for a referee, looking on for a viewer."""
    role = role_of(request, web)
    if role not in (Role.REFEREE, Role.VIEWER):
        raise HTTPException(401 if role is None else 403, "not for this device")
    given = list(Role) if role is Role.REFEREE else [Role.VIEWER]
    answer: dict[str, Any] = {"lan": web.settings.lan, "role": role.value, "addresses": []}
    if web.settings.lan:
        answer["addresses"] = pairing_addresses(web, given)
        answer["ca_url"] = CA_PATH
    return PlainAnswer(answer)


@router.post("/api/pair")
def pair(request: Request, response: Response, web: WebOf, token: Token) -> dict[str, str]:
    """The role of a token; the device gets a cookie. 401 for a token that is not (any more)."""
    who = request.client.host if request.client else "?"
    if not (web.pair_rate.allow(who) and web.pair_rate_of_all.allow()):
        raise HTTPException(429, "too many tries: wait a minute", {"Retry-After": "60"})
    paired = web.pairing.pair(token.token)
    if paired is None:
        raise HTTPException(401, "this code was used or is too old: scan a new one at the table")
    role, cookie = paired
    response.set_cookie(
        cookie_name(request),
        cookie,
        max_age=round(DEVICE_LIFE_S),
        path="/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )
    return {"role": role.value}


@router.delete("/api/pair", status_code=204)
def leave(request: Request, response: Response, web: WebOf) -> None:
    """This device is paired no longer."""
    cookie = request.cookies.get(cookie_name(request))
    if cookie:
        web.pairing.forget(cookie)
    response.delete_cookie(cookie_name(request), path="/", secure=request.url.scheme == "https")


@router.delete("/api/pairing", dependencies=[Refereeing], status_code=204)
def forget_all(web: WebOf) -> None:
    """Every device is sent away, every code void."""
    web.pairing.forget()


@router.get(CA_PATH, response_class=Response)
def authority(web: WebOf) -> Response:
    """The certificate of this table's authority, to install on a phone."""
    return ca_answer(web.settings)
