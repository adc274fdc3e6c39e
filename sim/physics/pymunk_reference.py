"""The independent reference: the same stroke in pymunk (Chipmunk), small fixed steps.

Units are mm, g, s. Friction on the board is a ``PivotJoint`` of limited force to the static body:
Coulomb's law, solved together with the contacts. pymunk multiplies restitutions and frictions of
the two shapes that meet, so every disc has two circles: one that only meets discs (roots of the
pair's values) and one that only meets the frame (1, with the frame's values on the other side). A
point in the disc's middle meets the pockets, a sensor each. Frames are 200 mm thick; thin ones let
a fast striker through. (``Body.kinetic_energy`` is m v^2, without the half: not used.)

What differs from the engine, besides the error of the step (direction of an oblique hit: about
v dt / D, where the engine is exact): no ``v_cut`` and ``v_sep``; round corners are polygons, within
0.1 mm and 3 degrees; a cluster is solved as a whole; ``STOPPED`` events come at the next sample.
With dt 1/1000 it is a valid reference for chances, stroke by stroke only from 1/8000
(notes/physics.md, 2.2).
"""

import math
from typing import Any

import numpy as np
import pymunk
import pymunk.batch

from carrom.board_spec import BoardSpec
from carrom.errors import PositionError
from carrom.position import Position
from carrom.stroke import Stroke
from sim.physics.arrays import POCKETS, SIDES, FloatArray, Table
from sim.physics.simulation import prepare
from sim.physics.surface import SurfaceParams, surface_for
from sim.physics.trajectory import SEGMENT_COLUMNS, ImpactEvent, ImpactKind, Trajectory

__all__ = ["PYMUNK_DT_S", "simulate_pymunk"]

PYMUNK_DT_S = 1 / 8000
"""The longest step at which single strokes can be trusted."""

_SLOP_MM = 0.01
_FRAME_MM = 200.0
_CORNER_MM = 20.0
_CORNER_PARTS = 16
_CENTRE_MM = 0.001
_REST_MM_S = 0.5
_SAMPLE_S = 10e-3
_STATE = pymunk.batch.BodyFields.POSITION | pymunk.batch.BodyFields.VELOCITY
_MOST_SECONDS = 150.0

_DISC, _RIM, _WALL, _CENTRE, _HOLE = 1, 2, 4, 8, 16
"""Collision types, and at the same time filter categories."""
_MEETS = {_DISC: _DISC, _RIM: _WALL, _WALL: _RIM, _CENTRE: _HOLE, _HOLE: _CENTRE}


def simulate_pymunk(
    position: Position,
    stroke: Stroke,
    board: BoardSpec,
    surface: SurfaceParams | None = None,
    *,
    dt_s: float = PYMUNK_DT_S,
    most_s: float = _MOST_SECONDS,
) -> Trajectory:
    """One stroke from launch to rest; input, repairs and errors are those of ``simulate``.

    Tracks are sampled: straight stretches between samples at most 10 ms apart, with a sample at
    every impact. ``capped``: it was not over after ``most_s``.
    """
    if not 1e-6 <= dt_s <= 1e-2:
        raise PositionError(f"dt_s: expected 1e-6 to 1e-2, got {dt_s!r}")
    params = surface_for(board) if surface is None else surface
    table, start_mm = prepare(position, stroke, board, params)
    world = _World(table, start_mm, board, params)
    world.launch(stroke)
    duration_s, is_over = world.run(dt_s, most_s)
    return Trajectory(
        board=board,
        surface=params,
        stroke=stroke,
        before=position,
        kinds=table.kinds,
        start_mm=start_mm,
        tracks=world.tracks(),
        events=tuple(world.events),
        duration_s=duration_s,
        capped=not is_over,
    )


