"""Writes settings: comments stay, a file is whole or the old one, passwords lie apart."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from api.settings.keys import is_secret, values
from api.settings.places import Places
from api.settings.settings_error import SettingsError, SettingsProblem

__all__ = ["save_settings"]

_HEAD = "# Settings of the carrom umpire; docs/operations.md names them all.\n"
_HIDDEN_HEAD = "# Passwords of the carrom umpire. For the owner's eyes only.\n"


def save_settings(where: Places, changes: Mapping[str, Any]) -> None:
    """Put these values into the files; ``None`` takes one out, so that the default counts again.

    The values must have been checked (``patch_settings``). Raises ``SettingsError`` if a file
    cannot be read or written; it is then as it was.
    """
    plain: dict[str, Any] = {}
    secret: dict[str, Any] = {}
    for key, value in values(changes):
        hidden = is_secret(key, value)
        (secret if hidden else plain)[key] = value
        (plain if hidden else secret)[key] = None  # it may have lain in the other file
    _change(where.secrets_file, secret.items(), head=_HIDDEN_HEAD, mode=0o600)
    _change(where.settings_file, plain.items(), head=_HEAD, mode=0o644)


def _change(path: Path, changes: Iterable[tuple[str, Any]], *, head: str, mode: int) -> None:
    try:
        old = path.read_text("utf-8") if path.exists() else ""
        document = tomlkit.parse(old or head)
        for key, value in changes:
            _put(document, key.split("."), value)
        new = tomlkit.dumps(document)
        if new not in (old, head):
            _write(path, new, mode)
    except OSError as error:
        problem = SettingsProblem("", f"cannot be written: {error.strerror}", str(path))
        raise SettingsError([problem]) from error
    except (TOMLKitError, TypeError, ValueError) as error:
        raise SettingsError([SettingsProblem("", f"not TOML: {error}", str(path))]) from error


def _put(table: Any, steps: list[str], value: Any) -> None:
    first, rest = steps[0], steps[1:]
    if not rest:
        if value is not None:
            table[first] = value
        elif first in table:
            del table[first]
        return
    if first not in table:
        if value is None:
            return
        table[first] = tomlkit.table(is_super_table=len(rest) > 1)
    if not isinstance(table[first], Mapping):
        raise TypeError(f"{first}: expected a table, got {table[first]!r}")
    _put(table[first], rest, value)


def _write(path: Path, text: str, mode: int) -> None:
    """Beside it first, then in its place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if os.name == "posix":
            Path(name).chmod(mode)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
