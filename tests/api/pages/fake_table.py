"""A table made of plain data, for tests of the pages: it remembers what it was told, and obeys.

It judges nothing. What the pages must show is put in by the tests (``state``), what they ask for is
kept (``told``). Speaks the protocol of ``docs/protocol.md``.
"""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["ConflictError", "FakeTable", "call", "empty_snapshot", "icf_snapshot"]

_RING = ((0.0, 31.5), (27.3, 15.8), (27.3, -15.8), (0.0, -31.5), (-27.3, -15.8), (-27.3, 15.8))


class ConflictError(Exception):
    """The log has gone on."""


def text(en: str) -> dict[str, str]:
    """A text per language; the fake says the same everywhere, marked with the language."""
    return {"en": en, "ja": f"{en}（日）", "sv": f"{en} (sv)", "hi": f"{en} (हि)"}


_REASON = text("Because the striker was pocketed.")


def call(n: int, seat: str, words: str, **more: Any) -> dict[str, Any]:
    """One call as the snapshot holds it."""
    return {
        "n": n,
        "id": str(n),
        "seat": seat,
        "t_s": 10.0 * n,
        "fouls": [],
        "provisional": False,
        "confirmed": True,
        "amended": False,
        "clip": True,
        "call": text(words),
        "reasons": {key: [words] for key, words in _REASON.items()},
        "clauses": ["ICF-45"],
        **more,
    }


def discs() -> list[dict[str, Any]]:
    """Some pieces on an Indian board, the striker on South's lines."""
    men = [
        {"kind": "white" if i % 2 else "black", "x": x, "y": y, "sure": 0.99}
        for i, (x, y) in enumerate(_RING)
    ]
    more = [
        {"kind": "white", "x": 210.0, "y": 190.0, "sure": 0.98},
        {"kind": "white", "x": -120.0, "y": 240.0, "sure": 0.97},
        {"kind": "black", "x": -260.0, "y": -40.0, "sure": 0.5},
        {"kind": "queen", "x": 0.0, "y": 0.0, "sure": 0.99},
        {"kind": "striker", "x": -60.0, "y": -252.6, "sure": 0.99},
    ]
    return men + more


def empty_snapshot() -> dict[str, Any]:
    """A table at which nobody plays and no camera looks."""
    return {
        "rev": 1,
        "seq": 0,
        "match": None,
        "state": None,
        "table": {"phase": "unknown", "seat": None, "sight": "good", "note": "", "hands": False,
                  "discs": [], "covered": [], "ghosts": [], "in_step": True},
        "calls": [],
        "questions": [],
        "pending_call": None,
        "clock": {"match_remaining_s": None, "stroke_elapsed_s": None, "stroke_limit_s": None,
                  "running": False},
        "suggestions": {"state": "off", "seat": None, "skill": "club", "items": []},
        "camera": {"state": "none", "source": None, "fps": 0.0, "size": None, "calibrated": False,
                   "advice": [], "corners_px": None, "homography": None, "board": None,
                   "residual_mm": None},
        "undo": False,
        "redo": False,
        "viewers": 1,
    }  # fmt: skip


def icf_snapshot() -> dict[str, Any]:
    """A board of Indian carrom between Asha and Bo, a foul just called."""
    shot = {
        "kind": "cut", "chance": 0.61, "error": 0.02, "foul": 0.05, "placement": [-60.0, -252.6],
        "angle_rad": 1.0, "speed_m_s": 2.1, "target": "white", "pocket": "NE", "safe": False,
        "path": [[[-60.0, -252.6], [182.0, 163.0]], [[210.0, 190.0], [347.0, 347.0]]],
        "spread": [[330.0, 300.0], [352.0, 340.0], [345.0, 352.0], [318.0, 330.0]],
        "text": text("White into the north-east pocket"),
    }  # fmt: skip
    safe = {**shot, "kind": "safe", "chance": 0.34, "safe": True, "placement": [120.0, -252.6],
            "path": [[[120.0, -252.6], [-108.0, 215.0]]], "spread": [],
            "text": text("A safe stroke on the left")}  # fmt: skip
    return {
        **empty_snapshot(),
        "rev": 812,
        "seq": 41,
        "match": {"id": "b2c4", "rules": "icf", "board": "icf", "title": "", "mode": "casual",
                  "players": {"S": "Asha", "N": "Bo"}, "colours": {"S": "white", "N": "black"},
                  "started": "2026-12-01T10:00:00Z", "over": False},
        "state": {"phase": "play", "turn": "S", "strokes_left": 1, "board": 2, "game": 1,
                  "score": {"white": 7, "black": 0}, "points_of": {"S": 7, "N": 0},
                  "games": {"S": 0, "N": 0}, "debts": {"white": 0, "black": 1},
                  "queen": {"state": "on_board", "by": None},
                  "on_board": {"white": 6, "black": 9, "queen": 1}, "break_done": True,
                  "must": [{"do": "return", "piece": "black", "count": 2, "to": "outer_circle",
                            "by": "opponent", "done": 0, "at": [40.0, 52.0], "reason": "due",
                            "clauses": ["ICF-58"]}],
                  "winner": None},
        "table": {"phase": "aiming", "seat": "S", "sight": "good", "note": "", "hands": False,
                  "discs": discs(), "covered": ["." * 16] * 16, "ghosts": [], "in_step": True},
        "calls": [call(10, "S", "White pocketed. Asha again."),
                  call(11, "S", "Turn to Bo.", amended=True),
                  call(12, "N", "Foul. 2 dues. Turn to Asha.", fouls=["striker_pocketed"])],
        "clock": {"match_remaining_s": None, "stroke_elapsed_s": 4.2, "stroke_limit_s": 15,
                  "running": False},
        "suggestions": {"state": "ready", "seat": "S", "skill": "club", "items": [shot, safe]},
        "undo": True,
    }  # fmt: skip


