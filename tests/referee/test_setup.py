"""Who sits where, who opens, when sides are changed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from carrom.errors import MatchError
from carrom.seats import CLOCKWISE_SEATS, Seat, Side
from referee.laws import Laws
from referee.ruleset_files import load_laws
from referee.ruling import GameRuling, GameStatus
from referee.setup import next_board, next_game, start_match
from referee.state import Phase, State, Team

S, W, N, E = CLOCKWISE_SEATS
ICF = load_laws("icf")


def seated(laws: Laws, *seats: Seat, opener: Seat = S) -> State:
    return start_match(laws, {seat: seat.name.title() for seat in seats}, opener)


def finished(state: State, status: GameStatus = GameStatus.ONGOING, **changes: object) -> State:
    game = GameRuling(status=status)
    phase = Phase.GAME_OVER if status is GameStatus.OVER else Phase.BOARD_OVER
    return replace(state, phase=phase, last_game=game, **changes)  # type: ignore[arg-type]


def test_the_opener_has_white_and_partners_face() -> None:
    """ICF-15/16, ICF-02."""
    state = seated(ICF, S, W, N, E, opener=W)
    assert state.seats == {W: Side.WHITE, E: Side.WHITE, S: Side.BLACK, N: Side.BLACK}
    assert (state.turn, state.break_done) == (W, False)


def test_hikone_red_begins_and_everybody_owes_a_tee_shot() -> None:
    """HK-03, HK-05."""
    state = seated(load_laws("hikone"), S, N, opener=N)
    assert (state.seats[N], state.first_seat) == (Side.RED, N)
    assert state.tee_shots_due == {S, N}


@pytest.mark.parametrize("seats", [(S,), (S, E), (S, N, E), (S, W, N)])
def test_seats_that_cannot_play_are_refused(seats: tuple[Seat, ...]) -> None:
    """Two opposite each other, or four (ICF-01, 02)."""
    with pytest.raises(MatchError):
        seated(ICF, *seats)


def test_the_opener_must_be_seated() -> None:
    """Nobody sits at East."""
    with pytest.raises(MatchError, match="E"):
        seated(ICF, S, N, opener=E)


@pytest.mark.parametrize(("seats", "order"), [((S, N), [N, S, N]), ((S, W, N, E), [E, N, W, S])])
def test_the_break_goes_round(seats: tuple[Seat, ...], order: list[Seat]) -> None:
    """ICF-22: alternating in singles, to the right in doubles; the breaker plays white."""
    state = seated(ICF, *seats)
    for board, seat in enumerate(order, start=2):
        state = next_board(finished(state), ICF)
        assert (state.board_number, state.turn) == (board, seat)
        assert state.seats[seat] is Side.WHITE


def test_scores_follow_the_players_to_their_new_colour() -> None:
    """The trap of every manual scoreboard: white of board 1 is black in board 2."""
    state = finished(seated(ICF, S, N), score={Side.WHITE: 7, Side.BLACK: 0})
    assert next_board(state, ICF).score == {Side.BLACK: 7, Side.WHITE: 0}


def test_an_extra_board_needs_the_toss() -> None:
    """ICF-29: level after eight boards, there is a toss for the break."""
    state = finished(seated(ICF, S, N), GameStatus.EXTRA_BOARD, board_number=8)
    with pytest.raises(MatchError, match="toss"):
        next_board(state, ICF)
    assert next_board(state, ICF, opener=N).turn is N


def test_game_two_opens_with_the_other_side_after_changing_sides() -> None:
    """ICF-22, ICF-31: who sat North opens, and now sits South; the score starts anew."""
    state = seated(ICF, S, N)
    over = finished(state, GameStatus.OVER, score={Side.WHITE: 25, Side.BLACK: 9})
    game = next_game(over, ICF)
    assert game.standing is not None
    assert game.standing.players == {N: "South", S: "North"}
    assert (game.turn, game.board_number) == (S, 1)
    assert game.standing.teams[Side.WHITE] is Team.B
    assert set(game.score.values()) == {0}
    third = next_game(finished(game, GameStatus.OVER), ICF)
    assert third.standing is not None
    assert third.standing.players[third.turn] == "South", "game 3 with the first again"


def test_doubles_move_one_seat_to_the_right() -> None:
    """ICF-32."""
    game = next_game(finished(seated(ICF, S, W, N, E), GameStatus.OVER), ICF)
    assert game.standing is not None
    assert game.standing.players == {E: "South", N: "East", W: "North", S: "West"}


@pytest.mark.parametrize(
    ("board", "points", "changes"), [(1, 12, False), (1, 13, True), (3, 9, False), (4, 0, True)]
)
def test_third_game_changes_sides_once(board: int, points: int, changes: bool) -> None:
    """ICF-33: after the fourth board or 13 points, whichever is earlier."""
    state = seated(ICF, S, N)
    assert state.standing is not None
    third = replace(state, standing=replace(state.standing, game_number=3))
    over = finished(third, board_number=board, score={Side.WHITE: points, Side.BLACK: 0})
    after = next_board(over, ICF)
    assert after.standing is not None
    assert (after.standing.players[N] == "South") is changes
    again = next_board(finished(after, board_number=5), ICF)
    assert again.standing is not None
    assert again.standing.sides_changed
    if changes:
        assert again.standing.players == after.standing.players, "only once"


def test_phases_guard_the_order_of_things() -> None:
    """No next board in the middle of one."""
    state = seated(ICF, S, N)
    with pytest.raises(MatchError, match="board_over"):
        next_board(state, ICF)
    with pytest.raises(MatchError, match="game_over"):
        next_game(state, ICF)
