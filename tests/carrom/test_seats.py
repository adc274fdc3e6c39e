"""Seats and directions: S at the bottom, clockwise is S, W, N, E."""

from __future__ import annotations

import pytest

from carrom.errors import OutcomeError
from carrom.pieces import PieceKind
from carrom.seats import (
    CLOCKWISE_SEATS,
    Pocket,
    Seat,
    Side,
    TurnDirection,
    left_of,
    next_seat,
    opposite,
    own_pockets,
    right_of,
)

S, W, N, E = CLOCKWISE_SEATS


def test_clockwise_passes_to_the_left() -> None:
    """Glossary: clockwise passes to the player's left, counter-clockwise to his right."""
    assert [left_of(seat, CLOCKWISE_SEATS) for seat in CLOCKWISE_SEATS] == [W, N, E, S]
    assert [right_of(seat, CLOCKWISE_SEATS) for seat in CLOCKWISE_SEATS] == [E, S, W, N]


def test_empty_seats_are_skipped() -> None:
    """Three players: the left of S is N when W is empty (PTS-S004)."""
    assert left_of(S, (S, E, N)) is N
    assert right_of(N, (S, N)) is S
    assert next_seat(S, (S,), TurnDirection.CLOCKWISE) is S
    with pytest.raises(OutcomeError):
        next_seat(S, (), TurnDirection.CLOCKWISE)


def test_opposite_is_its_own_inverse() -> None:
    """Partners face each other."""
    assert [opposite(seat) for seat in CLOCKWISE_SEATS] == [N, E, S, W]
    assert all(opposite(opposite(seat)) is seat for seat in Seat)


def test_every_pocket_is_own_to_two_neighbours() -> None:
    """HL-10: S = SW+SE, W = NW+SW, N = NW+NE, E = NE+SE."""
    assert set(own_pockets(S)) == {Pocket.SOUTH_WEST, Pocket.SOUTH_EAST}
    assert set(own_pockets(W)) == {Pocket.NORTH_WEST, Pocket.SOUTH_WEST}
    owners = [pocket for seat in Seat for pocket in own_pockets(seat)]
    assert all(owners.count(pocket) == 2 for pocket in Pocket)


def test_a_colour_has_men_and_a_seat_has_none() -> None:
    """PT-01: no colours with three players."""
    assert Side.RED.piece is PieceKind.RED
    with pytest.raises(OutcomeError, match="'S'"):
        _ = Side.SOUTH.piece
