"""The state part of a scenario (rules.md F.2) as a ``State``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carrom.codec import Codec
from carrom.errors import SchemaError
from carrom.pieces import Counts, PieceKind
from carrom.seats import Seat, Side
from referee.laws import Laws, Ruleset
from referee.ruling import QueenState
from referee.state import ClockReading, State

__all__ = ["read_state"]

_ALL = {
    "turn": Seat,
    "stroke_in_turn": int,
    "on_board": Counts,
    "debts": Mapping[Side, int],
}
_HIKONE = {
    "pocketed": Counts,
    "players_first_stroke": bool,
    "first_seat": Seat,
    "strokes_left": int,
    "final_round": bool,
    "clock": ClockReading | None,
    "skip_next": tuple[Seat, ...],
    "jack_spot_stack": tuple[PieceKind, ...],
}
_INDIAN = {
    "queen": QueenState,
    "score": Mapping[Side, int],
    "board_number": int,
    "break_done": bool,
    "break_attempts": int,
}
_REQUIRED = ("turn", "on_board", "debts")
_CODEC = Codec()


def read_state(
    raw: Any, laws: Laws, seats: Mapping[Seat, Side], shooter: Seat, where: str
) -> State:
    """The state before the stroke. ``shooter`` is whose tee shot ``players_first_stroke`` means.

    Raises ``SchemaError`` for unknown, missing or ill-typed keys; whether such a state can exist is
    ``check_state``'s question.
    """
    where = f"{where}: state"
    if not isinstance(raw, Mapping):
        raise SchemaError(where, expected="a state", got=raw)
    known = _keys(laws)
    for key in raw:
        if key not in known:
            raise SchemaError(f"{where}.{key}", expected=f"one of {', '.join(known)}", got=key)
    for key in _required(laws):
        if key not in raw:
            raise SchemaError(f"{where}.{key}", expected="a value", got=None)
    values: dict[str, Any] = {"seats": dict(seats)}
    for key, value in raw.items():
        if key == "players_first_stroke":
            if not isinstance(value, bool):
                raise SchemaError(f"{where}.{key}", expected="true or false", got=value)
            values["tee_shots_due"] = frozenset({shooter}) if value else frozenset()
        elif key == "had_pocketed":
            flags: dict[Side, bool] = _CODEC.read(Mapping[Side, bool], value, f"{where}.{key}")
            values["had_pocketed"] = frozenset(side for side, had in flags.items() if had)
            _check_had(flags, raw, f"{where}.{key}")
        else:
            field, hint = known[key]
            values[field] = _CODEC.read(hint, value, f"{where}.{key}")
    return State(**values)


def _check_had(flags: Mapping[Side, bool], raw: Any, where: str) -> None:
    pocketed = raw.get("pocketed")
    for side, had in flags.items():
        if not had and isinstance(pocketed, Mapping) and pocketed.get(side.value):
            raise SchemaError(f"{where}.{side.value}", expected="true, pieces are in", got=had)


def _keys(laws: Laws) -> dict[str, tuple[str, Any]]:
    if laws.ruleset.hikone:
        hints: dict[str, Any] = {**_ALL, **_HIKONE}
    elif laws.ruleset.three_players:
        hints = {**_ALL, **_INDIAN, "captured": Mapping[Side, Counts]}
    else:
        hints = {**_ALL, **_INDIAN, "pocketed": Counts, "had_pocketed": Mapping[Side, bool]}
    if laws.ruleset is Ruleset.CARROM_SE:
        hints["pending_claim"] = bool
    return {key: (key, hint) for key, hint in hints.items()}


def _required(laws: Laws) -> tuple[str, ...]:
    held = "captured" if laws.ruleset.three_players else "pocketed"
    if laws.ruleset.hikone:
        return (*_REQUIRED, held)
    return (*_REQUIRED, held, "queen", "score", "board_number")
