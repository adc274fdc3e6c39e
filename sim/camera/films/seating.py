"""Who sits where: the players of a match, and who looks on."""

import numpy as np

from carrom.seats import Seat
from referee.laws import Laws
from sim.camera.draw_of import chance
from sim.camera.films.script import FilmScript
from sim.camera.films.tape import Person
from sim.camera.hands_types import Handedness

__all__ = ["people_of", "seats_of"]

_THREE = (Seat.SOUTH, Seat.EAST, Seat.NORTH)


def seats_of(script: FilmScript, laws: Laws) -> tuple[Seat, ...]:
    """The seats that play, in the order of the compass."""
    if laws.ruleset.three_players:
        return _THREE
    if script.players == 4:
        return tuple(Seat)
    return Seat.SOUTH, Seat.NORTH


def people_of(script: FilmScript, laws: Laws, rng: np.random.Generator) -> dict[Seat, Person]:
    """A person at every seat: players first, then umpire and onlookers."""
    players = seats_of(script, laws)
    people = {}
    for who, seat in enumerate((*players, *(s for s in Seat if s not in players))):
        hand = Handedness.RIGHT if chance(rng, 0.85) else Handedness.LEFT
        skill = script.skills[who % len(script.skills)]
        people[seat] = Person(who, seat, hand, int(rng.integers(1 << 30)), skill)
    return people
