"""From an episode and the rest after it to the facts of a stroke."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import hypot

from carrom.board_spec import BoardFamily, BoardSpec
from carrom.doubts import Answer, Doubt, Question
from carrom.events import (
    Event,
    FellDuringLift,
    FellInOnRemoval,
    Misfire,
    NoContact,
    NoPiecePocketed,
    OffBoard,
    OnFrame,
    Placement,
    Pocketed,
    RestingOnStriker,
    Standing,
    StrikerOnPiece,
    StrikerRecalledEarly,
    Touched,
    TouchedBy,
)
from carrom.evidence import Evidence, Source
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.seats import Pocket
from vision.following.contact_facts import contact_facts
from vision.following.contacts import contact_chains
from vision.following.departures import Departure, How, departure_of
from vision.following.episode import Episode
from vision.following.rest import Matched, RestDisc, lies_on_board, position_of
from vision.following.striking_place import StrikingPlaces
from vision.following.track import Fix, Track
from vision.seen import Place

__all__ = ["Judged", "StrokeJudge"]

_SURE = 0.85
_MARGIN_MM = 1.2
"""A placement nearer to the verdict's edge than this is not called (0.5 mm a coordinate, and the
lines of a real board are painted by hand)."""
_CLEAR_MM = 2.5
"""A placement this far over the edge is called."""
_LOOSE_MARGIN_MM, _LOOSE_CLEAR_MM = 14.0, 14.0
"""The same where the marks of this very board are not known: real ones lie some millimetres off the
standard, and a base circle that is touched in part cannot be told at all."""
_DISTURBED_MM = 6.0
_TOUCHED_MM = 1.5
_QUICK_MM_S = 100.0
_STOPPED_MM_S = 60.0


@dataclass(frozen=True, slots=True)
class Judged:
    """``after``: the rest, the striker apart; ``gone``: tracks that have left."""

    outcome: StrokeOutcome
    after: tuple[RestDisc, ...]
    gone: tuple[int, ...]


@dataclass(slots=True)
class _Facts:
    """Events and doubts as they are found."""

    events: list[Event] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)

    def doubt(self, question: Question, name: str, answers: Sequence[Answer]) -> None:
        if len(answers) >= 2:
            self.doubts.append(Doubt(id=name, question=question, answers=tuple(answers)))


_AT_FRAME_MM = 30.0
"""What went so near to the frame before it vanished may as well have gone over it."""
_ANSWERS = {How.UNKNOWN: "standing"}
"""What is gone on no way at all stands on its edge: from above there is hardly anything to see."""


class StrokeJudge:
    """Judges the episodes of one board."""

    def __init__(
        self, spec: BoardSpec, places: StrikingPlaces, *, exact_marks: bool = False
    ) -> None:
        self._spec, self._places, self._exact = spec, places, exact_marks

    def judge(
        self,
        episode: Episode,
        matched: Matched,
        tracks: Sequence[Track],
        striker: Track | None,
        t_s: float,
    ) -> Judged:
        """The outcome. ``tracks``: all firm ones; ``striker``: its track, if it is still known."""
        facts = _Facts()
        end_s = episode.still_from_s if episode.still_from_s is not None else t_s
        end_s = max(end_s, episode.t0_s)
        self._placement(episode, facts)
        moved = [
            (old, hypot(new.x_mm - old.x_mm, new.y_mm - old.y_mm)) for old, new in matched.stayed
        ]
        moved += [(old, 100.0) for old in matched.left]
        self._contact(episode, moved, facts)
        self._misfire(episode, facts)
        self._stacked(episode, facts)
        gone, hidden = self._left(episode, matched.left, tracks, facts)
        self._touched(episode, facts)
        self._striker(episode, striker, tracks, facts)
        if not any(isinstance(e, Pocketed) for e in facts.events) and not facts.doubts:
            facts.events.append(NoPiecePocketed(evidence=_seen(episode.t0_s, end_s)))
        after = (*(new for _, new in matched.stayed), *hidden)
        outcome = StrokeOutcome(
            seat=episode.seat,
            events=tuple(facts.events),
            doubts=tuple(facts.doubts),
            placement_mm=episode.placement_mm,
            before=position_of(episode.before),
            after=position_of(after),
            t_start_s=episode.t0_s,
            t_end_s=end_s,
        )
        return Judged(outcome, after, gone)

    def surely_left(
        self, episode: Episode, disc: RestDisc, track: Track | None, tracks: Sequence[Track]
    ) -> bool:
        """Whether a disc that is not seen has left on a way that was seen."""
        netted, framed = self._off_wood(episode, tracks)
        departure = self._departure(episode, disc, track, netted, framed)
        how = sum(chance for way, _, chance in departure.chances if way is departure.how)
        return how >= _SURE and departure.how in (How.POCKETED, How.ON_FRAME, How.OFF_BOARD)

    def _placement(self, episode: Episode, facts: _Facts) -> None:
        found = self._places.facts(episode.seat, *episode.placement_mm)
        if found.facts is None:
            return
        when = _seen(episode.t0_s, episode.t0_s)
        told = replace(found.facts, evidence=when)
        margin_mm = _MARGIN_MM if self._exact else _LOOSE_MARGIN_MM
        if self._spec.family is BoardFamily.HIKONE:
            if self._exact:  # area line and tee spot of home boards lie anywhere near the standard
                if told.on_area_line is False and found.line_margin_mm < margin_mm:
                    told = replace(told, on_area_line=True)
                facts.events.append(told)
            return
        if not self._exact:
            told = replace(told, base_circle=None)
        if told.touches_both_lines is None and told.base_circle is None:
            return
        off_mm = found.margin_mm if self._exact else found.line_margin_mm
        if off_mm >= (_CLEAR_MM if self._exact else _LOOSE_CLEAR_MM):
            facts.events.append(told)
        elif off_mm >= margin_mm and told.touches_both_lines is False:
            legal = Answer(code="legal", likelihood=0.6)
            wrong = Answer(
                code="illegal", likelihood=0.4, events=(Placement(touches_both_lines=False),)
            )
            facts.doubt(Question.PLACEMENT_LEGAL, "placement", (legal, wrong))

    def _contact(
        self, episode: Episode, moved: Sequence[tuple[RestDisc, float]], facts: _Facts
    ) -> None:
        went = {one.track: one for one, off in moved if off >= _TOUCHED_MM}
        for track, motion in episode.motions.items():
            if not motion.handled:
                went.setdefault(track, motion.disc)
        chains = contact_chains(self._spec, episode, tuple(went.values())) if went else ()
        when = _inferred(episode.t0_s, episode.t0_s)
        found = contact_facts(self._spec, episode.seat, chains, when, at=len(facts.events))
        facts.events.extend(found.events)
        if found.doubt is not None:
            facts.doubts.append(found.doubt)

    def _left(
        self,
        episode: Episode,
        left: Sequence[RestDisc],
        tracks: Sequence[Track],
        facts: _Facts,
    ) -> tuple[tuple[int, ...], tuple[RestDisc, ...]]:
        """Events of the discs that are gone: the tracks that are, and the discs that went on no way
        at all, so that they stand there on edge for all that is known."""
        gone, hidden = [], []
        by_id = {track.id: track for track in tracks}
        netted, framed = self._off_wood(episode, tracks)
        for disc in left:
            found = disc.track in episode.motions or disc.kind in netted or disc.kind in framed
            if disc.unseen and not found:
                hidden.append(disc)
                continue
            track = by_id.get(disc.track)
            departure = self._departure(episode, disc, track, netted, framed)
            stands = _on_edge(disc, episode)
            room_mm = self._spec.half_mm - max(abs(stands.x_mm), abs(stands.y_mm))
            moved = disc.track in episode.motions
            if departure.how is How.UNKNOWN and (room_mm > _AT_FRAME_MM or not moved):
                hidden.append(stands)
            else:
                gone.append(disc.track)
            fell = self._fell_when_freed(disc, episode)
            if fell is not None:
                facts.events.append(fell)
            else:
                self._tell(disc, departure, episode, facts)
        return tuple(gone), tuple(hidden)

    def _departure(
        self,
        episode: Episode,
        disc: RestDisc,
        track: Track | None,
        netted: dict[PieceKind, dict[Pocket, bool]],
        framed: set[PieceKind],
    ) -> Departure:
        motion = episode.motions.get(disc.track)
        start = Fix(episode.t0_s, disc.x_mm, disc.y_mm, disc.place)
        path = [start, *(motion.fixes if motion is not None else ())]
        if track is not None and track.last.t_s > path[-1].t_s:
            path.append(track.last)
        if disc.track in episode.sunk and episode.settled_s is not None:
            path = [fix for fix in path if fix.t_s <= episode.settled_s]  # a hand took it since
        hand = path[-1].covered > 0.2 or (motion is not None and motion.handled)
        return departure_of(
            self._spec,
            self._spec.radii_mm[disc.kind],
            path,
            hand_there=hand,
            netted=netted.get(disc.kind, {}),
            on_frame=disc.kind in framed or path[-1].place is Place.FRAME,
        )

    def _off_wood(
        self, episode: Episode, tracks: Sequence[Track]
    ) -> tuple[dict[PieceKind, dict[Pocket, bool]], set[PieceKind]]:
        """Kinds that have newly appeared in nets, by pocket, and on the frame."""
        known = {disc.track for disc in episode.before}
        netted: dict[PieceKind, dict[Pocket, bool]] = {}
        framed: set[PieceKind] = set()
        for track in tracks:
            if track.id in known or track.born_s < episode.t0_s or track.hits < 2:
                continue
            fix = track.last
            if fix.place is Place.POCKET:
                pocket = self._pocket_near(fix.x_mm, fix.y_mm)
                netted.setdefault(track.kind, {})[pocket] = True
            elif fix.place is Place.FRAME:
                framed.add(track.kind)
        return netted, framed

    def _pocket_near(self, x_mm: float, y_mm: float) -> Pocket:
        centres = self._spec.pocket_centres
        return min(centres, key=lambda p: hypot(centres[p].x_mm - x_mm, centres[p].y_mm - y_mm))

    def _tell(self, disc: RestDisc, departure: Departure, episode: Episode, facts: _Facts) -> None:
        when = _seen(episode.t0_s, episode.still_from_s)
        by_how: dict[How, float] = {}
        for how, _, chance in departure.chances:
            by_how[how] = by_how.get(how, 0.0) + chance
        best = max(by_how, key=lambda how: by_how[how])
        pocket = next((p for how, p, _ in departure.chances if how is How.POCKETED), None)
        events: dict[How, tuple[Event, ...]] = {
            How.POCKETED: (Pocketed(piece=disc.kind, pocket=pocket, evidence=when),),
            How.OFF_BOARD: (OffBoard(piece=disc.kind, evidence=when),),
            How.ON_FRAME: (OnFrame(piece=disc.kind, evidence=when),),
            How.BY_HAND: (Touched(piece=disc.kind, by=TouchedBy.HAND, moved=True, evidence=when),),
            How.UNKNOWN: (Standing(piece=disc.kind, evidence=when),),
        }
        if by_how[best] >= _SURE and best is not How.UNKNOWN:
            facts.events.extend(events[best])
            return
        answers = [
            Answer(
                code=_ANSWERS.get(how, str(how)), likelihood=round(chance, 4), events=events[how]
            )
            for how, chance in sorted(by_how.items(), key=lambda row: -row[1])
            if chance >= 0.01
        ]
        facts.doubt(Question.LEFT_BOARD, f"left_{disc.track}", answers)

    def _touched(self, episode: Episode, facts: _Facts) -> None:
        """Discs that moved beside a hand while no disc was near: a question, never a call. Who was
        hidden under the hand may have been hit all the same."""
        moved: list[Touched] = []
        for motion in episode.motions.values():
            if not motion.handled or not motion.fixes:
                continue
            if episode.settled_s is not None and motion.from_s > episode.settled_s:
                continue  # hands at work after the stroke: parting a stack, putting back
            last = motion.fixes[-1]
            off = hypot(last.x_mm - motion.disc.x_mm, last.y_mm - motion.disc.y_mm)
            if off >= _DISTURBED_MM:
                when = _seen(motion.from_s, last.t_s)
                kind = motion.disc.kind
                moved.append(Touched(piece=kind, by=TouchedBy.HAND, moved=True, evidence=when))
        if moved:
            no = Answer(code="no", likelihood=0.7)
            yes = Answer(code="yes", likelihood=0.3, events=tuple(moved))
            facts.doubt(Question.HAND_MOVED_PIECE, "hand", (no, yes))

    def _striker(
        self, episode: Episode, striker: Track | None, tracks: Sequence[Track], facts: _Facts
    ) -> None:
        """What became of the striker."""
        kind = PieceKind.STRIKER
        netted, framed = self._off_wood(episode, tracks)
        when = _seen(episode.t0_s, episode.still_from_s)
        if episode.stopped_mm_s > _STOPPED_MM_S:
            early = StrikerRecalledEarly(evidence=when)
            yes = Answer(code="yes", likelihood=0.7, events=(early,))
            no = Answer(code="no", likelihood=0.3)
            facts.doubt(Question.STRIKER_RECALLED_EARLY, "recalled", (yes, no))
        if episode.striker_taken_s is not None:
            return
        met_s = episode.striker_met_s
        if episode.striker_rested_s is None and met_s is not None:
            if _quick(episode.striker_path, met_s) and kind not in netted:
                facts.events.append(StrikerRecalledEarly(evidence=when))
                return
        present = striker is not None and striker.missing_since_s is None
        if present and striker is not None and lies_on_board(striker):
            return
        in_net = sum(fix.place is Place.POCKET for fix in episode.striker_path[-5:]) >= 3
        off_wood = in_net or kind in netted or kind in framed
        if episode.striker_rested_s is not None and not off_wood:
            return  # it lay still on the board; a hand took it since
        start = Fix(episode.t0_s, *episode.placement_mm, Place.SURFACE)
        path = [start, *episode.striker_path]
        while in_net and path[-1].place is not Place.POCKET:
            path.pop()
        departure = departure_of(
            self._spec,
            self._spec.radii_mm[kind],
            path,
            hand_there=path[-1].covered > 0.2,
            netted=netted.get(kind, {}),
            on_frame=kind in framed or path[-1].place is Place.FRAME,
        )
        disc = RestDisc(kind, path[-1].x_mm, path[-1].y_mm, Place.SURFACE, episode.striker)
        if departure.how is How.BY_HAND:
            return
        self._tell(disc, departure, episode, facts)

    def _misfire(self, episode: Episode, facts: _Facts) -> None:
        """It came to lie on both of its lines again and touched nothing (SE-12)."""
        place = episode.striker_place
        touched = not any(isinstance(event, NoContact) for event in facts.events)
        if self._spec.family is not BoardFamily.ICF or place is None or touched:
            return
        found = self._places.facts(episode.seat, *place).facts
        same_side = self._places.seat_of(*place) is episode.seat
        if same_side and (found is None or found.touches_both_lines is None):
            when = _seen(episode.t0_s, episode.still_from_s)
            facts.events.append(Misfire(striker_on_both_lines=True, hit_piece=False, evidence=when))

    def _stacked(self, episode: Episode, facts: _Facts) -> None:
        """Discs on the striker, the striker on discs."""
        if episode.stacked is None:
            return
        disc, on_striker = episode.stacked
        when = _seen(episode.t0_s, episode.still_from_s)
        lip = self._at_lip(disc, episode)
        cls = RestingOnStriker if on_striker else StrikerOnPiece
        facts.events.append(cls(piece=disc.kind, at_pocket_lip=lip, evidence=when))

    def _at_lip(self, disc: RestDisc, episode: Episode) -> bool:
        """Whether it hung over a pocket's lip while it was stacked."""
        motion = episode.motions.get(disc.track)
        return motion is not None and any(fix.place is Place.HANGING for fix in motion.fixes)

    def _fell_when_freed(self, disc: RestDisc, episode: Episode) -> Event | None:
        """A man that is gone after it had lain on the striker or under it fell in while a hand
        parted them: no hand keeps it (HK-32, ICF-42, ICF-43)."""
        if episode.stacked is None or episode.stacked[0].track != disc.track:
            return None
        when = _seen(episode.t0_s, episode.still_from_s)
        if self._spec.family is BoardFamily.HIKONE:
            return FellDuringLift(piece=disc.kind, evidence=when)
        return FellInOnRemoval(piece=disc.kind, evidence=when)


def _on_edge(disc: RestDisc, episode: Episode) -> RestDisc:
    """Where it was seen last."""
    motion = episode.motions.get(disc.track)
    if motion is None or not motion.fixes:
        return replace(disc, unseen=True)
    last = motion.fixes[-1]
    return replace(disc, x_mm=last.x_mm, y_mm=last.y_mm, unseen=True)


def _quick(path: Sequence[Fix], until_s: float) -> bool:
    """Whether the striker was still on its way when a hand met it."""
    free = [fix for fix in path if fix.t_s <= until_s]
    if len(free) < 2:
        return False
    a, b = free[-2], free[-1]
    return hypot(b.x_mm - a.x_mm, b.y_mm - a.y_mm) / max(b.t_s - a.t_s, 1e-3) > _QUICK_MM_S


def _seen(start_s: float | None, end_s: float | None) -> Evidence:
    if start_s is not None and end_s is not None:
        end_s = max(start_s, end_s)
    return Evidence(source=Source.OBSERVED, t_start_s=start_s, t_end_s=end_s)


def _inferred(start_s: float, end_s: float) -> Evidence:
    return Evidence(source=Source.INFERRED, t_start_s=start_s, t_end_s=end_s)
