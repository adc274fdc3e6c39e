"""Surface files: the physical parameters of one board as TOML.

A file names only what differs from the defaults::

    [surface]
    friction_men = 0.13
    capture_speed_mm_s = "never"    # no speed limit: whatever comes over a pocket falls
"""

from dataclasses import fields
from pathlib import Path
from typing import Any

from carrom.errors import BoardError, SchemaError
from carrom.toml_text import parse_toml, read_text
from sim.physics.surface import SurfaceParams

__all__ = ["load_surface", "save_surface", "surface_from_toml", "surface_to_toml"]

_TABLE = "surface"
_NEVER = "never"
_OPTIONAL = ("capture_speed_mm_s", "leave_speed_mm_s")


def load_surface(path: Path) -> SurfaceParams:
    """Read a surface file. Raises ``SchemaError`` or ``BoardError``, both naming the file."""
    return surface_from_toml(read_text(path), where=str(path))


def save_surface(surface: SurfaceParams, path: Path) -> None:
    """Write a surface file that ``load_surface`` reads back as equal parameters."""
    path.write_text(surface_to_toml(surface), encoding="utf-8")


def surface_from_toml(text: str, *, where: str = "surface") -> SurfaceParams:
    """Parse parameters; ``where`` (a file name, say) begins every error message."""
    document = parse_toml(text, where)
    if set(document) - {_TABLE}:
        expected = f"only the table [{_TABLE}]"
        raise SchemaError(where, expected=expected, got=sorted(document))
    table = document.get(_TABLE, {})
    if not isinstance(table, dict):
        raise SchemaError(f"{where}: {_TABLE}", expected="a table", got=table)
    values = {key: _value(key, leaf, where) for key, leaf in table.items()}
    try:
        return SurfaceParams(**values)
    except BoardError as problem:
        raise BoardError(f"{where}: {problem}") from problem


def surface_to_toml(surface: SurfaceParams) -> str:
    """The shortest surface file: only what differs from the defaults."""
    lines = [f"[{_TABLE}]"]
    for item in fields(surface):
        value = getattr(surface, item.name)
        if value != item.default:
            lines.append(f"{item.name} = {repr(value) if value is not None else _quoted_never()}")
    return "\n".join(lines) + "\n"


def _quoted_never() -> str:
    return f'"{_NEVER}"'


def _value(key: str, leaf: object, where: str) -> Any:
    known = [item.name for item in fields(SurfaceParams)]
    if key not in known:
        expected = f"one of {known}"
        raise SchemaError(f"{where}: {_TABLE}.{key}", expected=expected, got="unknown key")
    if leaf == _NEVER and key in _OPTIONAL:
        return None
    if isinstance(leaf, bool) or not isinstance(leaf, int | float):
        raise SchemaError(f"{where}: {_TABLE}.{key}", expected="a number", got=leaf)
    return leaf
