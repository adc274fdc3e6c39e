"""How discs get from one place to another: slides, carries, glides; and hands over time."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import cos, pi, sin

from carrom.seats import Seat
from sim.camera.hands_pose import blend
from sim.camera.hands_types import HandPose
from sim.camera.scene import DiscState
from sim.physics.trajectory import Trajectory

__all__ = [
    "GRIP_MM",
    "Carry",
    "Glide",
    "HandKey",
    "HandTrack",
    "Move",
    "Place",
    "Slide",
    "Tilt",
    "ease",
    "falls_flat",
    "last_before",
    "polar",
    "shifted",
]

GRIP_MM = 7.5
"""Height of the pinch above the lower face of the disc it holds (``hands_pose``)."""

_UPRIGHT_RAD = 0.6
"""A disc that leans more than this stands rather than lies."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a disc is and how it lies; ``state`` ``None``: out of sight (in a hand, on a lap)."""

    x_mm: float
    y_mm: float
    z_mm: float = 0.0
    state: DiscState | None = DiscState.FLAT
    lean_rad: float = 0.0
    lean_towards_rad: float = 0.0

    @property
    def on_board(self) -> bool:
        """True if it counts as lying on the board."""
        return self.on_wood or self.state is DiscState.STACKED

    @property
    def on_wood(self) -> bool:
        """True if physics moves it: what lies on another disc waits until it is put down."""
        return self.state in (DiscState.FLAT, DiscState.HANGING, DiscState.STANDING)


def ease(share: float) -> float:
    """0 to 1 with a soft start and a soft end."""
    s = min(max(share, 0.0), 1.0)
    return s * s * (3 - 2 * s)


@dataclass(frozen=True, slots=True)
class HandKey:
    """A hand's pose at an instant; between two keys it moves softly."""

    t_s: float
    pose: HandPose


@dataclass(frozen=True, slots=True)
class HandTrack:
    """One visit of a hand: comes, does something, goes. ``who``: index into the film's looks."""

    who: int
    seat: Seat
    keys: tuple[HandKey, ...]

    @property
    def t0_s(self) -> float:
        """When it appears."""
        return self.keys[0].t_s

    @property
    def t1_s(self) -> float:
        """When it is gone."""
        return self.keys[-1].t_s

    def at(self, t_s: float) -> HandPose | None:
        """The pose at a time; ``None`` before and after the visit."""
        if not self.t0_s <= t_s <= self.t1_s:
            return None
        k = bisect_right([key.t_s for key in self.keys], t_s) - 1
        if k >= len(self.keys) - 1:
            return self.keys[-1].pose
        a, b = self.keys[k], self.keys[k + 1]
        if a.pose is b.pose:
            return a.pose
        return blend(a.pose, b.pose, ease((t_s - a.t_s) / max(b.t_s - a.t_s, 1e-9)))


@dataclass(frozen=True, slots=True)
class Tilt:
    """A disc gets up on its edge or falls flat while it slides: its lean between two times.

    ``towards_rad``: where its upper face turns to; ``radius_mm``: its own.
    """

    t0_s: float
    t1_s: float
    from_rad: float
    to_rad: float
    towards_rad: float
    radius_mm: float

    def at(self, t_s: float, x_mm: float, y_mm: float) -> Place:
        """How it lies at a time; (x, y): where the trajectory has it."""
        share = ease((t_s - self.t0_s) / max(self.t1_s - self.t0_s, 1e-9))
        lean = self.from_rad + (self.to_rad - self.from_rad) * share
        z = self.radius_mm * sin(lean)
        state = DiscState.STANDING if lean > _UPRIGHT_RAD else DiscState.FLAT
        return Place(x_mm, y_mm, z, state, lean, self.towards_rad)


@dataclass(frozen=True, slots=True)
class Slide:
    """A disc of a stroke: its track in a trajectory launched at ``launch_s``."""

    t0_s: float
    t1_s: float
    launch_s: float
    trajectory: Trajectory
    index: int
    end: Place
    tilt: Tilt | None = None

    def at(self, t_s: float) -> tuple[Place, tuple[float, float]]:
        """Place and velocity (mm/s)."""
        x, y, vx, vy = _on_track(self.trajectory, self.index, t_s - self.launch_s)
        place = Place(x, y) if self.tilt is None else self.tilt.at(t_s, x, y)
        return place, (vx, vy)


def falls_flat(slide: Slide, place: Place, radius_mm: float) -> Slide:
    """The slide of a disc that lay at ``place``: if it stood there, it topples when it is hit."""
    if place.state is not DiscState.STANDING:
        return slide
    lean, towards = place.lean_rad, place.lean_towards_rad
    tilt = Tilt(slide.t0_s, slide.t0_s + 0.1, lean, 0.0, towards, radius_mm)
    return replace(slide, tilt=tilt)


