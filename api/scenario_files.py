"""Reads scenario files (YAML or JSON, rules.md section F) from disk."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator
from pathlib import Path
from typing import Any

import yaml

from carrom.errors import SchemaError

__all__ = ["load_cases", "scenario_paths"]


class _Loader(yaml.CSafeLoader):
    """Refuses a key given twice: the second would silently win."""


def _unique_mapping(loader: _Loader, node: yaml.MappingNode) -> dict[Hashable, Any]:
    keys = [loader.construct_object(key) for key, _ in node.value]
    for key in keys:
        if keys.count(key) > 1:
            raise SchemaError(
                f"line {node.start_mark.line + 1}", expected=f"the key {key!r} once", got="twice"
            )
    return loader.construct_mapping(node, deep=True)


_Loader.add_constructor("tag:yaml.org,2002:map", _unique_mapping)


def scenario_paths(paths: list[Path]) -> list[Path]:
    """The files named, and every .yaml, .yml or .json file below the folders named, sorted.

    Raises ``SchemaError`` for a path that is neither, or a folder without scenario files.
    """
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = [
                file
                for file in sorted(path.rglob("*"))
                if file.suffix in (".yaml", ".yml", ".json") and file.is_file()
            ]
            if not inside:
                raise SchemaError(str(path), expected="scenario files in the folder", got="none")
            found += inside
        elif path.is_file():
            found.append(path)
        else:
            raise SchemaError(str(path), expected="a file or a folder", got="nothing there")
    return found


def load_cases(path: Path) -> Iterator[Any]:
    """The raw cases of one file: a mapping with ``scenarios`` (``meta`` is for people), or one
    case. Raises ``SchemaError`` naming the file."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SchemaError(str(path), expected="a readable text file", got=str(error)) from error
    data = _parse(text, path)
    if not isinstance(data, dict):
        raise SchemaError(str(path), expected="a mapping with scenarios", got=data)
    if "scenarios" not in data:
        if "id" not in data:
            raise SchemaError(
                str(path), expected="scenarios, or one case", got=sorted(map(str, data))
            )
        yield data
        return
    if unknown := set(data) - {"meta", "scenarios"}:
        raise SchemaError(str(path), expected="meta and scenarios", got=sorted(map(str, unknown)))
    if not isinstance(data["scenarios"], list):
        raise SchemaError(f"{path}: scenarios", expected="a list", got=data["scenarios"])
    yield from data["scenarios"]


def _parse(text: str, path: Path) -> Any:
    try:
        if path.suffix == ".json":
            return json.loads(text)
        return yaml.load(text, _Loader)  # noqa: S506 - a safe loader that refuses double keys
    except SchemaError as error:
        where = f"{path}: {error.where}"
        raise SchemaError(where, expected=error.expected, got=error.got) from error
    except (yaml.YAMLError, ValueError, AttributeError, RecursionError) as error:
        # PyYAML lets conversions fail with whatever they raise: impossible dates, huge numbers
        raise SchemaError(str(path), expected="valid YAML or JSON", got=str(error)) from error
