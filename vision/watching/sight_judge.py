"""How well the table is seen, said when it changes and not at every flicker."""

from __future__ import annotations

from vision.frames import Frame
from vision.table_events import Sight, SightChanged
from vision.table_view import TableView

__all__ = ["SightJudge"]

_FOR_S = {
    Sight.GOOD: 0.0,
    Sight.MOVED: 0.3,
    Sight.DARK: 0.3,
    Sight.FROZEN: 0.0,
    Sight.DAMAGED: 0.3,
    Sight.COVERED: 2.0,
}
"""For how long a sight must last before it is said; a source has waited before it says frozen."""
_COVERED_SHARE = 0.5


class SightJudge:
    """Keeps the sight that was said last, ``NO_BOARD`` at first."""

    def __init__(self) -> None:
        self.sight = Sight.NO_BOARD
        self._seen = Sight.NO_BOARD
        self._since_s = 0.0
        self._note = ""

    def step(
        self, frame: Frame, view: TableView, *, dark: bool, trusted: bool
    ) -> tuple[SightChanged, ...]:
        """Judge one frame of a calibrated table. ``trusted``: the board lies where it should."""
        now = _sight(frame, view, dark=dark, trusted=trusted)
        if now is not self._seen:
            self._seen, self._since_s = now, frame.t_s
        if frame.t_s - self._since_s < _FOR_S[now]:
            return ()
        return self.tell(frame.t_s, now, "")

    def tell(self, t_s: float, sight: Sight, note: str) -> tuple[SightChanged, ...]:
        """Say it, if it is news."""
        if sight is self.sight:
            return ()
        self.sight, self._seen, self._since_s, self._note = sight, sight, t_s, note
        return (SightChanged(t_s=t_s, sight=sight, note=note),)

    def note(self, t_s: float, note: str) -> tuple[SightChanged, ...]:
        """Say again what is seen, if the reason is another."""
        if not note or note == self._note:
            return ()
        self._note = note
        return (SightChanged(t_s=t_s, sight=self.sight, note=note),)


def _sight(frame: Frame, view: TableView, *, dark: bool, trusted: bool) -> Sight:
    if frame.damaged:
        return Sight.DAMAGED
    if frame.frozen:
        return Sight.FROZEN
    if dark:
        return Sight.DARK
    if not trusted:
        return Sight.MOVED
    return Sight.COVERED if float(view.covered.mean()) >= _COVERED_SHARE else Sight.GOOD
