"""Who asks: somebody at this machine, or a paired device; and what he may do."""

from __future__ import annotations

import ipaddress
from typing import Annotated, Any, cast

from fastapi import Depends, HTTPException
from starlette.requests import HTTPConnection

from api.web.lan_names import host_of
from api.web.roles import Role, includes
from api.web.web_parts import WebParts
from api.web.web_settings import LOCAL_NAMES

__all__ = [
    "Looking",
    "Refereeing",
    "Sending",
    "WebOf",
    "cookie_name",
    "is_allowed",
    "is_local",
    "role_of",
]

_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")


def web_of(connection: HTTPConnection) -> WebParts:
    """What the application works with."""
    return cast(WebParts, connection.app.state.web)


WebOf = Annotated[WebParts, Depends(web_of)]


def is_local(connection: HTTPConnection) -> bool:
    """A browser on this machine: from a loopback address, to a loopback name, through no proxy."""
    client = connection.client
    if client is None or any(name in connection.headers for name in _FORWARDED):
        return False
    try:
        near = ipaddress.ip_address(client.host.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(near, "ipv4_mapped", None)
    near = near if mapped is None else mapped
    return near.is_loopback and host_of(connection.headers.get("host", "")) in LOCAL_NAMES


def cookie_name(connection: HTTPConnection) -> str:
    """``__Host-`` binds a cookie to this very host and to TLS; browsers refuse it without."""
    secure = connection.url.scheme in ("https", "wss")
    return "__Host-carrom" if secure else "carrom"


def role_of(connection: HTTPConnection, web: WebParts) -> Role | None:
    """The role of whoever asks; ``None`` for a stranger."""
    if is_local(connection):
        return Role.REFEREE
    role = web.pairing.role_of(connection.cookies.get(cookie_name(connection)))
    if role is None and web.settings.lan and web.settings.open_viewing:
        return Role.VIEWER
    return role


def is_allowed(connection: HTTPConnection, web: WebParts, needed: Role) -> bool:
    """Whether he may do what this role may."""
    return includes(role_of(connection, web), needed)


def _needs(role: Role) -> Any:
    def check(connection: HTTPConnection, web: WebOf) -> None:
        held = role_of(connection, web)
        if held is None:
            raise HTTPException(401, "this device is not paired: scan the code at the table")
        if not includes(held, role):
            raise HTTPException(403, f"this device is paired as {held.value}; needed: {role.value}")

    return Depends(check)


Looking = _needs(Role.VIEWER)
Refereeing = _needs(Role.REFEREE)
Sending = _needs(Role.CAMERA)
