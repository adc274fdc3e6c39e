"""docs/operations.md names every setting with its default."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from pydantic import BaseModel, SecretStr

from api.settings.keys import ANY, all_keys
from api.settings.tree import Settings

PAGE = Path(__file__).parents[3] / "docs/operations.md"


def settings_table() -> str:
    """The table of the page."""
    rows = ["| setting | default |", "|---|---|"]
    for key in all_keys():
        default = "" if ANY in key else _default(key)
        rows.append(f"| `{key.replace(ANY, 'NAME')}` | {default} |")
    return "\n".join(rows)


def _default(key: str) -> str:
    value: Any = Settings()
    for step in key.split("."):
        assert isinstance(value, BaseModel)
        value = getattr(value, step)
    if hasattr(value, "get_secret_value"):
        value = value.get_secret_value()
    assert not isinstance(value, SecretStr)
    if isinstance(value, bool):
        return "`true`" if value else "`false`"
    return f"`{value}`" if value != "" else ""


def test_the_page_names_every_setting() -> None:
    """Anew: replace the table between the marks by what this test expects."""
    found = re.search(
        r"<!-- settings: .*? -->\n(.*?)\n<!-- /settings -->", PAGE.read_text("utf-8"), re.DOTALL
    )
    assert found is not None
    assert found[1] == settings_table()
