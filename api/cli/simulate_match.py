"""``carrom simulate match``: programs play whole matches through engine and referee."""

from __future__ import annotations

import json
import statistics
import sys
from collections import Counter

from rich.console import Console

from carrom.board_spec import BoardFamily
from carrom.boards import board_for
from carrom.errors import SchemaError
from referee.ruleset_files import load_laws
from sim.advisor.players import AdvisorPlayer, GreedyPlayer, Player
from sim.advisor.self_play import BoardRecord, play_match
from sim.advisor.skill import skill_of
from sim.physics import warm_up
from sim.physics.surface import surface_for
from sim.physics.warming import is_compiled

__all__ = ["run"]

_NAMES = ("South", "North")


def run(
    *, rules: str, south: str, north: str, seed: int, boards: int | None, as_json: bool
) -> None:
    """Play and tell. Raises ``CarromError`` for unknown names."""
    laws = load_laws(rules)
    if laws.ruleset.three_players:
        raise SchemaError("--rules", expected="a ruleset for two sides", got=rules)
    if boards is not None and boards < 1:
        raise SchemaError("--boards", expected="1 or more", got=boards)
    players = (_player("--south", south), _player("--north", north))
    console = Console(stderr=True, highlight=False)
    if not is_compiled():
        warm_up(lambda line: console.print(line, style="dim", markup=False))
    board = board_for(BoardFamily.HIKONE if laws.ruleset.hikone else BoardFamily.ICF)
    with console.status("playing ..."):
        records = play_match(laws, board, surface_for(board), players, seed, most_boards=boards)
    if as_json:
        for record, winner in records:
            sys.stdout.write(json.dumps(_data(record, winner)) + "\n")
        return
    for number, (record, winner) in enumerate(records, start=1):
        sys.stdout.write(_line(number, record, winner) + "\n")
    sys.stdout.write(_statistics(records) + "\n")


def _player(option: str, text: str) -> Player:
    """``club``, or ``greedy:club`` for the nearest-pocket player."""
    name, _, skill = text.rpartition(":")
    if name not in ("", "advisor", "greedy"):
        raise SchemaError(option, expected="SKILL, advisor:SKILL or greedy:SKILL", got=text)
    hand = skill_of(skill)
    return GreedyPlayer(hand) if name == "greedy" else AdvisorPlayer(hand)


def _line(number: int, record: BoardRecord, winner: int) -> str:
    who = "nobody" if record.winner is None else f"{_NAMES[winner]} ({record.winner.value})"
    fouls = sum(record.fouls.values())
    return (
        f"board {number}: {who}, {record.points} points, {record.strokes} strokes, "
        f"{fouls} fouls; {record.breaker.value} broke"
    )


def _statistics(records: list[tuple[BoardRecord, int]]) -> str:
    won = Counter(winner for record, winner in records if record.winner is not None)
    decided = sum(won.values())
    broke = sum(record.winner is record.breaker for record, _ in records if record.winner)
    strokes = statistics.mean(record.strokes for record, _ in records)
    lines = [
        f"boards won: South {won[0]}, North {won[1]}, undecided {len(records) - decided}",
        f"strokes per board: {strokes:.1f}",
    ]
    if decided:
        lines.append(f"boards won by the breaker: {broke} of {decided}")
    return "\n".join(lines)


def _data(record: BoardRecord, winner: int) -> dict[str, object]:
    return {
        "winner": None if record.winner is None else _NAMES[winner],
        "colour": None if record.winner is None else record.winner.value,
        "breaker": record.breaker.value,
        "points": record.points,
        "strokes": record.strokes,
        "strokes_by_side": {side.value: n for side, n in record.by_side.items()},
        "fouls_by_side": {side.value: n for side, n in record.fouls.items()},
    }
