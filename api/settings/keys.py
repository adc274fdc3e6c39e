"""Dotted names of settings: which there are, and which one was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_origin

from pydantic import BaseModel, SecretStr

from api.settings.address import Address, holds_password
from api.settings.tree import Settings

__all__ = ["all_keys", "is_secret", "near_miss", "values"]

ANY = "*"
"""A name that people choose, in a dotted key: ``outputs.webhooks.*.url``."""


def all_keys(model: type[BaseModel] = Settings, prefix: str = "") -> dict[str, Any]:
    """Every setting that holds a value, with its type."""
    out: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        hint = field.annotation
        if get_origin(hint) is dict:
            out |= all_keys(get_args(hint)[1], f"{prefix}{name}.{ANY}.")
        elif isinstance(hint, type) and issubclass(hint, BaseModel):
            out |= all_keys(hint, f"{prefix}{name}.")
        else:
            out[prefix + name] = hint
    return out


def near_miss(key: str) -> str:
    """``; did you mean serve.port?`` or nothing."""
    known = sorted(all_keys())
    sections = sorted(Settings.model_fields)
    pool = sections if "." not in key else known
    found = difflib.get_close_matches(key, pool, n=2, cutoff=0.6)
    if not found:
        last = key.rpartition(".")[2]
        found = [name for name in known if name.rpartition(".")[2] == last][:2]
    return f"; did you mean {' or '.join(found)}?" if found else ""


def values(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """A nested table as dotted keys with their values."""
    for name, value in tree.items():
        if isinstance(value, Mapping):
            yield from values(value, f"{prefix}{name}.")
        else:
            yield prefix + str(name), value


def is_secret(key: str, value: object) -> bool:
    """Whether this value belongs into the file for the owner only."""
    hint = all_keys().get(_general(key))
    if hint is SecretStr:
        return True
    return hint is Address and isinstance(value, str) and holds_password(value)


def _general(key: str) -> str:
    parts = key.split(".")
    if parts[:2] == ["outputs", "webhooks"] and len(parts) > 3:
        parts[2] = ANY
    return ".".join(parts)
