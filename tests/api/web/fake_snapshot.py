"""What the table in memory begins with: a board of Indian carrom in the middle of a match."""

from __future__ import annotations

import math
from typing import Any

_LIKE = {"en": "{}", "ja": "{}（日）", "sv": "{} (sv)", "hi": "{} (हि)"}


def call_text(english: str) -> dict[str, str]:
    """A text per language, marked with it."""
    return {language: form.format(english) for language, form in _LIKE.items()}


def call(number: int, seat: str, words: str) -> dict[str, Any]:
    """One call as the snapshot holds it."""
    reasons = {language: [text] for language, text in call_text("By the laws.").items()}
    return {
        "n": number, "id": str(number), "seat": seat, "t_s": 4.0 * number,
        "fouls": ["striker_pocketed"] if words.startswith("Foul") else [], "provisional": False,
        "confirmed": True, "amended": False, "clip": False, "call": call_text(words),
        "reasons": reasons, "clauses": ["ICF-45"],
    }  # fmt: skip


def _discs() -> list[dict[str, Any]]:
    kinds = ["white", "black"] * 8
    men = [
        {
            "kind": kind,
            "x": (60 + 12 * i) * math.cos(i * 0.9),
            "y": (60 + 12 * i) * math.sin(i * 0.9),
            "sure": 0.99,
        }
        for i, kind in enumerate(kinds)
    ]
    return [
        *men,
        {"kind": "queen", "x": 0.0, "y": 0.0, "sure": 0.99},
        {"kind": "striker", "x": 0.0, "y": -252.6, "sure": 0.99},
    ]


def _suggestions() -> dict[str, Any]:
    shot = {
        "kind": "cut", "chance": 0.61, "error": 0.02, "foul": 0.05, "placement": [-60.0, -252.6],
        "angle_rad": 1.0, "speed_m_s": 2.1, "target": "white", "pocket": "NE", "safe": False,
        "path": [[[-60.0, -252.6], [182.0, 163.0]], [[210.0, 190.0], [347.0, 347.0]]],
        "spread": [[[330.0, 300.0], [360.0, 340.0]]],
        "text": call_text("White into the north-east pocket"),
    }  # fmt: skip
    return {"state": "ready", "seat": "S", "skill": "club", "items": [shot]}


def _camera(size: tuple[int, int], scale: float) -> dict[str, Any]:
    width, height = size
    half = 370.0 * scale
    cx, cy = width / 2, height / 2
    return {
        "state": "live", "source": {"kind": "virtual", "name": "Script"}, "fps": 25.0,
        "size": list(size), "calibrated": True, "advice": [],
        "corners_px": [[cx - half, cy - half], [cx + half, cy - half], [cx + half, cy + half],
                       [cx - half, cy + half]],
        "homography": [[scale, 0.0, cx], [0.0, -scale, cy], [0.0, 0.0, 1.0]],
        "board": {"spec": "icf", "half_mm": 370.0}, "residual_mm": 0.4,
    }  # fmt: skip


def first_snapshot(*, camera: bool, size: tuple[int, int], scale: float) -> dict[str, Any]:
    """The whole state but ``rev``."""
    none = {"state": "none", "source": None, "fps": 0.0, "size": None, "calibrated": False,
            "advice": [], "corners_px": None, "homography": None, "board": None,
            "residual_mm": None}  # fmt: skip
    return {
        "seq": 41,
        "match": {"id": "b2c4", "rules": "icf", "board": "icf", "title": "", "mode": "casual",
                  "players": {"S": "Asha", "N": "Bo"}, "colours": {"S": "white", "N": "black"},
                  "started": "2026-12-01T10:00:00Z", "over": False},
        "state": {"phase": "play", "turn": "S", "strokes_left": 1, "board": 2, "game": 1,
                  "score": {"white": 7, "black": 0}, "points_of": {"S": 7, "N": 0},
                  "games": {"S": 0, "N": 0}, "debts": {"white": 0, "black": 1},
                  "queen": {"state": "on_board", "by": None},
                  "on_board": {"white": 8, "black": 8, "queen": 1}, "break_done": True,
                  "must": [], "winner": None},
        "table": {"phase": "aiming", "seat": "S", "sight": "good", "note": "", "hands": False,
                  "discs": _discs(), "covered": ["." * 16] * 16, "ghosts": [], "in_step": True},
        "calls": [call(1, "S", "White pocketed. Again."), call(2, "N", "Turn to Asha.")],
        "questions": [], "pending_call": None,
        "clock": {"match_remaining_s": None, "stroke_elapsed_s": 4.2, "stroke_limit_s": 15,
                  "running": True},
        "suggestions": _suggestions(),
        "camera": _camera(size, scale) if camera else none,
        "undo": True, "redo": False, "viewers": 0,
    }  # fmt: skip
