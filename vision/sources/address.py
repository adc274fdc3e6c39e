"""Network addresses of cameras, and how to speak of them without giving a password away."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

from carrom.errors import SourceError

__all__ = ["SCHEMES", "is_address", "public_address"]

SCHEMES = ("rtsp", "rtsps", "http", "https")


def is_address(text: str) -> bool:
    """It begins with some ``scheme://``."""
    scheme, mark, _ = text.partition("://")
    return bool(mark) and scheme.replace("+", "").isalnum()


def public_address(address: str) -> str:
    """Scheme, host, port and path, the names in the query without their values.

    Raises ``SourceError`` for an address that no camera can have.
    """
    try:
        parts = urlsplit(address.strip())
        port = parts.port
    except ValueError:
        raise SourceError("network camera", "an address that cannot be read") from None
    scheme = parts.scheme.lower()
    if scheme not in SCHEMES:
        known = ", ".join(SCHEMES)
        raise SourceError(f"{scheme}://…", f"such addresses are not opened; known: {known}")
    if not parts.hostname:
        raise SourceError(f"{scheme}://…", "an address without a host")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    out = f"{scheme}://{host}" + (f":{port}" if port else "") + parts.path
    if parts.query:
        names = [name for name, _ in parse_qsl(parts.query, keep_blank_values=True)]
        out += "?" + "&".join(f"{name}=…" for name in names)
    return out
