"""The truth of a film as JSON lines: one object a line, told apart by ``type``.

film      first line: script, size, board, kinds of the discs by id
frame     t_s, phase, discs (mm, px, how much is seen), hands, corners if the board moved
stroke    intention, times, outcome, ruling, incidents
between   outcome and ruling of what happened or was declared between two strokes
incident  one of those between or in strokes
match     the referee's log: its events, one by one
"""

import json
from typing import Any

from referee.match_events import CODEC
from sim.camera.films.film import Film, FilmFrame
from sim.camera.films.timeline import Interlude, StrokeTruth

__all__ = ["between_data", "closing_lines", "frame_line", "header_line", "stroke_data"]


def _line(kind: str, data: dict[str, Any]) -> str:
    row = {"type": kind, **data}
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"


def _pair(values: Any, digits: int = 2) -> list[float]:
    return [round(float(value), digits) for value in values]


def header_line(film: Film) -> str:
    """What the whole film shares."""
    timeline, camera = film.timeline, film.studio.scene.camera
    return _line(
        "film",
        {
            "script": CODEC.encode(timeline.script),
            "size_px": [camera.width_px, camera.height_px],
            "board": {k: d.value for k, d in timeline.board.dimensions().items() if d is not None},
            "family": timeline.board.family.value,
            "kinds": [kind.value for kind in timeline.kinds],
            "duration_s": round(timeline.duration_s, 4),
        },
    )


def frame_line(film: Film, frame: FilmFrame) -> str:
    """One frame; lengths to 0.01 mm and 0.01 px."""
    moment, truth = frame.moment, frame.truth
    assert truth is not None
    seen = [disc for disc in moment.discs if disc.place.state is not None]
    phase = film.timeline.phase_at(frame.t_s)
    rows = []
    for disc, of in zip(seen, truth.discs, strict=True):
        row: dict[str, Any] = {
            "id": disc.id,
            "state": of.state.value,
            "mm": _pair((of.x_mm, of.y_mm, of.z_mm)),
            "px": _pair(of.centre_px),
            "axes_px": _pair((of.rim.a_px, of.rim.b_px)),
            "seen": round(of.visible, 3),
        }
        if disc.id in moment.busy:
            row["mm_s"] = _pair(of.velocity_mm_s, 1)
        rows.append(row)
    return _line(
        "frame",
        {
            "index": frame.index,
            "t_s": round(frame.t_s, 6),
            "phase": None if phase is None else phase.kind.value,
            "stroke": 0 if phase is None else phase.stroke,
            "rest": moment.at_rest,
            "corners_px": [_pair(corner) for corner in truth.corners_px],
            "hands": [
                {"seat": hand.seat.value, "who": hand.who, "action": hand.pose.action.value}
                for hand in moment.hands
            ],
            "hand_boxes_px": [list(box) for box in truth.hand_boxes_px],
            "discs": rows,
        },
    )


def stroke_data(stroke: StrokeTruth) -> dict[str, Any]:
    """One stroke as plain data: outcome and ruling as ``carrom.codec`` writes them."""
    return {
        "number": stroke.number,
        "stroke": CODEC.encode(stroke.stroke),
        "t_place_s": round(stroke.t_place_s, 6),
        "t_start_s": round(stroke.t_start_s, 6),
        "t_end_s": round(stroke.t_end_s, 6),
        "t_hands_off_s": round(stroke.t_hands_off_s, 6),
        "incidents": [incident.kind.value for incident in stroke.incidents],
        "outcome": CODEC.encode(stroke.outcome),
        "ruling": CODEC.encode(stroke.ruling),
    }


def between_data(between: Interlude) -> dict[str, Any]:
    """One interlude as plain data."""
    return {
        "after_stroke": between.after_stroke,
        "shown": between.shown,
        "incidents": [between.incident.kind.value],
        "outcome": CODEC.encode(between.outcome),
        "ruling": CODEC.encode(between.ruling),
    }


def closing_lines(film: Film, until_s: float) -> list[str]:
    """Strokes, incidents and the match's log, as far as the film was rendered."""
    timeline = film.timeline
    lines = [
        _line("between", between_data(item))
        if isinstance(item, Interlude)
        else _line("stroke", stroke_data(item))
        for item in timeline.judged
        if item.t_end_s <= until_s
    ]
    lines += [
        _line("incident", CODEC.encode(incident))
        for incident in timeline.incidents
        if incident.t_end_s <= until_s
    ]
    return lines + [_line("match", {"event": CODEC.encode(event)}) for event in timeline.match.log]
