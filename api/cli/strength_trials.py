"""The work of ``carrom evaluate strength``."""

from __future__ import annotations

import math
import statistics
import sys
from pathlib import Path

from api.cli.trial_file import Row, TrialFile, deadline
from carrom.board_spec import BoardFamily
from carrom.boards import ICF_BOARD, board_for
from carrom.errors import SchemaError
from referee.ruleset_files import load_laws
from sim.advisor.players import AdvisorPlayer, GreedyPlayer
from sim.advisor.self_play import clear_board, play_match
from sim.advisor.skill import IIT_BOMBAY, skill_of
from sim.physics.surface import ICF_SURFACE, surface_for

__all__ = ["run"]

SOLO_RULES = "point_gamerules"
"""Any piece counts, the queen must be covered, a scratch puts one back: nearest to the task. Played
alone, strokes may go 45 degrees backward, as in the task."""


def run(
    *,
    solo: int,
    duels: int,
    rules: str,
    skill: str,
    first: int,
    resume: Path | None,
    minutes: float | None,
) -> None:
    """Play what is missing and print. Raises ``CarromError`` for unknown names and files."""
    if solo < 0 or duels < 0 or first < 0:
        got = (solo, duels, first)
        raise SchemaError("--solo, --duels, --first", expected="0 or more", got=got)
    file, is_late = TrialFile(resume), deadline(minutes)
    done = {row["seed"] for row in file.of("solo")}
    for seed in range(first, first + solo):
        if seed not in done and not is_late():
            file.add(_solo(seed))
    done = {(row["seed"], row["rules"], row["skill"]) for row in file.of("duel")}
    for seed in range(first, first + duels):
        if (seed, rules, skill) not in done and not is_late():
            file.add(_duel(seed, rules, skill))
    _tell(file)


def _solo(seed: int) -> Row:
    player = AdvisorPlayer(IIT_BOMBAY, alone=True)
    record = clear_board(load_laws(SOLO_RULES), ICF_BOARD, ICF_SURFACE, player, seed)
    finished = record.winner is not None
    return {"type": "solo", "seed": seed, "strokes": record.strokes, "finished": finished}


def _duel(seed: int, rules: str, skill: str) -> Row:
    laws, hand = load_laws(rules), skill_of(skill)
    if laws.ruleset.three_players:
        raise SchemaError("--rules", expected="a ruleset for two sides", got=rules)
    board = board_for(BoardFamily.HIKONE if laws.ruleset.hikone else BoardFamily.ICF)
    players = (AdvisorPlayer(hand), GreedyPlayer(hand))
    ((record, winner),) = play_match(laws, board, surface_for(board), players, seed, most_boards=1)
    return {
        "type": "duel",
        "seed": seed,
        "rules": rules,
        "skill": skill,
        "won": record.winner is not None and winner == 0,
        "decided": record.winner is not None,
        "points": record.points,
        "strokes": record.strokes,
    }


def _tell(file: TrialFile) -> None:
    lines = []
    strokes = [row["strokes"] for row in file.of("solo")]
    if strokes:
        error = statistics.pstdev(strokes) / math.sqrt(len(strokes))
        lines.append(
            f"alone, IIT Bombay noise: {statistics.mean(strokes):.1f} +- {error:.1f} strokes a "
            f"board, {len(strokes)} boards, median {statistics.median(strokes):.0f}, "
            f"{min(strokes)} to {max(strokes)}"
        )
    duels = file.of("duel")
    for rules, skill in dict.fromkeys((row["rules"], row["skill"]) for row in duels):
        part = [row for row in duels if (row["rules"], row["skill"]) == (rules, skill)]
        won = sum(row["won"] for row in part) / len(part)
        error = math.sqrt(won * (1 - won) / len(part))
        lines.append(
            f"{rules}, {skill} against nearest pocket: {100 * won:.0f} +- {100 * error:.0f} % of "
            f"{len(part)} boards, {statistics.mean(row['strokes'] for row in part):.0f} strokes"
        )
    sys.stdout.write("\n".join(lines) + "\n")
