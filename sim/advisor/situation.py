"""What the advisor is asked: where the men lie, whose stroke it is, by which laws and board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from math import hypot

from carrom.board_spec import BoardFamily, BoardSpec
from carrom.boards import board_for
from carrom.errors import BoardError, ContradictionError, PositionError
from carrom.layouts import castle_layout, opening_position
from carrom.pieces import PieceKind
from carrom.position import Position, PositionProblem
from carrom.seats import Seat, Side, opposite, right_of
from referee.laws import Laws
from referee.options import HikoneOptions
from referee.ruling import QueenState, QueenStatus
from referee.setup import start_match
from referee.state import State, check_state
from sim.physics.surface import SurfaceParams, surface_for

__all__ = ["QueenSays", "Situation", "is_opening", "situation_of"]

_OPENING_MM = 4.0
"""How far a piece may lie from its place in the opening layout: a hand-laid rack is no drawing."""
_MISCOUNTED = ~(PositionProblem.OVERLAP | PositionProblem.OUTSIDE | PositionProblem.IN_POCKET)
_THREE = (Seat.SOUTH, Seat.EAST, Seat.NORTH)


class QueenSays(StrEnum):
    """What has become of a queen that is not on the board."""

    MINE = "mine"
    THEIRS = "theirs"
    UNCOVERED = "uncovered"
    """Pocketed by the player on turn, who must cover her now (GR-13, SE-14, ICF-69)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """``position``: the men at rest, board frame, without a striker. ``state``: the match, whose
    ``turn`` is the seat that strikes. Build foreign ones with ``situation_of``, which checks."""

    position: Position
    state: State
    laws: Laws
    board: BoardSpec
    surface: SurfaceParams

    @property
    def seat(self) -> Seat:
        """Who strikes."""
        return self.state.turn

    @property
    def side(self) -> Side:
        """Who scores with him."""
        return self.state.seats[self.state.turn]


def situation_of(
    position: Position,
    laws: Laws,
    *,
    seat: Seat = Seat.SOUTH,
    side: Side | None = None,
    players: int = 2,
    queen: QueenSays = QueenSays.MINE,
    state: State | None = None,
    board: BoardSpec | None = None,
    surface: SurfaceParams | None = None,
    first_stroke: bool = False,
) -> Situation:
    """The situation of ``seat`` at a position; what the position does not tell is assumed.

    ``state``: the match, if it is known (the other words about it are then not used). Otherwise
    pieces that are not on the board are in the pockets, nobody owes anything, ``side`` (default:
    that of the player who opens) says which men are his, and in the opening layout the break is
    still to be made. ``first_stroke``: his tee shot (HK-05); in the opening layout always.
    A striker in the position is left out. Raises ``PositionError`` or ``ContradictionError`` for
    a position that no board of this ruleset can have, ``BoardError`` for the board of another game.
    """
    spec = board_for(_family(laws)) if board is None else board
    if spec.family is not _family(laws):
        raise BoardError(
            f"board {spec.name!r}: expected one for {laws.ruleset.value}, got {spec.family.value}"
        )
    men = Position(tuple(disc for disc in position if disc.kind is not PieceKind.STRIKER))
    _check_set(men, spec, laws)
    if state is None:
        opening = is_opening(men, spec, laws)
        state = _assumed(men, laws, seat, side, players, queen, opening=opening)
        if first_stroke or opening:
            tee = frozenset(state.seats) if opening else frozenset({seat})
            state = replace(state, tee_shots_due=tee if laws.ruleset.hikone else frozenset())
    check_state(state, laws)
    _check_agreement(men, state)
    params = surface_for(spec) if surface is None else surface
    return Situation(position=men, state=state, laws=laws, board=spec, surface=params)


def is_opening(position: Position, board: BoardSpec, laws: Laws) -> bool:
    """Whether the men lie as they do before a break, whichever way the rack is turned."""
    layout = opening_position(board)
    if isinstance(laws.options, HikoneOptions) and laws.options.initial_layout == "castle":
        layout = castle_layout(board)
    if position.counts() != layout.counts():
        return False
    reach = sorted(hypot(d.x_mm, d.y_mm) for d in layout)
    found = sorted(hypot(d.x_mm, d.y_mm) for d in position)
    return all(abs(a - b) <= _OPENING_MM for a, b in zip(reach, found, strict=True))


def _family(laws: Laws) -> BoardFamily:
    return BoardFamily.HIKONE if laws.ruleset.hikone else BoardFamily.ICF