class FakeTable:
    """Holds a snapshot, obeys commands, and lets tests change everything (``change``)."""

    def __init__(self, snapshot: dict[str, Any] | None = None) -> None:
        self._state = snapshot or icf_snapshot()
        self._lock = threading.Condition()
        self.told: list[dict[str, Any]] = []
        self.say: list[dict[str, Any]] = []
        self.refuses_sockets = False
        self.jpeg: bytes | None = None
        self.closed_until = 0

    def snapshot(self) -> dict[str, Any]:
        """A copy of everything."""
        with self._lock:
            return copy.deepcopy(self._state)

    def change(self, edit: Callable[[dict[str, Any]], object]) -> None:
        """Let a test or a command edit the state; viewers get it."""
        with self._lock:
            edit(self._state)
            self._state["rev"] += 1
            self._lock.notify_all()

    def speak(self, id_: str, words: str) -> None:
        """Say something, with its id."""
        self.change(lambda _: self.say.append({"id": id_, "text": text(words), "chime": "foul"}))

    def wait_after(self, rev: int, timeout_s: float) -> dict[str, Any] | None:
        """The snapshot once it is newer than ``rev``, or ``None``."""
        with self._lock:
            self._lock.wait_for(lambda: self._state["rev"] > rev, timeout_s)
            return copy.deepcopy(self._state) if self._state["rev"] > rev else None

    def command(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Carry out one command. Raises ``ConflictError``."""
        known = data.get("seq", 0)
        if known < self._state["seq"] and data["do"] not in {"confirm", "clock", "suggest", "mode"}:
            raise ConflictError
        self.told.append(dict(data))
        if data.get("accept") is False:
            before, after = text("Foul. 2 dues. Turn to Asha."), text("Turn to Asha.")
            rows = [
                {"n": data["stroke"], "before": {"call": before}, "after": {"call": after}},
                {"what": "score", "before": {"white": 7, "black": 0}, "after": {"white": 7}},
            ]
            return {"seq": known, "difference": rows, "snapshot": self.snapshot()}
        self.change(lambda state: self._obey(state, data))
        return {"seq": self._state["seq"], "snapshot": self.snapshot()}

    def _obey(self, state: dict[str, Any], data: Mapping[str, Any]) -> None:
        state["seq"] += 1
        match data["do"]:
            case "stroke":
                number = max((c["n"] for c in state["calls"]), default=0) + 1
                seat = data["outcome"]["seat"]
                state["calls"].append(call(number, seat, "Recorded. Turn passes."))
                state["state"]["must"] = []
                state["state"]["turn"] = "N" if seat == "S" else "S"
            case "answer":
                state["questions"] = [q for q in state["questions"] if q["id"] != data["doubt"]]
            case "amend":
                for one in state["calls"]:
                    if one["n"] == data["stroke"]:
                        one |= {"amended": True, "call": text("Turn to Asha."), "fouls": []}
            case "undo":
                state["calls"] = state["calls"][:-1]
                state["redo"] = True
            case "continue" | "accept_board":
                state["table"] |= {"in_step": True, "ghosts": []}
            case "suggest":
                state["suggestions"]["state"] = "ready" if data["on"] else "off"
            case "mode":
                state["match"]["mode"] = data["mode"]
            case "confirm":
                state["pending_call"] = None
            case "clock":
                state["clock"]["running"] = data["run"]
