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
from vision.following.hidden_striker import HiddenStriker
from vision.following.launch import HAND_REACH_MM, Launch, LaunchWatch
from vision.following.rest import (
    Matched,
    RestDisc,
    lies_on_board,
    match_rests,
    off_board,
    place_of,
)
from vision.following.settling import Settling
from vision.following.striking_place import StrikingPlaces
from vision.following.stroke_judge import StrokeJudge
from vision.following.track import Track, was_seen
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
from vision.table_view import Look, TableView

__all__ = ["Follower"]

_HANDS_OFF_S, _UNSEEN_S = 0.25, 0.4
_SAME_PLACE_MM = 10.0
_HIDDEN_MM = 20.0
"""Nearer to a striker than this no man lies."""


class Follower:
    """From ``TableView`` to ``TableEvent``; one table, one board of ``spec``.

    ``seats``: where somebody sits; nobody strikes from the others. ``exact_marks``: ``spec`` is
    this very board's, measured, and not the standard of its kind.
    """

    def __init__(
        self,
        spec: BoardSpec,
        *,
        seats: Collection[Seat] = tuple(Seat),
        exact_marks: bool = False,
    ) -> None:
        self.spec = spec
        radius = max(spec.radii_mm.values())
        self._tracker = Tracker(spec.half_mm, radius)
        self._places = StrikingPlaces(spec)
        self._launches = LaunchWatch(self._places, spec.half_mm, seats)
        self._hidden = HiddenStriker(self._places, seats)
        self._judge = StrokeJudge(spec, self._places, exact_marks=exact_marks)
        self._settling = Settling(spec, self._places, self._judge)
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
        self._hidden.clear()
        self._episode = None
        self._between.look_anew()
        self._tracker.ghosts = ()

    def step(self, view: TableView) -> tuple[TableEvent, ...]:
        """What became certain with this view. Views must not go back in time."""
        t_s = view.t_s
        self._t_s = t_s
        if view.anew:
            self.clear()
        if not view.usable:
            if self._episode is not None:
                self._episode.gaps += 1
            return ()
        out: list[TableEvent] = []
        cover = CoverMap(self.spec.half_mm, view.covered)
        self._note_hands(t_s, cover, out)
        self._between.note_hands(t_s, cover)
        tracks = self._tracker.step(view)
        if view.look is not None:
            if self._episode is None:
                self._idle(t_s, view.look, tracks, cover, out)
            else:
                self._settling.follow(self._episode, t_s, tracks, cover)
                self._settle(self._episode, t_s, tracks, cover, out)
        elif self._episode is not None:
            self._settle(self._episode, t_s, tracks, cover, out)
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
        self,
        t_s: float,
        look: Look,
        tracks: Sequence[Track],
        cover: CoverMap,
        out: list[TableEvent],
    ) -> None:
        striker = self._striker_of(tracks)
        on_board = striker is not None and lies_on_board(striker)
        if on_board:
            self._hidden.clear()
        else:
            self._launches.hidden(self._hidden.look(t_s, look, self._between.record, cover))
        launch = self._launches.look(
            t_s,
            striker if on_board or not self._launches.is_hidden else None,
            cover,
            others_move=self._others_move(t_s, tracks, cover),
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
        men = [
            track
            for track in tracks
            if (striker is None or track.id != striker.id) and not self._is_hidden_striker(track)
        ]
        out.extend(self._between.look(t_s, men, striker, cover))
        self._tracker.ghosts = self._between.ghosts
        self._tell_phase(t_s, tracks, out)

    def _is_hidden_striker(self, track: Track) -> bool:
        """Whether it is what the eyes make of a striker half under a hand."""
        placed = self._launches.placed
        if placed is None or not self._launches.is_hidden:
            return False
        x, y = place_of(track)
        return hypot(x - placed.x_mm, y - placed.y_mm) < _HIDDEN_MM

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
        self._hidden.clear()
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
        self._settling.follow(episode, t_s, tracks, cover)

    def _settle(
        self,
        episode: Episode,
        t_s: float,
        tracks: Sequence[Track],
        cover: CoverMap,
        out: list[TableEvent],
    ) -> None:
        """Has everything come to rest, and is everything accounted for?"""
        still = self._settling.note_rest(episode, t_s, tracks, cover)
        if self._settling.lasts_too_long(episode, t_s):
            episode.still_from_s = episode.still_from_s or t_s
            self._close(episode, t_s, tracks, out)
        elif still:
            self._change(t_s, Phase.SETTLING, episode.seat, out)
            if self._settling.is_accounted(episode, t_s, tracks, cover):
                self._close(episode, t_s, tracks, out)

    def _close(
        self, episode: Episode, t_s: float, tracks: Sequence[Track], out: list[TableEvent]
    ) -> None:
        present = [
            t for t in self._settling.lying(episode, tracks, t_s) if was_seen(t, t_s, _UNSEEN_S)
        ]
        matched = match_rests(episode.all_before, present, off_board(tracks))
        striker = self._struck(matched, tracks)
        judged = self._judge.judge(episode, _men_of(matched), tracks, striker, t_s)
        self._episode = None
        self._launches.clear()
        if striker is not None and _lies_as_left(episode, striker):
            self._launches.after_stroke(*place_of(striker))
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


def _lies_as_left(episode: Episode, striker: Track) -> bool:
    """Whether the stroke, and no hand, brought the striker to where it lies; it may have come to
    rest with the last look of all."""
    place = episode.striker_place
    if place is None:
        return episode.striker_met_s is None and episode.striker_taken_s is None
    x, y = place_of(striker)
    return hypot(x - place[0], y - place[1]) < _SAME_PLACE_MM


def _men_of(matched: Matched) -> Matched:
    """Without the striker."""
    return Matched(
        tuple(pair for pair in matched.stayed if pair[0].kind is not PieceKind.STRIKER),
        tuple(disc for disc in matched.left if disc.kind is not PieceKind.STRIKER),
        matched.extra,
    )
