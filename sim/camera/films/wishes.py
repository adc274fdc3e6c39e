"""Which incidents are due at a stroke: those asked for, and some by chance."""

from collections.abc import Iterable

from referee.task import Task
from sim.camera.draw_of import Rng, chance, one_of
from sim.camera.films.incidents import IncidentKind
from sim.camera.films.script import FilmScript, Wish

__all__ = ["Wishes"]


class Wishes:
    """Keeps account of the incidents of a script that have not happened yet."""

    def __init__(self, script: FilmScript, rng: Rng) -> None:
        self._left: list[Wish] = list(script.wishes)
        self._rate, self._rng = script.incident_rate, rng

    def due(self, number: int, task: Task) -> list[IncidentKind]:
        """The incidents of stroke ``number``: all that name it, one of the others."""
        due = [w.kind for w in self._left if w.stroke == number and _fits(w.kind, task)]
        free = [w.kind for w in self._left if w.stroke is None and _fits(w.kind, task)]
        if not due and free:
            due.append(min(free, key=_urgency))
        if not due and chance(self._rng, self._rate):
            due.append(one_of(self._rng, [kind for kind in IncidentKind if _fits(kind, task)]))
        return list(dict.fromkeys(due))

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


def _fits(kind: IncidentKind, task: Task) -> bool:
    """Whether it can happen at this stroke at all."""
    if kind is IncidentKind.BREAK_MISSED:
        return task.break_attempt is not None
    if kind is IncidentKind.COVER_MISSED:
        return task.must_cover
    return not task.must_cover


def _urgency(kind: IncidentKind) -> int:
    """Those that seldom fit go first."""
    rare = (IncidentKind.COVER_MISSED, IncidentKind.BREAK_MISSED)
    return rare.index(kind) if kind in rare else len(rare)
