"""Which incidents are due at a stroke: those asked for, and some by chance."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from carrom.pieces import Counts, PieceKind
from referee.laws import Laws
from referee.state import State
from referee.task import Task
from sim.camera.draw_of import Rng, chance, one_of
from sim.camera.films.incidents import IncidentKind
from sim.camera.films.script import FilmScript, Wish

__all__ = ["Situation", "Wishes"]

_NEVER_BY_CHANCE = frozenset({IncidentKind.LEFT_SEAT, IncidentKind.STALEMATE})
"""They can end a board."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What the next stroke will be played in."""

    task: Task
    state: State
    laws: Laws

    def fits(self, kind: IncidentKind) -> bool:
        """Whether an incident can happen at this stroke at all."""
        if not kind.in_rules(self.laws.ruleset):
            return False
        if kind is IncidentKind.BREAK_MISSED:
            return self.task.break_attempt is not None
        if kind is IncidentKind.COVER_MISSED:
            return self.task.must_cover
        return not self.task.must_cover and self._special(kind)

    def _special(self, kind: IncidentKind) -> bool:
        state, options = self.state, self.laws.options
        match kind:
            case IncidentKind.FELL_IN_ON_REMOVAL:
                return self.task.break_attempt is None
            case IncidentKind.FELL_DURING_REPLACEMENT:
                return self._own(state.pocketed) > 0
            case IncidentKind.JACK_TOPPLED:
                jack = state.on_board.get(PieceKind.JACK, 0)
                return bool(jack and self._own(state.pocketed) and self._own(state.on_board))
            case IncidentKind.SIMULTANEOUS_BREAK:
                fresh = set(state.tee_shots_due) == set(state.seats) and len(state.seats) == 2
                return bool(getattr(options, "simultaneous_break", False)) and fresh
            case IncidentKind.TIME_EXCEEDED:
                return self.task.stroke_limit_s is not None
            case IncidentKind.OPTION_REMOVAL:
                allowed = bool(getattr(options, "free_removal", False))
                return allowed and self.task.break_attempt is None
            case IncidentKind.BEFORE_PLAY_CALL:
                return self.task.break_attempt == 1
            case IncidentKind.STALEMATE:
                return self._level_in_extra_round()
            case IncidentKind.DEBT_NOT_CLAIMED:
                return state.pending_claim
            case IncidentKind.PENALTY_PIECE_CHOSEN:
                choice = getattr(options, "penalty_piece", None) == "offender_choice"
                return choice and self._has_both_colours()
        return True

    def _own(self, counts: Counts) -> int:
        return counts.get(self.state.seats[self.state.turn].piece, 0)

    def _has_both_colours(self) -> bool:
        taken: Mapping[PieceKind, int] = self.state.captured[self.state.seats[self.state.turn]]
        return bool(taken.get(PieceKind.WHITE, 0) and taken.get(PieceKind.BLACK, 0))

    def _level_in_extra_round(self) -> bool:
        """Only then does a declared stalemate decide the board (HK-43)."""
        state = self.state
        counts = [state.on_board.get(kind, 0) for kind in (PieceKind.RED, PieceKind.GREEN)]
        begins = state.turn is state.first_seat and state.stroke_in_turn == 1
        return state.final_round and begins and counts[0] == counts[1]


class Wishes:
    """Keeps account of the incidents of a script that have not happened yet."""

    def __init__(self, script: FilmScript, rng: Rng) -> None:
        self._left: list[Wish] = list(script.wishes)
        self._rate, self._rng = script.incident_rate, rng

    def due(self, number: int, now: Situation) -> list[IncidentKind]:
        """The incidents of stroke ``number``: all that name it, one of the others."""
        due = [w.kind for w in self._left if w.stroke == number and now.fits(w.kind)]
        free = [w for w in self._left if w.stroke is None and now.fits(w.kind)]
        if not due and free:
            first = min(free, key=lambda wish: _urgency(wish.kind))
            due.append(first.kind)
            self._left.remove(first)  # one that does not come off waits behind the others
            self._left.append(first)
        if not due and chance(self._rng, self._rate):
            kinds = [k for k in IncidentKind if k not in _NEVER_BY_CHANCE and now.fits(k)]
            due.append(one_of(self._rng, kinds))
        return list(dict.fromkeys(due))

    def wants(self, kind: IncidentKind, now: Situation) -> bool:
        """It was asked for, has not happened and can happen now."""
        return any(wish.kind is kind for wish in self._left) and now.fits(kind)

    def hunts_queen(self, task: Task) -> bool:
        """A missed cover is still wanted, and there is nothing to cover yet."""
        wanted = any(wish.kind is IncidentKind.COVER_MISSED for wish in self._left)
        return wanted and not task.must_cover and task.break_attempt is None

    def happened(self, kinds: Iterable[IncidentKind]) -> None:
        """Strike them off the list, the earliest wish of each kind."""
        for kind in kinds:
            for wish in self._left:
                if wish.kind is kind:
                    self._left.remove(wish)
                    break


_RARE = (
    IncidentKind.STALEMATE,
    IncidentKind.COVER_MISSED,
    IncidentKind.BEFORE_PLAY_CALL,
    IncidentKind.BREAK_MISSED,
    IncidentKind.SIMULTANEOUS_BREAK,
    IncidentKind.DEBT_NOT_CLAIMED,
    IncidentKind.PENALTY_PIECE_CHOSEN,
)


def _urgency(kind: IncidentKind) -> int:
    """Those that seldom fit go first."""
    return _RARE.index(kind) if kind in _RARE else len(_RARE)
