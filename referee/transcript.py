"""A readable transcript of a match, and its parser.

    carrom transcript 1
    rules icf 1 "ICF Laws of Carrom"
    player S Asha
    player N Bo
    opener S

    1. S first_contact(white) pocketed(white,pocket=NE)
       | S again; on the board white 8 black 9 queen 1
    2. S first_contact(black) pocketed(striker)
       | striker_pocketed (ICF-45); back: 1 white to outer_circle by black (due); next N; ...
    next_board

Lines that begin with ``|`` are commentary: written for people, skipped by the parser. Numbered
lines are strokes and incidents as they stand, corrections worked in; ids, undone events and the
times of single events are not kept (the JSON log keeps everything). ``called N`` after the seat
says that the table was told it was that seat's turn, where a correction has changed it since.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from typing import Any

from carrom.errors import CarromError, TranscriptError
from carrom.seats import Seat
from referee.event_text import outcome_from_text, outcome_to_text
from referee.laws import Laws
from referee.match import Frame, Match
from referee.match_events import (
    CODEC,
    MATCH_EVENT_CLASSES,
    MatchEvent,
    MatchStarted,
    StrokePlayed,
)
from referee.ruleset_files import laws_from_data, laws_to_data
from referee.ruling import BoardStatus, Ruling

__all__ = ["parse_transcript", "write_transcript"]

_HEAD = "carrom transcript 1"
_STROKE = re.compile(
    r"(?P<number>\d+)\. (?P<seat>[SWNE])(?: called (?P<called>[SWNE]))?(?P<rest>.*)$"
)
_TEXT_SKIPPED = {"match_started", "stroke", "facts_added", "doubt_answered"}
_PLAIN = {
    name: cls
    for name, cls in MATCH_EVENT_CLASSES.items()
    if name not in _TEXT_SKIPPED | {"stroke_amended", "stroke_deleted", "undone", "redone"}
}
"""Events between strokes, written as their name and keys."""


def write_transcript(match: Match) -> str:
    """The transcript of a match as it stands."""
    lines = [_HEAD, *_header(match.frames[0])]
    number = 0
    for previous, frame in itertools.pairwise(match.frames):
        event = frame.event
        if isinstance(event, StrokePlayed):
            number += 1
            lines.append(_stroke_line(number, event, previous.after.turn))
        else:
            lines.append(_plain_line(event))
        if frame.ruling is not None:
            lines.append(f"   | {_comment(frame.ruling)}")
    return "\n".join(lines) + "\n"


def parse_transcript(text: str) -> Match:
    """The match that a transcript tells. Raises ``TranscriptError`` naming the line, and the
    match's own errors for events that cannot have happened."""
    lines = [
        (number, line.strip())
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip() and not line.strip().startswith("|")
    ]
    if not lines or lines[0][1] != _HEAD:
        raise TranscriptError("line 1", expected=_HEAD, got=lines[0][1] if lines else "")
    rest = iter(lines[1:])
    match = Match(_read_header(rest))
    for number, line in rest:
        try:
            match.push_from_log(_read_line(line, match))
        except TranscriptError as error:
            where = f"line {number}: {error.where}"
            raise TranscriptError(where, expected=error.expected, got=error.got) from error
        except CarromError as error:
            error.add_note(f"line {number} of the transcript: {line}")
            raise
    return match


def _header(frame: Frame) -> Iterator[str]:
    start = frame.event
    assert isinstance(start, MatchStarted)
    laws = start.laws
    yield f"rules {laws.ruleset.value} {laws.version} {json.dumps(laws.title, ensure_ascii=False)}"
    for table, values in laws_to_data(laws).items():
        for name, value in values.items():
            yield f"{table} {name} {json.dumps(value, ensure_ascii=False)}"
    for seat, name in start.players.items():
        yield f"player {seat.value} {_name_to_text(name)}"
    yield f"opener {start.opener.value}"
    yield ""


