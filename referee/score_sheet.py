"""The score sheet of a match, as text, CSV and plain data."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.state import BoardResult, State, Team

__all__ = ["ScoreSheet", "score_sheet"]

_CSV_COLUMNS = ("game", "board", "opener", "winner", "reason", "queen", "strokes")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSheet:
    """Names by team, finished boards in order, totals of each game, games won."""

    names: Mapping[Team, str]
    boards: tuple[BoardResult, ...]
    totals: tuple[Mapping[Team, int], ...]
    games_won: Mapping[Team, int]
    winner: Team | None

    def to_data(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "teams": {team.value: name for team, name in self.names.items()},
            "boards": [self._row(board) for board in self.boards],
            "totals": [
                {team.value: points for team, points in total.items()} for total in self.totals
            ],
            "games_won": {team.value: games for team, games in self.games_won.items()},
            "winner": None if self.winner is None else self.winner.value,
        }

    def to_csv(self) -> str:
        """One line a board, with the points of each team and the running total of the game."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        teams = list(self.names)
        points = [f"points_{team.value}" for team in teams]
        totals = [f"total_{team.value}" for team in teams]
        writer.writerow([*_CSV_COLUMNS, *points, *totals])
        running: dict[tuple[int, Team], int] = {}
        for board in self.boards:
            row = self._row(board)
            for team in teams:
                key = (board.game_number, team)
                running[key] = running.get(key, 0) + (board.points or {}).get(team, 0)
            writer.writerow(
                [
                    *(row[column] for column in _CSV_COLUMNS),
                    *(row["points"].get(team.value, "") for team in teams),
                    *(running[(board.game_number, team)] for team in teams),
                ]
            )
        return out.getvalue()

    def to_text(self) -> str:
        """A table for the terminal: a line a board, a total a game."""
        teams = list(self.names)
        width = max(8, *(len(name) for name in self.names.values()))
        head = "game board  " + "  ".join(f"{self.names[team]:>{width}}" for team in teams)
        lines = [head + "  how", "-" * (len(head) + 5)]
        for index, total in enumerate(self.totals):
            for board in self.boards:
                if board.game_number == index + 1:
                    lines.append(self._line(board, teams, width))
            sums = "  ".join(f"{total.get(team, 0):>{width}}" for team in teams)
            lines.append(f"{index + 1:>4} total  {sums}")
        if self.winner is not None:
            lines.append(f"Winner: {self.names[self.winner]}")
        return "\n".join(lines) + "\n"

    def _line(self, board: BoardResult, teams: list[Team], width: int) -> str:
        cells = []
        for team in teams:
            points = "-" if board.points is None else str(board.points.get(team, 0))
            queen = "Q " if board.queen is team else ""
            cells.append(f"{queen}{points}".rjust(width))
        head = f"{board.game_number:>4} {board.board_number:>5}"
        return f"{head}  {'  '.join(cells)}  {board.reason.value}"

    def _row(self, board: BoardResult) -> dict[str, Any]:
        points = board.points
        return {
            "game": board.game_number,
            "board": board.board_number,
            "opener": board.opener.value,
            "winner": "" if board.winner is None else board.winner.value,
            "points": {} if points is None else {t.value: value for t, value in points.items()},
            "reason": board.reason.value,
            "queen": "" if board.queen is None else board.queen.value,
            "strokes": board.strokes,
        }


def score_sheet(state: State) -> ScoreSheet:
    """The sheet of the match that this state is in. Empty for a board without a match."""
    standing = state.standing
    if standing is None:
        return ScoreSheet(names={}, boards=(), totals=(), games_won={}, winner=None)
    names: dict[Team, str] = {}
    for team in sorted(standing.teams.values()):
        seats = [seat for seat, side in state.seats.items() if standing.teams[side] is team]
        names[team] = " & ".join(standing.players.get(seat, seat.value) for seat in seats)
    totals = []
    for game in range(1, standing.game_number + 1):
        boards = [board for board in standing.boards if board.game_number == game]
        totals.append({team: sum((b.points or {}).get(team, 0) for b in boards) for team in names})
    return ScoreSheet(
        names=names,
        boards=standing.boards,
        totals=tuple(totals),
        games_won={team: standing.games_won.get(team, 0) for team in names},
        winner=standing.winner,
    )
