"""The options of each ruleset: every local rule and every ruling a club or tournament may flip.

Defaults are the ruleset itself (rules.md C.2, C.4, F.8). Values are checked when options are made
from data, so a judge never meets an unknown one.
"""

from __future__ import annotations

import dataclasses
import functools
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from carrom.errors import LawsError

__all__ = [
    "CarromSeOptions",
    "GamerulesOptions",
    "HikoneOptions",
    "IcfOptions",
    "Options",
    "PointCarromSeOptions",
    "PointGamerulesOptions",
    "option_values",
    "options_from",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Base of all option sets. Raises ``LawsError`` (option, allowed, given) when made."""

    def __post_init__(self) -> None:
        hints: dict[str, Any] = _hints(_key(type(self)))
        for name, hint in hints.items():
            value = getattr(self, name)
            if not _fits(name, hint, value):
                raise LawsError(f"option {name}: expected {_allowed(name, hint)}, got {value!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class HikoneOptions(Options):
    """Seventeen local options (HL-01..17) and the ruling options of C.2."""

    simultaneous_break: bool = False
    striker_placement: Literal["area_line", "anywhere_in_area"] = "area_line"
    allow_push: bool = False
    allow_leaning_smash: bool = False
    allow_pocket_lip_jump: bool = False
    allow_palm_shot: bool = False
    jack_penalty_packs: int = 5
    flatten_tilted: bool = False
    rearrange_own_in_area: bool = False
    own_side_pockets: Literal["allowed", "forbidden"] = "allowed"
    doubles_area_line_rule: bool = True
    multi_pocket_turns: Literal["one", "per_pack"] = "one"
    scratch_with_own: Literal["championship", "two_back_continue"] = "championship"
    last_pack_and_jack: Literal["penalty", "win"] = "penalty"
    jack_one_shot: Literal["off", "five_back", "lose"] = "off"
    initial_layout: Literal["circle", "castle"] = "circle"
    scratch_penalty_packs: int = 1
    void_penalty_packs: int = 1
    void_opponent_packs: Literal["returned", "stay"] = "returned"
    winning_jack_with_scratch: Literal["respot", "jack_penalty", "win"] = "respot"
    penalties_cumulate: bool = True
    debt_repay_keeps_turn: bool = True
    debts_count_at_time_up: bool = False
    match_minutes: int = 5
    match_stage: Literal["pool", "final"] = "pool"


@dataclass(frozen=True, slots=True, kw_only=True)
class GamerulesOptions(Options):
    """GR-19 and GR-38."""

    opponent_piece: Literal["stays", "returned"] = "stays"
    time_limit_min: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CarromSeOptions(Options):
    """Beginner options SB-01..05 and the ruling options SE-26, SE-34. ``target`` sets the game.

    ``free_removal_min_left``: a number for all, or a handicap by colour or by seat (SB-04); who is
    not named has 2.
    """

    target: int = 25
    queen_auto_secured: bool = False
    free_removal: bool = False
    free_removal_min_left: int | Mapping[str, int] = 2
    debt_claim: Literal["auto", "manual"] = "auto"
    technical_fouls: Literal["strict", "relaxed"] = "strict"
    improper_stroke: Literal["plikt", "icf"] = "plikt"


@dataclass(frozen=True, slots=True, kw_only=True)
class IcfOptions(Options):
    """None: the Laws of Carrom are played as they stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PointGamerulesOptions(Options):
    """PT-04, PT-06, GR-38."""

    queen_cover: bool = True
    penalty_piece: Literal["cheapest", "offender_choice", "dearest"] = "cheapest"
    time_limit_min: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PointCarromSeOptions(Options):
    """SE-26, SB-05, SE-34 for three players."""

    debt_claim: Literal["auto", "manual"] = "auto"
    technical_fouls: Literal["strict", "relaxed"] = "strict"
    improper_stroke: Literal["plikt", "icf"] = "plikt"


_RANGES = {
    "jack_penalty_packs": range(13),
    "scratch_penalty_packs": range(13),
    "void_penalty_packs": range(13),
    "match_minutes": range(1, 241),
    "time_limit_min": range(1, 601),
    "target": range(1, 1000),
    "free_removal_min_left": range(1, 10),
}

O = TypeVar("O", bound=Options)  # noqa: E741 - the letter of the type, not a variable


def option_values(cls: type[Options]) -> dict[str, str]:
    """Each option's name with its allowed values in words, for help texts and error messages."""
    hints: dict[str, Any] = _hints(_key(cls))
    return {name: _allowed(name, hint) for name, hint in hints.items()}


def _key(cls: Any) -> Any:
    """A class as a cache key: mypy does not take ``type[Options]`` for hashable."""
    return cls


@functools.cache
def _hints(cls: Any) -> dict[str, Any]:
    hints = typing.get_type_hints(cls)
    return {field.name: hints[field.name] for field in dataclasses.fields(cls)}


def options_from(cls: type[O], values: Mapping[str, Any], where: str) -> O:
    """Options of a ruleset with ``values`` over the defaults.

    Raises ``LawsError`` naming ``where``, the option, what is allowed and what was given.
    """
    names = list(_hints(_key(cls)))
    for name in values:
        if name not in names:
            known = ", ".join(names) or "none"
            raise LawsError(f"{where}: unknown option {name!r}; expected one of: {known}")
    try:
        return cls(**values)
    except LawsError as error:
        raise LawsError(f"{where}: {error}") from error


def _fits(name: str, hint: Any, value: Any) -> bool:
    if hint is bool:
        return isinstance(value, bool)
    if typing.get_origin(hint) is Literal:
        return isinstance(value, str) and value in typing.get_args(hint)
    if value is None:
        return type(None) in typing.get_args(hint)
    if isinstance(value, Mapping) and name == "free_removal_min_left":
        known = {"white", "black", "S", "W", "N", "E"}
        return set(value) <= known and all(_in_range(name, v) for v in value.values())
    return _in_range(name, value)


def _in_range(name: str, value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value in _RANGES[name]


def _allowed(name: str, hint: Any) -> str:
    if hint is bool:
        return "true or false"
    if typing.get_origin(hint) is Literal:
        return " or ".join(typing.get_args(hint))
    text = f"a whole number {_RANGES[name].start} to {_RANGES[name].stop - 1}"
    return text + (" or null" if type(None) in typing.get_args(hint) else "")
