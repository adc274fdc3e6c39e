"""The rulesets with everything that may be chosen about them, for the first-run page."""

from __future__ import annotations

import dataclasses
import functools
import typing
from typing import Any

from referee.laws import OPTION_CLASSES, Laws, Ruleset
from referee.ruleset_files import load_laws

__all__ = ["rules_catalogue"]


@functools.cache
def rules_catalogue() -> dict[str, Any]:
    """``{"rulesets": [{"id", "name", "board", "players", "options"}], "languages": [...]}``."""
    return {
        "rulesets": [_ruleset(load_laws(ruleset.value)) for ruleset in Ruleset],
        "boards": ["icf", "hikone"],
        "languages": ["en", "ja", "sv", "hi"],
    }


def _ruleset(laws: Laws) -> dict[str, Any]:
    kind = laws.ruleset
    return {
        "id": kind.value,
        "name": laws.title,
        "board": "hikone" if kind.hikone else "icf",
        "players": [3] if kind.three_players else [2, 4],
        "options": _options(laws),
    }


def _options(laws: Laws) -> dict[str, Any]:
    hints = typing.get_type_hints(OPTION_CLASSES[laws.ruleset])
    return {
        field.name: {
            "values": _values(hints[field.name]),
            "default": getattr(laws.options, field.name),
        }
        for field in dataclasses.fields(laws.options)
    }


def _values(hint: Any) -> Any:
    if typing.get_origin(hint) is typing.Literal:
        return list(typing.get_args(hint))
    return "bool" if hint is bool else "number"
