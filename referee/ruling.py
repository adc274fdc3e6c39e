"""A verdict is data: names, counts, seats and clause IDs. Sentences are made by ``explain``.

The words are those of the scenario format (rules.md F.5 to F.7).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from carrom.doubts import Question
from carrom.pieces import Counts, PieceKind
from carrom.seats import Seat, Side

__all__ = [
    "ONGOING",
    "Action",
    "Alternative",
    "BoardReason",
    "BoardRuling",
    "BoardStatus",
    "DebtChange",
    "Foul",
    "FoulCall",
    "From",
    "GameRuling",
    "GameStatus",
    "NextPlacement",
    "Notice",
    "OpenQuestion",
    "Place",
    "QueenState",
    "QueenStatus",
    "Reason",
    "ReturnRow",
    "Ruling",
    "TurnRuling",
]


class Foul(StrEnum):
    """What was done wrong (rules.md F.7)."""

    STRIKER_POCKETED = "striker_pocketed"
    STRIKER_OFF_BOARD = "striker_off_board"
    STRIKER_ON_FRAME = "striker_on_frame"
    PREMATURE_JACK = "premature_jack"
    JACK_OFF_BOARD = "jack_off_board"
    JACK_ON_FRAME = "jack_on_frame"
    JACK_MISSED = "jack_missed"
    AREA_LINE_DIRECT_HIT = "area_line_direct_hit"
    TOUCHED_PIECE = "touched_piece"
    STRIKER_RECALLED_EARLY = "striker_recalled_early"
    IMPROPER_STROKE = "improper_stroke"
    OUT_OF_TURN = "out_of_turn"
    PIECE_OFF_BOARD = "piece_off_board"
    OPPONENT_PIECE_POCKETED = "opponent_piece_pocketed"
    OWN_LAST_BEFORE_QUEEN = "own_last_before_queen"
    OPPONENT_LAST_POCKETED = "opponent_last_pocketed"
    BREAK_FAILED = "break_failed"
    PIECE_TOUCHED = "piece_touched"
    STRIKE_RULE_VIOLATION = "strike_rule_violation"
    TECHNICAL_FOUL = "technical_foul"
    OWN_LAST_QUEEN_ON_BOARD = "own_last_queen_on_board"
    OPPONENT_LAST_QUEEN_ON_BOARD = "opponent_last_queen_on_board"
    FOUL = "foul"
    BREAK_BEFORE_PLAY = "break_before_play"
    LEFT_SEAT = "left_seat"
    OPPONENT_LAST_WHILE_COVERING = "opponent_last_while_covering"


class Notice(StrEnum):
    """Worth saying, but no foul."""

    SERVICE_TO_OPPONENT = "service_to_opponent"
    DEBT_INCURRED = "debt_incurred"
    DEBT_REPAID = "debt_repaid"
    PACK_OFF_BOARD = "pack_off_board"
    LEFT_AS_IS = "left_as_is"
    BOUNCE_BACK = "bounce_back"
    JACK_RESTACKED = "jack_restacked"
    TURN_SKIPPED = "turn_skipped"
    TEN_SECOND_SKIP = "ten_second_skip"
    TIME_UP_FINISH_ROUND = "time_up_finish_round"
    EXTRA_ROUND = "extra_round"
    BREAK_MISSED = "break_missed"
    MISFIRE_RETAKEN = "misfire_retaken"
    DEBT_LAPSED = "debt_lapsed"
    NO_LAW = "no_law"
    """The ruleset has no clause for what happened: the umpire decides."""


class Place(StrEnum):
    """Where a piece goes back."""

    JACK_SPOT = "jack_spot"
    CENTRE_CIRCLE = "centre_circle"
    OUTER_CIRCLE = "outer_circle"


class From(StrEnum):
    """Where a returned piece comes from; ``OFF_BOARD`` also stands for the frame."""

    POCKET = "pocket"
    OFF_BOARD = "off_board"


class Reason(StrEnum):
    """Why a piece goes back (rules.md F.6)."""

    QUEEN_RETURN = "queen_return"
    OFF_BOARD = "off_board"
    OPPONENT_LAST_RETURN = "opponent_last_return"
    OPPONENT_PIECE_RETURN = "opponent_piece_return"
    OWN_SIDE_POCKET = "own_side_pocket"
    VOID_POCKETING = "void_pocketing"
    PENALTY = "penalty"
    JACK_PENALTY = "jack_penalty"
    DUE = "due"
    DEBT = "debt"
    JACK_MISSED = "jack_missed"
    SCRATCH_WITH_OWN_OPTION = "scratch_with_own_option"
    JACK_RESPOT = "jack_respot"
    JACK_RESPOT_AFTER_COLLAPSE = "jack_respot_after_collapse"


class BoardStatus(StrEnum):
    """Where the board stands after the ruling."""

    ONGOING = "ongoing"
    OVER = "over"
    NEEDS_HUMAN = "needs_human"


class BoardReason(StrEnum):
    """Why the board is over, or why a person must decide."""

    JACK_POCKETED = "jack_pocketed"
    TIME_FEWER_PACKS = "time_fewer_packs"
    JANKEN = "janken"
    JACK_MISSED = "jack_missed"
    ALL_OWN_POCKETED = "all_own_pocketed"
    OWN_LAST_QUEEN_ON_BOARD = "own_last_queen_on_board"
    OPPONENT_LAST_QUEEN_ON_BOARD = "opponent_last_queen_on_board"
    BOTH_LAST = "both_last"
    BOTH_LAST_QUEEN_ON_BOARD = "both_last_queen_on_board"
    OPPONENT_LAST = "opponent_last"
    BOTH_LAST_WHILE_COVERING = "both_last_while_covering"
    QUEEN_AND_BOTH_LAST = "queen_and_both_last"
    QUEEN_BOTH_LAST_STRIKER = "queen_both_last_striker"
    BOTH_LAST_STRIKER = "both_last_striker"
    OPPONENT_LAST_WHILE_COVERING = "opponent_last_while_covering"
    OUT_OF_TURN = "out_of_turn"
    LEFT_SEAT = "left_seat"
    BOARD_CLEARED = "board_cleared"
    NO_LAW = "no_law"


class GameStatus(StrEnum):
    """Where the game stands after a board."""

    ONGOING = "ongoing"
    OVER = "over"
    EXTRA_BOARD = "extra_board"


class NextPlacement(StrEnum):
    """Hikone: from where this player makes his next stroke (HK-05, HK-07)."""

    AREA_LINE = "area_line"
    TEE_SPOT = "tee_spot"


class QueenStatus(StrEnum):
    """What has become of the queen."""

    ON_BOARD = "on_board"
    POCKETED_UNCOVERED = "pocketed_uncovered"
    POCKETED_INELIGIBLE = "pocketed_ineligible"
    COVERED = "covered"


@dataclass(frozen=True, slots=True)
class QueenState:
    """The queen's status and, once she is pocketed, the side that pocketed her."""

    state: QueenStatus
    by: Side | None = None

    @property
    def pending(self) -> bool:
        """Pocketed, but not covered yet (or not coverable in this turn, GR-14)."""
        return self.state in (QueenStatus.POCKETED_UNCOVERED, QueenStatus.POCKETED_INELIGIBLE)