def _on_track(trajectory: Trajectory, disc: int, t_s: float) -> tuple[float, float, float, float]:
    """One disc of ``Trajectory.positions_over`` at one time; the same formula, less overhead."""
    track = trajectory.tracks[disc]
    k = int(track[:, 0].searchsorted(t_s, side="right")) - 1
    if k < 0:
        x, y = trajectory.start_mm[disc]
        return float(x), float(y), 0.0, 0.0
    t0, t1, x, y, ux, uy, speed, slowing = (float(v) for v in track[k])
    dt = min(t_s, t1) - t0
    path = (speed - 0.5 * slowing * dt) * dt
    now = max(speed - slowing * dt, 0.0) if t_s < t1 else 0.0
    return x + ux * path, y + uy * path, ux * now, uy * now


@dataclass(frozen=True, slots=True)
class Carry:
    """A disc between thumb and finger of a hand."""

    t0_s: float
    t1_s: float
    track: HandTrack
    end: Place

    def at(self, t_s: float) -> tuple[Place, tuple[float, float]]:
        """Place and velocity (mm/s): that of the pinch."""
        step = 1e-3
        here, later = self._pinch(t_s), self._pinch(t_s + step)
        before = self._pinch(t_s - step)
        velocity = (later[0] - before[0]) / (2 * step), (later[1] - before[1]) / (2 * step)
        state = DiscState.IN_POCKET if here[2] < -1.0 else DiscState.FLAT
        return Place(*here, state=state), velocity

    def _pinch(self, t_s: float) -> tuple[float, float, float]:
        pose = self.track.at(min(max(t_s, self.t0_s), self.t1_s))
        assert pose is not None
        x, y, z = pose.anchor_mm
        return x, y, z - GRIP_MM


@dataclass(frozen=True, slots=True)
class Glide:
    """A disc that is dragged, falls, or flies: softly or at even speed, ``arc_mm`` up midway.

    ``fall``: z drops as a thing falls instead of evenly; ``turns``: half turns about its edge.
    """

    t0_s: float
    t1_s: float
    start: Place
    end: Place
    arc_mm: float = 0.0
    even: bool = False
    turns: int = 0

    def at(self, t_s: float) -> tuple[Place, tuple[float, float]]:
        """Place and velocity (mm/s)."""
        x, y, share = self._xy(t_s)
        x2, y2, _ = self._xy(t_s + 1e-3)
        drop = share * share if self.end.z_mm < self.start.z_mm else share
        z = self.start.z_mm + (self.end.z_mm - self.start.z_mm) * drop
        z += self.arc_mm * 4 * share * (1 - share)
        a, b = self.start, self.end
        lean = a.lean_rad + (b.lean_rad - a.lean_rad) * share + self.turns * pi * share
        towards = b.lean_towards_rad if b.lean_rad else a.lean_towards_rad
        place = Place(x, y, z, self._state(z), lean, towards)
        return place, ((x2 - x) * 1e3, (y2 - y) * 1e3)

    def _xy(self, t_s: float) -> tuple[float, float, float]:
        share = min(max((t_s - self.t0_s) / max(self.t1_s - self.t0_s, 1e-9), 0.0), 1.0)
        a, b = self.start, self.end
        s = share if self.even else ease(share)
        return a.x_mm + (b.x_mm - a.x_mm) * s, a.y_mm + (b.y_mm - a.y_mm) * s, share

    def _state(self, z_mm: float) -> DiscState | None:
        if self.end.state is DiscState.IN_POCKET:
            return DiscState.IN_POCKET if z_mm < -1.0 else DiscState.FLAT
        if self.end.state is DiscState.OFF_BOARD:
            return DiscState.OFF_BOARD
        if self.end.state in (DiscState.STACKED, DiscState.ON_FRAME):
            return DiscState.FLAT  # in the air until it lies there
        return self.start.state


Move = Slide | Carry | Glide


def shifted(place: Place, dx_mm: float, dy_mm: float) -> Place:
    """The same disc elsewhere."""
    return replace(place, x_mm=place.x_mm + dx_mm, y_mm=place.y_mm + dy_mm)


def polar(x_mm: float, y_mm: float, reach_mm: float, bearing_rad: float) -> tuple[float, float]:
    """A point ``reach_mm`` away in a direction."""
    return x_mm + reach_mm * cos(bearing_rad), y_mm + reach_mm * sin(bearing_rad)


def last_before(moves: Sequence[Move], t_s: float) -> Move | None:
    """The latest move that has begun."""
    k = bisect_right([move.t0_s for move in moves], t_s) - 1
    return moves[k] if k >= 0 else None
