"""Data from outside that is safe to keep and to send on."""

from __future__ import annotations

import json
import math
from typing import Any

from carrom.errors import SchemaError

__all__ = ["check_plain", "to_json"]

_MAX_DEPTH = 24
_MAX_TEXT = 4000
_MAX_NUMBER = 1e15


def check_plain(data: Any, where: str = "body", depth: int = 0) -> None:
    """Raise ``SchemaError`` for numbers that are not finite, text that is no Unicode (half a
    surrogate pair), too long text and too deep nesting: each would spoil every later answer."""
    if depth > _MAX_DEPTH:
        raise SchemaError(where, expected=f"at most {_MAX_DEPTH} levels", got="more")
    if isinstance(data, str):
        _check_text(data, where)
    elif isinstance(data, dict):
        for key, value in data.items():
            _check_text(key, where)
            check_plain(value, f"{where}.{key}", depth + 1)
    elif isinstance(data, list):
        for index, value in enumerate(data):
            check_plain(value, f"{where}[{index}]", depth + 1)
    elif (isinstance(data, float) and not math.isfinite(data)) or (
        isinstance(data, int | float) and abs(data) > _MAX_NUMBER
    ):
        raise SchemaError(where, expected="a finite number", got=data)


def _check_text(text: str, where: str) -> None:
    if len(text) > _MAX_TEXT:
        raise SchemaError(where, expected=f"at most {_MAX_TEXT} characters", got=len(text))
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise SchemaError(where, expected="text in Unicode", got=ascii(text[:40])) from None


def to_json(data: Any) -> bytes:
    """Compact JSON in UTF-8; numpy's numbers and arrays become plain. Raises ``ValueError`` for
    numbers that are not finite, ``TypeError`` for what is no data."""
    text = json.dumps(
        data, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain
    )
    return text.encode("utf-8", "replace")


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, tuple | set | frozenset):
        return list(value)
    raise TypeError(f"no JSON for {type(value).__name__}")
