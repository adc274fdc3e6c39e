"""The figures of ``carrom evaluate pictures`` as Markdown tables and as JSON."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from api.picture_scores import Scores, Spread
from carrom.codec import Codec

__all__ = ["markdown", "scores_data"]

Column = tuple[str, Callable[[Scores], str]]


def scores_data(groups: Mapping[str, Scores]) -> dict[str, Any]:
    """Plain data for ``json.dumps``: figures by group; a pair is [how many, of how many]."""
    codec = Codec()
    return {name: codec.encode(scores) for name, scores in groups.items()}


def markdown(groups: Mapping[str, Scores], *, total: str = "all") -> str:
    """All tables; details (kinds, visibility, confidence) of the group ``total`` only."""
    parts = [_wide("Board", _BOARD, groups), _wide("Discs", _DISCS, groups)]
    if total in groups:
        parts += [
            _kinds(groups[total]),
            _pairs("Seen share of a disc", "reported", groups[total].by_visibility),
            _pairs("How it lies", "reported on the surface", groups[total].by_lie),
            _reliability(groups[total]),
        ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _percent(pair: tuple[int, int]) -> str:
    right, of = pair
    return "-" if of == 0 else f"{100 * right / of:.2f} % ({right}/{of})"


def _spread(spread: Spread | None, *, unit: float = 1.0, digits: int = 2) -> str:
    if spread is None:
        return "-"
    return f"{spread.median * unit:.{digits}f} / {spread.p95 * unit:.{digits}f}"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


_BOARD: tuple[Column, ...] = (
    ("pictures", lambda s: str(s.pictures)),
    ("boards found", lambda s: _percent(s.boards_found)),
    ("of those wholly in the picture", lambda s: _percent(s.whole_boards_found)),
    ("boards where there is none", lambda s: _percent(s.false_boards)),
    ("kind of board right", lambda s: _percent(s.family_right)),
    ("all corners within tolerance", lambda s: _percent(s.corners_right)),
    ("corner error mm, median / 95 %", lambda s: _spread(s.corner_error)),
    ("the same, whole boards", lambda s: _spread(s.whole_corner_error)),
    ("ms a picture, median / 95 %", lambda s: _spread(s.seconds, unit=1000.0, digits=0)),
)
_DISCS: tuple[Column, ...] = (
    ("mAP50", lambda s: _share(s.map50)),
    ("mAP50-95", lambda s: _share(s.map50_95)),
    ("recall", lambda s: _percent(s.recall)),
    ("precision", lambda s: _percent(s.precision)),
    ("kind right of found", lambda s: _percent(s.kind_right)),
    ("centre error mm, median / 95 %", lambda s: _spread(s.centre_mm)),
    ("exact rests", lambda s: _percent(s.exact_rests)),
    ("hand cells recall", lambda s: _percent(s.hand_recall)),
    ("hand cells precision", lambda s: _percent(s.hand_precision)),
)


def _wide(title: str, columns: Sequence[Column], groups: Mapping[str, Scores]) -> str:
    head = [title, *(name for name, _ in columns)]
    rows = [[name, *(show(scores) for _, show in columns)] for name, scores in groups.items()]
    return _table(head, rows)


def _kinds(scores: Scores) -> str:
    head = ["Kind", "discs", "recall", "precision", "AP50", "AP50-95"]
    rows = [
        [
            kind.value,
            str(score.due),
            _percent((score.found, score.due)),
            _percent((score.right, score.reported)),
            _share(score.ap50),
            _share(score.ap50_95),
        ]
        for kind, score in scores.kinds.items()
    ]
    return _table(head, rows) if rows else ""


def _pairs(title: str, name: str, pairs: Mapping[Any, tuple[int, int]]) -> str:
    rows = [[str(key), _percent(pair)] for key, pair in pairs.items() if pair[1]]
    return _table([title, name], rows) if rows else ""


def _reliability(scores: Scores) -> str:
    head = ["Confidence", "reports", "mean confidence", "right"]
    rows = [
        [
            f"{one.low:.2f}-{one.high:.2f}",
            str(one.count),
            f"{100 * one.confidence:.1f} %",
            f"{100 * one.right:.1f} %",
        ]
        for one in scores.reliability
    ]
    if scores.reliability_error is None:
        return ""
    error = f"Expected calibration error: {100 * scores.reliability_error:.2f} points."
    return _table(head, rows) + "\n\n" + error


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
