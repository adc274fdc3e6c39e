"""What a page may change, and how settings are shown to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, SecretStr, ValidationError

from api.settings.address import Address
from api.settings.keys import all_keys, near_miss, values
from api.settings.load import problems_of
from api.settings.settings_error import SettingsError, SettingsProblem
from api.settings.tree import Settings

__all__ = ["PAGE_KEYS", "nested", "patch_settings", "shown"]

MASK = "********"

PAGE_KEYS = frozenset(
    key
    for key in all_keys()
    if key.startswith(("table.", "camera.", "advice.", "voice."))
    or key in ("store.quota_mib", "store.keep_days")
) - {"camera.source"}
"""Addresses are set on the machine itself: a page that could would make this program call any host
it likes. The camera is chosen through its own command, which looks at the address first."""


def patch_settings(settings: Settings, data: object) -> Settings:
    """The settings with what a page asks for, nested as they are. Nothing is written.

    Raises ``SettingsError`` with a message for each field (``by_field``).
    """
    if not isinstance(data, Mapping):
        raise SettingsError([SettingsProblem("", f"expected an object, got {data!r}")])
    asked = dict(values(data))
    refused = [
        SettingsProblem(key, _refusal(key)) for key in asked if key not in PAGE_KEYS
    ]  # an empty section asks for nothing
    if refused:
        raise SettingsError(refused)
    tree = settings.model_dump()
    for key, value in asked.items():
        section, _, name = key.partition(".")
        tree[section][name] = value
    try:
        return Settings.model_validate(tree)
    except ValidationError as error:
        raise SettingsError(problems_of(error)) from None


def _refusal(key: str) -> str:
    if key in all_keys() or key.startswith("outputs.webhooks."):
        return "can be changed on the machine itself only"
    return f"unknown{near_miss(key)}"


def nested(key: str, value: Any) -> dict[str, Any]:
    """``serve.port`` and a value as ``{"serve": {"port": value}}``."""
    first, _, rest = key.partition(".")
    return {first: nested(rest, value) if rest else value}


def shown(settings: BaseModel) -> dict[str, Any]:
    """Plain data for a page or a log: passwords masked, addresses without them."""
    return {name: _shown(getattr(settings, name)) for name in type(settings).model_fields}


def _shown(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return shown(value)
    if isinstance(value, Mapping):
        return {key: _shown(item) for key, item in value.items()}
    if isinstance(value, Address):
        return str(value)
    if isinstance(value, SecretStr):
        return MASK if value.get_secret_value() else ""
    return value
