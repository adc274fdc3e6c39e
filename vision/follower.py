"""Follows a table from views: phases, strokes, and what hands do between them. Pure.

    follower = Follower(spec)
    for view in views:
        for event in follower.step(view):
            ...

Time is that of the views; nothing else is asked. Histories are bounded, so hours cost no memory.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import hypot

from carrom.board_spec import BoardSpec
from carrom.pieces import PieceKind
from carrom.seats import Seat
from vision.following.between import BetweenWatch
from vision.following.cover_map import CoverMap
from vision.following.episode import Episode
from vision.following.launch import HAND_REACH_MM, Launch, LaunchWatch
from vision.following.rest import Matched, RestDisc, lies_on_board, match_rests, place_of
from vision.following.striking_place import StrikingPlaces
from vision.following.stroke_judge import StrokeJudge
from vision.following.track import DECELERATION_MM_S2, Fix, Track
from vision.following.tracker import Tracker
from vision.seen import Place
from vision.table_events import (
    HandsSeen,
    Phase,
    PhaseChanged,
    StrikerPlaced,
    StrokeBegun,
    StrokeSeen,
    TableEvent,
)
from vision.table_view import TableView

__all__ = ["Follower"]

_STILL_S = 0.3
_PATIENCE_S = 3.0
_LONGEST_S = 20.0
_HANDS_OFF_S = 0.25
_LIES_S = 0.12
_OFF_MM = 90.0
"""So far from its placement a striker is out of the hand that struck it."""


class Follower:
    """From ``TableView`` to ``TableEvent``; one table, one board of ``spec``.

    ``seats``: where somebody sits; nobody strikes from the others.
    """

    def __init__(self, spec: BoardSpec, *, seats: Collection[Seat] = tuple(Seat)) -> None:
        self.spec = spec
        radius = max(spec.radii_mm.values())
        self._tracker = Tracker(spec.half_mm, radius)
        self._places = StrikingPlaces(spec)
        self._launches = LaunchWatch(self._places, spec.half_mm, seats)
        self._judge = StrokeJudge(spec, self._places)
        self._between = BetweenWatch(spec)
        self._episode: Episode | None = None
        self._strokes = 0
        self._phase = Phase.UNKNOWN
        self._seat: Seat | None = None
        self._hands = False
        self._hands_last_s = -1e9
        self._t_s: float | None = None
        self._told_place: tuple[float, float] | None = None

    @property
    def phase(self) -> Phase:
        """What the table is busy with."""
        return self._phase

    @property
    def seat(self) -> Seat | None:
        """Whose striker lies there, or who struck."""
        return self._seat

    @property
    def discs(self) -> tuple[RestDisc, ...]:
        """Every disc as it is followed now, the striker included."""
        out = []
        for track in self._tracker.firm:
            x, y = place_of(track)
            out.append(RestDisc(track.kind, x, y, track.last.place, track.id, track.confidence))
        return tuple(out)

    @property
    def rest(self) -> tuple[RestDisc, ...]:
        """The board as it was last agreed to lie, the striker apart."""
        return self._between.record

    def clear(self) -> None:
        """Forget the board: the camera has another view of it. Strokes go on being counted."""
        self._tracker.clear()
        self._launches.clear()
        self._episode = None
        self._between.look_anew()

    def step(self, view: TableView) -> tuple[TableEvent, ...]:
        """What became certain with this view. Views must not go back in time."""
        t_s = view.t_s
        self._t_s = t_s
        if not view.usable:
            if self._episode is not None:
                self._episode.gaps += 1
            return ()
        out: list[TableEvent] = []
        cover = CoverMap(self.spec.half_mm, view.covered)
        self._note_hands(t_s, cover, out)
        tracks = self._tracker.step(view)
        if view.look is not None:
            if self._episode is None:
                self._idle(t_s, tracks, cover, out)
            else:
                self._moving(self._episode, t_s, tracks, cover, view, out)
        elif self._episode is not None:
            self._settle(self._episode, t_s, tracks, cover, view, out)
        else:
            self._tell_phase(t_s, tracks, out)
        return tuple(out)

    def finish(self) -> tuple[TableEvent, ...]:
        """At the end of a recording: a stroke whose discs lie still is told, others are not."""
        episode = self._episode
        out: list[TableEvent] = []
        if episode is not None and self._t_s is not None and episode.still_from_s is not None:
            self._close(episode, self._t_s, self._tracker.firm, out)
        return tuple(out)

    def _note_hands(self, t_s: float, cover: CoverMap, out: list[TableEvent]) -> None:
        if cover.any:
            self._hands_last_s = t_s
            if not self._hands:
                self._hands = True
                out.append(HandsSeen(t_s=t_s, over=True))
        elif self._hands and t_s - self._hands_last_s > _HANDS_OFF_S:
            self._hands = False
            out.append(HandsSeen(t_s=t_s, over=False))

    def _striker_of(self, tracks: Sequence[Track]) -> Track | None:
        """The striker's track: the one of the last placement, or the surest on the surface."""
        placed = self._launches.placed
        best: Track | None = None
        score = 0.0
        for track in tracks:
            if track.kind is not PieceKind.STRIKER or track.last.place is Place.POCKET:
                continue
            value = 1.0 + min(track.hits, 20) / 20.0 + (track.missing_since_s is None)
            value += 2.0 * (placed is not None and placed.track == track.id)
            if value > score:
                best, score = track, value
        return best

    def _idle(
        self, t_s: float, tracks: Sequence[Track], cover: CoverMap, out: list[TableEvent]
    ) -> None:
        striker = self._striker_of(tracks)
        launch = self._launches.look(
            t_s, striker, cover, others_move=self._others_move(t_s, tracks, cover)
        )
        if launch is not None and self._between.record:
            self._begin(launch, t_s, tracks, cover, out)
            return
        placed = self._launches.placed
        if placed is not None and placed.t_s == t_s:
            here = (placed.x_mm, placed.y_mm)
            told = self._told_place
            if told is None or hypot(here[0] - told[0], here[1] - told[1]) > 4.0:
                self._told_place = here
                out.append(StrikerPlaced(t_s=t_s, seat=placed.seat, placement_mm=here))
        men = [track for track in tracks if striker is None or track.id != striker.id]
        out.extend(self._between.look(t_s, men, striker, cover))
        self._tell_phase(t_s, tracks, out)

    def _others_move(self, t_s: float, tracks: Sequence[Track], cover: CoverMap) -> bool:
        """Whether a disc away from every hand has just left its place."""
        where = {disc.track: disc for disc in self._between.record}
        for track in tracks:
            disc = where.get(track.id)
            if disc is None or track.missing_since_s is not None or track.last.t_s < t_s:
                continue
            fix = track.last
            if (
                track.still_since_s is None
                and hypot(fix.x_mm - disc.x_mm, fix.y_mm - disc.y_mm) > 8
            ):
                radius = self.spec.radii_mm[disc.kind] + HAND_REACH_MM
                if not cover.at(fix.x_mm, fix.y_mm, radius) and not cover.at(
                    disc.x_mm, disc.y_mm, radius
                ):
                    return True
        return False

    def _begin(
        self,
        launch: Launch,
        t_s: float,
        tracks: Sequence[Track],
        cover: CoverMap,
        out: list[TableEvent],
    ) -> None:
        placed = launch.placed
        out.extend(self._between.before_stroke(t_s))
        self._strokes += 1
        episode = Episode(
            launch.t_s,
            placed.seat,
            (placed.x_mm, placed.y_mm),
            placed.track,
            self._between.record,
            self._strokes,
            placed.track,
        )
        self._episode = episode
        self._told_place = None
        begun = StrokeBegun(t_s=t_s, seat=placed.seat, placement_mm=episode.placement_mm)
        out.append(begun)
        self._change(t_s, Phase.MOVING, placed.seat, out)
        self._follow(episode, t_s, tracks, cover)

    def _follow(
        self, episode: Episode, t_s: float, tracks: Sequence[Track], cover: CoverMap
    ) -> None:
        """Take the fixes of this look into the episode."""
        where = {disc.track: disc for disc in episode.before}
        moving = [t for t in tracks if t.still_since_s is None and t.missing_since_s is None]
        for track in tracks:
            fix = track.last
            if fix.t_s < t_s:
                continue
            disc = where.get(track.id)
            if disc is not None:
                radius = self.spec.radii_mm[disc.kind]
                hand = cover.at(disc.x_mm, disc.y_mm, radius + HAND_REACH_MM) > 0
                near = any(
                    other.id != track.id
                    and hypot(other.last.x_mm - disc.x_mm, other.last.y_mm - disc.y_mm)
                    < 4.0 * radius + 120.0
                    for other in moving
                )
                episode.follow(track, disc, hand_near=hand, disc_near=near)
        striker = self._striker_now(episode, t_s, tracks)
        if striker is not None:
            self._follow_striker(episode, striker, cover)

    def _striker_now(self, episode: Episode, t_s: float, tracks: Sequence[Track]) -> Track | None:
        """The track that looks like the striker in this look; that of before, if several do."""
        like = [t for t in tracks if t.last.t_s >= t_s and t.last.kind is PieceKind.STRIKER]
        for track in like:
            if track.id == episode.striker:
                return track
        return max(like, key=lambda t: t.log_odds(PieceKind.STRIKER)) if like else None

    def _is_striker(self, episode: Episode, track: Track) -> bool:
        return track.id == episode.striker

    def _follow_striker(self, episode: Episode, track: Track, cover: CoverMap) -> None:
        if episode.striker_taken_s is not None:
            return
        fix = track.last
        episode.striker = track.id
        hand = cover.at(fix.x_mm, fix.y_mm, self._places.striker_mm + HAND_REACH_MM) > 0
        lies = (
            track.still_since_s is not None
            and fix.t_s - track.still_since_s >= _LIES_S
            and lies_on_board(track)
        )
        x, y = episode.placement_mm
        if lies and hypot(track.anchor[0] - x, track.anchor[1] - y) > 3.0:
            if episode.striker_rested_s is None:
                episode.striker_rested_s = track.still_since_s
                episode.stopped_mm_s = _stopped_from(episode.striker_path, track) if hand else 0.0
                episode.striker_place = track.anchor
        rest = episode.striker_place
        if rest is not None and hypot(fix.x_mm - rest[0], fix.y_mm - rest[1]) > 10.0 and hand:
            episode.striker_taken_s = fix.t_s
            return
        if rest is None:
            self._note_pickup(episode, fix, hand=hand)
        if not episode.striker_path or episode.striker_path[-1].t_s < fix.t_s:
            episode.striker_path.append(fix)
            del episode.striker_path[:-400]

    def _note_pickup(self, episode: Episode, fix: Fix, *, hand: bool) -> None:
        """A hand meets the striker on its way; free again, it was not taken after all."""
        x, y = episode.placement_mm
        if not hand:
            episode.striker_met_s = None
        elif episode.striker_met_s is None and hypot(fix.x_mm - x, fix.y_mm - y) > _OFF_MM:
            episode.striker_met_s = fix.t_s

    def _moving(
        self,
        episode: Episode,
        t_s: float,
        tracks: Sequence[Track],
        cover: CoverMap,
        view: TableView,
        out: list[TableEvent],
    ) -> None:
        self._follow(episode, t_s, tracks, cover)
        self._settle(episode, t_s, tracks, cover, view, out)

    def _settle(
        self,
        episode: Episode,
        t_s: float,
        tracks: Sequence[Track],
        cover: CoverMap,
        view: TableView,
        out: list[TableEvent],
    ) -> None:
        """Has everything come to rest, and is everything accounted for?"""
        moving = [track for track in tracks if self._moves(episode, track, t_s, cover)]
        if moving:
            episode.still_from_s = None
        elif episode.still_from_s is None:
            episode.still_from_s = t_s
        if t_s - episode.t0_s > _LONGEST_S:
            episode.still_from_s = episode.still_from_s or t_s
            self._close(episode, t_s, tracks, out)
            return
        if episode.still_from_s is None or t_s - episode.still_from_s < _STILL_S:
            return
        self._change(t_s, Phase.SETTLING, episode.seat, out)
        episode.last_s = max(episode.last_s, episode.t0_s)
        if self._accounted(episode, t_s, tracks, cover, view):
            self._close(episode, t_s, tracks, out)
        episode.last_s = t_s

    def _moves(self, episode: Episode, track: Track, t_s: float, cover: CoverMap) -> bool:
        if track.missing_since_s is not None:
            return t_s - track.missing_since_s < 0.15 and track.still_since_s is None
        if track.still_since_s is not None or not lies_on_board(track):
            return False
        if self._is_striker(episode, track) and episode.striker_rested_s is not None:
            return False  # a hand carries it away
        fix = track.last
        radius = self.spec.radii_mm.get(track.kind, 16.0)
        carried = cover.at(fix.x_mm, fix.y_mm, radius + HAND_REACH_MM) > 0
        return not carried or t_s - fix.t_s < 0.2

    def _accounted(
        self,
        episode: Episode,
        t_s: float,
        tracks: Sequence[Track],
        cover: CoverMap,
        view: TableView,
    ) -> bool:
        """Whether every disc is seen, or has surely left, or has been waited for."""
        open_discs, hidden = 0, False
        by_id = {track.id: track for track in tracks}
        present = [t for t in tracks if t.missing_since_s is None and lies_on_board(t)]
        matched = match_rests(episode.all_before, present)
        for disc in matched.left:
            if disc.kind is PieceKind.STRIKER:
                continue
            track = by_id.get(disc.track)
            x, y = (disc.x_mm, disc.y_mm) if track is None else (track.last.x_mm, track.last.y_mm)
            radius = self.spec.radii_mm[disc.kind]
            if cover.at(x, y, radius + 10.0) > 0:
                hidden = True
            elif self._judge.surely_left(episode, disc, track, tracks):
                continue
            open_discs += 1
        if not open_discs:
            return True
        if self._placed_anew(episode, tracks, t_s):
            return True  # whoever strikes next has accepted the board as it is
        if not hidden:
            episode.free_s += min(0.2, t_s - episode.last_s)
        return episode.free_s >= _PATIENCE_S

    def _placed_anew(self, episode: Episode, tracks: Sequence[Track], t_s: float) -> bool:
        """Whether a hand has put the striker where the next stroke is made from."""
        for track in tracks:
            if track.kind is not PieceKind.STRIKER or track.still_since_s is None:
                continue
            rest = episode.striker_place or episode.placement_mm
            x, y = track.anchor
            moved = hypot(x - rest[0], y - rest[1]) > _OFF_MM / 3
            late = track.still_since_s > episode.t0_s + 1.5
            if moved and late and t_s - track.still_since_s > _STILL_S:
                if self._places.seat_of(x, y) is not None and episode.striker_taken_s is not None:
                    return True
        return False

    def _close(
        self, episode: Episode, t_s: float, tracks: Sequence[Track], out: list[TableEvent]
    ) -> None:
        present = [
            t
            for t in tracks
            if lies_on_board(t) and (t.missing_since_s is None or t_s - t.missing_since_s < 0.4)
        ]
        matched = match_rests(episode.all_before, present)
        striker = self._struck(matched, tracks)
        judged = self._judge.judge(episode, _men_of(matched), tracks, striker, t_s)
        self._episode = None
        self._launches.clear()
        if striker is not None:
            self._launches.after_stroke(*place_of(striker))
        elif episode.striker_path:
            last = episode.striker_path[-1]
            self._launches.after_stroke(last.x_mm, last.y_mm)
        for track_id in judged.gone:
            self._tracker.drop(track_id)
        self._between.after_stroke(judged.after, t_s)
        paths = tuple(
            (m.disc.kind, tuple((f.t_s, f.x_mm, f.y_mm) for f in m.fixes))
            for m in episode.motions.values()
        )
        striker_path = tuple((f.t_s, f.x_mm, f.y_mm) for f in episode.striker_path)
        out.append(
            StrokeSeen(
                t_s=t_s,
                number=episode.number,
                outcome=judged.outcome,
                paths_mm=((PieceKind.STRIKER, striker_path), *paths),
            )
        )
        self._change(t_s, Phase.HANDS if self._hands else Phase.WAITING, None, out)

    @staticmethod
    def _struck(matched: Matched, tracks: Sequence[Track]) -> Track | None:
        """The striker's track, if it lies on the board."""
        ids = [new.track for old, new in matched.stayed if old.kind is PieceKind.STRIKER]
        return next((track for track in tracks if track.id in ids), None)

    def _tell_phase(self, t_s: float, tracks: Sequence[Track], out: list[TableEvent]) -> None:
        placed = self._launches.placed
        if placed is not None:
            self._change(t_s, Phase.AIMING, placed.seat, out)
            return
        phase = self._between.phase(hands=self._hands)
        self._change(t_s, phase, None, out)

    def _change(self, t_s: float, phase: Phase, seat: Seat | None, out: list[TableEvent]) -> None:
        if (phase, seat) != (self._phase, self._seat):
            self._phase, self._seat = phase, seat
            out.append(PhaseChanged(t_s=t_s, phase=phase, seat=seat))


def _men_of(matched: Matched) -> Matched:
    """Without the striker."""
    return Matched(
        tuple(pair for pair in matched.stayed if pair[0].kind is not PieceKind.STRIKER),
        tuple(disc for disc in matched.left if disc.kind is not PieceKind.STRIKER),
        matched.extra,
    )


def _stopped_from(path: Sequence[Fix], track: Track) -> float:
    """The speed (mm/s) that a disc lost at once when it came to lie: friction takes some 50 mm/s
    from one frame to the next, a hand all of it."""
    moving = [fix for fix in path if fix.t_s < (track.still_since_s or 0.0)]
    if len(moving) < 2:
        return 0.0
    a, b = moving[-2], moving[-1]
    dt = max(b.t_s - a.t_s, 1e-3)
    return hypot(b.x_mm - a.x_mm, b.y_mm - a.y_mm) / dt - DECELERATION_MM_S2 * 2 * dt
