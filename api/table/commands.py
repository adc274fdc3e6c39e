"""What a table can be told (`docs/protocol.md`): each command is a small function on the desk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from api.table.board_check import as_board_lies, count_differences
from api.table.conflict import ConflictError
from api.table.desk import Desk
from api.table.short_outcome import outcome_from
from api.table.tell import call_of
from carrom import events as ev
from carrom.codec import Codec
from carrom.errors import MatchError, SchemaError
from carrom.evidence import DECLARED
from carrom.outcome import StrokeOutcome
from carrom.seats import Seat
from referee import match_events as me
from referee.match import Match, StrokeRecord
from referee.state import Phase as Play

__all__ = ["HARMLESS", "run_command"]

HARMLESS = frozenset({"confirm", "clock", "mask", "suggest", "mode"})
"""Commands that cannot be hurt by what came between."""

_CODEC = Codec({})


def run_command(desk: Desk, data: Mapping[str, Any], now_s: float) -> None:
    """Carry out a command that changes the match. Raises ``SchemaError`` for one that cannot be
    meant, ``MatchError`` or ``ContradictionError`` for one that does not fit; then nothing has
    changed."""
    do = data.get("do")
    run = _COMMANDS.get(str(do))
    if run is None:
        raise SchemaError("do", expected=", ".join(sorted(_COMMANDS)), got=do)
    run(desk, data, now_s)


def _stroke(desk: Desk, data: Mapping[str, Any], now_s: float) -> None:
    outcome = outcome_from(_need(data, "outcome"))
    if outcome.seat is not desk.match.state.turn:
        outcome = _out_of_turn(outcome)
    if outcome.t_end_s is None and desk.match.state.clockwork.running_since_t_s is not None:
        outcome = replace(outcome, t_start_s=now_s, t_end_s=now_s)
    if desk.problem is None and desk.seen_already(outcome, now_s):
        raise ConflictError(desk.seq, [call_of(desk.match.strokes[-1], desk.match.laws)])
    desk.enter_by_hand(outcome, now_s)


def _out_of_turn(outcome: StrokeOutcome) -> StrokeOutcome:
    if any(isinstance(e, ev.OutOfTurn) for e in outcome.events):
        return outcome
    wrong = ev.OutOfTurn(seat=outcome.seat, evidence=DECLARED)
    return replace(outcome, events=(wrong, *outcome.events))


def _answer(desk: Desk, data: Mapping[str, Any], now_s: float) -> None:
    record = record_of(desk, data)
    doubt = str(_need(data, "doubt")).rsplit("/", 1)[-1]
    code = str(_need(data, "code"))
    desk.push(me.DoubtAnswered(id=desk.match.new_id(), stroke=record.id, doubt=doubt, answer=code))


def _amend(desk: Desk, data: Mapping[str, Any], now_s: float) -> None:
    record = record_of(desk, data)
    outcome = outcome_from(_need(data, "outcome"), keep=record.outcome)
    desk.push(me.StrokeAmended(id=desk.match.new_id(), stroke=record.id, outcome=outcome))


def _delete(desk: Desk, data: Mapping[str, Any], now_s: float) -> None:
    if desk.problem is not None and data.get("stroke") is None:
        desk.drop_problem()
        return
    record = record_of(desk, data)
    desk.push(me.StrokeDeleted(id=desk.match.new_id(), stroke=record.id))


def _declare(desk: Desk, data: Mapping[str, Any], now_s: float) -> None:
    event = _event(_need(data, "event"))
    if data.get("stroke") is not None:
        record = record_of(desk, data)
        desk.push(me.FactsAdded(id=desk.match.new_id(), stroke=record.id, facts=(event,)))
        return
    seat = _seat(data.get("seat", desk.match.state.turn.value))
    outcome = StrokeOutcome(seat=seat, events=(event,))
    desk.push(me.StrokePlayed(id=desk.match.new_id(), outcome=outcome))


def _event(data: Any) -> ev.Event:
    """An event from JSON (``type`` and its fields), declared."""
    if not isinstance(data, Mapping):
        raise SchemaError("event", expected="an object", got=data)
    known = {key: value for key, value in data.items() if key != "evidence"}
    event = _CODEC.decode(ev.Event, known)
    return replace(event, evidence=DECLARED)


def _confirm(desk: Desk, data: Mapping[str, Any], now_s: float) -> None:
    record = record_of(desk, data)
    if not desk.confirmed(record.id):
        desk.note(confirmed=record.id)


def _of_seat(kind: Callable[..., me.MatchEvent]) -> Callable[..., None]:
    def run(desk: Desk, data: Mapping[str, Any], now_s: float) -> None:
        desk.push(kind(id=desk.match.new_id(), seat=_seat(_need(data, "seat"))))

    return run


def _plain(kind: Callable[..., me.MatchEvent]) -> Callable[..., None]:
    def run(desk: Desk, data: Mapping[str, Any], now_s: float) -> None:
        desk.push(kind(id=desk.match.new_id()))

    return run


def _next(kind: Callable[..., me.MatchEvent]) -> Callable[..., None]:
    def run(desk: Desk, data: Mapping[str, Any], now_s: float) -> None:
        opener = data.get("opener")
        change = data.get("change_sides")
        if change is not None and not isinstance(change, bool):
            raise SchemaError("change_sides", expected="true or false", got=change)
        seat = None if opener is None else _seat(opener)
        desk.push(kind(id=desk.match.new_id(), opener=seat, change_sides=change))

    return run


def _clock(desk: Desk, data: Mapping[str, Any], now_s: float) -> None:
    run = _need(data, "run")
    if not isinstance(run, bool):
        raise SchemaError("run", expected="true or false", got=run)
    kind = me.ClockStarted if run else me.ClockStopped
    desk.push(kind(id=desk.match.new_id(), t_s=now_s))


def _mode(desk: Desk, data: Mapping[str, Any], now_s: float) -> None:
    mode = _need(data, "mode")
    if mode not in ("casual", "tournament"):
        raise SchemaError("mode", expected="casual or tournament", got=mode)
    desk.note(mode=mode)


def _continue(desk: Desk, data: Mapping[str, Any], now_s: float) -> None:
    if desk.problem is not None:
        desk.drop_problem()
    desk.carry_on()


def _accept(desk: Desk, data: Mapping[str, Any], now_s: float) -> None:
    """Correct the last stroke so that the record is the board that lies there."""
    if desk.board is None:
        raise MatchError("no board has been seen that could be accepted")
    if desk.problem is not None:
        raise MatchError("a stroke waits: enter or drop it first")
    differs, record = desk.differences(), record_of(desk, {})
    if record.before.board_number != desk.match.state.board_number:
        raise MatchError("no stroke of this board explains what lies there: set the board up")
    outcome = as_board_lies(record.outcome, differs)
    amended = me.StrokeAmended(id=desk.match.new_id(), stroke=record.id, outcome=outcome)
    trial = Match.replay(desk.match.log)
    trial.push(amended)
    returned = {kind: desk.returned(kind) for kind in differs}
    if count_differences(desk.board, trial.state, returned) and trial.state.phase is Play.PLAY:
        raise MatchError(
            "the last stroke alone does not explain what lies there: correct the strokes, or go on "
            "with the record"
        )
    desk.push(amended)


def record_of(desk: Desk, data: Mapping[str, Any]) -> StrokeRecord:
    """The stroke that a command names, by number; the last, if it names none."""
    strokes = desk.match.strokes
    number = data.get("stroke", len(strokes))
    if not isinstance(number, int) or isinstance(number, bool):
        raise SchemaError("stroke", expected="a number", got=number)
    if not 1 <= number <= len(strokes):
        raise MatchError(f"no stroke {number!r}; the match has {len(strokes)}")
    return strokes[number - 1]


def _need(data: Mapping[str, Any], name: str) -> Any:
    if name not in data:
        raise SchemaError(name, expected="a value", got=None)
    return data[name]


def _seat(value: Any) -> Seat:
    try:
        return Seat(value)
    except ValueError:
        raise SchemaError("seat", expected="S, W, N or E", got=value) from None


_COMMANDS: dict[str, Callable[[Desk, Mapping[str, Any], float], None]] = {
    "stroke": _stroke,
    "answer": _answer,
    "amend": _amend,
    "delete": _delete,
    "undo": _plain(me.Undone),
    "redo": _plain(me.Redone),
    "declare": _declare,
    "confirm": _confirm,
    "waive_debt": _of_seat(me.DebtWaived),
    "claim_debt": _of_seat(me.DebtClaimed),
    "janken": _of_seat(me.JankenWon),
    "resume_play": _of_seat(me.PlayResumed),
    "demand_points": _plain(me.PointsDemanded),
    "call_time": _plain(me.TimeCalled),
    "next_board": _next(me.NextBoard),
    "next_game": _next(me.NextGame),
    "clock": _clock,
    "mode": _mode,
    "continue": _continue,
    "accept_board": _accept,
}
