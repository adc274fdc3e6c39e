"""Domain types to plain JSON data and back, driven by their type annotations.

One codec serves stroke outcomes, rulings, states and match logs. Values equal to a field's
default are left out, so records stay short; unknown keys and wrong types raise ``SchemaError``
with the path, what was expected and what was got. The outermost object carries
``"schema": SCHEMA``.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import types
import typing
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, TypeVar

from carrom.errors import CarromError, SchemaError
from carrom.events import EVENT_CLASSES, Event

__all__ = ["SCHEMA", "Codec", "JsonData"]

SCHEMA = 1
"""Version of the JSON form. Raised when a reader of the old form would misread the new one."""

JsonData = Any
"""What ``json.loads`` gives: dict, list, str, int, float, bool or None."""

T = TypeVar("T")


def _is_named_tuple(cls: object) -> bool:
    return isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, "_fields")


def _is_plain_tuple(hint: Any) -> bool:
    """Whether ``hint`` is a tuple by position, or a choice with one."""
    return any(typing.get_origin(part) is tuple for part in (hint, *typing.get_args(hint)))


@functools.cache
def _hints(cls: Any) -> dict[str, Any]:
    hints = typing.get_type_hints(cls)
    if _is_named_tuple(cls):
        return {name: hints[name] for name in cls._fields}
    return {f.name: hints[f.name] for f in dataclasses.fields(cls) if f.init}


@functools.cache
def _defaults(cls: Any) -> dict[str, Any]:
    if _is_named_tuple(cls):
        return dict(cls._field_defaults)
    out = {}
    for field in dataclasses.fields(cls):
        if field.default is not dataclasses.MISSING:
            out[field.name] = field.default
        elif field.default_factory is not dataclasses.MISSING:
            out[field.name] = field.default_factory()
    return out


class Codec:
    """Encodes and decodes dataclasses, enums, tuples and mappings.

    ``families`` maps a base class to its classes by name: such values carry a ``"type"`` key.
    """

    def __init__(self, families: Mapping[type, Mapping[str, type]] | None = None) -> None:
        self._families: dict[type, Mapping[str, type]] = {Event: EVENT_CLASSES, **(families or {})}
        self._names = {
            cls: name for classes in self._families.values() for name, cls in classes.items()
        }

    def dumps(self, value: object) -> str:
        """One line of JSON with the schema number in front."""
        data = {"schema": SCHEMA, **self.encode(value)}
        return json.dumps(data, ensure_ascii=False, separators=(",", ":"))

    def loads(self, cls: type[T], text: str) -> T:
        """The value that ``dumps`` wrote. Raises ``SchemaError``."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:  # also a number of 5 000 digits
            raise SchemaError("json", expected="valid JSON", got=str(error)) from error
        if not isinstance(data, dict):
            raise SchemaError("json", expected="an object", got=data)
        schema = data.pop("schema", None)
        if schema != SCHEMA:
            raise SchemaError("schema", expected=str(SCHEMA), got=schema)
        try:
            return self.decode(cls, data)
        except RecursionError as error:
            raise SchemaError("json", expected="shallow data", got="deep nesting") from error

    def encode(self, value: object) -> JsonData:
        """Plain data for ``json.dumps``; returns new containers."""
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return self._encode_record(value)
        if _is_named_tuple(type(value)):
            return self._encode_record(value)
        if isinstance(value, StrEnum):
            return value.value
        if isinstance(value, Mapping):
            return {str(self.encode(k)): self.encode(v) for k, v in value.items()}
        if isinstance(value, list | tuple):
            return [self.encode(item) for item in value]
        if isinstance(value, set | frozenset):
            return sorted(self.encode(item) for item in value)
        if value is None or isinstance(value, str | int | float | bool):
            return value
        raise SchemaError("value", expected="a domain type", got=value)

    def _encode_record(self, value: Any) -> JsonData:
        cls: Any = type(value)
        out: dict[str, JsonData] = {"type": self._names[cls]} if cls in self._names else {}
        defaults = _defaults(cls)
        for name, hint in _hints(cls).items():
            item = getattr(value, name)
            if name in defaults and item == defaults[name]:
                continue
            if _is_named_tuple(type(item)) and _is_plain_tuple(hint):
                item = tuple(item)  # a Point is an (x, y): written as declared, or unreadable
            out[name] = self.encode(item)
        return out

    def decode(self, cls: type[T], data: JsonData, where: str = "") -> T:
        """The value of type ``cls`` in ``data``. Raises ``SchemaError`` naming the path."""
        value: T = self.read(cls, data, where or cls.__name__)
        return value

    def read(self, hint: Any, data: JsonData, where: str) -> Any:
        """As ``decode``, for any type annotation (``Mapping[Side, int]``, ``Seat | None``)."""
        origin = typing.get_origin(hint)
        if origin is typing.Literal:
            return _decode_literal(hint, data, where)
        if origin in (typing.Union, types.UnionType):
            return self._decode_union(typing.get_args(hint), data, where)
        if origin is not None:
            return self._decode_container(hint, data, where)
        if hint is Any:
            return data
        if hint in self._families:
            return self._decode_tagged(hint, data, where)
        if dataclasses.is_dataclass(hint) or _is_named_tuple(hint):
            return self._decode_record(hint, data, where)
        if isinstance(hint, type) and issubclass(hint, StrEnum):
            try:
                return hint(data)
            except ValueError:
                names = ", ".join(member.value for member in hint)
                raise SchemaError(where, expected=f"one of {names}", got=data) from None
        return _decode_plain(hint, data, where)

    def _decode_union(self, options: tuple[Any, ...], data: JsonData, where: str) -> Any:
        if data is None and types.NoneType in options:
            return None
        failures = []
        for option in options:
            if option is types.NoneType:
                continue
            try:
                return self.read(option, data, where)
            except SchemaError as error:
                failures.append(error)
        raise failures[0]

    def _decode_container(self, hint: Any, data: JsonData, where: str) -> Any:
        origin, args = typing.get_origin(hint), typing.get_args(hint)
        if origin is tuple:
            if not isinstance(data, list | tuple):
                raise SchemaError(where, expected="a list", got=data)
            if len(args) == 2 and args[1] is Ellipsis:
                return tuple(self.read(args[0], x, f"{where}[{i}]") for i, x in enumerate(data))
            if len(args) != len(data):
                raise SchemaError(where, expected=f"{len(args)} items", got=data)
            pairs = enumerate(zip(args, data, strict=True))
            return tuple(self.read(a, x, f"{where}[{i}]") for i, (a, x) in pairs)
        if origin is frozenset:
            if not isinstance(data, list | tuple):
                raise SchemaError(where, expected="a list", got=data)
            return frozenset(self.read(args[0], x, f"{where}[{i}]") for i, x in enumerate(data))
        if not isinstance(data, Mapping):
            raise SchemaError(where, expected="an object", got=data)
        return {
            self.read(args[0], k, where): self.read(args[1], v, f"{where}.{k}")
            for k, v in data.items()
        }

    def _decode_tagged(self, family: Any, data: JsonData, where: str) -> Any:
        if not isinstance(data, Mapping):
            raise SchemaError(where, expected="an object", got=data)
        classes = self._families[family]
        name = data.get("type", "")
        cls = classes.get(name) if isinstance(name, str) else None
        if cls is None:
            raise SchemaError(
                f"{where}.type", expected=f"one of {', '.join(classes)}", got=data.get("type")
            )
        return self._decode_record(cls, {k: v for k, v in data.items() if k != "type"}, where)

    def _decode_record(self, cls: Any, data: JsonData, where: str) -> Any:
        if not isinstance(data, Mapping):
            raise SchemaError(where, expected="an object", got=data)
        hints = _hints(cls)
        for key in data:
            if key not in hints:
                raise SchemaError(f"{where}.{key}", expected=f"one of {', '.join(hints)}", got=key)
        missing = [name for name in hints if name not in data and name not in _defaults(cls)]
        if missing:
            raise SchemaError(f"{where}.{missing[0]}", expected="a value", got=None)
        values = {k: self.read(hints[k], v, f"{where}.{k}") for k, v in data.items()}
        try:
            return cls(**values)
        except SchemaError:
            raise
        except CarromError as error:
            raise SchemaError(where, expected="consistent values", got=str(error)) from error


def _decode_literal(hint: Any, data: JsonData, where: str) -> Any:
    allowed = typing.get_args(hint)
    if isinstance(data, str | int) and data in allowed:
        return data
    raise SchemaError(where, expected=f"one of {', '.join(map(str, allowed))}", got=data)


def _decode_plain(hint: Any, data: JsonData, where: str) -> Any:
    numeric = isinstance(data, int | float) and not isinstance(data, bool)
    if hint is float and numeric:
        try:
            return float(data)
        except OverflowError:
            raise SchemaError(where, expected="a number of a usable size", got="more") from None
    if hint is int and numeric and isinstance(data, int):
        return data
    if hint in (str, bool) and isinstance(data, hint):
        return data
    expected = {int: "a whole number", float: "a number", str: "text", bool: "true or false"}
    raise SchemaError(where, expected=expected.get(hint, str(hint)), got=data)
