"""From a simulated stroke to the facts that the referee judges."""

from dataclasses import replace

from carrom.board_markings import AreaLineMarkings
from carrom.board_marks import to_seat_frame
from carrom.board_spec import BoardSpec
from carrom.events import (
    BouncedBack,
    Contact,
    Event,
    FirstContact,
    FramePart,
    NoContact,
    NoPiecePocketed,
    OffBoard,
    Pocketed,
    Zone,
)
from carrom.evidence import OBSERVED, Evidence
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from carrom.seats import Seat, opposite
from sim.physics.arrays import side_line_mm
from sim.physics.trajectory import ImpactEvent, ImpactKind, Trajectory

__all__ = ["frame_part", "outcome_of"]


def outcome_of(
    trajectory: Trajectory,
    seat: Seat | None = None,
    *,
    t_start_s: float = 0.0,
    evidence: Evidence = OBSERVED,
) -> StrokeOutcome:
    """Everything about the stroke that a rule asks for, in the order of time.

    ``seat`` is who struck (default: the stroke's). Every piece and every part of the frame that
    the striker touched is named once, at its first touch; zones (boards with area lines only) are
    those of the place before the stroke. A disc that rattled out of a pocket bounced back. Each
    event's evidence is ``evidence`` at the time of the event, counted from ``t_start_s``.
    ``before`` holds the pieces as given and the striker where it was placed, ``after`` what is
    left on the board. Whether the break is touched is ``NoContact`` or its absence.
    """
    shooter = trajectory.stroke.seat if seat is None else seat
    facts = _Facts(trajectory, shooter, t_start_s, evidence)
    placement = trajectory.stroke.placement_mm
    pieces = [disc for disc in trajectory.before if disc.kind is not PieceKind.STRIKER]
    return StrokeOutcome(
        seat=shooter,
        events=facts.events(),
        placement_mm=placement,
        before=Position((*pieces, Disc(PieceKind.STRIKER, *placement))),
        after=trajectory.end_position,
        t_start_s=t_start_s,
        t_end_s=t_start_s + trajectory.duration_s,
    )


def frame_part(board: BoardSpec, shooter: Seat, side: Seat, x_mm: float, y_mm: float) -> FramePart:
    """The part of the frame that a disc at (x, y) touches on ``side``, as the shooter sees it.

    Side frames are divided by ``side_line_mm``.
    """
    if side is opposite(shooter):
        return FramePart.FRONT
    if side is shooter:
        return FramePart.OWN_BACK
    is_beyond = to_seat_frame(shooter, x_mm, y_mm).y_mm >= side_line_mm(board)
    return FramePart.SIDE_OUTSIDE if is_beyond else FramePart.SIDE_INSIDE


class _Facts:
    """Collects the events of one trajectory."""

    def __init__(
        self, trajectory: Trajectory, shooter: Seat, t_start_s: float, evidence: Evidence
    ) -> None:
        self._trajectory = trajectory
        self._shooter = shooter
        self._t_start_s = t_start_s
        self._evidence = evidence
        self._events: list[Event] = []
        self._touched: set[int | FramePart] = set()

    def events(self) -> tuple[Event, ...]:
        trajectory = self._trajectory
        gone = {event.a for event in trajectory.events if event.kind in _DEPARTURES}
        bounced: set[int] = set()
        for event in trajectory.events:
            if event.kind is ImpactKind.LEFT_POCKET and event.a not in gone | bounced:
                bounced.add(event.a)
                self._add(BouncedBack(piece=trajectory.kinds[event.a]), event)
            else:
                self._take(event)
        if not any(isinstance(touched, int) for touched in self._touched):
            self._events.append(NoContact(evidence=self._evidence))
        if not any(isinstance(event, Pocketed) for event in self._events):
            self._events.append(NoPiecePocketed(evidence=self._evidence))
        return tuple(self._events)

    def _take(self, event: ImpactEvent) -> None:
        kind = self._trajectory.kinds[event.a]
        striker = self._trajectory.striker
        if event.kind is ImpactKind.POCKETED:
            self._add(Pocketed(piece=kind, pocket=event.pocket), event)
        elif event.kind is ImpactKind.OFF_BOARD:
            self._add(OffBoard(piece=kind), event)
        elif event.kind is ImpactKind.CONTACT and event.b == striker:
            self._touch(event.a, event)
        elif event.kind is ImpactKind.FRAME and event.a == striker and event.side is not None:
            place = (event.x_mm, event.y_mm)
            self._touch(
                frame_part(self._trajectory.board, self._shooter, event.side, *place), event
            )

    def _touch(self, what: int | FramePart, event: ImpactEvent) -> None:
        if what in self._touched:
            return
        contact_class = Contact if self._touched else FirstContact
        self._touched.add(what)
        if isinstance(what, FramePart):
            self._add(contact_class(frame=what), event)
        else:
            piece = self._trajectory.kinds[what]
            self._add(contact_class(piece=piece, zone=self._zone(what)), event)

    def _zone(self, disc: int) -> Zone | None:
        """Where the piece lay before the stroke."""
        board = self._trajectory.board
        if not isinstance(board.markings, AreaLineMarkings):
            return None
        place = self._trajectory.before_place(disc)
        radius_mm = board.radii_mm[self._trajectory.kinds[disc]]
        return board.area_zone(self._shooter, *place, radius_mm=radius_mm)

    def _add(self, event: Event, impact: ImpactEvent) -> None:
        when_s = self._t_start_s + impact.t_s
        known = replace(self._evidence, t_start_s=when_s, t_end_s=when_s)
        self._events.append(replace(event, evidence=known))


_DEPARTURES = (ImpactKind.POCKETED, ImpactKind.OFF_BOARD)
