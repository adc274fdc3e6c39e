"""Reads the settings: options over environment over files over defaults."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError, create_model
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    SettingsConfigDict,
)
from pydantic_settings import (
    SettingsError as SourceProblem,
)

from api.settings.keys import near_miss
from api.settings.places import HOME, Places
from api.settings.settings_error import SettingsError, SettingsProblem
from api.settings.tree import Settings

__all__ = ["PREFIX", "load_settings", "problems_of", "read_toml"]

PREFIX = "CARROM_"


def load_settings(where: Places, options: Mapping[str, Any] | None = None) -> Settings:
    """The settings in force. ``options``: what the command line says, nested by section.

    Environment: ``CARROM_SERVE__PORT=9000``. Raises ``SettingsError`` with everything that is wrong
    and where it was said.
    """
    given = dict(options or {})
    origins: dict[str, Mapping[str, Any]] = {  # the first one wins
        "option": given,
        "environment": _environment(),
        str(where.secrets_file): read_toml(where.secrets_file),
        str(where.settings_file): read_toml(where.settings_file),
    }

    merged: dict[str, Any] = {}
    for tree in reversed(origins.values()):
        merged = _over(merged, tree)
    try:
        return Settings.model_validate(merged)
    except ValidationError as error:
        raise SettingsError(problems_of(error, origins)) from None


def _over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Both trees, the values of ``above`` where both have one."""
    out = dict(below)
    for name, value in above.items():
        known = out.get(name)
        both = isinstance(value, Mapping) and isinstance(known, Mapping)
        out[name] = _over(known, value) if both and known is not None else value
    return out


def read_toml(path: Path) -> dict[str, Any]:
    """A file's tables; empty if there is none. Raises ``SettingsError``."""
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except NotADirectoryError:
        return {}
    except OSError as error:
        problem = SettingsProblem("", f"cannot be read: {error.strerror}", str(path))
        raise SettingsError([problem]) from error
    except (ValueError, RecursionError) as error:
        raise SettingsError([SettingsProblem("", f"not TOML: {error}", str(path))]) from error


def problems_of(
    error: ValidationError, origins: Mapping[str, Mapping[str, Any]] | None = None
) -> list[SettingsProblem]:
    """What pydantic found, in words with the key; values of secrets are not repeated."""
    out = []
    for found in error.errors(include_url=False, include_context=False):
        loc = tuple(part for part in found["loc"] if part != "[key]")
        key = ".".join(str(part) for part in loc)
        if found["type"] == "extra_forbidden":
            message = f"unknown{near_miss(key)}"
        else:
            message = found["msg"].removeprefix("Value error, ")
            message = message[:1].lower() + message[1:] + _got(key, found.get("input"))
        out.append(SettingsProblem(key, message, _origin(loc, origins or {})))
    return out


def _got(key: str, value: object) -> str:
    shown = isinstance(value, str | int | float) and not key.endswith(("url", "source"))
    return f", got {value!r}" if shown and not key.endswith(("password", "secret")) else ""


def _origin(loc: tuple[Any, ...], origins: Mapping[str, Mapping[str, Any]]) -> str:
    for name, tree in origins.items():
        part: Any = tree
        for step in loc:
            part = part.get(str(step)) if isinstance(part, Mapping) else None
        if part is not None:
            return name
    return ""


class _Environment(BaseSettings):
    model_config = SettingsConfigDict(env_prefix=PREFIX, env_nested_delimiter="__")


def _environment() -> dict[str, Any]:
    """What the environment sets; a variable with our prefix that sets nothing is refused."""

    unknown = []
    for name in sorted(os.environ):
        if name.upper().startswith(PREFIX) and name.upper() != HOME:
            section = name[len(PREFIX) :].split("__")[0].lower()
            if section not in Settings.model_fields or "__" not in name:
                miss = near_miss(section)
                unknown.append(SettingsProblem(name, f"unknown{miss}", "environment"))
    if unknown:
        raise SettingsError(unknown)
    fields = {name: (field.annotation, field) for name, field in Settings.model_fields.items()}
    probe: Any = create_model("Environment", __base__=_Environment, **fields)  # type: ignore[call-overload]
    try:
        return EnvSettingsSource(probe)()
    except SourceProblem as error:
        raise SettingsError([SettingsProblem("", str(error), "environment")]) from error
