"""How a carrom.se board ends (SE-18..23, SE-43, SE-44, SE-46)."""

from __future__ import annotations

from carrom.pieces import PieceKind
from carrom.seats import Side
from referee import indian
from referee.draft import Clauses, Draft
from referee.ruling import BoardReason, BoardRuling, Foul, QueenState, QueenStatus
from referee.scoring import close_board

__all__ = ["end", "score"]

QUEEN = PieceKind.QUEEN


def end(draft: Draft, queen: QueenState, *, void: bool, unfinished: bool) -> bool:
    """True if this stroke ends the board; the draft then knows winner and reason, not yet points.

    ``void``: own pucks of the stroke come up. ``unfinished``: a plikt or an owed plikt comes up
    before a win is judged (SE-34).
    """
    facts, state, own = draft.facts, draft.state, draft.facts.side
    opponent = indian.other(own)
    mine, theirs = facts.pocketed.get(own.piece, 0), facts.pocketed.get(opponent.piece, 0)
    own_last = mine > 0 and mine == state.on_board[own.piece]
    opponent_last = theirs > 0 and theirs == state.on_board[opponent.piece]
    done = queen.state is QueenStatus.COVERED
    assert state.queen is not None
    lies = state.queen.state is QueenStatus.ON_BOARD and not facts.pocketed.get(QUEEN, 0)
    if opponent_last:
        _opponents_last(draft, done, own_last=own_last, void=void or unfinished)
    elif own_last and lies:
        draft.foul(Foul.OWN_LAST_QUEEN_ON_BOARD, ("SE-18",))
        _decide(draft, opponent, BoardReason.OWN_LAST_QUEEN_ON_BOARD, ("SE-18", "SE-23"))
    elif own_last and done and not void and not unfinished:
        _decide(draft, own, BoardReason.ALL_OWN_POCKETED, ("SE-20", "SE-21", "SE-23"))
    else:
        return False
    draft.queen = queen if done else draft.queen
    return True


def _opponents_last(draft: Draft, done: bool, *, own_last: bool, void: bool) -> None:
    own, opponent = draft.facts.side, indian.other(draft.facts.side)
    if own_last and done:
        _decide(draft, opponent if void else own, BoardReason.BOTH_LAST, ("SE-43",))
    elif own_last:
        draft.foul(Foul.OWN_LAST_QUEEN_ON_BOARD, ("SE-43",))
        draft.foul(Foul.OPPONENT_LAST_QUEEN_ON_BOARD, ("SE-43",))
        _decide(draft, opponent, BoardReason.BOTH_LAST_QUEEN_ON_BOARD, ("SE-43",))
    elif done:
        _decide(draft, opponent, BoardReason.OPPONENT_LAST, ("SE-44",))
    else:
        draft.foul(Foul.OPPONENT_LAST_QUEEN_ON_BOARD, ("SE-19", "SE-46"))
        _decide(
            draft, opponent, BoardReason.OPPONENT_LAST_QUEEN_ON_BOARD, ("SE-19", "SE-23", "SE-46")
        )


def _decide(draft: Draft, winner: Side, reason: BoardReason, clauses: Clauses) -> None:
    draft.board = BoardRuling(winner=winner, reason=reason, clauses=clauses)


def score(draft: Draft) -> None:
    """Points of the decided board, once jumped pucks are back (SE-18..23, SE-43, SE-44)."""
    board, queen = draft.board, draft.queen
    winner, reason = board.winner, board.reason
    assert winner is not None
    assert reason is not None
    assert queen is not None
    bonus = draft.laws.numbers.queen_value(draft.state.score.get(winner, 0))
    secured = bonus if queen.state is QueenStatus.COVERED and queen.by is winner else 0
    left = draft.on_board[indian.other(winner).piece]
    if reason is BoardReason.BOTH_LAST:
        points = max(1, secured)
    elif reason is BoardReason.BOTH_LAST_QUEEN_ON_BOARD:
        points = max(1, bonus)
    elif reason is BoardReason.OWN_LAST_QUEEN_ON_BOARD:
        points = max(1, bonus + draft.on_board[winner.piece])  # 3 + the opponent's pucks (SE-18)
    elif reason is BoardReason.OPPONENT_LAST_QUEEN_ON_BOARD:
        points = max(1, bonus + left)  # 3 + the own pucks (SE-19)
    else:
        points = max(1, left + secured)
    close_board(draft, winner, points, reason=reason, clauses=board.clauses)
