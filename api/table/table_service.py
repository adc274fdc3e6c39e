"""The table: camera, match, advice and viewers, behind one lock (`docs/protocol.md`)."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from api.table.advice import AdviceDesk
from api.table.announce import announce, rulings_of
from api.table.camera_desk import CameraDesk, MakesPipelines
from api.table.commands import HARMLESS, run_command
from api.table.conflict import ConflictError
from api.table.desk import Desk, Problem
from api.table.difference import difference_of
from api.table.event_log import EventLog
from api.table.match_keeper import MatchKeeper
from api.table.meter import Meter, NoMeter
from api.table.player_hands import PlayerHands, player_at
from api.table.replay_ring import ReplayRing
from api.table.seat_finder import is_elsewhere, quarters_needed
from api.table.snapshot import NO_MATCH, match_part, table_part
from api.table.stroke_page import stroke_page
from api.table.subscribers import Subscribers
from api.table.table import Subscription
from api.table.tell import call_of
from carrom.errors import CarromError, MatchError, SchemaError
from carrom.seats import Seat
from referee.ruleset_files import load_laws
from referee.state import Phase as Play
from vision.frames import Frame
from vision.launch_seen import launch_seen
from vision.pipeline import LiveTable
from vision.table_events import (
    Calibrated,
    Phase,
    PhaseChanged,
    RestSeen,
    SightChanged,
    StrokeSeen,
    TableEvent,
)

__all__ = ["Listener", "TableService"]

_ANSWERS = 500
_FREE = frozenset({"suggest", "mask"})
"""Commands that do not touch the log."""
_TRIED = frozenset({"amend", "delete", "accept_board"})
"""Commands whose difference can be seen first."""
_NEW = frozenset({"stroke", "declare", "confirm", "next_board", "next_game", "clock", "mode"})
"""Commands that correct nothing."""
_QUIET = (Phase.WAITING, Phase.AIMING, Phase.RACKED)


class Shelf(Protocol):
    """Keeps clips within a quota (``api.store.clip_shelf.ClipShelf``)."""

    def room(self) -> Path:
        """A path to write a new clip to."""
        ...

    def add(self, match_id: str, stroke_id: str, path: Path) -> None:
        """Keep a finished clip."""
        ...

    def find(self, match_id: str, stroke_id: str) -> Path | None:
        """The clip of a stroke, if it is kept."""
        ...


class Listener(Protocol):
    """Hears of changes, under the table's lock: it returns at once and asks nothing back."""

    def changed(self, snapshot: Mapping[str, Any]) -> None:
        """The table is as this snapshot says."""
        ...


