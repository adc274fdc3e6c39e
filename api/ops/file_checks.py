"""Checks of settings, matches and networks. Nothing is changed, no lock is taken for long."""

from __future__ import annotations

import base64
import hashlib
import importlib.metadata
import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from api.ops.finding import Finding, Level, finding
from api.settings.load import load_settings
from api.settings.places import Places
from api.settings.settings_error import SettingsError
from api.settings.tree import Settings
from carrom.errors import WeightsError

__all__ = ["check_settings", "check_store", "check_weights"]


def check_settings(where: Places) -> tuple[Settings, list[Finding]]:
    """The settings in force, or the defaults where they cannot be read; and what is to say."""
    out, settings = [], Settings()
    try:
        settings = load_settings(where)
    except SettingsError as error:
        out += [finding("settings", str(p), "settings_wrong") for p in error.problems]
    else:
        text = str(where.settings_file) if where.settings_file.exists() else "defaults"
        out.append(finding("settings", text))
    secrets = where.secrets_file
    if (
        os.name == "posix"
        and secrets.exists()
        and secrets.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    ):
        out.append(finding("settings", str(secrets), "secrets_open", Level.WARNING))
    out += _extras(settings)
    return settings, out


def _extras(settings: Settings) -> Iterator[Finding]:
    """What is set and needs a package that is not there."""
    from importlib.util import find_spec

    if settings.outputs.mqtt.host and find_spec("aiomqtt") is None:
        yield finding("outputs", "outputs.mqtt.host is set, aiomqtt is missing", "extra_missing")
    url = settings.store.url.get_secret_value()
    if url.startswith("postgresql") and find_spec("psycopg") is None:
        yield finding("store", "store.url is PostgreSQL, psycopg is missing", "extra_missing")


def check_store(where: Places, settings: Settings) -> Iterator[Finding]:
    """The matches: there, whole, of this version, free."""
    from api.store.store_address import store_url
    from api.store.store_error import NewerStoreError, StoreError, StoreInUseError
    from api.store.store_look import look_at_store

    url = store_url(where, settings)
    try:
        text = look_at_store(url)
    except StoreInUseError as error:
        yield finding("store", str(error), "store_in_use", Level.NOTE)
    except NewerStoreError as error:
        yield finding("store", str(error), "store_newer")
    except StoreError as error:
        damaged = "damaged" in error.reason
        yield finding("store", str(error), "store_damaged" if damaged else "store_unreachable")
    else:
        yield finding("store", text)


def check_weights() -> Iterator[Finding]:
    """The networks: there, and those whose figures were published."""
    from vision.weights import BOARD_WEIGHTS, DISC_WEIGHTS, weights_path

    for name in (BOARD_WEIGHTS, DISC_WEIGHTS):
        try:
            path = weights_path(name)
        except WeightsError as error:
            yield finding("weights", str(error), "weights_missing")
            continue
        expected = _expected_sha256(path)
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if expected is None:
            yield finding("weights", f"{path}: no card to compare with", "weights_changed",
                          Level.NOTE)  # fmt: skip
        elif expected != found:
            text = f"{path}: expected {expected[:12]}…, got {found[:12]}…"
            yield finding("weights", text, "weights_changed", Level.WARNING)
        else:
            yield finding("weights", f"{name} {found[:12]}")


def _expected_sha256(path: Path) -> str | None:
    """From the card beside the file, or from the list of the installed wheel."""
    card = path.with_suffix(".json")
    if card.is_file():
        try:
            data = json.loads(card.read_text("utf-8"))
        except (OSError, ValueError):
            return None
        value = data.get("sha256") if isinstance(data, dict) else None
        return value if isinstance(value, str) else None
    try:
        files = importlib.metadata.files("carrom-umpire") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    for file in files:
        if file.name == path.name and file.hash is not None and file.hash.mode == "sha256":
            padded = file.hash.value + "=" * (-len(file.hash.value) % 4)
            return base64.urlsafe_b64decode(padded).hex()
    return None
