"""Pieces that go back after a ruling, and boards set up anew: by the right person, in order."""

from collections.abc import Collection
from math import cos, hypot, sin

from carrom import events as ev
from carrom.board_marks import from_seat_frame
from carrom.board_spec import BoardFamily
from carrom.pieces import Counts, PieceKind
from carrom.position import Position
from carrom.seats import Seat, Side
from referee.ruling import From, ReturnRow
from referee.ruling import Place as Goal
from sim.camera.films.acts import nearest_free, put, take
from sim.camera.films.incidents import Incident, IncidentKind
from sim.camera.films.moves import Place
from sim.camera.films.return_mishaps import drop_again, topple
from sim.camera.films.tape import Person, Tape, visit_with
from sim.camera.films.timeline import PhaseKind
from sim.camera.scene import DiscState

__all__ = ["bring_missing", "carry", "give_back", "put_back_moved", "set_up"]


def give_back(
    tape: Tape,
    rows: tuple[ReturnRow, ...],
    people: dict[Seat, Person],
    sides: dict[Seat, Side],
    mishaps: Collection[IncidentKind] = (),
) -> list[tuple[Incident, ev.Event]]:
    """Put the pieces down that a ruling wants back; what goes wrong of ``mishaps``, with the facts
    that they add to the stroke."""
    wrong = set(mishaps)
    done: list[tuple[Incident, ev.Event]] = []
    last: int | None = None
    for row in rows:
        person = _who(row.by, people, sides)
        for _ in range(row.count):
            disc = _fetched(tape, row)
            if disc is None:
                continue
            jack = row.piece is PieceKind.JACK
            with tape.phase(PhaseKind.RETURNING):
                if IncidentKind.FELL_DURING_REPLACEMENT in wrong and not jack:
                    done.append(drop_again(tape, person, disc))
                    wrong.remove(IncidentKind.FELL_DURING_REPLACEMENT)
                elif IncidentKind.JACK_TOPPLED in wrong and jack and last is not None:
                    done.append(topple(tape, person, disc, last))
                else:
                    carry(tape, person, disc, *_goal(tape, disc, row.to))
                    last = disc
    return done


def _who(by: str, people: dict[Seat, Person], sides: dict[Seat, Side]) -> Person:
    """The person named by a seat, a side, or as the umpire (who sits where nobody plays)."""
    for seat, person in people.items():
        if by in (seat.value, sides.get(seat)):
            return person
    spare = [seat for seat in people if seat not in sides]
    return people[spare[0] if spare else next(iter(people))]


def _fetched(tape: Tape, row: ReturnRow) -> int | None:
    """The disc that goes back: of the kind, from a net or from off the board."""
    off = (DiscState.OFF_BOARD, DiscState.ON_FRAME, None)
    kinds = [k for k in range(tape.striker) if tape.kinds[k] is row.piece]
    gone = [k for k in kinds if not tape.places[k].on_board]
    if row.source is From.OFF_BOARD:
        gone = [k for k in gone if tape.places[k].state in off] or gone
    else:
        gone = [k for k in gone if tape.places[k].state is DiscState.IN_POCKET] or gone
    return max(gone, key=lambda k: _gone_s(tape, k)) if gone else None


def _gone_s(tape: Tape, disc: int) -> float:
    """Since when a disc has been where it is: the latest goes back first."""
    return tape.moves[disc][-1].t1_s if tape.moves[disc] else 0.0


def _goal(tape: Tape, disc: int, goal: Goal) -> tuple[float, float]:
    """Where it is put: as near as possible to the spot, or free in the outer circle."""
    board = tape.world.board
    if goal is not Goal.OUTER_CIRCLE or board.family is BoardFamily.HIKONE:
        return nearest_free(tape, disc, 0.0, 0.0, slack_mm=0.1)
    outer = board.base_line_markings.outer_circle_diameter_mm.value / 2
    room = max(0.0, outer - tape.radius_mm(disc))
    for _ in range(40):
        turn = float(tape.rng.uniform(0, 6.283))
        reach = room * float(tape.rng.uniform(0, 1)) ** 0.5
        x, y = reach * cos(turn), reach * sin(turn)
        if tape.is_free(disc, x, y, slack_mm=1.5):
            return x, y
    return nearest_free(tape, disc, 0.0, 0.0)


