"""What persons decide between strokes, as pure functions of the state."""

from __future__ import annotations

from dataclasses import replace

from carrom.errors import MatchError
from carrom.pieces import PieceKind
from carrom.seats import Seat, Side
from referee.apply import apply
from referee.hikone_turn import PACKS, other
from referee.indian import ON_BOARD
from referee.laws import Laws, Ruleset
from referee.ruling import (
    BoardReason,
    BoardRuling,
    BoardStatus,
    From,
    GameRuling,
    GameStatus,
    Place,
    QueenState,
    QueenStatus,
    Reason,
    ReturnRow,
    Ruling,
    TurnRuling,
)
from referee.scoring import game_after
from referee.state import Phase, State
from referee.technical import placer_at

__all__ = [
    "claim_debt",
    "demanded",
    "follow_call",
    "resume_play",
    "time_called",
    "waive_debt",
    "win_janken",
]

MAX_BOARD_POINTS = 12  # ICF-28


def waive_debt(state: State, seat: Seat, laws: Laws) -> State:
    """Dues and penalty C/m of the side at this seat are forgone in full (ICF-60): what the last
    ruling asked to put back for them stays in the pockets, what is outstanding is owed no more.

    Raises ``MatchError`` in other rulesets, and if there is nothing to forgo.
    """
    if laws.ruleset is not Ruleset.ICF:
        raise MatchError(f"{laws.ruleset.value} has no waiver (ICF-60)")
    side = state.side(seat)
    forgone = [
        row
        for row in state.due_back
        if row.piece is side.piece and row.reason in (Reason.DUE, Reason.PENALTY)
    ]
    count = sum(row.count for row in forgone)
    if not (count or state.debts[side]):
        raise MatchError(f"{side.value!r} owes nothing that could be waived")
    piece = side.piece
    return replace(
        state,
        debts={**state.debts, side: 0},
        due_back=tuple(row for row in state.due_back if row not in forgone),
        pocketed={**state.pocketed, piece: state.pocketed[piece] + count},
        on_board={**state.on_board, piece: state.on_board[piece] - count},
    )


def claim_debt(state: State, seat: Seat) -> State:
    """The plikts owed by the side at this seat are claimed and come up, as far as they are there
    (SE-25)."""
    side = _owing(state, seat)
    if not state.pending_claim:
        raise MatchError(f"no plikt of {side.value!r} can be claimed now (SE-26)")
    piece = side.piece
    count = min(state.debts[side], state.pocketed.get(piece, 0))
    row = ReturnRow(
        piece=piece,
        count=count,
        to=Place.OUTER_CIRCLE,
        by=placer_at(state, seat),
        source=From.POCKET,
        reason=Reason.DEBT,
        clauses=("SE-25", "SE-26"),
    )
    return replace(
        state,
        debts={**state.debts, side: state.debts[side] - count},
        pending_claim=False,
        pocketed={**state.pocketed, piece: state.pocketed[piece] - count},
        on_board={**state.on_board, piece: state.on_board[piece] + count},
        due_back=(*state.due_back, row),
    )


def _owing(state: State, seat: Seat) -> Side:
    side = state.side(seat)
    if not state.debts[side]:
        raise MatchError(f"{side.value!r} owes nothing")
    return side


def demanded(ruling: Ruling, laws: Laws, board_number: int) -> Ruling:
    """The ruling that ended the board, with the points on demand granted; at most 12 in a board
    (ICF-28, ICF-75..95). Raises ``MatchError`` if there are none to ask for."""
    board = ruling.board
    if not board.on_demand or board.points is None:
        raise MatchError("no points can be demanded for this board")
    points = {
        side: min(MAX_BOARD_POINTS, value + board.on_demand.get(side, 0))
        for side, value in board.points.items()
    }
    score = {
        side: total + points[side] - board.points[side] for side, total in ruling.score.items()
    }
    return ruling._replace(
        board=replace(board, points=points, on_demand=None),
        score=score,
        game=game_after(laws.ruleset, laws.numbers, score, board_number),
    )


