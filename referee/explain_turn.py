"""What a ruling says of the turn, the board and the game: who strikes next, who has won."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from referee.explain_names import Telling
from referee.phrases import Family
from referee.ruling import (
    BoardReason,
    BoardStatus,
    Foul,
    GameStatus,
    NextPlacement,
    Notice,
    Reason,
)

__all__ = ["Why", "attempts_left", "board", "board_calls", "turn", "turn_calls"]

BREAK_ATTEMPTS = 3  # GR-06, SE-11, ICF-18


class Why(StrEnum):
    """Why the turn goes on or passes."""

    OWN_POCKETED = "own_pocketed"
    OWN_OR_QUEEN = "own_or_queen"
    QUEEN_POCKETED = "queen_pocketed"
    ANY_POCKETED = "any_pocketed"
    NONE_POCKETED = "none_pocketed"
    NOTHING_POCKETED = "nothing_pocketed"
    PENALTY = "penalty"
    FOUL = "foul"
    VOID = "void"
    OUT_OF_TURN = "out_of_turn"
    COMMON_BREAK = "common_break"
    BREAK_RETRY = "break_retry"
    BREAK_LOST = "break_lost"
    STROKE_LEFT = "stroke_left"
    STRIKER = "striker"
    STRIKER_WITH_OWN = "striker_with_own"
    IMPROPER = "improper"
    TECHNICAL = "technical"
    BEFORE_PLAY = "before_play"
    QUEEN_TOO_EARLY = "queen_too_early"


_GOES_ON = {
    "HK-12": Why.OWN_POCKETED,
    "HL-12": Why.OWN_POCKETED,
    "GR-06": Why.BREAK_RETRY,
    "GR-10": Why.OWN_OR_QUEEN,
    "SE-08": Why.OWN_POCKETED,
    "SE-11": Why.BREAK_RETRY,
    "SE-13": Why.QUEEN_POCKETED,
    "SE-34": Why.TECHNICAL,
    "ICF-18": Why.BREAK_RETRY,
    "ICF-21": Why.OWN_OR_QUEEN,
    "ICF-36": Why.TECHNICAL,
    "ICF-46": Why.STRIKER_WITH_OWN,
    "PT-03": Why.ANY_POCKETED,
    "PT-12": Why.ANY_POCKETED,
}
_PASSES = {
    "HK-13": Why.NONE_POCKETED,
    "HK-15": Why.PENALTY,
    "HK-34": Why.OUT_OF_TURN,
    "HK-48": Why.VOID,
    "HL-01": Why.COMMON_BREAK,
    "GR-11": Why.NONE_POCKETED,
    "SE-09": Why.NONE_POCKETED,
    "SE-11": Why.BREAK_LOST,
    "SE-28": Why.STRIKER,
    "SE-34": Why.IMPROPER,
    "ICF-18": Why.BREAK_LOST,
    "ICF-20": Why.BEFORE_PLAY,
    "ICF-21": Why.NONE_POCKETED,
    "ICF-37": Why.FOUL,
    "ICF-45": Why.STRIKER,
    "PT-03": Why.NOTHING_POCKETED,
    "PT-05": Why.FOUL,
    "PT-12": Why.NOTHING_POCKETED,
}
"""What the first clause of the turn means."""


def turn_calls(telling: Telling) -> Iterator[str]:
    """``White again``, ``Turn to North``."""
    ruling = telling.ruling
    if ruling.turn.next is None:
        return
    if Notice.BREAK_MISSED in ruling.notices and ruling.turn.continues:
        yield telling.words.say("call.retry", count=attempts_left(telling))
    player = telling.player(ruling.turn.next)
    yield telling.words.say(f"call.{_how(telling)}", player=player)


def turn(telling: Telling) -> Iterator[str]:
    """Who strikes next and why, and what else is settled for the strokes to come."""
    ruling, words = telling.ruling, telling.words
    if ruling.turn.next is not None:
        text = words.say(f"turn.{_how(telling)}", player=telling.player(ruling.turn.next))
        why = _why(telling)
        if why is not None:
            text = words.say("turn.because", text=text, why=words.say(f"why.{why.value}"))
        yield words.sentence(text, ruling.turn.clauses)
        if ruling.turn.continues and ruling.strokes_left > 1:
            yield telling.tell(
                "turn.strokes_left",
                count=ruling.strokes_left,
                player=telling.player(ruling.turn.next),
                clauses=telling.cited("HL-12"),
            )
    if ruling.board.status is BoardStatus.ONGOING:
        for seat in dict.fromkeys(ruling.skip_next):
            player = telling.player(seat)
            yield telling.tell("turn.skip_next", player=player, clauses=telling.cited("HK-34"))
        yield from _placement(telling)


def _placement(telling: Telling) -> Iterator[str]:
    """From where this player strikes, when that is not what everybody expects (HK-05)."""
    ruling, state = telling.ruling, telling.state
    if ruling.next_placement is NextPlacement.TEE_SPOT:
        told = not ruling.turn.continues
    else:
        told = state is not None and ruling.seat in state.tee_shots_due - ruling.tee_shots_due
    if told and ruling.next_placement is not None:
        yield telling.tell(
            f"next_placement.{ruling.next_placement.value}",
            player=telling.player(ruling.seat),
            clauses=("HK-05",),
        )


def _how(telling: Telling) -> str:
    ruling = telling.ruling
    if not ruling.turn.continues:
        return "next"
    return "again" if ruling.stroke_made else "stays"


def _why(telling: Telling) -> Why | None:
    """The reason in words, told from the turn's first clause; ``None`` if it needs no saying."""
    ruling = telling.ruling
    if not ruling.turn.clauses:
        return None
    why = (_GOES_ON if ruling.turn.continues else _PASSES).get(ruling.turn.clauses[0])
    fouls = ruling.foul_names
    match why:
        case Why.OWN_POCKETED if ruling.turn.clauses[0] == "HL-12" and not ruling.strokes_granted:
            return Why.STROKE_LEFT
        case Why.OWN_OR_QUEEN if telling.state is not None:
            own = telling.state.side(ruling.seat).piece
            return Why.OWN_POCKETED if telling.fell(own) else Why.QUEEN_POCKETED
        case Why.NONE_POCKETED if telling.cited("ICF-68"):
            return Why.QUEEN_TOO_EARLY
        case Why.NONE_POCKETED if telling.family is Family.GAMERULES and fouls:
            return Why.FOUL
        case Why.FOUL if Foul.IMPROPER_STROKE in fouls:
            return Why.IMPROPER
        case Why.PENALTY if not fouls:  # a repaid debt may end the turn too (Q-HK-05)
            return None
        case Why.NOTHING_POCKETED if any(
            row.reason is Reason.VOID_POCKETING for row in ruling.returns
        ):
            return None
    return why


