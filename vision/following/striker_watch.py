"""The striker during a stroke: its way, where it came to rest, and hands that meet it."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from carrom.pieces import PieceKind
from vision.following.cover_map import CoverMap
from vision.following.episode import Episode
from vision.following.launch import HAND_REACH_MM
from vision.following.rest import lies_on_board
from vision.following.track import DECELERATION_MM_S2, Fix, Track

__all__ = ["OFF_MM", "follow_striker"]

_LIES_S = 0.12
OFF_MM = 90.0
"""So far from its placement a striker is out of the hand that struck it."""
_PATH, _FREE_LOOKS = 400, 2


def follow_striker(
    episode: Episode,
    t_s: float,
    tracks: Sequence[Track],
    cover: CoverMap,
    *,
    striker_mm: float,
    half_mm: float,
) -> None:
    """Take what a look shows of the striker into the episode. ``striker_mm``: its radius;
    ``half_mm``: of the surface."""
    track = _striker_now(episode, t_s, tracks)
    if track is None or episode.striker_taken_s is not None:
        return
    fix = track.last
    episode.striker = track.id
    hand = cover.at(fix.x_mm, fix.y_mm, striker_mm + HAND_REACH_MM) > 0
    _note_rest(episode, track, hand=hand)
    rest = episode.striker_place
    if rest is not None and hypot(fix.x_mm - rest[0], fix.y_mm - rest[1]) > 10.0 and hand:
        episode.striker_taken_s = fix.t_s
        return
    if rest is None:
        outside = max(abs(fix.x_mm), abs(fix.y_mm)) > half_mm
        _note_pickup(episode, fix, hand=hand, outside=outside)
    if not episode.striker_path or episode.striker_path[-1].t_s < fix.t_s:
        episode.striker_path.append(fix)
        del episode.striker_path[:-_PATH]


def _striker_now(episode: Episode, t_s: float, tracks: Sequence[Track]) -> Track | None:
    """The track that looks like the striker in this look; that of before, if several do.

    A man that has lain where it lies since before the stroke is not it, whatever one look says.
    """
    men = {disc.track for disc in episode.before}
    like = [
        track
        for track in tracks
        if track.last.t_s >= t_s
        and _looks_like_it(track)
        and not (track.id in men and _has_lain(track, episode.t0_s))
    ]
    for track in like:
        if track.id == episode.striker:
            return track
    return max(like, key=lambda t: t.log_odds(PieceKind.STRIKER)) if like else None


def _looks_like_it(track: Track) -> bool:
    """Twice running: one look names a man wrongly now and then."""
    kinds = [fix.kind for fix in (track.fixes[-1], track.fixes[max(-2, -len(track.fixes))])]
    return all(kind is PieceKind.STRIKER for kind in kinds)


def _has_lain(track: Track, since_s: float) -> bool:
    return track.still_since_s is not None and track.still_since_s < since_s


def _note_rest(episode: Episode, track: Track, *, hand: bool) -> None:
    """It lies still, off its placement, for the first time."""
    since, last_s = track.still_since_s, track.last.t_s
    if since is None or last_s - since < _LIES_S or since < episode.t0_s:
        return
    x, y = episode.placement_mm
    if not lies_on_board(track) or hypot(track.anchor[0] - x, track.anchor[1] - y) <= 3.0:
        return
    if episode.striker_rested_s is None:
        episode.striker_rested_s = since
        episode.stopped_mm_s = _stopped_from(episode.striker_path, track) if hand else 0.0
        episode.striker_place = track.anchor


def _note_pickup(episode: Episode, fix: Fix, *, hand: bool, outside: bool) -> None:
    """A hand meets the striker on its way; free again on the board, it was not taken after all.

    Off the board (``outside``) no hand is seen that carries it.
    """
    x, y = episode.placement_mm
    if hand:
        episode.striker_free_looks = 0
        if episode.striker_met_s is None and hypot(fix.x_mm - x, fix.y_mm - y) > OFF_MM:
            episode.striker_met_s = fix.t_s
    elif not outside:
        episode.striker_free_looks += 1
        if episode.striker_free_looks >= _FREE_LOOKS:
            episode.striker_met_s = None


def _stopped_from(path: Sequence[Fix], track: Track) -> float:
    """The speed (mm/s) that a disc lost at once when it came to lie: friction takes some 50 mm/s
    from one frame to the next, a hand all of it."""
    moving = [fix for fix in path if fix.t_s < (track.still_since_s or 0.0)]
    if len(moving) < 2:
        return 0.0
    a, b = moving[-2], moving[-1]
    dt = max(b.t_s - a.t_s, 1e-3)
    return hypot(b.x_mm - a.x_mm, b.y_mm - a.y_mm) / dt - DECELERATION_MM_S2 * 2 * dt
