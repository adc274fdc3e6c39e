"""What judging one film gave: a line of the resume file."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["FilmRow", "FilmScores", "scores_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FilmRow:
    """Counts of one film. ``call_s``: seconds from the last disc's stop to the call, by stroke;
    ``film_s``: its length; ``work_s``: what following it took, drawing apart; ``switches``: of
    tracks; ``notes``: every stroke that is not perfect."""

    name: str
    group: str
    strokes: int = 0
    found: int = 0
    false: int = 0
    exact: int = 0
    ruled: int = 0
    asked: int = 0
    wrong_unasked: int = 0
    rest_exact: int = 0
    call_s: tuple[float, ...] = ()
    film_s: float = 0.0
    work_s: float = 0.0
    no_board: bool = False
    differences: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FilmScores:
    """Sums over films, shares of the strokes that happened."""

    films: int
    no_board: int
    strokes: int
    found: float
    false: float
    exact: float
    ruled: float
    wrong_unasked: float
    asked: float
    rest_exact: float
    call_median_s: float | None
    call_95_s: float | None
    speed: float | None


def scores_of(rows: list[FilmRow]) -> FilmScores:
    """The figures of some films. A stroke that was not found is neither exact nor ruled, and as
    wrong as a call made without asking; so is one that never was."""
    strokes = sum(row.strokes for row in rows)
    whole = max(strokes, 1)
    calls = sorted(s for row in rows for s in row.call_s)
    work = sum(row.work_s for row in rows)
    found = sum(row.found for row in rows)
    false = sum(row.false for row in rows)
    wrong = sum(row.wrong_unasked for row in rows)
    return FilmScores(
        films=len(rows),
        no_board=sum(row.no_board for row in rows),
        strokes=strokes,
        found=found / whole,
        false=false / whole,
        exact=sum(row.exact for row in rows) / whole,
        ruled=sum(row.ruled for row in rows) / whole,
        wrong_unasked=(wrong + false + strokes - found) / whole,
        asked=sum(row.asked for row in rows) / whole,
        rest_exact=sum(row.rest_exact for row in rows) / whole,
        call_median_s=calls[len(calls) // 2] if calls else None,
        call_95_s=calls[min(len(calls) - 1, int(0.95 * len(calls)))] if calls else None,
        speed=sum(row.film_s for row in rows) / work if work > 0 else None,
    )
