"""What a simulated stroke did: how every disc moved and what it met, in the order of time."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np

from carrom.board_spec import BoardSpec
from carrom.evidence import OBSERVED, Evidence
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.position import Position
from carrom.seats import Pocket, Seat
from carrom.stroke import Stroke
from sim.physics.arrays import FloatArray, position_of
from sim.physics.surface import SurfaceParams

__all__ = ["ImpactEvent", "ImpactKind", "Segment", "Trajectory"]

SEGMENT_COLUMNS = 8
"""t0_s, t1_s, x_mm, y_mm, direction x, direction y, speed_mm_s, deceleration_mm_s2."""


class ImpactKind(StrEnum):
    """What happened to a disc at one instant."""

    CONTACT = "contact"  # two discs met
    FRAME = "frame"  # a disc met the frame; ``side`` says which
    OVER_POCKET = "over_pocket"  # too fast to fall: it flies on over the hole
    LEFT_POCKET = "left_pocket"  # it came out again over the lip
    POCKETED = "pocketed"  # it fell
    OFF_BOARD = "off_board"  # it hopped over the frame
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class ImpactEvent:
    """One instant of a disc ``a`` (and of ``b`` in a contact, a < b): indexes into ``kinds``.

    ``x_mm``, ``y_mm``: centre of ``a`` then, board frame. ``t_s``: since the launch.
    """

    t_s: float
    kind: ImpactKind
    a: int
    b: int | None = None
    pocket: Pocket | None = None
    side: Seat | None = None
    x_mm: float = math.nan
    y_mm: float = math.nan


@dataclass(frozen=True, slots=True)
class Segment:
    """A straight stretch: from (x, y) along a unit direction, slowing down evenly.

    The path after dt = t - t0_s is (speed - deceleration * dt / 2) * dt, up to ``t1_s``.
    """

    t0_s: float
    t1_s: float
    x_mm: float
    y_mm: float
    direction_x: float
    direction_y: float
    speed_mm_s: float
    deceleration_mm_s2: float


@dataclass(frozen=True, eq=False)
class Trajectory:
    """One simulated stroke. Disc indexes are those of ``kinds``; the striker is the last.

    ``start_mm``: (n, 2) float64, mm, board frame, where the discs lay when the striker left (after
    declumping). ``tracks``: for each disc a (k, 8) float64 array of its moving stretches in order
    of time (columns: t0_s, t1_s, x_mm, y_mm, unit direction x and y, speed_mm_s at t0_s,
    deceleration_mm_s2); between stretches, before the first and after the last the disc is at
    rest; a pocketed disc stays where it fell. Arrays belong to the trajectory: do not write.
    ``before``: the position as given. ``capped``: the engine gave up (event or time cap); discs
    are then where they were at that moment.
    """

    board: BoardSpec
    surface: SurfaceParams
    stroke: Stroke
    before: Position
    kinds: tuple[PieceKind, ...]
    start_mm: FloatArray
    tracks: tuple[FloatArray, ...]
    events: tuple[ImpactEvent, ...]
    duration_s: float
    capped: bool = False

    @property
    def striker(self) -> int:
        """The striker's index."""
        return len(self.kinds) - 1

    def before_place(self, disc: int) -> tuple[float, float]:
        """Where a piece lay in the position as given, before any repair; mm, board frame."""
        pieces = [piece for piece in self.before if piece.kind is not PieceKind.STRIKER]
        return pieces[disc].x_mm, pieces[disc].y_mm

    def segments(self, disc: int) -> tuple[Segment, ...]:
        """The moving stretches of one disc, in order of time."""
        return tuple(Segment(*map(float, row)) for row in self.tracks[disc])

    def positions_at(self, t_s: float) -> FloatArray:
        """(n, 2) float64, mm, board frame: all centres at ``t_s``; a new array.

        Before 0 the start, after ``duration_s`` the end; a disc in a pocket stays at the hole.
        """
        places: FloatArray = self._sample(np.array([t_s]))[0][0]
        return places

    def velocities_at(self, t_s: float) -> FloatArray:
        """(n, 2) float64, mm/s, board frame: all velocities at ``t_s``; a new array."""
        velocities: FloatArray = self._sample(np.array([t_s]))[1][0]
        return velocities

    def positions_over(self, t_s: FloatArray) -> FloatArray:
        """(m, n, 2) float64, mm, board frame: all centres at m times, in any order; a new array."""
        return self._sample(np.asarray(t_s, dtype=np.float64))[0]

    def velocities_over(self, t_s: FloatArray) -> FloatArray:
        """(m, n, 2) float64, mm/s, board frame: all velocities at m times; a new array."""
        return self._sample(np.asarray(t_s, dtype=np.float64))[1]

    def on_board_at(self, t_s: float) -> tuple[bool, ...]:
        """For each disc whether it is still on the board at ``t_s``."""
        gone = {event.a for event in self._departures if event.t_s <= t_s}
        return tuple(disc not in gone for disc in range(len(self.kinds)))

    def _sample(self, t_s: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Positions and velocities, (m, n, 2) each."""
        places = np.empty((len(t_s), len(self.kinds), 2))
        velocities = np.zeros_like(places)
        places[:] = self.start_mm
        for disc, track in enumerate(self.tracks):
            index = np.searchsorted(track[:, 0], t_s, side="right") - 1
            moved = index >= 0
            rows = track[index[moved]]
            dt = np.minimum(t_s[moved], rows[:, 1]) - rows[:, 0]
            path_mm = (rows[:, 6] - 0.5 * rows[:, 7] * dt) * dt
            places[moved, disc] = rows[:, 2:4] + rows[:, 4:6] * path_mm[:, None]
            now = np.maximum(rows[:, 6] - rows[:, 7] * dt, 0.0) * (t_s[moved] < rows[:, 1])
            velocities[moved, disc] = rows[:, 4:6] * now[:, None]
        return places, velocities

    @cached_property
    def _departures(self) -> tuple[ImpactEvent, ...]:
        gone = (ImpactKind.POCKETED, ImpactKind.OFF_BOARD)
        return tuple(event for event in self.events if event.kind in gone)

    @property
    def pocketed(self) -> tuple[tuple[int, Pocket], ...]:
        """(disc, pocket) in the order in which they fell."""
        return tuple(
            (event.a, event.pocket) for event in self._departures if event.pocket is not None
        )

    @property
    def off_board(self) -> tuple[int, ...]:
        """The discs that left over the frame, in order."""
        return tuple(event.a for event in self._departures if event.pocket is None)

    @cached_property
    def end_mm(self) -> FloatArray:
        """(n, 2) float64, mm, board frame: where the discs were last; do not write."""
        return self.positions_at(math.inf)

    @cached_property
    def end_position(self) -> Position:
        """The discs that are still on the board, in order, the striker last if it is."""
        left = {event.a for event in self._departures}
        stay = [disc for disc in range(len(self.kinds)) if disc not in left]
        return position_of(tuple(self.kinds[disc] for disc in stay), self.end_mm[stay])

    def path_mm(self, disc: int) -> Sequence[tuple[float, float]]:
        """The corners of a disc's path, for drawing: start, every turn, end; board frame, mm."""
        points = [(float(self.start_mm[disc, 0]), float(self.start_mm[disc, 1]))]
        points += [(float(row[2]), float(row[3])) for row in self.tracks[disc]]
        points.append((float(self.end_mm[disc, 0]), float(self.end_mm[disc, 1])))
        return points

    def to_outcome(
        self, seat: Seat | None = None, *, t_start_s: float = 0.0, evidence: Evidence = OBSERVED
    ) -> StrokeOutcome:
        """The facts of the stroke for the referee; see ``sim.physics.outcome_of.outcome_of``."""
        from sim.physics.outcome_of import outcome_of

        return outcome_of(self, seat, t_start_s=t_start_s, evidence=evidence)
