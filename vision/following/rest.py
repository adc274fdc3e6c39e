"""A board at rest, and which of its discs is which disc of the rest before.

Rest states decide (rule 2 of the design): tracks only say which disc is which. The number of each
kind is kept: what lies there after a stroke lay there before it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import hypot

import numpy as np

from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from vision.arrays import Array
from vision.following.track import Track
from vision.seen import Place

__all__ = [
    "Matched",
    "RestDisc",
    "is_surely_there",
    "lies_on_board",
    "match_rests",
    "off_board",
    "position_of",
]

_SAME_TRACK, _UNMOVED = 6.0, 5.0
"""What it is worth, in log odds, that a disc was followed all the way, or has not moved."""
_SEEN_TO_LEAVE = 3.0
"""What speaks against a disc on the board being one whose own track lies in a net: of several of a
kind, that one has left."""
_UNMOVED_MM = 4.0
_DOUBTFUL_S = 1.0
_VOTES = 9
_MOSTLY = 0.35
"""A man is in the looks for sure nearly always; print that flickers, now and then."""
_NONSENSE = -15.0
"""Less than this is another disc. Kinds alone never say so: in a crowd tracks swap, and what their
looks said lags behind."""


@dataclass(frozen=True, slots=True)
class RestDisc:
    """A disc at rest. ``track``: its number at the tracker. ``unseen``: it went on no way at all
    and is taken to stand there on edge; that has been asked once."""

    kind: PieceKind
    x_mm: float
    y_mm: float
    place: Place
    track: int
    confidence: float = 1.0
    unseen: bool = False

    @property
    def disc(self) -> Disc:
        """Without how it was seen."""
        return Disc(self.kind, self.x_mm, self.y_mm)


@dataclass(frozen=True, slots=True)
class Matched:
    """``stayed``: pairs of before and after; ``left``: before, without an after; ``extra``: tracks
    that nothing before accounts for."""

    stayed: tuple[tuple[RestDisc, RestDisc], ...]
    left: tuple[RestDisc, ...]
    extra: tuple[Track, ...]


def lies_on_board(track: Track) -> bool:
    """On the surface, on another disc or over the lip of a pocket. A look now and then takes what
    lies in a net for hanging over the lip, or the other way round: the latest looks vote."""
    place = track.last.place
    if place not in (Place.HANGING, Place.POCKET):
        return place in (Place.SURFACE, Place.ON_DISC)
    since_s = track.last.t_s if track.still_since_s is None else track.still_since_s
    recent = [fix.place for fix in list(track.fixes)[-_VOTES:] if fix.t_s >= since_s]
    hangs, sunk = recent.count(Place.HANGING), recent.count(Place.POCKET)
    return hangs > sunk or (hangs == sunk and place is Place.HANGING)


def is_surely_there(track: Track, t_s: float) -> bool:
    """Lies on the board, and not merely as something doubtful where a disc went by: print that
    looks a little like a man keeps no man on the board that has left it."""
    sure = t_s - track.sure_s <= _DOUBTFUL_S and track.sure_share >= _MOSTLY
    return lies_on_board(track) and sure


def position_of(discs: Sequence[RestDisc]) -> Position:
    """The position, in the order of tracks."""
    return Position(tuple(one.disc for one in sorted(discs, key=lambda d: (d.kind, d.track))))


def off_board(tracks: Sequence[Track]) -> frozenset[int]:
    """Tracks that lie in nets or on the frame: their own discs are the ones that have left."""
    return frozenset(track.id for track in tracks if not lies_on_board(track))


def match_rests(
    before: Sequence[RestDisc], tracks: Sequence[Track], gone: Collection[int] = ()
) -> Matched:
    """Give every track the disc that it was: one-to-one, of the greatest likelihood in all.
    ``gone``: tracks that were seen to leave (``off_board``)."""
    from scipy.optimize import linear_sum_assignment  # slow to import

    if not before or not tracks:
        return Matched((), tuple(before), tuple(tracks))
    gain = _gains(before, tracks, gone)
    rows, columns = linear_sum_assignment(-gain)
    stayed, used = [], set()
    kept = set()
    for i, k in zip(rows, columns, strict=True):
        if gain[i, k] <= _NONSENSE:
            continue
        old, track = before[i], tracks[k]
        x, y = place_of(track)
        new = RestDisc(old.kind, x, y, track.last.place, track.id, track.confidence)
        stayed.append((old, new))
        kept.add(int(i))
        used.add(int(k))
    left = tuple(one for i, one in enumerate(before) if i not in kept)
    extra = tuple(track for k, track in enumerate(tracks) if k not in used)
    return Matched(tuple(stayed), left, extra)


def place_of(track: Track) -> tuple[float, float]:
    """Where a track lies: the mean of its place while it is still, else its last fix."""
    return track.anchor if track.still_since_s is not None else (track.last.x_mm, track.last.y_mm)


def _gains(before: Sequence[RestDisc], tracks: Sequence[Track], gone: Collection[int]) -> Array:
    """(before, tracks) log odds that they are the same disc."""
    out = np.empty((len(before), len(tracks)))
    for k, track in enumerate(tracks):
        x, y = place_of(track)
        for i, old in enumerate(before):
            score = 2.0 * track.log_odds(old.kind)
            if track.id == old.track:
                score += _SAME_TRACK
            elif old.track in gone:
                score -= _SEEN_TO_LEAVE
            if hypot(x - old.x_mm, y - old.y_mm) < _UNMOVED_MM:
                score += _UNMOVED
            out[i, k] = score
    return out