def attempts_left(telling: Telling) -> int:
    """Break attempts that this player still has."""
    allowed = telling.laws.numbers.break_attempts if telling.laws is not None else None
    return (allowed or BREAK_ATTEMPTS) - telling.ruling.break_attempts


def board_calls(telling: Telling) -> Iterator[str]:
    """``Board to White``, ``Game to White``, or who decides."""
    words, result, game = telling.words, telling.ruling.board, telling.ruling.game
    if result.status is BoardStatus.NEEDS_HUMAN:
        janken = result.reason is BoardReason.JANKEN
        yield words.say("call.janken" if janken else "call.undecided")
    elif result.status is BoardStatus.OVER:
        winner = "" if result.winner is None else telling.side(result.winner)
        yield words.say("call.board_won" if winner else "call.board_tied", winner=winner)
    if game is None or game.status is GameStatus.ONGOING:
        return
    if game.status is GameStatus.EXTRA_BOARD:
        yield words.say("call.extra_board")
    elif game.winner is None:
        yield words.say("call.game_shared")
    else:
        yield words.say("call.game_won", winner=telling.side(game.winner))


def board(telling: Telling) -> Iterator[str]:
    """The end of the board, its points, the totals and the game."""
    ruling, result = telling.ruling, telling.ruling.board
    if result.reason is None:
        return
    if result.status is BoardStatus.NEEDS_HUMAN:
        yield telling.tell(f"board_reason.{result.reason.value}", clauses=result.clauses)
        return
    winner, loser = _sides(telling)
    told = "last_pack_and_jack" if "HL-14" in result.clauses else result.reason.value
    why = telling.words.say(f"board_reason.{told}", winner=winner, loser=loser)
    key = "board.won" if winner else "board.tied"
    yield telling.tell(key, winner=winner, why=why, clauses=result.clauses)
    if result.points is not None:
        yield telling.tell("board.points", points=telling.points(result.points.items()))
    for side, points in (result.on_demand or {}).items():
        yield telling.tell("board.on_demand", count=points, side=telling.side(side))
    if result.points is not None and ruling.score and dict(ruling.score) != dict(result.points):
        if telling.family is not Family.HIKONE:
            yield telling.tell("board.total", points=telling.points(ruling.score.items()))
    yield from _game(telling)


def _sides(telling: Telling) -> tuple[str, str]:
    """Winner and loser by name; empty where there is none."""
    winner = telling.ruling.board.winner
    if winner is None:
        return "", ""
    others = [side for side in telling.ruling.debts if side is not winner]
    return telling.side(winner), telling.side(others[0]) if len(others) == 1 else ""


def _game(telling: Telling) -> Iterator[str]:
    game = telling.ruling.game
    if game is None:
        return
    shared = game.status is GameStatus.OVER and game.winner is None
    yield telling.tell(
        "game.shared" if shared else f"game.{game.status.value}",
        winner="" if game.winner is None else telling.side(game.winner),
        clauses=game.clauses,
    )
