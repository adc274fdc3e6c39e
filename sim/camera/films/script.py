"""What a film is to show: rules, seed, length, skills, incidents; from code or a TOML file."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from math import isfinite
from pathlib import Path

from carrom.errors import SchemaError
from carrom.toml_text import parse_toml, read_text
from referee.laws import Laws
from referee.ruleset_files import load_laws
from sim.camera.films.incidents import IncidentKind

__all__ = ["FilmScript", "Wish", "load_script", "parse_script"]


@dataclass(frozen=True, slots=True)
class Wish:
    """An incident asked for: at stroke ``stroke`` (from 1), or ``None``: as soon as it can be."""

    kind: IncidentKind
    stroke: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FilmScript:
    """Everything that a match and its film follow from; equal scripts give equal films.

    The film ends after ``strokes`` strokes or, after the stroke that reaches it, at ``seconds``.
    ``skills``: of the players in seat order of the laws, 0 (a child) to 1 (a master).
    ``incident_rate``: share of strokes with an incident by chance, besides the ``wishes``.
    ``forced``: strokes by number, in the text form of ``carrom.stroke_text``. ``pace``: 1 = club
    players; larger is slower. ``options``: of the ruleset, flipped; ``clock``: the match clock
    runs from the first stroke on. Raises ``SchemaError`` (field, expected, got).
    """

    rules: str = "icf"
    seed: int = 0
    seconds: float | None = None
    strokes: int | None = None
    players: int | None = None
    skills: tuple[float, ...] = (0.75, 0.6)
    wishes: tuple[Wish, ...] = ()
    incident_rate: float = 0.0
    forced: Mapping[int, str] | None = None
    pace: float = 1.0
    options: Mapping[str, bool | int | str] = field(default_factory=dict)
    clock: bool = False

    def __post_init__(self) -> None:
        if self.seconds is None and self.strokes is None:
            object.__setattr__(self, "seconds", 60.0)
        self._check("seconds", 1.0, 7200.0)
        self._check("strokes", 1, 1000)
        self._check("players", 2, 4)
        self._check("incident_rate", 0.0, 1.0)
        self._check("pace", 0.2, 5.0)
        self._check("seed", 0, 2**62)
        if not self.skills or not all(0 <= skill <= 1 for skill in self.skills):
            raise SchemaError("skills", expected="numbers from 0 to 1", got=self.skills)

    def laws(self) -> Laws:
        """The laws in force. Raises ``LawsError`` for rules or options that do not exist."""
        return load_laws(self.rules, self.options)

    def _check(self, name: str, low: float, high: float) -> None:
        value = getattr(self, name)
        if value is None:
            return
        if isinstance(value, bool) or not (isfinite(value) and low <= value <= high):
            raise SchemaError(name, expected=f"{low} to {high}", got=value)


def load_script(path: Path) -> FilmScript:
    """The script of a TOML file. Raises ``SchemaError``."""
    return parse_script(read_text(path))


def parse_script(text: str) -> FilmScript:
    """The script of a TOML text; see ``FilmScript`` for the keys. Raises ``SchemaError``.

    rules = "icf"
    seed = 7
    strokes = 6
    skills = [0.9, 0.5]
    [[incident]]
    kind = "early_pickup"
    stroke = 2
    [[stroke]]
    number = 1
    text = "S@0 90deg 5m/s"
    [options]
    free_removal = true
    """
    data = parse_toml(text, "script")
    wishes = tuple(_wish(row) for row in _rows(data, "incident"))
    forced = {_whole(row["number"]): str(row["text"]) for row in _rows(data, "stroke")}
    known = {item.name for item in fields(FilmScript)} - {"wishes", "forced"}
    unknown = sorted(set(data) - known)
    if unknown:
        raise SchemaError("script", expected=f"keys of {sorted(known)}", got=unknown)
    if not isinstance(data.get("options", {}), dict):
        raise SchemaError("options", expected="an [options] table", got=data["options"])
    if not isinstance(data.get("clock", False), bool):
        raise SchemaError("clock", expected="true or false", got=data["clock"])
    if "skills" in data:
        data["skills"] = tuple(data["skills"])
    return FilmScript(**data, wishes=wishes, forced=forced or None)


def _rows(data: dict[str, object], name: str) -> list[dict[str, object]]:
    rows = data.pop(name, [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise SchemaError(name, expected=f"[[{name}]] tables", got=rows)
    needed = {"incident": {"kind"}, "stroke": {"number", "text"}}[name]
    for row in rows:
        if not needed <= set(row):
            raise SchemaError(name, expected=f"keys {sorted(needed)}", got=sorted(row))
    return rows


def _wish(row: dict[str, object]) -> Wish:
    try:
        kind = IncidentKind(str(row["kind"]))
    except ValueError:
        names = ", ".join(IncidentKind)
        raise SchemaError("incident.kind", expected=names, got=row["kind"]) from None
    stroke = row.get("stroke")
    if stroke is not None and not isinstance(stroke, int):
        raise SchemaError("incident.stroke", expected="a number from 1", got=stroke)
    return Wish(kind, stroke)


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise SchemaError("stroke.number", expected="a whole number", got=value)
    return value
