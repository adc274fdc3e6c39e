"""The recorder: what has been filmed so far, and the people who appear in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import hypot, pi

import numpy as np

from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from carrom.seats import Seat
from sim.camera.draw_of import Rng
from sim.camera.films.incidents import Incident, IncidentKind
from sim.camera.films.moves import Carry, HandKey, HandTrack, Move, Place, polar
from sim.camera.films.timeline import LightChange, Nudge, Phase, PhaseKind
from sim.camera.films.world import World
from sim.camera.hands_pose import sample_pose, seat_bearing
from sim.camera.hands_types import HandAction, Handedness, HandPose
from sim.camera.scene import DiscState

__all__ = ["Person", "Tape", "Visit", "visit_with"]

_STYLE = {action: index for index, action in enumerate(HandAction)}


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at the table: ``who`` is the index of the look; a style of gestures of his own."""

    who: int
    seat: Seat
    handedness: Handedness
    style: int
    skill: float = 0.7

    def pose(
        self,
        action: HandAction,
        target_mm: tuple[float, float] | tuple[float, float, float],
        *,
        progress: float = 0.0,
        aim_rad: float | None = None,
        radius_mm: float | None = None,
    ) -> HandPose:
        """A gesture, the same way every time: ways of holding a hand are a person's own."""
        similar = HandAction.TAKING if action is HandAction.PLACING else action
        rng = np.random.default_rng((self.style, _STYLE[similar]))
        return sample_pose(
            rng, self.seat, action, target_mm, aim_rad=aim_rad, disc_radius_mm=radius_mm,
            progress=progress, handedness=self.handedness,
        )  # fmt: skip


@dataclass
class Tape:
    """Everything filmed so far; ``t_s`` is now. Acts append to it, play reads it."""

    world: World
    kinds: tuple[PieceKind, ...]
    places: list[Place]
    rng: Rng
    pace: float = 1.0
    t_s: float = 0.0
    stroke: int = 0
    moves: list[list[Move]] = field(default_factory=list)
    hands: list[HandTrack] = field(default_factory=list)
    phases: list[Phase] = field(default_factory=list)
    incidents: list[Incident] = field(default_factory=list)
    lights: list[LightChange] = field(default_factory=list)
    nudges: list[Nudge] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.moves = [[] for _ in self.kinds]

    @property
    def striker(self) -> int:
        """The striker's id."""
        return len(self.kinds) - 1

    def add(self, disc: int, move: Move) -> None:
        """A disc moves; it is then at the move's end."""
        earlier = self.moves[disc]
        assert not earlier or earlier[-1].t1_s <= move.t0_s + 1e-9, (disc, earlier[-1], move)
        earlier.append(move)
        self.places[disc] = move.end

    def wait(self, low_s: float, high_s: float) -> None:
        """Time passes."""
        start = self.t_s
        self.t_s += float(self.rng.uniform(low_s, high_s)) * self.pace
        self.phases.append(Phase(PhaseKind.WAITING, start, self.t_s, self.stroke))

    @contextmanager
    def phase(self, kind: PhaseKind) -> Iterator[None]:
        """All that is filmed inside belongs to one phase."""
        start = self.t_s
        yield
        self.phases.append(Phase(kind, start, self.t_s, self.stroke))

    def incident(
        self,
        kind: IncidentKind,
        t_start_s: float,
        t_end_s: float,
        *,
        seat: Seat | None = None,
        discs: tuple[int, ...] = (),
        amount: float | None = None,
    ) -> Incident:
        """Note one; returns it."""
        done = Incident(kind, t_start_s, t_end_s, self.stroke, seat, discs, amount)
        self.incidents.append(done)
        return done

    def lying(self) -> list[int]:
        """The pieces that physics moves: on the wood, without strikers and what is stacked."""
        return [k for k in self.pieces() if self.places[k].on_wood]

    def stacked(self) -> list[int]:
        """The pieces that lie on another piece."""
        return [k for k in self.pieces() if self.places[k].state is DiscState.STACKED]

    def pieces(self) -> list[int]:
        """The ids of all discs but strikers."""
        return [k for k, kind in enumerate(self.kinds) if kind is not PieceKind.STRIKER]

    def position(self) -> Position:
        """The pieces on the board, without the striker, in the order of ``lying``."""
        return Position(
            tuple(
                Disc(self.kinds[k], self.places[k].x_mm, self.places[k].y_mm) for k in self.lying()
            )
        )

    def rest(self) -> Position:
        """All pieces that count as lying on the board, stacked ones too, in the order of ids."""
        return Position(
            tuple(
                Disc(self.kinds[k], self.places[k].x_mm, self.places[k].y_mm)
                for k in self.pieces()
                if self.places[k].on_board
            )
        )

    def radius_mm(self, disc: int) -> float:
        """Radius of a disc."""
        return self.world.board.radii_mm[self.kinds[disc]]

    def is_free(
        self,
        disc: int,
        x_mm: float,
        y_mm: float,
        *,
        slack_mm: float = 0.3,
        but: tuple[int, ...] = (),
    ) -> bool:
        """The disc could lie there: on the wood, touching nothing."""
        radius, board = self.radius_mm(disc), self.world.board
        if max(abs(x_mm), abs(y_mm)) + radius > board.half_mm:
            return False
        for centre in board.pocket_centres.values():
            far = hypot(x_mm - centre.x_mm, y_mm - centre.y_mm)
            if far < board.pocket_radius_mm + 0.5 * radius:
                return False
        for k, place in enumerate(self.places):
            if k == disc or k in but or not place.on_board:
                continue
            least = radius + self.radius_mm(k) + slack_mm
            if hypot(x_mm - place.x_mm, y_mm - place.y_mm) < least:
                return False
        return True


