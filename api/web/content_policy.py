"""What a page may load: its own files, and import maps that the pages folder really holds."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import lru_cache
from pathlib import Path

__all__ = ["content_policy", "import_map_hashes"]

_MAP = re.compile(r"<script[^>]*type=[\"']importmap[\"'][^>]*>(.*?)</script>", re.DOTALL)
_HOST = re.compile(r"[a-z0-9.\-]+(:\d{1,5})?|\[[0-9a-f:.]+\](:\d{1,5})?")


def content_policy(pages: Path, host: str, *, secure: bool) -> str:
    """The policy for pages from this folder, reached by this ``Host``."""
    scripts = " ".join(["'self'", *import_map_hashes(pages)])
    live = ""
    if _HOST.fullmatch(host.lower()):  # Safari before 15.4 does not count ws: as 'self'
        live = f" {'wss' if secure else 'ws'}://{host.lower()}"
    return (
        f"default-src 'none'; script-src {scripts}; style-src 'self'; "
        f"img-src 'self' blob: data:; connect-src 'self'{live}; media-src 'self' blob:; "
        "font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    )


@lru_cache(maxsize=8)
def import_map_hashes(pages: Path) -> tuple[str, ...]:
    """``'sha256-…'`` of every import map in the pages, in no order that matters."""
    found = set()
    for page in pages.glob("*.html"):
        for text in _MAP.findall(page.read_text("utf-8")):
            digest = hashlib.sha256(text.encode()).digest()
            found.add(f"'sha256-{base64.b64encode(digest).decode()}'")
    return tuple(sorted(found))
