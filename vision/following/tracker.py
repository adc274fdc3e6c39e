"""Which disc of a look is which disc of the one before: one-to-one, in millimetres.

A man at 1 m/s goes 33 mm between two frames, so boxes do not overlap; the assignment of least total
way, with the lesser of the ways from where it lay and from where friction takes it, loses fewest
(notes/ecosystem.md section 4). Order of the discs in a look never matters.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from carrom.pieces import PieceKind
from vision.arrays import Array
from vision.following.cover_map import CoverMap
from vision.following.track import Track
from vision.seen import DiscSeen, Place
from vision.table_view import CELLS, Look, TableView

__all__ = ["Tracker"]

_FAST_MM_S = 7000.0
_REST_GATE_MM = 14.0
_KIND_MM = 80.0
"""A certain difference of kinds weighs as much as so long a way."""
_DOUBTFUL_MM = 12.0
"""A doubtful disc keeps a track alive that lies this near, and begins none."""
_FIRM_HITS = 2
_NO_GHOST, _GHOST_MM = 0.93, 6.0
_DROP_S = 8.0
_FOLLOWED_S = 0.7
"""Who has not been seen for longer than this comes back where he was, or as a new one."""
_KNOWN_HITS, _SURELY = 6, 0.95
_HARDLY, _NEARLY = -5.0, -0.01
"""Logs of the chance that a track is the striker's: as good as none, as good as certain."""
_OFF_PLACE_MM = 18.0
"""A disc and its like in a net or on the frame are as far apart as this, at least in cost."""


