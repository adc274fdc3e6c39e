"""Between strokes: what hands put on the board, take off, push aside and put right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import hypot

import numpy as np

from carrom.board_spec import BoardSpec
from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from vision.arrays import Array
from vision.following.cover_map import CoverMap, HandTimes
from vision.following.rest import (
    Matched,
    RestDisc,
    lies_on_board,
    match_rests,
    place_of,
    position_of,
)
from vision.following.track import Track, was_seen
from vision.opening import opening_in
from vision.seen import Place
from vision.table_events import (
    BoardCleared,
    Disturbed,
    Phase,
    Racked,
    Restored,
    RestSeen,
    Returned,
    TableEvent,
    TakenOff,
)

__all__ = ["BetweenWatch"]

_AGREE_S = 0.45
"""A disc lies still this long before it is believed to lie there."""
_GONE_S, _GONE_BY_HAND_S = 30.0, 1.0
"""A free view of an empty place so long, and its disc is gone if a hand was over it. Without a hand
nothing leaves: it stands on edge, or it never was one."""
_MOVED_MM = 4.5
_BACK_MM = 8.0
"""Put back so near counts as restored: laws ask for as near as may be."""
_REBUILT = 4
"""So many discs put on or taken off without a stroke: the board is being set up."""
_LEAST_HITS = 4
_FAR_MM, _ABSENT_S = 25.0, 0.6
"""A disc that is seen so far from its place has left it if that has been empty so long."""
_GHOST_S, _GHOST_MM, _GHOSTS = 1.2, 6.0, 15
_PUT_S = 1.5
"""A disc lies still so long, at most, after the hand that put it down."""
_OFTEN, _RARELY = 0.6, 0.3
"""Shares of looks that are sure of it: what a hand has put down is in most, print in few."""
_FLAT = 0.6
"""A disc on edge is taken for one now and then, less surely than one that lies flat."""
_ENOUGH, _FOUND_SHARE, _FOUND_MM, _ADRIFT_S = 4, 0.7, 9.0, 4.0
_ARRIVING_S = 0.6


class BetweenWatch:
    """Keeps the board as it was last agreed to lie, and says how hands change it."""

    def __init__(self, spec: BoardSpec) -> None:
        self._spec = spec
        self.record: tuple[RestDisc, ...] = ()
        self._known = False
        self.ghosts: tuple[tuple[float, float], ...] = ()
        """Places, mm, where something looks like a disc now and then and is none."""
        self._untouched = True
        """No hand and no stroke since the first look."""
        self._touched: dict[int, float] = {}
        self._disturbed: dict[int, Disc] = {}
        self._gone_since: dict[int, float] = {}
        self._absent_since: dict[int, float] = {}
        self._order = 0
        self._changes = 0
        self._building = False
        self._racked = False
        self._told_rest = False
        self._last_hand_s = -1e9
        self._hand_s = HandTimes(spec.half_mm)
        self._adrift = False
        self._adrift_s: float | None = None

    def look_anew(self) -> None:
        """The tracks are new, and the board may lie a quarter turned: the record waits to be found
        again by its places."""
        self.record = tuple(replace(disc, track=-1 - k) for k, disc in enumerate(self.record))
        self._adrift = bool(self.record)
        self._adrift_s = None
        self.ghosts = ()

    def _find_again(self, t_s: float, lying: Sequence[Track]) -> None:
        """Turn the record so that it lies where the discs are seen; give it up if it never does."""
        if self._adrift_s is None:
            self._adrift_s = t_s
        seen = np.array([place_of(t) for t in lying if t.missing_since_s is None]).reshape(-1, 2)
        if len(seen) >= min(_ENOUGH, len(self.record)):
            options = [turned_record(self.record, quarters) for quarters in range(4)]
            fits = [_share_found(option, seen) for option in options]
            best = int(np.argmax(fits))
            if fits[best] >= _FOUND_SHARE:
                self.record, self._adrift = options[best], False
                return
        if t_s - self._adrift_s > _ADRIFT_S:
            self._adrift = False
            self.forget()

    def forget(self) -> None:
        """The record counts no longer: the next rest is taken as it is."""
        self.record, self._known, self._racked = (), False, False
        self._untouched = True
        self._touched.clear()
        self._disturbed.clear()

    def phase(self, *, hands: bool) -> Phase:
        """Between strokes, with no striker placed."""
        if not self._known:
            return Phase.UNKNOWN
        if self._racked:
            return Phase.RACKED
        if self._building:
            return Phase.SETTING_UP if self.record else Phase.EMPTY
        if hands:
            return Phase.RETURNING if self._order else Phase.HANDS
        return Phase.WAITING if self.record else Phase.EMPTY

    def after_stroke(self, after: tuple[RestDisc, ...], t_s: float) -> None:
        """The rest that a stroke left."""
        self.record, self._untouched = after, False
        self._disturbed.clear()
        self._touched.clear()
        self._order = self._changes = 0
        self._building = self._racked = False
        self._told_rest = False

    def before_stroke(self, t_s: float) -> tuple[TableEvent, ...]:
        """A stroke begins: what was not settled is left to the stroke."""
        self._building = self._racked = False
        self._changes = 0
        return ()

    def note_hands(self, t_s: float, cover: CoverMap) -> None:
        """Take the hands of any view, during strokes too."""
        if cover.any:
            self._hand_s.note(t_s, cover)

    def look(
        self, t_s: float, men: Sequence[Track], striker: Track | None, cover: CoverMap
    ) -> list[TableEvent]:
        """Take one look; ``men``: firm tracks but the striker's."""
        out: list[TableEvent] = []
        if cover.any:
            self._last_hand_s = t_s
        self._note_hands(t_s, cover)
        lying = [t for t in men if lies_on_board(t) and t.kind is not PieceKind.STRIKER]
        settled = [t for t in lying if self._settled(t, t_s)]
        if self._adrift:
            self._find_again(t_s, lying)
            return out
        self._untouched = self._untouched and not cover.any
        if not self._known or self._untouched:
            self._first_rest(t_s, lying, settled, cover, out)
        if not self._known:
            return out
        self._note_ghosts(t_s, lying)
        self._compare(t_s, lying, cover, out)
        self._tell_rest(t_s, lying, striker, cover, out)
        return out

    def _settled(self, track: Track, t_s: float) -> bool:
        return (
            track.missing_since_s is None
            and track.still_since_s is not None
            and t_s - track.still_since_s >= _AGREE_S
            and track.hits >= _LEAST_HITS
        )

    def _note_hands(self, t_s: float, cover: CoverMap) -> None:
        if not cover.any:
            return
        for disc in self.record:
            if cover.at(disc.x_mm, disc.y_mm, self._spec.radii_mm[disc.kind] + 20.0) > 0:
                self._touched[disc.track] = t_s

    def _first_rest(
        self,
        t_s: float,
        lying: Sequence[Track],
        settled: Sequence[Track],
        cover: CoverMap,
        out: list[TableEvent],
    ) -> None:
        """The first board that lies still and is seen whole is taken as it is; again, until a hand
        comes, when the eyes think better of it. Beside hands only the complete opening layout is:
        whoever breaks may have his hand over the board from the first look on."""
        settled = [t for t in settled if t.sure_share >= _OFTEN]
        if not settled or {t.id for t in settled} == {disc.track for disc in self.record}:
            return
        unsettled = [t for t in lying if was_seen(t, t_s, _AGREE_S) and t not in settled]
        before, self.record = self.record, self._named(settled)
        opening = self._is_opening()
        if (unsettled or cover.any) and not opening:
            self.record = before
            return
        self._known, self._told_rest = True, False
        was, self._racked = self._racked, opening
        if self._racked and not was:
            out.append(Racked(t_s=t_s, position=position_of(self.record)))

    def _named(self, tracks: Sequence[Track]) -> tuple[RestDisc, ...]:
        """Tracks as discs, no more of a kind than a set has: the surest keep their kind."""
        left = dict(self._spec.pieces)
        out = []
        options = sorted(
            ((t.log_odds(kind), -t.id, kind, t) for t in tracks for kind in left),
            key=lambda row: (-row[0], -row[1], row[2]),
        )
        done: set[int] = set()
        for _, _, kind, track in options:
            if track.id in done or left[kind] <= 0:
                continue
            done.add(track.id)
            left[kind] -= 1
            x, y = place_of(track)
            out.append(RestDisc(kind, x, y, track.last.place, track.id, track.confidence))
        return tuple(out)

    def _is_opening(self) -> bool:
        """Whether the record is the opening layout; then its kinds are those of the layout."""
        spec = self._spec
        if len(self.record) < 0.85 * sum(spec.pieces.values()):
            return False
        points = np.array([[d.x_mm, d.y_mm] for d in self.record])
        light = np.array([40.0 + 40.0 * (d.kind is PieceKind.WHITE) for d in self.record])
        red = np.array([40.0 * (d.kind is PieceKind.RED) for d in self.record])
        men = [r for kind, r in spec.radii_mm.items() if kind is not PieceKind.STRIKER]
        found = opening_in(spec, points, float(np.median(men)), light, red)
        if found is None:
            return False
        whole = len(self.record) == sum(spec.pieces.values())
        if whole and len(found.kinds) >= 0.9 * len(self.record):
            named = dict(found.kinds)
            wanted = dict(spec.pieces)
            for kind in named.values():
                wanted[kind] = wanted.get(kind, 0) - 1
            if all(count >= 0 for count in wanted.values()):
                self.record = tuple(
                    replace(d, kind=named.get(k, d.kind)) for k, d in enumerate(self.record)
                )
        return whole

    def _compare(
        self, t_s: float, lying: Sequence[Track], cover: CoverMap, out: list[TableEvent]
    ) -> None:
        """What differs from the record, and since when for sure."""
        own = {disc.track for disc in self.record}
        # What hangs in a net now and then looks like over its lip, and print like a man: neither is
        # a disc of the record that a hand has moved there.
        seen = [
            t for t in lying if t.missing_since_s is None and (t.id in own or self._was_brought(t))
        ]
        matched = self._plausible(t_s, match_rests(self.record, seen), cover)
        by_id = {t.id: t for t in seen}
        record = []
        moved: list[tuple[Disc, Disc]] = []
        for old, new in matched.stayed:
            track = by_id[new.track]
            off = hypot(new.x_mm - old.x_mm, new.y_mm - old.y_mm)
            if off <= _MOVED_MM or not self._settled(track, t_s):
                # Small steps are the camera's; the place is kept, or drift would walk away.
                unseen = old.unseen and new.confidence < _FLAT
                record.append(
                    replace(old, track=new.track, confidence=new.confidence, unseen=unseen)
                )
                if off <= _MOVED_MM and self._settled(track, t_s):
                    record[-1] = replace(
                        record[-1],
                        x_mm=0.8 * old.x_mm + 0.2 * new.x_mm,
                        y_mm=0.8 * old.y_mm + 0.2 * new.y_mm,
                    )
                continue
            self._moved(old, new, moved, out, t_s)
            record.append(new)
        record += self._not_seen(t_s, matched, cover, out)
        record += self._new(t_s, matched, out)
        if moved and not self._building:
            out.append(Disturbed(t_s=t_s, moved=tuple(moved)))
            self._told_rest = False
        self.record = tuple(record)
        self._note_building(t_s, out)

    def _note_ghosts(self, t_s: float, lying: Sequence[Track]) -> None:
        """Remember what has flickered for long in plain view: print or a reflection."""
        own = {disc.track for disc in self.record}
        for track in lying:
            since_s = track.still_since_s
            if track.id in own or since_s is None or t_s - since_s < _GHOST_S:
                continue
            x, y = place_of(track)
            if track.sure_share >= _RARELY or t_s - self._hand_s.at(x, y) < _GHOST_S:
                continue
            if all(hypot(x - a, y - b) > _GHOST_MM for a, b in self.ghosts):
                self.ghosts = (*self.ghosts[-_GHOSTS:], (x, y))

    def _plausible(self, t_s: float, matched: Matched, cover: CoverMap) -> Matched:
        """Without far moves of discs whose place has not been seen empty for a while: one look
        misses a disc, and a hand hides it."""
        stayed, left = [], list(matched.left)
        for old, new in matched.stayed:
            if new.track == old.track:
                self._absent_since.pop(old.track, None)
                stayed.append((old, new))
                continue
            absent_s = self._absent(t_s, old, cover)
            near = hypot(new.x_mm - old.x_mm, new.y_mm - old.y_mm) <= _FAR_MM
            if near or absent_s >= _ABSENT_S:
                stayed.append((old, new))
            else:
                left.append(old)
        for old in matched.left:
            self._absent(t_s, old, cover)
        return Matched(tuple(stayed), tuple(left), matched.extra)

    def _absent(self, t_s: float, disc: RestDisc, cover: CoverMap) -> float:
        """How long the place of a disc of the record has been in view without it, s."""
        if cover.at(disc.x_mm, disc.y_mm, self._spec.radii_mm[disc.kind] + 10.0) > 0:
            self._absent_since.pop(disc.track, None)
            return 0.0
        return t_s - self._absent_since.setdefault(disc.track, t_s)

    def _was_brought(self, track: Track) -> bool:
        """Whether a hand can have put it where it lies: surely a disc, and a hand was there."""
        if track.sure_share < _OFTEN or _is_in_net(track):
            return False
        since_s = track.still_since_s or track.last.t_s
        return self._hand_s.at(*place_of(track)) >= since_s - _PUT_S

    def _moved(
        self,
        old: RestDisc,
        new: RestDisc,
        moved: list[tuple[Disc, Disc]],
        out: list[TableEvent],
        t_s: float,
    ) -> None:
        first = self._disturbed.get(new.track)
        if first is not None and hypot(first.x_mm - new.x_mm, first.y_mm - new.y_mm) <= _BACK_MM:
            del self._disturbed[new.track]
            if not self._disturbed:
                out.append(Restored(t_s=t_s))
            return
        if first is None:
            self._disturbed[new.track] = old.disc
        moved.append((old.disc, new.disc))

    def _not_seen(
        self, t_s: float, matched: Matched, cover: CoverMap, out: list[TableEvent]
    ) -> list[RestDisc]:
        """Discs of the record without a track: kept until they are surely gone."""
        kept = []
        for disc in matched.left:
            radius = self._spec.radii_mm[disc.kind]
            if cover.at(disc.x_mm, disc.y_mm, radius + 10.0) > 0:
                self._gone_since.pop(disc.track, None)
                kept.append(disc)
                continue
            since = self._gone_since.setdefault(disc.track, t_s)
            hand = t_s - self._touched.get(disc.track, -1e9) < 6.0
            if t_s - since < (_GONE_BY_HAND_S if hand else _GONE_S):
                kept.append(disc)
                continue
            self._gone_since.pop(disc.track, None)
            self._changes += 1
            self._disturbed.pop(disc.track, None)
            self._told_rest = False
            if not self._building:
                out.append(TakenOff(t_s=t_s, disc=disc.disc))
        for old, _ in matched.stayed:
            self._gone_since.pop(old.track, None)
        return kept

    def _new(self, t_s: float, matched: Matched, out: list[TableEvent]) -> list[RestDisc]:
        """Tracks that nothing of the record accounts for: put on by a hand."""
        added = []
        hand = t_s - self._last_hand_s < 4.0
        for track in matched.extra:
            if not self._settled(track, t_s) or track.confidence < 0.6 or track.sure_share < _OFTEN:
                continue
            if not hand and t_s - track.born_s < 2.0:
                continue  # nothing appears from nowhere
            if track.last.place is Place.HANGING or _is_in_net(track):
                continue  # seen in a net, which now and then looks like over its lip
            kind = self._kind_for(track)
            if kind is None:
                continue
            x, y = place_of(track)
            disc = RestDisc(kind, x, y, track.last.place, track.id, track.confidence)
            added.append(disc)
            self._changes += 1
            self._order += 1
            self._told_rest = False
            if not self._building:
                out.append(Returned(t_s=t_s, disc=disc.disc, order=self._order))
        return added

    def _kind_for(self, track: Track) -> PieceKind | None:
        """The likeliest kind of which the set has one left."""
        left = dict(self._spec.pieces)
        for disc in self.record:
            left[disc.kind] = left.get(disc.kind, 0) - 1
        for kind in sorted(left, key=lambda one: -track.log_odds(one)):
            if left[kind] > 0:
                return kind
        return None

    def _note_building(self, t_s: float, out: list[TableEvent]) -> None:
        if not self.record and self._known and not self._building:
            self._building = True
            self._racked = False
            out.append(BoardCleared(t_s=t_s))
        elif self._changes >= _REBUILT and not self._building:
            self._building, self._racked = True, False

    def _tell_rest(
        self,
        t_s: float,
        lying: Sequence[Track],
        striker: Track | None,
        cover: CoverMap,
        out: list[TableEvent],
    ) -> None:
        if self._told_rest or cover.any or not self.record:
            return
        seen = {t.id: t for t in lying if self._settled(t, t_s)}
        if any(disc.track not in seen for disc in self.record if not disc.unseen):
            return
        if any(t.id not in {d.track for d in self.record} for t in lying if t.hits >= _LEAST_HITS):
            return
        opening = False
        if self._building or self._changes >= _REBUILT:
            opening = self._is_opening()
            if opening:
                self._building, self._racked = False, True
                self._changes = self._order = 0
                out.append(Racked(t_s=t_s, position=position_of(self.record)))
        self._told_rest = True
        discs = [disc.disc for disc in self.record]
        if striker is not None and striker.missing_since_s is None and lies_on_board(striker):
            discs.append(Disc(PieceKind.STRIKER, *place_of(striker)))
        out.append(
            RestSeen(
                t_s=t_s,
                position=Position(tuple(discs)),
                confidence=min(disc.confidence for disc in self.record),
                opening=opening or self._racked,
            )
        )


def turned_record(record: Sequence[RestDisc], quarters: int) -> tuple[RestDisc, ...]:
    """The record when what lay East has become South, ``quarters`` times."""
    out = tuple(record)
    for _ in range(quarters):
        out = tuple(replace(disc, x_mm=disc.y_mm, y_mm=-disc.x_mm) for disc in out)
    return out


def _share_found(record: Sequence[RestDisc], seen: Array) -> float:
    """Share of the seen places that hold a disc of the record."""
    places = np.array([[disc.x_mm, disc.y_mm] for disc in record])
    apart = np.hypot(*(seen[:, None] - places[None]).transpose(2, 0, 1)).min(axis=1)
    return float((apart < _FOUND_MM).mean())


def _is_in_net(track: Track) -> bool:
    """Whether a look has seen it in a pocket since it lies where it lies; what a hand has taken
    out of one is followed from there."""
    since_s = track.still_since_s or track.last.t_s
    return any(fix.place is Place.POCKET and fix.t_s >= since_s for fix in track.fixes)
