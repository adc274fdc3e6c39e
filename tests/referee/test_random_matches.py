"""Laws of the game as properties, over whole random matches of every ruleset."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from carrom import events as ev
from carrom.errors import MatchError
from referee.adjudicate import adjudicate
from referee.apply import apply
from referee.between import resume_play, time_called, win_janken
from referee.laws import Laws, Ruleset
from referee.ruleset_files import load_laws
from referee.ruling import BoardReason, BoardStatus
from referee.setup import next_board, next_game, start_match
from referee.state import ClockReading, Phase, State, check_state
from tests.referee.random_play import random_incident, random_outcome, seats_for

MATCHES = 1_000
MAX_STROKES = 4_000
TIME_LIMIT = 600
STUCK_AFTER = 200
PLAYED_TO_TIME = (Ruleset.GAMERULES, Ruleset.POINT_GAMERULES)
BOARD_MAXIMUM = {
    Ruleset.HIKONE: 112,  # HK-44
    Ruleset.GAMERULES: 14,  # GR-30
    Ruleset.CARROM_SE: 12,  # SE-21
    Ruleset.ICF: 12,  # ICF-28
    Ruleset.POINT_GAMERULES: 32,  # PT-02
    Ruleset.POINT_CARROM_SE: 30,  # PT-11
}
WHOLE_MATCHES = settings(
    max_examples=MATCHES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def hikone_clock(state: State, strokes: int) -> State:
    """Five minutes of seven seconds a stroke, so that the rounds after time-up are played too."""
    remaining = max(0.0, 300.0 - 7.0 * strokes)
    return replace(state, clock=ClockReading(match_remaining_s=remaining, stroke_elapsed_s=7.0))


def play_on(state: State, laws: Laws, rng: random.Random) -> State:
    """What persons do between boards: toss, janken, umpire."""
    if state.phase is Phase.BOARD_OVER:
        return next_board(state, laws, opener=rng.choice([None, *state.seats]) or state.turn)
    if state.phase is Phase.GAME_OVER:
        return next_game(state, laws)
    assert state.last_board is not None
    if state.last_board.reason is BoardReason.JANKEN:
        return win_janken(state, state.turn)
    return resume_play(state, state.turn)


def play_match(laws: Laws, seed: int) -> State:
    """One whole match, checked after every stroke."""
    rng = random.Random(seed)
    seats = seats_for(laws, rng)
    state = start_match(laws, {seat: seat.name.title() for seat in seats}, rng.choice(seats))
    skill, incidents = rng.uniform(0.5, 0.85), rng.choice((0.0, 0.05, 0.2))
    if laws.ruleset in PLAYED_TO_TIME:  # every foul costs a piece: wild players never finish
        incidents /= 4
    for strokes in range(MAX_STROKES):
        if state.phase is Phase.MATCH_OVER:
            return state
        if state.phase is not Phase.PLAY:
            state = play_on(state, laws, rng)
            continue
        if laws.ruleset.hikone:
            state = hikone_clock(state, strokes)
        elif strokes % TIME_LIMIT == TIME_LIMIT - 1 and laws.ruleset in PLAYED_TO_TIME:
            state = time_called(state, laws)  # GR-38; a level game goes into an extra board
            continue
        outcome = random_outcome(state, laws, rng, skill=skill, incidents=incidents)
        if rng.random() < incidents / 2:
            outcome = random_incident(state, laws, rng)
        if strokes > STUCK_AFTER and laws.ruleset.hikone:
            outcome = replace(outcome, events=(*outcome.events, ev.Stalemate()))  # HK-43
        ruling = adjudicate(state, outcome, laws)
        if ruling.board.status is BoardStatus.OVER and ruling.board.points is not None:
            assert max(ruling.board.points.values()) <= BOARD_MAXIMUM[laws.ruleset]
            assert not any(ruling.debts.values()), "debts are written off with the board"
        state = apply(state, ruling)
        if state.phase is Phase.PLAY:
            check_state(state, laws)
    raise AssertionError(f"no end after {MAX_STROKES} strokes")


@pytest.mark.parametrize("ruleset", list(Ruleset))
def test_every_match_keeps_its_pieces_and_ends(ruleset: Ruleset) -> None:
    """Nothing appears or vanishes: after every ruling the pieces on the board, in the pockets and
    with the queen are the whole set again; every match ends within the laws; no board scores more
    than its maximum; the totals are the sum of the boards."""
    laws = load_laws(ruleset.value)

    @WHOLE_MATCHES
    @given(st.integers(min_value=0, max_value=2**32))
    def whole(seed: int) -> None:
        state = play_match(laws, seed)
        standing = state.standing
        assert standing is not None
        last_game = [b for b in standing.boards if b.game_number == standing.game_number]
        for side, total in state.score.items():
            team = standing.teams[side]
            assert total == sum((board.points or {}).get(team, 0) for board in last_game)

    whole()


LOCAL = [
    ("hikone", {"multi_pocket_turns": "per_pack", "scratch_with_own": "two_back_continue"}),
    ("hikone", {"own_side_pockets": "forbidden", "last_pack_and_jack": "win"}),
    ("hikone", {"jack_one_shot": "five_back", "jack_penalty_packs": 2}),
    ("hikone", {"jack_one_shot": "lose", "penalties_cumulate": False}),
    ("hikone", {"void_opponent_packs": "stay", "void_penalty_packs": 0}),
    ("hikone", {"winning_jack_with_scratch": "win", "debt_repay_keeps_turn": False}),
    ("gamerules", {"opponent_piece": "returned"}),
    ("carrom_se", {"improper_stroke": "icf", "target": 13}),
    ("carrom_se", {"queen_auto_secured": True, "technical_fouls": "relaxed"}),
    ("carrom_se", {"debt_claim": "manual"}),
    ("point_gamerules", {"queen_cover": False, "penalty_piece": "dearest"}),
    ("point_carrom_se", {"improper_stroke": "icf"}),
]


@pytest.mark.parametrize(("ruleset", "options"), LOCAL)
def test_options_keep_the_pieces_too(ruleset: str, options: dict[str, object]) -> None:
    """Local rules move other pieces, but lose none either."""
    laws = load_laws(ruleset, options)
    for seed in range(60):
        try:
            play_match(laws, seed)
        except MatchError as error:
            raise AssertionError(f"seed {seed}: {error}") from error
