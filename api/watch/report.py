"""One HTML page of a watched match: score sheet, every stroke with its reasons, open questions.

Self-contained: pictures are inside, nothing is fetched, no script runs. Prints on paper.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from api.watch.ledger import Ledger
from api.watch.summary import Pace, summary_data
from carrom.board_spec import BoardSpec
from referee.explain import explain
from referee.match import StrokeRecord
from referee.score_sheet import ScoreSheet, score_sheet

__all__ = ["StrokePictures", "report_html"]


@dataclass(frozen=True, slots=True)
class StrokePictures:
    """JPEGs of the table before and after a stroke, if there was a camera."""

    before: bytes | None = None
    after: bytes | None = None


_STYLE = """
:root { color-scheme: light dark; --line: #bbb; --foul: #b3261e; --ask: #8a5a00; }
body { font: 16px/1.45 system-ui, sans-serif; max-width: 60rem; margin: 1.5rem auto;
  padding: 0 1rem; }
table { border-collapse: collapse; } th, td { border: 1px solid var(--line);
  padding: .25rem .6rem; text-align: right; } th:last-child, td:last-child { text-align: left; }
article { border-top: 1px solid var(--line); padding: .8rem 0; break-inside: avoid; }
h1 { margin-bottom: .2rem; } h3 { margin: 0 0 .3rem; } .foul { color: var(--foul); }
.ask { color: var(--ask); } .pictures { display: flex; gap: .6rem; flex-wrap: wrap; }
.pictures figure { margin: .4rem 0; flex: 1 1 14rem; max-width: 22rem; }
.pictures img, .pictures svg { width: 100%; height: auto; }
figcaption, .small { font-size: .85rem; opacity: .8; }
@media print { body { margin: 0; max-width: none; font-size: 11pt; }
  .pictures figure { max-width: 45%; } }
"""


def report_html(
    ledger: Ledger,
    pace: Pace,
    *,
    title: str,
    spec: BoardSpec,
    pictures: Mapping[int, StrokePictures] | None = None,
    notes: tuple[str, ...] = (),
) -> str:
    """The whole page. ``pictures``: by the number of the stroke; boards are drawn without them."""
    data = summary_data(ledger, pace, notes=notes)
    shown = pictures or {}
    body = [
        f"<h1>{escape(title)}</h1>",
        f"<p class=small>{escape(ledger.laws.title)} &middot; {data['strokes']} strokes"
        f" &middot; {_length(pace.source_s)}</p>",
        *_sheet(ledger),
        *_questions(ledger),
        "<h2>Strokes</h2>",
        *(_stroke(ledger, record, spec, shown.get(record.number)) for record in ledger.records),
        *_unjudged(ledger),
        _foot(data, notes),
    ]
    language = ledger.language.value
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + "\n</body>\n</html>\n"
    )


def _sheet(ledger: Ledger) -> list[str]:
    if ledger.match is None:
        return ["<p>No stroke was seen.</p>"]
    sheet: ScoreSheet = score_sheet(ledger.match.state)
    teams = list(sheet.names)
    head = "".join(f"<th>{escape(sheet.names[team])}</th>" for team in teams)
    rows = []
    for board in sheet.boards:
        points = board.points or {}
        cells = "".join(
            f"<td>{'Q ' if board.queen is team else ''}{points.get(team, '-')}</td>"
            for team in teams
        )
        rows.append(
            f"<tr><td>{board.game_number}</td><td>{board.board_number}</td>{cells}"
            f"<td>{escape(board.reason.value)}</td></tr>"
        )
    for number, total in enumerate(sheet.totals, 1):
        cells = "".join(f"<td><b>{total.get(team, 0)}</b></td>" for team in teams)
        rows.append(f"<tr><td>{number}</td><td>total</td>{cells}<td></td></tr>")
    table = f"<table><tr><th>game</th><th>board</th>{head}<th>how</th></tr>{''.join(rows)}</table>"
    winner = "" if sheet.winner is None else f"<p><b>{escape(sheet.names[sheet.winner])}</b></p>"
    return ["<h2>Score sheet</h2>", table, winner]


def _questions(ledger: Ledger) -> list[str]:
    open_records = () if ledger.match is None else ledger.match.open_questions
    if not open_records:
        return []
    rows = []
    for record in open_records:
        said = explain(record.ruling, ledger.language, ledger.laws, state=record.before)
        reasons = "".join(f"<li>{escape(reason)}</li>" for reason in said.reasons)
        rows.append(
            f'<li class=ask><a href="#s{record.number}">{record.number}</a>: '
            f"{escape(said.call)}<ul>{reasons}</ul></li>"
        )
    return ["<h2>Open questions</h2>", f"<ul>{''.join(rows)}</ul>"]


def _stroke(
    ledger: Ledger, record: StrokeRecord, spec: BoardSpec, pictures: StrokePictures | None
) -> str:
    said = explain(record.ruling, ledger.language, ledger.laws, state=record.before)
    kind = "ask" if record.ruling.pending else "foul" if record.ruling.fouls else ""
    time_s = record.outcome.t_start_s
    when = "" if time_s is None else f" <span class=small>{_length(time_s)}</span>"
    name = ledger.player(record.outcome.seat)
    reasons = "".join(f"<li>{escape(reason)}</li>" for reason in said.reasons)
    return (
        f'<article id="s{record.number}"><h3>{record.number}. {escape(name)}{when}</h3>'
        f'<p class="{kind}">{escape(said.call)}</p>'
        + (f"<ul>{reasons}</ul>" if reasons else "")
        + _shown(record, spec, pictures)
        + "</article>"
    )


def _shown(record: StrokeRecord, spec: BoardSpec, pictures: StrokePictures | None) -> str:
    """Before and after: photographs where there are, drawn boards where not."""
    from sim.physics.board_svg import position_svg

    out = []
    outcome, kept = record.outcome, pictures or StrokePictures()
    for word, jpeg, position in (
        ("before", kept.before, outcome.before),
        ("after", kept.after, outcome.after),
    ):
        if jpeg is not None:
            code = base64.b64encode(jpeg).decode("ascii")
            image = f'<img src="data:image/jpeg;base64,{code}" alt="{word}">'
        elif position is not None:
            image = position_svg(position, spec, title=word)
            marker = f"surface{record.number}{word}"  # ids are of the whole page
            image = image.replace('id="surface"', f'id="{marker}"')
            image = image.replace("url(#surface)", f"url(#{marker})")
        else:
            continue
        out.append(f"<figure>{image}<figcaption>{word}</figcaption></figure>")
    return f"<div class=pictures>{''.join(out)}</div>" if out else ""


def _unjudged(ledger: Ledger) -> list[str]:
    rows = [
        f"<li>{_length(seen.outcome.t_start_s or seen.t_s)}: {escape(why)}</li>"
        for seen, record, why in ledger.seen
        if record is None
    ]
    if not rows:
        return []
    return ["<h2>Seen, not judged: these do not fit the record</h2>", f"<ul>{''.join(rows)}</ul>"]


def _foot(data: Mapping[str, Any], notes: Sequence[str]) -> str:
    fouls = ", ".join(f"{count} {name}" for name, count in data["fouls"].items()) or "none"
    said = "".join(f"<li>{escape(note)}</li>" for note in notes)
    return (
        f"<h2>Totals</h2><p>Fouls: {escape(fouls)}.</p>"
        f"<p class=small>{data['frames']} frames, {data['damaged']} of them damaged; "
        f"{data['fps']} frames a second, {data['speed']} times real time.</p>"
        + (f"<ul class=small>{said}</ul>" if said else "")
    )


def _length(seconds: float) -> str:
    whole = max(0, round(seconds))
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02d}:{rest % 60:02d}" if hours else f"{rest // 60}:{rest % 60:02d}"
