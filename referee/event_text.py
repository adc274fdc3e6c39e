"""Events and outcomes as text: the words of one line in a match transcript.

    outcome  := [time] [placement] [position ...] event* doubt*
    time     := "@" start ".." end                      seconds, either may be empty
    placement:= "from(" x "," y ")"                     mm, board frame
    position := "before" | "after" "[" notation "]"
    event    := name [ "(" argument { "," argument } ")" ] [ mark ]
    argument := piece | key "=" value                   the piece of an event needs no key
    value    := yes | no | number | word | JSON string
    mark     := "!" declared | "~" inferred | "?" unknown; none: observed
    doubt    := "?" word ":" question [ "@" index ] "{" answer { ";" answer } "}"
    answer   := word likelihood event*

A word that is not plain (letters, digits, ``_``, not first a digit) is written as a JSON string.
The times of single events are not written; everything that a ruling depends on is.
"""

from __future__ import annotations

import dataclasses
import json
import re
from typing import Any

from carrom.codec import Codec
from carrom.doubts import Answer, Doubt, Question
from carrom.errors import CarromError, FormatError, TranscriptError
from carrom.events import EVENT_CLASSES, Event
from carrom.evidence import OBSERVED, Evidence, Source
from carrom.notation import format_position, parse_position
from carrom.outcome import StrokeOutcome
from carrom.seats import Seat

__all__ = ["event_from_text", "event_to_text", "outcome_from_text", "outcome_to_text"]

_MARKS = {Source.DECLARED: "!", Source.INFERRED: "~", Source.UNKNOWN: "?", Source.OBSERVED: ""}
_SOURCES = {mark: source for source, mark in _MARKS.items()}
_CODEC = Codec()
_TEXT = r'"(?:[^"\\]|\\.)*"'
_WORD = rf"(?:[^\W\d]\w*|{_TEXT})"
_CALL = rf"\w+(?:\((?:[^()\"]|{_TEXT})*\)?)?[!~?]?"
_INSIDE = rf"(?:[^{{}}\"]|{_TEXT})*"
_TOKEN = re.compile(
    rf"""\s*(?:
      @(?P<start>[-\d.e+]*?)\.\.(?P<end>[-\d.e+]*)(?=\s|$)
    | from\((?P<x>[-\d.e+]+),(?P<y>[-\d.e+]+)\)
    | (?P<when>before|after)\[(?P<notation>[^\]]*)\]
    | \?(?P<id>{_WORD}):(?P<question>\w+)(?:@(?P<at>\d+))?\{{(?P<answers>{_INSIDE})\}}
    | (?P<event>{_CALL})
    )""",
    re.VERBOSE,
)
_EVENT = re.compile(rf"(?P<name>\w+)(?:\((?P<arguments>(?:[^()\"]|{_TEXT})*)\))?(?P<mark>[!~?]?)$")
_ARGUMENT = re.compile(rf"(?:[^,\"]|{_TEXT})+")
_ANSWER = re.compile(rf"(?:[^;\"]|{_TEXT})+")
_ANSWER_HEAD = re.compile(
    rf"\s*(?P<code>{_WORD})\s+(?P<likelihood>[-\d.e+]+)(?P<events>.*)", re.DOTALL
)
_PLAIN = re.compile(r"[^\W\d]\w*")
_RESERVED = ("yes", "no", "nan", "inf", "infinity")


def event_to_text(event: Event) -> str:
    """One event: ``pocketed(white,pocket=NE)~``."""
    data = _CODEC.encode(event)
    data.pop("type")
    data.pop("evidence", None)
    piece = data.pop("piece", None)
    arguments = [] if piece is None else [piece]
    arguments += [f"{key}={_value_to_text(value)}" for key, value in data.items()]
    inside = f"({','.join(arguments)})" if arguments else ""
    return f"{event.name}{inside}{_MARKS[event.evidence.source]}"


def event_from_text(text: str) -> Event:
    """The event that ``event_to_text`` wrote. Raises ``TranscriptError``."""
    match = _EVENT.match(text)
    if match is None or match["name"] not in EVENT_CLASSES:
        raise TranscriptError("event", expected="an event such as pocketed(white)", got=text)
    data: dict[str, Any] = {"type": match["name"]}
    for argument in _ARGUMENT.findall(match["arguments"] or ""):
        key, equals, value = argument.strip().partition("=")
        if equals:
            data[key] = _value_from_text(value)
        elif key:
            data["piece"] = key
    try:
        event: Event = _CODEC.decode(Event, data, match["name"])
    except CarromError as error:
        raise TranscriptError(
            f"event {text!r}", expected="known keys and values", got=str(error)
        ) from error
    source = _SOURCES[match["mark"]]
    evidence = OBSERVED if source is Source.OBSERVED else Evidence(source=source)
    return dataclasses.replace(event, evidence=evidence)


