"""A match for SoL, the tournament manager that carrom clubs use.

A ``.sol`` file is a JSON list: a header with all players, clubs and championships, then the
tourneys; references are indexes from 1. Written for SoL 5.26, whose own loader takes it. A game is
one SoL match, the games of a match are turns of one tourney of two competitors.
"""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from typing import Any

from api.table.event_log import MatchMeta
from carrom.errors import MatchError
from referee.laws import Laws
from referee.match import Match
from referee.score_sheet import ScoreSheet, score_sheet
from referee.state import BoardResult, Team

__all__ = ["sol_export"]

_MOST_POINTS = 25
_MEN = 9
_QUEEN, _QUEEN_UNTIL = 3, 22
"""SoL counts the queen below 22 points."""


def sol_export(match: Match, meta: MatchMeta) -> bytes:
    """The finished games of the match.

    Boards are told one by one where SoL would count them as the referee did; else only the result
    of the game. Raises ``MatchError`` for rules that SoL cannot hold and before the first game is
    over.
    """
    laws, sheet = match.laws, score_sheet(match.state)
    _check(laws, sheet)
    first, second = sheet.names
    games = [
        _game(number, sheet, first, second)
        for number, total in enumerate(sheet.totals, 1)
        if _is_over(number, sheet, match)
    ]
    if not games:
        raise MatchError("SoL takes finished games only; this match has none yet")
    header = {
        "users": [],
        "players": [_player(sheet.names[team], meta) for team in (first, second)],
        "clubs": [_entity(meta, "club", description="Carrom umpire", prizes="fixed",
                          couplings="serial")],
        "championships": [
            _entity(meta, "championship", club=1, description=f"Matches {meta.started[:4]}",
                    prizes="fixed", couplings="serial", skipworstprizes=0, playersperteam=1)
        ],
        "ratings": [],
        "rates": [],
    }  # fmt: skip
    data = [header, _tourney(meta, sheet, games)]
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode("utf-8")


def _check(laws: Laws, sheet: ScoreSheet) -> None:
    if laws.ruleset.hikone or laws.ruleset.three_players or len(sheet.names) != 2:
        raise MatchError(
            f"SoL keeps Indian carrom between two sides; this match is {laws.ruleset.value}"
        )
    target = laws.numbers.target_points or 0
    if target > _MOST_POINTS:
        raise MatchError(f"SoL counts to {_MOST_POINTS} points a game; here it is {target}")


def _is_over(number: int, sheet: ScoreSheet, match: Match) -> bool:
    """Every game before the present one, and that one once it has a result."""
    standing = match.state.standing
    assert standing is not None
    if number < standing.game_number:
        return True
    return match.state.phase.value in ("game_over", "match_over")


@dataclass(frozen=True, slots=True)
class _Game:
    number: int
    scores: tuple[int, int]
    breaker: str
    boards: list[dict[str, Any]] | None


def _game(number: int, sheet: ScoreSheet, first: Team, second: Team) -> _Game:
    total = sheet.totals[number - 1]
    boards = [board for board in sheet.boards if board.game_number == number]
    one, two = (min(_MOST_POINTS, total.get(team, 0)) for team in (first, second))
    scores = (one, two)
    rows = _boards(boards, first, second)
    breaker = "1" if _opened_by(boards[0], sheet) is first else "2"
    return _Game(number, scores, breaker, rows if _sums(rows) == scores else None)


def _opened_by(board: BoardResult, sheet: ScoreSheet) -> Team:
    """In Indian carrom the opener's side has white."""
    return next(team for team, side in board.colours.items() if side.value == "white")


def _boards(boards: list[BoardResult], first: Team, second: Team) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    sums = [0, 0]
    for number, board in enumerate(boards, 1):
        points = board.points or {}
        won = 0 if points.get(first, 0) else 1
        value = points.get((first, second)[won], 0)
        queen = board.queen
        coins = value
        if queen is (first, second)[won] and sums[won] < _QUEEN_UNTIL and value > _QUEEN:
            coins -= _QUEEN
        sums[won] += value
        row: dict[str, Any] = {"number": number, "coins1": 0, "coins2": 0}
        row[f"coins{won + 1}"] = coins
        if queen is not None:
            row["queen"] = "1" if queen is first else "2"
        rows.append(row)
    return rows


def _sums(rows: list[dict[str, Any]]) -> tuple[int, int] | None:
    """What SoL will count; ``None`` if a board is none of its own."""
    sums = [0, 0]
    for row in rows:
        coins = (row["coins1"], row["coins2"])
        if not 1 <= max(coins) <= _MEN:
            return None
        won = 0 if coins[0] else 1
        bonus = _QUEEN if row.get("queen") == str(won + 1) and sums[won] < _QUEEN_UNTIL else 0
        sums[won] = min(_MOST_POINTS, sums[won] + coins[won] + bonus)
    return sums[0], sums[1]


def _tourney(meta: MatchMeta, sheet: ScoreSheet, games: list[_Game]) -> dict[str, Any]:
    wins = [0, 0]
    for game in games:
        one, two = game.scores
        wins[0] += 2 if one > two else 1 if one == two else 0
        wins[1] += 2 if two > one else 1 if one == two else 0
    totals = [sum(game.scores[k] for game in games) for k in (0, 1)]
    return _entity(
        meta, "tourney", championship=1, description=meta.title or " - ".join(sheet.names.values()),
        date=meta.started[:10], currentturn=len(games), rankedturn=len(games), prized=False,
        system="swiss", couplings="serial", delaytoppairing=0, delaycompatriotpairing=0,
        duration=45, prealarm=5, phantomscore=25, retirements="none", finalkind="simple",
        matcheskind="simple",
        competitors=[
            {"players": [k + 1], "points": wins[k], "netscore": totals[k] - totals[1 - k],
             "totscore": totals[k], "bucholz": 0}
            for k in (0, 1)
        ],
        matches=[_match(game) for game in games],
    )  # fmt: skip


def _match(game: _Game) -> dict[str, Any]:
    row: dict[str, Any] = {
        "competitor1": 1, "competitor2": 2, "turn": game.number, "board": 1,
        "score1": game.scores[0], "score2": game.scores[1], "breaker": game.breaker,
    }  # fmt: skip
    return row if game.boards is None else {**row, "boards": game.boards}


def _player(name: str, meta: MatchMeta) -> dict[str, Any]:
    """SoL wants a first and a last name; a single one stands for both."""
    first, _, last = name.strip().rpartition(" ")
    return _entity(meta, f"player {name}", firstname=first or name, lastname=last or name)


def _entity(meta: MatchMeta, what: str, **fields: Any) -> dict[str, Any]:
    """The same match gives the same ids, so that a second import doubles nobody."""
    scope = {"tourney": meta.id, "championship": meta.started[:4]}.get(what, "")
    guid = uuid.uuid5(uuid.NAMESPACE_URL, f"carrom-umpire/{scope}/{what}").hex
    return {"guid": guid, "modified": meta.started[:19], **fields}