class Visit:
    """One visit of a hand, written key by key from ``tape.t_s`` on; ``close`` puts it on tape."""

    def __init__(
        self,
        tape: Tape,
        person: Person,
        *,
        t_s: float | None = None,
        holding: int | None = None,
        from_pose: HandPose | None = None,
    ) -> None:
        """``holding``: it comes with this disc; ``from_pose``: it has not left since then."""
        self._tape, self._person = tape, person
        self.t_s = self.t0_s = tape.t_s if t_s is None else t_s
        first = self._away() if holding is None else self.away_with(holding)
        first = first if from_pose is None else from_pose
        self._keys = [HandKey(self.t_s, first)]
        self._carries: list[tuple[int, float, float, Place]] = []

    @property
    def person(self) -> Person:
        """Whose hand."""
        return self._person

    def _away(self) -> HandPose:
        """Out of the picture."""
        return self._back(self._person.pose(HandAction.REACHING, self._outside()))

    def _outside(self) -> tuple[float, float]:
        reach = self._tape.world.away_mm[self._person.seat]
        return polar(0.0, 0.0, reach, seat_bearing(self._person.seat))

    def _back(self, pose: HandPose) -> HandPose:
        """Beyond the shoulder's line gestures would turn the arm inwards; here it leads away."""
        out = seat_bearing(self._person.seat)
        return replace(pose, arm_from_rad=out, yaw_rad=out + pi, elbow_rad=0.0)

    def away_with(self, disc: int) -> HandPose:
        """Out of the picture, a disc between the fingers."""
        x, y = self._outside()
        radius = self._tape.radius_mm(disc)
        return self._back(self._person.pose(HandAction.TAKING, (x, y, 45.0), radius_mm=radius))

    @property
    def pose(self) -> HandPose:
        """The latest."""
        return self._keys[-1].pose

    def reach_s(self, x_mm: float, y_mm: float) -> float:
        """How long the hand takes to get there, at an easy pace."""
        x, y, _ = self.pose.anchor_mm
        return 0.22 + hypot(x_mm - x, y_mm - y) / 1300.0

    def to(self, pose: HandPose, dt_s: float) -> None:
        """Be in this pose ``dt_s`` later (longer at a slower pace)."""
        self.at(pose, self.t_s + dt_s * self._tape.pace)

    def at(self, pose: HandPose, t_s: float) -> None:
        """Be in this pose at a time."""
        self.t_s = max(t_s, self.t_s + 1e-3)
        self._keys.append(HandKey(self.t_s, pose))

    def hold(self, dt_s: float) -> None:
        """Stay as it is."""
        self.to(self._keys[-1].pose, dt_s)

    def held(self, disc: int, t0_s: float, end: Place) -> None:
        """The disc was between the fingers from ``t0_s`` until now, and is left at ``end``."""
        self._carries.append((disc, t0_s, self.t_s, end))

    def leave(self, dt_s: float) -> float:
        """Go; the time when the hand is off the playing surface."""
        start, last = self.t_s, self._keys[-1].pose
        self.to(self._away(), dt_s)
        return off_surface_s(self._tape, last, self._keys[-1].pose, start, self.t_s)

    def close(self) -> HandTrack:
        """On tape."""
        track = HandTrack(self._person.who, self._person.seat, tuple(self._keys))
        self._tape.hands.append(track)
        for disc, t0, t1, end in self._carries:
            self._tape.add(disc, Carry(t0, t1, track, end))
        return track


def visit_with(tape: Tape, person: Person, disc: int) -> Visit:
    """A visit that brings the disc along if it is out of sight."""
    hidden = tape.places[disc].state is None
    return Visit(tape, person, holding=disc if hidden else None)


def off_surface_s(tape: Tape, a: HandPose, b: HandPose, t0_s: float, t1_s: float) -> float:
    """When a hand that goes from pose a to b has left the surface, fingers included."""
    edge = tape.world.board.half_mm + 90.0
    for share in np.linspace(0, 1, 41):
        s = share * share * (3 - 2 * share)
        x = a.anchor_mm[0] + (b.anchor_mm[0] - a.anchor_mm[0]) * s
        y = a.anchor_mm[1] + (b.anchor_mm[1] - a.anchor_mm[1]) * s
        if max(abs(x), abs(y)) > edge:
            return float(t0_s + (t1_s - t0_s) * share)
    return t1_s