def carry(tape: Tape, person: Person, disc: int, x_mm: float, y_mm: float) -> None:
    """One person takes one disc and puts it down; time goes on to when the hand is gone."""
    visit = visit_with(tape, person, disc)
    start = take(tape, visit, disc)
    put(tape, visit, disc, start, Place(x_mm, y_mm))
    visit.leave(0.5)
    tape.t_s = visit.t_s
    visit.close()


def put_back_moved(tape: Tape, before: list[Place], person: Person) -> None:
    """A void stroke: what still lies on the board goes back to where it was, one by one."""
    moved = [
        k
        for k in tape.lying()
        if before[k].on_board
        and hypot(tape.places[k].x_mm - before[k].x_mm, tape.places[k].y_mm - before[k].y_mm) > 2.5
    ]
    pace, tape.pace = tape.pace, tape.pace * 0.6
    for _ in range(2 * len(moved)):
        if not moved:
            break
        free = [k for k in moved if tape.is_free(k, before[k].x_mm, before[k].y_mm, slack_mm=0.0)]
        disc = free[0] if free else moved[0]
        old = before[disc].x_mm, before[disc].y_mm
        goal = old if free else nearest_free(tape, disc, *old)
        if free or len(moved) == 1:
            moved.remove(disc)
        else:  # out of the way for now
            moved.append(moved.pop(0))
        with tape.phase(PhaseKind.RETURNING):
            carry(tape, person, disc, *goal)
    tape.pace = pace


def bring_missing(
    tape: Tape, counts: Counts, due: tuple[ReturnRow, ...], before: list[Place], person: Person
) -> None:
    """What fell in a void stroke goes back to its old place: the referee counts it as never gone.

    ``due``: what goes back by rows of its own.
    """
    for kind, number in counts.items():
        here = sum(1 for k in tape.lying() if tape.kinds[k] is kind)
        owed = sum(row.count for row in due if row.piece is kind)
        gone = [
            k for k in range(tape.striker) if tape.kinds[k] is kind and not tape.places[k].on_board
        ]
        gone.sort(key=lambda k: -_gone_s(tape, k))
        for disc in gone[: max(0, number - owed - here)]:
            old = before[disc]
            x, y = (old.x_mm, old.y_mm) if old.on_board else (0.0, 0.0)
            with tape.phase(PhaseKind.RETURNING):
                carry(tape, person, disc, *nearest_free(tape, disc, x, y, slack_mm=0.0))


def set_up(tape: Tape, position: Position, people: tuple[Person, ...]) -> None:
    """All pieces to their places for the next board, whatever lies where; two people at work."""
    pace, tape.pace = tape.pace, tape.pace * 0.5
    goals: dict[int, tuple[float, float]] = {}
    spare: dict[PieceKind, list[int]] = {}
    for k in range(tape.striker):
        spare.setdefault(tape.kinds[k], []).append(k)
    for piece in position:
        near = min(
            spare[piece.kind],
            key=lambda k: hypot(tape.places[k].x_mm - piece.x_mm, tape.places[k].y_mm - piece.y_mm),
        )
        spare[piece.kind].remove(near)
        goals[near] = (piece.x_mm, piece.y_mm)
    with tape.phase(PhaseKind.SETTING_UP):
        _clear_middle(tape, goals, people)
        for turn, (disc, goal) in enumerate(sorted(goals.items(), key=lambda g: hypot(*g[1]))):
            place = tape.places[disc]
            if place.on_board and hypot(place.x_mm - goal[0], place.y_mm - goal[1]) < 1e-6:
                continue
            carry(tape, people[turn % len(people)], disc, *goal)
    tape.pace = pace


def _clear_middle(
    tape: Tape, goals: dict[int, tuple[float, float]], people: tuple[Person, ...]
) -> None:
    """Discs that lie where the layout will be move aside, to the frame of who takes them."""
    reach = max((hypot(*goal) for goal in goals.values()), default=0.0) + 45.0
    every = (*tape.stacked(), *tape.lying())
    inside = [k for k in every if hypot(tape.places[k].x_mm, tape.places[k].y_mm) < reach]
    for turn, disc in enumerate(inside):
        person = people[turn % len(people)]
        carry(tape, person, disc, *nearest_free(tape, disc, *_before(tape, person)))


def _before(tape: Tape, person: Person) -> tuple[float, float]:
    """Before a person, near his own frame."""
    half = tape.world.board.half_mm
    x, y = from_seat_frame(person.seat, 0.25 * half, -0.85 * half)
    return x, y
