"""What the striker touched, in order: discs of the rest before and parts of the frame.

Between two frames a striker goes far and may bounce. So its way is not read off the fixes: ways
for every launch angle are worked out in closed form (straight lines; a disc or the frame changes
them as an impact does), and those that pass through the fixes, leave the discs as they left and
touch them in the order in which they left are the likely ones. Discs that never moved are not in
the way. Speeds do not matter, only the shape: friction slows a disc but does not turn it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, pi

import numpy as np

from carrom.board_marks import to_seat_frame
from carrom.board_spec import BoardFamily, BoardSpec
from carrom.events import FramePart
from carrom.pieces import PieceKind
from carrom.seats import Seat, opposite
from vision.arrays import Array
from vision.following.episode import Episode, Motion
from vision.following.rest import RestDisc

__all__ = ["ContactChain", "Touched", "contact_chains", "frame_part"]

_LEGS = 4
_ANGLES = 720
_FINE, _FINE_RAD = 240, 0.0105
"""Angles of the closer look, and how far to both sides of a coarse one it reaches."""
_RESTITUTION = 0.85
_FRAME_RESTITUTION, _FRAME_DRAG = 0.75, 0.9
"""Of the speeds into and along the frame, what is left; rounded from notes/physics.md."""
_FIX_MM, _FIX_AFTER_MM = 1.5, 6.0
"""How far a fix may lie from the way: on the first leg, and after each impact."""
_LEFT_RAD = 0.15
_IN_A_PACK, _GAP_MM = 0.1, 2.0
_LEAST_FIXES = 2
_BOUNCE = 2.5
"""Most strokes go straight at a disc: log odds against every bounce before it."""
_FRAME_S = 1.0 / 30.0
_FASTEST_MM_S = 8000.0
_CAP = 16.0
"""No single fact outweighs this: one fix may be another disc's."""


@dataclass(frozen=True, slots=True)
class Touched:
    """One contact: a disc, as it lay before the stroke, or a part of the frame."""

    disc: RestDisc | None
    frame: FramePart | None = None


@dataclass(frozen=True, slots=True)
class ContactChain:
    """Contacts in order up to the first disc or the end of what is known; ``chance`` of it."""

    contacts: tuple[Touched, ...]
    chance: float

    @property
    def first_disc(self) -> RestDisc | None:
        """The first disc that was touched."""
        return next((one.disc for one in self.contacts if one.disc is not None), None)


def frame_part(spec: BoardSpec, shooter: Seat, side: Seat, x_mm: float, y_mm: float) -> FramePart:
    """The part of the frame on ``side`` at (x, y), as the shooter sees it (HK-36).

    The side frames are divided by the line of his area, on Indian boards by his far base line.
    """
    if side is opposite(shooter):
        return FramePart.FRONT
    if side is shooter:
        return FramePart.OWN_BACK
    hikone = spec.family is BoardFamily.HIKONE
    line_mm = spec.area_line_y_mm if hikone else spec.base_lines_y.far_mm
    beyond = to_seat_frame(shooter, x_mm, y_mm).y_mm >= line_mm
    return FramePart.SIDE_OUTSIDE if beyond else FramePart.SIDE_INSIDE


