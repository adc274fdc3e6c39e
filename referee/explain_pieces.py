"""What a ruling says of the pieces: what goes back, what is owed, what has become of the queen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from enum import StrEnum

from carrom.pieces import PieceKind
from carrom.seats import Side
from referee.explain_names import Telling
from referee.phrases import Family
from referee.ruling import BoardStatus, Notice, QueenStatus, Reason, ReturnRow

__all__ = [
    "QueenBack",
    "debt_calls",
    "debts",
    "queen",
    "queen_calls",
    "return_calls",
    "return_sentence",
]


class QueenBack(StrEnum):
    """Why the queen goes back."""

    TOO_EARLY = "too_early"
    NOT_COVERED = "not_covered"
    FOUL = "foul"


_COVERED = ("GR-13", "GR-36", "SE-14", "SE-15", "SB-01", "ICF-70")
_UNCOVERED = ("GR-12", "GR-13", "GR-36", "SE-13", "SE-14", "SE-42", "ICF-65", "ICF-70", "ICF-74")
_TOO_EARLY = ("SE-17", "ICF-68")
_NOT_COVERED = ("SE-16", "SE-42", "ICF-69", "ICF-73")
_WHY_BACK: Mapping[QueenBack | None, tuple[str, ...]] = {
    QueenBack.TOO_EARLY: _TOO_EARLY,
    QueenBack.NOT_COVERED: _NOT_COVERED,
}
_CALLED_BY_NAME = (Reason.PENALTY, Reason.DUE)


def return_calls(telling: Telling) -> Iterator[str]:
    """``Two white C/m back``, ``One due``. Hikone calls every pack that goes on the stack."""
    back: Counter[PieceKind] = Counter()
    named: Counter[Reason] = Counter()
    for row in telling.ruling.returns:
        by_name = row.reason in _CALLED_BY_NAME and row.piece is not PieceKind.QUEEN
        if by_name and telling.family is not Family.HIKONE:
            named[row.reason] += row.count
        else:
            back[row.piece] += row.count
    if back:
        yield telling.words.say("call.back", pieces=telling.pieces(back.items()))
    for reason, count in named.items():
        yield telling.words.say(f"call.{reason.value}", count=count)


def return_sentence(telling: Telling, row: ReturnRow) -> str:
    """What goes back, how many, where, by whom and why."""
    why = _queen_back(telling, row) if row.reason is Reason.QUEEN_RETURN else None
    return telling.tell(
        f"queen_back.{why.value}" if why else f"reason.{row.reason.value}",
        count=row.count,
        pieces=telling.pieces([(row.piece, row.count)]),
        place=telling.words.say(f"place.{row.to.value}"),
        by=telling.placer(row.by),
        clauses=(*telling.cited(*_WHY_BACK.get(why, ())), *row.clauses),
    )


def _queen_back(telling: Telling, row: ReturnRow) -> QueenBack | None:
    before = telling.state.queen if telling.state is not None else None
    if telling.cited(*_TOO_EARLY):
        return QueenBack.TOO_EARLY
    if before is not None:
        uncovered = before.pending
    else:
        uncovered = bool(telling.cited(*_NOT_COVERED)) and not telling.cited("SE-40")
    if telling.ruling.fouls and not uncovered:
        return QueenBack.FOUL
    if before is not None and before.state is QueenStatus.POCKETED_INELIGIBLE:
        return QueenBack.TOO_EARLY
    return QueenBack.NOT_COVERED if uncovered or "GR-15" in row.clauses else None


def debt_calls(telling: Telling) -> Iterator[str]:
    """What a side owes more than before."""
    for side, change, _ in _debt_totals(telling):
        total = telling.ruling.debts[side]
        if change > 0 and total:
            yield telling.words.say("call.owes", count=total, side=telling.side(side))


def debts(telling: Telling) -> Iterator[str]:
    """Debts incurred, repaid and lapsed; those written off with the board are not told."""
    ruling = telling.ruling
    if ruling.board.status is BoardStatus.OVER:
        return
    for side, change, clauses in _debt_totals(telling):
        total, name = ruling.debts[side], telling.side(side)
        if change > 0:
            yield telling.tell("notice.debt_incurred", count=total, side=name, clauses=clauses)
        elif total:
            yield telling.tell("debt.remains", count=total, side=name, clauses=clauses)
        else:
            lapsed = Notice.DEBT_LAPSED in ruling.notices and "SE-26" in clauses
            notice = Notice.DEBT_LAPSED if lapsed else Notice.DEBT_REPAID
            yield telling.tell(f"notice.{notice.value}", side=name, clauses=clauses)


def _debt_totals(telling: Telling) -> Iterator[tuple[Side, int, list[str]]]:
    """The change of each side's debt over the whole ruling, with its clauses."""
    changes = telling.ruling.debt_changes
    for side in dict.fromkeys(change.side for change in changes):
        mine = [change for change in changes if change.side is side]
        clauses = [clause for change in mine for clause in change.clauses]
        yield side, sum(change.change for change in mine), clauses


def queen_calls(telling: Telling) -> Iterator[str]:
    """``Queen covered``, ``Queen to be covered``."""
    news = _queen_news(telling)
    if news is QueenStatus.COVERED:
        yield telling.words.say("call.covered")
    elif news is QueenStatus.POCKETED_UNCOVERED:
        yield telling.words.say("call.cover")


def queen(telling: Telling) -> Iterator[str]:
    """What has become of the queen."""
    news, status = _queen_news(telling), telling.ruling.queen
    if news is None or status is None or status.by is None:
        return
    clauses = {QueenStatus.COVERED: _COVERED, QueenStatus.POCKETED_UNCOVERED: _UNCOVERED}
    yield telling.tell(
        f"queen.{news.value}",
        side=telling.side(status.by),
        clauses=telling.cited(*clauses.get(news, ("GR-14",))),
    )


def _queen_news(telling: Telling) -> QueenStatus | None:
    """The queen's status, if it is worth saying: she is to be covered, or was covered just now."""
    ruling, state = telling.ruling, telling.state
    status = ruling.queen
    if status is None or status.by is None or "PT-10" in ruling.clauses:
        return None
    if status.state is not QueenStatus.COVERED:
        return status.state if ruling.board.status is BoardStatus.ONGOING else None
    if state is not None and state.queen is not None:
        return None if state.queen.state is QueenStatus.COVERED else status.state
    return status.state if telling.cited(*_COVERED) else None