class _World:
    """One space with its discs, and what happened in it."""

    def __init__(
        self, table: Table, start_mm: FloatArray, board: BoardSpec, surface: SurfaceParams
    ) -> None:
        self._surface = surface
        self._limits = (surface.capture_speed_mm_s, surface.leave_speed_mm_s)
        self.events: list[ImpactEvent] = []
        self._now_s = 0.0
        self._start_mm = start_mm
        self._slowing = table.deceleration_mm_s2
        self._moves = np.zeros(table.count + 1, dtype=np.bool_)
        self._samples: list[tuple[float, list[int], FloatArray]] = []
        self._fallen: dict[int, tuple[float, float]] = {}
        self._over: dict[int, int] = {}
        self._entered: list[tuple[int, int]] = []
        self._struck: set[int] = set()
        self._framed: set[int] = set()
        self._leaving: set[int] = set()
        self._space = pymunk.Space()
        self._space.collision_slop = _SLOP_MM
        self._buffer = pymunk.batch.Buffer()
        self._add_frame(board, surface)
        self._add_pockets(board)
        self._bodies = [self._add_disc(table, i, start_mm[i]) for i in range(table.count)]
        self._index = {body.id: i for i, body in enumerate(self._bodies)}
        self._rows = self._order()
        self._space.on_collision(_DISC, _DISC, begin=self._on_contact)
        self._space.on_collision(_RIM, _WALL, begin=self._on_frame)
        self._space.on_collision(_CENTRE, _HOLE, begin=self._on_enter)

    def _add_frame(self, board: BoardSpec, surface: SurfaceParams) -> None:
        edge = board.half_mm + _FRAME_MM
        corners = [(-edge, -edge), (edge, -edge), (edge, edge), (-edge, edge)]
        walls = [(corners[k - 1], corners[k], _FRAME_MM) for k in range(4)]
        bend, reach = board.half_mm - board.corner_radius_mm, board.corner_radius_mm + _CORNER_MM
        parts = _CORNER_PARTS if board.corner_radius_mm > 0.0 else 0
        for k in range(4 * parts):
            quarter = k // parts
            sx, sy = ((1, 1), (-1, 1), (-1, -1), (1, -1))[quarter]
            ends = [
                (
                    sx * bend + reach * math.cos(turn * math.pi / 2 / parts),
                    sy * bend + reach * math.sin(turn * math.pi / 2 / parts),
                )
                for turn in (k, k + 1)
            ]
            walls.append((ends[0], ends[1], _CORNER_MM))
        for start, end, radius in walls:
            wall = pymunk.Segment(self._space.static_body, start, end, radius)
            self._set_up(wall, _WALL, surface.restitution_frame, surface.frame_friction)
            self._space.add(wall)

    def _add_pockets(self, board: BoardSpec) -> None:
        self._hole_mm = board.pocket_radius_mm + _CENTRE_MM
        centres = [board.pocket_centres[pocket] for pocket in POCKETS]
        self._hole_at = [(centre.x_mm, centre.y_mm) for centre in centres]
        self._holes: dict[pymunk.Shape, int] = {}
        for number, centre in enumerate(self._hole_at):
            hole = pymunk.Circle(self._space.static_body, board.pocket_radius_mm, centre)
            hole.sensor = True
            self._set_up(hole, _HOLE, 0.0, 0.0)
            self._holes[hole] = number
            self._space.add(hole)

    def _add_disc(self, table: Table, i: int, place: FloatArray) -> pymunk.Body:
        mass, radius = float(table.mass_g[i]), float(table.radius_mm[i])
        body = pymunk.Body(mass, pymunk.moment_for_circle(mass, 0.0, radius))
        body.position = float(place[0]), float(place[1])
        disc, rim = pymunk.Circle(body, radius), pymunk.Circle(body, radius)
        surface = self._surface
        root = math.sqrt(surface.restitution_disc)
        self._set_up(disc, _DISC, root, math.sqrt(surface.rim_friction))
        self._set_up(rim, _RIM, 1.0, 1.0)
        centre = pymunk.Circle(body, _CENTRE_MM)
        centre.sensor = True
        self._set_up(centre, _CENTRE, 0.0, 0.0)
        drag = pymunk.PivotJoint(self._space.static_body, body, (0.0, 0.0), (0.0, 0.0))
        drag.max_bias = 0.0
        drag.max_force = mass * float(table.deceleration_mm_s2[i])
        self._space.add(body, disc, rim, centre, drag)
        return body

    @staticmethod
    def _set_up(shape: pymunk.Shape, role: int, restitution: float, friction: float) -> None:
        shape.collision_type = role
        shape.filter = pymunk.ShapeFilter(categories=role, mask=_MEETS[role])
        shape.elasticity, shape.friction = restitution, friction

    def launch(self, stroke: Stroke) -> None:
        self._bodies[-1].velocity = stroke.velocity_mm_s
        self._moves[len(self._bodies) - 1] = True

    def run(self, dt_s: float, most_s: float) -> tuple[float, bool]:
        """Step until all is at rest; the time, and whether it was the end."""
        every = max(1, round(_SAMPLE_S / dt_s))
        self._sample()
        step, most_steps = 0, math.ceil(most_s / dt_s)
        while step < most_steps:
            step += 1
            self._now_s = step * dt_s
            self._space.step(dt_s)
            has_news = bool(self._struck or self._entered)
            if has_news or self._over:
                self._pockets()
            if has_news or step % every == 0:
                self._sample()
                if not self._moves.any():
                    return self._now_s, True
        return self._now_s, False

    def _note(self, kind: ImpactKind, i: int, **more: Any) -> None:
        place = self._bodies[i].position
        event = ImpactEvent(
            t_s=self._now_s, kind=kind, a=i, x_mm=float(place.x), y_mm=float(place.y), **more
        )
        self.events.append(event)

    def _disc_of(self, shape: pymunk.Shape) -> int:
        assert shape.body is not None
        return self._index[shape.body.id]

    def _on_contact(self, arbiter: pymunk.Arbiter, _space: pymunk.Space, _data: Any) -> None:
        a, b = sorted(self._disc_of(shape) for shape in arbiter.shapes)
        self._struck |= {a, b}
        self._note(ImpactKind.CONTACT, a, b=b)

    def _on_frame(self, arbiter: pymunk.Arbiter, _space: pymunk.Space, _data: Any) -> None:
        i = self._disc_of(arbiter.shapes[0])
        body, leave = self._bodies[i], self._limits[1]
        if leave is not None and abs(body.velocity.dot(arbiter.normal)) > leave:
            self._leaving.add(i)
            arbiter.process_collision = False
        self._struck.add(i)
        if i not in self._framed:  # once a step, however many parts of a corner are met
            self._framed.add(i)
            x_mm, y_mm = body.position
            side = (2 if y_mm > 0 else 0) if abs(y_mm) > abs(x_mm) else (1 if x_mm > 0 else 3)
            self._note(ImpactKind.FRAME, i, side=SIDES[side])

    def _on_enter(self, arbiter: pymunk.Arbiter, _space: pymunk.Space, _data: Any) -> None:
        centre, hole = arbiter.shapes
        self._entered.append((self._disc_of(centre), self._holes[hole]))

    def _pockets(self) -> None:
        """After a step: who leaves the board, comes out of a hole, flies over one or falls."""
        for i in self._leaving:
            self._note(ImpactKind.OFF_BOARD, i)
            self._remove(i)
        for i, hole in tuple(self._over.items()):
            if self._bodies[i].position.get_distance(self._hole_at[hole]) > self._hole_mm:
                del self._over[i]
                self._bodies[i].velocity *= self._surface.lip_speed_kept
                self._note(ImpactKind.LEFT_POCKET, i, pocket=POCKETS[hole])
        fresh = {i: hole for i, hole in self._entered if self._is_on(i)}
        self._over |= fresh
        for i, hole in tuple(self._over.items()):
            speed, capture = self._bodies[i].velocity.length, self._limits[0]
            is_slow = capture is None or speed <= capture
            if (is_slow and (i in self._struck or i in fresh)) or speed <= _REST_MM_S:
                self._note(ImpactKind.POCKETED, i, pocket=POCKETS[hole])
                self._remove(i)
            elif i in fresh:
                self._note(ImpactKind.OVER_POCKET, i, pocket=POCKETS[hole])
        for news in (self._entered, self._struck, self._framed, self._leaving):
            news.clear()

    def _remove(self, i: int) -> None:
        body = self._bodies[i]
        self._over.pop(i, None)
        self._fallen[i] = (float(body.position.x), float(body.position.y))
        self._space.remove(body, *body.shapes, *body.constraints)
        self._rows = self._order()

    def _is_on(self, i: int) -> bool:
        return i not in self._fallen

    def _sample(self) -> None:
        """Keep all places; discs that came to rest since the last time lose their spin."""
        self._buffer.clear()
        pymunk.batch.get_space_bodies(self._space, _STATE, self._buffer)
        state = np.frombuffer(self._buffer.float_buf(), dtype=np.float64).reshape(-1, 4).copy()
        moves = np.zeros(len(self._bodies) + 1, dtype=np.bool_)
        moves[self._rows] = (np.abs(state[:, 2:]) > _REST_MM_S).any(axis=1)
        if (self._moves > moves).any():
            for i in np.flatnonzero(self._moves & ~moves).tolist():
                if self._is_on(i):
                    self._bodies[i].angular_velocity = 0.0
                    self._note(ImpactKind.STOPPED, i)
        self._moves = moves
        self._samples.append((self._now_s, self._rows, state))

    def _order(self) -> list[int]:
        """Which disc each row of a sample is; the static body, which is among them, is n."""
        self._buffer.clear()
        fields = pymunk.batch.BodyFields.BODY_ID
        pymunk.batch.get_space_bodies(self._space, fields, self._buffer)
        numbers = np.frombuffer(self._buffer.int_buf(), dtype=np.uintp).tolist()
        return [self._index.get(number, len(self._bodies)) for number in numbers]

    def tracks(self) -> tuple[FloatArray, ...]:
        """Per disc the stretches between samples in which it moved; see ``Trajectory``."""
        times = np.array([sample[0] for sample in self._samples])
        places = np.empty((len(times), len(self._bodies) + 1, 2))
        now = np.vstack([self._start_mm, [0.0, 0.0]])
        for k, (_, rows, state) in enumerate(self._samples):
            now[rows] = state[:, :2]
            for i, fallen in self._fallen.items():
                if i not in rows:
                    now[i] = fallen
            places[k] = now
        steps, ways = np.diff(times), np.diff(places, axis=0)
        lengths = np.hypot(ways[..., 0], ways[..., 1])
        return tuple(
            _track(times, steps, places[:, i], ways[:, i], lengths[:, i], float(slowing))
            for i, slowing in enumerate(self._slowing)
        )


def _track(
    times: FloatArray,
    steps: FloatArray,
    places: FloatArray,
    ways: FloatArray,
    lengths: FloatArray,
    slowing: float,
) -> FloatArray:
    """(k, 8) float64. A stretch that the disc slides through to its end slows down evenly."""
    rows = np.flatnonzero(lengths > 1e-9)
    track = np.zeros((len(rows), SEGMENT_COLUMNS))
    track[:, 0], track[:, 1] = times[rows], times[rows + 1]
    track[:, 2:4] = places[rows]
    track[:, 4:6] = ways[rows] / lengths[rows, None]
    mean = lengths[rows] / steps[rows]
    loss = slowing * steps[rows]
    is_slide = mean >= 0.5 * loss
    track[:, 6] = mean + np.where(is_slide, 0.5 * loss, 0.0)
    track[:, 7] = np.where(is_slide, slowing, 0.0)
    return track
