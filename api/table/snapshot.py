"""The whole state of a table as plain data (`docs/protocol.md`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from api.table.board_check import extra_discs, missing_discs
from api.table.desk import Desk
from api.table.returns import follow_returns
from api.table.tell import call_of, doubts_of
from carrom.board_spec import BoardSpec
from carrom.boards import board_for
from carrom.codec import Codec
from carrom.pieces import PieceKind
from carrom.position import Disc, Position
from referee import clock
from referee.state import Phase as Play
from vision.pipeline import LiveTable
from vision.seen import BoardSeen

__all__ = [
    "EMPTY_TABLE",
    "NO_MATCH",
    "camera_calibration",
    "match_part",
    "spec_of_rules",
    "table_part",
]

_CALLS = 20
_PLAIN = Codec({})
EMPTY_TABLE: dict[str, Any] = {
    "phase": "unknown", "seat": None, "sight": "good", "note": "", "hands": False,
    "discs": [], "covered": [], "ghosts": [], "in_step": True,
}  # fmt: skip


NO_MATCH: dict[str, Any] = {
    "match": None, "state": None, "calls": [], "questions": [], "pending_call": None,
    "clock": {
        "match_remaining_s": None, "stroke_elapsed_s": None, "stroke_limit_s": None,
        "running": False, "exceeded": None,
    },
    "undo": False, "redo": False, "problem": None,
}  # fmt: skip


def spec_of_rules(desk: Desk) -> BoardSpec:
    """The standard board that the rules are played on."""
    from api.watch.following import family_of_rules

    return board_for(family_of_rules(desk.match.laws))


def match_part(
    desk: Desk, meta: Mapping[str, Any], now_s: float, clips: set[int]
) -> dict[str, Any]:
    """The keys that follow from the match: match, state, calls, questions, clock, undo, redo."""
    match, state = desk.match, desk.match.state
    laws = match.laws
    standing = state.standing
    players = {} if standing is None else {s.value: n for s, n in standing.players.items()}
    records = match.strokes
    amended = _amended(desk)
    calls = [
        call_of(
            record, laws, confirmed=desk.confirmed(record.id), amended=record.id in amended,
            clip=record.number in clips,
        )
        for record in records[-_CALLS:]
    ]  # fmt: skip
    waiting = [one for one in calls if not one["confirmed"]]
    over = state.phase is Play.MATCH_OVER
    return {
        "match": {
            "id": meta.get("id"), "rules": meta.get("rules", laws.ruleset.value),
            "board": spec_of_rules(desk).family.value, "title": desk.title, "mode": desk.mode,
            "players": players,
            "colours": {seat.value: side.value for seat, side in state.seats.items()},
            "started": meta.get("started"), "over": over,
        },
        "state": _state(desk),
        "calls": calls,
        "questions": [q for record in records if record.ruling.pending for q in doubts_of(record)],
        "pending_call": waiting[0] if waiting else None,
        "clock": _clock(desk, now_s),
        "undo": _can_undo(desk),
        "redo": _can_redo(desk),
        "problem": _problem(desk),
    }  # fmt: skip


def _state(desk: Desk) -> dict[str, Any]:
    state = desk.match.state
    standing = state.standing
    teams = {} if standing is None else standing.teams
    games = {} if standing is None else standing.games_won
    winner = None if standing is None or standing.winner is None else standing.winner
    return {
        "phase": state.phase.value,
        "turn": state.turn.value,
        "strokes_left": state.strokes_left,
        "board": state.board_number,
        "game": 1 if standing is None else standing.game_number,
        "score": {side.value: points for side, points in state.score.items()},
        "points_of": {seat.value: state.score.get(side, 0) for seat, side in state.seats.items()},
        "games": {
            seat.value: games.get(teams[side], 0)
            for seat, side in state.seats.items()
            if side in teams
        },
        "debts": {side.value: count for side, count in state.debts.items()},
        "queen": None
        if state.queen is None
        else {
            "state": state.queen.state.value,
            "by": None if state.queen.by is None else state.queen.by.value,
        },
        "on_board": {kind.value: count for kind, count in state.on_board.items()},
        "break_done": state.break_done,
        "racked": desk.racked,
        "must": _must(desk),
        "winner": None
        if winner is None
        else [seat.value for seat, side in state.seats.items() if teams.get(side) is winner],
    }


def _must(desk: Desk) -> list[dict[str, Any]]:
    """What the last ruling asks to be done, and how much of it has been seen."""
    state = desk.match.state
    out: list[dict[str, Any]] = []
    for followed in follow_returns(state.due_back, desk.since.puts, state, spec_of_rules(desk)):
        row = followed.row
        out.append(
            {
                "do": "return", "piece": row.piece.value, "count": row.count, "to": row.to.value,
                "by": row.by, "done": followed.done, "at": list(followed.at_mm),
                "wrong": list(followed.wrong), "reason": row.reason.value,
                "clauses": list(row.clauses),
            }
        )  # fmt: skip
    out += [
        {
            "do": action.action,
            "piece": action.piece.value,
            "to": action.where,
            "count": 1,
            "done": 0,
        }
        for action in state.actions
    ]
    if desk.disturbed or state.restore_moved:
        out.append({"do": "restore", "piece": None, "count": 1, "done": 0 if desk.disturbed else 1})
    return out


def _amended(desk: Desk) -> set[str]:
    from referee.match_events import DoubtAnswered, FactsAdded, StrokeAmended

    kinds = (StrokeAmended, FactsAdded, DoubtAnswered)
    return {event.stroke for event in desk.match.log if isinstance(event, kinds)}


def _can_undo(desk: Desk) -> bool:
    return len(desk.match.frames) > 1


def _can_redo(desk: Desk) -> bool:
    from referee.match_events import Redone, Undone

    depth = 0
    for event in desk.match.log:
        if isinstance(event, Undone):
            depth += 1
        elif isinstance(event, Redone):
            depth -= 1
        else:
            depth = 0
    return depth > 0


def _clock(desk: Desk, now_s: float) -> dict[str, Any]:
    state, laws = desk.match.state, desk.match.laws
    reading = clock.read_clock(state, laws, now_s)
    limit = clock.stroke_limit_s(state, laws, reading)
    late = clock.exceeded(state, laws, now_s)
    return {
        "match_remaining_s": None if reading is None else reading.match_remaining_s,
        "stroke_elapsed_s": None if reading is None else reading.stroke_elapsed_s,
        "stroke_limit_s": limit,
        "running": state.clockwork.running_since_t_s is not None,
        "exceeded": None if late is None else _PLAIN.encode(late),
    }


def _problem(desk: Desk) -> dict[str, Any] | None:
    from api.table.short_outcome import short_form

    problem = desk.problem
    if problem is None:
        return None
    return {
        "number": problem.number,
        "code": problem.code,
        "reason": problem.reason,
        "outcome": short_form(problem.outcome),
    }


def table_part(desk: Desk | None, live: LiveTable | None) -> dict[str, Any]:
    """The key ``table``: what the camera sees now, and how it differs from the record."""
    out = dict(EMPTY_TABLE)
    if live is not None:
        covered = [] if live.covered is None else live.covered.tolist()
        out |= {
            "phase": live.phase.value,
            "seat": None if live.seat is None else live.seat.value,
            "sight": live.sight.value,
            "note": "; ".join(live.reasons),
            "progress": round(live.progress, 2),
            "hands": bool(covered) and any(any(row) for row in covered),
            "discs": [
                {
                    "kind": d.kind.value, "x": round(d.x_mm, 1), "y": round(d.y_mm, 1),
                    "sure": round(d.confidence, 2), "place": d.place.value,
                }
                for d in live.discs
            ],
            "covered": ["".join("#" if cell else "." for cell in row) for row in covered],
        }  # fmt: skip
    if desk is not None:
        differs = desk.differences()
        out["in_step"] = desk.in_step
        out["differs"] = {kind.value: n for kind, n in differs.items()}
        out["ghosts"] = _ghosts(desk, {} if out["in_step"] else differs)
    return out


def _ghosts(desk: Desk, differs: Mapping[PieceKind, int]) -> list[dict[str, Any]]:
    """Where the board differs from the record: what is missing or too many, what was pushed."""
    board, before = desk.board or Position(()), desk.reference or Position(())
    ghosts = []
    for kind, count in differs.items():
        if count > 0:
            found, why = extra_discs(board, before, kind, count), "extra"
        else:
            found, why = missing_discs(board, before, kind, -count), "missing"
            found += [Disc(kind, 0.0, 0.0)] * (-count - len(found))
        ghosts += [_ghost(disc, why) for disc in found]
    if desk.disturbed:
        ghosts += [_ghost(disc, "moved") for disc, _ in desk.since.moved]
    return ghosts


def _ghost(disc: Disc, why: str) -> dict[str, Any]:
    return {"kind": disc.kind.value, "x": round(disc.x_mm, 1), "y": round(disc.y_mm, 1), "why": why}


def camera_calibration(board: BoardSeen | None) -> dict[str, Any]:
    """The keys of ``camera`` that a calibration gives."""
    if board is None:
        return {
            "calibrated": False, "corners_px": None, "homography": None, "board": None,
            "residual_mm": None,
        }  # fmt: skip
    return {
        "calibrated": True,
        "corners_px": [[round(x, 2), round(y, 2)] for x, y in board.corners_px],
        "homography": _homography(board),
        "board": {"spec": board.family.value, "half_mm": board.half_mm},
        "residual_mm": round(board.residual_mm, 3),
    }


def _homography(board: BoardSeen) -> list[list[float]]:
    """(3, 3) from board mm to px: the lens of the calibration flattened by least squares."""
    import cv2

    line = np.linspace(-board.half_mm, board.half_mm, 7)
    points = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    px = board.camera.board_to_px(points)
    matrix, _ = cv2.findHomography(points.astype(np.float64), px.astype(np.float64), 0)
    return [[float(v) for v in row] for row in matrix]
