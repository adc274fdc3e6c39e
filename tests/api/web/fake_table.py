"""A table in memory that plays a script: moving discs, calls, questions, suggestions, pictures.

It judges nothing; it keeps to the protocol (``docs/protocol.md``), so routes and pages can be
tested without a camera, a referee or a store.
"""

from __future__ import annotations

import copy
import itertools
import math
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from api.table.conflict import ConflictError
from api.table.subscribers import Subscribers
from api.table.table import Subscription
from carrom.errors import MatchError, SourceError
from tests.api.web.fake_snapshot import call, call_text, first_snapshot

SIZE_PX = (1280, 720)
_SCALE = 0.95
_COLOURS = {"white": (210, 235, 245), "black": (45, 45, 50), "queen": (70, 60, 200),
            "striker": (230, 200, 120)}  # fmt: skip


def drawn(discs: Sequence[Mapping[str, Any]], stamp: int) -> Any:
    """A board seen from above with these discs: (720, 1280, 3) uint8."""
    image = np.full((SIZE_PX[1], SIZE_PX[0], 3), (60, 90, 120), np.uint8)
    half = round(370 * _SCALE)
    cx, cy = SIZE_PX[0] // 2, SIZE_PX[1] // 2
    cv2.rectangle(image, (cx - half, cy - half), (cx + half, cy + half), (140, 185, 215), -1)
    for x, y in itertools.product((-1, 1), repeat=2):
        cv2.circle(image, (cx + x * (half - 20), cy + y * (half - 20)), 21, (20, 20, 20), -1)
    for disc in discs:
        at = (round(cx + disc["x"] * _SCALE), round(cy - disc["y"] * _SCALE))
        radius = 20 if disc["kind"] == "striker" else 15
        cv2.circle(image, at, radius, _COLOURS[disc["kind"]], -1, cv2.LINE_AA)
    cv2.putText(image, str(stamp), (20, 40), cv2.FONT_HERSHEY_SIMPLEX, 1, (255, 255, 255), 2)
    return image


