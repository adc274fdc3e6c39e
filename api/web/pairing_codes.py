"""Addresses with tokens, as codes to scan: for pages as SVG, for the terminal as text."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Any

from api.web.roles import Role
from api.web.web_parts import WebParts

__all__ = ["PAGE_OF", "address_for", "pairing_addresses", "qr_svg", "qr_text"]

PAGE_OF = {Role.VIEWER: "/pair", Role.REFEREE: "/pair", Role.CAMERA: "/cam"}
_MOST_ADDRESSES = 3


def address_for(host: str, port: int, role: Role, token: str) -> str:
    """Where a device of this role goes; what follows # reaches no server and no log."""
    netloc = f"[{host}]" if ":" in host else host
    return f"https://{netloc}:{port}{PAGE_OF[role]}#{token}"


def pairing_addresses(web: WebParts, roles: Iterable[Role]) -> list[dict[str, Any]]:
    """``[{"url", "role", "qr"}]``, the likeliest address of each role first. One token a role."""
    rows = []
    for role in roles:
        token = web.pairing.new_token(role)
        for host in web.names.addresses[:_MOST_ADDRESSES]:
            url = address_for(host, web.settings.https_port, role, token)
            rows.append({"url": url, "role": role.value, "qr": qr_svg(url)})
    return rows


def qr_svg(text: str) -> str:
    """A code as SVG without a size of its own."""
    import segno

    return segno.make_qr(text, error="m").svg_inline(
        omitsize=True, border=2, dark="#000", light="#fff"
    )


def qr_text(text: str) -> str:
    """A code for a terminal."""
    import segno

    out = io.StringIO()
    segno.make_qr(text, error="l").terminal(out, compact=True, border=1)
    return out.getvalue()
