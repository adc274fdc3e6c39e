"""Reads rulesets: the six that ship with the package, and a club's own TOML file."""

from __future__ import annotations

import dataclasses
import functools
import tomllib
import typing
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from carrom.errors import LawsError
from carrom.pieces import PieceKind
from carrom.seats import TurnDirection
from referee.laws import OPTION_CLASSES, GameNumbers, Laws, Ruleset
from referee.options import options_from

__all__ = ["laws_from_data", "laws_to_data", "load_laws", "load_laws_file", "with_options"]


@functools.cache
def _shipped(ruleset: Ruleset) -> Laws:
    text = resources.files("referee").joinpath(f"rulesets/{ruleset.value}.toml").read_text("utf-8")
    return _laws_from(tomllib.loads(text), f"{ruleset.value}.toml", base=None)


def load_laws(rules: str, options: Mapping[str, Any] | None = None) -> Laws:
    """The laws named by a ruleset (``"icf"``) or by the path of a club's file (``"my_club.toml"``),
    with ``options`` flipped on top.

    Raises ``LawsError`` for an unknown ruleset, file, option or value.
    """
    if rules.endswith(".toml"):
        laws = load_laws_file(Path(rules))
    else:
        try:
            ruleset = Ruleset(rules)
        except ValueError:
            names = ", ".join(member.value for member in Ruleset)
            raise LawsError(
                f"unknown ruleset {rules!r}; expected {names}, or a .toml file"
            ) from None
        laws = _shipped(ruleset)
    return with_options(laws, options) if options else laws


def with_options(laws: Laws, options: Mapping[str, Any]) -> Laws:
    """The same laws with some options flipped. Raises ``LawsError``."""
    values = _option_values(laws) | dict(options)
    where = laws.ruleset.value
    numbers, values = _one_target({"options": options}, laws.numbers, values, where)
    return _assemble(laws, numbers, values, where)


def load_laws_file(path: Path) -> Laws:
    """A club's file: ``base`` names a ruleset, ``[numbers]`` and ``[options]`` change it."""
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise LawsError(f"cannot read the rules file: {error.strerror}: {path}") from error
    except (ValueError, RecursionError) as error:  # TOML, encoding, huge numbers, deep nesting
        raise LawsError(f"not a TOML file: {error}: {path}") from error
    base = data.pop("base", None)
    if base is None and "ruleset" in data:  # a copy of a whole shipped file
        base = data["ruleset"]
    if base not in [member.value for member in Ruleset]:
        names = ", ".join(member.value for member in Ruleset)
        raise LawsError(f"base: expected one of {names}, got {base!r}: {path}")
    return _laws_from({"ruleset": base, **data}, str(path), base=_shipped(Ruleset(base)))


def _laws_from(data: Mapping[str, Any], where: str, *, base: Laws | None) -> Laws:
    known = {"ruleset", "version", "title", "numbers", "options"}
    if unknown := set(data) - known:
        raise LawsError(f"{where}: unknown key {sorted(unknown)[0]!r}; expected {sorted(known)}")
    for table in ("numbers", "options"):
        if not isinstance(data.get(table, {}), Mapping):
            raise LawsError(f"{where}: {table}: expected a table, got {data[table]!r}")
    ruleset = Ruleset(data["ruleset"])
    numbers = _numbers_from(data.get("numbers", {}), where, base.numbers if base else None)
    values = (_option_values(base) if base else {}) | dict(data.get("options", {}))
    numbers, values = _one_target(data, numbers, values, where)
    start = base or Laws(
        ruleset=ruleset,
        version=data["version"],
        title=data["title"],
        numbers=numbers,
        options=OPTION_CLASSES[ruleset](),
    )
    title = data.get("title", start.title)
    if not isinstance(title, str):
        raise LawsError(f"{where}: title: expected text, got {title!r}")
    return dataclasses.replace(_assemble(start, numbers, values, where), title=title)


def _assemble(laws: Laws, numbers: GameNumbers, values: Mapping[str, Any], where: str) -> Laws:
    options = options_from(OPTION_CLASSES[laws.ruleset], values, where)
    return dataclasses.replace(laws, numbers=numbers, options=options)


def _one_target(
    data: Mapping[str, Any], numbers: GameNumbers, values: dict[str, Any], where: str
) -> tuple[GameNumbers, dict[str, Any]]:
    """carrom.se has its target as an option too (SB-02): whichever the file gives sets both."""
    option = data.get("options", {}).get("target")
    number = data.get("numbers", {}).get("target_points")
    if option is not None and number is not None and option != number:
        raise LawsError(f"{where}: target {option!r} and target_points {number!r} differ")
    if "target" not in values:
        return numbers, values
    if number is not None:
        return numbers, values | {"target": number}
    target = values["target"]
    if isinstance(target, int) and (option is not None or numbers.target_points is None):
        numbers = dataclasses.replace(numbers, target_points=target)
    return numbers, values


def _option_values(laws: Laws) -> dict[str, Any]:
    return {f.name: getattr(laws.options, f.name) for f in dataclasses.fields(laws.options)}


def _numbers_from(table: Mapping[str, Any], where: str, base: GameNumbers | None) -> GameNumbers:
    hints = typing.get_type_hints(GameNumbers)
    values: dict[str, Any] = {}
    for name, value in table.items():
        if name not in hints:
            raise LawsError(f"{where}: unknown number {name!r}; expected one of {sorted(hints)}")
        values[name] = _number(name, value, where)
    try:
        return GameNumbers(**values) if base is None else dataclasses.replace(base, **values)
    except (LawsError, TypeError) as error:
        raise LawsError(f"{where}: {error}") from error


def _number(name: str, value: Any, where: str) -> Any:
    if name == "direction":
        if value not in [member.value for member in TurnDirection]:
            raise LawsError(f"{where}: direction: expected a turn direction, got {value!r}")
        return TurnDirection(value)
    if name == "man_points":
        return _man_points(value, where)
    if name == "change_sides":
        if not isinstance(value, bool):
            raise LawsError(f"{where}: change_sides: expected true or false, got {value!r}")
        return value
    return value


def _man_points(value: Any, where: str) -> dict[PieceKind, int]:
    men = ("white", "black", "red", "green")
    if not isinstance(value, Mapping) or not set(value) <= set(men):
        raise LawsError(f"{where}: man_points: expected points by colour, got {value!r}")
    for colour, points in value.items():
        if not isinstance(points, int) or isinstance(points, bool) or points < 0:
            raise LawsError(f"{where}: man_points.{colour}: expected a number, got {points!r}")
    return {PieceKind(colour): points for colour, points in value.items()}


def laws_to_data(laws: Laws) -> dict[str, dict[str, Any]]:
    """What these laws change against the shipped ruleset: tables ``number`` and ``option``."""
    base = _shipped(laws.ruleset)
    changed: dict[str, dict[str, Any]] = {"number": {}, "option": {}}
    for table, mine, theirs in (
        ("number", laws.numbers, base.numbers),
        ("option", laws.options, base.options),
    ):
        for field in dataclasses.fields(mine):
            value = getattr(mine, field.name)
            if value != getattr(theirs, field.name):
                changed[table][field.name] = dict(value) if isinstance(value, Mapping) else value
    return changed


def laws_from_data(
    ruleset: str, title: str, numbers: Mapping[str, Any], options: Mapping[str, Any]
) -> Laws:
    """The laws that ``laws_to_data`` described. Raises ``LawsError``."""
    base = load_laws(ruleset)
    data = {"ruleset": ruleset, "title": title, "numbers": numbers, "options": options}
    return _laws_from(data, ruleset, base=base)