def contact_chains(
    spec: BoardSpec, episode: Episode, moved: Sequence[RestDisc]
) -> tuple[ContactChain, ...]:
    """The likely chains, best first; chances add up to 1. ``moved``: discs that the stroke moved,
    those that left the board included."""
    ways = _Ways(spec, episode, moved)
    coarse = np.linspace(-pi, pi, _ANGLES, endpoint=False)
    score, _ = ways.follow(coarse)
    best = coarse[np.argsort(-score, kind="stable")[:6]]
    spread = np.linspace(-_FINE_RAD, _FINE_RAD, _FINE // 2)
    fine = np.unique(np.round((best[:, None] + spread).ravel(), 6))
    score, chains = ways.follow(fine)
    weights = np.exp(score - score.max())
    weights /= weights.sum()
    summed: dict[tuple[int, ...], float] = {}
    points: dict[tuple[int, ...], tuple[float, int]] = {}
    for k, chain in enumerate(chains):
        weight = float(weights[k])
        summed[chain] = summed.get(chain, 0.0) + weight
        if chain not in points or weight > points[chain][0]:
            points[chain] = (weight, k)
    ranked = sorted(summed.items(), key=lambda row: (-row[1], row[0]))
    return tuple(
        ContactChain(ways.named(chain, points[chain][1]), chance)
        for chain, chance in ranked
        if chance >= 0.005
    )


_SIDES = (Seat.EAST, Seat.WEST, Seat.NORTH, Seat.SOUTH)


class _Ways:
    """Ways of the striker for many launch angles at once. Chains are indexes: discs from 0 on,
    sides of the frame -1 to -4 in the order of ``_SIDES``."""

    def __init__(self, spec: BoardSpec, episode: Episode, moved: Sequence[RestDisc]) -> None:
        self._spec, self._episode = spec, episode
        self._discs = sorted(moved, key=lambda d: (d.x_mm, d.y_mm, d.track))
        radii = spec.radii_mm
        self._striker_mm = radii[PieceKind.STRIKER]
        self._at = np.array([[d.x_mm, d.y_mm] for d in self._discs]).reshape(-1, 2)
        self._reach = np.array([self._striker_mm + radii[d.kind] for d in self._discs])
        striker_g = spec.disc(PieceKind.STRIKER).mass_g.value
        mass_g = np.array([spec.disc(d.kind).mass_g.value for d in self._discs])
        self._kick = (1.0 + _RESTITUTION) * mass_g / (mass_g + striker_g)
        self._room = spec.half_mm - self._striker_mm
        self._packed = self._in_packs()
        self._bounces: Array = np.empty((0, _LEGS, 2))
        motions = [episode.motions.get(d.track) for d in self._discs]
        self._left = [None if m is None or m.handled else m for m in motions]
        self._first_s = min((m.from_s for m in self._left if m is not None), default=None)
        self._fixes = self._of_interest()

    def _of_interest(self) -> Array:
        """(f, 2) fixes up to one look after the first disc left; a few more if none did."""
        until = np.inf if self._first_s is None else self._first_s + 1.6 * _FRAME_S
        path = self._episode.striker_path
        path = [f for k, f in enumerate(path) if f.t_s <= until or k < _LEAST_FIXES][:8]
        return np.array([[f.x_mm, f.y_mm] for f in path]).reshape(-1, 2)

    def _farthest_mm(self) -> float:
        """How far the striker can have come when the first disc left."""
        if self._first_s is None:
            return np.inf
        return _FASTEST_MM_S * (self._first_s - self._episode.t0_s + 0.25 * _FRAME_S)

    def follow(self, angles: Array) -> tuple[Array, list[tuple[int, ...]]]:
        """Log likelihood of each angle, and the chain of contacts on its way."""
        count = len(angles)
        at = np.tile(np.array(self._episode.placement_mm, dtype=np.float64), (count, 1))
        way = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        free = np.ones((count, len(self._discs)), dtype=np.bool_)
        nearest = np.full((count, len(self._fixes)), _CAP)
        last = np.full(count, np.inf)
        ends = np.zeros(count, dtype=np.int64)
        chains: list[list[int]] = [[] for _ in range(count)]
        done = np.zeros(count, dtype=np.bool_)
        gone_mm = np.zeros(count)
        bounces = np.zeros((count, _LEGS, 2))
        score = np.zeros(count)
        for leg in range(_LEGS):
            length, what = self._next(at, way, free)
            off = self._pass_by(at, way, length, leg, nearest)
            ends, last = np.where(off < last, leg, ends), np.minimum(off, last)
            at = at + way * length[:, None]
            gone_mm += length
            bounces[:, leg] = at
            for k in np.flatnonzero(~done):
                chains[k].append(int(what[k]))
                score[k] -= _BOUNCE * (what[k] < 0)
                if what[k] >= 0:
                    done[k] = True
                    score[k] += self._departure(int(what[k]), at[k])
                    score[k] -= _CAP * (gone_mm[k] > self._farthest_mm())
            way = self._turned(at, way, what)
            hit = np.flatnonzero(what >= 0)
            free[hit, what[hit]] = False
        self._bounces = bounces
        score += -0.5 * nearest.sum(axis=1)
        score -= np.where(done, 0.0, 6.0 if self._first_s is not None else 0.0)
        # Without a disc at its end a way is known only as far as the last fix on it.
        return score, [
            tuple(chain if done[k] else chain[: int(ends[k])]) for k, chain in enumerate(chains)
        ]

    def _next(self, at: Array, way: Array, free: Array) -> tuple[Array, Array]:
        """(n,) mm to the next contact and what it is."""
        rel = self._at[None] - at[:, None]
        along = rel[..., 0] * way[:, None, 0] + rel[..., 1] * way[:, None, 1]
        beside = rel[..., 1] * way[:, None, 0] - rel[..., 0] * way[:, None, 1]
        inside = self._reach**2 - beside**2
        touch = np.where(
            free & (along > 0) & (inside > 0), along - np.sqrt(np.maximum(inside, 0)), np.inf
        )
        touch = np.maximum(touch, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            walls = np.stack(
                [
                    np.where(sign * way[:, axis] > 1e-9,
                             (self._room - sign * at[:, axis]) / (sign * way[:, axis]), np.inf)
                    for axis in (0, 1) for sign in (1.0, -1.0)
                ],
                axis=1,
            )  # fmt: skip
        walls = np.maximum(walls, 0.0)
        side = walls.argmin(axis=1)
        length = walls[np.arange(len(at)), side]
        what = -1 - side
        if len(self._discs):
            disc = touch.argmin(axis=1)
            to_disc = touch[np.arange(len(at)), disc]
            nearer = to_disc <= length
            length, what = np.where(nearer, to_disc, length), np.where(nearer, disc, what)
        return length, what

    def _pass_by(self, at: Array, way: Array, length: Array, leg: int, nearest: Array) -> Array:
        """Note how near this leg comes to the fixes, in squared deviations; (n,) to the last."""
        if not len(self._fixes):
            return np.full(len(at), np.inf)
        rel = self._fixes[None] - at[:, None]
        along = rel[..., 0] * way[:, None, 0] + rel[..., 1] * way[:, None, 1]
        along = np.clip(along, 0.0, length[:, None])
        off = np.hypot(rel[..., 0] - along * way[:, None, 0], rel[..., 1] - along * way[:, None, 1])
        sigma = _FIX_MM if leg == 0 else _FIX_AFTER_MM * leg + 0.1 * along
        squared = (off / sigma) ** 2 + 2.0 * (leg > 0)
        np.minimum(nearest, squared, out=nearest)
        ends: Array = squared[:, -1]
        return ends

    def _turned(self, at: Array, way: Array, what: Array) -> Array:
        """Unit directions after the contact."""
        new = way.copy()
        for side in range(4):
            on = what == -1 - side
            axis = side // 2
            new[on, axis] *= -_FRAME_RESTITUTION
            new[on, 1 - axis] *= _FRAME_DRAG
        hit = np.flatnonzero(what >= 0)
        if len(hit):
            line = self._at[what[hit]] - at[hit]
            line /= np.maximum(np.hypot(line[:, 0], line[:, 1]), 1e-9)[:, None]
            into = (way[hit] * line).sum(axis=1)
            new[hit] -= (self._kick[what[hit]] * into)[:, None] * line
        size = np.maximum(np.hypot(new[:, 0], new[:, 1]), 1e-9)
        return new / size[:, None]

    def _departure(self, disc: int, at: Array) -> float:
        """Log likelihood that a disc touched first from here left as it did."""
        motion: Motion | None = self._left[disc]
        if motion is None or self._first_s is None or not motion.fixes:
            return -2.0 if self._first_s is not None else 0.0
        late = (motion.from_s - self._first_s) / _FRAME_S
        old, fix = self._discs[disc], motion.fixes[0]
        went = np.array([fix.x_mm - old.x_mm, fix.y_mm - old.y_mm])
        off = hypot(float(went[0]), float(went[1]))
        score = -1.5 * late
        if off > 5.0:
            line = self._at[disc] - at
            line = line / max(hypot(float(line[0]), float(line[1])), 1e-9)
            turn = abs(float(np.arctan2(line[0] * went[1] - line[1] * went[0], line @ went)))
            blur = _LEFT_RAD + 1.0 / off + off / 300.0  # farther on it may have met another
            score -= 0.5 * min((turn / blur) ** 2, _CAP)
        return score * (_IN_A_PACK if self._packed[disc] else 1.0)

    def _in_packs(self) -> list[bool]:
        """Whether each disc touches another: then it passes the impact on and leaves late."""
        gaps = np.hypot(*(self._at[:, None] - self._at[None]).transpose(2, 0, 1))
        radii = self._reach - self._striker_mm
        near = gaps < radii[:, None] + radii[None] + _GAP_MM
        near &= ~np.eye(len(near), dtype=np.bool_)
        return [bool(row.any()) for row in near]

    def named(self, chain: tuple[int, ...], k: int) -> tuple[Touched, ...]:
        """The chain of way ``k`` in words."""
        out = []
        for leg, what in enumerate(chain):
            if what >= 0:
                out.append(Touched(self._discs[what]))
            else:
                x, y = (float(v) for v in self._bounces[k, leg])
                side = _SIDES[-1 - what]
                out.append(Touched(None, frame_part(self._spec, self._episode.seat, side, x, y)))
        return tuple(out)