def outcome_to_text(outcome: StrokeOutcome) -> str:
    """The outcome of one line, without the seat."""
    words = []
    if outcome.t_start_s is not None or outcome.t_end_s is not None:
        words.append(f"@{_seconds(outcome.t_start_s)}..{_seconds(outcome.t_end_s)}")
    if outcome.placement_mm is not None:
        words.append("from({!r},{!r})".format(*outcome.placement_mm))
    for when, position in (("before", outcome.before), ("after", outcome.after)):
        if position is not None:
            words.append(f"{when}[{format_position(position)}]")
    words += [event_to_text(event) for event in outcome.events]
    words += [_doubt_to_text(doubt) for doubt in outcome.doubts]
    return " ".join(words)


def outcome_from_text(seat: Seat, text: str) -> StrokeOutcome:
    """The outcome that ``outcome_to_text`` wrote. Raises ``TranscriptError``."""
    values: dict[str, Any] = {"seat": seat}
    events: list[Event] = []
    doubts: list[Doubt] = []
    at = 0
    try:
        while text[at:].strip():
            match = _TOKEN.match(text, at)
            if match is None:
                raise TranscriptError("outcome", expected="an event, time or doubt", got=text[at:])
            at = match.end()
            if match["event"]:
                events.append(event_from_text(match["event"]))
            elif match["id"]:
                doubts.append(_doubt_from_text(match))
            else:
                values.update(_facts_from_text(match))
        return StrokeOutcome(events=tuple(events), doubts=tuple(doubts), **values)
    except FormatError:
        raise
    except (CarromError, ValueError) as error:
        raise TranscriptError("outcome", expected="a consistent outcome", got=str(error)) from error


def _facts_from_text(match: re.Match[str]) -> dict[str, Any]:
    """Time, placement or position."""
    if match["when"]:
        return {match["when"]: parse_position(match["notation"])}
    if match["x"]:
        return {"placement_mm": (float(match["x"]), float(match["y"]))}
    return {
        "t_start_s": float(match["start"]) if match["start"] else None,
        "t_end_s": float(match["end"]) if match["end"] else None,
    }


def _doubt_to_text(doubt: Doubt) -> str:
    at = "" if doubt.at is None else f"@{doubt.at}"
    answers = "; ".join(
        " ".join([_word(answer.code), repr(answer.likelihood), *map(event_to_text, answer.events)])
        for answer in doubt.answers
    )
    return f"?{_word(doubt.id)}:{doubt.question.value}{at}{{{answers}}}"


def _doubt_from_text(match: re.Match[str]) -> Doubt:
    answers = []
    for text in _ANSWER.findall(match["answers"]):
        head = _ANSWER_HEAD.fullmatch(text)
        if head is None:
            raise TranscriptError("doubt", expected="answer, likelihood, events", got=text)
        outcome = outcome_from_text(Seat.SOUTH, head["events"])
        answers.append(
            Answer(
                code=_unword(head["code"]),
                likelihood=float(head["likelihood"]),
                events=outcome.events,
            )
        )
    return Doubt(
        id=_unword(match["id"]),
        question=Question(match["question"]),
        answers=tuple(answers),
        at=None if match["at"] is None else int(match["at"]),
    )


def _seconds(value: float | None) -> str:
    return "" if value is None else repr(value)


def _word(text: str) -> str:
    """A word as it stands if it is plain, else a JSON string; nothing in a transcript is lost."""
    plain = _PLAIN.fullmatch(text) is not None and text.lower() not in _RESERVED
    return text if plain else json.dumps(text)


def _unword(text: str) -> str:
    return str(json.loads(text)) if text.startswith('"') else text


def _value_to_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return _word(value) if isinstance(value, str) else repr(value)


def _value_from_text(text: str) -> object:
    if text.startswith('"'):
        return _unword(text)
    if text in ("yes", "no"):
        return text == "yes"
    try:
        return float(text)
    except ValueError:
        return text