def win_janken(state: State, seat: Seat) -> State:
    """The stuck board goes to the side at this seat, scored as on time (HK-43, HK-44, Q-HK-13)."""
    if state.phase is not Phase.NEEDS_HUMAN or _why(state) is not BoardReason.JANKEN:
        raise MatchError("no janken is called for")
    winner = state.side(seat)
    points = {side: PACKS - state.on_board[side.piece] for side in (winner, other(winner))}
    board = BoardRuling(
        status=BoardStatus.OVER,
        winner=winner,
        points=points,
        reason=BoardReason.JANKEN,
        clauses=("HK-43", "HK-44"),
    )
    return apply(state, _decision(state, board, None))


def resume_play(state: State, seat: Seat) -> State:
    """The umpire decided what no clause covers; play goes on with this seat."""
    if state.phase is not Phase.NEEDS_HUMAN or _why(state) is not BoardReason.NO_LAW:
        raise MatchError("the umpire is not asked for a decision")
    state.side(seat)
    same = seat is state.turn
    return replace(
        state,
        phase=Phase.PLAY,
        turn=seat,
        stroke_in_turn=state.stroke_in_turn if same else 1,
        last_board=None,
    )


def time_called(state: State, laws: Laws) -> State:
    """GR-38: the agreed time is up. The unfinished board does not score; the higher total wins; a
    level game needs an extra board."""
    if laws.ruleset not in (Ruleset.GAMERULES, Ruleset.POINT_GAMERULES):
        raise MatchError(f"{laws.ruleset.value} is not played to an agreed time (GR-38)")
    if state.phase not in (Phase.PLAY, Phase.BOARD_OVER, Phase.NEEDS_HUMAN):
        raise MatchError(f"time cannot be called in phase {state.phase.value!r}")
    standing = state.standing
    best = max(state.score.values())
    leaders = [side for side, total in state.score.items() if total == best]
    if len(leaders) > 1:
        game = GameRuling(status=GameStatus.EXTRA_BOARD, clauses=("GR-32", "GR-38"))
        return replace(state, phase=Phase.BOARD_OVER, last_game=game)
    game = GameRuling(status=GameStatus.OVER, winner=leaders[0], clauses=("GR-38",))
    if standing is not None:
        team = standing.teams[leaders[0]]
        won = {**standing.games_won, team: standing.games_won.get(team, 0) + 1}
        standing = replace(standing, games_won=won, winner=team)
    return replace(state, phase=Phase.MATCH_OVER, last_game=game, standing=standing)


def follow_call(state: State, seat: Seat, laws: Laws) -> State:
    """The players followed a call that has been corrected since: the turn is this seat's, and it is
    not out of turn. A queen left uncovered by the other side is settled: unnoticed before the next
    stroke she counts as covered (ICF-69), elsewhere she is back in the centre (GR-15, SE-16)."""
    moved = replace(state, turn=seat, stroke_in_turn=1, strokes_left=1)
    queen = state.queen
    if queen is None or not queen.pending or queen.by is state.seats[seat] or queen.by is None:
        return moved
    if laws.ruleset is Ruleset.ICF:
        return replace(moved, queen=QueenState(QueenStatus.COVERED, queen.by))
    captured = {side: dict(taken) for side, taken in state.captured.items()}
    if captured:
        captured[queen.by][PieceKind.QUEEN] = 0
    on_board = {**state.on_board, PieceKind.QUEEN: 1}
    return replace(moved, queen=ON_BOARD, on_board=on_board, captured=captured)


def _why(state: State) -> BoardReason | None:
    return None if state.last_board is None else state.last_board.reason


def _decision(state: State, board: BoardRuling, game: GameRuling | None) -> Ruling:
    """A ruling that only ends the board; nothing moves."""
    return Ruling(
        seat=state.turn,
        stroke_made=False,
        debts=dict.fromkeys(state.debts, 0),
        turn=TurnRuling(continues=False, next=None),
        board=board,
        on_board=state.on_board,
        pocketed=state.pocketed,
        captured=state.captured,
        score=state.score,
        game=game,
        final_round=state.final_round,
        clauses=board.clauses,
    )
