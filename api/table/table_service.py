"""The table: camera, pipeline, match, advice and viewers, behind one lock (`docs/protocol.md`)."""

from __future__ import annotations

import threading
import time
import uuid
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from api.sources import choose_source
from api.table.advice import AdviceDesk
from api.table.camera_thread import CameraThread
from api.table.commands import HARMLESS, run_command
from api.table.conflict import ConflictError
from api.table.desk import Desk
from api.table.difference import difference_of
from api.table.event_log import EventLog, MatchMeta, Row
from api.table.likely import likely_corrections
from api.table.replay_ring import ReplayRing
from api.table.short_outcome import short_form
from api.table.snapshot import camera_calibration, match_part, table_part
from api.table.subscribers import Subscribers
from api.table.table import Subscription
from api.table.tell import call_of, doubts_of
from carrom.codec import Codec
from carrom.errors import CarromError, MatchError, SchemaError
from carrom.seats import Seat
from referee.match_events import MatchStarted
from referee.ruleset_files import load_laws
from referee.state import Phase as Play
from vision.frames import Frame
from vision.pipeline import LiveTable, Pipeline
from vision.seen import BoardSeen
from vision.sources.pushed import PushedFrames
from vision.table_events import (
    Calibrated,
    Phase,
    PhaseChanged,
    RestSeen,
    SightChanged,
    StrokeSeen,
    TableEvent,
)
from vision.watching.watcher import Mask

__all__ = ["TableService"]

_ANSWERS = 500
_FREE = frozenset({"suggest", "mask"})
"""Commands that do not touch the log."""
_QUIET = (Phase.WAITING, Phase.AIMING, Phase.RACKED)


