"""A match over time: where every disc and hand is at any instant, and the truth about it."""

from bisect import bisect_right
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from carrom.board_spec import BoardSpec
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from carrom.seats import Seat
from carrom.stroke import Stroke
from referee.match import Match
from referee.ruling import Ruling
from sim.camera.films.incidents import Incident
from sim.camera.films.moves import HandTrack, Move, Place, last_before
from sim.camera.films.script import FilmScript
from sim.camera.hands_types import HandPose
from sim.camera.scene import DiscState
from sim.physics.trajectory import Trajectory

__all__ = [
    "FilmDisc",
    "FilmHand",
    "Interlude",
    "LightChange",
    "Moment",
    "Nudge",
    "Phase",
    "PhaseKind",
    "StrokeTruth",
    "Timeline",
]


class PhaseKind(StrEnum):
    """What the table is busy with."""

    WAITING = "waiting"
    PLACING = "placing"
    AIMING = "aiming"
    MOVING = "moving"
    COLLECTING = "collecting"
    RETURNING = "returning"
    SETTING_UP = "setting_up"
    INCIDENT = "incident"


@dataclass(frozen=True, slots=True)
class Phase:
    """A stretch of a film; ``stroke`` as in ``Incident``."""

    kind: PhaseKind
    t0_s: float
    t1_s: float
    stroke: int


@dataclass(frozen=True, slots=True)
class LightChange:
    """From ``t_s`` on the first lamp gives ``lamp`` of its light and all others ``rest``."""

    t_s: float
    lamp: float
    rest: float = 1.0


@dataclass(frozen=True, slots=True)
class Nudge:
    """The board slides before the camera by (x, y) mm and turns, softly from t0 to t1."""

    t0_s: float
    t1_s: float
    x_mm: float
    y_mm: float
    turn_rad: float


@dataclass(frozen=True, slots=True)
class FilmDisc:
    """A disc at an instant; ``id`` is its index in ``Timeline.kinds`` throughout the film."""

    id: int
    kind: PieceKind
    place: Place
    velocity_mm_s: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class FilmHand:
    """A hand at an instant; ``who`` is an index into the looks of the film's people."""

    who: int
    seat: Seat
    pose: HandPose


