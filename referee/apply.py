"""What a ruling makes of the state."""

from __future__ import annotations

from dataclasses import replace

from carrom.errors import MatchError
from carrom.pieces import PieceKind
from carrom.seats import Side
from referee.ruling import BoardStatus, GameStatus, Place, QueenStatus, Ruling
from referee.state import BoardResult, Phase, Standing, State

__all__ = ["apply"]


def apply(state: State, ruling: Ruling, *, provisional: bool = False) -> State:
    """The state once everything that the ruling asks for has been done at the table.

    ``provisional`` also takes a pending ruling, as its likeliest answers have it: play goes on
    while a question is open, and the answer re-judges what followed. Raises ``MatchError`` for a
    pending ruling otherwise.
    """
    if ruling.pending and not provisional:
        ids = [question.doubt for question in ruling.questions]
        raise MatchError(f"the ruling is pending: unanswered {ids!r}")
    phase, standing = _after_board(state, ruling)
    return replace(
        state,
        turn=ruling.turn.next or state.turn,
        stroke_in_turn=ruling.stroke_in_turn,
        strokes_left=ruling.strokes_left or 1,
        on_board=ruling.on_board,
        pocketed=ruling.pocketed,
        captured=ruling.captured,
        debts=ruling.debts,
        queen=ruling.queen,
        score=ruling.score,
        had_pocketed=ruling.had_pocketed,
        break_done=ruling.break_done,
        break_attempts=ruling.break_attempts,
        pending_claim=ruling.pending_claim,
        tee_shots_due=ruling.tee_shots_due,
        final_round=ruling.final_round,
        skip_next=ruling.skip_next,
        jack_spot_stack=_stack(state, ruling),
        phase=phase,
        due_back=ruling.returns,
        actions=ruling.actions,
        restore_moved=ruling.restore_moved,
        last_board=ruling.board if ruling.board.status is not BoardStatus.ONGOING else None,
        last_game=ruling.game,
        standing=standing,
    )


def _stack(state: State, ruling: Ruling) -> tuple[PieceKind, ...]:
    """What is known to lie on the jack spot: what was just put there. A stroke may have scattered
    an older stack, so it is forgotten; an incident leaves it."""
    if not ruling.stroke_made:
        return ruling.stack_bottom_to_top
    return tuple(
        row.piece for row in ruling.returns if row.to is Place.JACK_SPOT for _ in range(row.count)
    )


def _after_board(state: State, ruling: Ruling) -> tuple[Phase, Standing | None]:
    standing = state.standing
    if standing is not None and ruling.stroke_made:
        standing = replace(standing, strokes_in_board=standing.strokes_in_board + 1)
    if ruling.board.status is BoardStatus.NEEDS_HUMAN:
        return Phase.NEEDS_HUMAN, standing
    if ruling.board.status is BoardStatus.ONGOING:
        return Phase.PLAY, standing
    if standing is None:
        return Phase.BOARD_OVER, None
    standing = replace(standing, boards=(*standing.boards, _result(state, standing, ruling)))
    return _after_game(standing, ruling)


def _after_game(standing: Standing, ruling: Ruling) -> tuple[Phase, Standing]:
    """Count the game; a ruleset without games (Hikone) ends the match with the board."""
    game = ruling.game
    if game is not None and game.status is not GameStatus.OVER:
        return Phase.BOARD_OVER, standing
    side: Side | None = ruling.board.winner if game is None else game.winner
    if side is None:
        return Phase.MATCH_OVER, standing
    team = standing.teams[side]
    won = {**standing.games_won, team: standing.games_won.get(team, 0) + 1}
    over = won[team] >= standing.games_to_win
    standing = replace(standing, games_won=won, winner=team if over else None)
    return (Phase.MATCH_OVER if over else Phase.GAME_OVER), standing


def _result(state: State, standing: Standing, ruling: Ruling) -> BoardResult:
    board, queen, teams = ruling.board, ruling.queen, standing.teams
    assert board.reason is not None
    by = queen.by if queen is not None and queen.state is QueenStatus.COVERED else None
    points = board.points
    return BoardResult(
        game_number=standing.game_number,
        board_number=state.board_number,
        opener=standing.board_opener,
        colours={team: side for side, team in teams.items()},
        winner=None if board.winner is None else teams[board.winner],
        points=None if points is None else {teams[side]: value for side, value in points.items()},
        reason=board.reason,
        queen=None if by is None else teams[by],
        strokes=standing.strokes_in_board,
    )