class TableService:
    """One table. ``pipeline``: makes one for laws, seats and a saved board; ``clips``: the folder
    for exported strokes. The last match that is not over is taken up again."""

    def __init__(
        self,
        log: EventLog,
        *,
        pipeline: Callable[..., Pipeline] | None = None,
        clips: Path | None = None,
        files: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._log, self._clock, self._files, self._clips = log, clock, files, clips
        self._make_pipeline = pipeline or _shipped_pipeline
        self._lock = threading.RLock()
        self._viewers = Subscribers(self.snapshot)
        self._advice = AdviceDesk(self._advice_ready)
        self._ring = ReplayRing()
        self._phone = PushedFrames()
        self._camera: CameraThread | None = None
        self._source: str | None = None
        self._trouble = ""
        self._live: LiveTable | None = None
        self._desk: Desk | None = None
        self._meta: MatchMeta | None = None
        self._answers: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self._masks: list[Mask] = [Mask(*row) for row in log.recall("masks") or ()]
        self._suggest = False
        self._offset_s = 0.0
        open_ones = [meta for meta in log.matches() if not meta.over]
        if open_ones:
            self.resume_match(open_ones[0].id)

    # -- what is told

    def snapshot(self) -> dict[str, Any]:
        """The whole state of the table."""
        with self._lock:
            desk, meta = self._desk, self._meta
            out: dict[str, Any] = {"rev": self._viewers.rev, "seq": 0 if desk is None else desk.seq}
            if desk is None or meta is None:
                out |= _NO_MATCH
            else:
                shown = {"id": meta.id, "rules": meta.rules, "started": meta.started}
                out |= match_part(desk, shown, self._now(), self._ring.numbers)
            out["table"] = table_part(desk, self._live)
            out["suggestions"] = self._advice.data()
            out["camera"] = self._camera_data()
            out["viewers"] = self._viewers.count
            return out

    def _camera_data(self) -> dict[str, Any]:
        camera = self._camera
        if camera is None:
            empty = camera_calibration(None)
            return {"state": "none", "source": None, "fps": 0.0, "size": None, "advice": []} | empty
        state, board = camera.state, None if self._live is None else self._live.board
        info = state.info
        advice = [] if self._live is None else list(self._live.reasons)
        return {
            "state": state.state,
            "reason": state.reason,
            "source": None if info is None else {"kind": info.kind.value, "name": info.name},
            "fps": round(state.fps, 1),
            "dropped": state.dropped,
            "size": None if info is None else [info.width_px, info.height_px],
            "advice": advice,
            "notes": [] if info is None else list(info.notes),
        } | camera_calibration(board)

    def subscribe(self) -> Subscription:
        """A new viewer's place."""
        return self._viewers.join()

    def strokes(self) -> list[dict[str, Any]]:
        """Every call of the match that is played."""
        with self._lock:
            desk = self._playing()
            clips = self._ring.numbers
            return [
                call_of(r, desk.match.laws, confirmed=desk.confirmed(r.id), clip=r.number in clips)
                for r in desk.match.strokes
            ]

    def stroke(self, number: int) -> dict[str, Any]:
        """One stroke with its facts, doubts and likely corrections."""
        with self._lock:
            desk = self._playing()
            record = self._record(desk, number)
            standing = desk.match.state.standing
            players = {} if standing is None else dict(standing.players)
            call = call_of(
                record, desk.match.laws, confirmed=desk.confirmed(record.id),
                clip=number in self._ring.numbers,
            )  # fmt: skip
            codec = Codec({})
            return call | {
                "outcome": short_form(record.outcome),
                "facts": [codec.encode(event) for event in record.outcome.events],
                "doubts": doubts_of(record),
                "likely": likely_corrections(record, players),
                "placement": record.outcome.placement_mm,
                "before": _discs(record.outcome.before),
                "after": _discs(record.outcome.after),
            }

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
        """An mp4 of a stroke with the overlay burnt in."""
        from api.table.clip_file import write_replay

        frames = self._ring.frames(number)
        with self._lock:
            desk, meta = self._playing(), self._meta
            record = self._record(desk, number)
            call = call_of(record, desk.match.laws)["call"]["en"]
            homography = self._camera_data()["homography"]
        folder = self._clips if self._clips is not None else Path.cwd()
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{'table' if meta is None else meta.id}_stroke_{number:03d}.mp4"
        return write_replay(path, frames, call=call, homography=homography)

    def export(self, match_id: str, form: str) -> bytes:
        """A match as ``json``, ``csv``, ``sol`` or ``html``."""
        from api.exports import export

        with self._lock:
            rows = self._log.load(match_id)
            meta = next(m for m in self._log.matches() if m.id == match_id)
        desk = Desk((row.kind, row.body) for row in rows)
        return export(desk.match, meta, form)

    def matches(self) -> list[dict[str, Any]]:
        """All stored matches, the latest first."""
        return [
            {
                "id": m.id, "rules": m.rules, "title": m.title, "started": m.started,
                "players": dict(m.players), "over": m.over,
                "current": self._meta is not None and m.id == self._meta.id,
            }
            for m in self._log.matches()
        ]  # fmt: skip

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
            return {"seq": 0 if self._desk is None else self._desk.seq, "snapshot": self.snapshot()}
        desk = self._playing()
        self._check_seq(desk, data)
        if data.get("accept") is False and do in ("amend", "delete"):
            return {"seq": desk.seq, "difference": difference_of(desk, data, self._now())}
        if do == "accept_board" and desk.board is None:
            raise MatchError("no board has been seen that could be accepted")
        known = desk.seq
        before = {r.id: r.ruling for r in desk.match.strokes}
        self._store(desk, known, lambda: run_command(desk, data, self._now()), actor)
        self._after(desk, before, corrected=do not in ("stroke", "declare"))
        return {"seq": desk.seq, "snapshot": self.snapshot()}

    def _check_seq(self, desk: Desk, data: Mapping[str, Any]) -> None:
        seq = data.get("seq")
        if data.get("do") in HARMLESS:
            return
        if not isinstance(seq, int) or isinstance(seq, bool):
            raise SchemaError("seq", expected="the number of the last event known", got=seq)
        if seq < desk.seq:
            calls = [call_of(r, desk.match.laws) for r in desk.match.strokes[-5:]]
            raise ConflictError(desk.seq, calls)
        if seq > desk.seq:
            raise SchemaError("seq", expected=f"at most {desk.seq}", got=seq)

    def _store(self, desk: Desk, known: int, change: Callable[[], None], actor: str) -> None:
        """Change the desk, then the log; if the log cannot take it, the desk is as it was."""
        assert self._meta is not None
        try:
            change()
            at = _utc()
            rows = [
                Row(known + 1 + k, row.kind, row.body, actor, at)
                for k, row in enumerate(desk.rows[known:])
            ]
            if rows:
                self._log.append(self._meta.id, rows)
        except CarromError:
            if desk.seq > known:
                self._restore(desk, known)
            raise

    def _restore(self, desk: Desk, known: int) -> None:
        old = Desk((row.kind, row.body) for row in desk.rows[:known])
        old.board, old.problem = desk.board, desk.problem
        self._desk = old

    def _free_command(self, do: str, data: Mapping[str, Any]) -> None:
        if do == "mask":
            numbers = [data.get(name) for name in ("x", "y", "radius")]
            if not all(isinstance(v, int | float) and not isinstance(v, bool) for v in numbers):
                raise SchemaError("mask", expected="numbers x, y, radius", got=numbers)
            self._masks.append(Mask(*(float(v) for v in numbers if v is not None)))
            self._log.remember("masks", [[m.x_mm, m.y_mm, m.radius_mm] for m in self._masks])
            if self._camera is not None:
                self._camera.order(lambda p: p.masks.__setitem__(slice(None), self._masks))
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
        rules, options = data.get("rules"), data.get("options") or {}
        if not isinstance(rules, str) or not isinstance(options, Mapping):
            raise SchemaError("rules", expected="the name of a ruleset", got=rules)
        laws = load_laws(rules, dict(options))
        players = data.get("players")
        if not isinstance(players, Mapping) or not players:
            raise SchemaError("players", expected="names by seat", got=players)
        named = {_seat("players", seat): str(name) for seat, name in players.items()}
        opener = _seat("opener", data.get("opener", next(iter(players))))
        start = MatchStarted(id="start", laws=laws, players=named, opener=opener)
        mode = data.get("mode", "casual")
        if mode not in ("casual", "tournament"):
            raise SchemaError("mode", expected="casual or tournament", got=mode)
        title = str(data.get("title") or "")
        desk = Desk.begin(start, mode=mode, title=title)
        meta = MatchMeta(
            uuid.uuid4().hex[:12], laws.ruleset.value, title, _utc(),
            {seat.value: name for seat, name in named.items()},
        )  # fmt: skip
        with self._lock:
            self._log.create(meta)
            rows = [Row(k, r.kind, r.body, "table", _utc()) for k, r in enumerate(desk.rows, 1)]
            self._log.append(meta.id, rows)
            self._take_over(desk, meta)
        return meta.id

    def resume_match(self, match_id: str) -> None:
        """Make a stored match the table's."""
        with self._lock:
            rows = self._log.load(match_id)
            meta = next(m for m in self._log.matches() if m.id == match_id)
            self._take_over(Desk((row.kind, row.body) for row in rows), meta)

    def _take_over(self, desk: Desk, meta: MatchMeta) -> None:
        self._desk, self._meta = desk, meta
        self._ring = ReplayRing()
        if self._camera is not None and self._source is not None:
            self.open_camera(self._source)
        self._think()
        self._changed()

    def delete_match(self, match_id: str) -> None:
        """Remove a stored match; not the one that is being played."""
        with self._lock:
            if self._meta is not None and self._meta.id == match_id:
                if self._desk is not None and self._desk.match.strokes:
                    raise MatchError("this match is being played; begin or resume another first")
                self._desk, self._meta = None, None
                self._changed()
            self._log.delete(match_id)

    # -- the camera

    def cameras(self) -> list[dict[str, Any]]:
        """Cameras that can be chosen."""
        from vision.sources.usb_list import list_usb_cameras

        found = [{"id": f"usb:{c.id}", "name": c.name} for c in list_usb_cameras()]
        return [*found, {"id": "virtual:icf", "name": "Simulated table"}]

    def open_camera(self, source: str) -> None:
        """Use a source; returns at once."""
        with self._lock:
            choice = choose_source(source, phone=self._phone, files=self._files)
            self.close_camera()
            desk = self._desk
            laws = load_laws("icf") if desk is None else desk.match.laws
            seats = tuple(Seat) if desk is None else tuple(desk.match.state.seats)
            saved = self._saved_board(choice.shown)
            pipeline = self._make_pipeline(laws, seats, board=saved)
            pipeline.masks[:] = self._masks
            self._source = source
            self._camera = CameraThread(choice.reader(), pipeline, self, clock=self._clock)
            self._changed()

    def close_camera(self) -> None:
        """Let go of the source."""
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.close()
        self._live, self._trouble = None, ""
        self._changed()

    def calibrate(
        self, corners_px: Sequence[tuple[float, float]] | None = None, *, turn: int = 0
    ) -> None:
        """Find the board again, or take it to be at these corners; ``turn``: by quarters."""
        with self._lock:
            if self._camera is None:
                raise MatchError("no camera is open")
            if corners_px is not None and len(corners_px) != 4:
                raise SchemaError("corners_px", expected="four corners", got=len(corners_px))
            corners = None if corners_px is None else [(float(x), float(y)) for x, y in corners_px]
            self._camera.order(lambda pipeline: pipeline.calibrate(corners, turn=turn))

    def push_frame(self, jpeg: bytes, *, taken_ms: float | None = None) -> None:
        """A frame from a phone."""
        self._phone.push(jpeg)

    def take_frame(self, frame: Frame, live: LiveTable, events: tuple[TableEvent, ...]) -> None:
        """From the camera's thread: a frame and what became certain with it."""
        with self._lock:
            self._live = live
            self._offset_s = self._clock() - frame.t_s
            desk = self._desk
            table = table_part(desk, live)
            self._ring.offer(frame.t_s, frame.image_bgr, table)
            news = False
            for event in events:
                news = self._take_event(event) or news
            if events and desk is not None:
                table = table_part(self._desk, live)
            self._viewers.show(frame.t_s, frame.image_bgr, table)
            if news:
                self._changed()

    def _take_event(self, event: TableEvent) -> bool:
        """Enter an event; whether the snapshot is another one."""
        if isinstance(event, Calibrated):
            self._keep_board(event.board)
        desk = self._desk
        if isinstance(event, PhaseChanged):
            if event.phase is Phase.MOVING:
                self._advice.stop("thinking" if self._suggest else "off")
            return True
        if desk is None:
            return isinstance(event, Calibrated | SightChanged)
        if desk.match.state.phase is Play.MATCH_OVER and isinstance(event, StrokeSeen):
            return False
        known, before = desk.seq, {r.id: r.ruling for r in desk.match.strokes}
        self._store(desk, known, lambda: desk.take(event), "camera")
        if isinstance(event, StrokeSeen):
            number = len(desk.match.strokes)
            outcome = event.outcome
            if outcome.t_start_s is not None:
                self._ring.keep(number, outcome.t_start_s, outcome.t_end_s or outcome.t_start_s)
        self._after(desk, before, corrected=False, quiet=True)
        if isinstance(event, RestSeen | StrokeSeen):
            self._think()
        return True

    def take_trouble(self, state: str, reason: str) -> None:
        """From the camera's thread: it is another state."""
        self._trouble = reason
        self._changed()

    def _keep_board(self, board: BoardSeen) -> None:
        from vision.calibration_file import calibration_to_toml

        if self._source is not None:
            self._log.remember(f"board {self._source}", calibration_to_toml(board))

    def _saved_board(self, shown: str) -> BoardSeen | None:
        from vision.calibration_file import calibration_from_toml

        kept = self._log.recall(f"board {shown}")
        if kept is None:
            return None
        try:
            return calibration_from_toml(kept)
        except CarromError:
            return None  # of an older version: found again by itself

    # -- news

    def _after(
        self, desk: Desk, before: Mapping[str, Any], *, corrected: bool, quiet: bool = False
    ) -> None:
        """Say what is new or another now, note the end of the match, think again."""
        desk = self._playing()
        say = []
        for record in desk.match.strokes:
            if before.get(record.id) is record.ruling or record.ruling.pending:
                continue
            if not desk.confirmed(record.id):
                continue
            call = call_of(record, desk.match.laws)
            if corrected and record.id in before and call["call"] == {}:
                continue
            fouls = "foul" if record.ruling.fouls else None
            rev = f"{record.id}.{desk.seq}"
            say.append({"id": rev, "text": call["call"], "chime": fouls})
        over = desk.match.state.phase is Play.MATCH_OVER
        if self._meta is not None and over != self._meta.over:
            self._log.finish(self._meta.id, over=over)
        if corrected:
            say = say[-1:]  # the corrected item and what stands now, not the whole match again
        if not quiet:
            self._think()
        self._changed(say if say else ())

    def _changed(self, say: Sequence[Mapping[str, Any]] = ()) -> None:
        self._viewers.changed(say)

    def _advice_ready(self) -> None:
        self._changed()

    def _think(self) -> None:
        """Begin to think about the position that lies there, if somebody wants to know."""
        desk = self._desk
        if desk is None or not self._suggest:
            self._advice.stop("off")
            return
        if desk.mode == "tournament":
            self._advice.stop("locked")
            return
        match = desk.match
        quiet = self._live is None or self._live.phase in _QUIET
        ready = match.state.phase is Play.PLAY and not match.open_questions and quiet
        if desk.board is None or not ready or not desk.in_step:
            self._advice.stop("thinking")
            return
        self._advice.think(desk.board, match.state, match.laws)

    def _now(self) -> float:
        """Seconds of the clock that outcomes carry: the camera's, if there is one."""
        return self._clock() - (self._offset_s if self._camera is not None else 0.0)

    def _playing(self) -> Desk:
        if self._desk is None:
            raise MatchError("no match is being played: begin one, or resume one")
        return self._desk

    @staticmethod
    def _record(desk: Desk, number: int) -> Any:
        strokes = desk.match.strokes
        if not 1 <= number <= len(strokes):
            raise MatchError(f"no stroke {number!r}; the match has {len(strokes)}")
        return strokes[number - 1]

    def close(self) -> None:
        """Let go of everything within two seconds."""
        self.close_camera()
        self._advice.close()
        self._viewers.close()


_NO_MATCH: dict[str, Any] = {
    "match": None, "state": None, "calls": [], "questions": [], "pending_call": None,
    "clock": {
        "match_remaining_s": None, "stroke_elapsed_s": None, "stroke_limit_s": None,
        "running": False,
    },
    "undo": False, "redo": False, "problem": None,
}  # fmt: skip


def _shipped_pipeline(laws: Any, seats: Any, *, board: BoardSeen | None = None) -> Pipeline:
    from api.watch.following import pipeline_for

    return pipeline_for(laws, seats, board=board)


def _discs(position: Any) -> list[dict[str, Any]]:
    if position is None:
        return []
    return [{"kind": d.kind.value, "x": round(d.x_mm, 1), "y": round(d.y_mm, 1)} for d in position]


def _seat(field: str, value: Any) -> Seat:
    try:
        return Seat(value)
    except ValueError:
        raise SchemaError(field, expected="seats S, W, N, E", got=value) from None


def _utc() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