@dataclass(frozen=True, slots=True)
class FoulCall:
    """A foul, the seat that committed it and the clauses that say so."""

    foul: Foul
    seat: Seat
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnRow:
    """``count`` pieces of one kind that go back, in the order in which they are put down.

    ``by`` places them: a side, a seat, or ``"umpire"``.
    """

    piece: PieceKind
    count: int
    to: Place
    by: str
    source: From
    reason: Reason
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DebtChange:
    """A side owes more (positive) or less (negative) than before."""

    side: Side
    change: int
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRuling:
    """Who strikes next. ``continues``: the same striker, in the same turn (F.5)."""

    continues: bool
    next: Seat | None
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRuling:
    """The board after the stroke. ``points`` is ``None`` while it goes on and where the laws state
    no score (HL-15); ``on_demand`` are points a side gets only if it asks (ICF-75..95)."""

    status: BoardStatus = BoardStatus.ONGOING
    winner: Side | None = None
    points: Mapping[Side, int] | None = None
    reason: BoardReason | None = None
    on_demand: Mapping[Side, int] | None = None
    clauses: tuple[str, ...] = ()


ONGOING = BoardRuling()


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRuling:
    """The game after a board. ``winner`` is ``None`` when the game is over and shared (PT-14)."""

    status: GameStatus
    winner: Side | None = None
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Action:
    """Something else to do at the table (HL-08: lay a standing pack flat where it is)."""

    action: str
    piece: PieceKind
    where: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """What would be ruled if this answer were true."""

    answer: str
    likelihood: float
    ruling: Ruling


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenQuestion:
    """A doubt that changes the ruling, with the rulings side by side, likeliest first."""

    doubt: str
    question: Question
    alternatives: tuple[Alternative, ...]


class Ruling(NamedTuple):
    """The verdict on one outcome.

    Counts are those after all returns. A ruling is *pending* while ``questions`` is not empty: its
    other fields then hold what the likeliest answers would give, and ``apply`` refuses it.
    A named tuple, because a frozen dataclass of this size costs six microseconds to make.
    """

    seat: Seat
    stroke_made: bool
    debts: Mapping[Side, int]
    turn: TurnRuling
    board: BoardRuling
    on_board: Counts
    pocketed: Counts
    captured: Mapping[Side, Counts]
    score: Mapping[Side, int]
    fouls: tuple[FoulCall, ...] = ()
    notices: tuple[Notice, ...] = ()
    returns: tuple[ReturnRow, ...] = ()
    debt_changes: tuple[DebtChange, ...] = ()
    game: GameRuling | None = None
    queen: QueenState | None = None
    board_points: Mapping[Side, int] | None = None
    had_pocketed: frozenset[Side] = frozenset()
    restore_moved: bool = False
    skip_next: tuple[Seat, ...] = ()
    final_round: bool = False
    strokes_left: int = 1
    strokes_granted: int = 0
    stroke_in_turn: int = 1
    tee_shots_due: frozenset[Seat] = frozenset()
    next_placement: NextPlacement | None = None
    stack_bottom_to_top: tuple[PieceKind, ...] = ()
    break_done: bool = True
    break_attempts: int = 0
    pending_claim: bool = False
    free_removal_allowed: bool = False
    actions: tuple[Action, ...] = ()
    clauses: tuple[str, ...] = ()
    questions: tuple[OpenQuestion, ...] = ()

    @property
    def pending(self) -> bool:
        """True while a doubt that matters is unanswered."""
        return bool(self.questions)

    @property
    def foul_names(self) -> frozenset[Foul]:
        """The fouls as a set, as the scenario format compares them."""
        return frozenset(call.foul for call in self.fouls)
