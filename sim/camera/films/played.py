"""What came of a filmed stroke: physics' facts and what the incidents add to them."""

from dataclasses import dataclass, field, replace

from carrom import events as ev
from carrom.evidence import OBSERVED, Evidence
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from carrom.stroke import Stroke
from sim.camera.films.incidents import Incident
from sim.camera.films.odd_ends import OddEnd
from sim.physics.trajectory import Trajectory

__all__ = ["Played", "seen"]


def seen(t_start_s: float, t_end_s: float) -> Evidence:
    """Observed in this span of film time."""
    return replace(OBSERVED, t_start_s=t_start_s, t_end_s=t_end_s)


@dataclass
class Played:
    """What came of a stroke.

    ``first``, ``last``: facts before and after those of physics. ``on_frame``: the kinds that
    physics saw off the board and that lie on its frame. ``stacked``: pieces on other pieces, which
    physics does not know; ``after``: the rest position if it is not that of physics.
    """

    stroke: Stroke
    trajectory: Trajectory
    t_place_s: float
    t_start_s: float
    t_end_s: float
    t_hands_off_s: float
    odd: OddEnd | None = None
    first: list[ev.Event] = field(default_factory=list)
    last: list[ev.Event] = field(default_factory=list)
    on_frame: list[PieceKind] = field(default_factory=list)
    incidents: list[Incident] = field(default_factory=list)
    stacked: tuple[Disc, ...] = ()
    after: Position | None = None

    def outcome(self) -> StrokeOutcome:
        """What physics says, with what the incidents add."""
        plain = self.trajectory.to_outcome(t_start_s=self.t_start_s)
        if self.stacked and plain.before is not None:
            *pieces, striker = plain.before.discs
            plain = replace(plain, before=Position((*pieces, *self.stacked, striker)))
        if not self.incidents:
            if self.stacked:
                plain = replace(plain, after=self.after, t_end_s=self.t_end_s)
            return plain
        fell = any(isinstance(event, ev.Pocketed | ev.FellInOnRemoval) for event in self.last)
        kept = [e for e in plain.events if not (fell and isinstance(e, ev.NoPiecePocketed))]
        return replace(
            plain,
            events=(*self.first, *map(self._told, kept), *self.last),
            after=plain.after if self.after is None else self.after,
            t_end_s=max([self.t_end_s, *(incident.t_end_s for incident in self.incidents)]),
        )

    def _told(self, event: ev.Event) -> ev.Event:
        """As the pictures show it."""
        if isinstance(event, ev.OffBoard) and event.piece in self.on_frame:
            return ev.OnFrame(piece=event.piece, evidence=event.evidence)
        return event