class Tracker:
    """Follows all discs. ``half_mm``: of the surface; ``radius_mm``: of the largest disc."""

    def __init__(self, half_mm: float, radius_mm: float) -> None:
        self._half_mm, self._radius_mm = half_mm, radius_mm
        self.tracks: list[Track] = []
        self.ghosts: Sequence[tuple[float, float]] = ()
        """Places, mm, where something that is no disc looks like one."""
        self._next = 1
        self._last_s: float | None = None
        self._stirred = np.zeros((CELLS, CELLS), dtype=np.bool_)
        """Cells that changed since the last look."""

    @property
    def firm(self) -> tuple[Track, ...]:
        """Tracks that more than one look has seen."""
        return tuple(track for track in self.tracks if track.hits >= _FIRM_HITS)

    def step(self, view: TableView) -> tuple[Track, ...]:
        """Take a view; the firm tracks after it, those that are missing included."""
        self._stirred = self._stirred | view.changed
        if view.look is None:
            return self.firm
        t_s, look = view.t_s, self._without_ghosts(view.look)
        dt = 0.0 if self._last_s is None else max(t_s - self._last_s, 1e-3)
        self._last_s = t_s
        covered = CoverMap(self._half_mm, view.covered)
        stirred = CoverMap(self._half_mm, self._stirred)
        self._stirred = np.zeros((CELLS, CELLS), dtype=np.bool_)
        discs = sorted(look.discs, key=lambda d: (d.x_mm, d.y_mm, d.kind))
        pairs = self._assign(discs, t_s, min(dt, 0.25), stirred)
        taken = {k for _, k in pairs}
        for track, k in pairs:
            disc = discs[k]
            track.see(disc, t_s, covered.at(disc.x_mm, disc.y_mm, disc.radius_mm))
            track.be_sure(t_s)
        matched = {track.id for track, _ in pairs}
        self._keep_by_doubtful(look, matched, t_s, covered)
        for track in self.tracks:
            if track.id not in matched:
                track.miss(t_s)
                if not covered.at(track.last.x_mm, track.last.y_mm, self._radius_mm):
                    track.doubt()
        for k, disc in enumerate(discs):
            if k not in taken:
                self._begin(disc, t_s, covered)
        self.tracks = [track for track in self.tracks if not self._over(track, t_s)]
        return self.firm

    def _without_ghosts(self, look: Look) -> Look:
        """Without what has looked like a disc there before and was none, unless this is sure."""
        if not self.ghosts:
            return look

        def real(disc: DiscSeen) -> bool:
            if disc.confidence >= _NO_GHOST or disc.place is not Place.SURFACE:
                return True
            return all(np.hypot(disc.x_mm - x, disc.y_mm - y) > _GHOST_MM for x, y in self.ghosts)

        return Look(tuple(filter(real, look.discs)), tuple(filter(real, look.doubtful)))

    def drop(self, track_id: int) -> None:
        """Forget a track: it has been judged to have left."""
        self.tracks = [track for track in self.tracks if track.id != track_id]

    def clear(self) -> None:
        """Forget all: another board, or another place of the camera."""
        self.tracks, self._last_s = [], None

    def _begin(self, disc: DiscSeen, t_s: float, covered: CoverMap) -> None:
        track = Track(self._next, t_s)
        self._next += 1
        track.see(disc, t_s, covered.at(disc.x_mm, disc.y_mm, disc.radius_mm))
        track.sure_s = t_s
        self.tracks.append(track)

    def _over(self, track: Track, t_s: float) -> bool:
        if track.missing_since_s is None:
            return False
        gone_s = t_s - track.missing_since_s
        return gone_s > (_DROP_S if track.hits >= _FIRM_HITS else 0.15)

    def _assign(
        self, discs: Sequence[DiscSeen], t_s: float, dt: float, stirred: CoverMap
    ) -> list[tuple[Track, int]]:
        from scipy.optimize import linear_sum_assignment  # slow to import

        tracks = self.tracks
        if not tracks or not discs:
            return []
        cost, allowed = self._costs(tracks, discs, t_s, dt, stirred)
        rows, columns = linear_sum_assignment(np.where(allowed, cost, 1e5))
        return [(tracks[i], int(k)) for i, k in zip(rows, columns, strict=True) if allowed[i, k]]

    def _costs(
        self,
        tracks: Sequence[Track],
        discs: Sequence[DiscSeen],
        t_s: float,
        dt: float,
        stirred: CoverMap,
    ) -> tuple[Array, Array]:
        """(tracks, discs) mm, and which pairs can be."""
        at = np.array([[d.x_mm, d.y_mm] for d in discs])
        here = np.array(
            [
                t.anchor if t.still_since_s is not None else (t.last.x_mm, t.last.y_mm)
                for t in tracks
            ]
        )
        there = np.array([t.predicted(t_s) for t in tracks])
        still = np.hypot(*(here[:, None] - at).transpose(2, 0, 1))
        way = np.minimum(still, np.hypot(*(there[:, None] - at).transpose(2, 0, 1)))
        kinds = _KIND_MM * (1.0 - _chances(tracks, discs))
        off_wood = np.array([_off(t.last.place) for t in tracks])[:, None]
        places = _OFF_PLACE_MM * (off_wood != np.array([_off(d.place) for d in discs]))
        lost = np.array(
            [0.0 if t.missing_since_s is None else t_s - t.missing_since_s for t in tracks]
        )
        stirs = np.array([self._stirs(t, stirred) for t in tracks])
        stirs &= lost < _FOLLOWED_S
        fast = np.where(stirs, _FAST_MM_S * np.minimum(dt + lost, 0.25), 0.0)
        gate = _REST_GATE_MM + fast
        # Who lies where it lay is that disc, whatever else could have come there.
        cost = (
            way
            + kinds
            + places
            + np.where(still < 4.0, -25.0, 0.0)
            + 10.0 * np.minimum(lost, 2.0)[:, None]
        )
        return cost, (way <= gate[:, None]) & ~_others(tracks, discs)

    def _stirs(self, track: Track, stirred: CoverMap) -> bool:
        """Whether it may have left its place: it moves, or something changed there."""
        if track.still_since_s is None and track.misses < 12:
            return True
        return stirred.at(*track.anchor, self._radius_mm) > 0

    def _keep_by_doubtful(
        self, look: Look, matched: set[int], t_s: float, covered: CoverMap
    ) -> None:
        """A doubtful disc where a known one should be is that one."""
        free = sorted(look.doubtful, key=lambda d: (-d.confidence, d.x_mm, d.y_mm))
        for disc in free:
            best, near = None, _DOUBTFUL_MM
            for track in self.tracks:
                if track.id in matched:
                    continue
                for x, y in (track.predicted(t_s), track.anchor):
                    off = float(np.hypot(disc.x_mm - x, disc.y_mm - y))
                    if off < near:
                        best, near = track, off
            if best is not None:
                matched.add(best.id)
                best.doubt()
                best.see(disc, t_s, covered.at(disc.x_mm, disc.y_mm, disc.radius_mm))


def _chances(tracks: Sequence[Track], discs: Sequence[DiscSeen]) -> Array:
    """(tracks, discs) how likely each disc is of the kind of each track, by its own look."""
    kinds = sorted({track.kind for track in tracks})
    odds = [disc.odds or {disc.kind: 1.0} for disc in discs]
    by_kind = np.array([[one.get(kind, 0.0) for one in odds] for kind in kinds])
    out: Array = by_kind[[kinds.index(track.kind) for track in tracks]]
    return out


def _others(tracks: Sequence[Track], discs: Sequence[DiscSeen]) -> Array:
    """(tracks, discs) bool: a striker is no man, whatever lies near: a hand that brings it hides
    men beside it."""
    named = np.array([bool(disc.odds) for disc in discs])
    striker = np.array([disc.odds.get(PieceKind.STRIKER, 0.0) for disc in discs])
    firm = np.array([track.hits >= _KNOWN_HITS for track in tracks])
    logs = np.array([track.log_odds(PieceKind.STRIKER) for track in tracks])
    mine = np.array([track.kind is PieceKind.STRIKER for track in tracks])
    man = (logs < _HARDLY)[:, None] & (striker > _SURELY)
    itself = (mine & (logs > _NEARLY))[:, None] & (striker < 1.0 - _SURELY)
    out: Array = firm[:, None] & named & (man | itself)
    return out


def _off(place: Place) -> bool:
    return place in (Place.POCKET, Place.FRAME, Place.OFF_BOARD)
