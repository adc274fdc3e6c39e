"""What persons say or choose about a stroke: facts of its outcome that the ruling needs."""

from collections.abc import Collection
from dataclasses import replace

from carrom import events as ev
from carrom.errors import ContradictionError
from carrom.evidence import DECLARED, Evidence
from carrom.pieces import PieceKind
from referee.adjudicate import adjudicate
from referee.doubts import PENALTY_PIECE
from referee.laws import Laws
from referee.state import State
from sim.camera.films.acts import take_away
from sim.camera.films.incidents import IncidentKind
from sim.camera.films.played import Played
from sim.camera.films.tape import Person, Tape, Visit
from sim.camera.films.timeline import PhaseKind

__all__ = ["add_choices"]


def add_choices(
    tape: Tape,
    done: Played,
    asked: Collection[IncidentKind],
    state: State,
    laws: Laws,
    person: Person,
) -> None:
    """Declared facts that were asked for, and choices that the laws leave to the player.

    ``state``: before the stroke. Choices are made whether asked for or not: the ruling waits for
    them.
    """
    when = _declared(done.t_start_s, done.t_start_s)
    if IncidentKind.BEFORE_PLAY_CALL in asked:
        done.first.append(ev.BeforePlayCall(evidence=when))
        _note(tape, done, IncidentKind.BEFORE_PLAY_CALL, person, done.t_start_s, done.t_start_s)
    if IncidentKind.DEBT_NOT_CLAIMED in asked:
        done.first.append(ev.DebtNotClaimed(evidence=when))
        _note(tape, done, IncidentKind.DEBT_NOT_CLAIMED, person, done.t_start_s, done.t_start_s)
    _choose_penalty(tape, done, state, laws, person)
    if IncidentKind.OPTION_REMOVAL in asked:
        _remove_one(tape, done, state, laws, person)


def _choose_penalty(tape: Tape, done: Played, state: State, laws: Laws, person: Person) -> None:
    """The offender says which of his pieces he gives back, if the ruling depends on it (PT-06)."""
    questions = adjudicate(state, done.outcome(), laws).questions
    asked = [question for question in questions if question.doubt == PENALTY_PIECE]
    if not asked:
        return
    piece = PieceKind(asked[0].alternatives[-1].answer)
    start = tape.t_s
    tape.t_s += 1.0
    when = _declared(start, tape.t_s)
    done.last.append(ev.PenaltyPieceChosen(piece=piece, evidence=when))
    _note(tape, done, IncidentKind.PENALTY_PIECE_CHOSEN, person, start, tape.t_s)


def _remove_one(tape: Tape, done: Played, state: State, laws: Laws, person: Person) -> None:
    """After an own puck a beginner takes one more off, if the laws let him (SB-03)."""
    own = state.seats[person.seat].piece
    mine = [k for k in tape.lying() if tape.kinds[k] is own]
    if not mine:
        return
    event = ev.OptionRemoval(piece=own, evidence=_declared(tape.t_s, tape.t_s))
    outcome = done.outcome()
    try:
        adjudicate(state, replace(outcome, events=(*outcome.events, event)), laws)
    except ContradictionError:  # no own puck was sunk, or too few are left
        return
    start, disc = tape.t_s, min(mine, key=lambda k: tape.places[k].y_mm)
    with tape.phase(PhaseKind.COLLECTING):
        visit = Visit(tape, person)
        taken = take_away(tape, visit, disc)
        tape.t_s = visit.t_s
        visit.close()
    done.last.append(replace(event, evidence=_declared(start, taken)))
    _note(tape, done, IncidentKind.OPTION_REMOVAL, person, start, taken, discs=(disc,))
    assert done.after is not None
    strikers = done.after.of_kind(PieceKind.STRIKER)
    done.after = type(done.after)((*tape.rest().discs, *strikers))


def _note(
    tape: Tape,
    done: Played,
    kind: IncidentKind,
    person: Person,
    t_start_s: float,
    t_end_s: float,
    *,
    discs: tuple[int, ...] = (),
) -> None:
    done.incidents.append(
        tape.incident(kind, t_start_s, t_end_s, seat=person.seat, discs=discs)
    )  # fmt: skip


def _declared(t_start_s: float, t_end_s: float) -> Evidence:
    return replace(DECLARED, t_start_s=t_start_s, t_end_s=t_end_s)
