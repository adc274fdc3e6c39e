"""A stroke under way: what moves, when all is at rest, and whether every disc is accounted for."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from carrom.board_spec import BoardSpec
from carrom.pieces import PieceKind
from vision.following.cover_map import CoverMap
from vision.following.episode import Episode
from vision.following.launch import HAND_REACH_MM
from vision.following.rest import RestDisc, is_surely_there, lies_on_board, match_rests, off_board
from vision.following.striker_watch import OFF_MM, follow_striker
from vision.following.striking_place import StrikingPlaces
from vision.following.stroke_judge import StrokeJudge
from vision.following.track import Track, was_seen
from vision.seen import Place

__all__ = ["Settling"]

_STILL_S = 0.3
_PATIENCE_S = 3.0
"""Of free view on a place from which a disc has gone without a way out that was seen."""
_LONGEST_S = 20.0
_ON_LIP_S = 3.0
"""A man that has come to hang over a lip may still fall by itself, and then it counts."""
_NEAR_MM = 120.0
_HELD_S = 0.4
_LATE_S = 0.3
_TIPS_S = 0.7
_UNSURE_S = 0.25
_STACK_S = 1.0
_FETCHED_MM = 60.0
"""Farther from its place in the net than a disc that only hangs over the lip can be."""
_STACKED = 0.8
"""Of the sum of the radii: nearer centres than this lie one above the other."""


class Settling:
    """Watches the episodes of one board."""

    def __init__(self, spec: BoardSpec, places: StrikingPlaces, judge: StrokeJudge) -> None:
        self._spec, self._places, self._judge = spec, places, judge

    def follow(
        self, episode: Episode, t_s: float, tracks: Sequence[Track], cover: CoverMap
    ) -> None:
        """Take the fixes of a look into the episode."""
        where = {disc.track: disc for disc in episode.before}
        moving = [t for t in tracks if t.still_since_s is None and t.missing_since_s is None]
        for track in tracks:
            disc = where.get(track.id)
            if track.last.t_s < t_s or disc is None:
                continue
            radius = self._spec.radii_mm[disc.kind]
            hand = cover.at(disc.x_mm, disc.y_mm, radius + HAND_REACH_MM) > 0
            near = any(
                other.id != track.id
                and hypot(other.last.x_mm - disc.x_mm, other.last.y_mm - disc.y_mm)
                < 4.0 * radius + _NEAR_MM
                for other in moving
            )
            episode.follow(track, disc, hand_near=hand, disc_near=near)
        striker_mm, half_mm = self._places.striker_mm, self._spec.half_mm
        follow_striker(episode, t_s, tracks, cover, striker_mm=striker_mm, half_mm=half_mm)

    def note_rest(
        self, episode: Episode, t_s: float, tracks: Sequence[Track], cover: CoverMap
    ) -> bool:
        """Note since when nothing moves; True once it has been so for long enough."""
        if any(self._moves(episode, track, t_s, cover) for track in tracks):
            episode.still_from_s = None
        elif episode.still_from_s is None:
            episode.still_from_s = t_s
        still = episode.still_from_s is not None and t_s - episode.still_from_s >= _STILL_S
        if still and episode.settled_s is None:
            episode.settled_s = t_s
            netted = [track for track in tracks if track.last.place is Place.POCKET]
            episode.sunk = {t.id: (t.last.x_mm, t.last.y_mm) for t in netted}
        return still

    def lasts_too_long(self, episode: Episode, t_s: float) -> bool:
        """No stroke takes so long: what is left open is asked."""
        return t_s - episode.t0_s > _LONGEST_S

    def _moves(self, episode: Episode, track: Track, t_s: float, cover: CoverMap) -> bool:
        if track.missing_since_s is not None:
            return t_s - track.missing_since_s < 0.15 and track.still_since_s is None
        if track.still_since_s is not None or not lies_on_board(track):
            return False
        met_s = episode.striker_met_s
        if track.id == episode.striker and (
            episode.striker_rested_s is not None or (met_s is not None and t_s - met_s > _HELD_S)
        ):
            return False  # a hand carries it away
        fix = track.last
        radius = self._spec.radii_mm.get(track.kind, 16.0)
        carried = cover.at(fix.x_mm, fix.y_mm, radius + HAND_REACH_MM) > 0
        return not carried or t_s - fix.t_s < 0.2

    def is_accounted(
        self, episode: Episode, t_s: float, tracks: Sequence[Track], cover: CoverMap
    ) -> bool:
        """Whether every disc is seen, or has surely left, or has been waited for."""
        missing = self._missing(episode, tracks, t_s)
        episode.last_s = max(episode.last_s, episode.t0_s)
        passed_s, episode.last_s = t_s - episode.last_s, t_s
        if self._is_placed_anew(episode, tracks, t_s):
            return True
        hangs = self._hangs(episode, tracks, t_s, cover)
        if self._is_stacked(episode, tracks, t_s) or hangs:
            return False
        if not missing:
            return True
        by_id = {track.id: track for track in tracks}
        for disc in missing:
            track = by_id.get(disc.track)
            x, y = (disc.x_mm, disc.y_mm) if track is None else (track.last.x_mm, track.last.y_mm)
            if cover.at(x, y, self._spec.radii_mm[disc.kind] + 10.0) > 0:
                return False
        episode.free_s += min(0.2, passed_s)
        return episode.free_s >= _PATIENCE_S

    def _hangs(
        self, episode: Episode, tracks: Sequence[Track], t_s: float, cover: CoverMap
    ) -> bool:
        """Whether a man that this stroke moved hangs over a lip, and has not for long.

        The next hand over the board ends the wait: whoever it is goes on playing.
        """
        episode.hands_off = episode.hands_off or not cover.any
        if episode.hands_off and cover.any:
            return False
        if episode.still_from_s is None or t_s - episode.still_from_s >= _ON_LIP_S:
            return False
        for track in tracks:
            if track.last.place is Place.HANGING and track.id in episode.motions:
                episode.on_lip_s = max(episode.on_lip_s, track.last.t_s)
        return t_s - episode.on_lip_s < _TIPS_S

    def _is_stacked(self, episode: Episode, tracks: Sequence[Track], t_s: float) -> bool:
        """Whether a man lies on the striker or under it; what a hand does about it is part of the
        stroke (HK-32, ICF-42, ICF-43)."""
        lying = [t for t in tracks if lies_on_board(t) and was_seen(t, t_s, _STACK_S)]
        matched = match_rests(episode.all_before, lying)
        pairs = {old.kind is PieceKind.STRIKER: new for old, new in matched.stayed}
        striker = pairs.get(True)
        for old, new in matched.stayed:
            if striker is None or old.kind is PieceKind.STRIKER:
                continue
            if Place.ON_DISC not in (new.place, striker.place):
                continue
            reach = self._spec.radii_mm[old.kind] + self._places.striker_mm
            off = hypot(new.x_mm - striker.x_mm, new.y_mm - striker.y_mm)
            if off < _STACKED * reach:
                episode.stacked_s = t_s
                if episode.stacked is None:
                    episode.stacked = (old, new.place is Place.ON_DISC)
        return t_s - episode.stacked_s < _STACK_S

    def lying(self, episode: Episode, tracks: Sequence[Track], t_s: float) -> list[Track]:
        """The discs on the board that can have lain there before: none that came by hand."""
        own = {disc.track for disc in episode.all_before}
        there = [
            track
            for track in tracks
            if is_surely_there(track, t_s) and (track.id in own or not _lay_there(track, episode))
        ]
        if episode.settled_s is None or episode.stacked is not None:
            return there
        return [
            track
            for track in there
            if track.born_s <= episode.settled_s + _LATE_S and not _fetched(episode, track)
        ]

    def _missing(self, episode: Episode, tracks: Sequence[Track], t_s: float) -> list[RestDisc]:
        """Men of the rest before that are neither seen nor have surely left."""
        present = [t for t in self.lying(episode, tracks, t_s) if t.missing_since_s is None]
        matched = match_rests(episode.all_before, present, off_board(tracks))
        by_id = {track.id: track for track in tracks}
        out = []
        for disc in matched.left:
            track = by_id.get(disc.track)
            if disc.kind is PieceKind.STRIKER:
                continue
            if disc.unseen and disc.track not in episode.motions:
                continue  # not seen before the stroke either
            if track is not None and lies_on_board(track) and was_seen(track, t_s, _UNSURE_S):
                out.append(disc)  # one look misses a disc now and then
            elif not self._judge.surely_left(episode, disc, track, tracks):
                out.append(disc)
        return out

    def _is_placed_anew(self, episode: Episode, tracks: Sequence[Track], t_s: float) -> bool:
        """Whether a hand has put the striker where the next stroke is made from: whoever strikes
        next has accepted the board as it is."""
        if episode.striker_taken_s is None:
            return False
        for track in tracks:
            if track.kind is not PieceKind.STRIKER or track.still_since_s is None:
                continue
            rest = episode.striker_place or episode.placement_mm
            x, y = track.anchor
            moved = hypot(x - rest[0], y - rest[1]) > OFF_MM / 3
            late = track.still_since_s > episode.t0_s + 1.5
            if moved and late and t_s - track.still_since_s > _STILL_S:
                if self._places.seat_of(x, y) is not None:
                    return True
        return False


def _fetched(episode: Episode, track: Track) -> bool:
    """Whether a hand has taken it out of a net since all lay still."""
    net = episode.sunk.get(track.id)
    return (
        net is not None and hypot(track.last.x_mm - net[0], track.last.y_mm - net[1]) > _FETCHED_MM
    )


def _lay_there(track: Track, episode: Episode) -> bool:
    """Whether it has lain where it lies since before the stroke; if it was no disc of the rest then
    (print, say), it is none that the stroke has moved there."""
    return track.still_since_s is not None and track.still_since_s < episode.t0_s
