"""The figures of judged films as a table in Markdown, the bars beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from api.evaluation.film_row import FilmRow, FilmScores, scores_of

__all__ = ["film_data", "film_figures", "film_table"]

_ROWS: Sequence[tuple[str, str, str]] = (
    ("films", "films", ""),
    ("board not found", "no_board", "0"),
    ("strokes", "strokes", ""),
    ("strokes found", "found", ">= 99.5 %"),
    ("false strokes", "false", "<= 0.2 %"),
    ("facts exact", "exact", ""),
    ("ruling exact", "ruled", ""),
    ("wrong and unasked", "wrong_unasked", "<= 0.3 %"),
    ("asked", "asked", "<= 3 %"),
    ("rest exact", "rest_exact", ">= 99.5 %"),
    ("rest to call, median", "call_median_s", ""),
    ("rest to call, 95 %", "call_95_s", "<= 1 s"),
    ("times real time", "speed", ">= 1"),
)
_SHARES = {"found", "false", "exact", "ruled", "wrong_unasked", "asked", "rest_exact"}
_MOST_DIFFERENCES = 15


def film_figures(rows: Sequence[FilmRow]) -> dict[str, FilmScores]:
    """The figures of each ruleset, and of all."""
    groups: dict[str, list[FilmRow]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)
    out = {name: scores_of(group) for name, group in sorted(groups.items())}
    out["all"] = scores_of(list(rows))
    return out


def film_table(rows: Sequence[FilmRow], *, eyes: str) -> str:
    """Markdown: one row a figure, one column a ruleset; then what differs most often."""
    figures = film_figures(rows)
    names = [name for name in figures if name != "all"] + ["all"]
    head = ["", *names, "bar"]
    lines = [f"Eyes: {eyes}", "", _line(head), _line(["---", *["---:"] * (len(head) - 1)])]
    data = {name: asdict(scores) for name, scores in figures.items()}
    for title, key, bar in _ROWS:
        if eyes == "truth" and key == "speed":
            bar = ""
        lines.append(_line([title, *(_shown(key, data[name][key]) for name in names), bar]))
    differences = Counter(word for row in rows for word in row.differences)
    if differences:
        lines += ["", "What differs (- not seen, + not so), by stroke:", ""]
        most = differences.most_common(_MOST_DIFFERENCES)
        lines += [f"- {count} x `{word}`" for word, count in most]
    return "\n".join(lines) + "\n"


def film_data(rows: Sequence[FilmRow]) -> Mapping[str, Any]:
    """The same as plain data."""
    return {name: asdict(scores) for name, scores in film_figures(rows).items()}


def _shown(key: str, value: float | None) -> str:
    if value is None:
        return "-"
    if key in _SHARES:
        return f"{100 * value:.1f} %" if 0.1 <= value <= 0.9 else f"{100 * value:.2f} %"
    if key.startswith("call"):
        return f"{value:.2f} s"
    return f"{value:.1f}" if key == "speed" else str(value)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
