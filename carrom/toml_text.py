"""Reading a user's text and TOML files, with errors that name the file."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from carrom.errors import SchemaError

__all__ = ["parse_toml", "read_text"]


def read_text(path: Path) -> str:
    """The text of a UTF-8 file. Raises ``SchemaError`` naming the file."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise SchemaError(str(path), expected="a readable file", got=str(problem)) from problem


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """The tables of a TOML text. Raises ``SchemaError`` that begins with ``where``."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as problem:  # also a number of 5 000 digits
        raise SchemaError(where, expected="TOML", got=str(problem)) from problem