def _check_set(men: Position, board: BoardSpec, laws: Laws) -> None:
    for fault in men.faults(board):
        if fault.problem & _MISCOUNTED:
            name = (fault.problem.name or "").lower()
            raise PositionError(
                f"position: expected the pieces of {laws.ruleset.value}, got {name} "
                f"({', '.join(men.discs[i].kind.value for i in fault.discs[:3])} ...)"
            )


def _assumed(
    men: Position,
    laws: Laws,
    seat: Seat,
    side: Side | None,
    players: int,
    queen: QueenSays,
    *,
    opening: bool,
) -> State:
    seats = _seats(laws, seat, players)
    opener = _opener(laws, seat, side, players)
    start = start_match(laws, {s: s.value for s in seats}, opener)
    counts = men.counts()
    gone = {kind: number - counts.get(kind, 0) for kind, number in laws.ruleset.pieces.items()}
    state = replace(
        start,
        turn=seat,
        on_board={kind: counts.get(kind, 0) for kind in laws.ruleset.pieces},
        tee_shots_due=frozenset(),
        break_done=laws.ruleset.hikone or not opening,
    )
    if laws.ruleset.three_players:
        return _with_captures(state, gone, seat, queen)
    return _with_pockets(state, gone, seat, queen)


def _opener(laws: Laws, seat: Seat, side: Side | None, players: int) -> Seat:
    """Who must have opened for ``seat`` to play ``side``: the opener is white, or red."""
    if side is None or laws.ruleset.three_players:
        return seat
    sides = (Side.RED, Side.GREEN) if laws.ruleset.hikone else (Side.WHITE, Side.BLACK)
    if side not in sides:
        expected = f"a side of {laws.ruleset.value}"
        raise ContradictionError("side", expected=expected, got=side.value)
    if side is sides[0]:
        return seat
    return opposite(seat) if players == 2 else right_of(seat, tuple(Seat))


def _seats(laws: Laws, seat: Seat, players: int) -> tuple[Seat, ...]:
    if laws.ruleset.three_players:
        if seat not in _THREE:
            raise ContradictionError(
                "seat", expected="S, E or N with three players", got=seat.value
            )
        return _THREE
    if players not in (2, 4):
        raise ContradictionError("players", expected="2 or 4", got=players)
    return tuple(Seat) if players == 4 else (seat, opposite(seat))


def _with_pockets(
    state: State, gone: Mapping[PieceKind, int], seat: Seat, queen: QueenSays
) -> State:
    men: dict[PieceKind, int] = dict(gone)
    for special in (PieceKind.QUEEN, PieceKind.JACK):
        men.pop(special, None)
    had = frozenset(side for side in state.debts if men.get(side.piece, 0) > 0)
    state = replace(state, pocketed=men, had_pocketed=had)
    if state.queen is None or not gone[PieceKind.QUEEN]:
        return state
    own = state.seats[seat]
    other = next(side for side in state.debts if side is not own)
    if queen is QueenSays.UNCOVERED:
        return replace(state, queen=QueenState(QueenStatus.POCKETED_UNCOVERED, own))
    holder = own if queen is QueenSays.MINE else other
    return replace(state, queen=QueenState(QueenStatus.COVERED, holder))


def _with_captures(
    state: State, gone: Mapping[PieceKind, int], seat: Seat, queen: QueenSays
) -> State:
    """Three players: nobody can see who has what, so the pieces are dealt round."""
    sides = list(state.captured)
    taken: dict[Side, dict[PieceKind, int]] = {side: dict.fromkeys(gone, 0) for side in sides}
    for kind in (PieceKind.WHITE, PieceKind.BLACK):
        for turn in range(gone[kind]):
            taken[sides[turn % len(sides)]][kind] += 1
    if gone[PieceKind.QUEEN] and state.queen is not None:
        own = state.seats[seat]
        other = next(side for side in sides if side is not own)
        holder = other if queen is QueenSays.THEIRS else own
        taken[holder][PieceKind.QUEEN] = 1
        pending = queen is QueenSays.UNCOVERED
        status = QueenStatus.POCKETED_UNCOVERED if pending else QueenStatus.COVERED
        state = replace(state, queen=QueenState(status, holder))
    return replace(state, captured=taken)


def _check_agreement(men: Position, state: State) -> None:
    """The board and the state must speak of the same pieces."""
    counts = men.counts()
    for kind in {*counts, *state.on_board}:
        if counts.get(kind, 0) != state.on_board.get(kind, 0):
            raise ContradictionError(
                f"{kind.value} on the board",
                expected=f"the {state.on_board.get(kind, 0)} of the match",
                got=counts.get(kind, 0),
            )
