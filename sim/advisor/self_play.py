"""Programs play boards and matches: strokes by the engine, rulings by the referee.

Breaks are played in the fast engine, which is not to be trusted in a touching pack
(``sim.physics.break_book``): good enough to start a board, no statement about real breaks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from carrom.board_spec import BoardSpec
from carrom.events import Event, ImproperStroke
from carrom.layouts import castle_layout, opening_position
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.position import Position
from carrom.seats import Seat, Side
from carrom.stroke import Stroke
from referee.adjudicate import adjudicate
from referee.apply import apply
from referee.laws import Laws
from referee.options import HikoneOptions
from referee.ruling import BoardStatus, GameStatus, Ruling
from referee.setup import next_board, next_game, start_match
from referee.state import Phase, State
from sim.advisor.judge import is_foul
from sim.advisor.legal_direction import crosses_base_line, must_cross_base_line
from sim.advisor.noise import draw, noisy_strokes
from sim.advisor.placement_fact import placement_fact
from sim.advisor.players import Player
from sim.advisor.put_back import missing, put_back
from sim.advisor.seat_view import seat_placements, seat_row, seat_stroke, seat_table
from sim.advisor.situation import Situation
from sim.advisor.skill import Skill
from sim.physics.declumping import jittered
from sim.physics.simulation import simulate
from sim.physics.surface import SurfaceParams

__all__ = ["BoardRecord", "clear_board", "made", "play_board", "play_match"]

_MOST_STROKES = 400
_RACK_JITTER_MM = 0.2


@dataclass(frozen=True, slots=True)
class BoardRecord:
    """One board: who broke, who won (``None``: given up after 400 strokes, or shared), by how many
    points, in how many strokes, and how many of them were fouls, by side."""

    breaker: Side
    winner: Side | None
    points: int
    strokes: int
    by_side: Mapping[Side, int]
    fouls: Mapping[Side, int]


def made(situation: Situation, stroke: Stroke, skill: Skill, rng: np.random.Generator) -> Stroke:
    """The stroke as the hand makes it."""
    table = seat_table(situation)
    placements = seat_placements(situation, table)
    row = seat_row(stroke)
    one = draw(table, skill, 1, (float(row[0]), float(row[1])), rng)
    if not len(placements):
        placements = replace(placements, slack_mm=0.0)
    return seat_stroke(situation.seat, noisy_strokes(row[None], one, skill, placements)[0])


def play_board(
    state: State,
    laws: Laws,
    board: BoardSpec,
    surface: SurfaceParams,
    players: Mapping[Side, Player],
    rng: np.random.Generator,
    *,
    alone: bool = False,
) -> tuple[State, BoardRecord]:
    """Play the board that ``state`` has just begun; the state after it.

    ``alone``: the player of the seat on turn strikes all the time, whatever the rulings say.
    """
    position = jittered(_layout(laws, board, rng), board, _RACK_JITTER_MM, rng)
    breaker, me = state.seats[state.turn], state.turn
    by_side = dict.fromkeys(players, 0)
    fouls = dict.fromkeys(players, 0)
    ruling: Ruling | None = None
    while state.phase is Phase.PLAY and sum(by_side.values()) < _MOST_STROKES:
        if alone:
            state = replace(state, turn=me)
        side = state.seats[state.turn]
        situation = Situation(
            position=position, state=state, laws=laws, board=board, surface=surface
        )
        player = players[side]
        intent = player.choose(situation, int(rng.integers(1 << 31)))
        stroke = made(situation, intent, player.skill, rng)
        outcome, after = _struck(situation, stroke, alone=alone)
        ruling = adjudicate(state, outcome, laws)
        by_side[side] += 1
        fouls[side] += is_foul(ruling)
        position = _tidied(position, after, ruling, board, rng)
        state = apply(state, ruling, provisional=True)
    return state, _record(ruling, breaker, by_side, fouls)


def _layout(laws: Laws, board: BoardSpec, rng: np.random.Generator) -> Position:
    turn = float(rng.uniform(0.0, 2.0 * np.pi))
    if isinstance(laws.options, HikoneOptions) and laws.options.initial_layout == "castle":
        return castle_layout(board, turn)
    return opening_position(board, turn)


def _struck(situation: Situation, stroke: Stroke, *, alone: bool) -> tuple[StrokeOutcome, Position]:
    """What the stroke does, with placement and direction as facts, and the men it leaves."""
    run = simulate(situation.position, stroke, situation.board, situation.surface)
    tee = situation.laws.ruleset.hikone and situation.seat in situation.state.tee_shots_due
    fact = placement_fact(situation.board, situation.seat, stroke.placement_mm, tee_shot=tee)
    outcome = run.to_outcome()
    facts: list[Event] = [fact]
    if must_cross_base_line(situation.laws) and not alone:
        table, row = seat_table(situation), seat_row(stroke)[None]
        men_mm, radii_mm = table.men_mm, table.radius_mm[:-1]
        if not crosses_base_line(row, situation.board, men_mm, radii_mm)[0]:
            facts.append(ImproperStroke(kind="not_across_base_line"))
    men = tuple(d for d in run.end_position if d.kind is not PieceKind.STRIKER)
    return replace(outcome, events=(*facts, *outcome.events)), Position(men)


def _tidied(
    before: Position, after: Position, ruling: Ruling, board: BoardSpec, rng: np.random.Generator
) -> Position:
    """The men after the stroke, or as they lay if it is void, with what goes back."""
    rows = ruling.returns
    if ruling.restore_moved:
        lying = _without_returns(before, ruling)
        return put_back(lying, rows, board, rng)
    back = put_back(after, rows, board, rng)
    lost = missing(before, dict(ruling.on_board), back)
    return Position((*back.discs, *lost))


def _without_returns(before: Position, ruling: Ruling) -> Position:
    """The men of before a void stroke, less those that the rows will put down."""
    due = dict(ruling.on_board)
    for row in ruling.returns:
        due[row.piece] = due.get(row.piece, 0) - row.count
    discs = []
    for disc in before:
        if due.get(disc.kind, 0) > 0:
            due[disc.kind] -= 1
            discs.append(disc)
    return Position(tuple(discs))


def _record(
    ruling: Ruling | None, breaker: Side, by_side: Mapping[Side, int], fouls: Mapping[Side, int]
) -> BoardRecord:
    winner, points = None, 0
    if ruling is not None and ruling.board.status is BoardStatus.OVER:
        winner = ruling.board.winner
        if winner is not None and ruling.board.points:
            points = ruling.board.points.get(winner, 0)
    return BoardRecord(breaker, winner, points, sum(by_side.values()), by_side, fouls)


def play_match(
    laws: Laws,
    board: BoardSpec,
    surface: SurfaceParams,
    players: tuple[Player, Player],
    seed: int,
    *,
    most_boards: int | None = None,
) -> list[tuple[BoardRecord, int]]:
    """A match of two, South (player 0) against North: each board with the number of its winner.

    Of a board without a winner it is that of the breaker. Stops when the match is over, or goes on
    to ``most_boards`` with another. An extra board is opened by South. Players keep their numbers
    when they change seats.
    """
    rng = np.random.default_rng(seed)
    names = {Seat.SOUTH: "0", Seat.NORTH: "1"}
    state = start_match(laws, names, (Seat.SOUTH, Seat.NORTH)[seed % 2])
    records: list[tuple[BoardRecord, int]] = []
    while most_boards is None or len(records) < most_boards:
        assert state.standing is not None
        number = {side: _player_at(state, seat) for seat, side in state.seats.items()}
        sides = {side: players[who] for side, who in number.items()}
        first = number[state.seats[state.turn]]
        state, record = play_board(state, laws, board, surface, sides, rng)
        records.append((record, first if record.winner is None else number[record.winner]))
        if state.phase is Phase.BOARD_OVER:
            state = next_board(state, laws, opener=_extra_opener(state))
        elif state.phase is Phase.GAME_OVER:
            state = next_game(state, laws)
        elif most_boards is not None and len(records) < most_boards:
            state = start_match(laws, names, (Seat.SOUTH, Seat.NORTH)[(seed + len(records)) % 2])
        else:
            break
    return records


def _player_at(state: State, seat: Seat) -> int:
    assert state.standing is not None
    return int(state.standing.players[seat])


def _extra_opener(state: State) -> Seat | None:
    extra = state.last_game is not None and state.last_game.status is GameStatus.EXTRA_BOARD
    return Seat.SOUTH if extra else None


def clear_board(
    laws: Laws, board: BoardSpec, surface: SurfaceParams, player: Player, seed: int
) -> BoardRecord:
    """South alone clears a board of one of the three-player games; his strokes are counted."""
    rng = np.random.default_rng(seed)
    seats = {Seat.SOUTH: "0", Seat.EAST: "1", Seat.NORTH: "2"}
    state = start_match(laws, seats, Seat.SOUTH)
    everyone = dict.fromkeys(state.seats.values(), player)
    _, record = play_board(state, laws, board, surface, everyone, rng, alone=True)
    return record
