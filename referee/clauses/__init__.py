"""The registry of clauses: ID, summary, source and observability of every law we know."""

from __future__ import annotations

import functools
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from importlib import resources

__all__ = ["Clause", "Observability", "Trigger", "all_clauses", "clause"]

_FILES = ("hikone", "gamerules", "carrom_se", "icf", "point")


class Observability(StrEnum):
    """What the overhead camera can tell of it (rules.md D)."""

    FULL = "F"
    PARTLY = "P"
    HUMAN = "H"


class Trigger(StrEnum):
    """What brings the clause into play."""

    STROKE = "stroke"
    DECLARATION = "declaration"
    CLOCK = "clock"
    MATCH = "match"
    CONDUCT = "conduct"
    EQUIPMENT = "equipment"


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One clause of the laws. ``source`` names seed texts, Law numbers and rulings."""

    id: str
    summary: str
    source: str
    observability: Observability
    trigger: Trigger

    @property
    def needs_case(self) -> bool:
        """A stroke, a clock or a declaration can trigger it: a golden case must exercise it."""
        return self.trigger in (Trigger.STROKE, Trigger.DECLARATION, Trigger.CLOCK)


@functools.cache
def all_clauses() -> tuple[Clause, ...]:
    """Every clause, ruleset by ruleset, in the order of the laws."""
    found = []
    for name in _FILES:
        text = resources.files("referee.clauses").joinpath(f"{name}.toml").read_text("utf-8")
        for clause_id, fields in tomllib.loads(text).items():
            found.append(
                Clause(
                    id=clause_id,
                    summary=fields["summary"],
                    source=fields["source"],
                    observability=Observability(fields["observability"]),
                    trigger=Trigger(fields["trigger"]),
                )
            )
    return tuple(found)


@functools.cache
def _by_id() -> dict[str, Clause]:
    return {entry.id: entry for entry in all_clauses()}


def clause(clause_id: str) -> Clause:
    """The clause with this ID. Raises ``KeyError``."""
    return _by_id()[clause_id]
