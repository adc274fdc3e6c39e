"""The description that others write programs against."""

import json
from pathlib import Path

from api.web.openapi_file import openapi_text

FILE = Path(__file__).resolve().parents[3] / "docs" / "openapi.json"


def test_checked_in_description_is_the_routes_own() -> None:
    """A route that changes is a change for others: it has to be seen in review.

    Write it anew: ``python -m api.web.openapi_file``.
    """
    now, kept = json.loads(openapi_text()), json.loads(FILE.read_text("utf-8"))
    assert now["paths"].keys() == kept["paths"].keys()
    for path, methods in now["paths"].items():
        assert methods.keys() == kept["paths"][path].keys(), path
        for method, route in methods.items():
            then = kept["paths"][path][method]
            for part in ("parameters", "requestBody", "operationId", "tags"):
                assert route.get(part) == then.get(part), f"{method} {path}: {part}"
            assert route["responses"].keys() == then["responses"].keys(), f"{method} {path}"


def test_every_route_is_explained() -> None:
    """A route without a sentence helps nobody."""
    for path, methods in json.loads(FILE.read_text("utf-8"))["paths"].items():
        for method, route in methods.items():
            assert route.get("description"), f"{method} {path}"