@dataclass(frozen=True, slots=True)
class Moment:
    """Everything that moves, at one instant. ``busy``: ids of the discs under way."""

    t_s: float
    discs: tuple[FilmDisc, ...]
    hands: tuple[FilmHand, ...]
    busy: frozenset[int]

    @property
    def at_rest(self) -> bool:
        """No disc moves; hands may."""
        return not self.busy

    def position(self) -> Position:
        """The discs on the board, in the order of their ids."""
        return Position(
            tuple(
                Disc(disc.kind, disc.place.x_mm, disc.place.y_mm)
                for disc in self.discs
                if disc.place.on_board
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StrokeTruth:
    """One stroke: what was meant, what happened, what was ruled; times in film seconds.

    ``t_place_s``: the striker lies where it is struck from; ``t_start_s``: launch; ``t_end_s``: all
    at rest; ``t_hands_off_s``: the shooter's hand is off the playing surface. ``incidents`` changed
    the outcome of ``trajectory`` into ``outcome``; without one they are equal.
    """

    number: int
    stroke: Stroke
    outcome: StrokeOutcome
    ruling: Ruling
    trajectory: Trajectory = field(repr=False)
    t_place_s: float
    t_start_s: float
    t_end_s: float
    t_hands_off_s: float
    incidents: tuple[Incident, ...] = ()

    @property
    def simulated(self) -> StrokeOutcome:
        """The outcome of physics alone."""
        return self.trajectory.to_outcome(t_start_s=self.t_start_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class Interlude:
    """An outcome without a stroke, and the ruling on it; times in film seconds.

    ``after_stroke``: number of the stroke before it (0: before the first). ``shown``: a picture
    shows it; else a person declared it.
    """

    after_stroke: int
    outcome: StrokeOutcome
    ruling: Ruling
    incident: Incident
    shown: bool

    @property
    def t_end_s(self) -> float:
        """When it is over."""
        return self.incident.t_end_s


@dataclass(frozen=True, kw_only=True)
class Timeline:
    """A filmed match. ``kinds``: of all discs, the striker last (before it the opponent's, if both
    break at once); ``moves``: of each disc."""

    script: FilmScript
    board: BoardSpec
    kinds: tuple[PieceKind, ...]
    start: tuple[Place, ...]
    moves: tuple[tuple[Move, ...], ...] = field(repr=False)
    hands: tuple[HandTrack, ...] = field(repr=False)
    phases: tuple[Phase, ...] = field(repr=False)
    strokes: tuple[StrokeTruth, ...] = field(repr=False)
    interludes: tuple[Interlude, ...] = field(repr=False)
    incidents: tuple[Incident, ...]
    lights: tuple[LightChange, ...]
    nudges: tuple[Nudge, ...]
    duration_s: float
    match: Match = field(repr=False, compare=False)

    @property
    def striker(self) -> int:
        """The striker's id."""
        return len(self.kinds) - 1

    @property
    def judged(self) -> tuple[StrokeTruth | Interlude, ...]:
        """All that the referee ruled on, in the order of the match's log."""
        strokes = {stroke.number: stroke for stroke in self.strokes}
        out: list[StrokeTruth | Interlude] = []
        for number in range(len(self.strokes) + 1):
            out += [strokes[number]] if number in strokes else []
            out += [between for between in self.interludes if between.after_stroke == number]
        return tuple(out)

    def at(self, t_s: float) -> Moment:
        """The state of everything at ``t_s`` film seconds."""
        discs, busy = [], set()
        for index, kind in enumerate(self.kinds):
            move = last_before(self.moves[index], t_s)
            place, velocity = self.start[index], (0.0, 0.0)
            if move is not None:
                place = move.end
                if t_s < move.t1_s:
                    place, velocity = move.at(t_s)
                    busy.add(index)
            discs.append(FilmDisc(index, kind, place, velocity))
        hands = []
        for track in self.hands:
            pose = track.at(t_s)
            if pose is not None:
                hands.append(FilmHand(track.who, track.seat, pose))
        return Moment(t_s, tuple(discs), tuple(hands), frozenset(busy))

    def awake(self, t_s: float) -> frozenset[int]:
        """The discs that move in the stretch around ``t_s`` in which something always moves."""
        stretches = self._stretches
        k = bisect_right(stretches, t_s, key=lambda stretch: stretch[0]) - 1
        if k < 0 or t_s >= stretches[k][1]:
            return frozenset()
        return stretches[k][2]

    @cached_property
    def _stretches(self) -> list[tuple[float, float, frozenset[int]]]:
        """(start, end, discs) of every stretch of time in which moves follow without a gap."""
        spans = sorted(
            (move.t0_s, move.t1_s, disc) for disc, row in enumerate(self.moves) for move in row
        )
        out: list[tuple[float, float, frozenset[int]]] = []
        for start, end, disc in spans:
            if out and start < out[-1][1]:
                a, b, discs = out[-1]
                out[-1] = (a, max(b, end), discs | {disc})
            else:
                out.append((start, end, frozenset({disc})))
        return out

    def phase_at(self, t_s: float) -> Phase | None:
        """What the table is busy with; of several, the one that began last."""
        running = [phase for phase in self.phases if phase.t0_s <= t_s < phase.t1_s]
        return running[-1] if running else None

    def visible_states(self) -> frozenset[DiscState]:
        """All ways in which discs lie in this film between moves."""
        ends = {move.end.state for row in self.moves for move in row}
        ends |= {place.state for place in self.start}
        return frozenset(state for state in ends if state is not None)
