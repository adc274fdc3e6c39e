"""What a watched match came to: counts, score sheet, open questions, how fast it went."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from api.watch.ledger import Ledger
from referee.explain import explain
from referee.score_sheet import score_sheet

__all__ = ["Pace", "summary_data", "summary_text"]


@dataclass(slots=True)
class Pace:
    """``frames`` looked at in ``took_s`` seconds; the source's own seconds: ``source_s``."""

    frames: int = 0
    took_s: float = 0.0
    source_s: float = 0.0
    damaged: int = 0
    dropped: int = 0
    reconnects: int = 0

    @property
    def fps(self) -> float:
        """Frames a second of work."""
        return self.frames / self.took_s if self.took_s > 0 else 0.0

    @property
    def speed(self) -> float:
        """Times real time."""
        return self.source_s / self.took_s if self.took_s > 0 else 0.0


def summary_data(ledger: Ledger, pace: Pace, *, notes: tuple[str, ...] = ()) -> dict[str, Any]:
    """The last line of ``--json``."""
    fouls = Counter(call.foul.value for record in ledger.records for call in record.ruling.fouls)
    asked = ledger.match.open_questions if ledger.match is not None else ()
    sheet = None if ledger.match is None else score_sheet(ledger.match.state).to_data()
    score = {} if ledger.match is None else ledger.match.state.score
    return {
        "type": "summary", "t_s": round(pace.source_s, 3), "strokes": len(ledger.records),
        "not_judged": sum(record is None for _, record, _ in ledger.seen),
        "fouls": dict(sorted(fouls.items())),
        "questions": [record.number for record in asked], "sheet": sheet,
        "score": {side.value: points for side, points in score.items()},
        "frames": pace.frames, "damaged": pace.damaged, "dropped": pace.dropped,
        "reconnects": pace.reconnects, "fps": round(pace.fps, 1), "speed": round(pace.speed, 2),
        "notes": list(notes),
    }  # fmt: skip


def summary_text(ledger: Ledger, pace: Pace, *, notes: tuple[str, ...] = ()) -> str:
    """The same for people."""
    data = summary_data(ledger, pace, notes=notes)
    fouls = ", ".join(f"{count} {name}" for name, count in data["fouls"].items()) or "none"
    out = [f"{data['strokes']} strokes; fouls: {fouls}"]
    if data["not_judged"]:
        out.append(f"{data['not_judged']} strokes seen and not judged: they do not fit the record")
    if ledger.match is not None:
        out += ["", score_sheet(ledger.match.state).to_text().rstrip()]
        for record in ledger.match.open_questions:
            said = explain(record.ruling, ledger.language, ledger.laws, state=record.before)
            out.append(f"Open question, stroke {record.number}: {said.call}")
    out.append("")
    out.append(
        f"{data['frames']} frames in {pace.took_s:.1f} s: {data['fps']} frames/s, "
        f"{data['speed']} times real time"
    )
    for name, text in (("damaged", "damaged frames"), ("dropped", "frames not looked at")):
        if data[name]:
            out.append(f"{data[name]} {text}")
    return "\n".join([*out, *notes]) + "\n"
