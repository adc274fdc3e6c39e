"""How matches, games and boards begin: seats, colours, who opens, change of sides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from carrom.errors import ContradictionError, MatchError
from carrom.pieces import PieceKind
from carrom.seats import Seat, Side, next_seat, opposite, right_of
from referee.indian import ON_BOARD
from referee.laws import Laws
from referee.ruling import GameStatus
from referee.state import Phase, Standing, State, Team, check_state

__all__ = ["next_board", "next_game", "start_match"]

SIDE_CHANGE_BOARD = 4  # ICF-33: in the third game after the fourth board ...
SIDE_CHANGE_POINTS = 13  # ... or after 13 points, whichever is earlier


def start_match(laws: Laws, players: Mapping[Seat, str], opener: Seat) -> State:
    """The state before the first stroke. ``players`` names who sits where; ``opener`` is who won
    the toss or janken and begins (HK-03, GR-04, SE-03, ICF-13..16).

    Raises ``MatchError`` if the seats do not suit the ruleset.
    """
    expected = (3,) if laws.ruleset.three_players else (2, 4)
    if len(players) not in expected:
        raise MatchError(
            f"{laws.ruleset.value}: expected {expected} players, got {sorted(players)!r}"
        )
    if opener not in players:
        raise MatchError(f"the opener {opener.value!r} is not seated; seats: {sorted(players)!r}")
    seats = _colours(laws, list(players), opener)
    sides = list(dict.fromkeys(seats[seat] for seat in _from(opener, laws, players)))
    teams = dict(zip(sides, Team, strict=False))
    standing = Standing(
        teams=teams,
        players=dict(players),
        games_to_win=laws.numbers.match_games // 2 + 1,
        board_opener=opener,
        game_opener=opener,
    )
    state = _fresh_board(laws, seats, opener, dict.fromkeys(sides, 0), standing, board_number=1)
    try:
        check_state(state, laws)
    except ContradictionError as error:
        raise MatchError(f"these seats cannot play {laws.ruleset.value}: {error}") from error
    return state


def next_board(
    state: State, laws: Laws, *, opener: Seat | None = None, change_sides: bool | None = None
) -> State:
    """The next board of the game. The break alternates (ICF-22, GR-39, SE-47) unless ``opener`` is
    given; an extra board needs one, from the toss (ICF-29). In the last game of a match sides are
    changed where the laws say so (ICF-33), unless ``change_sides`` decides."""
    standing = _standing(state, Phase.BOARD_OVER)
    extra = state.last_game is not None and state.last_game.status is GameStatus.EXTRA_BOARD
    if extra and opener is None:
        raise MatchError("an extra board needs an opener: toss for the break (ICF-29)")
    default = next_seat(standing.board_opener, state.seats, laws.numbers.direction)
    due = (
        laws.numbers.change_sides
        and standing.game_number == laws.numbers.match_games
        and not standing.sides_changed
        and (
            state.board_number >= SIDE_CHANGE_BOARD
            or max(state.score.values()) >= SIDE_CHANGE_POINTS
        )
    )
    change = due if change_sides is None else change_sides
    standing = replace(standing, sides_changed=standing.sides_changed or change)
    return _begin(
        state, laws, standing, opener, default, change=change, board_number=state.board_number + 1
    )


def next_game(
    state: State, laws: Laws, *, opener: Seat | None = None, change_sides: bool | None = None
) -> State:
    """The next game of the match: the other side opens (ICF-22), sides are changed (ICF-31, 32)."""
    standing = _standing(state, Phase.GAME_OVER)
    default = next_seat(standing.game_opener, state.seats, laws.numbers.direction)
    change = laws.numbers.change_sides if change_sides is None else change_sides
    standing = replace(standing, game_number=standing.game_number + 1, sides_changed=False)
    fresh = replace(state, score=dict.fromkeys(state.score, 0))
    begun = _begin(fresh, laws, standing, opener, default, change=change, board_number=1)
    assert begun.standing is not None
    return replace(begun, standing=replace(begun.standing, game_opener=begun.turn))


def _standing(state: State, phase: Phase) -> Standing:
    if state.phase is not phase or state.standing is None:
        raise MatchError(f"expected a match in phase {phase.value!r}, got {state.phase.value!r}")
    return state.standing


def _begin(
    state: State,
    laws: Laws,
    standing: Standing,
    opener: Seat | None,
    default: Seat,
    *,
    change: bool,
    board_number: int,
) -> State:
    """A fresh board: people move to their new seats, the opener's side gets its colour, and the
    scores follow the teams to their new colours."""
    team_at = {seat: standing.teams[side] for seat, side in state.seats.items()}
    players = dict(standing.players)
    if change:
        team_at = {_moved(seat, state): team for seat, team in team_at.items()}
        players = {_moved(seat, state): name for seat, name in players.items()}
        default = _moved(default, state)
    first = opener or default
    if first not in state.seats:
        raise MatchError(
            f"the opener {first.value!r} is not seated; seats: {sorted(state.seats)!r}"
        )
    seats = _colours(laws, list(team_at), first)
    teams = {side: team_at[seat] for seat, side in seats.items()}
    by_team = {standing.teams[side]: points for side, points in state.score.items()}
    score = {side: by_team.get(team, 0) for side, team in teams.items()}
    standing = replace(
        standing, teams=teams, players=players, board_opener=first, strokes_in_board=0
    )
    fresh = _fresh_board(laws, seats, first, score, standing, board_number=board_number)
    return replace(fresh, clockwork=state.clockwork)


def _moved(seat: Seat, state: State) -> Seat:
    """Where the player of this seat sits after a change of sides (ICF-31, ICF-32)."""
    return opposite(seat) if len(state.seats) == 2 else right_of(seat, state.seats)


def _from(opener: Seat, laws: Laws, occupied: Mapping[Seat, str]) -> list[Seat]:
    seats = [opener]
    while len(seats) < len(occupied):
        seats.append(next_seat(seats[-1], occupied, laws.numbers.direction))
    return seats


def _colours(laws: Laws, seats: list[Seat], opener: Seat) -> dict[Seat, Side]:
    """The opener's side plays white, in Hikone red; partners face (HK-02, HK-03, ICF-16)."""
    if laws.ruleset.three_players:
        return {seat: Side(seat.value) for seat in seats}
    first, second = (Side.RED, Side.GREEN) if laws.ruleset.hikone else (Side.WHITE, Side.BLACK)
    partners = (opener, opposite(opener)) if len(seats) == 4 else (opener,)
    return {seat: first if seat in partners else second for seat in seats}


def _fresh_board(
    laws: Laws,
    seats: Mapping[Seat, Side],
    opener: Seat,
    score: Mapping[Side, int],
    standing: Standing,
    *,
    board_number: int,
) -> State:
    ruleset = laws.ruleset
    pieces = dict(ruleset.pieces)
    sides = dict.fromkeys(seats.values(), 0)
    men = [kind for kind in pieces if kind not in (PieceKind.QUEEN, PieceKind.JACK)]
    nothing = dict.fromkeys(pieces, 0)
    return State(
        seats=dict(seats),
        turn=opener,
        on_board=pieces,
        pocketed={} if ruleset.three_players else dict.fromkeys(men, 0),
        captured={side: dict(nothing) for side in sides} if ruleset.three_players else {},
        debts=sides,
        queen=None if ruleset.hikone else ON_BOARD,
        score={} if ruleset.hikone else dict(score),
        board_number=board_number,
        break_done=ruleset.hikone,
        tee_shots_due=frozenset(seats) if ruleset.hikone else frozenset(),
        first_seat=opener,
        standing=standing,
    )