def _read_header(lines: Iterator[tuple[int, str]]) -> MatchStarted:
    laws: tuple[str, str] | None = None
    tables: dict[str, dict[str, Any]] = {"number": {}, "option": {}}
    players: dict[Seat, str] = {}
    for number, line in lines:
        word, _, rest = line.partition(" ")
        where = f"line {number}"
        if word == "rules":
            ruleset, _, tail = rest.partition(" ")
            laws = (ruleset, str(_json(tail.partition(" ")[2], where)))
        elif word in tables:
            name, _, value = rest.partition(" ")
            tables[word][name] = _json(value, where)
        elif word == "player":
            players[_seat(rest[:1], where)] = _name_from_text(rest[2:], where)
        elif word == "opener":
            return MatchStarted(
                id="1", laws=_laws(laws, tables, where), players=players, opener=_seat(rest, where)
            )
        else:
            raise TranscriptError(where, expected="rules, option, player or opener", got=line)
    raise TranscriptError("header", expected="a line with the opener", got="the end")


def _name_to_text(name: str) -> str:
    """A name as it stands, or as a JSON string where a line would not keep it."""
    plain = name.isprintable() and name == name.strip() and name and name[0] not in '"|'
    return name if plain else json.dumps(name)


def _name_from_text(text: str, where: str) -> str:
    return str(_json(text, where)) if text.startswith('"') else text


def _json(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise TranscriptError(where, expected="a JSON value", got=text) from error


def _laws(head: tuple[str, str] | None, tables: dict[str, dict[str, Any]], where: str) -> Laws:
    if head is None:
        raise TranscriptError(where, expected="the rules before the opener", got=None)
    ruleset, title = head
    return laws_from_data(ruleset, title, tables["number"], tables["option"])


def _seat(text: str, where: str) -> Seat:
    try:
        return Seat(text)
    except ValueError:
        raise TranscriptError(where, expected="S, W, N or E", got=text) from None


def _stroke_line(number: int, event: StrokePlayed, turn: Seat) -> str:
    """``turn``: whose turn it is by the strokes before, which a correction may have changed."""
    outcome = event.outcome
    called = f" called {event.called.value}" if event.called not in (None, turn) else ""
    text = outcome_to_text(outcome)
    return f"{number}. {outcome.seat.value}{called}{' ' + text if text else ''}"


def _plain_line(event: MatchEvent) -> str:
    data = CODEC.encode(event)
    words = [
        f"{key}={json.dumps(value)}" for key, value in data.items() if key not in ("type", "id")
    ]
    return " ".join([event.name, *words])


def _read_line(line: str, match: Match) -> MatchEvent:
    stroke = _STROKE.match(line)
    if stroke is not None:
        seat = Seat(stroke["seat"])
        called = Seat(stroke["called"]) if stroke["called"] else match.state.turn
        outcome = outcome_from_text(seat, stroke["rest"])
        return StrokePlayed(id=match.new_id(), outcome=outcome, called=called)
    name, *words = line.split()
    cls = _PLAIN.get(name)
    if cls is None:
        raise TranscriptError("event", expected=f"a stroke or one of {', '.join(_PLAIN)}", got=line)
    data: dict[str, Any] = {"id": match.new_id()}
    for word in words:
        key, _, value = word.partition("=")
        data[key] = _json(value, key)
    return CODEC.decode(cls, data, name)


def _comment(ruling: Ruling) -> str:
    """What was ruled, in codes; sentences are ``explain``'s."""
    parts = [f"{call.foul.value} ({', '.join(call.clauses)})" for call in ruling.fouls]
    for row in ruling.returns:
        parts.append(
            f"back: {row.count} {row.piece.value} to {row.to.value} "
            f"by {row.by} ({row.reason.value})"
        )
    for change in ruling.debt_changes:
        parts.append(f"{change.side.value} owes {change.change:+d}")
    parts += [
        f"asked: {question.question.value} ({question.doubt})" for question in ruling.questions
    ]
    if ruling.board.status is not BoardStatus.ONGOING:
        parts.append(_board_comment(ruling))
    elif ruling.turn.next is not None:
        word = (
            f"{ruling.turn.next.value} again"
            if ruling.turn.continues
            else f"next {ruling.turn.next.value}"
        )
        parts.append(word)
    counts = " ".join(f"{kind.value} {count}" for kind, count in ruling.on_board.items())
    return "; ".join([*parts, f"on the board {counts}"])


def _board_comment(ruling: Ruling) -> str:
    board = ruling.board
    reason = "" if board.reason is None else board.reason.value
    if board.status is BoardStatus.NEEDS_HUMAN:
        return f"a person decides: {reason}"
    points = board.points or {}
    score = ", ".join(f"{side.value} {value}" for side, value in points.items())
    winner = "nobody" if board.winner is None else board.winner.value
    return f"board over: {winner} ({reason}; {score})"