class TableService:
    """One table, a ``Table``. ``pipeline``: makes one for laws, seats and a saved board; ``clips``:
    the folder for exported strokes; ``shelf``: keeps them within a quota instead; ``files``: paths
    may be opened as a camera; ``meter``: counts;
    ``listener``: hears of every change. The last match that is not over is taken up again."""

    def __init__(
        self,
        log: EventLog,
        *,
        pipeline: MakesPipelines | None = None,
        clips: Path | None = None,
        shelf: Shelf | None = None,
        files: bool = False,
        clock: Callable[[], float] = time.monotonic,
        meter: Meter | None = None,
        listener: Listener | None = None,
    ) -> None:
        self._clock, self._clips, self._shelf = clock, clips, shelf
        self._meter, self._listener = meter or NoMeter(), listener
        self._lock = threading.RLock()
        self._viewers = Subscribers(self.snapshot)
        self._advice = AdviceDesk(self._changed, PlayerHands(log))
        self._ring = ReplayRing()
        self._keeper = MatchKeeper(log)
        made = pipeline or _shipped_pipeline
        self._camera = CameraDesk(log, self, pipeline=made, files=files, clock=clock, meter=meter)
        self._answers: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self._suggest = False

    # -- what is told

    def snapshot(self) -> dict[str, Any]:
        """The whole state of the table."""
        with self._lock:
            desk, meta = self._keeper.desk, self._keeper.meta
            out: dict[str, Any] = {"rev": self._viewers.rev, "seq": self._keeper.seq}
            if desk is None or meta is None:
                out |= NO_MATCH
            else:
                shown = {"id": meta.id, "rules": meta.rules, "started": meta.started}
                out |= match_part(desk, shown, self._now(), self._ring.numbers)
            out["table"] = table_part(desk, self._camera.live)
            out["suggestions"] = self._advice.data()
            out["camera"] = self._camera.data()
            out["viewers"] = self._viewers.count
            return out

    @property
    def frame_age_s(self) -> float:
        """Since the newest frame that was followed; 0 without a camera."""
        return self._camera.frame_age_s

    def subscribe(self) -> Subscription:
        """A new viewer's place."""
        return self._viewers.join()

    def strokes(self) -> list[dict[str, Any]]:
        """Every call of the match that is played."""
        with self._lock:
            desk, clips = self._keeper.playing(), self._ring.numbers
            return [
                call_of(r, desk.match.laws, confirmed=desk.confirmed(r.id), clip=r.number in clips)
                for r in desk.match.strokes
            ]

    def stroke(self, number: int) -> dict[str, Any]:
        """One stroke with its facts, doubts and likely corrections."""
        with self._lock:
            record = self._keeper.record(number)
            return stroke_page(self._keeper.playing(), record, number in self._ring.numbers)

    def replay(self, number: int) -> dict[str, Any]:
        """The frames kept of a stroke."""
        frames = self._ring.frames(number)
        return {
            "frames": [
                {
                    "t_s": round(kept.t_s - frames[0].t_s, 4),
                    "jpeg": f"/api/strokes/{number}/replay/{k}.jpg",
                    "discs": kept.table.get("discs", []),
                    "scale": kept.scale,
                }
                for k, kept in enumerate(frames)
            ]
        }

    def replay_jpeg(self, number: int, index: int) -> bytes:
        """One of them."""
        frames = self._ring.frames(number)
        if not 0 <= index < len(frames):
            raise MatchError(f"stroke {number} has {len(frames)} pictures, not {index}")
        return frames[index].jpeg

    def clip(self, number: int) -> Path:
        """An mp4 of a stroke with the overlay burnt in; one that was made before, when its pictures
        are no longer kept."""
        from api.table.clip_file import write_replay

        with self._lock:
            desk, meta = self._keeper.playing(), self._keeper.meta
            record = self._keeper.record(number)
            call = call_of(record, desk.match.laws)["call"]["en"]
            homography = self._camera.data()["homography"]
        if self._shelf is not None and meta is not None:
            kept = self._shelf.find(meta.id, record.id)
            if kept is not None and number not in self._ring.numbers:
                return kept
            frames = self._ring.frames(number)
            path = write_replay(self._shelf.room(), frames, call=call, homography=homography)
            self._shelf.add(meta.id, record.id, path)
            return path
        frames = self._ring.frames(number)
        folder = self._clips if self._clips is not None else Path.cwd()
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{'table' if meta is None else meta.id}_stroke_{number:03d}.mp4"
        return write_replay(path, frames, call=call, homography=homography)

    def export(self, match_id: str, form: str) -> bytes:
        """A match as ``json``, ``csv``, ``sol`` or ``html``."""
        return self._keeper.export(match_id, form)

    def matches(self) -> list[dict[str, Any]]:
        """All stored matches, the latest first."""
        with self._lock:
            return self._keeper.list()

    # -- what it is told

    def command(self, data: Mapping[str, Any], *, actor: str) -> dict[str, Any]:
        """Carry out one command."""
        with self._lock:
            key = data.get("id")
            if isinstance(key, str) and key in self._answers:
                return self._answers[key]
            answer = self._carry_out(data, actor)
            if isinstance(key, str):
                self._answers[key] = answer
                while len(self._answers) > _ANSWERS:
                    self._answers.popitem(last=False)
            return answer

    def _carry_out(self, data: Mapping[str, Any], actor: str) -> dict[str, Any]:
        do = data.get("do")
        if do in _FREE:
            self._free_command(str(do), data)
            self._changed()
            return {"seq": self._keeper.seq, "snapshot": self.snapshot()}
        desk = self._keeper.playing()
        _check_seq(desk, data)
        if data.get("accept") is False and do in _TRIED:
            return {"seq": desk.seq, "difference": difference_of(desk, data, self._now())}
        before = rulings_of(desk)
        self._keeper.change(lambda one: run_command(one, data, self._now()), actor)
        confirmed = ""
        if do == "confirm" and desk.match.strokes:
            number = data.get("stroke", len(desk.match.strokes))
            confirmed = self._keeper.record(number).id
        if do in _TRIED:
            self._meter.corrected()
        say = announce(desk, before, corrected=do not in _NEW, confirmed=confirmed)
        self._think()
        self._changed(say)
        return {"seq": desk.seq, "snapshot": self.snapshot()}

    def _free_command(self, do: str, data: Mapping[str, Any]) -> None:
        if do == "mask":
            self._camera.mask(*(_number(data, name) for name in ("x", "y", "radius")))
            return
        on = data.get("on", True)
        if not isinstance(on, bool):
            raise SchemaError("on", expected="true or false", got=on)
        skill = data.get("skill")
        if skill is not None:
            from sim.advisor import skill_of

            skill_of(skill)
            self._advice.skill = str(skill)
        self._suggest = on
        self._think()

    # -- matches

    def new_match(self, data: Mapping[str, Any]) -> str:
        """Begin a match and make it the table's."""
        with self._lock:
            match_id = self._keeper.begin(data)
        self._take_over()
        return match_id

    def resume_match(self, match_id: str) -> None:
        """Make a stored match the table's."""
        with self._lock:
            self._keeper.resume(match_id)
        self._take_over()

    def _take_over(self) -> None:
        """Follow another match with the same camera."""
        self._ring = ReplayRing()
        source = self._camera.source
        if source is not None:
            self.open_camera(source)
        with self._lock:
            self._think()
            self._changed()

    def delete_match(self, match_id: str) -> None:
        """Remove a stored match; not the one that is being played."""
        with self._lock:
            self._keeper.delete(match_id)
            self._changed()

    # -- the camera

    def cameras(self) -> list[dict[str, Any]]:
        """Cameras that can be chosen."""
        from vision.sources.usb_list import list_usb_cameras

        found = [{"id": f"usb:{c.id}", "name": c.name} for c in list_usb_cameras()]
        return [*found, {"id": "virtual:icf", "name": "Simulated table"}]

    def open_camera(self, source: str) -> None:
        """Use a source; returns when the one before is let go of."""
        desk = self._keeper.desk
        laws = load_laws("icf") if desk is None else desk.match.laws
        seats = tuple(Seat) if desk is None else tuple(desk.match.state.seats)
        self._camera.open(source, laws, seats)
        self._changed()

    def close_camera(self) -> None:
        """Let go of the source; what was seen last is no longer held against the record."""
        self._camera.close()
        with self._lock:
            if self._keeper.desk is not None:
                self._keeper.desk.board = None
            self._changed()

    def calibrate(
        self, corners_px: Sequence[tuple[float, float]] | None = None, *, turn: int = 0
    ) -> None:
        """Find the board again, or take it to be at these corners; ``turn``: by quarters."""
        self._camera.calibrate(corners_px, turn=turn)

    def push_frame(self, jpeg: bytes, *, taken_ms: float | None = None) -> None:
        """A frame from a phone."""
        self._camera.phone.push(jpeg, taken_ms=taken_ms)

    def take_frame(self, frame: Frame, live: LiveTable, events: tuple[TableEvent, ...]) -> None:
        """From the camera's thread: a frame and what became certain with it."""
        with self._lock:
            self._ring.offer(frame.t_s, frame.image_bgr, table_part(self._keeper.desk, live))
            say: list[dict[str, Any]] = []
            news = [self._take_event(event, say) for event in events]
            table = table_part(self._keeper.desk, live)
            self._viewers.show(frame.t_s, frame.image_bgr, table)
            if any(news):
                self._changed(say)

    def _take_event(self, event: TableEvent, say: list[dict[str, Any]]) -> bool:
        """Enter an event; whether the snapshot is another one."""
        self._meter.event(event.name)
        if isinstance(event, StrokeSeen) and event.outcome.t_end_s is not None:
            self._meter.called(max(0.0, event.t_s - event.outcome.t_end_s))
        if isinstance(event, PhaseChanged):
            if event.phase is Phase.MOVING:
                self._advice.stop("thinking" if self._suggest else "off")
            return True
        desk = self._keeper.desk
        if desk is None:
            return isinstance(event, Calibrated | SightChanged)
        if desk.match.state.phase is Play.MATCH_OVER and isinstance(event, StrokeSeen):
            return False
        seats = desk.match.state.seats
        turn, strokes = desk.match.state.turn, len(desk.match.strokes)
        self._camera.turn_by(quarters_needed(event, seats, turn, strokes=strokes))
        if is_elsewhere(event, seats):
            return False
        before, number = rulings_of(desk), len(desk.match.strokes)
        self._enter(event)
        desk = self._keeper.playing()
        if isinstance(event, StrokeSeen) and len(desk.match.strokes) > number:
            self._keep_pictures(event, number + 1)
            self._learn(event, desk)
        say += announce(desk, before)
        if isinstance(event, RestSeen | StrokeSeen):
            self._think()
        return True

    def _enter(self, event: TableEvent) -> None:
        """What cannot be kept is not entered either; a stroke then waits for a person."""
        try:
            self._keeper.change(lambda desk: desk.take(event), "camera")
        except CarromError as error:
            if isinstance(event, StrokeSeen):
                waiting = Problem(event.number, event.outcome, str(error), "not_kept")
                self._keeper.playing().hold(waiting)

    def _learn(self, seen: StrokeSeen, desk: Desk) -> None:
        """How well the player strikes shows when a suggestion was on the screen."""
        tracked = launch_seen(seen)
        if tracked is not None:
            player = player_at(desk.match.state, seen.outcome.seat)
            self._advice.struck(player, tracked.stroke)

    def _keep_pictures(self, seen: StrokeSeen, number: int) -> None:
        start_s, end_s = seen.outcome.t_start_s, seen.outcome.t_end_s
        if start_s is not None:
            self._ring.keep(number, start_s, start_s if end_s is None else end_s)

    def take_trouble(self, state: str, reason: str) -> None:
        """From the camera's thread: it is another state."""
        self._changed()

    # -- news

    def _changed(self, say: Sequence[Mapping[str, Any]] = ()) -> None:
        self._viewers.changed(say)
        if self._listener is not None:
            self._listener.changed(self.snapshot())

    def _think(self) -> None:
        """Begin to think about the position that lies there, if somebody wants to know."""
        desk = self._keeper.desk
        if desk is None or not self._suggest:
            self._advice.stop("off")
            return
        if desk.mode == "tournament":
            self._advice.stop("locked")
            return
        match, live = desk.match, self._camera.live
        quiet = live is None or live.phase in _QUIET
        ready = match.state.phase is Play.PLAY and not match.open_questions and quiet
        if desk.board is None or not ready or not desk.in_step:
            self._advice.stop("thinking")
            return
        self._advice.think(desk.board, match.state, match.laws)

    def _now(self) -> float:
        """Seconds of the clock that outcomes carry: the camera's, if there is one."""
        return self._clock() - self._camera.offset_s

    def close(self) -> None:
        """Let go of everything within two seconds."""
        self._camera.close()
        self._advice.close()
        self._viewers.close()


def _check_seq(desk: Desk, data: Mapping[str, Any]) -> None:
    seq = data.get("seq")
    if data.get("do") in HARMLESS:
        return
    if not isinstance(seq, int) or isinstance(seq, bool) or seq < 0:
        raise SchemaError("seq", expected="the number of the last event known", got=seq)
    if seq > desk.seq:
        raise SchemaError("seq", expected=f"at most {desk.seq}", got=seq)
    if desk.changed_since(seq):
        calls = [call_of(r, desk.match.laws) for r in desk.match.strokes[-5:]]
        raise ConflictError(desk.seq, calls)


def _number(data: Mapping[str, Any], name: str) -> float:
    value = data.get(name)
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise SchemaError(name, expected="a number", got=value)
    return float(value)


def _shipped_pipeline(laws: Any, seats: Any, *, board: Any = None) -> Any:
    from api.watch.following import pipeline_for

    return pipeline_for(laws, seats, board=board)
