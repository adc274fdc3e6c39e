"""A ruling being written: counts that follow each return, fouls and clauses as they are found."""

from __future__ import annotations

from dataclasses import replace

from carrom.errors import ContradictionError
from carrom.pieces import PieceKind
from carrom.seats import Seat, Side
from referee.facts import Facts
from referee.laws import Laws
from referee.ruling import (
    ONGOING,
    Action,
    BoardRuling,
    BoardStatus,
    DebtChange,
    Foul,
    FoulCall,
    From,
    GameRuling,
    NextPlacement,
    Notice,
    Place,
    QueenState,
    Reason,
    ReturnRow,
    Ruling,
    TurnRuling,
)
from referee.state import State

__all__ = ["Clauses", "Draft"]

Clauses = tuple[str, ...]


class Draft:
    """Mutable while one outcome is judged; ``finish`` makes the ruling.

    Counts start as the pieces lie after the stroke, before anything is put back.
    """

    __slots__ = (
        "actions",
        "board",
        "board_points",
        "break_attempts",
        "break_done",
        "captured",
        "clauses",
        "continues",
        "debt_changes",
        "debts",
        "facts",
        "final_round",
        "fouls",
        "free_removal_allowed",
        "game",
        "had_pocketed",
        "laws",
        "next",
        "next_placement",
        "notices",
        "on_board",
        "pending_claim",
        "pocketed",
        "queen",
        "restore_moved",
        "returns",
        "score",
        "skip_next",
        "stack",
        "state",
        "stroke_in_turn",
        "strokes_granted",
        "strokes_left",
        "tee_shots_due",
        "turn_clauses",
    )

    def __init__(self, state: State, facts: Facts, laws: Laws) -> None:
        self.state = state
        self.facts = facts
        self.laws = laws
        nothing = dict.fromkeys(laws.ruleset.pieces, 0)  # a kind left out means none
        self.on_board = {**nothing, **state.on_board}
        self.pocketed = dict(state.pocketed)
        self.captured = {side: {**nothing, **taken} for side, taken in state.captured.items()}
        for kind, count in facts.pocketed.items():
            self._take(kind, count)
        for kind, count in facts.off.items():
            self.on_board[kind] -= count
        for kind, count in facts.removed.items():
            self._take(kind, count)
        self.fouls: list[FoulCall] = []
        self.notices: list[Notice] = []
        self.returns: list[ReturnRow] = []
        self.debts = dict(state.debts)
        self.debt_changes: list[DebtChange] = []
        self.clauses: list[str] = []
        self.continues = False
        self.next: Seat | None = None
        self.turn_clauses: Clauses = ()
        self.board = ONGOING
        self.board_points: dict[Side, int] | None = None
        self.game: GameRuling | None = None
        self.queen: QueenState | None = state.queen
        self.score = state.score
        self.had_pocketed = state.had_pocketed
        self.restore_moved = False
        self.skip_next = state.skip_next
        self.final_round = state.final_round
        self.strokes_left = state.strokes_left
        self.strokes_granted = 0
        self.stroke_in_turn = state.stroke_in_turn
        self.tee_shots_due = state.tee_shots_due
        self.next_placement: NextPlacement | None = None
        self.stack = state.jack_spot_stack
        self.break_done = state.break_done
        self.break_attempts = state.break_attempts
        self.pending_claim = state.pending_claim
        self.free_removal_allowed = False
        self.actions: list[Action] = []

    def _take(self, kind: PieceKind, count: int) -> None:
        """Count pieces as pocketed: for their colour, or for the seat that struck."""
        left = self.on_board[kind] - count
        if left < 0:
            raise ContradictionError(
                f"{kind.value} taken from the board",
                expected=f"at most {self.on_board[kind]}",
                got=count,
            )
        self.on_board[kind] = left
        if self.captured:
            taken = self.captured[self.facts.side]
            taken[kind] = taken.get(kind, 0) + count
        elif kind is not PieceKind.QUEEN and kind is not PieceKind.JACK:
            self.pocketed[kind] = self.pocketed.get(kind, 0) + count

    def as_before(self) -> None:
        """Counts as before the stroke, which is not judged."""
        nothing = dict.fromkeys(self.laws.ruleset.pieces, 0)
        self.on_board = {**nothing, **self.state.on_board}
        self.pocketed = dict(self.state.pocketed)
        self.captured = {side: dict(taken) for side, taken in self.state.captured.items()}

    def fall(self, kind: PieceKind, count: int) -> None:
        """Pieces that fell in while handled, after the returns: they count as pocketed (HK-30)."""
        self._take(kind, count)

    def foul(self, foul: Foul, clauses: Clauses, seat: Seat | None = None) -> None:
        """Call a foul once; the shooter's unless another seat is named."""
        who = seat or self.facts.seat
        if not any(call.foul is foul and call.seat is who for call in self.fouls):
            self.fouls.append(FoulCall(foul, who, clauses))

    def note(self, notice: Notice) -> None:
        """Something worth saying that is no foul."""
        if notice not in self.notices:
            self.notices.append(notice)

    def cite(self, *clauses: str) -> None:
        """Clauses that the ruling rests on besides those of fouls, returns and turn."""
        self.clauses.extend(clauses)

    def give_back(
        self,
        piece: PieceKind,
        count: int,
        *,
        to: Place,
        by: str,
        source: From,
        reason: Reason,
        clauses: Clauses = (),
        owner: Side | None = None,
    ) -> None:
        """Put pieces back: a row of the ruling, and the counts follow. Nothing if ``count`` is 0.

        ``owner``: whose captured pieces they are, with three players.
        """
        if count <= 0:
            return
        self.on_board[piece] += count
        if source is From.POCKET:
            if self.captured:
                self.captured[owner or self.facts.side][piece] -= count
            elif piece is not PieceKind.QUEEN and piece is not PieceKind.JACK:
                self.pocketed[piece] = self.pocketed.get(piece, 0) - count
        self.returns.append(
            ReturnRow(
                piece=piece,
                count=count,
                to=to,
                by=by,
                source=source,
                reason=reason,
                clauses=clauses,
            )
        )

    def order_rows(self, order: tuple[Reason, ...]) -> None:
        """Rows in the order in which pieces are put down: the queen, then by reason (F.6)."""
        self.returns.sort(
            key=lambda row: (row.piece is not PieceKind.QUEEN, order.index(row.reason))
        )

    def merge_rows(self) -> None:
        """One row per piece, source and reason (F.6): later rows join the first of their kind."""
        merged: dict[tuple[PieceKind, From, Reason, str], ReturnRow] = {}
        for row in self.returns:
            key = (row.piece, row.source, row.reason, row.by)
            first = merged.get(key)
            merged[key] = row if first is None else replace(first, count=first.count + row.count)
        self.returns = list(merged.values())

    def owe(self, side: Side, change: int, clauses: Clauses) -> None:
        """Change what a side owes. Nothing if ``change`` is 0."""
        if change == 0:
            return
        self.debts[side] += change
        self.debt_changes.append(DebtChange(side, change, clauses))
        self.note(Notice.DEBT_INCURRED if change > 0 else Notice.DEBT_REPAID)

    def end_board(self, board: BoardRuling) -> None:
        """The board is over: debts are written off (SE-27, ICF-28), nobody strikes."""
        self.board = board
        self.continues = False
        self.next = None
        if board.status is BoardStatus.OVER:
            self.debts = dict.fromkeys(self.debts, 0)

    def finish(self) -> Ruling:
        """The ruling, with every clause cited once, in the order found."""
        facts = self.facts
        cited: list[str] = []
        for call in self.fouls:
            cited += call.clauses
        for row in self.returns:
            cited += row.clauses
        for change in self.debt_changes:
            cited += change.clauses
        cited += self.turn_clauses
        cited += self.board.clauses
        cited += self.clauses
        if self.game is not None:
            cited += self.game.clauses
        return Ruling(
            seat=facts.seat,
            stroke_made=facts.stroke_made,
            fouls=tuple(self.fouls),
            notices=tuple(self.notices),
            returns=tuple(self.returns),
            debts=self.debts,
            debt_changes=tuple(self.debt_changes),
            turn=TurnRuling(continues=self.continues, next=self.next, clauses=self.turn_clauses),
            board=self.board,
            game=self.game,
            queen=self.queen,
            on_board=self.on_board,
            pocketed=self.pocketed,
            captured=self.captured,
            score=self.score,
            board_points=self.board_points,
            had_pocketed=self.had_pocketed,
            restore_moved=self.restore_moved,
            skip_next=self.skip_next,
            final_round=self.final_round,
            strokes_left=self.strokes_left,
            strokes_granted=self.strokes_granted,
            stroke_in_turn=self.stroke_in_turn,
            tee_shots_due=self.tee_shots_due,
            next_placement=self.next_placement,
            stack_bottom_to_top=self.stack,
            break_done=self.break_done,
            break_attempts=self.break_attempts,
            pending_claim=self.pending_claim,
            free_removal_allowed=self.free_removal_allowed,
            actions=tuple(self.actions),
            clauses=tuple(dict.fromkeys(cited)),
        )
