"""Boards as TOML: a file names its base and says only what is different.

    base = "icf"                    # or "hikone"; the only key that must be there
    name = "grandfather's board"    # otherwise the name of the base

    [surface]
    side_mm = 720                   # a bare number was measured on this board

    [markings]
    base_circle_diameter_mm = 38
    base_circle_x_mm = "derived"    # follows from the others (where that is possible)

    [markings.line_gap_mm]          # or { value = 38, low = ... } on one line
    value = 38
    low = 37
    high = 39
    source = "W:chessnboards"
    certainty = "published"         # measured, published, derived or assumed

    [discs.striker]
    diameter_mm = 40.5

Sections and keys are the paths of ``BoardSpec.dimensions()``. What is not said keeps the value of
the base. ``board_from_toml(board_to_toml(b)) == b`` for every board.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from carrom.board_dimensions import Certainty, Dimension, measured
from carrom.board_spec import BoardFamily, BoardSpec
from carrom.boards import board_for
from carrom.errors import BoardError, SchemaError
from carrom.toml_text import parse_toml, read_text

__all__ = ["board_from_toml", "board_to_toml", "load_board", "save_board"]

_DERIVED = "derived"
_LEAF_KEYS = {"value", "low", "high", "source", "certainty"}
_SECTIONS = ("surface", "pockets", "frame", "markings")


def load_board(path: Path) -> BoardSpec:
    """Read a board file. Raises ``SchemaError`` or ``BoardError``, both naming the file."""
    return board_from_toml(read_text(path), where=str(path))


def save_board(board: BoardSpec, path: Path) -> None:
    """Write a board file that ``load_board`` reads back as an equal board."""
    path.write_text(board_to_toml(board), encoding="utf-8")


def board_from_toml(text: str, *, where: str = "board") -> BoardSpec:
    """Parse a board; ``where`` (a file name, say) begins every error message."""
    document = parse_toml(text, where)
    base = _base(document, where)
    name = document.get("name", base.name)
    if not isinstance(name, str):
        raise SchemaError(f"{where}: name", expected="text", got=name)
    known = base.dimensions()
    changes: dict[str, Dimension | None] = {}
    for path, leaf in _leaves(document, where, base):
        if path not in known:
            raise SchemaError(f"{where}: {path}", expected=_near(path, known), got="unknown key")
        changes[path] = _dimension(leaf, f"{where}: {path}")
    try:
        return base.changed(changes, name=name)
    except BoardError as problem:
        raise BoardError(f"{where}: {problem}") from problem


def board_to_toml(board: BoardSpec) -> str:
    """The shortest board file for ``board``: its base, its name and what differs."""
    base = board_for(board.family)
    lines = [f'base = "{board.family.value}"']
    if board.name != base.name:
        lines.append(f"name = {_quoted(board.name)}")
    old, section = base.dimensions(), ""
    for path, dimension in board.dimensions().items():
        if dimension == old[path]:
            continue
        head, _, key = path.rpartition(".")
        if head != section:
            lines += ["", f"[{head}]"]
            section = head
        lines.append(f"{key} = {_leaf_text(dimension)}")
    return "\n".join(lines) + "\n"


def _base(document: Mapping[str, Any], where: str) -> BoardSpec:
    families = [family.value for family in BoardFamily]
    base = document.get("base")
    if not isinstance(base, str) or base not in families:
        raise SchemaError(f"{where}: base", expected=f"one of {families}", got=base)
    return board_for(BoardFamily(base))


def _leaves(
    document: Mapping[str, Any], where: str, base: BoardSpec
) -> Iterator[tuple[str, object]]:
    kinds = [disc.kind.value for disc in base.discs]
    for section, content in document.items():
        if section in ("base", "name"):
            continue
        if section not in (*_SECTIONS, "discs"):
            expected = f"one of {['base', 'name', *_SECTIONS, 'discs']}"
            raise SchemaError(f"{where}: {section}", expected=expected, got="unknown key")
        for key, value in _table(content, f"{where}: {section}").items():
            if section != "discs":
                yield f"{section}.{key}", value
                continue
            if key not in kinds:
                raise SchemaError(
                    f"{where}: discs.{key}",
                    expected=f"one of {kinds}",
                    got="unknown key",
                )
            for inner, leaf in _table(value, f"{where}: discs.{key}").items():
                yield f"discs.{key}.{inner}", leaf


def _table(content: object, where: str) -> Mapping[str, Any]:
    if not isinstance(content, dict):
        raise SchemaError(where, expected="a table", got=content)
    return content


def _near(path: str, known: Mapping[str, object]) -> str:
    section = path.rpartition(".")[0]
    keys = [key.rpartition(".")[2] for key in known if key.rpartition(".")[0] == section]
    return f"one of {keys}"


def _dimension(leaf: object, where: str) -> Dimension | None:
    if leaf == _DERIVED:
        return None
    try:
        if isinstance(leaf, dict):
            return _full_dimension(leaf, where)
        return measured(_number(leaf, where))
    except BoardError as problem:
        raise BoardError(f"{where}: {problem}") from problem


def _full_dimension(leaf: Mapping[str, Any], where: str) -> Dimension:
    if set(leaf) != _LEAF_KEYS:
        raise SchemaError(where, expected=f"the keys {sorted(_LEAF_KEYS)}", got=sorted(leaf))
    certainties = [certainty.value for certainty in Certainty]
    if leaf["certainty"] not in certainties:
        raise SchemaError(
            f"{where}.certainty",
            expected=f"one of {certainties}",
            got=leaf["certainty"],
        )
    value, low, high = (_number(leaf[key], f"{where}.{key}") for key in ("value", "low", "high"))
    if not isinstance(leaf["source"], str):
        raise SchemaError(f"{where}.source", expected="text", got=leaf["source"])
    return Dimension(value, low, high, leaf["source"], Certainty(leaf["certainty"]))


def _number(leaf: object, where: str) -> float:
    if isinstance(leaf, bool) or not isinstance(leaf, int | float):
        raise SchemaError(where, expected="a number", got=leaf)
    try:
        return float(leaf)
    except OverflowError as problem:
        raise SchemaError(where, expected="a number of this world", got=leaf) from problem


def _leaf_text(dimension: Dimension | None) -> str:
    if dimension is None:
        return _quoted(_DERIVED)
    if dimension == measured(dimension.value):
        return repr(dimension.value)
    numbers = ", ".join(f"{key} = {getattr(dimension, key)!r}" for key in ("value", "low", "high"))
    source, certainty = _quoted(dimension.source), _quoted(dimension.certainty.value)
    return f"{{ {numbers}, source = {source}, certainty = {certainty} }}"


# Names and sources are printable (checked by the board), so only these two need escaping.
def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
