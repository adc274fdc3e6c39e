"""The score sheet as one page of HTML to look at, keep and print; nothing is fetched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

from api.exports.sheet_words import SHEET_WORDS
from api.table.event_log import MatchMeta
from referee.match import Match
from referee.phrases import Language, Phrases, family_of, load_phrases
from referee.score_sheet import ScoreSheet, score_sheet
from referee.state import BoardResult, Phase, Team

__all__ = ["score_sheet_page"]

_STYLE = """
:root { color-scheme: light; font: 16px/1.45 system-ui, "Noto Sans", "Noto Sans CJK JP",
  "Noto Sans Devanagari", sans-serif; }
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #111; background: #fff; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.1rem; margin: 1.6rem 0 .4rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .8rem 0; }
dt { color: #555; } dd { margin: 0; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { border: 1px solid #999; padding: .3rem .5rem; text-align: right; vertical-align: top; }
th { background: #eee; } th:first-child, td.text, th.text { text-align: left; }
tfoot th, tfoot td { border-top: 2px solid #111; font-weight: bold; background: none; }
.wide { overflow-x: auto; } .won { font-weight: bold; } .queen { color: #a00; }
.signed { display: grid; grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr)); gap: 2rem;
  margin-top: 3rem; } .signed div { border-top: 1px solid #111; padding-top: .2rem; }
@media print { body { margin: 0; max-width: none; } @page { margin: 15mm; }
  tr, .signed { break-inside: avoid; } th { background: none; } }
"""


def score_sheet_page(match: Match, meta: MatchMeta, language: Language) -> bytes:
    """A whole page in ``language``, with the boards of each game, totals, and room to sign."""
    words = SHEET_WORDS[language]
    sheet = score_sheet(match.state)
    title = meta.title or " – ".join(sheet.names.values()) or words["title"]
    parts = [
        f"<h1>{escape(title)}</h1>",
        _facts(match, meta, sheet, words),
        *_games(match, sheet, language),
        _signatures(sheet, words),
    ]
    page = (
        f'<!doctype html>\n<html lang="{language.value}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(words['title'])}: {escape(title)}</title><style>{_STYLE}</style></head>"
        f"<body>\n{chr(10).join(parts)}\n</body></html>\n"
    )
    return page.encode("utf-8")


def _facts(match: Match, meta: MatchMeta, sheet: ScoreSheet, words: Mapping[str, str]) -> str:
    rows = [
        (words["title"], meta.id),
        (words["rules"], match.laws.title),
        (words["date"], meta.started[:16].replace("T", " ")),
        (words["games"], ", ".join(f"{sheet.names[t]} {n}" for t, n in sheet.games_won.items())),
        (words["winner"], _winner(match, sheet, words)),
    ]
    inside = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in rows)
    return f"<dl>{inside}</dl>"


def _winner(match: Match, sheet: ScoreSheet, words: Mapping[str, str]) -> str:
    if sheet.winner is not None:
        return sheet.names[sheet.winner]
    return words["shared"] if match.state.phase is Phase.MATCH_OVER else words["running"]


def _games(match: Match, sheet: ScoreSheet, language: Language) -> Iterable[str]:
    words = SHEET_WORDS[language]
    if not sheet.boards:
        yield f"<p>{escape(words['empty'])}</p>"
        return
    phrases = load_phrases(language, family_of(match.strokes[-1].ruling, match.laws))
    for number, total in enumerate(sheet.totals, 1):
        boards = [board for board in sheet.boards if board.game_number == number]
        if boards:
            yield f"<h2>{escape(words['game'])} {number}</h2>"
            yield _table(boards, total, sheet, words, phrases)


def _table(
    boards: list[BoardResult],
    total: Mapping[Team, int],
    sheet: ScoreSheet,
    words: Mapping[str, str],
    phrases: Phrases,
) -> str:
    teams = list(sheet.names)
    head = _cells("th", [words["board"], *(sheet.names[team] for team in teams),
                         words["queen"], words["strokes"]])  # fmt: skip
    head += f'<th scope="col" class="text">{escape(words["how"])}</th>'
    body = "".join(_board(board, teams, sheet, phrases) for board in boards)
    sums = "".join(f"<td>{total.get(team, 0)}</td>" for team in teams)
    foot = f'<tr><th scope="row">{escape(words["total"])}</th>{sums}<td colspan="3"></td></tr>'
    return (
        f'<div class="wide"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody><tfoot>{foot}</tfoot></table></div>"
    )


def _board(board: BoardResult, teams: list[Team], sheet: ScoreSheet, phrases: Phrases) -> str:
    cells = [f'<th scope="row">{board.board_number}</th>']
    for team in teams:
        side = phrases.say(f"side.{board.colours[team].value}") if team in board.colours else ""
        points = "–" if board.points is None else str(board.points.get(team, 0))
        won = ' class="won"' if board.winner is team else ""
        cells.append(f"<td{won}>{points} <small>{escape(side)}</small></td>")
    queen = "" if board.queen is None else sheet.names[board.queen]
    how = _how(board, teams, sheet, phrases)
    return (
        f'<tr>{"".join(cells)}<td class="queen">{escape(queen)}</td><td>{board.strokes}</td>'
        f'<td class="text">{escape(how)}</td></tr>'
    )


def _how(board: BoardResult, teams: list[Team], sheet: ScoreSheet, phrases: Phrases) -> str:
    losers = [sheet.names[team] for team in teams if team is not board.winner]
    winner = "" if board.winner is None else sheet.names[board.winner]
    loser = " & ".join(losers)
    return phrases.say(f"board_reason.{board.reason.value}", winner=winner, loser=loser)


def _cells(tag: str, texts: list[str]) -> str:
    return "".join(f'<{tag} scope="col">{escape(text)}</{tag}>' for text in texts)


def _signatures(sheet: ScoreSheet, words: Mapping[str, str]) -> str:
    names = [*sheet.names.values(), words["umpire"]]
    lines = "".join(f"<div>{escape(name)}</div>" for name in names)
    return f'<section class="signed" aria-label="{escape(words["signed"])}">{lines}</section>'
