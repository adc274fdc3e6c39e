"""Who and what a ruling speaks of, by name: the context that its sentences share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from carrom.pieces import PieceKind
from carrom.seats import Seat, Side
from referee.laws import Laws
from referee.phrases import Family, Phrases
from referee.ruling import From, Ruling
from referee.state import State

__all__ = ["Telling"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """A ruling to be told, the words to tell it in, and what else is known (``state``: before the
    stroke)."""

    ruling: Ruling
    words: Phrases
    family: Family | None
    laws: Laws | None
    state: State | None

    def tell(
        self, key: str, *, clauses: Iterable[str] = (), count: int | None = None, **fields: str
    ) -> str:
        """A full sentence from the catalogue, with its clauses."""
        return self.words.sentence(self.words.say(key, count=count, **fields), clauses)

    def cited(self, *clauses: str) -> list[str]:
        """Those of these clauses that the ruling cites."""
        return [clause for clause in self.ruling.clauses if clause in clauses]

    def player(self, seat: Seat) -> str:
        """A player: by colour in a game of two, else by seat."""
        if self.state is not None and len(self.state.seats) == 2:
            return self.side(self.state.seats[seat])
        return self.words.say(f"seat.{seat.value}")

    def side(self, side: Side) -> str:
        """A side by its colour; with three players by its seat."""
        return self.words.say(f"side.{side.value}")

    def placer(self, by: str) -> str:
        """Who puts pieces back: a seat, a side or the umpire."""
        if by in list(Seat):
            return self.player(Seat(by))
        return self.side(Side(by)) if by in list(Side) else self.words.say(f"who.{by}")

    def pieces(self, counts: Iterable[tuple[PieceKind, int]]) -> str:
        """``two white C/m and the queen``."""
        return self.words.series(
            self.words.say(f"pieces.{kind.value}", count=count) for kind, count in counts
        )

    def left_lying(self, kind: PieceKind) -> int:
        """How many of a kind the stroke left on the board, before anything was put back."""
        back = sum(row.count for row in self.ruling.returns if row.piece is kind)
        return self.ruling.on_board.get(kind, 0) - back

    def fell(self, kind: PieceKind) -> int:
        """How many of a kind were pocketed by the stroke; needs the state before."""
        assert self.state is not None
        off = sum(
            row.count
            for row in self.ruling.returns
            if row.piece is kind and row.source is From.OFF_BOARD
        )
        return self.state.on_board.get(kind, 0) - self.left_lying(kind) - off

    def points(self, scores: Iterable[tuple[Side, int]]) -> str:
        """``White 5, Black 0``."""
        listed = [
            self.words.say("text.score", side=self.side(side), points=str(points))
            for side, points in scores
        ]
        return self.words.say("text.list_sep").join(listed)
