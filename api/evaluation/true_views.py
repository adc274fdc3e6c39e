"""Views of a table straight from a film's timeline, without drawing a picture.

What the eyes would report, with errors of the size they make: for building what follows the eyes,
and for telling its mistakes from theirs. Hands are a finger, a hand and a forearm seen from above.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from carrom.board_spec import BoardFamily, BoardSpec
from carrom.pieces import HIKONE_SET, INDIAN_SET, PieceKind
from sim.camera.films.timeline import FilmDisc, Moment, Timeline
from sim.camera.scene import DiscState
from vision.arrays import Array
from vision.board_crop import CROP_MARGIN
from vision.seen import DiscSeen, Place
from vision.table_view import CELLS, Look, TableView

__all__ = ["PERFECT", "ViewNoise", "views_of"]

_PLACES = {
    DiscState.FLAT: Place.SURFACE,
    DiscState.STACKED: Place.ON_DISC,
    DiscState.LEANING: Place.ON_DISC,
    DiscState.STANDING: Place.SURFACE,
    DiscState.HANGING: Place.HANGING,
    DiscState.ON_FRAME: Place.FRAME,
    DiscState.IN_POCKET: Place.POCKET,
}
_FINGER = (0.0, 45.0, 10.0)
_HAND = (40.0, 170.0, 42.0)
_FOREARM = (150.0, 700.0, 36.0)
"""From the contact point backwards (mm): start, end, half width."""
_CAMERA_MM = 1200.0
_LOOKS_AT_REST_S = (0.0, 0.12, 0.24, 0.36)
_REST_PERIOD_S = 0.5


@dataclass(frozen=True, slots=True)
class ViewNoise:
    """``place_mm``: per coordinate and look; ``missed``: share of discs not reported in a look;
    ``missed_fast``: of those faster than 1 m/s; ``phantoms``: false discs a look; ``misnamed``:
    share with another kind on top; ``netted``: share of looks in which a disc in a net is seen."""

    place_mm: float = 0.5
    missed: float = 0.02
    missed_fast: float = 0.12
    phantoms: float = 0.004
    misnamed: float = 0.01
    netted: float = 0.5


PERFECT = ViewNoise(0.0, 0.0, 0.0, 0.0, 0.0, 1.0)


def views_of(
    timeline: Timeline,
    *,
    fps: float = 30.0,
    noise: ViewNoise = ViewNoise(),
    seed: int = 0,
    t0_s: float = 0.0,
    t1_s: float | None = None,
) -> Iterator[TableView]:
    """One view a frame from ``t0_s`` to ``t1_s`` (the film's end), in film seconds.

    Looks come with every frame while discs move or hands are there, a few times after that, and
    twice a second at rest.
    """
    eye = _Eye(timeline.board, noise, np.random.default_rng((seed, 91)))
    until = timeline.duration_s if t1_s is None else t1_s
    last_change_s, last_look_s, before = t0_s, -1e9, None
    looked = 0
    for seq in range(int((until - t0_s) * fps) + 1):
        t_s = t0_s + seq / fps
        moment = timeline.at(t_s)
        changed = eye.changed(before, moment)
        busy = bool(moment.hands) or bool(changed.any())
        if busy:
            last_change_s, looked = t_s, 0
        due = looked < len(_LOOKS_AT_REST_S) and t_s - last_change_s >= _LOOKS_AT_REST_S[looked]
        look = None
        if busy or due or t_s - last_look_s >= _REST_PERIOD_S:
            look, last_look_s = eye.look(moment), t_s
            looked += 0 if busy else 1
        yield TableView(round(t_s, 6), seq, look, eye.covered(moment), changed)
        before = moment


class _Eye:
    def __init__(self, board: BoardSpec, noise: ViewNoise, rng: np.random.Generator) -> None:
        self.board, self.noise, self.rng = board, noise, rng
        hikone = board.family is BoardFamily.HIKONE
        self.kinds = [*(HIKONE_SET if hikone else INDIAN_SET), PieceKind.STRIKER]
        line = (np.arange(CELLS) + 0.5) / CELLS * 2 - 1
        half = board.half_mm * CROP_MARGIN
        self.cells = np.stack(np.meshgrid(line * half, -line * half), axis=-1)
        self.cell_mm = 2 * half / CELLS

    def covered(self, moment: Moment) -> Array:
        """(16, 16) bool: cells at least half under a hand."""
        out = np.zeros((CELLS, CELLS), dtype=np.bool_)
        for hand in moment.hands:
            out |= _over(hand.pose.anchor_mm, hand.pose.yaw_rad, self.cells, 0.0)
        return out

    def changed(self, before: Moment | None, now: Moment) -> Array:
        """(16, 16) bool: cells in which something moved since the frame before."""
        out = np.zeros((CELLS, CELLS), dtype=np.bool_)
        if before is None:
            return out
        for old, new in zip(before.discs, now.discs, strict=True):
            a, b = old.place, new.place
            if (a.x_mm, a.y_mm, a.state) != (b.x_mm, b.y_mm, b.state):
                for place in (a, b):
                    if place.state is not None:
                        out |= self._near(place.x_mm, place.y_mm)
        poses = [{h.who: h.pose for h in moment.hands} for moment in (before, now)]
        for who in poses[0].keys() | poses[1].keys():
            pair = [pose.get(who) for pose in poses]
            if pair[0] != pair[1]:
                for pose in pair:
                    if pose is not None:
                        out |= _over(pose.anchor_mm, pose.yaw_rad, self.cells, 15.0)
        return out

    def _near(self, x_mm: float, y_mm: float) -> Array:
        out: Array = np.hypot(self.cells[..., 0] - x_mm, self.cells[..., 1] - y_mm) < self.cell_mm
        return out

    def look(self, moment: Moment) -> Look:
        """What a detector would report."""
        sure: list[DiscSeen] = []
        doubtful: list[DiscSeen] = []
        for disc in moment.discs:
            seen = self._seen(disc, moment)
            if seen is not None:
                (sure if seen.confidence >= 0.5 else doubtful).append(seen)
        if self.rng.random() < self.noise.phantoms:
            x, y = self.rng.uniform(-0.9, 0.9, 2) * self.board.half_mm
            kind = self.kinds[int(self.rng.integers(len(self.kinds)))]
            sure.append(self._disc(kind, float(x), float(y), Place.SURFACE, 1.0, 0.6))
        return Look(tuple(sure), tuple(doubtful))

    def _seen(self, disc: FilmDisc, moment: Moment) -> DiscSeen | None:
        place, noise = disc.place, self.noise
        if place.state is None or place.state not in _PLACES:
            return None
        where = _PLACES[place.state]
        radius = self.board.radii_mm[disc.kind]
        visible = self._visible(place.x_mm, place.y_mm, radius, moment)
        speed = float(np.hypot(*disc.velocity_mm_s))
        missed = noise.missed_fast if speed > 1000 else noise.missed
        missed = max(missed, 0.97 if visible < 0.4 else 0.3 if visible < 0.7 else 0.0)
        if where is Place.POCKET:
            missed = 1.0 - noise.netted
        if self.rng.random() < missed:
            return None
        out = 1.0 / (1.0 - place.z_mm / _CAMERA_MM)  # a raised disc looks farther from the middle
        out = out if place.z_mm > 12.0 else 1.0
        x, y = np.array([place.x_mm, place.y_mm]) * out + self.rng.normal(0, noise.place_mm, 2)
        sure = 0.45 if place.state is DiscState.STANDING else 0.5 + 0.48 * visible
        return self._disc(disc.kind, float(x), float(y), where, visible, sure)

    def _visible(self, x: float, y: float, radius: float, moment: Moment) -> float:
        turn = np.arange(12) * (np.pi / 6)
        ring = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
        spots = np.concatenate([ring * 0.85, ring[::2] * 0.45, np.zeros((1, 2))]) * radius + (x, y)
        hidden = np.zeros(len(spots), dtype=np.bool_)
        for hand in moment.hands:
            hidden |= _over(hand.pose.anchor_mm, hand.pose.yaw_rad, spots, 0.0)
        return 1.0 - float(hidden.mean())

    def _disc(
        self, kind: PieceKind, x: float, y: float, place: Place, visible: float, sure: float
    ) -> DiscSeen:
        odds = dict.fromkeys(self.kinds, 0.02 / (len(self.kinds) - 1))
        odds[kind] = 0.98
        if self.rng.random() < self.noise.misnamed:
            other = self.kinds[int(self.rng.integers(len(self.kinds)))]
            odds = dict.fromkeys(self.kinds, 0.05 / len(self.kinds))
            odds[kind], odds[other] = odds[kind] + 0.35, odds[other] + 0.6
        top = max(odds, key=lambda one: odds[one])
        radius = self.board.radii_mm[kind]
        at = (500.0 + x, 500.0 - y)
        return DiscSeen(top, x, y, *at, radius, radius, place, visible, sure, odds, refined=True)


def _over(
    anchor_mm: tuple[float, float, float], yaw_rad: float, points: Array, wider_mm: float
) -> Array:
    """Which of (..., 2) points, mm, lie under a hand whose contact point is ``anchor_mm``."""
    ahead = np.array([np.cos(yaw_rad), np.sin(yaw_rad)])
    rel = np.asarray(points) - anchor_mm[:2]
    back, across = -(rel @ ahead), np.abs(rel @ np.array([-ahead[1], ahead[0]]))
    out = np.zeros(back.shape, dtype=np.bool_)
    for start, end, half in (_FINGER, _HAND, _FOREARM):
        out |= (back >= start) & (back <= end) & (across <= half + wider_mm)
    return out
