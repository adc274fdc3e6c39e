"""``python -m api.web.openapi_file``: writes ``docs/openapi.json`` anew from the routes."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, cast

from api.table.table import Table
from api.web.application import create_app

__all__ = ["openapi_text"]


def openapi_text() -> str:
    """The description of all routes, in an order that only changes with them."""
    app = create_app(cast(Table, None))
    data: dict[str, Any] = app.openapi()
    return json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/openapi.json")
    target.write_text(openapi_text(), "utf-8")