class FakeTable:
    """Keeps what it was told (``told``, ``opened``, ``pushed``); ``step`` is one frame of it."""

    def __init__(self, *, fps: float = 25.0, camera: bool = True) -> None:
        self._fps, self._camera = fps, camera
        self._lock = threading.RLock()
        self._state = first_snapshot(camera=camera, size=SIZE_PX, scale=_SCALE)
        self._viewers = Subscribers(self.snapshot)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._frame = 0
        self.told: list[dict[str, Any]] = []
        self.opened: list[str] = []
        self.pushed: list[bytes] = []
        self.corners: Any = None
        self.fails: Exception | None = None
        self._show()

    def begin_script(self) -> None:
        """Play on in a thread of its own until closed."""
        self._thread = threading.Thread(target=self._play, daemon=True)
        self._thread.start()

    def _play(self) -> None:
        while not self._stop.wait(1.0 / self._fps):
            self.step()

    def step(self) -> None:
        """The next frame; every four seconds a stroke, every other one with a question."""
        with self._lock:
            self._frame += 1
            at = self._frame % 100
            table = self._state["table"]
            table["phase"] = "moving" if at < 40 else "aiming"
            for index, disc in enumerate(table["discs"]):
                if disc["kind"] == "striker":
                    disc["x"] = 160.0 * math.sin(self._frame / 15)
                    disc["y"] = -252.6 + (420.0 * math.sin(math.pi * at / 40) if at < 40 else 0.0)
                elif at < 40 and index % 3 == 0:
                    disc["x"] += 1.5 * math.cos(index + self._frame / 9)
                    disc["y"] += 1.5 * math.sin(index + self._frame / 9)
            if at == 0:
                self._stroke()
            self._show()

    def _stroke(self) -> None:
        state = self._state
        number = state["calls"][-1]["n"] + 1
        seat = "S" if number % 2 else "N"
        foul = number % 3 == 0
        words = "Foul. One due." if foul else "White pocketed. Again."
        state["calls"] = [*state["calls"], call(number, seat, words)][-20:]
        state["state"]["turn"] = "N" if seat == "S" else "S"
        state["state"]["score"]["white"] = number % 30
        state["seq"] += 1
        state["questions"] = [] if number % 2 else [
            {"id": f"{number}/d1", "stroke": number, "question": "was_pocketed",
             "text": call_text("Did black fall in the north-east?"),
             "answers": [{"code": "yes", "likelihood": 0.8, "text": call_text("Yes")},
                         {"code": "no", "likelihood": 0.2, "text": call_text("No")}]}]  # fmt: skip
        said = {"id": f"{number}.1", "text": call_text(words), "chime": "foul" if foul else None}
        self.change(said)

    def change(self, *said: dict[str, Any]) -> None:
        """The snapshot is another one."""
        self._viewers.changed(said)

    def edit(self, **values: Any) -> None:
        """Replace parts of the snapshot, as a test wants them."""
        with self._lock:
            self._state.update(values)
        self.change()

    def _show(self) -> None:
        table = copy.deepcopy(self._state["table"])
        image = drawn(table["discs"], self._frame) if self._camera else None
        self._viewers.show(self._frame / self._fps, image, table)

    # -- the protocol

    def snapshot(self) -> dict[str, Any]:
        """A copy of everything."""
        if self.fails is not None:
            raise self.fails
        with self._lock:
            return {**copy.deepcopy(self._state), "rev": self._viewers.rev}

    def command(self, data: Mapping[str, Any], *, actor: str) -> dict[str, Any]:
        """Remember it; conflict when too late; ``undo`` takes the last call away."""
        with self._lock:
            if self.fails is not None:
                raise self.fails
            if data.get("do") == "explode":
                raise MatchError("a stroke that cannot be: explode")
            if data.get("seq", 0) < self._state["seq"] and data.get("do") != "clock":
                raise ConflictError(self._state["seq"], self._state["calls"][-1:])
            self.told.append({**data, "actor": actor})
            if data.get("do") == "seat_player":
                self._state["match"]["players"][data["seat"]] = data["name"]
            if data.get("do") == "undo" and len(self._state["calls"]) > 1:
                del self._state["calls"][-1]
            self._state["seq"] += 1
            self.change()
            return {"seq": self._state["seq"], "snapshot": self.snapshot()}

    def subscribe(self) -> Subscription:
        """A new viewer's place."""
        return self._viewers.join()

    @property
    def frames(self) -> int:
        """How many were shown so far."""
        return self._frame

    @property
    def subscribers(self) -> int:
        """How many places are taken."""
        return self._viewers.count

    def new_match(self, data: Mapping[str, Any]) -> str:
        """Take its players over."""
        if "rules" not in data:
            raise MatchError(f"no rules in {dict(data)!r}")
        self.edit(match={**self._state["match"], "players": dict(data.get("players", {}))})
        return "new1"

    def resume_match(self, match_id: str) -> None:
        """Remember it."""
        self.told.append({"resume": match_id})

    def delete_match(self, match_id: str) -> None:
        """Refuse the one that is played."""
        if match_id == self._state["match"]["id"]:
            raise MatchError(f"{match_id} is being played")
        self.told.append({"delete": match_id})

    def matches(self) -> list[dict[str, Any]]:
        """Two of them."""
        return [
            {"id": "b2c4", "rules": "icf", "players": {"S": "Asha", "N": "Bo"}, "over": False,
             "started": "2026-12-01T10:00:00Z", "score": {"white": 7, "black": 0}},
            {"id": "a001", "rules": "hikone", "players": {"S": "Ken", "N": "Mia"}, "over": True,
             "started": "2026-11-30T18:00:00Z", "score": {}},
        ]  # fmt: skip

    def export(self, match_id: str, form: str) -> bytes:
        """A word."""
        return f"{form} of {match_id}".encode()

    def strokes(self) -> list[dict[str, Any]]:
        """The calls."""
        with self._lock:
            return copy.deepcopy(self._state["calls"])

    def stroke(self, number: int) -> dict[str, Any]:
        """One call with an outcome."""
        found = next(one for one in self.strokes() if one["n"] == number)
        outcome = {"seat": found["seat"], "pocketed": [], "striker": "pocketed"}
        return {**found, "outcome": outcome, "facts": [], "doubts": [], "likely": []}

    def replay(self, number: int) -> dict[str, Any]:
        """Twelve frames."""
        return {"frames": [
            {"t_s": i / 30, "jpeg": f"/api/strokes/{number}/replay/{i}.jpg",
             "discs": self._state["table"]["discs"]} for i in range(12)]}  # fmt: skip

    def replay_jpeg(self, number: int, index: int) -> bytes:
        """One drawn."""
        if index >= 12:
            raise IndexError(index)
        image = drawn(self._state["table"]["discs"], index)
        return cv2.imencode(".jpg", image)[1].tobytes()

    def clip(self, number: int) -> Path:
        """There is none."""
        raise FileNotFoundError(number)

    def cameras(self) -> list[dict[str, Any]]:
        """One."""
        return [{"id": "usb:0", "name": "Desk camera", "thumbnail": None}]

    def open_camera(self, source: str) -> None:
        """Remember it; some hosts cannot be reached."""
        if "unreachable" in source:
            raise SourceError(source, "nobody answers there")
        self.opened.append(source)

    def close_camera(self) -> None:
        """Remember it."""
        self.opened.append("")

    def calibrate(
        self, corners_px: Sequence[tuple[float, float]] | None = None, *, turn: int = 0
    ) -> None:
        """Remember it."""
        self.corners = (corners_px, turn)
        self.change()

    def push_frame(self, jpeg: bytes, *, taken_ms: float | None = None) -> None:
        """Remember it."""
        self.pushed.append(jpeg)

    def close(self) -> None:
        """Stop the script and send viewers away."""
        self._stop.set()
        self._viewers.close()
        if self._thread is not None:
            self._thread.join(2.0)
